// Creating a record: fixed, forced into its category and file name, validated twice, and never on top of a live one.

import fs from 'node:fs';
import path from 'node:path';
import { CairnError } from '../errors.ts';
import { decodeUtf8, parseJsonObject, readBytes } from '../files/json-file.ts';
import type { Category } from '../model/categories.ts';
import type { JsonObject } from '../model/json.ts';
import { statusOf } from '../model/record.ts';
import { parseTimestamp, show } from '../model/schema.ts';
import { timestampOf } from '../model/timestamp.ts';
import { autoFix } from './auto-fix.ts';
import { retireInside } from './change-status.ts';
import { criticalSection, type Outcome } from './critical-section.ts';
import { deleteKeepingCopy } from './deleted-copies.ts';
import { type RecordStore, resolveTarget, type Target } from './record-store.ts';
import { assertUnderLimit, retireOldSessions } from './retention.ts';
import { assertValid, forWriting } from './validate.ts';

export type CreateRequest = { category: string; target: string; cwd: string; record: JsonObject };

const ANTI_RESURRECTION_MS = 24 * 3_600_000;

export async function createRecord(recordStore: RecordStore, request: CreateRequest): Promise<Outcome> {
  const category = recordStore.kinds.byName(request.category);
  if (!category) throw unknownCategory(recordStore, request.category);
  assertEnabled(recordStore, category.name);
  const now = timestampOf(recordStore.now());
  const { record, notes } = autoFix(request.record, { now, creating: true });
  for (const field of ['retired_at', 'retired_reason', 'archived_at', 'archived_reason']) delete record[field];
  if (record.category !== undefined && record.category !== category.name) {
    notes.push(`[AUTO-FIX] category: ${show(record.category)} is ${show(category.name)}, as --category says`);
  }
  Object.assign(record, { record_status: 'active', category: category.name });
  if (record.id === undefined || record.id === '') record.id = 'pending'; // the file name decides below; a symbol-only id is no reason to refuse
  assertValid(category, record, { anyNumberOfChanges: true });
  const target = resolveTarget(recordStore, request.target, request.cwd);
  if (target.category.name !== category.name) throw wrongFolder(target, category.folder);
  record.id = target.slug;
  const final = forWriting(category, record);
  assertValid(category, final);
  recordStore.found?.();
  fs.mkdirSync(recordStore.root, { recursive: true });
  return criticalSection(recordStore, (section) => {
    const replaced = assertMayCreate(recordStore, target);
    assertUnderLimit(recordStore, category); // what is replaced was not active, so there will be one more
    if (replaced) notes.push(...deleteKeepingCopy(recordStore, target.file, replaced));
    fs.mkdirSync(path.dirname(target.file), { recursive: true });
    section.commit(target.file, final);
    const touched = [target.file, ...section.syncIndex({ list: { target, record: final } })];
    const window = retireOldSessions(recordStore, target, (old) =>
      retireInside(recordStore, section, old, 'Left the rolling window of sessions'),
    );
    notes.push(...window.notes);
    return {
      result: { status: 'created', target: target.path, id: final.id, title: final.title },
      notes,
      touched: [...touched, ...window.touched],
    };
  });
}

/** Throws if a live record is in the way. Returns the bytes that will be replaced, if there are any. */
function assertMayCreate(recordStore: RecordStore, target: Target): Uint8Array | undefined {
  const bytes = readBytes(target.file);
  if (!bytes) return undefined;
  let existing: JsonObject;
  try {
    existing = parseJsonObject(decodeUtf8(bytes, target.path), target.path);
  } catch {
    return bytes; // what cannot be read is no record; a copy of it is kept
  }
  const status = statusOf(existing);
  if (status !== 'retired') {
    throw new CairnError('CREATE_ERROR', `There is already an ${status} record of this name.`, {
      details: [['target', target.path]],
      fix:
        status === 'active'
          ? 'Use --action update, or choose another file name.'
          : 'Unarchive and update it, or choose another file name.',
    });
  }
  const retiredAt = parseTimestamp(existing.retired_at);
  if (retiredAt !== undefined && recordStore.now().getTime() - retiredAt < ANTI_RESURRECTION_MS) {
    throw new CairnError('ANTI_RESURRECTION_ERROR', 'This record was retired less than 24 hours ago.', {
      details: [
        ['target', target.path],
        ['retired_at', String(existing.retired_at)],
      ],
      fix: 'Restore it with --action restore, choose another file name, or wait until 24 hours have passed.',
    });
  }
  return bytes;
}

function assertEnabled(recordStore: RecordStore, category: string): void {
  if (recordStore.rules.categories[category]?.enabled !== false) return;
  throw new CairnError('CATEGORY_ERROR', `The category ${category} is switched off.`, {
    fix: `Switch it on with: cairn config set categories.${category}.enabled true`,
  });
}

export function wrongFolder(target: Target, wanted: string): CairnError {
  return new CairnError(
    'PATH_ERROR',
    `The target lies in the folder ${target.category.folder} of ${target.category.name}, not of ${wanted}.`,
    {
      details: [['target', target.path]],
      fix: 'Give the category that belongs to the folder, or the folder that belongs to the category.',
    },
  );
}

/** By its name as people write it: `tech-debt` is `tech_debt`. */
export function categoryNamed(recordStore: RecordStore, name: string): Category {
  const category = recordStore.kinds.byName(name.trim().toLowerCase().replaceAll('-', '_'));
  if (!category) throw unknownCategory(recordStore, name);
  return category;
}

function unknownCategory(recordStore: RecordStore, named: string): CairnError {
  return new CairnError('CATEGORY_ERROR', `There is no category ${JSON.stringify(named)}.`, {
    fix: `Choose one of ${recordStore.kinds.names.join(', ')}, or declare it in the configuration (categories.<name>).`,
  });
}
