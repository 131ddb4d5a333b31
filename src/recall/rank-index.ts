// The first pass of `title_tags`: the entries of index.md that score, best first. What comes out is the same as from
// parsing and scoring every line, and a test holds the two together; but it runs before every prompt, in a process that
// has just started, over thousands of lines. So it goes from hit to hit, and takes a line apart only when it is wanted.

import { type IndexEntry, MAX_LINE, parseIndexLine } from '../records/index-line.ts';
import { scorerFor, TAG_POINTS, TITLE_POINTS, wordsOf } from '../records/score.ts';

export type CategoryRank = {
  readonly enabled: boolean;
  /** Lower comes first among equal scores. */
  readonly priority: number;
  /** What every line of the category gets, because the prompt speaks of what the category is for. */
  readonly points: number;
};

export type RankedEntry = { readonly entry: IndexEntry; readonly score: number; readonly priority: number };

const UNKNOWN: CategoryRank = { enabled: true, priority: 10, points: 0 };
const TAGS_MARKER = '#tags:';
/** Past it, one expression for all words would cost more than it saves: then every word of the index is a hit. */
const MAX_SOUGHT_WORDS = 60;
/** More words without a place of their own would raise the ceiling above all scores. */
const MAX_COMMON_WORDS = 2;
/** Characters. A word that is there about as often as there are lines finds nothing in particular. */
const SAMPLE = 30_000;
const USUAL_LINE = 150;

/**
 * `categories` by display name. Equal scores come in the order of their categories' priority, then as they stand in
 * the index. Whoever asks for the first few only pays for little more than those.
 */
export function* rankIndex(
  text: string,
  words: ReadonlySet<string>,
  categories: ReadonlyMap<string, CategoryRank>,
  often = SAMPLE / USUAL_LINE,
): Generator<RankedEntry> {
  const index: Index = { folded: text.toLowerCase(), text };
  const scoreOf = lineScorer(index, words);
  const rare = rareWords(index.folded, words, often);
  let ceiling = Infinity;
  if (rare.size > 0 && rare.size < words.size) {
    // A line without any of the rare words scores no more than this; so those above it can be had without the others.
    const described = Math.max(0, ...[...categories.values()].map((each) => each.points));
    ceiling = (words.size - rare.size) * (TITLE_POINTS + TAG_POINTS) + described;
    yield* bestOf(index, linesWith(rare, index, scoreOf), categories, (score) => score > ceiling);
  }
  const points = linesWith(words, index, scoreOf);
  addDescribed(points, index.folded, categories);
  yield* bestOf(index, points, categories, (score) => score <= ceiling);
}

/** Lines are known by where they start in lower case. */
type Index = { readonly folded: string; readonly text: string };

/** The words that are not on most lines of a sample; all of them where leaving some out would not pay. */
function rareWords(folded: string, words: ReadonlySet<string>, often: number): ReadonlySet<string> {
  if (words.size > MAX_SOUGHT_WORDS) return words;
  const middle = Math.max(0, (folded.length - SAMPLE) / 2);
  const sample = folded.slice(middle, middle + SAMPLE);
  const rare = new Set([...words].filter((word) => sample.split(word).length <= often));
  return words.size - rare.size > MAX_COMMON_WORDS ? words : rare;
}

function* bestOf(
  index: Index,
  points: ReadonlyMap<number, number>,
  categories: ReadonlyMap<string, CategoryRank>,
  isWanted: (score: number) => boolean,
): Generator<RankedEntry> {
  const categoryOf = categoryFinder(index.folded, categories);
  const groups = new Map<number, { score: number; priority: number; starts: number[] }>();
  for (const [start, own] of points) {
    const category = categoryOf(start);
    const score = own + category.points;
    if (score === 0 || !category.enabled || !isWanted(score)) continue;
    const key = score * 100 - category.priority;
    const group = groups.get(key);
    if (group) group.starts.push(start);
    else groups.set(key, { score, priority: category.priority, starts: [start] });
  }
  for (const key of [...groups.keys()].sort((a, b) => b - a)) {
    const { score, priority, starts } = groups.get(key)!;
    for (const start of starts.sort((a, b) => a - b)) {
      const entry = parseIndexLine(lineAt(index, start));
      if (entry) yield { entry, score, priority };
    }
  }
}

type LineScorer = (start: number, end: number) => number;

