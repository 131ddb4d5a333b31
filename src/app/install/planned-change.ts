// A change of a file that is planned, shown, and then made: atomically, with a copy of what was there before.

import fs from 'node:fs';
import path from 'node:path';
import { atomicWrite } from '../../files/atomic-write.ts';
import { readBytes } from '../../files/json-file.ts';
import { realPath } from '../../files/paths.ts';

export type FileChange = {
  readonly file: string;
  readonly what: 'create' | 'change' | 'remove';
  /** Absent where the file, or the folder, goes. */
  readonly content?: string;
  readonly mode?: number;
  /** A copy of the old file is left beside it: it is somebody else's. */
  readonly backup?: boolean;
};

export const BACKUP_SUFFIX = '.before-cairn';

/** What it takes to make the file say this; nothing if it does. */
export function changeTo(
  file: string,
  content: string,
  options: { mode?: number; backup?: boolean } = {},
): FileChange | undefined {
  const before = readBytes(file)?.toString('utf8');
  if (before === content) return undefined;
  return { file, what: before === undefined ? 'create' : 'change', content, ...options };
}

/** The copy of the first change stays: it is what the user had before Cairn came. */
export function makeChange({ file, content, mode, backup }: FileChange): void {
  if (content === undefined) {
    fs.rmSync(file, { recursive: true, force: true });
    return;
  }
  // A link stays a link: people keep their settings in a repository and link to them.
  const target = realPath(file);
  fs.mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 });
  if (backup && fs.existsSync(target) && !fs.existsSync(target + BACKUP_SUFFIX))
    atomicWrite(target + BACKUP_SUFFIX, fs.readFileSync(target), { mode: fs.statSync(target).mode & 0o777 });
  atomicWrite(target, content, { mode: mode ?? 0o600 });
}
