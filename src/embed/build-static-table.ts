// Makes the static table out of the local model, once, in the background: each piece of the vocabulary goes through the model as if it were
// a text of its own, the vectors are projected to fewer numbers, and frequent pieces count less (SIF). About a minute of work that
// saves every hook a quarter of a second.

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { atomicWrite } from '../files/atomic-write.ts';
import { MINILM } from './minilm-graph.ts';
import { locateMinilm, minilmBytes, minilmTokenizer } from './minilm-package.ts';
import { openSession, type Session } from './onnx-runtime.ts';
import { principalParts } from './principal-parts.ts';
import { staticTableFile } from './static-embedder.ts';
import { openTable, STATIC_VERSION, tableBytes } from './static-table.ts';

export type BuildStaticOptions = { readonly signal?: AbortSignal };

const DIMENSIONS = 256;
const BATCH = 32;
const [START, END] = [101, 102];
/** In this vocabulary, single characters begin here, and from the second on pieces stand in the order of how frequent they are. */
const [FIRST_CHARACTER, FIRST_WORD] = [999, 1_996];
/** The weight of a piece is A / (A + its share of all text). */
const A = 1e-3;

/** `existing` where it is there already. Throws what the local model throws where that cannot run. */
export async function buildStaticTable(
  cacheDir: string,
  { signal }: BuildStaticOptions = {},
): Promise<'built' | 'existing'> {
  const file = staticTableFile(cacheDir);
  const existing = openTable(file);
  if (existing) {
    existing.close();
    return 'existing';
  }
  const pause = async (): Promise<void> => {
    await new Promise(setImmediate);
    signal?.throwIfAborted();
  };
  const pieces = await readPieces();
  const session = await openSession(await minilmBytes(cacheDir));
  let values: Float32Array;
  try {
    values = await pieceVectors(session, pieces.size, pause);
  } finally {
    await session.close();
  }
  const rows = await principalParts({ rows: pieces.size, columns: MINILM.dimensions, values }, DIMENSIONS, pause);
  for (const [piece, token] of pieces) {
    const weight = weightOf(piece, token, pieces.size);
    for (let i = token * DIMENSIONS; i < (token + 1) * DIMENSIONS; i++) rows[i]! *= weight;
  }
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  atomicWrite(file, tableBytes({ name: nameOf(rows), dimensions: DIMENSIONS, pieces, rows }), { mode: 0o600 });
  return 'built';
}

/** In the order of their numbers, without holes. */
async function readPieces(): Promise<Map<string, number>> {
  const { model } = JSON.parse(minilmTokenizer(await locateMinilm())) as { model: { vocab: Record<string, number> } };
  return new Map(Object.entries(model.vocab).sort(([, a], [, b]) => a - b));
}

async function pieceVectors(session: Session, count: number, pause: () => Promise<void>): Promise<Float32Array> {
  const values = new Float32Array(count * MINILM.dimensions);
  for (let from = 0; from < count; from += BATCH) {
    const size = Math.min(BATCH, count - from);
    const ids = Array.from({ length: size }, (_, at) => [START, from + at, END]).flat();
    const { vectors } = await session.run({
      input_ids: { values: Int32Array.from(ids), shape: [size, 3] },
      position_ids: { values: Int32Array.of(0, 1, 2), shape: [3] },
    });
    values.set(vectors!.values, from * MINILM.dimensions);
    await pause();
  }
  return values;
}

function weightOf(piece: string, token: number, count: number): number {
  if (token < FIRST_CHARACTER || /^(?:##)?\p{P}$/u.test(piece)) return 0; // unused, special, or no word
  if (token < FIRST_WORD) return 0.5;
  // Zipf: the n-th most frequent piece is 1/n as frequent as the first.
  const share = 1 / (token - FIRST_WORD + 1) / (Math.log(count - FIRST_WORD) + 0.577);
  return A / (A + share);
}

/** After the content: a table that came out differently makes other vectors. */
const nameOf = (rows: Float32Array): string =>
  `minilm-v${STATIC_VERSION}-${createHash('sha256').update(new Uint8Array(rows.buffer)).digest('hex').slice(0, 12)}`;
