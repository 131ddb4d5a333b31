// Is the best result about the query at all? Ranking always has a first; a question that nothing in the store answers must be told so, and a
// prompt get silence. Judged by what is absolute: how near the vectors of the result and of its exchange and its tokens are, and how much of what
// the query asks for it has. Nothing here depends on how much else is stored, except through how common words are.

import type { Ranked } from './fuse.ts';
import { isAboutFile } from './paths.ts';

/** The line between answered and unanswered questions, over stores of several sizes and projects, as a logistic curve. */
const BY_TOKENS = { bias: -10.9, coverage: 1, cosine: 7.3, context: 6.9, tokens: 9.7 };
/** The same where the tokens of a result were not kept. */
const QUESTION = { bias: -5.6, coverage: 3.2, cosine: 8, context: 4, tokens: 0 };
/** What stands in for the cosine of a result without a vector. */
const UNSEEN = { least: 0.15, coverage: 0.45 };
/** For parts of prompts: whoever did not ask is told less, and exchanges are not looked at. */
const PROMPT = { bias: -6, coverage: 6, cosine: 5, words: 0.1 };

/** It is about the file that was asked for, and nothing else was. */
const CERTAIN = 0.9;

type Judged = Pick<Ranked, 'words' | 'cosine' | 'context' | 'tokens' | 'candidate'>;

export function relevanceOf({ words, cosine, context, tokens, candidate }: Judged): number {
  if (isAboutFile(candidate)) return CERTAIN;
  const near = cosine ?? UNSEEN.least + UNSEEN.coverage * words.coverage;
  const curve = tokens === undefined ? QUESTION : BY_TOKENS;
  return logistic(
    curve.bias +
      curve.coverage * words.coverage +
      curve.cosine * near +
      curve.context * (context ?? near) +
      curve.tokens * (tokens ?? 0),
  );
}

export function promptRelevanceOf({ words, cosine, candidate }: Judged): number {
  if (isAboutFile(candidate)) return CERTAIN;
  const { bias, coverage, cosine: near, words: score } = PROMPT;
  return logistic(bias + coverage * words.coverage + near * (cosine ?? 0) + score * words.score);
}

const logistic = (sum: number): number => Math.round(1_000 / (1 + Math.exp(-sum))) / 1_000;
