// What all record actions share: the critical section. Under the lock the record is committed first, because it is the
// truth; then index.md is brought in step. What a dead writer left half done is repaired first (repair-records.ts).

import fs from 'node:fs';
import { CairnError, type ErrorCode, messageOf } from '../errors.ts';
import { atomicWrite } from '../files/atomic-write.ts';
import { decodeUtf8, parseJsonObject, readBytes } from '../files/json-file.ts';
import { type Lock, withLock } from '../files/lock.ts';
import type { JsonObject } from '../model/json.ts';
import { parseTimestamp } from '../model/schema.ts';
import { editIndex, readIndex, writeIndex } from './index-file.ts';
import { indexFile, lockDir, type RecordStore, type Target } from './record-store.ts';
import { rebuiltIndex, repairRecords } from './repair-records.ts';
import { entryOf, isListed } from './scan.ts';
import { renderRecord } from './validate.ts';

/** What a write answers, what it noticed on the way, and which files it changed. */
export type Outcome = { result: JsonObject; notes: string[]; touched: string[] };

export type IndexStep = { list?: { target: Target; record: JsonObject }; drop?: readonly string[] };

export type Section = {
  /** Writes a record's file. */
  commit(file: string, record: JsonObject): void;
  /** Deletes a record's file for good. */
  remove(file: string): void;
  /** Brings index.md in step; returns it if it changed. */
  syncIndex(step: IndexStep): string[];
};

export async function criticalSection<T>(recordStore: RecordStore, work: (section: Section) => T): Promise<T> {
  if (!fs.existsSync(recordStore.root)) return work(NOWHERE);
  const inside = (lock: Lock): T => {
    let index = currentIndex(recordStore);
    let committed = false;
    const bring = (text: string): string[] => {
      try {
        const changed = writeIndex(indexFile(recordStore), text, index.text, () => lock.assertHeld());
        index = { text, trusted: true };
        return changed ? [indexFile(recordStore)] : [];
      } catch (error) {
        throw committed ? outOfStep(error) : error;
      }
    };
    return work({
      commit: (file, record) => {
        atomicWrite(file, renderRecord(record), { beforeCommit: () => lock.assertHeld() });
        committed = true;
      },
      remove: (file) => {
        lock.assertHeld();
        fs.unlinkSync(file);
        committed = true;
      },
      // Made anew it is edited too: what could not be read just now would be missing, and this record was there a moment ago.
      syncIndex: (step) => {
        const before = index.trusted ? (index.text ?? '') : rebuiltIndex(recordStore).text;
        return bring(editIndex(before, step.drop ?? [], listed(recordStore, step)));
      },
    });
  };
  return withLock(lockDir(recordStore), inside, { repair: repairRecords(recordStore) });
}

/** The record is there, so doing it again is no remedy, and nobody else would notice. */
function outOfStep(cause: unknown): CairnError {
  return new CairnError('INDEX_ERROR', `The record is written, but index.md is not: ${messageOf(cause)}`, {
    cause,
    fix: 'Put right what is in the way, then run `cairn index --rebuild`.',
  });
}

/** Where there is no memory, work finds no record and says so. It must not leave an empty memory behind; only creating makes one. */
const NOWHERE: Section = { commit: nothingThere, remove: nothingThere, syncIndex: nothingThere };

function nothingThere(): never {
  throw new CairnError('INDEX_ERROR', 'There is no memory to write to.');
}

/** Looked at before anything is written: an index that cannot be replaced must fail the write, not follow it. */
function currentIndex(recordStore: RecordStore): { text: string | undefined; trusted: boolean } {
  const file = indexFile(recordStore);
  const stat = fs.lstatSync(file, { throwIfNoEntry: false });
  if (stat && !stat.isFile() && !stat.isSymbolicLink()) {
    throw new CairnError('INDEX_ERROR', `${file} is not a file.`, { fix: 'Move it away; Cairn makes a new index.' });
  }
  try {
    const text = readIndex(file);
    return { text, trusted: text !== undefined };
  } catch (error) {
    if (error instanceof CairnError) return { text: undefined, trusted: false }; // derived: what cannot be read is made anew
    throw error;
  }
}

function listed(recordStore: RecordStore, { list }: IndexStep) {
  if (!list) return undefined;
  const { target, record } = list;
  const tags = Array.isArray(record.tags) ? (record.tags as string[]) : [];
  if (!isListed(recordStore, { category: target.category, tags })) return undefined;
  return entryOf(recordStore, {
    record,
    category: target.category,
    title: String(record.title),
    path: target.path,
    tags,
  });
}

export function readExisting(target: Target, code: ErrorCode, fix: string): { record: JsonObject; bytes: Uint8Array } {
  const bytes = readBytes(target.file);
  if (!bytes) throw new CairnError(code, 'There is no such record.', { details: [['target', target.path]], fix });
  return { bytes, record: parseJsonObject(decodeUtf8(bytes, target.path), target.path) };
}

export function daysSince(recordStore: RecordStore, timestamp: unknown): number | undefined {
  const at = parseTimestamp(timestamp);
  return at === undefined ? undefined : Math.floor((recordStore.now().getTime() - at) / DAY_MS);
}

const DAY_MS = 24 * 3_600_000;

export function stateError(code: ErrorCode, target: Target, status: string, fix: string): CairnError {
  return new CairnError(code, `The record is ${status}.`, { details: [['target', target.path]], fix });
}
