// Is the best result about the query at all? Ranking always has a first; a prompt that nothing in the store answers must get
// silence. Judged by what is absolute: how much of what the query asks for the result has, and how near its vector is.

import type { Ranked } from './fuse.ts';

/** At this relevance and above, a prompt may be given the result unasked. Calibrated: docs/RANKING.md. */
export const RELEVANCE_THRESHOLD = 0.5;

export const isRelevantEnough = (result: { readonly relevance: number }): boolean =>
  result.relevance >= RELEVANCE_THRESHOLD;

/** The line between answered and unanswered queries on the development sets, as a logistic curve. */
const CURVE = { bias: -6, coverage: 6, cosine: 5, words: 0.1 };

export function relevanceOf({ words, cosine }: Ranked): number {
  const sum = CURVE.bias + CURVE.coverage * words.coverage + CURVE.cosine * (cosine ?? 0) + CURVE.words * words.score;
  return round(1 / (1 + Math.exp(-sum)));
}

const round = (value: number): number => Math.round(value * 1000) / 1000;
