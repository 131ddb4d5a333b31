// Whether a result is plainly about a question: what speaks for it, what stands in, and that nothing else counts.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRelevantEnough, RELEVANCE_THRESHOLD } from '../model/relevance.ts';
import { promptRelevanceOf, relevanceOf } from './relevance.ts';

type Judged = Parameters<typeof relevanceOf>[0];
const candidate = { document: {}, line: '', proposals: new Map() } as unknown as Judged['candidate'];
const judged = (coverage: number, cosine?: number, context?: number, score = 0, tokens?: number): Judged => ({
  words: { score, coverage, own: 0 },
  cosine,
  context,
  tokens,
  candidate,
});
const isAbout = (result: Judged): boolean => isRelevantEnough({ relevance: relevanceOf(result) });

describe('relevance to a question', () => {
  it('is had by meaning alone, by words with some of it, and not by either a little', () => {
    expect(isAbout(judged(0, 0.55, 0.5))).toBe(true);
    expect(isAbout(judged(0.6, 0.35, 0.3))).toBe(true);
    expect(isAbout(judged(0.3, 0.3, 0.2))).toBe(false);
    expect(isAbout(judged(0, 0.4, 0.2))).toBe(false);
  });

  it('leans on the exchange around the result', () => {
    expect(isAbout(judged(0.2, 0.42, 0.1))).toBe(false);
    expect(isAbout(judged(0.2, 0.42, 0.5))).toBe(true);
  });

  it('leans on the tokens of the result where they were kept', () => {
    expect(isAbout(judged(0.3, 0.4, 0.3, 0, 0.45))).toBe(false);
    expect(isAbout(judged(0.3, 0.4, 0.3, 0, 0.65))).toBe(true);
    // Many words and a near vector are not enough where no word means the same.
    expect(isAbout(judged(0.5, 0.4, 0.3))).toBe(true);
    expect(isAbout(judged(0.5, 0.4, 0.3, 0, 0.4))).toBe(false);
  });

  it('goes by words where there is no vector', () => {
    expect(isAbout(judged(0.6))).toBe(true);
    expect(isAbout(judged(0.3))).toBe(false);
  });

  it('never falls with more words or more nearness, and does not depend on the score of words, which grows with the store', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(share, share, share, share, share, (coverage, cosine, context, more, score) => {
        const near = relevanceOf(judged(coverage, cosine, context, 0, score));
        expect(relevanceOf(judged(coverage, cosine, context, 0, Math.max(score, more)))).toBeGreaterThanOrEqual(near);
        const now = relevanceOf(judged(coverage, cosine, context));
        expect(relevanceOf(judged(Math.max(coverage, more), cosine, context))).toBeGreaterThanOrEqual(now);
        expect(relevanceOf(judged(coverage, Math.max(cosine, more), context))).toBeGreaterThanOrEqual(now);
        expect(relevanceOf(judged(coverage, cosine, Math.max(context, more)))).toBeGreaterThanOrEqual(now);
        expect(relevanceOf(judged(coverage, cosine, context, score * 50))).toBe(now);
      }),
    );
  });
});

describe('relevance to a prompt', () => {
  it('asks for more of the words, and does not look at exchanges', () => {
    expect(promptRelevanceOf(judged(0.3, 0.5, 0.9))).toBeLessThan(RELEVANCE_THRESHOLD);
    expect(promptRelevanceOf(judged(0.9, 0.5))).toBeGreaterThanOrEqual(RELEVANCE_THRESHOLD);
    expect(promptRelevanceOf(judged(0.5, 0.5, 0.9))).toBe(promptRelevanceOf(judged(0.5, 0.5, 0.1)));
  });
});
