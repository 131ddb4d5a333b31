// The last copy of what is deleted or overwritten for good, outside the project. `delete.archive_retired` switches it off.

import fs from 'node:fs';
import path from 'node:path';
import { messageOf } from '../errors.ts';
import { atomicWrite } from '../files/atomic-write.ts';
import { contentHash } from '../model/hash.ts';
import { timestampOf } from '../model/timestamp.ts';
import type { RecordStore } from './record-store.ts';

/** Keeps `bytes`, the content of `file`, and returns where; nothing if it is switched off. Throws if it cannot be kept. */
export function keepCopy(recordStore: RecordStore, file: string, bytes: Uint8Array): string | undefined {
  if (!recordStore.rules.delete.archive_retired) return undefined;
  const project = contentHash(recordStore.root).slice(0, 12);
  const folder = path.join(
    recordStore.deletedCopies,
    `${path.basename(recordStore.projectRoot)}-${project}`,
    path.basename(path.dirname(file)),
  );
  const stamp = timestampOf(recordStore.now()).replaceAll(':', '');
  const copy = path.join(folder, `${path.basename(file, '.json')}.${stamp}.json`);
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  atomicWrite(copy, bytes, { mode: 0o600 });
  return copy;
}

export const copyNote = (copy: string): string => `A copy of the old file is in ${copy}`;

/** The same for a write that replaces `file`: a copy that cannot be made is a warning, because it must not block the write. */
export function deleteKeepingCopy(recordStore: RecordStore, file: string, bytes: Uint8Array): string[] {
  try {
    const copy = keepCopy(recordStore, file, bytes);
    return copy === undefined ? [] : [copyNote(copy)];
  } catch (error) {
    return [`WARNING: no copy of the old file could be kept (${messageOf(error)})`];
  }
}
