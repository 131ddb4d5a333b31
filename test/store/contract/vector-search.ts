// The contract of vectors and nearest: exact order in small sets, nearly exact in large ones, kept by content and model.

import { describe, expect, it } from 'vitest';
import type { Change, Filter, Store } from '../../../src/store/store.ts';
import { rounded } from '../../../src/store/vector-bytes.ts';
import type { Bench } from '../contract.ts';
import { put } from './sample.ts';

const MODEL = 'test-model';

function vectors(entries: Readonly<Record<string, readonly number[]>>, model = MODEL): Change {
  const rows = Object.entries(entries).map(([ref, numbers]) => ({
    hash: `hash of ${ref}`,
    model,
    vector: Float32Array.from(numbers),
  }));
  return { op: 'vectors', vectors: rows };
}

async function near(store: Store, numbers: readonly number[], filter: Filter = {}, limit = 10): Promise<string[]> {
  const hits = await store.nearest({ model: MODEL, vector: Float32Array.from(numbers), filter, limit });
  return hits.map((hit) => hit.ref);
}

/** Numbers in [-1, 1) that are the same in every run. */
function noise(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

/** Texts on the same subject lie close together: vectors around a few centres, as models make them. */
function clustered(count: number, dimensions: number): Float32Array[] {
  const random = noise(7);
  const centres = Array.from({ length: 40 }, () => Float32Array.from({ length: dimensions }, random));
  return Array.from({ length: count }, (_, n) => centres[n % 40]!.map((x) => x + 0.5 * random()));
}

const signs = (length: number, first = 1): Uint8Array => Uint8Array.from({ length }, (_, at) => first + at);

export function vectorSearchContract({ open }: Bench): void {
  describe('tokens', () => {
    const given = (ref: string, tokens?: Uint8Array, model = MODEL): Change => ({
      op: 'vectors',
      vectors: [{ hash: `hash of ${ref}`, model, vector: Float32Array.of(1, 0), ...(tokens ? { tokens } : {}) }],
    });
    const hashes = ['hash of a', 'hash of b', 'hash of nothing'];

    it('are kept by content and model, if the store keeps them, and what came without has none', async () => {
      const store = await open();
      if (!store.tokens) return;
      expect(await store.tokens({ model: MODEL, hashes })).toEqual(new Map());
      await store.apply([put('a'), put('b'), given('a', signs(32)), given('b'), given('a', signs(16, 9), 'other')]);
      expect(await store.tokens({ model: MODEL, hashes })).toEqual(new Map([['hash of a', signs(32)]]));
      expect(await store.tokens({ model: 'other', hashes })).toEqual(new Map([['hash of a', signs(16, 9)]]));
      await store.apply([given('a', signs(48, 5))]);
      expect(await store.tokens({ model: MODEL, hashes })).toEqual(new Map([['hash of a', signs(48, 5)]]));
      expect(await near(store, [1, 0])).toEqual(['a', 'b']);
    });

    it('go with the vectors that they came with', async () => {
      const store = await open();
      if (!store.tokens) return;
      await store.apply([put('a'), given('a', signs(16)), given('b', signs(16)), given('a', signs(16), 'other')]);
      await store.apply([{ op: 'prune', vectors: 'unused' }]);
      expect([...(await store.tokens({ model: MODEL, hashes })).keys()]).toEqual(['hash of a']);
      await store.apply([{ op: 'prune', vectors: { model: MODEL } }]);
      expect(await store.tokens({ model: MODEL, hashes })).toEqual(new Map());
      expect((await store.tokens({ model: 'other', hashes })).size).toBe(1);
    });

    it('are refused where they are not of whole tokens', async () => {
      const store = await open();
      await expect(store.apply([put('a'), given('a', signs(20))])).rejects.toThrow(/16 bytes/);
    });
  });

  describe('nearest', () => {
    it('orders by the cosine, and settles ties by project and ref', async () => {
      const store = await open();
      await store.apply([
        ...['far', 'same', 'close', 'tie-b', 'tie-a', 'zero', 'unembedded'].map((ref) => put(ref)),
        vectors({ far: [-1, 0], same: [2, 0], close: [1, 0.2], 'tie-b': [0, 1], 'tie-a': [0, 3], zero: [0, 0] }),
      ]);
      expect(await near(store, [1, 0])).toEqual(['same', 'close', 'tie-a', 'tie-b', 'zero', 'far']);
      expect(await near(store, [1, 0], {}, 3)).toEqual(['same', 'close', 'tie-a']);
      const [best] = await store.nearest({ model: MODEL, vector: Float32Array.of(1, 0), limit: 1 });
      expect(best).toEqual({ project: 'apollo', ref: 'same', score: 1 });
    });

    it('gives hits with their documents, if they are asked for', async () => {
      const store = await open();
      await store.apply([put('a', { tags: ['x'] }), put('b', { project: 'zeus' }), vectors({ a: [1, 0], b: [1, 1] })]);
      const query = { model: MODEL, vector: Float32Array.of(1, 0), limit: 2 };
      const hits = await store.nearest({ ...query, documents: true });
      expect(hits.map(({ document, ...hit }) => hit)).toEqual(await store.nearest(query));
      for (const { project, ref, document } of hits)
        expect([document]).toEqual(await store.get({ refs: [ref], projects: [project] }));
    });

    it('tells the cosine of any content', async () => {
      const store = await open();
      await store.apply([put('a'), vectors({ a: [2, 0], b: [0, 1], c: [1, 1], zero: [0, 0] })]); // b, c and zero are no document's
      const hashes = ['hash of c', 'hash of a', 'hash of b', 'hash of zero', 'unknown'];
      const cosines = await store.cosines({ model: MODEL, vector: Float32Array.of(1, 0), hashes });
      expect([...cosines].sort()).toEqual([
        ['hash of a', 1],
        ['hash of b', 0],
        ['hash of c', expect.closeTo(Math.SQRT1_2, 9)],
        ['hash of zero', 0],
      ]);
      expect((await store.cosines({ model: 'unknown', vector: Float32Array.of(1), hashes })).size).toBe(0);
      const wrong = store.cosines({ model: MODEL, vector: Float32Array.of(1), hashes });
      await expect(wrong).rejects.toMatchObject({ code: 'STORE_ERROR' });
    });

    it('keeps to the filter', async () => {
      const store = await open();
      await store.apply([
        put('a', { kind: 'span', session: 's1' }),
        put('b', { status: 'retired', createdAt: 5_000 }),
        put('c', { project: 'zeus', layer: 'note', tags: ['x'] }),
        vectors({ a: [1, 0], b: [1, 1], c: [0, 1] }),
      ]);
      expect(await near(store, [1, 0])).toEqual(['a', 'b', 'c']);
      expect(await near(store, [1, 0], { projects: ['apollo'] })).toEqual(['a', 'b']);
      expect(await near(store, [1, 0], { kinds: ['span'] })).toEqual(['a']);
      expect(await near(store, [1, 0], { layers: ['note'] })).toEqual(['c']);
      expect(await near(store, [1, 0], { statuses: ['active'] })).toEqual(['a', 'c']);
      expect(await near(store, [1, 0], { sessions: ['s1'] })).toEqual(['a']);
      expect(await near(store, [1, 0], { tags: ['x'] })).toEqual(['c']);
      expect(await near(store, [1, 0], { since: 2_000 })).toEqual(['b']);
      expect(await near(store, [1, 0], { projects: [] })).toEqual([]);
    });

    it('follows a document: other content, other kind, removal', async () => {
      const store = await open();
      await store.apply([put('a'), put('b'), vectors({ a: [1, 0], b: [0, 1], c: [-1, 0] })]);
      await store.apply([put('a', { hash: 'hash of c' })]);
      expect(await near(store, [1, 0])).toEqual(['b', 'a']);
      await store.apply([put('a', { hash: 'hash of a', kind: 'todo' })]);
      expect(await near(store, [1, 0])).toEqual(['a', 'b']);
      expect(await near(store, [1, 0], { kinds: ['todo'] })).toEqual(['a']);
      expect(await near(store, [1, 0], { kinds: ['decision'] })).toEqual(['b']);
      await store.apply([{ op: 'delete', where: { refs: ['a'] } }]);
      expect(await near(store, [1, 0])).toEqual(['b']);
      await store.apply([put('a', { hash: 'never embedded' })]);
      expect(await near(store, [1, 0])).toEqual(['b']);
    });

    it('gives every document of the same content the same vector, whichever came first', async () => {
      const store = await open();
      await store.apply([put('a'), vectors({ a: [1, 0] }), put('twin', { hash: 'hash of a', project: 'zeus' })]);
      expect(await near(store, [1, 0])).toEqual(['a', 'twin']);
      await store.apply([vectors({ a: [0, 1] })]);
      const hits = await store.nearest({ model: MODEL, vector: Float32Array.of(1, 0), limit: 5 });
      expect(hits.map((hit) => hit.score)).toEqual([0, 0]);
    });

    it('keeps models apart', async () => {
      const store = await open();
      await store.apply([put('a'), put('b'), vectors({ a: [1, 0] }), vectors({ b: [1, 0, 0] }, 'other')]);
      expect(await near(store, [1, 0])).toEqual(['a']);
      expect(await store.nearest({ model: 'unknown', vector: Float32Array.of(1), limit: 5 })).toEqual([]);
      const wrong = store.nearest({ model: 'other', vector: Float32Array.of(1, 0), limit: 5 });
      await expect(wrong).rejects.toMatchObject({ code: 'STORE_ERROR' });
    });

    it('is nearly exact among thousands, for every kind of filter', async () => {
      const store = await open();
      const all = clustered(4_000, 96);
      const isTodo = (n: number) => Math.floor(n / 40) % 2 === 1; // half of each cluster
      await store.apply([
        ...all.map((_, n) =>
          put(`d${n}`, { status: n % 400 ? 'active' : 'rare', kind: isTodo(n) ? 'todo' : 'decision', createdAt: n }),
        ),
        { op: 'vectors', vectors: all.map((vector, n) => ({ hash: `hash of d${n}`, model: MODEL, vector })) },
      ]);
      const filters: [Filter, (n: number) => boolean][] = [
        [{}, () => true],
        [{ kinds: ['todo'] }, isTodo],
        [{ statuses: ['rare'] }, (n) => n % 400 === 0],
        [{ since: 2_000 }, (n) => n >= 2_000],
        [{ refs: ['d1', 'd2', 'd3'] }, (n) => n >= 1 && n <= 3],
      ];
      for (const [filter, passes] of filters) {
        let hit = 0;
        let wanted = 0;
        for (let query = 0; query < 10; query++) {
          const vector = all[query * 97]!.map((x, at) => x + 0.2 * Math.sin(at * (query + 1)));
          const best = all
            .map((other, n) => ({ ref: `d${n}`, score: cosine(other, vector), passes: passes(n) }))
            .filter((entry) => entry.passes)
            .sort((a, b) => b.score - a.score)
            .slice(0, 10);
          const got = new Set(await near(store, [...vector], filter, 10));
          expect(got.size).toBe(best.length);
          hit += best.filter((entry) => got.has(entry.ref)).length;
          wanted += best.length;
        }
        expect(hit / wanted).toBeGreaterThanOrEqual(0.95);
      }
    });

    it('forgets nothing and finds nothing stale after a document was rewritten many times', async () => {
      const store = await open();
      const random = noise(3);
      await store.apply(Array.from({ length: 50 }, (_, n) => put(`d${n}`)));
      for (let round = 0; round < 40; round++) {
        const hashes = Array.from({ length: 50 }, (_, n) => `round ${round} of ${n}`);
        await store.apply([
          ...hashes.map((hash, n) => put(`d${n}`, { hash })),
          {
            op: 'vectors',
            vectors: hashes.map((hash) => ({ hash, model: MODEL, vector: Float32Array.from({ length: 8 }, random) })),
          },
        ]);
      }
      expect(new Set(await near(store, [1, 1, 1, 1, 1, 1, 1, 1], {}, 100)).size).toBe(50);
    });
  });

  describe('vectors', () => {
    it('come back bit for bit, by content and model, ordered by hash', async () => {
      const store = await open();
      const vector = Float32Array.of(0.1, -0, 3.4e38, 1e-45);
      const rows = ['b', 'a'].map((hash) => ({ hash, model: MODEL, vector }));
      await store.apply([{ op: 'vectors', vectors: rows }]);
      expect(await store.vectors({ model: MODEL, hashes: ['b', 'missing', 'a'] })).toEqual([rows[1], rows[0]]);
      expect(await store.vectors({ model: 'other', hashes: ['a'] })).toEqual([]);
    });

    it('come back bit for bit in the form that takes less room, beside the other', async () => {
      const store = await open();
      const [plain, short] = [
        Float32Array.of(0.3, -0.1, 0.7, 0.2, 0.5),
        rounded(Float32Array.of(0.3, -0.1, 0.7, 0.2, 0.5)),
      ];
      expect(short).not.toEqual(plain);
      const rows = [
        { hash: 'a', model: MODEL, vector: plain },
        { hash: 'b', model: MODEL, vector: short },
      ];
      await store.apply([{ op: 'vectors', vectors: rows }]);
      expect(await store.vectors({ model: MODEL, hashes: ['a', 'b'] })).toEqual(rows);
    });

    it('outlive their documents and a clear, until they are pruned', async () => {
      const store = await open();
      await store.apply([put('a'), put('b'), vectors({ a: [1, 0], b: [0, 1] }), vectors({ a: [1] }, 'other')]);
      await store.apply([{ op: 'clear' }]);
      expect(await near(store, [1, 0])).toEqual([]);
      await store.apply([put('a')]);
      expect(await near(store, [1, 0])).toEqual(['a']);
      await store.apply([{ op: 'prune', vectors: 'unused' }]);
      expect(await store.vectors({ model: MODEL, hashes: ['hash of a', 'hash of b'] })).toHaveLength(1);
      await store.apply([{ op: 'prune', vectors: { model: 'other' } }]);
      expect((await store.stats()).vectors).toEqual([{ model: MODEL, dimensions: 2, count: 1 }]);
      await store.apply([vectors({ a: [1, 2, 3] }, 'other')]);
      expect((await store.stats()).vectors).toHaveLength(2);
    });
  });
}

function cosine(a: Float32Array, b: Float32Array): number {
  const dot = (x: Float32Array, y: Float32Array) => x.reduce((sum, value, at) => sum + value * y[at]!, 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}