/** The points of all lines that have one of the words. Lines that are no entries may be among them. */
function linesWith(words: ReadonlySet<string>, { folded }: Index, scoreOf: LineScorer): Map<number, number> {
  const points = new Map<number, number>();
  const hits = new RegExp(BEGINS_WORD + anyOf(words), 'g');
  while (hits.test(folded)) {
    const start = folded.lastIndexOf('\n', hits.lastIndex - 1) + 1;
    const end = endOfLine(folded, hits.lastIndex);
    const score = scoreOf(start, end);
    if (score > 0) points.set(start, score);
    hits.lastIndex = end;
  }
  return points;
}

/** A word scores where it begins a word of a title, or is one; and where it begins a tag, or is one. */
const BEGINS_WORD = '(?<![a-z0-9])';
const BEGINS_TAG = '(?<=^|,)\\s*';

function anyOf(words: ReadonlySet<string>): string {
  return words.size > MAX_SOUGHT_WORDS ? '[a-z0-9]{3}' : `(?:${[...words].join('|')})`;
}

/** Few words of a line count, so many lines are alike, and their score is remembered. */
function lineScorer(index: Index, words: ReadonlySet<string>): LineScorer {
  const scoreOf = scorerFor(words);
  const inTitle = new RegExp(`${BEGINS_WORD}${anyOf(words)}[a-z0-9]*`, 'g');
  const inTags = new RegExp(`${BEGINS_TAG}${anyOf(words)}[^,]*`, 'g');
  const known = new Map<string, number>();
  return (start, end) => {
    const line = index.folded.slice(start, end);
    const arrow = line.indexOf('->');
    if (arrow < 0) return 0;
    const marker = line.indexOf(TAGS_MARKER, arrow);
    if (line.includes('->', arrow + 2) || line.length > MAX_LINE || (marker >= 0 && line[marker - 1] !== ' ')) {
      const entry = parseIndexLine(lineAt(index, start)); // only the parser can tell the parts of this one
      return entry ? scoreOf(wordsOf(entry.title.toLowerCase()), entry.tags.map(fold)) : 0;
    }
    // The name of the category and the path do not count, though each path has `memory` in it.
    const title = line.slice(line.indexOf(']') + 1, arrow).match(inTitle) ?? [];
    const tags = marker < 0 ? [] : (line.slice(marker + TAGS_MARKER.length).match(inTags) ?? []);
    const key = `${title}|${tags}`;
    let score = known.get(key);
    if (score === undefined) {
      score = scoreOf(title, tags.map(trim));
      known.set(key, score);
    }
    return score;
  };
}

const fold = (text: string): string => text.toLowerCase();
const trim = (text: string): string => text.trim();

/** Adds the lines that only their category speaks for. */
function addDescribed(
  points: Map<number, number>,
  folded: string,
  categories: ReadonlyMap<string, CategoryRank>,
): void {
  for (const [display, category] of categories) {
    if (category.points === 0 || !category.enabled) continue;
    const name = `[${display.toLowerCase()}]`;
    for (let at = folded.indexOf(name); at >= 0; at = folded.indexOf(name, at + name.length)) {
      const start = folded.lastIndexOf('\n', at) + 1;
      if (!points.has(start) && folded.indexOf('[', start) === at) points.set(start, 0);
    }
  }
}

/** The category of the line that starts at a place. Neighbours mostly have the same, so the last answer is tried first. */
function categoryFinder(
  folded: string,
  categories: ReadonlyMap<string, CategoryRank>,
): (start: number) => CategoryRank {
  const byFolded = new Map([...categories].map(([display, category]) => [display.toLowerCase(), category]));
  let last = '\n';
  let category = UNKNOWN;
  return (start) => {
    if (folded.startsWith(last, start)) return category;
    const opening = folded.indexOf('[', start) + 1;
    const closing = folded.indexOf(']', opening);
    if (closing < start) return UNKNOWN; // no line from here on is an entry
    last = folded.slice(start, closing + 1);
    category = byFolded.get(folded.slice(opening, closing)) ?? UNKNOWN;
    return category;
  };
}

/** The line as it was written. */
function lineAt({ text, folded }: Index, start: number): string {
  if (folded.length === text.length) return text.slice(start, endOfLine(text, start));
  // One letter grows in lower case (U+0130) and moves all places behind it: lines have to be counted.
  return text.split('\n')[folded.slice(0, start).split('\n').length - 1]!;
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}
