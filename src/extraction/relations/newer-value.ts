// The same thing with another amount or date: what a user says of their own affairs, said to be new or counted in the same words.

import { commonWords, onceEach, type Statement } from './statement.ts';
import { hasValue, type Value, valuesOf } from './values.ts';
import { bringsUpToDate, movesInTime } from './wording.ts';

/** What a user says about their own affairs that may change: it is remembered longer than other statements. */
export const mayChange = (statement: Statement): boolean => statement.role === 'user' && isOwnAffair(statement);
/** First person, and no piece of a plan or of code. */
const OWN = /^(?!.{0,70}[`*|→]).*?\b(?:i|i'm|i've|i'd|my|we|we're|we've|our|ich|mein\w*|unser\w*|mon|nuestr\w+|mi)\b/is;
const MAX_TOLD = 700;

export const tellsNews = (statement: Statement): boolean =>
  mayChange(statement) && isSaidToBeNew(statement) && knownValuesOf(statement).some(({ isNews }) => isNews);

const knownValuesOf = onceEach(valuesOf);
const isSaidToMove = onceEach(movesInTime);
const isSaidToBeNew = onceEach(bringsUpToDate);
const isOwnAffair = onceEach(
  (text) => text.length <= MAX_TOLD && (hasValue(text) || /\bnever\b/i.test(text)) && OWN.test(text),
);

/** How surely the later one has a newer value of the same thing, by the share of the words around both values; 0 if it has none. */
export function newerValue(statement: Statement, other: Statement): number {
  if (!mayChange(statement) || !mayChange(other)) return 0;
  const isMoved = isSaidToMove(statement);
  const [news, olds] = [knownValuesOf(statement), knownValuesOf(other)];
  // Who names many has a sum to do.
  if (news.length > MOST_NEW) return 0;
  const [before] = news.filter(({ isBefore }) => isBefore);
  let surest = 0;
  for (const next of news) {
    if (olds.some(({ text }) => text === next.text)) continue;
    for (const old of olds) {
      if (next.kind !== old.kind || next.text === old.text) continue;
      if (before ? before.kind === next.kind && before.text !== old.text : news.some(({ text }) => text === old.text))
        continue;
      const common = commonWords(next.words, old.words);
      const share = common / Math.max(1, Math.min(next.words.size, old.words.size));
      if (isOfSameThing(next, old, { common, share, isMoved })) surest = Math.max(surest, share);
    }
  }
  return surest;
}

type Likeness = { readonly common: number; readonly share: number; readonly isMoved: boolean };

function isOfSameThing(next: Value, old: Value, { common, share, isMoved }: Likeness): boolean {
  if (common < 2) return false;
  if (next.kind === 'date' || next.kind === 'time')
    return next.isNews && isMoved && share >= ALIKE && haveCommon(next, old, isAppointed);
  if (next.kind !== 'number') return next.isNews && share >= VERY_ALIKE;
  if (next.unit !== undefined && next.unit === old.unit && next.isNews) return share >= ALIKE;
  const isNamed = old.unit !== undefined && next.words.has(old.unit);
  if (next.isNow && isNamed && share >= SOMEWHAT_ALIKE) return true;
  const isCounted = old.unit !== undefined && (next.unit === old.unit || isNamed);
  return isCounted && (next.isNews || next.isOwn) && common >= 3 && share >= VERY_ALIKE;
}

const MOST_NEW = 3;
const SOMEWHAT_ALIKE = 0.2;
const ALIKE = 1 / 3;
const VERY_ALIKE = 0.5;

/** A day is new only for what has one day: many things happen, each on its own. */
const isAppointed = (word: string): boolean =>
  /^(?:deadline|meet|meeting|call|appointment|session|interview|schedule|due|exam|submission|submit|launch|release|review|delivery|demo|presentation|workshop|trip|flight|party|wedding|start|move|visit)$/.test(
    word,
  );

function haveCommon(one: Value, other: Value, fits: (word: string) => boolean): boolean {
  for (const word of one.words) if (other.words.has(word) && fits(word)) return true;
  return false;
}
