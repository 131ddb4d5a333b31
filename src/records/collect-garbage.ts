// Garbage collection: what was retired longer ago than the grace period is deleted, after a last copy was kept;
// what is older than its category keeps it is retired, so that it passes through the same grace.

import { CairnError, messageOf } from '../errors.ts';
import { readBytes } from '../files/json-file.ts';
import { retireInside } from './change-status.ts';
import { criticalSection, daysSince, type Section } from './critical-section.ts';
import { copyNote, keepCopy } from './deleted-copies.ts';
import { assertRoot } from './index-upkeep.ts';
import { type RecordStore, resolveTarget } from './record-store.ts';
import { expiredRecords } from './retention.ts';
import { type ScannedRecord, type ScanProblem, scanRecords } from './scan.ts';

export type Garbage = {
  graceDays: number;
  deleted: { path: string; days: number }[];
  retired: { path: string; days: number }[];
  skipped: { path: string; why: string }[];
  errors: { path: string; why: string }[];
  notes: string[];
  problems: ScanProblem[];
  touched: string[];
};

export function collectGarbage(recordStore: RecordStore): Promise<Garbage> {
  assertRoot(recordStore);
  const graceDays = recordStore.rules.delete.grace_period_days;
  return criticalSection(recordStore, (section) => {
    const { records, problems } = scanRecords(recordStore);
    const garbage: Garbage = {
      graceDays,
      deleted: [],
      retired: [],
      skipped: [],
      errors: [],
      notes: [],
      problems,
      touched: [],
    };
    for (const scanned of records) {
      if (scanned.status === 'retired') collectOne(recordStore, section, scanned, garbage);
    }
    for (const { scanned, days } of expiredRecords(recordStore, records)) {
      const target = resolveTarget(recordStore, scanned.file, recordStore.root);
      const reason = `Older than ${recordStore.rules.categories[scanned.category.name]?.retention_days} days (retention_days)`;
      garbage.touched.push(...retireInside(recordStore, section, { target, record: scanned.record }, reason));
      garbage.retired.push({ path: scanned.path, days });
    }
    return garbage;
  });
}

function collectOne(recordStore: RecordStore, section: Section, scanned: ScannedRecord, garbage: Garbage): void {
  const days = daysSince(recordStore, scanned.record.retired_at);
  if (days === undefined) {
    garbage.skipped.push({
      path: scanned.path,
      why: `its retired_at is ${scanned.record.retired_at === undefined ? 'missing' : 'not a time'}`,
    });
    return;
  }
  if (days < garbage.graceDays) return;
  try {
    const bytes = readBytes(scanned.file);
    const copy = bytes && keepCopy(recordStore, scanned.file, bytes); // without its copy it stays: there is no hurry
    section.remove(scanned.file);
    if (copy) garbage.notes.push(copyNote(copy));
    garbage.deleted.push({ path: scanned.path, days });
    garbage.touched.push(scanned.file);
  } catch (error) {
    if (error instanceof CairnError && error.code === 'LOCK_ERROR') throw error; // the memory is somebody else's now
    garbage.errors.push({ path: scanned.path, why: messageOf(error) });
  }
}
