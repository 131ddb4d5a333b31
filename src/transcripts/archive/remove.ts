// Takes one transcript out of the archive for good: all generations, tails and what killed writers left of it. The entry goes last:
// a kill in between leaves one that names what is still to be removed.

import fs from 'node:fs';
import path from 'node:path';
import { constants, gunzipSync } from 'node:zlib';
import { isSystemError } from '../../errors.ts';
import { filesBelow } from '../../files/folder-stats.ts';
import {
  type ArchiveEntry,
  DATA_SUFFIX,
  type EntryPlace,
  entryFile,
  filesOf,
  TAIL_SUFFIX,
  underLock,
} from './entry.ts';

export async function removeEntry(place: EntryPlace): Promise<void> {
  if (filesOfStem(place).length === 0) return;
  await underLock(place, (lock) => {
    lock.assertHeld();
    const entry = entryFile(place);
    const files = filesOfStem(place);
    for (const file of [...files.filter((each) => each !== entry), ...files.filter((each) => each === entry)])
      fs.rmSync(file, { force: true });
  });
  removeEmpty(place.folder);
}

/**
 * Lines in the archive that no entry counts: a writer that was killed between its entry and the removal of the old file leaves them. Those
 * that `isGone` says so of are removed; the others may yet be somebody's.
 */
export function removeUnlisted(
  root: string,
  entries: readonly ArchiveEntry[],
  isGone: (lines: string[]) => boolean,
): void {
  const listed = new Set(entries.flatMap(filesOf));
  for (const { file } of filesBelow(path.join(root, 'transcripts'))) {
    if (listed.has(file) || !(file.endsWith(DATA_SUFFIX) || file.endsWith(TAIL_SUFFIX))) continue;
    if (isGone(linesOf(file))) fs.rmSync(file, { force: true });
  }
}

/** As far as they can be unpacked: what a killed writer left ends anywhere. */
function linesOf(file: string): string[] {
  const bytes = fs.readFileSync(file);
  if (!file.endsWith(DATA_SUFFIX)) return bytes.toString('utf8').split('\n');
  return gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }).toString('utf8').split('\n');
}

/** What is named after the transcript, whatever it is; of locks their owner takes care. */
function filesOfStem({ folder, stem }: EntryPlace): string[] {
  try {
    return fs
      .readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && (entry.name.startsWith(`${stem}.`) || entry.name.startsWith(`.${stem}.`)))
      .map((entry) => path.join(folder, entry.name));
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  }
}

function removeEmpty(folder: string): void {
  try {
    fs.rmdirSync(folder);
  } catch (error) {
    if (!isSystemError(error)) throw error; // something else is in it
  }
}
