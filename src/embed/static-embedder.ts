// Vectors without a model: the weighted sum of the pieces of a text, from a table that was made out of the model once. Half as good as the
// model, and a thousand times cheaper: a hook, which is a new process before every prompt, has no time for more.

import path from 'node:path';
import { type Embedder, toUnit } from './embedder.ts';
import { openTable, STATIC_VERSION, type StaticTable } from './static-table.ts';
import { type Tokenizer, wordPieces } from './wordpiece.ts';

const MAX_TOKENS = 256;
/** They are in the table's rows, with no weight; only the order of the sum is at stake. */
const SPECIAL = { unknown: 100, start: 101, end: 102 } as const;

export const staticTableFile = (cacheDir: string): string =>
  path.join(cacheDir, 'models', `static-${STATIC_VERSION}.table`);

/** `undefined` where the indexer has not made the table yet (build-static-table.ts). Fast, and loads no package. */
export function openStaticEmbedder(cacheDir: string): Embedder | undefined {
  const table = openTable(staticTableFile(cacheDir));
  if (!table) return undefined;
  const tokenizer: Tokenizer = {
    vocabulary: table.vocabulary,
    folding: { lowercase: true, stripAccents: true },
    special: SPECIAL,
    maxTokens: MAX_TOKENS,
  };
  return {
    model: `static-${table.name}`,
    dimensions: table.dimensions,
    embed: async (texts, { signal } = {}) => {
      signal?.throwIfAborted();
      return texts.map((text) => sumOf(text, table, tokenizer));
    },
    close: async () => table.close(),
  };
}

function sumOf(text: string, table: StaticTable, tokenizer: Tokenizer): Float32Array {
  const sum = new Float32Array(table.dimensions);
  for (const token of wordPieces(text, tokenizer)) table.addRow(token, sum);
  return toUnit(sum);
}
