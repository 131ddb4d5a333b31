// Search for people, over the record files themselves: 3 for a tag, 2 for a word of the title, 1 for a word of the
// content, 1 more for what changed in the last 30 days. Works without an index and without a database.

import { parseTimestamp } from '../model/schema.ts';
import { compareText } from './index-line.ts';
import type { RecordStore } from './record-store.ts';
import { type ScannedRecord, type ScanProblem, scanRecords } from './scan.ts';

const TAG = 3;
const TITLE = 2;
const CONTENT = 1;
const RECENT = 1;
const RECENT_MS = 30 * 86_400_000;

export type SearchHit = {
  scanned: ScannedRecord;
  score: number;
  /** What made the score, in words. */
  why: string[];
};

/** `problems`: files that could not be searched. */
export type SearchAnswer = { hits: SearchHit[]; problems: ScanProblem[] };

export type SearchOptions = { includeRetired?: boolean; category?: string; limit?: number };

export function searchRecords(recordStore: RecordStore, query: string, options: SearchOptions = {}): SearchAnswer {
  const words = [...new Set(wordsOf(query))];
  if (words.length === 0) return { hits: [], problems: [] };
  const { records, problems } = scanRecords(recordStore, { activeOnly: !options.includeRetired });
  const hits = records
    .filter((each) => options.category === undefined || each.category.name === options.category)
    .filter((each) => recordStore.rules.categories[each.category.name]?.enabled !== false)
    .flatMap((scanned) => scoreRecord(recordStore, scanned, words) ?? [])
    .sort(
      (a, b) =>
        b.score - a.score ||
        a.scanned.category.priority - b.scanned.category.priority ||
        compareText(a.scanned.path, b.scanned.path),
    )
    .slice(0, options.limit ?? 10);
  return { hits, problems };
}

function scoreRecord(
  recordStore: RecordStore,
  scanned: ScannedRecord,
  words: readonly string[],
): SearchHit | undefined {
  const title = new Set(wordsOf(scanned.title));
  const tags = new Set(scanned.tags.flatMap((tag) => [tag.toLowerCase(), ...wordsOf(tag)]));
  const content = new Set(wordsOf(JSON.stringify(scanned.record.content ?? '')));
  const why: string[] = [];
  let score = 0;
  for (const word of words) {
    const points = tags.has(word) ? TAG : hasWord(title, word) ? TITLE : hasWord(content, word) ? CONTENT : 0;
    if (points === 0) continue;
    score += points;
    why.push(`${points === TAG ? 'tag' : points === TITLE ? 'title' : 'content'} "${word}" +${points}`);
  }
  if (score === 0) return undefined;
  const updated = parseTimestamp(scanned.record.updated_at);
  if (updated !== undefined && recordStore.now().getTime() - updated <= RECENT_MS) {
    score += RECENT;
    why.push(`changed in the last 30 days +${RECENT}`);
  }
  return { scanned, score, why };
}

/** Any script, any length: `ci`, `k8s` and 認証 are words too. */
const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** A word counts where it begins one ("migrat" finds "migration"), and in scripts without spaces where it stands inside one. */
function hasWord(words: ReadonlySet<string>, word: string): boolean {
  if (words.has(word)) return true;
  const inside = /[^\x00-\x7f]/.test(word);
  if (!inside && word.length < 4) return false;
  return [...words].some((each) => (inside ? each.includes(word) : each.startsWith(word)));
}
