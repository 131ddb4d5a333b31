// The last copy of what is deleted or overwritten for good, outside the project. `delete.archive_retired` switches it off.

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { messageOf } from '../errors.ts';
import { atomicWrite } from '../files/atomic-write.ts';
import { type Shelf, timestampOf } from './shelf.ts';

/** Keeps `bytes`, the content of `file`, and returns notes. A copy that cannot be made is a warning: it must not block the write. */
export function bury(shelf: Shelf, file: string, bytes: Uint8Array): string[] {
  if (!shelf.rules.delete.archive_retired) return [];
  const project = createHash('sha256').update(shelf.root).digest('hex').slice(0, 12);
  const folder = path.join(
    shelf.graveyard,
    `${path.basename(shelf.projectRoot)}-${project}`,
    path.basename(path.dirname(file)),
  );
  const stamp = timestampOf(shelf.now()).replaceAll(':', '');
  const copy = path.join(folder, `${path.basename(file, '.json')}.${stamp}.json`);
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    atomicWrite(copy, bytes, { mode: 0o600 });
    return [`A copy of the old file is in ${copy}`];
  } catch (error) {
    return [`WARNING: no copy of the old file could be kept (${messageOf(error)})`];
  }
}
