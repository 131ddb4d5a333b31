// The state of a memory on one page: counts, what changes too often, what was retired lately, what is out of step.

import fs from 'node:fs';
import { stripUnsafe } from '../model/text.ts';
import { daysSince } from './critical-section.ts';
import { assertRoot, compareIndex, type InvalidRecord, invalidRecords, type Sync } from './index-upkeep.ts';
import type { RecordStore } from './record-store.ts';
import { type ScanProblem, scanRecords } from './scan.ts';
import { type StrayFolder, strayFolders, strayText } from './stray-folders.ts';

const HEAVILY_UPDATED_ABOVE = 5;
const RECENT_DAYS = 7;

export type CategoryCount = {
  display: string;
  name: string;
  enabled: boolean;
  active: number;
  retired: number;
  archived: number;
};

export type Health = {
  categories: CategoryCount[];
  totals: { active: number; retired: number; archived: number; bytes: number };
  heavilyUpdated: { path: string; title: string; times: number }[];
  recentlyRetired: { path: string; title: string; days: number; reason: string }[];
  sync: Sync;
  unreadable: ScanProblem[];
  invalid: InvalidRecord[];
  /** Folders with records that belong to no category. */
  stray: StrayFolder[];
  /** One line for each reason why the memory needs attention; empty = good. */
  issues: string[];
};

export function healthOf(recordStore: RecordStore): Health {
  assertRoot(recordStore);
  const { records, problems } = scanRecords(recordStore);
  const active = records.filter((each) => each.status === 'active');
  const heavilyUpdated = active.flatMap((each) => {
    const times = each.record.times_updated;
    return typeof times === 'number' && times > HEAVILY_UPDATED_ABOVE
      ? [{ path: each.path, title: each.title, times }]
      : [];
  });
  const recentlyRetired = records.flatMap((each) => {
    const days = each.status === 'retired' ? daysSince(recordStore, each.record.retired_at) : undefined;
    const reason = typeof each.record.retired_reason === 'string' ? stripUnsafe(each.record.retired_reason) : '';
    return days !== undefined && days <= RECENT_DAYS ? [{ path: each.path, title: each.title, days, reason }] : [];
  });
  const categories = recordStore.kinds.categories.map((category) => {
    const own = records.filter((each) => each.category.name === category.name);
    const count = (status: string): number => own.filter((each) => each.status === status).length;
    return {
      display: category.display,
      name: category.name,
      enabled: recordStore.rules.categories[category.name]?.enabled !== false,
      active: count('active'),
      retired: count('retired'),
      archived: count('archived'),
    };
  });
  const sum = (status: 'active' | 'retired' | 'archived'): number =>
    categories.reduce((total, each) => total + each[status], 0);
  const bytes = records.reduce(
    (total, each) => total + (fs.statSync(each.file, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
  const sync = compareIndex(recordStore, active);
  const invalid = invalidRecords(records);
  const stray = strayFolders(recordStore);
  const found = { categories, heavilyUpdated, recentlyRetired, sync, unreadable: problems, invalid, stray };
  return {
    ...found,
    totals: { active: sum('active'), retired: sum('retired'), archived: sum('archived'), bytes },
    issues: issuesOf(found),
  };
}

function issuesOf({
  heavilyUpdated,
  sync,
  unreadable,
  invalid,
  stray,
}: Pick<Health, 'heavilyUpdated' | 'sync' | 'unreadable' | 'invalid' | 'stray'>): string[] {
  const issues: string[] = [];
  if (!sync.indexFound) issues.push('index.md is missing or cannot be read; run: cairn index --rebuild');
  if (sync.missing.length > 0)
    issues.push(`${sync.missing.length} records are not in index.md; run: cairn index --rebuild`);
  if (sync.stale.length > 0)
    issues.push(`${sync.stale.length} entries of index.md have no active record; run: cairn index --rebuild`);
  if (heavilyUpdated.length > 0) issues.push(`${heavilyUpdated.length} records change often; consider splitting them`);
  if (unreadable.length > 0)
    issues.push(`${unreadable.length} files cannot be read as they are; repair or remove them`);
  if (invalid.length > 0) issues.push(`${invalid.length} records are not valid; repair them with an editor`);
  issues.push(...stray.map(strayText));
  return issues;
}
