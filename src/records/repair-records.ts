// What the writers of a memory root may have left half done when they died with its lock: a record without its line in index.md, a
// record that was to take a new file name, temporary files. Whoever takes the lock next puts it right before his own work begins.

import fs from 'node:fs';
import path from 'node:path';
import { CairnError, isSystemError } from '../errors.ts';
import { atomicRename, removeStaleTemporaries } from '../files/atomic-write.ts';
import { type Lock, type LostOwner, type Repair, removeLockRemains } from '../files/lock.ts';
import { NODES_FOLDER, NOTE_KINDS } from '../model/notes.ts';
import { readIndex, renderIndex, salvageIndex, writeIndex } from './index-file.ts';
import { indexFile, lockDir, type RecordStore } from './record-store.ts';
import { entryOf, isListed, type ScannedRecord, type ScanProblem, scanRecords } from './scan.ts';
import { slugOf } from './slug.ts';

/** Between the last write of an update and its rename nothing waits; clocks of file systems are coarse. */
const RENAME_WITHIN_MS = 10_000;

/** For everybody who takes the lock of a memory root. What cannot be repaired now (a full disk) stays owed, and blocks nobody. */
export function repairRecords(recordStore: RecordStore): Repair {
  return (lock, lost) => {
    try {
      finishRenames(recordStore, lock, lost);
      const before = readableIndex(indexFile(recordStore));
      const { text } = rebuiltIndex(recordStore);
      // An empty memory needs no index.
      if (before !== undefined || text !== renderIndex([]))
        writeIndex(indexFile(recordStore), text, before, () => lock.assertHeld());
      return true;
    } catch (error) {
      const isLost = error instanceof CairnError && error.code === 'LOCK_ERROR';
      if (isLost || !(error instanceof CairnError || isSystemError(error))) throw error;
      return false;
    }
  };
}

/**
 * An update writes the new content into the old file, which then takes its new name. Killed in between, the record names an id that
 * is not its file's. A file that a person named otherwise is left alone: it was not written in the last moment of a lost owner.
 */
function finishRenames(recordStore: RecordStore, lock: Lock, lost: readonly LostOwner[]): void {
  for (const { file, slug, record } of scanRecords(recordStore).records) {
    const { id, title } = record;
    if (typeof id !== 'string' || id === slug || typeof title !== 'string' || id !== slugOf(title)) continue;
    const target = path.join(path.dirname(file), `${id}.json`);
    const stat = fs.lstatSync(file, { throwIfNoEntry: false });
    const isTheirs = stat?.isFile() && lost.some(({ at }) => Math.abs(stat.mtimeMs - at) <= RENAME_WITHIN_MS);
    if (!isTheirs || fs.lstatSync(target, { throwIfNoEntry: false })) continue;
    lock.assertHeld();
    atomicRename(file, target);
  }
}

/** What is in the file now; unreadable is as good as missing, because a rebuild replaces either. */
export function readableIndex(file: string): string | undefined {
  try {
    return readIndex(file);
  } catch (error) {
    if (error instanceof CairnError) return undefined;
    throw error;
  }
}

/** The text that index.md must have, from the files and what people wrote in it. Also clears what killed writers left behind. */
export function rebuiltIndex(recordStore: RecordStore): { text: string; problems: ScanProblem[] } {
  for (const folder of writtenFolders(recordStore)) removeStaleTemporaries(path.join(recordStore.root, folder));
  removeLockRemains(lockDir(recordStore));
  const { records, problems } = scanRecords(recordStore, { activeOnly: true });
  const upper = { before: salvageIndex(indexFile(recordStore)), drawn: recordStore.drawSections?.() };
  return {
    text: renderIndex(
      records
        .filter((record) => isListed(recordStore, record))
        .map((record: ScannedRecord) => entryOf(recordStore, record)),
      upper,
    ),
    problems,
  };
}

const writtenFolders = (recordStore: RecordStore): string[] => [
  '.',
  ...recordStore.kinds.categories.map(({ folder }) => folder),
  ...NOTE_KINDS.map(({ folder }) => path.join(NODES_FOLDER, folder)),
];
