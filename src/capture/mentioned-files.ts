// Files of the project that a text mentions and that have notes: `src/auth.ts:42`, `./lib/a.rb`, an absolute path.

import path from 'node:path';
import { isInside, toPosix } from '../files/paths.ts';
import type { CaptureContext } from './capture-context.ts';
import { fileNote } from './file-link.ts';

export type MentionedFile = { id: string; path: string };

const MAX_TEXT = 50_000;
const MAX_LOOKED_UP = 60;
const MAX_FILES = 12;

export function mentionedFiles(context: CaptureContext, text: string): MentionedFile[] {
  const paths = new Set<string>();
  for (const token of text.slice(0, MAX_TEXT).split(/[\s`'"()<>[\]{},;|*]+/)) {
    const name = token.replace(/[.:!?]+$/, '').replace(/(?::\d+)+(?:-\d+)?$|#L?\d+.*$/, '');
    if (name.length > 200 || !/^[\w@./+-]+\.\w{1,8}$/.test(name)) continue;
    const file = path.resolve(context.projectRoot, name);
    if (file !== context.projectRoot && isInside(context.projectRoot, file))
      paths.add(toPosix(path.relative(context.projectRoot, file)));
    if (paths.size >= MAX_LOOKED_UP) break;
  }
  const found: MentionedFile[] = [];
  for (const relative of paths) {
    const { id, note } = fileNote(context.vault.root, relative);
    if (note) found.push({ id, path: relative });
    if (found.length >= MAX_FILES) break;
  }
  return found;
}
