// Which note is about a file. Two paths may make the same id (`src/a.ts`, `src-a.ts`); then the note that is there keeps
// it, and the other file's gets a digest behind it.

import { toPosix } from '../files/paths.ts';
import { fileNoteId, withDigest } from '../notes/note-id.ts';
import type { StoredNote } from '../notes/vault.ts';
import { lookUp } from './put-captured.ts';

export type FileNote = { id: string; note: StoredNote | undefined };

/** `relative` is a path from the project's root. */
export function fileNote(root: string, relative: string): FileNote {
  const id = fileNoteId(relative);
  const note = lookUp(root, 'file-summary', id);
  if (!note || note.path === undefined || samePath(note.path, relative)) return { id, note };
  const other = withDigest(id, relative);
  return { id: other, note: lookUp(root, 'file-summary', other) };
}

const samePath = (a: string, b: string): boolean => plain(a) === plain(b);
const plain = (file: string): string =>
  toPosix(file)
    .replace(/^(?:\.?\/)+/, '')
    .normalize('NFC');

/** `[[file-src-auth-ts|src/auth.ts]]`; a path with brackets or a bar cannot be shown in a link. */
export function linkTo(id: string, relative: string): string {
  return /[[\]|#^\n]/.test(relative) ? `[[${id}]]` : `[[${id}|${relative}]]`;
}
