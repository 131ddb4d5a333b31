// Updating a record: the hash first, then the merge rules, then the file, which follows its title when that changed a lot.

import fs from 'node:fs';
import path from 'node:path';
import { CairnError, messageOf } from '../errors.ts';
import { atomicRename, atomicWrite } from '../files/atomic-write.ts';
import { recordMd5 } from '../model/hash.ts';
import type { JsonObject } from '../model/json.ts';
import { statusOf } from '../model/record.ts';
import { timestampOf } from '../model/timestamp.ts';
import { autoFix, safeText } from './auto-fix.ts';
import { wrongFolder } from './create-record.ts';
import { criticalSection, type Outcome, readExisting, stateError } from './critical-section.ts';
import { mergeUpdate } from './merge.ts';
import { type RecordStore, resolveTarget, type Target } from './record-store.ts';
import { slugOf, wordDifference } from './slug.ts';
import { assertValid, forWriting } from './validate.ts';

export type UpdateRequest = { category?: string; target: string; cwd: string; record: JsonObject; hash?: string };

const RENAME_ABOVE = 0.5;

export async function updateRecord(recordStore: RecordStore, request: UpdateRequest): Promise<Outcome> {
  const target = resolveTarget(recordStore, request.target, request.cwd);
  const { category } = target;
  if (request.category !== undefined && request.category !== category.name) throw wrongFolder(target, request.category);
  const now = timestampOf(recordStore.now());
  const { record: input, notes } = autoFix(request.record, { now, creating: false });
  if (request.hash === undefined)
    notes.push('WARNING: no --hash given: a change that another session made meanwhile would not be noticed');
  return criticalSection(recordStore, (section) => {
    const before = readExisting(target, 'UPDATE_ERROR', 'Use --action create instead.');
    assertHash(target, before.bytes, request.hash);
    assertActive(before.record, target);
    const after = preserve(before.record, input);
    assertValid(category, after, { anyNumberOfChanges: true });
    const merged = mergeUpdate(safeText(before.record).record, after, {
      category,
      now,
      fileExists: (file) => relatedFileExists(recordStore, file),
    });
    notes.push(...merged.warnings);
    const renamed = renameFor(recordStore, target, before.record, merged.record, notes);
    const timesUpdated = (typeof before.record.times_updated === 'number' ? before.record.times_updated : 0) + 1;
    const final = forWriting(category, {
      ...merged.record,
      id: (renamed ?? target).slug,
      updated_at: now,
      times_updated: timesUpdated,
    });
    assertValid(category, final);
    // The new content goes into the old file, which then takes its new name: at no moment are there two records, or none.
    section.commit(target.file, final);
    if (renamed) rename(target, renamed, before.bytes);
    const at = renamed ?? target;
    const touched = [
      target.file,
      ...(renamed ? [renamed.file] : []),
      ...section.syncIndex({ list: { target: at, record: final }, drop: [target.path] }),
    ];
    const result: JsonObject = {
      status: 'updated',
      target: at.path,
      id: final.id,
      title: final.title,
      times_updated: timesUpdated,
    };
    if (renamed) {
      result.renamed_from = target.path;
      notes.push(
        `NOTE: the file follows its title: it was ${target.path}. Links to [[${target.slug}]] have to be changed; cairn graph --check names them`,
      );
    }
    return { result, notes, touched };
  });
}

/** The fields that an update cannot bring: they stay as they are in the file. */
function preserve(before: JsonObject, input: JsonObject): JsonObject {
  const after: JsonObject = { ...input, record_status: statusOf(before) };
  for (const field of ['created_at', 'schema_version', 'category', 'id'] as const) {
    if (before[field] !== undefined) after[field] = before[field];
  }
  for (const field of ['retired_at', 'retired_reason', 'archived_at', 'archived_reason']) delete after[field];
  return after;
}

function renameFor(
  recordStore: RecordStore,
  target: Target,
  before: JsonObject,
  after: JsonObject,
  notes: string[],
): Target | undefined {
  const [was, is] = [String(before.title ?? ''), String(after.title)];
  if (wordDifference(was, is) <= RENAME_ABOVE) return undefined;
  const slug = slugOf(is);
  if (slug === '' || slug === target.slug) return undefined;
  const file = path.join(path.dirname(target.file), `${slug}.json`);
  if (fs.existsSync(file)) {
    notes.push(`WARNING: the file keeps its name: ${slug}.json exists already`);
    return undefined;
  }
  return resolveTarget(recordStore, file, recordStore.root);
}

/** A file that cannot take its new name gets its old content back: half an update would be a record whose id is not its name. */
function rename(from: Target, to: Target, before: Uint8Array): void {
  try {
    atomicRename(from.file, to.file);
  } catch (error) {
    undo(from.file, before);
    throw new CairnError('UPDATE_ERROR', `The file cannot be renamed to ${to.path}: ${messageOf(error)}`, {
      cause: error,
      details: [['target', from.path]],
      fix: 'Nothing was changed. Put right what is in the way, then update it again.',
    });
  }
}

/** What cannot be undone, on a disk that may no longer be written to, is put right by the next update. */
function undo(file: string, before: Uint8Array): void {
  try {
    atomicWrite(file, before);
  } catch (error) {
    throw new CairnError('UPDATE_ERROR', `The record is written, but its file kept its name: ${messageOf(error)}`, {
      cause: error,
      fix: 'Put right what is in the way, run `cairn index --rebuild`, then update it again.',
    });
  }
}

function assertHash(target: Target, bytes: Uint8Array, expected: string | undefined): void {
  const current = recordMd5(bytes);
  if (expected === undefined || expected === current) return;
  throw new CairnError('OCC_CONFLICT', 'The record was changed by somebody else since it was read.', {
    details: [
      ['target', target.path],
      ['expected_hash', expected],
      ['current_hash', current],
    ],
    fix: 'Read the file again, merge your change into it, and update with its current hash.',
  });
}

function assertActive(record: JsonObject, target: Target): void {
  const status = statusOf(record);
  if (status === 'active') return;
  throw stateError(
    'UPDATE_ERROR',
    target,
    status,
    status === 'retired' ? 'Use --action restore first.' : 'Use --action unarchive first.',
  );
}

function relatedFileExists(recordStore: RecordStore, file: string): boolean {
  return !file.includes('\0') && fs.existsSync(path.resolve(recordStore.projectRoot, file));
}
