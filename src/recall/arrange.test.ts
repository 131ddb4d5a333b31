import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { saysSame } from './arrange.ts';

describe('two statements say the same', () => {
  it('where the words of both are that share of the words of either', () => {
    const words = fc.uniqueArray(fc.constantFrom(...'abcdefghijklmnop'), { maxLength: 16 });
    fc.assert(
      fc.property(words, words, fc.constantFrom(0.5, 0.6, 0.85, 1), (first, second, share) => {
        const [a, b] = [new Set(first), new Set(second)];
        const common = first.filter((word) => b.has(word)).length;
        const either = a.size + b.size - common;
        expect(saysSame(a, b, share)).toBe(either > 0 && common / either >= share);
      }),
    );
  });
});
