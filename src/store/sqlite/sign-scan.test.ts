import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { signScan } from './sign-scan.ts';

/** Bit by bit. */
function distance(a: Uint32Array, b: Uint32Array): number {
  let count = 0;
  for (let bit = 0; bit < a.length * 32; bit++) {
    const of = (words: Uint32Array): number => (words[bit >> 5]! >>> (bit & 31)) & 1;
    if (of(a) !== of(b)) count++;
  }
  return count;
}

/** Widths that WebAssembly takes, and some that it does not: sums of bytes would overflow, or no whole steps. */
const WIDTHS = [1, 2, 3, 4, 5, 8, 12, 24, 48, 96, 124, 128, 132];
const ALL = 0xffffffff;

describe('the scan of signs', () => {
  it('counts as bit by bit, in both languages, for every width', () => {
    const word = fc.oneof(fc.constantFrom(0, ALL), fc.integer({ min: 0, max: ALL }));
    const shape = fc.record({
      width: fc.constantFrom(...WIDTHS),
      sizes: fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 4 }),
    });
    const made = shape.chain(({ width, sizes }) =>
      fc.record({
        width: fc.constant(width),
        query: fc.array(word, { minLength: width, maxLength: width }),
        pages: fc.tuple(...sizes.map((size) => fc.array(word, { minLength: size * width, maxLength: size * width }))),
      }),
    );
    fc.assert(
      fc.property(made, ({ width, query, pages }) => {
        const wanted = Uint32Array.from(query);
        const entries = pages.map((page) => Uint32Array.from(page));
        const all = entries.flatMap((page) =>
          Array.from({ length: page.length / width }, (_, at) => page.subarray(at * width, (at + 1) * width)),
        );
        const expected = all.map((entry) => distance(entry, wanted));
        for (const few of [0, Number.POSITIVE_INFINITY])
          expect(Array.from(signScan(entries, width, few)(wanted))).toEqual(expected);
      }),
      { numRuns: 200 },
    );
  });

  it('does not overflow where every bit differs', () => {
    for (const width of WIDTHS) {
      const scan = signScan([new Uint32Array(width * 3)], width, 0);
      expect(Array.from(scan(new Uint32Array(width).fill(ALL)))).toEqual([width * 32, width * 32, width * 32]);
      expect(Array.from(scan(new Uint32Array(width)))).toEqual([0, 0, 0]);
    }
  });
});
