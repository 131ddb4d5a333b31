// The mark on notes that Cairn wrote by itself: a digest of the note as it was written. Pruning removes nothing else, so
// whatever a person wrote or touched, in an editor, in Obsidian or with `cairn note`, is kept. `updated` would not do:
// few people change it when they edit.

import { FrontMatter } from '../files/front-matter.ts';
import { contentHash } from '../model/hash.ts';

const PROPERTY = 'generated';
const DIGEST_LENGTH = 12;

/** Marks the note as it is now. Call it last, before it is written. */
export function markGenerated(frontMatter: FrontMatter): void {
  frontMatter.set(PROPERTY, digestOf(frontMatter.toString()));
}

/** True if Cairn wrote it, and nobody has changed it since. */
export function isGenerated(text: string): boolean {
  const mark = MARK.exec(text.slice(0, frontMatterEnd(text)))?.[1];
  return mark !== undefined && mark === digestOf(text);
}

/** Its line as Cairn writes it; written in any other way it is somebody's who changed it. */
const MARK = new RegExp(`(?<=\\n)${PROPERTY}: (c[0-9a-f]{${DIGEST_LENGTH}})[ \\t]*\\r?\\n`);

const frontMatterEnd = (text: string): number => text.length - FrontMatter.parse(text).body.length;

/** Line endings and blanks at the ends of lines do not count: git and editors change them without anybody's will. */
function digestOf(text: string): string {
  const end = frontMatterEnd(text);
  const plain = (text.slice(0, end).replace(MARK, '') + text.slice(end))
    .replace(/^\uFEFF/, '')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trimEnd();
  // The letter keeps YAML from reading a digest of digits as a number.
  return `c${contentHash(plain).slice(0, DIGEST_LENGTH)}`;
}
