import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { slugOf, wordDifference } from './slug.ts';

describe('a slug', () => {
  it.each([
    ['Use JWT for sessions', 'use-jwt-for-sessions'],
    ['  --Already--slugged--  ', 'already-slugged'],
    ['Crème brûlée', 'creme-brulee'],
    ['Straße', 'strae'],
    ['ﬁle №5', 'file-no5'],
    ['認証', ''],
    ['!!!', ''],
    ['a/b\\c..d', 'a-b-c-d'],
    ['x'.repeat(100), 'x'.repeat(80)],
    [`${'x'.repeat(79)} y`, 'x'.repeat(79)],
  ])('of %j is %j', (title, slug) => {
    expect(slugOf(title)).toBe(slug);
  });

  it('of any text is empty or a valid id, and stays itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const slug = slugOf(text);
        expect(slug).toMatch(/^(?:[a-z0-9]([a-z0-9-]{0,78}[a-z0-9])?)?$/);
        expect(slugOf(slug)).toBe(slug);
      }),
    );
  });
});

describe('the difference of two titles', () => {
  it.each([
    ['Use JWT', 'Use JWT', 0],
    ['Use JWT', 'use jwt', 0],
    ['one two three', 'three two one', 0],
    ['one two', 'three four', 1],
    ['a b c', 'a b d', 0.5],
    ['a b c d', 'a b c e', 0.4],
    ['caching: yes', 'caching yes', 2 / 3],
    ['', '', 0],
    ['', 'x', 1],
  ])('between %j and %j is %d', (a, b, share) => {
    expect(wordDifference(a, b)).toBeCloseTo(share, 10);
    expect(wordDifference(b, a)).toBeCloseTo(share, 10);
  });
});
