// How ids are made from other names. Apart from the write path, because readers of links need it too and must not load
// what only writers need.

import { NOTE_ID_MAX } from '../model/notes.ts';

/** `src/auth.ts` → `src-auth-ts`: letters and digits of every script, the rest becomes dashes. */
export function slugOf(text: string): string {
  const folded = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return folded
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 80)
    .replace(/-+$/, '');
}

export const fileNoteId = (file: string): string => `file-${slugOf(file) || 'root'}`.slice(0, NOTE_ID_MAX);
