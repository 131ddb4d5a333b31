// What the files that memories are about looked like when each memory was written. Neither the memories nor git's history say
// it reliably, and the database may be deleted at any time, so it is kept in a file of its own beside the archive.
// Losing that file loses nothing but the comparison: it begins anew from the files as they are then.

import fs from 'node:fs';
import path from 'node:path';
import { CairnError } from '../errors.ts';
import { atomicWrite } from '../files/atomic-write.ts';
import { isObject, parseJsonObject, readText } from '../files/json-file.ts';
import { withLock } from '../files/lock.ts';
import type { SeenFile } from './check-files.ts';

/** Which version of the memory it was (the hash of its file), and what it was about. */
export type Seen = { readonly hash: string; readonly files: readonly SeenFile[] };

const MAX_BYTES = 64 * 1024 * 1024;

/** By ref. A file that is missing, damaged or foreign holds nothing. */
export function readKept(file: string): Map<string, Seen> {
  const kept = new Map<string, Seen>();
  try {
    const text = readText(file, MAX_BYTES);
    const value = text === undefined ? {} : parseJsonObject(text, file);
    if (value.v !== 1 || !isObject(value.memories)) return kept;
    for (const [ref, seen] of Object.entries(value.memories)) if (isSeen(seen)) kept.set(ref, seen);
  } catch (error) {
    if (!(error instanceof CairnError)) throw error;
  }
  return kept;
}

function isSeen(value: unknown): value is Seen {
  return (
    isObject(value) &&
    typeof value.hash === 'string' &&
    Array.isArray(value.files) &&
    value.files.every(
      (file) =>
        isObject(file) &&
        typeof file.path === 'string' &&
        (file.blob === null || typeof file.blob === 'string') &&
        (file.size === null || typeof file.size === 'number'),
    )
  );
}

/** `undefined` takes a memory out. Read again under the lock, so that two runs at once lose nothing of each other. */
export async function saveKept(file: string, changes: ReadonlyMap<string, Seen | undefined>): Promise<void> {
  if (changes.size === 0) return;
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  await withLock(`${file}.lock`, (lock) => {
    const kept = readKept(file);
    for (const [ref, seen] of changes) {
      if (seen) kept.set(ref, seen);
      else kept.delete(ref);
    }
    const memories = Object.fromEntries([...kept].sort(([a], [b]) => (a < b ? -1 : 1)));
    atomicWrite(file, `${JSON.stringify({ v: 1, memories })}\n`, {
      mode: 0o600,
      beforeCommit: () => lock.assertHeld(),
    });
  });
}
