// How much is kept: the limit of a category, the rolling window of sessions, and the age after which a record retires.

import { CairnError } from '../errors.ts';
import type { Category } from '../model/categories.ts';
import { isObject, type JsonObject } from '../model/json.ts';
import { isOwnSummary } from '../model/own-summary.ts';
import { parseTimestamp } from '../model/schema.ts';
import { compareText } from './index-line.ts';
import { type RecordStore, resolveTarget, type Target } from './record-store.ts';
import { type ScannedRecord, scanRecords } from './scan.ts';
import { tokenise } from './score.ts';

/** Throws if the category is full. Sessions have their own window and are never refused. */
export function assertUnderLimit(recordStore: RecordStore, category: Category): void {
  const limit = recordStore.rules.max_memories_per_category;
  if (limit <= 0 || recordStore.rules.categories[category.name]?.max_retained) return;
  const active = scanRecords(recordStore, { activeOnly: true, category }).records;
  if (active.length < limit) return;
  const oldest = oldestFirst(active, 'updated_at')
    .slice(0, 3)
    .map((each) => each.path);
  throw new CairnError(
    'LIMIT_ERROR',
    `The category ${category.name} holds ${active.length} active records, the most that is allowed.`,
    {
      details: [['least recently updated', oldest.join(', ')]],
      fix: `Update a record that fits, retire or archive one, or raise max_memories_per_category (now ${limit}; 0 = no limit).`,
    },
  );
}

export type Retire = (old: { target: Target; record: JsonObject }) => string[];

/** After a new session summary: the oldest active ones beyond `max_retained` retire, never the new one. What only they say is named. */
export function retireOldSessions(
  recordStore: RecordStore,
  made: Target,
  retire: Retire,
): { notes: string[]; touched: string[] } {
  const { category } = made;
  const keep = recordStore.rules.categories[category.name]?.max_retained ?? 0;
  if (keep <= 0) return { notes: [], touched: [] };
  const byAge = oldestFirst(scanRecords(recordStore, { activeOnly: true, category }).records, 'created_at');
  // What somebody wrote stays longer than what was written by itself.
  const isOwn = ({ tags }: ScannedRecord): boolean => isOwnSummary(category.name, tags);
  const sessions = [...byAge.filter(isOwn), ...byAge.filter((each) => !isOwn(each))];
  const leaving = sessions.filter((each) => each.file !== made.file).slice(0, Math.max(0, sessions.length - keep));
  if (leaving.length === 0) return { notes: [], touched: [] };
  const gone = new Set(leaving.map((each) => each.file));
  const others = scanRecords(recordStore, { activeOnly: true }).records.filter((each) => !gone.has(each.file));
  const notes: string[] = [];
  const touched: string[] = [];
  for (const session of leaving) {
    notes.push(
      `Retired the oldest session ${session.path}: ${keep} sessions are kept (categories.${category.name}.max_retained)`,
    );
    const only = uniqueLines(session, others);
    if (only.length > 0)
      notes.push(
        `WARNING: only this session says: ${only
          .slice(0, 5)
          .map((line) => JSON.stringify(line))
          .join(', ')}`,
      );
    touched.push(
      ...retire({ target: resolveTarget(recordStore, session.file, recordStore.root), record: session.record }),
    );
  }
  return { notes, touched };
}

/** By time, then by path: equal stores retire the same one. */
function oldestFirst(records: readonly ScannedRecord[], field: 'created_at' | 'updated_at'): ScannedRecord[] {
  const time = (each: ScannedRecord): number => parseTimestamp(each.record[field]) ?? 0;
  return [...records].sort((a, b) => time(a) - time(b) || compareText(a.path, b.path));
}

const KNOWN_SHARE = 0.6;

/** The lines of a session of which no other record has most words. Informational: retiring goes on all the same. */
function uniqueLines(session: ScannedRecord, others: readonly ScannedRecord[]): string[] {
  const content = isObject(session.record.content) ? session.record.content : {};
  const lines = ['completed', 'in_progress', 'blockers', 'next_actions', 'key_changes'].flatMap((field) => {
    const value = content[field];
    return Array.isArray(value) ? value.filter((line): line is string => typeof line === 'string') : [];
  });
  const texts = others.map((each) => tokenise(JSON.stringify([each.title, each.tags, each.record.content])));
  return lines.filter((line) => {
    const words = tokenise(line);
    if (words.size === 0) return false;
    return !texts.some((known) => [...words].filter((word) => known.has(word)).length / words.size >= KNOWN_SHARE);
  });
}

/** Active records that are older than their category keeps them (`retention_days`, 0 = for ever). */
export function expiredRecords(
  recordStore: RecordStore,
  records: readonly ScannedRecord[],
): { scanned: ScannedRecord; days: number }[] {
  const now = recordStore.now().getTime();
  return records.flatMap((scanned) => {
    const keepDays = recordStore.rules.categories[scanned.category.name]?.retention_days ?? 0;
    const updated = parseTimestamp(scanned.record.updated_at);
    if (scanned.status !== 'active' || keepDays <= 0 || updated === undefined) return [];
    const days = Math.floor((now - updated) / 86_400_000);
    return days > keepDays ? [{ scanned, days }] : [];
  });
}
