// Many stored vectors at once. SQLite hands them over as one blob, side by side: a buffer for each of some hundred takes
// longer than to read them, and leaves as many for the collector.

import type { VectorsQuery } from '../store.ts';
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

/** Values: model, hashes. */
const BY_HASH = `SELECT ${blockOf('e.hash')} FROM embedding_model m JOIN embedding e ON e.model = m.id
  WHERE m.name = ? AND e.hash IN (SELECT value FROM json_each(?))`;

export function vectorsByHash(driver: Driver, { model, hashes }: VectorsQuery): VectorBlock<string> {
  return readBlock(driver, BY_HASH, [model, JSON.stringify(hashes)]);
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
