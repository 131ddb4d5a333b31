import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/fixtures/temporary.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import type { Change, Store } from '../../store/store.ts';
import { rounded } from '../../store/vector-bytes.ts';
import { hasUnrounded, roundVectors } from './round-vectors.ts';

const COUNT = 1_203;
/** In no order, and the same each time. */
const vectorOf = (at: number): Float32Array =>
  Float32Array.from({ length: 16 }, (_, place) => (Math.sin(at * 12.9898 + place * 78.233) * 43_758.5453) % 1);
const hashOf = (at: number): string => `hash ${at}`;
const tokens = Uint8Array.from({ length: 16 }, (_, at) => at);

const put = (at: number): Change => ({
  op: 'put',
  document: {
    ref: `idea:${at}`,
    project: '/p',
    layer: 'trace',
    kind: 'context',
    status: 'active',
    title: `Idea ${at}`,
    text: `Idea ${at}`,
    tags: [],
    confidence: 1,
    createdAt: at,
    updatedAt: at,
    hash: hashOf(at),
  },
});

let store: Store;
beforeEach(async () => {
  store = await openSqliteStore(path.join(temporaryFolder(), 'memory.db'));
  const all = Array.from({ length: COUNT }, (_, at) => at);
  const vectors = all.map((at) => ({ hash: hashOf(at), model: 'm', vector: vectorOf(at), tokens }));
  await store.apply([...all.map(put), { op: 'vectors', vectors }]);
});
afterEach(() => store.close());

const read = async (): Promise<Map<string, Float32Array>> => {
  const hashes = Array.from({ length: COUNT }, (_, at) => hashOf(at));
  return new Map((await store.vectors({ model: 'm', hashes })).map(({ hash, vector }) => [hash, vector]));
};

describe('vectors of an earlier version', () => {
  it('are rounded where they are, however often it is stopped, and none is lost', async () => {
    const before = await store.nearest({ model: 'm', vector: vectorOf(40), limit: 5 });
    expect(await hasUnrounded(store, 'm')).toBe(true);
    let looks = 0;
    let changed = 0;
    while (await hasUnrounded(store, 'm')) changed += await roundVectors(store, 'm', () => ++looks % 2 === 0);
    expect(changed).toBe(COUNT);
    const after = await read();
    expect(after.size).toBe(COUNT);
    for (const [hash, vector] of after) expect(vector).toEqual(rounded(vectorOf(Number(hash.slice(5)))));
    expect((await store.tokens?.({ model: 'm', hashes: [hashOf(3)] }))?.get(hashOf(3))).toEqual(tokens);
    const found = await store.nearest({ model: 'm', vector: vectorOf(40), limit: 5 });
    expect(found.map(({ ref }) => ref)).toEqual(before.map(({ ref }) => ref));
    expect(await roundVectors(store, 'm')).toBe(0);
  });

  it('are compared with new ones as they are', async () => {
    const half = Array.from({ length: 600 }, (_, at) => ({
      hash: hashOf(at),
      model: 'm',
      vector: rounded(vectorOf(at)),
    }));
    await store.apply([{ op: 'vectors', vectors: half }]);
    for (const at of [3, 599, 600, 1_100]) {
      const [best] = await store.nearest({ model: 'm', vector: vectorOf(at), limit: 1 });
      expect(best?.ref).toBe(`idea:${at}`);
      expect(best?.score).toBeGreaterThan(0.999);
    }
    expect((await store.cosines({ model: 'm', vector: vectorOf(1), hashes: [hashOf(1), hashOf(900)] })).size).toBe(2);
  });

  it('are not looked for where all are new', async () => {
    const all = Array.from({ length: COUNT }, (_, at) => ({
      hash: hashOf(at),
      model: 'm',
      vector: rounded(vectorOf(at)),
    }));
    await store.apply([{ op: 'vectors', vectors: all }]);
    expect(await hasUnrounded(store, 'm')).toBe(false);
    expect(await hasUnrounded(store, 'other')).toBe(false);
  });
});
