// Many stored vectors at once. SQLite hands them over as one blob, side by side: a buffer for each of some hundred takes
// longer than to read them, and leaves as many for the collector.

import type { Driver, SqlValue } from './driver.ts';

/** `keys` names the vectors in their order; each has `width` numbers. */
export type VectorBlock<Key extends string | number> = {
  readonly keys: readonly Key[];
  readonly floats: Float32Array;
  readonly width: number;
};

/** What `readBlock` selects, of `embedding e`. Bytes pass through group_concat as they are; a test with all of them says so. */
export const blockOf = (key: string): string => `json_group_array(${key}), CAST(group_concat(e.vector, '') AS BLOB)`;

/** `sql` selects `blockOf` a column whose values are keys. */
export function readBlock<Key extends string | number>(
  driver: Driver,
  sql: string,
  values: readonly SqlValue[],
): VectorBlock<Key> {
  const [names, blob] = driver.prepareValues(sql).all(...values)[0] ?? [];
  const keys = JSON.parse(typeof names === 'string' ? names : '[]') as Key[];
  const floats = floatsOf(blob);
  return { keys, floats, width: keys.length === 0 ? 0 : floats.length / keys.length };
}

/** A stored vector, without a copy where the blob lies on a number's border. */
export function floatsOf(blob: SqlValue | undefined): Float32Array {
  const bytes = blob instanceof Uint8Array ? blob : new Uint8Array();
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : Uint8Array.from(bytes);
  return new Float32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength >> 2);
}

/** A view, not a copy. */
export const vectorAt = ({ floats, width }: VectorBlock<string | number>, at: number): Float32Array =>
  floats.subarray(at * width, (at + 1) * width);

/** Of the query with each vector of the block. */
export function cosinesTo(query: Float32Array, { keys, floats, width }: VectorBlock<string | number>): Float64Array {
  const wanted = Float64Array.from(query);
  let bb = 0;
  for (let at = 0; at < wanted.length; at++) bb += wanted[at]! * wanted[at]!;
  const cosines = new Float64Array(keys.length);
  for (let entry = 0, start = 0; entry < cosines.length; entry++, start += width) {
    let dot = 0;
    let aa = 0;
    for (let at = 0; at < width; at++) {
      const x = floats[start + at]!;
      dot += x * wanted[at]!;
      aa += x * x;
    }
    cosines[entry] = aa === 0 || bb === 0 ? 0 : dot / Math.sqrt(aa * bb);
  }
  return cosines;
}

/**
 * In how many numbers one is positive and the other is not. By the bits of the numbers, of which the first is the sign: comparing
 * the numbers takes branches that no processor can foresee.
 */
export function signDistancesTo(
  query: Float32Array,
  { keys, floats, width }: VectorBlock<string | number>,
): Uint16Array {
  const bits = new Int32Array(floats.buffer, floats.byteOffset, floats.length);
  const wanted = Int32Array.from(query, (value) => (value > 0 ? 1 : 0));
  const distances = new Uint16Array(keys.length);
  for (let entry = 0, start = 0; entry < distances.length; entry++, start += width) {
    let distance = 0;
    for (let at = 0; at < width; at++) {
      const value = bits[start + at]!;
      // Positive: neither negative itself, nor its own opposite (zero).
      distance += (((0 - value) & ~value) >>> 31) ^ wanted[at]!;
    }
    distances[entry] = distance;
  }
  return distances;
}
