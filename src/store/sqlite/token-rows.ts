// The tokens that came with vectors (embedding_tokens). The table is made when the first of them are written, so a database may be without.

import type { VectorsQuery } from '../store.ts';
import type { Driver, SqlValue } from './driver.ts';

export const hasTokens = (driver: Driver): boolean =>
  driver.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'embedding_tokens'").get() !== undefined;

export function tokensByHash(driver: Driver, { model, hashes }: VectorsQuery): Map<string, Uint8Array> {
  if (!hasTokens(driver)) return new Map();
  const rows = driver
    .prepareValues(
      `SELECT t.hash, t.signs FROM embedding_model m CROSS JOIN json_each(?) j
       CROSS JOIN embedding_tokens t ON t.model = m.id AND t.hash = j.value WHERE m.name = ?`,
    )
    .all(JSON.stringify(hashes), model);
  return new Map(rows.map(([hash, signs]) => [String(hash), bytesOf(signs)]));
}

/** A view: one driver gives buffers, the other plain bytes. */
const bytesOf = (blob: SqlValue | undefined): Uint8Array =>
  blob instanceof Uint8Array ? new Uint8Array(blob.buffer, blob.byteOffset, blob.byteLength) : new Uint8Array();
