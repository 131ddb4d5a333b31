import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Embedder } from '../../embed/embedder.ts';
import { toUnit } from '../../embed/embedder.ts';
import { openMinilm } from '../../embed/local-embedder.ts';
import { CairnError } from '../../errors.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import type { Change, Document, Store } from '../../store/store.ts';
import { rounded } from '../../store/vector-bytes.ts';
import { embedDocuments } from './embed-documents.ts';
import { embeddedText } from './embedded-text.ts';

let folder: string;
let store: Store;
beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cairn-embed-documents-'));
  store = await openSqliteStore(path.join(folder, 'memory.db'));
});
afterEach(async () => {
  await store.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

const put = (ref: string, text: string, more: Partial<Document> = {}): Change => ({
  op: 'put',
  document: {
    ref,
    project: '/p',
    layer: 'trace',
    kind: 'context',
    status: 'active',
    title: text.slice(0, 20),
    text,
    tags: [],
    confidence: 1,
    createdAt: Number(ref.replace(/\D/g, '')) || 0,
    updatedAt: 0,
    hash: `hash of ${text}`,
    ...more,
  },
});

/** Counts what it is asked; refuses texts with `poison`, and may be out of order. */
function counting(model = 'counting'): Embedder & { texts: string[]; broken: boolean } {
  const embedder = {
    model,
    dimensions: 4,
    texts: [] as string[],
    broken: false,
    embed: async (texts: readonly string[]) => {
      if (embedder.broken) throw new CairnError('IO_ERROR', 'out of order');
      if (texts.some((text) => text.includes('poison'))) throw new CairnError('INPUT_ERROR', 'refused');
      embedder.texts.push(...texts);
      return texts.map((text) => toUnit(Float32Array.from([text.length, text.codePointAt(0) ?? 0, 1, 0])));
    },
    close: async () => {},
  };
  return embedder;
}

const allVectors = async (model: string, texts: readonly string[]) =>
  store.vectors({ model, hashes: texts.map((text) => `hash of ${text}`) });

describe('embedDocuments', () => {
  it('gives every document a vector, newest first, and equal content only one', async () => {
    await store.apply([put('idea:1', 'old'), put('idea:2', 'same'), put('idea:3', 'same'), put('idea:4', 'new')]);
    const embedder = counting();
    expect(await embedDocuments(store, embedder)).toEqual({ embedded: 3, reused: 1, left: 0 });
    expect(embedder.texts).toEqual(['new', 'same', 'old']);
    expect((await allVectors('counting', ['old', 'same', 'new'])).length).toBe(3);
    expect((await store.list({ filter: { unembedded: 'counting' }, limit: 10 })).documents).toEqual([]);
  });

  it('takes what is asked for first: what is curated, then what was decided and came out, then the rest of what people said', async () => {
    await store.apply([
      put('idea:9', 'narration', { meta: { role: 'assistant' } }),
      put('idea:8', 'remark', { meta: { role: 'user' } }),
      put('idea:7', 'mended', { kind: 'solution' }),
      put('idea:6', 'committed', { layer: 'commit', kind: 'commit' }),
      put('idea:5', 'decided late', { kind: 'decision' }),
      put('idea:4', 'asked', { kind: 'span' }),
      put('idea:3', 'decided early', { kind: 'decision' }),
      put('record:2', 'rule', { layer: 'record', kind: 'decision' }),
      put('note:1', 'poison note', { layer: 'note', kind: 'discovery' }),
    ]);
    const embedder = counting();
    expect(await embedDocuments(store, embedder, { batch: 1 })).toEqual({ embedded: 8, reused: 0, left: 1 });
    const order = ['rule', 'decided late', 'asked', 'decided early', 'committed', 'mended', 'remark', 'narration'];
    expect(embedder.texts).toEqual(order);
  });

  it('writes what goes along with each batch in one transaction with it', async () => {
    await store.apply([put('idea:1', 'one'), put('idea:2', 'two')]);
    const along = ({ embedded }: { embedded: number }): Change[] => [
      { op: 'state', key: 'n', value: String(embedded) },
    ];
    await embedDocuments(store, counting(), { batch: 1, along });
    expect(await store.state({ keys: ['n'] })).toEqual([{ key: 'n', value: '2' }]);
  });

  it('does nothing the second time, and everything for another model, beside which the first stays', async () => {
    await store.apply([put('idea:1', 'one'), put('idea:2', 'two')]);
    await embedDocuments(store, counting());
    expect(await embedDocuments(store, counting())).toEqual({ embedded: 0, reused: 0, left: 0 });
    expect(await embedDocuments(store, counting('other'))).toMatchObject({ embedded: 2 });
    expect((await allVectors('counting', ['one', 'two'])).length).toBe(2);
  });

  it('keeps to its filter', async () => {
    await store.apply([put('idea:1', 'one'), put('idea:2', 'two', { project: '/q' })]);
    const embedder = counting();
    await embedDocuments(store, embedder, { filter: { projects: ['/q'] } });
    expect(embedder.texts).toEqual(['two']);
  });

  it('leaves out and counts what the model refuses, and nothing else', async () => {
    const texts = Array.from({ length: 40 }, (_, at) => (at % 13 === 0 ? `poison ${at}` : `text ${at}`));
    await store.apply(texts.map((text, at) => put(`idea:${at}`, text)));
    expect(await embedDocuments(store, counting(), { batch: 8 })).toEqual({ embedded: 36, reused: 0, left: 4 });
    expect(await embedDocuments(store, counting(), { batch: 8 })).toEqual({ embedded: 0, reused: 0, left: 4 });
  });

  it('fails where the embedder is out of order, and keeps what was made before', async () => {
    await store.apply(Array.from({ length: 10 }, (_, at) => put(`idea:${at}`, `text ${at}`)));
    const embedder = counting();
    const work = embedDocuments(store, embedder, {
      batch: 4,
      onProgress: () => {
        embedder.broken = true;
      },
    });
    await expect(work).rejects.toMatchObject({ code: 'IO_ERROR' });
    embedder.broken = false;
    expect(await embedDocuments(store, embedder)).toMatchObject({ embedded: 6, left: 0 });
    expect(new Set(embedder.texts).size).toBe(embedder.texts.length);
  });

  it('goes through many pages', async () => {
    await store.apply(Array.from({ length: 1_203 }, (_, at) => put(`idea:${at}`, `text ${at}`)));
    expect(await embedDocuments(store, counting(), { batch: 100 })).toEqual({ embedded: 1_203, reused: 0, left: 0 });
  });

  it('ends with the same vectors, each made once, however often it is stopped', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ minLength: 1, maxLength: 3, unit: 'grapheme-ascii' }), { maxLength: 30 }),
        fc.integer({ min: 1, max: 7 }),
        fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 6 }),
        async (texts, batch, stops) => {
          await store.apply([{ op: 'clear' }, { op: 'prune', vectors: 'unused' }]);
          await store.apply(texts.map((text, at) => put(`idea:${at}`, text)));
          const embedder = counting();
          const distinct = [...new Set(texts)];
          for (const stopAfter of stops) {
            let batches = 0;
            const report = await embedDocuments(store, embedder, { batch, stopped: () => ++batches > stopAfter });
            const undone = await store.list({ filter: { unembedded: 'counting' }, limit: 100 });
            expect(report.left).toBe(undone.documents.length);
          }
          await embedDocuments(store, embedder, { batch });
          expect([...embedder.texts].sort()).toEqual(distinct.sort());
          for (const { hash, vector } of await allVectors('counting', distinct))
            expect(vector).toEqual(rounded((await counting().embed([hash.slice('hash of '.length)]))[0]!));
        },
      ),
      { numRuns: 100, examples: [[[' !'], 1, []]] },
    );
  });

  it('makes documents findable by meaning with the real model', async () => {
    const texts = [
      'We keep sessions in Redis and let them expire after a day.',
      'The invoice template got a new logo.',
      'CI takes nine minutes because the cache is never hit.',
    ];
    await store.apply(texts.map((text, at) => put(`idea:${at}`, text)));
    const embedder = await openMinilm({});
    expect(await embedDocuments(store, embedder)).toMatchObject({ embedded: 3 });
    const [vector] = await embedder.embed(['why is the pipeline slow?']);
    const hits = await store.nearest({ model: embedder.model, vector: vector!, limit: 3 });
    expect(hits[0]?.ref).toBe('idea:2');
    await embedder.close();
  });
});

describe('what is embedded', () => {
  it('is the text, under its title unless that is only how the text begins', () => {
    expect(embeddedText({ title: 'Use JWT', text: 'Because sessions do not scale.' })).toBe(
      'Use JWT\nBecause sessions do not scale.',
    );
    expect(embeddedText({ title: 'We use JWT bec…', text: 'We use\nJWT because' })).toBe('We use\nJWT because');
    expect(embeddedText({ title: '', text: 'text' })).toBe('text');
  });
});
