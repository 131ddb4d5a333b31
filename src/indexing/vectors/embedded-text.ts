// Which words of a document its vector stands for. `Document.hash` must change whenever this changes for a document.

import type { Document } from '../../store/store.ts';

/** The text, under its title where that says something of its own: the title of an idea is only its beginning. */
export function embeddedText({ title, text }: Pick<Document, 'title' | 'text'>): string {
  const heading = plain(title.replace(/…$/, ''));
  if (heading === '' || plain(text).startsWith(heading)) return text;
  return `${title}\n${text}`;
}

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();
