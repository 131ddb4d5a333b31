// From scored candidates to the list that is shown: one result for a line, one for what is said twice, the newer of two
// versions first, neighbours of good answers lifted, no conversation taking every place.

import { isSaid, originOf } from '../model/provenance.ts';
import { indexWords } from '../store/index-words.ts';
import type { Document } from '../store/store.ts';
import { shortnessOf } from './exchange-context.ts';
import type { Ranked } from './fuse.ts';
import { type Asking, isUpdate } from './question-words.ts';
import type { Weights } from './weights.ts';

export type Line = {
  readonly best: Ranked;
  /** Refs that this line stands for. */
  readonly folded: string[];
  score: number;
};

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** By score; ties by ref, then project, so that equal stores give equal answers. */
export const byScore = (a: Line, b: Line): number =>
  b.score - a.score ||
  compareText(a.best.document.ref, b.best.document.ref) ||
  compareText(a.best.document.project, b.best.document.project);

export type ArrangeOptions = {
  readonly limit: number;
  /** Lines of one conversation speak for each other. */
  readonly wide: boolean;
  readonly asking: Asking;
  /** The weights of the words that the query asks for. */
  readonly asked: readonly number[];
  /** How alike two documents are in meaning, 0 … 1. */
  readonly meaning: (a: Document, b: Document) => number;
  /** A relation says that one of the second replaces one of the first. */
  readonly isReplacedBy: (older: readonly string[], newer: readonly string[], project: string) => boolean;
};

export function arrange(ranked: readonly Ranked[], options: ArrangeOptions, weights: Weights): Line[] {
  const { limit } = options;
  const lines = groupLines(ranked, options, weights);
  if (options.wide) supportConversations(lines, options.asked, weights);
  lines.sort(byScore);
  const shown = foldAlike(lines, limit, weights);
  newerFirst(shown, options, weights);
  return withWish(varied(shown, limit, weights), ranked, weights);
}

/** The standing wish that is nearest to the query has its place among the first, whatever else is found. */
function withWish(lines: Line[], ranked: readonly Ranked[], { wish }: Weights): Line[] {
  const near = ranked.filter(
    ({ candidate, cosine = 0 }) => candidate.proposals.has('standing') && cosine >= wish.nearness,
  );
  const [best] = near.sort((a, b) => (b.cosine ?? 0) - (a.cosine ?? 0) || compareText(a.document.ref, b.document.ref));
  const last = lines[wish.place - 1];
  if (!best || !last) return lines;
  const at = lines.findIndex((line) => [line.best.document.ref, ...line.folded].includes(best.document.ref));
  if (at >= 0 && at < wish.place) return lines;
  const line = at < 0 ? { best, folded: [], score: best.score } : lines[at]!;
  line.best.details.push({ name: 'standing wish', points: last.score - line.score });
  line.score = last.score;
  const others = lines.filter((each) => each !== line);
  return [...others.slice(0, wish.place - 1), line, ...others.slice(wish.place - 1)].slice(0, lines.length);
}

/** Several statements of one turn are one result: the best of them. What the next one says of it speaks for the turn, to a short query. */
function groupLines(
  ranked: readonly Ranked[],
  { wide, asked }: ArrangeOptions,
  { conversation, short }: Weights,
): Line[] {
  const share = wide ? conversation.share * shortnessOf(asked.length, short) : 0;
  const lines = new Map<string, Ranked[]>();
  for (const each of ranked) {
    const key = each.document.kind === 'span' ? each.document.ref : each.candidate.line;
    const line = lines.get(key);
    if (line) line.push(each);
    else lines.set(key, [each]);
  }
  return [...lines.values()].map((members) => {
    members.sort((a, b) => b.score - a.score || compareText(a.document.ref, b.document.ref));
    const [best, ...rest] = members as [Ranked, ...Ranked[]];
    const line = { best, folded: rest.map((each) => each.document.ref), score: best.score };
    if (rest[0]) lift(line, 'same turn', rest[0].score * share);
    return line;
  });
}

