import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rounded, vectorBytes, vectorOf, vectorsOf } from './vector-bytes.ts';

const number = fc.oneof(
  fc.float({ noNaN: true, noDefaultInfinity: true }),
  fc.float({ min: -1, max: 1, noNaN: true }),
  fc.constantFrom(0, -0, 1e-45, 3.4e38),
);
const vector = fc.array(number, { minLength: 1, maxLength: 40 }).map((numbers) => Float32Array.from(numbers));
/** As models make them: of length 1, most numbers small. */
const unit = fc.array(fc.float({ min: -1, max: 1, noNaN: true }), { minLength: 8, maxLength: 400 }).map((numbers) => {
  const length = Math.sqrt(numbers.reduce((sum, each) => sum + each * each, 0)) || 1;
  return Float32Array.from(numbers, (each) => each / length);
});

const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, each, at) => sum + each * (b[at] ?? 0), 0);

describe('the bytes of a vector', () => {
  it('are all of it, whatever its numbers are', () => {
    const comesBack = (each: Float32Array): void => {
      expect(vectorOf(vectorBytes(each))).toEqual(each);
    };
    fc.assert(fc.property(vector, comesBack));
    fc.assert(fc.property(unit.map(rounded), comesBack));
  });

  it('are one for each number of what was rounded, which rounds to itself', () => {
    fc.assert(
      fc.property(unit, (each) => {
        const round = rounded(each);
        expect(rounded(round)).toEqual(round);
        if (round.some((one) => one !== 0)) {
          const bytes = vectorBytes(round);
          expect(bytes.length).toBeLessThanOrEqual(round.length + 6);
          expect(bytes.length % 4).not.toBe(0);
        }
      }),
    );
  });

  it('leave the direction as it is, to a thousandth', () => {
    fc.assert(
      fc.property(unit, unit, (one, two) => {
        const other = Float32Array.from(one, (_, at) => two[at % two.length] ?? 0);
        const length = Math.sqrt(dot(other, other)) || 1;
        expect(Math.abs(dot(rounded(one), other) - dot(one, other)) / length).toBeLessThan(
          0.05 * Math.sqrt(dot(one, one)),
        );
      }),
    );
    const random = (seed: number): number => Math.sin(seed * 12.9898) * 0.1;
    const model = Float32Array.from({ length: 384 }, (_, at) => random(at + 1));
    const question = Float32Array.from({ length: 384 }, (_, at) => random(at * 7 + 3));
    const cosine = (a: Float32Array): number => dot(a, question) / Math.sqrt(dot(a, a) * dot(question, question));
    expect(Math.abs(cosine(rounded(model)) - cosine(model))).toBeLessThan(0.001);
  });

  it('may stand side by side', () => {
    fc.assert(
      fc.property(
        fc.array(
          unit.map((each) => rounded(each).subarray(0, 8)),
          { minLength: 1, maxLength: 5 },
        ),
        (all) => {
          for (const isPacked of [true, false]) {
            const fitting = all.map(vectorBytes).filter((bytes) => (bytes.length % 4 !== 0) === isPacked);
            const { floats, width } = vectorsOf(Buffer.concat(fitting), fitting.length);
            const expected = fitting.map((bytes) => vectorOf(bytes));
            expect(expected.map((_, at) => floats.slice(at * width, (at + 1) * width))).toEqual(expected);
          }
        },
      ),
    );
  });
});
