// Search for people, over the record files themselves: 3 for a tag, 2 for a word of the title, 1 for a word of the
// content, 1 more for what changed in the last 30 days. Works without an index and without a database; in a large memory the words of
// all records are read from one file (search-texts.ts), with the same answer.

import type { Category } from '../model/categories.ts';
import { compareText } from './index-line.ts';
import type { RecordStore } from './record-store.ts';
import { readRecord, recordFile, recordFiles, type ScannedRecord, type ScanProblem } from './scan.ts';
import { type FolderTexts, type SearchText, searchTexts, textOfLine, textOfRecord } from './search-texts.ts';

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
  const problems: ScanProblem[] = [];
  const search = { words, since: recordStore.now().getTime() - RECENT_MS, all: options.includeRetired === true };
  const limit = options.limit ?? 10;
  const folders = foldersFor(recordStore, problems)
    .filter(({ category: { name } }) => options.category === undefined || name === options.category)
    .filter(({ category: { name } }) => recordStore.rules.categories[name]?.enabled !== false);
  const { scored, isWhole } = scoresIn(folders, search, limit);
  const hits = bestOf(recordStore, scored, search, limit);
  if (hits.length === limit || isWhole) return { hits, problems };
  // Some are gone since: those that could not be among the best take their place.
  const all = scoresIn(folders, search, Number.POSITIVE_INFINITY).scored;
  return { hits: bestOf(recordStore, all, search, limit), problems };
}

type Search = { readonly words: readonly string[]; readonly since: number; readonly all: boolean };
/** `said` is a line as it is kept, or a record that was read. */
type Scored = { readonly category: Category; readonly said: string | SearchText; readonly score: number };

/** As they are kept, or as the files are. */
function foldersFor(recordStore: RecordStore, problems: ScanProblem[]): FolderTexts[] {
  return (
    searchTexts(recordStore, problems) ??
    recordStore.kinds.categories.map((category) => {
      const texts = recordFiles(recordStore, category, problems).flatMap((found) => {
        const scanned = readRecord(found, problems);
        return scanned ? textOfRecord(found, scanned) : [];
      });
      return { category, lines: [], texts };
    })
  );
}

/**
 * Scores those with the most of the words first. A common word is in thousands, and those that have nothing else cannot be better than
 * what each word is worth: where enough are, they are not taken apart. `isWhole`: all of them were.
 */
function scoresIn(
  folders: readonly FolderTexts[],
  search: Search,
  limit: number,
): { scored: Scored[]; isWhole: boolean } {
  const byCount = search.words.map((): Omit<Scored, 'score'>[] => []);
  for (const { category, lines, texts } of folders) {
    for (const said of lines) {
      let count = 0;
      for (const word of search.words) if (said.includes(word)) count++;
      byCount[count - 1]?.push({ category, said });
    }
    for (const said of texts) byCount.at(-1)?.push({ category, said });
  }
  const scored: Scored[] = [];
  for (let count = search.words.length; count > 0; count--) {
    for (const each of byCount[count - 1] ?? []) {
      const score = scoreOf(textOf(each.said), search);
      if (score > 0) scored.push({ ...each, score });
    }
    const most = (count - 1) * TAG + RECENT;
    if (scored.filter(({ score }) => score > most).length >= limit)
      return { scored, isWhole: byCount.slice(0, count - 1).every((rest) => rest.length === 0) };
  }
  return { scored, isWhole: true };
}

const textOf = (said: string | SearchText): SearchText => (typeof said === 'string' ? textOfLine(said) : said);

/** The records of the best are read, and only those; one that is gone since makes room for the next. */
function bestOf(recordStore: RecordStore, scored: readonly Scored[], search: Search, limit: number): SearchHit[] {
  const hits: SearchHit[] = [];
  for (const score of [...new Set(scored.map((each) => each.score))].sort((a, b) => b - a)) {
    // A common word is in thousands, of which only the best have to be put in order.
    const equal = scored
      .filter((each) => each.score === score)
      .map(({ category, said }) => ({ category, text: textOf(said) }));
    const pathOf = ({ category, text }: (typeof equal)[number]): string => `${category.folder}/${text.name}`;
    equal.sort((a, b) => a.category.priority - b.category.priority || compareText(pathOf(a), pathOf(b)));
    for (const { category, text } of equal) {
      if (hits.length === limit) return hits;
      const scanned = readRecord(recordFile(recordStore, category, text.name), []);
      if (scanned) hits.push({ scanned, score, why: reasonsOf(text, search) });
    }
  }
  return hits;
}

const pointsOf = ({ title, tags, content }: SearchText, word: string): number =>
  isWordOf(tags, word) ? TAG : hasWord(title, word) ? TITLE : hasWord(content, word) ? CONTENT : 0;

const isRecent = ({ updated }: SearchText, { since }: Search): boolean => updated !== undefined && updated >= since;

function scoreOf(text: SearchText, search: Search): number {
  if (text.status !== 'active' && !search.all) return 0;
  let score = 0;
  for (const word of search.words) score += pointsOf(text, word);
  return score > 0 && isRecent(text, search) ? score + RECENT : score;
}

function reasonsOf(text: SearchText, search: Search): string[] {
  const why = search.words.flatMap((word) => {
    const points = pointsOf(text, word);
    return points === 0
      ? []
      : [`${points === TAG ? 'tag' : points === TITLE ? 'title' : 'content'} "${word}" +${points}`];
  });
  return isRecent(text, search) ? [...why, `changed in the last 30 days +${RECENT}`] : why;
}

/** Any script, any length: `ci`, `k8s` and 認証 are words too. */
const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** A word counts where it begins one ("migrat" finds "migration"), and in scripts without spaces where it stands inside one. */
function hasWord(text: string, word: string): boolean {
  if (!text.includes(word)) return false;
  if (/[^\x00-\x7f]/.test(word)) return true;
  return word.length < 4 ? isWordOf(text, word) : standsIn(text, word, () => true);
}

const isWordOf = (text: string, word: string): boolean => standsIn(text, word, (end) => !isLetterAt(text, end));

/** Whether the text has the word behind something that is none, and with a right end. */
function standsIn(text: string, word: string, isEnd: (at: number) => boolean): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1))
    if (!isLetterBefore(text, at) && isEnd(at + word.length)) return true;
  return false;
}

const LETTER = /[\p{L}\p{N}]/u;

function isLetterAt(text: string, at: number): boolean {
  return at < text.length && isLetter(String.fromCodePoint(text.codePointAt(at) ?? 0));
}

function isLetterBefore(text: string, at: number): boolean {
  if (at === 0) return false;
  const isPair = at > 1 && isLow(text.charCodeAt(at - 1)) && isHigh(text.charCodeAt(at - 2));
  return isLetter(text.slice(isPair ? at - 2 : at - 1, at));
}

const isLow = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;
const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;

function isLetter(character: string): boolean {
  const code = character.charCodeAt(0);
  if (code < 0x80) return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90);
  return LETTER.test(character);
}