const conversationOf = ({ best: { document } }: Line): string => document.session ?? document.ref;

/** Several good lines of one conversation speak for each other, and one that has all of what is asked for all its lines. */
function supportConversations(lines: readonly Line[], asked: readonly number[], { conversation }: Weights): void {
  const conversations = new Map<string, Conversation>();
  for (const line of [...lines].sort(byScore)) {
    const known = conversations.get(conversationOf(line));
    if (!known)
      conversations.set(conversationOf(line), { best: [line], own: line.best.words.own, scores: [line.score] });
    else {
      known.own |= line.best.words.own;
      if (known.best.length > conversation.lines) continue;
      known.best.push(line);
      known.scores.push(line.score);
    }
  }
  const all = sumOf(asked, -1);
  for (const line of lines) {
    const { best, own, scores } = conversations.get(conversationOf(line))!;
    // The best but itself. Their scores as they were, because lines are lifted one after the other.
    let [others, taken] = [0, 0];
    for (let at = 0; at < best.length && taken < conversation.lines; at++) {
      if (best[at] === line) continue;
      others += scores[at]!;
      taken++;
    }
    lift(line, 'same conversation', others * conversation.share);
    lift(line, 'conversation has', all <= 0 ? 0 : conversation.coverage * (sumOf(asked, own) / all));
  }
}

type Conversation = {
  readonly best: Line[];
  readonly scores: number[];
  /** Which words of the query its lines have together. */
  own: number;
};

/** The weights of these words. */
function sumOf(asked: readonly number[], words: number): number {
  let sum = 0;
  for (let at = 0; at < asked.length; at++) if (words & (1 << at)) sum += asked[at]!;
  return sum;
}

function lift(line: Line, name: string, points: number): void {
  if (points <= 0) return;
  line.score += points;
  line.best.details.push({ name, points });
}

const numberOf = (line: Line): number => line.best.document.source?.line ?? 0;

/** What says the same as something above it is left to it. */
function foldAlike(lines: readonly Line[], limit: number, { fold }: Weights): Line[] {
  const kept: { line: Line; words: ReadonlySet<string> }[] = [];
  for (const line of lines) {
    if (kept.length >= Math.max(fold.look, limit * 2)) break;
    const words = plainWords(line.best.document);
    const twin = kept.find(
      (each) => isAlike(each.line.best.document, line.best.document) && saysSame(each.words, words, fold.similarity),
    );
    if (!twin) kept.push({ line, words });
    else twin.line.folded.push(line.best.document.ref, ...line.folded);
  }
  return kept.map(({ line }) => line);
}

const isAlike = (a: Document, b: Document): boolean =>
  a.layer === b.layer &&
  (a.kind === 'span') === (b.kind === 'span') &&
  a.meta?.role === b.meta?.role &&
  // What a page says does not stand for what somebody decided in the same words.
  isSaid(originOf(a.meta)) === isSaid(originOf(b.meta));

const wordsOf = (document: Document): ReadonlySet<string> => new Set(indexWords(document.text.slice(0, LOOKED_AT)));

/** As they are written: what says the same mostly says it in the same forms, and cutting endings off would take a hook milliseconds. */
function plainWords(document: Document): ReadonlySet<string> {
  const text = document.text.slice(0, LOOKED_AT);
  return ASCII.test(text) ? new Set(text.toLowerCase().match(ASCII_WORD)) : wordsOf(document);
}
const LOOKED_AT = 600;
const ASCII = /^[\0-\x7f]*$/;
const ASCII_WORD = /[a-z0-9]+/g;

/** How much of the shorter one's words the other has. */
export function wordLikeness(a: Document, b: Document): number {
  const [first, second] = [wordsOf(a), wordsOf(b)];
  let common = 0;
  for (const word of first) if (second.has(word)) common++;
  return common / Math.max(1, Math.min(first.size, second.size));
}

