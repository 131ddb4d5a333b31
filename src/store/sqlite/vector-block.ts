// Many stored vectors at once. SQLite hands them over as one blob, side by side: a buffer for each of some hundred takes
// longer than to read them, and leaves as many for the collector.

import type { VectorsQuery } from '../store.ts';
import { vectorOf, vectorsOf } from '../vector-bytes.ts';
import type { VectorBlock } from '../vector-scores.ts';
import type { Driver, SqlValue } from './driver.ts';

/** What `readBlock` selects, of `embedding e`. Bytes pass through group_concat as they are; a test with all of them says so. */
export const blockOf = (key: string): string => `json_group_array(${key}), CAST(group_concat(e.vector, '') AS BLOB)`;

/** `sql` selects `blockOf` a column whose values are keys, and ends before what it is grouped by. */
export function readBlock<Key extends string | number>(
  driver: Driver,
  sql: string,
  values: readonly SqlValue[],
): VectorBlock<Key> {
  // Those of an earlier version take four bytes a number: each form is a group.
  const groups = driver.prepareValues(`${sql} GROUP BY length(e.vector)`).all(...values);
  const blocks = groups.map(([names, blob]) => {
    const keys = JSON.parse(typeof names === 'string' ? names : '[]') as Key[];
    return { keys, ...vectorsOf(blob instanceof Uint8Array ? blob : new Uint8Array(), keys.length) };
  });
  const [only] = blocks;
  if (only && blocks.length === 1) return only;
  const floats = new Float32Array(blocks.reduce((sum, block) => sum + block.floats.length, 0));
  let at = 0;
  for (const block of blocks) {
    floats.set(block.floats, at);
    at += block.floats.length;
  }
  return { keys: blocks.flatMap(({ keys }) => keys), floats, width: only?.width ?? 0 };
}

/** Values: model, hashes. */
const BY_HASH = `SELECT ${blockOf('e.hash')} FROM embedding_model m JOIN embedding e ON e.model = m.id
  WHERE m.name = ? AND e.hash IN (SELECT value FROM json_each(?))`;

export function vectorsByHash(driver: Driver, { model, hashes }: VectorsQuery): VectorBlock<string> {
  return readBlock(driver, BY_HASH, [model, JSON.stringify(hashes)]);
}

/** A stored vector. */
export const floatsOf = (blob: SqlValue | undefined): Float32Array =>
  vectorOf(blob instanceof Uint8Array ? blob : new Uint8Array());

/** A view, not a copy. */
export const vectorAt = ({ floats, width }: VectorBlock<string | number>, at: number): Float32Array =>
  floats.subarray(at * width, (at + 1) * width);
