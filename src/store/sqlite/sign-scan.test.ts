import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type SignScan, signScan } from './sign-scan.ts';

/** Bit by bit. */
function distance(a: Uint32Array, b: Uint32Array): number {
  let count = 0;
  for (let bit = 0; bit < a.length * 32; bit++) {
    const of = (words: Uint32Array): number => (words[bit >> 5]! >>> (bit & 31)) & 1;
    if (of(a) !== of(b)) count++;
  }
  return count;
}

/** The distance of each entry, as the counts and the places at each distance tell it. */
function seen(scan: SignScan, query: Uint32Array): number[] {
  const distances: number[] = [];
  for (const [at, count] of scan.count(query).entries()) {
    if (count === 0) continue;
    const places = scan.between(at, at);
    expect(places).toHaveLength(count);
    for (const place of places) distances[place] = at;
  }
  return distances;
}

/** Widths that WebAssembly takes, and some that it does not: too many distances to count, or no whole steps. */
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
        for (const few of [0, Number.POSITIVE_INFINITY]) {
          const scan = signScan(entries, width, few);
          for (const query of [wanted.map((each) => ~each), wanted]) scan.count(query); // nothing is left of the look before
          expect(seen(scan, wanted)).toEqual(expected);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('does not overflow where every bit differs', () => {
    for (const width of WIDTHS) {
      const scan = signScan([new Uint32Array(width * 3)], width, 0);
      expect(seen(scan, new Uint32Array(width).fill(ALL))).toEqual([width * 32, width * 32, width * 32]);
      expect(seen(scan, new Uint32Array(width))).toEqual([0, 0, 0]);
    }
  });

  it('finds the entries between two distances, however many there are', () => {
    const width = 4;
    const made = fc.record({
      size: fc.constantFrom(0, 1, 7, 8, 9, 100, 8_192, 9_000),
      seed: fc.integer(),
      from: fc.integer({ min: 0, max: 128 }),
      span: fc.constantFrom(0, 1, 10, 128),
    });
    fc.assert(
      fc.property(made, ({ size, seed, from, span }) => {
        let state = seed;
        const entries = Uint32Array.from({ length: size * width }, () => {
          state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
          return seed % 3 === 0 ? 0 : state >>> 0; // one in three: all alike
        });
        const to = Math.min(from + span, width * 32);
        const query = new Uint32Array(width);
        const found = [0, Number.POSITIVE_INFINITY].map((few) => {
          const scan = signScan([entries], width, few);
          return [Array.from(scan.count(query)), Array.from(scan.between(from, to))];
        });
        expect(found[0]).toEqual(found[1]);
        const counts = found[1]![0]!;
        expect(found[1]![1]).toHaveLength(counts.slice(from, to + 1).reduce((sum, count) => sum + count, 0));
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(size);
      }),
      { numRuns: 60 },
    );
  });
});
