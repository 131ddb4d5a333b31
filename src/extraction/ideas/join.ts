// Puts statements together that say more together: sentences of a paragraph with the same label, fragments with their neighbour, what is kept
// for search alone in pieces of some length. Only what stands side by side is joined, so that every idea stays one piece of its turn.

import type { Judged } from '../labels/judge-speech.ts';
import { isWide } from '../statements/characters.ts';
import { LONGEST } from '../statements/sentences.ts';
import { topicWords } from '../topic-words.ts';

/** Shorter statements join their neighbour. A character of Chinese or Japanese says about as much as three letters. */
const SHORTEST = 20;
const WIDE_SHARE = 2;
/** A paragraph of this length is read at a glance: what has one label in it stays together. */
const GLANCE = 300;
/** What is kept for search is kept in pieces of about this length. */
const CHUNK = 350;
/** Where a turn has nothing else. */
const MOST_SLIGHT = 3;
const SHORTEST_SLIGHT = 40;
const FEWEST_TELLING = 4;

export type Joined = Judged & { readonly start: number; readonly end: number };

/** What becomes ideas of a turn, in order; what is slight goes only with a neighbour. */
export function join(text: string, judged: readonly Judged[]): Joined[] {
  const joined: Joined[] = [];
  for (const next of judged) {
    const before = joined.at(-1);
    const range = { start: next.statement.start, end: next.statement.end };
    if (before && belong(text, before, next)) joined[joined.length - 1] = merged(before, next);
    else joined.push({ ...next, ...range });
  }
  const kept = joined.filter((each) => !each.slight);
  // A turn of nothing but code, output or a few words is found by its beginning.
  return kept.length > 0 ? kept : joined.filter((each) => isEnough(text, each)).slice(0, MOST_SLIGHT);
}

/** What a user pasted alone, or words that name something. */
function isEnough(text: string, { start, end, statement }: Joined): boolean {
  if (statement.kind === 'code') return statement.provenance === 'pasted';
  return end - start >= SHORTEST_SLIGHT && new Set(topicWords(text.slice(start, end))).size >= FEWEST_TELLING;
}

function belong(text: string, before: Joined, next: Judged): boolean {
  const [one, other] = [before.statement, next.statement];
  if (one.provenance !== other.provenance || (one.prefix !== other.prefix && one.start !== 0)) return false;
  if (one.group !== other.group || one.kind === 'code' || other.kind === 'code') return false;
  const length = other.end - before.start;
  const sameBlock = one.block === other.block;
  if (before.searchOnly && next.searchOnly) return length <= CHUNK && !one.leads && !other.leads;
  if (before.searchOnly !== next.searchOnly) return false;
  const sameLabel = before.intent === next.intent;
  if (sameBlock && sameLabel && length <= GLANCE) return true;
  return sameBlock && length <= LONGEST && (isFragment(text, other) || isFragment(text, before));
}

function merged(before: Joined, next: Judged): Joined {
  const { start, statement } = before;
  const surer = next.confidence * widthOf(next) > before.confidence * (before.end - before.start) ? next : before;
  return {
    ...surer,
    statement,
    start,
    end: next.statement.end,
    worth: Math.max(before.worth, next.worth),
    slight: before.slight && next.slight,
  };
}

const widthOf = ({ statement }: Judged): number => statement.end - statement.start;

function isFragment(text: string, { start, end }: { start: number; end: number }): boolean {
  let length = end - start;
  for (let i = start; i < end && length < SHORTEST; i += 1) if (isWide(text.charCodeAt(i))) length += WIDE_SHARE;
  return length < SHORTEST;
}
