import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cosinesTo, signDistancesTo } from './vector-scores.ts';

const block = (vectors: readonly Float32Array[], width: number) => ({
  keys: vectors.map((_, at) => at),
  floats: Float32Array.from(vectors.flatMap((vector) => [...vector])),
  width,
});

const number = fc.oneof(
  fc.constantFrom(0, -0, 1, -1, 1e-45, -1e-45),
  fc.float({ min: -2, max: 2, noNaN: true, noDefaultInfinity: true }),
);
const vectors = fc.constantFrom(1, 2, 3, 4, 8, 20, 384).chain((width) => {
  const vector = fc.array(number, { minLength: width, maxLength: width }).map((all) => Float32Array.from(all));
  return fc.record({ width: fc.constant(width), query: vector, all: fc.array(vector, { maxLength: 6 }) });
});

describe('the scores of vectors', () => {
  it('are the cosine, 0 where one has no direction, and in how many numbers one is positive and the other is not', () => {
    fc.assert(fc.property(vectors, ({ width, query, all }) => expectPlain(query, all, width)));
  });

  it('are the same of many vectors, and of long ones', () => {
    let state = 1;
    const random = (): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
      return state / 2 ** 31;
    };
    for (const [width, count] of [
      [4, 5_000],
      [384, 800],
      [4_096, 70],
    ] as const) {
      const many = Array.from({ length: count }, () => Float32Array.from({ length: width }, random));
      expectPlain(Float32Array.from({ length: width }, random), many, width);
    }
  });
});

/** By the definition, number by number. */
function expectPlain(query: Float32Array, all: readonly Float32Array[], width: number): void {
  const cosines = cosinesTo(query, block(all, width));
  const distances = signDistancesTo(query, block(all, width));
  const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, x, n) => sum + x * b[n]!, 0);
  all.forEach((vector, at) => {
    const length = Math.sqrt(dot(vector, vector) * dot(query, query));
    expect(cosines[at]).toBeCloseTo(length === 0 ? 0 : dot(vector, query) / length, 9);
  });
  const plain = all.map((vector) => vector.filter((x, at) => x > 0 !== query[at]! > 0).length);
  expect(Array.from(distances)).toEqual(plain);
}
