// Retire, archive, unarchive, restore: the record stays where it is, its status and its history change, the index follows.

import type { JsonObject } from '../model/json.ts';
import { type ChangeEntry, type RecordStatus, SUMMARY_MAX, statusOf } from '../model/record.ts';
import { cutCodePoints, stripUnsafe } from '../model/text.ts';
import { timestampOf } from '../model/timestamp.ts';
import { removePrivate } from '../safety/private-tags.ts';
import { redact } from '../safety/secrets/redact.ts';
import {
  criticalSection,
  daysSince,
  type Outcome,
  readExisting,
  type Section,
  stateError,
} from './critical-section.ts';
import { type RecordStore, resolveTarget, type Target } from './record-store.ts';
import { assertUnderLimit } from './retention.ts';
import { forWriting } from './validate.ts';

export type StatusRequest = { target: string; cwd: string; reason?: string };

const STALE_RESTORE_DAYS = 7;

export async function retireRecord(recordStore: RecordStore, request: StatusRequest): Promise<Outcome> {
  const target = resolveTarget(recordStore, request.target, request.cwd);
  const { text: reason, notes } = reasonOf(request.reason);
  return criticalSection(recordStore, (section) => {
    const { record } = readExisting(target, 'DELETE_ERROR', 'Check the path; `cairn list` shows the records.');
    if (statusOf(record) === 'archived') {
      throw stateError(
        'DELETE_ERROR',
        target,
        'archived',
        'Unarchive it first (--action unarchive): an archived record must be active before it is retired.',
      );
    }
    if (statusOf(record) === 'retired') {
      return { result: { status: 'already_retired', target: target.path }, notes, touched: [] };
    }
    const touched = retireInside(recordStore, section, { target, record }, reason);
    return { result: { status: 'retired', target: target.path, reason }, notes, touched };
  });
}

export function retireInside(
  recordStore: RecordStore,
  section: Section,
  old: { target: Target; record: JsonObject },
  reason: string,
): string[] {
  const now = timestampOf(recordStore.now());
  const final = withStatus(old.record, 'retired', { now, summary: `Retired: ${reason}` });
  Object.assign(final, { retired_at: now, retired_reason: reason });
  section.commit(old.target.file, forWriting(old.target.category, final));
  return [old.target.file, ...section.syncIndex({ drop: [old.target.path] })];
}

export async function archiveRecord(recordStore: RecordStore, request: StatusRequest): Promise<Outcome> {
  const target = resolveTarget(recordStore, request.target, request.cwd);
  const { text: reason, notes } = reasonOf(request.reason);
  return criticalSection(recordStore, (section) => {
    const { record } = readExisting(target, 'ARCHIVE_ERROR', 'Check the path; `cairn list` shows the records.');
    if (statusOf(record) === 'archived') {
      return { result: { status: 'already_archived', target: target.path }, notes, touched: [] };
    }
    if (statusOf(record) !== 'active')
      throw stateError('ARCHIVE_ERROR', target, 'retired', 'Only active records can be archived: restore it first.');
    const now = timestampOf(recordStore.now());
    const final = withStatus(record, 'archived', { now, summary: `Archived: ${reason}` });
    Object.assign(final, { archived_at: now, archived_reason: reason });
    section.commit(target.file, forWriting(target.category, final));
    const touched = [target.file, ...section.syncIndex({ drop: [target.path] })];
    return { result: { status: 'archived', target: target.path, reason }, notes, touched };
  });
}

export async function unarchiveRecord(recordStore: RecordStore, request: StatusRequest): Promise<Outcome> {
  const target = resolveTarget(recordStore, request.target, request.cwd);
  return criticalSection(recordStore, (section) => {
    const { record } = readExisting(
      target,
      'UNARCHIVE_ERROR',
      'Check the path; `cairn list --archived` shows the archived records.',
    );
    const status = statusOf(record);
    if (status !== 'archived')
      throw stateError('UNARCHIVE_ERROR', target, status, 'Only archived records can be unarchived.');
    return reactivate(recordStore, section, {
      target,
      record,
      result: 'unarchived',
      summary: 'Unarchived: restored to active',
    });
  });
}

export async function restoreRecord(recordStore: RecordStore, request: StatusRequest): Promise<Outcome> {
  const target = resolveTarget(recordStore, request.target, request.cwd);
  return criticalSection(recordStore, (section) => {
    const { record } = readExisting(
      target,
      'RESTORE_ERROR',
      'It may have been garbage-collected: look in the archive of deleted records, or create it anew.',
    );
    const status = statusOf(record);
    if (status === 'active') {
      return { result: { status: 'already_active', target: target.path }, notes: [], touched: [] };
    }
    if (status === 'archived')
      throw stateError(
        'RESTORE_ERROR',
        target,
        status,
        'Unarchive it instead (--action unarchive): it is archived, not retired.',
      );
    const days = daysSince(recordStore, record.retired_at);
    const grace = recordStore.rules.delete.grace_period_days;
    if (days !== undefined && days > grace) {
      throw stateError(
        'RESTORE_ERROR',
        target,
        `retired ${days} days ago`,
        `The grace period is ${grace} days (delete.grace_period_days). Create a new record from its content instead.`,
      );
    }
    const outcome = reactivate(recordStore, section, {
      target,
      record,
      result: 'restored',
      summary: 'Restored: returned to active from retired',
    });
    if (days !== undefined && days > STALE_RESTORE_DAYS) {
      outcome.notes.push(`WARNING: it was retired ${days} days ago; check that it is still true`);
    }
    return outcome;
  });
}

type Reactivation = { target: Target; record: JsonObject; result: string; summary: string };

function reactivate(
  recordStore: RecordStore,
  section: Section,
  { target, record, result, summary }: Reactivation,
): Outcome {
  assertUnderLimit(recordStore, target.category);
  const final = forWriting(
    target.category,
    withStatus(record, 'active', { now: timestampOf(recordStore.now()), summary }),
  );
  section.commit(target.file, final);
  const touched = [target.file, ...section.syncIndex({ list: { target, record: final } })];
  return { result: { status: result, target: target.path }, notes: [], touched };
}

/** The record in another status, with the change in its history and without the marks of the others. */
function withStatus(
  record: JsonObject,
  status: RecordStatus,
  { now, summary }: { now: string; summary: string },
): JsonObject {
  const { retired_at: _1, retired_reason: _2, archived_at: _3, archived_reason: _4, ...rest } = record;
  const entry: ChangeEntry = {
    date: now,
    summary: cutCodePoints(summary, SUMMARY_MAX),
    field: 'record_status',
    old_value: statusOf(record),
    new_value: status,
  };
  const changes = [...(Array.isArray(record.changes) ? record.changes : []), entry];
  return { ...rest, record_status: status, updated_at: now, changes };
}

function reasonOf(given: string | undefined): { text: string; notes: string[] } {
  const masked = redact(removePrivate(given ?? ''));
  const text = cutCodePoints(stripUnsafe(masked.text).trim(), SUMMARY_MAX - 'Archived: '.length);
  const notes = masked.found.map((each) => `WARNING: a secret was masked in the reason (${each.kind})`);
  return { text: text || 'No reason provided', notes };
}