/** Are the words that both have this share of all that either has? Most have few: the answer comes after some of the words. */
export function saysSame(a: ReadonlySet<string>, b: ReadonlySet<string>, share: number): boolean {
  const [few, many] = a.size < b.size ? [a, b] : [b, a];
  let common = few.size;
  const isEnough = (): boolean => common / (a.size + b.size - common) >= share;
  if (many.size === 0 || few.size < many.size * 0.5 || !isEnough()) return false;
  for (const word of few) {
    if (many.has(word)) continue;
    common--;
    if (!isEnough()) return false;
  }
  return true;
}

/**
 * Of two statements about what is asked, the newer one is how things stand: it goes above the older one if it has as much of the
 * query's subject and says that something changed, or names another number.
 */
function newerFirst(lines: Line[], options: ArrangeOptions, { current }: Weights): void {
  const top = lines.slice(0, current.look);
  const newestLast = [...top].sort(compareAge);
  for (const newer of newestLast) {
    for (const older of top) {
      if (older.score <= newer.score || compareAge(newer, older) <= 0) continue;
      const known = options.isReplacedBy(refsOf(older), refsOf(newer), newer.best.document.project);
      if (!known && !looksNewer(newer, older, options, current)) continue;
      newer.best.details.push({ name: known ? 'replaces' : 'newer', points: older.score * ABOVE - newer.score });
      newer.score = older.score * ABOVE;
    }
  }
  lines.sort(byScore);
}

/** No relation says so, but who, about what and how much do. */
function looksNewer(
  newer: Line,
  older: Line,
  { asking, asked, meaning }: ArrangeOptions,
  current: Weights['current'],
): boolean {
  const [after, before] = [newer.best.document, older.best.document];
  return (
    (asking.state || asking.latest) &&
    newer.score >= older.score * current.share &&
    isAlike(after, before) &&
    sharedSubject(newer.best, older.best, asked) >= current.subject &&
    replaces(after, before) &&
    meaning(after, before) >= current.meaning
  );
}

/** What is said of a statement holds for its line: the best of a line need not be the one that names the change. */
const refsOf = (line: Line): readonly string[] => [line.best.document.ref, ...line.folded.slice(0, MOST_FOLDED)];

const MOST_FOLDED = 8;
const ABOVE = 1.0001;

/** Positive if `a` was said after `b`. */
const compareAge = (a: Line, b: Line): number =>
  a.best.document.createdAt - b.best.document.createdAt ||
  (a.best.document.session === b.best.document.session ? numberOf(a) - numberOf(b) : 0);

/** How much of what the older one has of the query the newer one has too. */
function sharedSubject(newer: Ranked, older: Ranked, asked: readonly number[]): number {
  const all = sumOf(asked, older.words.own);
  return all === 0 ? 0 : sumOf(asked, older.words.own & newer.words.own) / all;
}

/** With its unit (“40k”), but no part of a name, of a hash or of what is written in hexadecimal. */
const NUMBER = /(?<![\p{L}\d_#])\d+(?:[.,:]\d+)*(?!\d|x|\p{L}{4})/giu;

/** It says that something changed, and names a number that the older one does not. */
function replaces(newer: Document, older: Document): boolean {
  if (!isUpdate(newer.text)) return false;
  const before = new Set(older.text.match(NUMBER) ?? []);
  return before.size > 0 && (newer.text.match(NUMBER) ?? []).some((number) => !before.has(number));
}

/** Each further line of one conversation counts a little less. */
function varied(lines: readonly Line[], limit: number, { variety }: Weights): Line[] {
  const left = lines.slice(0, limit * 4);
  const taken = new Map<string, number>();
  for (const line of left) {
    const session = line.best.document.session ?? line.best.document.ref;
    const before = taken.get(session) ?? 0;
    taken.set(session, before + 1);
    const factor = 1 - Math.min(variety.most, before * variety.step);
    if (factor === 1) continue;
    line.score *= factor;
    line.best.details.push({ name: 'variety', factor });
  }
  return left.sort(byScore).slice(0, limit);
}
