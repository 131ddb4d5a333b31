import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inJavaScript, inWebAssembly, vectorScores } from './vector-scores.ts';

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
    fc.assert(
      fc.property(vectors, ({ width, query, all }) => {
        const { cosines, distances } = vectorScores(query, block(all, width));
        all.forEach((vector, at) => {
          const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, x, n) => sum + x * b[n]!, 0);
          const length = Math.sqrt(dot(vector, vector) * dot(query, query));
          expect(cosines[at]).toBeCloseTo(length === 0 ? 0 : dot(vector, query) / length, 9);
        });
        const plain = all.map((vector) => vector.filter((x, at) => x > 0 !== query[at]! > 0).length);
        expect(Array.from(distances)).toEqual(plain);
      }),
    );
  });

  it('are the same in both languages, also of more vectors than go through at once', () => {
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
      const many = {
        keys: Array.from({ length: count }, (_, at) => at),
        width,
        floats: Float32Array.from({ length: width * count }, random),
      };
      const query = Float32Array.from({ length: width }, random);
      const [plain, quick] = [inJavaScript(query, many), inWebAssembly(query, many)];
      expect(quick?.distances).toEqual(plain.distances);
      expect(quick?.cosines.every((cosine, at) => Math.abs(cosine - plain.cosines[at]!) < 1e-12)).toBe(true);
    }
  });
});
