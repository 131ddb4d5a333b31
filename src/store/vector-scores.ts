// A query against each vector of a block, some hundred for each answer: the true cosine, and in how many numbers one is positive and
// the other is not.

/** `keys` names the vectors in their order; each has `width` numbers. */
export type VectorBlock<Key extends string | number> = {
  readonly keys: readonly Key[];
  readonly floats: Float32Array;
  readonly width: number;
};

type Block = VectorBlock<string | number>;

/** Added up number by number, as a single vector is compared elsewhere: whichever way a document is found, its score is the same. */
export function cosinesTo(query: Float32Array, { keys, floats, width }: Block): Float64Array {
  const wanted = Float64Array.from(query);
  const bb = wanted.reduce((sum, number) => sum + number * number, 0);
  const cosines = new Float64Array(keys.length);
  for (let entry = 0, start = 0; entry < keys.length; entry++, start += width) {
    let dot = 0;
    let aa = 0;
    for (let at = 0; at < width; at++) {
      const number = floats[start + at]!;
      dot += number * wanted[at]!;
      aa += number * number;
    }
    // A zero vector has no direction: nothing is near it.
    cosines[entry] = aa === 0 || bb === 0 ? 0 : dot / Math.sqrt(aa * bb);
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
