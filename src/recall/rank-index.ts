// The first pass of `title_tags`: all lines of index.md that score, best first. It runs before every prompt, cold, over
// thousands of lines, so it goes from hit to hit instead of from line to line, and takes a line apart only when it is
// wanted. What comes out is the same as from parsing and scoring every line; a test holds the two together.

import { type IndexEntry, MAX_LINE, parseIndexLine } from '../records/index-line.ts';
import { type Scorer, scorerFor, wordsOf } from '../records/score.ts';

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

/**
 * `categories` by display name. Equal scores come in the order of their categories' priority, then as they stand in
 * the index.
 */
export function* rankIndex(
  text: string,
  words: ReadonlySet<string>,
  categories: ReadonlyMap<string, CategoryRank>,
): Generator<RankedEntry> {
  const folded = text.toLowerCase();
  const lineAt = lineFinder(text, folded);
  const points = textPoints(folded, words, lineAt);
  addDescribed(points, folded, categories);
  const byFolded = new Map([...categories].map(([display, category]) => [display.toLowerCase(), category]));
  const groups = new Map<number, { score: number; priority: number; starts: number[] }>();
  for (const [start, own] of points) {
    const category = byFolded.get(displayAt(folded, start)) ?? UNKNOWN;
    const score = own + category.points;
    if (score === 0 || !category.enabled) continue;
    const key = score * 100 - category.priority;
    const group = groups.get(key);
    if (group) group.starts.push(start);
    else groups.set(key, { score, priority: category.priority, starts: [start] });
  }
  for (const key of [...groups.keys()].sort((a, b) => b - a)) {
    const { score, priority, starts } = groups.get(key)!;
    for (const start of starts.sort((a, b) => a - b)) {
      const entry = parseIndexLine(lineAt(start));
      if (entry) yield { entry, score, priority };
    }
  }
}

/** The points that lines have for their titles and tags, by where they start. Lines that are no entries may be among them. */
function textPoints(
  folded: string,
  words: ReadonlySet<string>,
  lineAt: (start: number) => string,
): Map<number, number> {
  const points = new Map<number, number>();
  const scoreOf = rememberScores(scorerFor(words));
  const next = hitFinder(folded, words);
  let hit = next(0);
  while (hit) {
    const line = layoutAt(folded, hit.index);
    if (line.unusual) {
      const entry = parseIndexLine(lineAt(line.start));
      if (entry) points.set(line.start, scoreOf(wordsOf(entry.title.toLowerCase()), entry.tags.map(fold)));
      hit = next(line.end);
      continue;
    }
    // The name of the category and the path do not count, though each path has `memory` in it.
    if (hit.index < line.title) hit = next(line.title);
    const title: string[] = [];
    for (; hit && hit.index < line.arrow; hit = next()) title.push(hit[0]);
    if (hit && hit.index < line.tags) hit = next(line.tags);
    const tags: string[] = [];
    for (; hit && hit.index < line.end; hit = next()) {
      const tag = tagAt(folded, line, hit.index);
      if (tag !== undefined) tags.push(tag);
    }
    if (title.length > 0 || tags.length > 0) points.set(line.start, scoreOf(title, tags));
  }
  return points;
}

const fold = (text: string): string => text.toLowerCase();

/** Of what a line has, few words are wanted, so many lines are alike. */
function rememberScores(scoreOf: Scorer): Scorer {
  const scores = new Map<string, number>();
  return (title, tags) => {
    const key = `${title.join(' ')},${tags.join(',')}`;
    let score = scores.get(key);
    if (score === undefined) {
      score = scoreOf(title, tags);
      scores.set(key, score);
    }
    return score;
  };
}

/** The tag that begins here; `undefined` in the middle of one. */
function tagAt(folded: string, { tags, end }: Layout, place: number): string | undefined {
  const before = folded.slice(tags, place).trimEnd();
  if (!before.endsWith(',') && before !== TAGS_MARKER) return undefined;
  const comma = folded.indexOf(',', place);
  return folded.slice(place, comma < 0 || comma > end ? end : comma).trimEnd();
}

/** The next word of the text that a wanted word begins, or is. Goes on from the last one, or from `from`. */
function hitFinder(folded: string, words: ReadonlySet<string>): (from?: number) => RegExpExecArray | null {
  const wanted = words.size > MAX_SOUGHT_WORDS ? '[a-z0-9]{3}' : [...words].join('|');
  const pattern = new RegExp(`(?<![a-z0-9])(?:${wanted})[a-z0-9]*`, 'g');
  return (from) => {
    if (from !== undefined) pattern.lastIndex = from;
    return pattern.exec(folded);
  };
}

type Layout = {
  start: number;
  end: number;
  title: number;
  arrow: number;
  /** Where the tags begin; the end of the line if it has none. */
  tags: number;
  /** Only the parser can tell the parts of this one. */
  unusual: boolean;
};

/** The parts of the line around a place, if it is an entry. What has no arrow at all is a line without parts. */
function layoutAt(folded: string, place: number): Layout {
  const start = folded.lastIndexOf('\n', place) + 1;
  const end = endOfLine(folded, place);
  const line = folded.slice(start, end);
  const arrow = line.indexOf('->');
  if (arrow < 0) return { start, end, title: end, arrow: end, tags: end, unusual: false };
  const tags = line.indexOf(TAGS_MARKER, arrow);
  const unusual = line.length > MAX_LINE || line.includes('->', arrow + 2) || (tags >= 0 && line[tags - 1] !== ' ');
  return {
    start,
    end,
    title: start + line.indexOf(']') + 1,
    arrow: start + arrow,
    tags: tags < 0 ? end : start + tags,
    unusual,
  };
}

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

function displayAt(folded: string, start: number): string {
  const opening = folded.indexOf('[', start) + 1;
  return folded.slice(opening, folded.indexOf(']', opening));
}

/** The line as it was written, by where it starts in lower case. */
function lineFinder(text: string, folded: string): (start: number) => string {
  if (folded.length === text.length) return (start) => text.slice(start, endOfLine(text, start));
  // One letter grows in lower case (U+0130) and moves all places behind it: lines have to be counted.
  return (start) => text.split('\n')[folded.slice(0, start).split('\n').length - 1]!;
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}
