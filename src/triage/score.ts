// How much a conversation speaks for each category: for five of them by the lines that hold certain words, for the
// session summary by how much was done. The numbers are a contract; docs/TRIAGE.md explains them.

import type { Message } from '../transcripts/tail.ts';
import { type Conversation, linesWith } from './conversation.ts';
import type { WordMatcher } from './vocabulary/compile-vocabulary.ts';

export type Weights = {
  readonly primary: number;
  readonly boosted: number;
  readonly maxPrimary: number;
  readonly maxBoosted: number;
  /** What all counted lines together can reach, so that the score ends at 1. */
  readonly denominator: number;
};

const USUAL: Weights = { primary: 0.3, boosted: 0.5, maxPrimary: 3, maxBoosted: 2, denominator: 1.9 };
const WEIGHTS: { readonly [category: string]: Weights } = {
  runbook: { ...USUAL, primary: 0.2, boosted: 0.6, denominator: 1.8 },
  preference: { ...USUAL, primary: 0.35, denominator: 2.05 },
};
/** How many lines before and after a line may hold its booster. */
const WINDOW = 4;

export type TextScore = {
  readonly score: number;
  /** Every line with a primary word. */
  readonly matches: readonly number[];
  /** Those that the score was made of. */
  readonly counted: readonly number[];
};

export type Activity = { readonly toolUses: number; readonly distinctTools: number; readonly exchanges: number };

export function weightsOf(category: string): Weights {
  return Object.hasOwn(WEIGHTS, category) ? WEIGHTS[category]! : USUAL;
}

/** One primary word counts per line. A boosted line past the limit of boosted ones counts as a plain one. */
export function scoreText(
  conversation: Conversation,
  words: readonly WordMatcher[],
  weights: Weights = USUAL,
): TextScore {
  const speaking = new Map<number, WordMatcher>();
  for (const matcher of words)
    for (const number of linesWith(conversation, matcher.primary))
      if (!speaking.has(number)) speaking.set(number, matcher);
  const matches = [...speaking.keys()].sort((a, b) => a - b);
  const counted: number[] = [];
  let plain = 0;
  let boosted = 0;
  const isBoosted = boosterFinder(conversation.lines);
  for (const number of matches) {
    if (boosted < weights.maxBoosted && isBoosted(number, speaking.get(number)!)) boosted++;
    else if (plain < weights.maxPrimary) plain++;
    else continue;
    counted.push(number);
  }
  const raw = (plain * weights.primary + boosted * weights.boosted) / weights.denominator;
  return { score: Math.min(1, raw), matches, counted };
}

/** Looks at each line once, however many windows it is in. */
function boosterFinder(lines: readonly string[]): (number: number, matcher: WordMatcher) => boolean {
  const known = new Map<WordMatcher, (boolean | undefined)[]>();
  return (number, matcher) => {
    const seen = known.get(matcher) ?? [];
    known.set(matcher, seen);
    const last = Math.min(lines.length - 1, number + WINDOW);
    for (let at = Math.max(0, number - WINDOW); at <= last; at++) {
      seen[at] ??= matcher.boosters(lines[at]!) !== -1;
      if (seen[at]) return true;
    }
    return false;
  };
}

export function activityOf(messages: readonly Message[]): Activity {
  const tools = messages.flatMap((message) => message.tools);
  return {
    toolUses: tools.length,
    distinctTools: new Set(tools.filter(Boolean)).size,
    exchanges: messages.filter(({ role }) => role !== 'other').length,
  };
}

/** Added up in this order and no other: floating point would miss a threshold of 0.6 by a hair. */
export function scoreActivity({ toolUses, distinctTools, exchanges }: Activity): number {
  return Math.min(1, toolUses * 0.05 + distinctTools * 0.1 + exchanges * 0.02);
}
