// The contract of apply: batches are transactions, documents replace each other whole, what belongs to a document goes with it.

import { describe, expect, it } from 'vitest';
import type { Change } from '../../../src/store/store.ts';
import type { Bench } from '../contract.ts';
import { allRefs, found, put, sample } from './sample.ts';

const NEVER = 'there is no such key';

/** Each of these is refused, and refuses its whole batch. */
const BAD_CHANGES: readonly (readonly [what: string, change: Change])[] = [
  ['a confidence over 1', put('bad', { confidence: 1.5 })],
  ['a confidence that is no number', put('bad', { confidence: Number.NaN })],
  ['an empty ref', put('')],
  ['a ref with a NUL', put('a\0b')],
  ['a project with half a surrogate pair', put('bad', { project: '\uD800' })],
  ['a time that is not whole', put('bad', { createdAt: 0.5 })],
  ['a line that is not whole', put('bad', { source: { file: '/f', line: 1.5 } })],
  ['an empty tag', put('bad', { tags: ['ok', ''] })],
  ['a mention that never happened', mentioning(0)],
  ['a link of a document that does not exist', { op: 'link', links: [link('nobody', 'first')] }],
  ['a delete without a condition', { op: 'delete', where: {} }],
  ['an empty vector', { op: 'vectors', vectors: [{ hash: 'h', model: 'm', vector: new Float32Array() }] }],
  ['a vector with an infinite number', { op: 'vectors', vectors: [{ hash: 'h', model: 'm', vector: infinite() }] }],
  ['vectors of two lengths for one model', { op: 'vectors', vectors: [ones(2), ones(3)] }],
  ['an unmet expectation', { op: 'expect', key: NEVER, value: 'something' }],
  ['an operation that does not exist', { op: 'dance' } as unknown as Change],
];

function mentioning(count: number): Change {
  return { op: 'put', document: sample('bad'), mentions: [{ entity: 'redis', kind: 'technology', count }] };
}

function link(from: string, to: string, relation = 'answers') {
  return { project: 'apollo', from, to, relation, confidence: 1 };
}

function infinite(): Float32Array {
  return Float32Array.of(1, Number.POSITIVE_INFINITY);
}

function ones(length: number) {
  return { hash: `ones ${length}`, model: 'm', vector: new Float32Array(length).fill(1) };
}

