import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildStaticTable } from './build-static-table.ts';
import { locateMinilm } from './minilm-package.ts';
import { principalParts } from './principal-parts.ts';
import { openStaticEmbedder, staticTableFile } from './static-embedder.ts';
import { openTable, tableBytes } from './static-table.ts';

let folder: string;
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cairn-static-'));
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const readVocabulary = async (): Promise<Map<string, number>> => {
  const { tokenizer } = await locateMinilm();
  const { model } = JSON.parse(fs.readFileSync(tokenizer, 'utf8')) as { model: { vocab: Record<string, number> } };
  return new Map(Object.entries(model.vocab));
};

/** Row n points along n, roughly; special tokens count nothing. */
function writeTable(pieces: ReadonlyMap<string, number>, place: string): string {
  const rows = new Float32Array(pieces.size * 2);
  for (const token of pieces.values()) if (token > 102) rows.set([Math.cos(token), Math.sin(token)], token * 2);
  const file = staticTableFile(place);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, Buffer.concat(tableBytes({ name: 'test', dimensions: 2, pieces, rows })));
  return file;
}

describe('the static table', () => {
  it('finds every piece of the real vocabulary by its hash, and no other', async () => {
    const pieces = await readVocabulary();
    const table = openTable(writeTable(pieces, path.join(folder, 'all')))!;
    const wrong = [...pieces].filter(([piece, token]) => table.vocabulary.idOf(piece) !== token);
    expect(wrong).toEqual([]);
    expect(['', 'qqqqqq', '##qqqqqq', 'constructor\0', 'Hello'].map(table.vocabulary.idOf)).toEqual(
      Array(5).fill(undefined),
    );
    table.close();
  });

  it('sums the rows of a text, read one by one or all at once', async () => {
    const place = path.join(folder, 'sum');
    writeTable(await readVocabulary(), place);
    const embedder = openStaticEmbedder(place)!;
    const [before] = await embedder.embed(['hello']);
    expect(before![0]).toBeCloseTo(Math.cos(7_592), 2);
    expect(before![1]).toBeCloseTo(Math.sin(7_592), 2);
    const texts = Array.from({ length: 600 }, (_, at) => `hello ${at}`);
    const many = await embedder.embed(texts);
    expect(await embedder.embed(texts)).toEqual(many);
    expect(await embedder.embed(['hello'])).toEqual([before]);
    await embedder.close();
  });

  it('gives a unit vector to any text', async () => {
    const place = path.join(folder, 'any');
    writeTable(await readVocabulary(), place);
    const embedder = openStaticEmbedder(place)!;
    for (const text of ['', '🦕', 'x'.repeat(1_000_000), '\ud800', 'ordinary words']) {
      const [vector] = await embedder.embed([text]);
      expect(Math.hypot(...vector!)).toBeCloseTo(1, 5);
    }
    await embedder.close();
  });

  it('is absent where it was not made, and where the file is not whole', async () => {
    expect(openStaticEmbedder(path.join(folder, 'nowhere'))).toBeUndefined();
    const place = path.join(folder, 'broken');
    const file = writeTable(await readVocabulary(), place);
    const bytes = fs.readFileSync(file);
    for (const damage of [Buffer.alloc(0), bytes.subarray(0, 40), bytes.subarray(0, -1), Buffer.alloc(bytes.length)]) {
      fs.writeFileSync(file, damage);
      expect(openStaticEmbedder(place)).toBeUndefined();
    }
  });
});

describe('making the static table', () => {
  it('leaves nothing behind when it is broken off', async () => {
    const place = path.join(folder, 'stopped');
    const work = buildStaticTable(place, { signal: AbortSignal.abort(new Error('enough')) });
    await expect(work).rejects.toThrow('enough');
    expect(openStaticEmbedder(place)).toBeUndefined();
  });

  it('is done once', async () => {
    const place = path.join(folder, 'once');
    writeTable(await readVocabulary(), place);
    expect(await buildStaticTable(place)).toBe('existing');
  });
});

describe('principal parts', () => {
  it('keep the distances of rows that lie in fewer dimensions', async () => {
    const rows = 60;
    const values = new Float32Array(rows * 8);
    // Three numbers, spread over eight.
    for (let at = 0; at < rows; at++)
      for (let i = 0; i < 8; i++)
        values[at * 8 + i] = Math.sin(at) * (i + 1) + Math.cos(at * 2) * (i % 3) + ((at * 7) % 5) * (i % 2) + 4;
    const parts = await principalParts({ rows, columns: 8, values }, 3, async () => {});
    const distance = (of: Float32Array, width: number, a: number, b: number): number =>
      Math.hypot(...Array.from({ length: width }, (_, i) => of[a * width + i]! - of[b * width + i]!));
    for (let at = 1; at < rows; at++) expect(distance(parts, 3, 0, at)).toBeCloseTo(distance(values, 8, 0, at), 3);
  });
});
