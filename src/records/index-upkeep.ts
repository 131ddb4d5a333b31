// Keeping index.md honest: rebuild it from the files, compare the two, search it. `--health` and `--gc` have files of their own.

import fs from 'node:fs';
import { CairnError } from '../errors.ts';
import { type Lock, type LockOptions, withLock } from '../files/lock.ts';
import { entriesOf, readIndex, redrawIndex, renderIndex, writeIndex } from './index-file.ts';
import { compareText } from './index-line.ts';
import type { DrawnSections } from './index-sections.ts';
import { indexFile, lockDir, type RecordStore } from './record-store.ts';
import { readableIndex, rebuiltIndex, repairRecords } from './repair-records.ts';
import { isListed, type ScannedRecord, type ScanProblem, scanRecords } from './scan.ts';
import { strayFolders, strayText } from './stray-folders.ts';
import { recordProblems } from './validate.ts';

export type Rebuilt = { entries: number; problems: ScanProblem[] };

export function assertRoot(recordStore: RecordStore): void {
  if (fs.statSync(recordStore.root, { throwIfNoEntry: false })?.isDirectory()) return;
  throw new CairnError('INDEX_ERROR', `The memory root ${recordStore.root} is not a directory.`, {
    fix: 'Check --root. A memory root is made by the first `cairn save` or `cairn write`.',
  });
}

export async function rebuildIndex(
  recordStore: RecordStore,
  options: { keepMissingIfEmpty?: boolean } = {},
): Promise<Rebuilt> {
  assertRoot(recordStore);
  recordStore.found?.();
  const work = (lock: Lock): Rebuilt => {
    const { text, problems } = rebuiltIndex(recordStore);
    const entries = entriesOf(text).length;
    const file = indexFile(recordStore);
    if (entries > 0 || !options.keepMissingIfEmpty)
      writeIndex(file, text, readableIndex(file), () => lock.assertHeld());
    return { entries, problems: [...problems, ...strays(recordStore)] };
  };
  return withLock(lockDir(recordStore), work, { repair: repairRecords(recordStore) });
}

/**
 * Draws the upper part of index.md anew and leaves its entries as they are: records keep those up to date themselves.
 * Returns whether the file changed.
 */
export function refreshIndex(
  recordStore: RecordStore,
  drawn: DrawnSections,
  options: LockOptions = {},
): Promise<boolean> {
  assertRoot(recordStore);
  const work = (lock: Lock): boolean => {
    const file = indexFile(recordStore);
    const before = readableIndex(file);
    const text =
      before === undefined
        ? rebuiltIndex({ ...recordStore, drawSections: () => drawn }).text
        : redrawIndex(before, drawn);
    if (before === undefined && text === renderIndex([])) return false; // an empty memory needs no index
    return writeIndex(file, text, before, () => lock.assertHeld());
  };
  return withLock(lockDir(recordStore), work, { ...options, repair: repairRecords(recordStore) });
}

export type Sync = {
  /** index.md is there and can be read. */
  indexFound: boolean;
  /** Active records that index.md does not name. */
  missing: string[];
  /** Paths in index.md without an active record. */
  stale: string[];
};

export function compareIndex(recordStore: RecordStore, active: readonly ScannedRecord[]): Sync {
  const text = readableIndex(indexFile(recordStore));
  const listed = new Set(entriesOf(text ?? '').map((entry) => entry.path));
  const there = new Set(active.filter((each) => isListed(recordStore, each)).map((each) => each.path));
  return {
    indexFound: text !== undefined,
    missing: [...there].filter((each) => !listed.has(each)).sort(compareText),
    stale: [...listed].filter((each) => !there.has(each)).sort(compareText),
  };
}

export type InvalidRecord = { path: string; problems: string[] };
export type Validation = Sync & { entries: number; problems: ScanProblem[]; invalid: InvalidRecord[] };

/** Compares, and also looks at every record: people edit them by hand, and what that broke must be told, not deleted. */
export function validateIndex(recordStore: RecordStore): Validation {
  assertRoot(recordStore);
  const { records, problems } = scanRecords(recordStore);
  const active = records.filter((each) => each.status === 'active');
  return {
    ...compareIndex(recordStore, active),
    entries: active.filter((each) => isListed(recordStore, each)).length,
    problems: [...problems, ...strays(recordStore)],
    invalid: invalidRecords(records),
  };
}

const strays = (recordStore: RecordStore): ScanProblem[] =>
  strayFolders(recordStore).map((each) => ({ path: each.path, message: strayText(each) }));

export function invalidRecords(records: readonly ScannedRecord[]): InvalidRecord[] {
  return records.flatMap((each) => {
    const problems = recordProblems(each.category, each.record).map(
      ({ field, expected, got }) => `${field}: expected ${expected}, got ${got}`,
    );
    if (each.record.id !== undefined && each.record.id !== each.slug)
      problems.push(`id: expected "${each.slug}", the file's name`);
    return problems.length > 0 ? [{ path: each.path, problems }] : [];
  });
}

/** The entries of index.md that hold this text, in any case; not the linked lines above them. */
export function queryIndex(recordStore: RecordStore, keyword: string): string[] {
  assertRoot(recordStore);
  const text = readIndex(indexFile(recordStore));
  if (text === undefined) {
    throw new CairnError('INDEX_ERROR', 'index.md does not exist.', { fix: 'Make it with: cairn index --rebuild' });
  }
  const wanted = keyword.toLowerCase();
  return text.split('\n').filter((line) => /^- \[[A-Z]/.test(line) && line.toLowerCase().includes(wanted));
}
