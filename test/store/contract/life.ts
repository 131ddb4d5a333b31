// The contract of opening, closing, damage, other versions and other processes.

import { describe, expect, it } from 'vitest';
import type { Change } from '../../../src/store/store.ts';
import type { Bench } from '../contract.ts';
import { allRefs, found, put, sample } from './sample.ts';

export function lifeContract({ harness, open }: Bench): void {
  describe('a life of a store', () => {
    it('names what it can do', async () => {
      const { abilities } = await open();
      expect(abilities).toEqual({ fullText: expect.any(Boolean), vectors: expect.any(Boolean) });
    });

    it('keeps its data over a close', async () => {
      const first = await open();
      expect(first.opened).toBe('created');
      const vector = Float32Array.of(1, 2);
      await first.apply([
        { op: 'put', document: sample('a', { text: 'walrus' }), mentions: [{ entity: 'e', kind: 'k', count: 1 }] },
        { op: 'vectors', vectors: [{ hash: 'hash of a', model: 'm', vector }] },
        { op: 'state', key: 'k', value: 'v' },
      ]);
      await first.close();
      const second = await open();
      expect(second.opened).toBe('existing');
      expect(await second.get({ refs: ['a'] })).toEqual([sample('a', { text: 'walrus' })]);
      expect(await found(second, 'walrus')).toEqual(['a']);
      expect(await second.nearest({ model: 'm', vector, limit: 1 })).toMatchObject([{ ref: 'a' }]);
      expect(await second.state({})).toEqual([{ key: 'k', value: 'v' }]);
    });

    it('refuses work after a close, which may be said twice', async () => {
      const store = await open();
      await store.close();
      await store.close();
      await expect(store.list({ limit: 1 })).rejects.toMatchObject({ code: 'STORE_ERROR' });
      await expect(store.apply([put('a')])).rejects.toMatchObject({ code: 'STORE_ERROR' });
    });

    it('is empty after a change of the schema, except for the vectors', async () => {
      const old = await open();
      const vector = Float32Array.of(1, 0);
      await old.apply([
        {
          op: 'put',
          document: sample('a', { text: 'walrus' }),
          links: [{ to: 'b', relation: 'answers', confidence: 1 }],
        },
        { op: 'vectors', vectors: [{ hash: 'hash of a', model: 'm', vector, tokens: new Uint8Array(16).fill(7) }] },
        { op: 'state', key: 'k', value: 'v' },
      ]);
      await old.close();
      await harness().outdate();
      const store = await open();
      expect(store.opened).toBe('recreated');
      expect(await allRefs(store)).toEqual([]);
      expect(await store.state({})).toEqual([]);
      expect(await store.links({ refs: ['a'] })).toEqual([]);
      expect(await found(store, 'walrus')).toEqual([]);
      expect(await store.vectors({ model: 'm', hashes: ['hash of a'] })).toHaveLength(1);
      if (store.tokens) expect((await store.tokens({ model: 'm', hashes: ['hash of a'] })).size).toBe(1);
      await store.apply([put('a', { text: 'walrus' })]);
      expect(await store.nearest({ model: 'm', vector, limit: 1 })).toMatchObject([{ ref: 'a', score: 1 }]);
      await store.close();
      expect((await open()).opened).toBe('existing');
    });

    it('keeps the rows of an older schema aside, to be read, until they are dropped', async () => {
      const old = await open();
      const before = sample('a', {
        text: 'walrus',
        source: { file: '/t.jsonl', line: 3 },
        tags: ['x'],
        meta: { n: 1 },
      });
      await old.apply([
        {
          op: 'put',
          document: before,
          links: [{ to: 'b', relation: 'answers', confidence: 1, rule: 'r' }],
          mentions: [{ entity: 'walrus', kind: 'thing', count: 2 }],
        },
        { op: 'state', key: 'k', value: 'v' },
      ]);
      await old.close();
      await harness().outdate();
      const store = await open();
      const [version] = await store.leftBehind();
      expect(await store.leftBehind()).toHaveLength(1);
      const aside = await store.openLeftBehind(version!);
      expect((await aside.list({ filter: { files: ['/t.jsonl'] }, order: 'ref', limit: 9 })).documents).toEqual([
        before,
      ]);
      expect(await aside.links({ refs: ['a'], direction: 'out' })).toMatchObject([{ to: 'b', rule: 'r' }]);
      expect(await aside.mentions({ refs: ['a'] })).toMatchObject([{ entity: 'walrus', count: 2 }]);
      expect(await aside.state({})).toEqual([{ key: 'k', value: 'v' }]);
      await expect(aside.apply([put('b')])).rejects.toMatchObject({ code: 'STORE_ERROR' });
      await aside.close();
      await store.apply([put('b')]);
      await store.dropLeftBehind(version!);
      expect(await store.leftBehind()).toEqual([]);
      expect(await allRefs(store)).toEqual(['b']);
    });

    it('reads what a newer schema holds, changes nothing in it, and says which version made it', async () => {
      const made = await open();
      await made.apply([put('a', { text: 'walrus' }), { op: 'state', key: 'k', value: 'v' }]);
      await made.close();
      await harness().outpace();
      const store = await open();
      expect(store.opened).toBe('newer');
      expect(store.readOnly).toMatchObject({ code: 'STORE_ERROR', fix: expect.stringContaining('Update this Cairn') });
      expect(store.readOnly!.message).toMatch(/made by Cairn \d+\.\d+\.\d+\S* \(schema 9999\)/);
      expect(await found(store, 'walrus')).toEqual(['a']);
      expect(await store.state({ keys: ['k'] })).toHaveLength(1);
      await expect(store.apply([{ op: 'clear' }])).rejects.toMatchObject({ code: 'STORE_ERROR' });
      await store.close();
      const again = await open();
      expect([again.opened, await allRefs(again)]).toEqual(['newer', ['a']]);
    });

    it('says that its data is damaged, and what to run', async () => {
      const store = await open();
      await store.apply([put('a')]);
      await store.close();
      await harness().damage();
      await expect(open()).rejects.toMatchObject({
        name: 'CairnError',
        code: 'STORE_ERROR',
        fix: expect.stringContaining('cairn reindex'),
      });
    });

    it('shows two openers the same data', async () => {
      const [one, two] = [await open(), await open()];
      await one.apply([put('a', { kind: 'brand-new' })]);
      expect(await two.get({ refs: ['a'] })).toEqual([sample('a', { kind: 'brand-new' })]);
      await two.apply([{ op: 'clear' }, put('b', { kind: 'another', text: 'walrus' })]);
      expect(await one.get({ refs: ['a', 'b'] })).toEqual([sample('b', { kind: 'another', text: 'walrus' })]);
      await one.apply([put('c', { kind: 'brand-new', text: 'walrus' })]);
      expect(await found(two, 'walrus')).toEqual(['b', 'c']);
      expect((await two.list({ filter: { kinds: ['brand-new'] }, limit: 9 })).documents).toHaveLength(1);
    });

    it('never shows a reader half of a batch that another process writes', async () => {
      const store = await open();
      const size = 50;
      const batches = Array.from({ length: 20 }, (_, batch): Change[] =>
        Array.from({ length: size }, (_, n) => put(`b${batch}-${n}`, { session: `s${batch}`, text: 'walrus' })),
      );
      let running = true;
      const writing = harness()
        .elsewhere({ batches })
        .finally(() => {
          running = false;
        });
      while (running) {
        const { documents } = await store.stats();
        expect((documents[0]?.count ?? 0) % size).toBe(0);
        expect((await store.search({ terms: [{ text: 'walrus' }], limit: 5_000 })).length % size).toBe(0);
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      await writing;
      expect((await store.stats()).documents[0]?.count).toBe(batches.length * size);
    });

    it('lets several processes open a new store and write to it at once, and loses nothing', async () => {
      const writers = Array.from({ length: 4 }, (_, writer) =>
        harness().elsewhere({
          batches: Array.from({ length: 10 }, (_, batch) =>
            Array.from({ length: 5 }, (_, n) => put(`w${writer}-${batch}-${n}`, { kind: `kind ${batch}` })),
          ),
          increments: { key: 'counter', times: 25 },
        }),
      );
      await Promise.all(writers);
      const store = await open();
      expect(await allRefs(store)).toHaveLength(4 * 10 * 5);
      expect((await store.stats()).documents).toHaveLength(10);
      expect(await store.state({ keys: ['counter'] })).toEqual([{ key: 'counter', value: '100' }]);
    });
  });
}
