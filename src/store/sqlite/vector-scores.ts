// A query against each vector of a block, some hundred for each answer: the true cosine, and in how many numbers one is positive and
// the other is not.

import type { VectorBlock } from './vector-block.ts';

type Block = Pick<VectorBlock<string | number>, 'keys' | 'floats' | 'width'>;

export function cosinesTo(query: Float32Array, { keys, floats, width }: Block): Float64Array {
  const wanted = Float64Array.from(query);
  const length = Math.sqrt(wanted.reduce((sum, number) => sum + number * number, 0));
  const cosines = new Float64Array(keys.length);
  const even = width - (width % 2);
  for (let entry = 0, start = 0; entry < keys.length; entry++, start += width) {
    const last = even === width ? 0 : floats[start + even]!;
    let [dot, own] = [last * (wanted[even] ?? 0), last * last];
    let [otherDot, otherOwn] = [0, 0]; // two sums of each: one would have to wait for itself
    for (let at = 0; at < even; at += 2) {
      const one = floats[start + at]!;
      const other = floats[start + at + 1]!;
      dot += one * wanted[at]!;
      own += one * one;
      otherDot += other * wanted[at + 1]!;
      otherOwn += other * other;
    }
    // A zero vector has no direction: nothing is near it.
    const lengths = length * Math.sqrt(own + otherOwn);
    cosines[entry] = lengths === 0 ? 0 : (dot + otherDot) / lengths;
  }
  return cosines;
}

export function signDistancesTo(query: Float32Array, { keys, floats, width }: Block): Uint16Array {
  const isPositive = Int32Array.from(query, (number) => Number(number > 0));
  const distances = new Uint16Array(keys.length);
  for (let entry = 0, start = 0; entry < keys.length; entry++, start += width) {
    let distance = 0;
    // Without a branch, which nobody could predict: a third of the time.
    for (let at = 0; at < width; at++) distance += Number(floats[start + at]! > 0) ^ isPositive[at]!;
    distances[entry] = distance;
  }
  return distances;
}