export function writingContract({ open }: Bench): void {
  describe('apply', () => {
    it.each(BAD_CHANGES)('refuses %s, and with it the whole batch', async (_what, bad) => {
      const store = await open();
      await store.apply([put('before'), { op: 'state', key: 'k', value: 'old' }]);
      const batch = [
        put('first', { text: 'zebra' }),
        { op: 'delete', where: { refs: ['before'] } },
        { op: 'state', key: 'k', value: 'new' },
        { op: 'vectors', vectors: [ones(2)] },
        bad,
        put('last'),
      ] satisfies Change[];
      await expect(store.apply(batch)).rejects.toMatchObject({ name: 'CairnError', fix: expect.any(String) });
      expect(await allRefs(store)).toEqual(['before']);
      expect(await found(store, 'zebra')).toEqual([]);
      expect(await store.state({})).toEqual([{ key: 'k', value: 'old' }]);
      expect(await store.vectors({ model: 'm', hashes: ['ones 2'] })).toEqual([]);
      await store.apply([put('after')]);
      expect(await allRefs(store)).toEqual(['after', 'before']);
    });

    it('says which change of the batch is wrong, and in what', async () => {
      const store = await open();
      const error = store.apply([put('a'), put('b', { confidence: 7 })]);
      await expect(error).rejects.toMatchObject({ code: 'STORE_ERROR' });
      await expect(error).rejects.toThrow(/Change 2 of 2 \(put\).*confidence.*7/);
    });

    it('gives back what was put, field for field', async () => {
      const store = await open();
      const full = sample('note:full', {
        layer: 'note',
        context: 'the turn before',
        tags: ['b', 'a', 'b'],
        confidence: 0.1 + 0.2,
        createdAt: -5,
        updatedAt: 2 ** 50,
        session: 's1',
        span: 'span:7',
        source: { file: '/src/a b.ts', line: 12 },
        meta: { answered: false, files: [{ path: 'ünï.ts', blob: null }], n: 1.5, 'k\0': ['\0', '\uD800'] },
      });
      const empty = sample('note:empty', { title: '', text: '' });
      await store.apply([
        { op: 'put', document: full },
        { op: 'put', document: empty },
      ]);
      expect(await store.get({ refs: ['note:full', 'note:empty'] })).toEqual([full, empty]);
    });

    it('replaces a document whole: what the new one does not have is gone', async () => {
      const store = await open();
      await store.apply([
        put('a', { text: 'walrus', tags: ['x'], session: 's', source: { file: '/f' }, meta: { a: 1 } }),
      ]);
      await store.apply([put('a', { text: 'ostrich' })]);
      expect(await store.get({ refs: ['a'] })).toEqual([sample('a', { text: 'ostrich' })]);
      expect(await found(store, 'walrus')).toEqual([]);
      expect(await found(store, 'ostrich')).toEqual(['a']);
      expect((await store.list({ filter: { tags: ['x'] }, limit: 9 })).documents).toEqual([]);
      expect((await store.list({ filter: { files: ['/f'] }, limit: 9 })).documents).toEqual([]);
    });

    it('keeps documents of the same ref in two projects apart', async () => {
      const store = await open();
      await store.apply([put('a', { text: 'here' }), put('a', { project: 'zeus', text: 'there' })]);
      await store.apply([{ op: 'delete', where: { projects: ['apollo'], refs: ['a'] } }]);
      expect(await store.get({ refs: ['a'] })).toEqual([sample('a', { project: 'zeus', text: 'there' })]);
    });

    it('replaces links and mentions that are given, and keeps those that are not', async () => {
      const store = await open();
      const mentions = [{ entity: 'redis', kind: 'technology', count: 2 }];
      const links = [{ to: 'x', relation: 'answers', confidence: 1, rule: 'wording' }];
      await store.apply([{ op: 'put', document: sample('a'), links, mentions }]);
      await store.apply([put('a', { text: 'new' })]);
      expect(await store.links({ refs: ['a'] })).toEqual([{ ...links[0], project: 'apollo', from: 'a' }]);
      expect(await store.mentions({ refs: ['a'] })).toEqual([{ ...mentions[0], project: 'apollo', ref: 'a' }]);
      await store.apply([{ op: 'put', document: sample('a'), links: [], mentions: [] }]);
      expect(await store.links({ refs: ['a'] })).toEqual([]);
      expect(await store.entities({})).toEqual([]);
    });

    it('adds links, and replaces one of the same ends and relation', async () => {
      const store = await open();
      await store.apply([put('a'), put('b'), { op: 'link', links: [link('a', 'b'), link('a', 'b', 'builds_on')] }]);
      await store.apply([{ op: 'link', links: [{ ...link('a', 'b'), confidence: 0.25, rule: 'r' }] }]);
      expect(await store.links({ refs: ['b'] })).toEqual([
        { ...link('a', 'b'), confidence: 0.25, rule: 'r' },
        link('a', 'b', 'builds_on'),
      ]);
    });

    it('removes a document with its words, links and mentions, and keeps the links of others to it', async () => {
      const store = await open();
      const mentions = [{ entity: 'redis', kind: 'technology', count: 1 }];
      await store.apply([
        { op: 'put', document: sample('a', { text: 'walrus' }), mentions },
        put('b'),
        { op: 'link', links: [link('a', 'b'), link('b', 'a')] },
      ]);
      await store.apply([{ op: 'delete', where: { refs: ['a'] } }]);
      expect(await allRefs(store)).toEqual(['b']);
      expect(await found(store, 'walrus')).toEqual([]);
      expect(await store.links({ refs: ['a', 'b'] })).toEqual([link('b', 'a')]);
      expect(await store.mentions({})).toEqual([]);
      expect(await store.entities({})).toEqual([]);
    });

    it('removes all documents of a source file', async () => {
      const store = await open();
      await store.apply([
        put('a', { source: { file: '/one', line: 1 } }),
        put('b', { source: { file: '/one', line: 2 } }),
        put('c', { source: { file: '/two' } }),
        put('d'),
      ]);
      await store.apply([{ op: 'delete', where: { files: ['/one'] } }]);
      expect(await allRefs(store)).toEqual(['c', 'd']);
    });

    it('applies changes in their order', async () => {
      const store = await open();
      await store.apply([put('a'), { op: 'delete', where: { refs: ['a'] } }, put('a', { text: 'second' }), put('b')]);
      await store.apply([
        put('c'),
        { op: 'clear' },
        put('d', { text: 'walrus' }),
        { op: 'state', key: 'k', value: 'v' },
      ]);
      expect(await allRefs(store)).toEqual(['d']);
      expect(await found(store, 'walrus')).toEqual(['d']);
      expect(await store.state({})).toEqual([{ key: 'k', value: 'v' }]);
    });

    it('turns characters that cannot be kept into replacement characters', async () => {
      const store = await open();
      await store.apply([put('a', { title: '\0', text: 'left\0right \uDC00.', context: '\uD800' })]);
      const kept = { title: '\uFFFD', text: 'left\uFFFDright \uFFFD.', context: '\uFFFD' };
      expect(await store.get({ refs: ['a'] })).toEqual([sample('a', kept)]);
    });

    it('sets, replaces and removes state', async () => {
      const store = await open();
      await store.apply([
        { op: 'state', key: 'file:/a', value: '1' },
        { op: 'state', key: 'file:/b', value: '' },
        { op: 'state', key: 'other', value: 'x' },
      ]);
      await store.apply([
        { op: 'state', key: 'file:/a', value: '2' },
        { op: 'state', key: 'other', value: null },
      ]);
      expect(await store.state({ prefix: 'file:' })).toEqual([
        { key: 'file:/a', value: '2' },
        { key: 'file:/b', value: '' },
      ]);
      expect(await store.state({ keys: ['other', 'file:/b'] })).toEqual([{ key: 'file:/b', value: '' }]);
    });

    it('lets a batch depend on the state it has read', async () => {
      const store = await open();
      await store.apply([
        { op: 'expect', key: 'k', value: null },
        { op: 'state', key: 'k', value: '1' },
      ]);
      await store.apply([{ op: 'expect', key: 'k', value: '1' }, put('a')]);
      await expect(store.apply([{ op: 'expect', key: 'k', value: null }, put('b')])).rejects.toMatchObject({
        code: 'OCC_CONFLICT',
      });
      expect(await allRefs(store)).toEqual(['a']);
    });

    it('does nothing for an empty batch', async () => {
      const store = await open();
      await store.apply([]);
      expect(await allRefs(store)).toEqual([]);
    });
  });
}
