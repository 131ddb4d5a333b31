// The contract of get, list, links, mentions, entities, vectors and stats.

import { describe, expect, it } from 'vitest';
import type { Filter, ListOrder, Store } from '../../../src/store/store.ts';
import type { Bench } from '../contract.ts';
import { put, sample } from './sample.ts';

async function refs(store: Store, filter: Filter, order: ListOrder = 'ref'): Promise<string[]> {
  return (await store.list({ filter, order, limit: 100 })).documents.map((document) => document.ref);
}

export function readingContract({ open }: Bench): void {
  describe('get', () => {
    it('answers in the order of the refs, each once, without those that do not exist', async () => {
      const store = await open();
      await store.apply([put('a'), put('b'), put('c', { project: 'zeus' })]);
      const got = await store.get({ refs: ['c', 'nobody', 'a', 'c'] });
      expect(got.map((document) => document.ref)).toEqual(['c', 'a']);
      expect(await store.get({ refs: [] })).toEqual([]);
      expect(await store.get({ refs: ['c'], projects: ['apollo'] })).toEqual([]);
    });

    it('finds a ref in all projects, or in those asked for', async () => {
      const store = await open();
      await store.apply([put('a', { project: 'zeus' }), put('a')]);
      const projects = (await store.get({ refs: ['a'] })).map((document) => document.project);
      expect(projects).toEqual(['apollo', 'zeus']);
      expect(await store.get({ refs: ['a'], projects: ['zeus', 'none'] })).toEqual([sample('a', { project: 'zeus' })]);
    });
  });

  describe('list', () => {
    it('filters by each condition, and by all together', async () => {
      const store = await open();
      await store.apply([
        put('a', { project: 'zeus', layer: 'record', kind: 'runbook', status: 'retired', tags: ['ci', 'db'] }),
        put('b', { createdAt: 2_000, session: 's1', span: 'span:1', source: { file: '/one' } }),
        { op: 'put', document: sample('c', { tags: ['db'] }), mentions: [{ entity: 'redis', kind: 'x', count: 1 }] },
        { op: 'vectors', vectors: [{ hash: 'hash of a', model: 'm', vector: Float32Array.of(1) }] },
      ]);
      expect(await refs(store, {})).toEqual(['b', 'c', 'a']); // apollo before zeus
      expect(await refs(store, { projects: ['zeus'] })).toEqual(['a']);
      expect(await refs(store, { refs: ['a', 'c'] })).toEqual(['c', 'a']);
      expect(await refs(store, { layers: ['trace'] })).toEqual(['b', 'c']);
      expect(await refs(store, { kinds: ['runbook', 'unknown'] })).toEqual(['a']);
      expect(await refs(store, { statuses: ['active'] })).toEqual(['b', 'c']);
      expect(await refs(store, { sessions: ['s1'] })).toEqual(['b']);
      expect(await refs(store, { spans: ['span:1'] })).toEqual(['b']);
      expect(await refs(store, { files: ['/one'] })).toEqual(['b']);
      expect(await refs(store, { tags: ['db'] })).toEqual(['c', 'a']);
      expect(await refs(store, { entities: ['redis'] })).toEqual(['c']);
      expect(await refs(store, { since: 2_000 })).toEqual(['b']);
      expect(await refs(store, { until: 2_000 })).toEqual(['c', 'a']);
      expect(await refs(store, { unembedded: 'm' })).toEqual(['b', 'c']);
      expect(await refs(store, { unembedded: 'another' })).toEqual(['b', 'c', 'a']);
      expect(await refs(store, { tags: ['db'], statuses: ['active'], since: 500 })).toEqual(['c']);
    });

    it('finds the few of a status among many, in their order and page by page', async () => {
      const store = await open();
      const isOpen = (at: number): boolean => at % 20 === 7;
      const many = Array.from({ length: 200 }, (_, at) =>
        put(`r${at}`, {
          createdAt: 1_000 + ((at * 37) % 200),
          project: at % 40 === 7 ? 'zeus' : 'apollo',
          kind: at % 60 === 7 ? 'todo' : 'problem',
          status: isOpen(at) ? 'open' : 'active',
        }),
      );
      await store.apply(many);
      await store.apply([put('r27', { createdAt: 5_000, kind: 'problem', status: 'done' })]);
      const left = (await store.list({ limit: 1_000 })).documents.filter(({ status }) => status === 'open');
      expect(left).toHaveLength(9);
      const filter = { statuses: ['open'] };
      const first = await store.list({ filter, limit: 4 });
      const rest = await store.list({ filter, limit: 50, ...(first.next === undefined ? {} : { cursor: first.next }) });
      expect([...first.documents, ...rest.documents]).toEqual(left);
      const narrowed = { ...filter, projects: ['apollo'], kinds: ['problem'], since: 1_050 };
      expect((await store.list({ filter: narrowed, limit: 50 })).documents).toEqual(
        left.filter(({ project, kind, createdAt }) => project === 'apollo' && kind === 'problem' && createdAt >= 1_050),
      );
    });

    it('takes an empty list as a condition that nothing meets', async () => {
      const store = await open();
      await store.apply([put('a')]);
      for (const filter of [{ projects: [] }, { refs: [] }, { tags: [] }, { kinds: [] }, { files: [] }]) {
        expect(await refs(store, filter)).toEqual([]);
      }
    });

    it('orders by time or ref, and settles ties by project and ref', async () => {
      const store = await open();
      await store.apply([
        put('b', { createdAt: 5, updatedAt: 9 }),
        put('a', { createdAt: 5, updatedAt: 7 }),
        put('c', { createdAt: 6, updatedAt: 6 }),
        put('a', { project: 'aaa', createdAt: 5, updatedAt: 5 }),
      ]);
      const names = async (order: ListOrder) =>
        (await store.list({ order, limit: 9 })).documents.map(({ project, ref }) => `${project}/${ref}`);
      expect(await names('newest')).toEqual(['apollo/c', 'aaa/a', 'apollo/a', 'apollo/b']);
      expect(await names('oldest')).toEqual(['aaa/a', 'apollo/a', 'apollo/b', 'apollo/c']);
      expect(await names('updated')).toEqual(['apollo/b', 'apollo/a', 'apollo/c', 'aaa/a']);
      expect(await names('ref')).toEqual(['aaa/a', 'apollo/a', 'apollo/b', 'apollo/c']);
      expect(await refs(store, { projects: ['apollo'] }, 'newest')).toEqual(['c', 'a', 'b']);
    });

    it('orders text by code point, not by the rules of a language or of UTF-16', async () => {
      const store = await open();
      const names = ['a', 'B', 'ä', 'z', '\u{1F600}', '\uFFFD', '日'];
      await store.apply(names.map((ref) => put(ref)));
      expect(await refs(store, {})).toEqual(['B', 'a', 'z', 'ä', '日', '\uFFFD', '\u{1F600}']);
    });

    it.each(['newest', 'oldest', 'updated', 'ref'] as const)(
      'gives every document once over all pages, by %s',
      async (order) => {
        const store = await open();
        const documents = Array.from({ length: 23 }, (_, n) =>
          put(`d${n}`, { project: n % 3 ? 'apollo' : 'zeus', createdAt: n % 4, updatedAt: n % 5 }),
        );
        await store.apply(documents);
        const whole = (await store.list({ order, limit: 100 })).documents;
        for (const filter of [{}, { projects: ['apollo'] }]) {
          const paged = [];
          let cursor: string | undefined;
          do {
            const page = await store.list({ filter, order, limit: 4, ...(cursor === undefined ? {} : { cursor }) });
            paged.push(...page.documents);
            cursor = page.next;
          } while (cursor !== undefined);
          expect(paged).toEqual(whole.filter(({ project }) => !filter.projects || project === 'apollo'));
        }
      },
    );

    it('refuses a cursor that it did not make', async () => {
      const store = await open();
      await expect(store.list({ limit: 1, cursor: 'nonsense' })).rejects.toMatchObject({ code: 'STORE_ERROR' });
    });
  });

  describe('links', () => {
    it('are found from both ends, in a fixed order', async () => {
      const store = await open();
      const links = [
        { project: 'apollo', from: 'a', to: 'b', relation: 'answers', confidence: 1 },
        { project: 'apollo', from: 'a', to: 'missing', relation: 'relates_to', confidence: 0.5, rule: 'wiki-link' },
        { project: 'apollo', from: 'b', to: 'c', relation: 'builds_on', confidence: 1 },
        { project: 'zeus', from: 'a', to: 'b', relation: 'answers', confidence: 1 },
      ];
      await store.apply([
        put('a'),
        put('b'),
        put('a', { project: 'zeus' }),
        { op: 'link', links: [...links].reverse() },
      ]);
      expect(await store.links({ refs: ['a', 'b'] })).toEqual(links);
      expect(await store.links({ refs: ['b'], direction: 'in' })).toEqual([links[0], links[3]]);
      expect(await store.links({ refs: ['b'], direction: 'out' })).toEqual([links[2]]);
      expect(await store.links({ refs: ['missing'] })).toEqual([links[1]]);
      expect(await store.links({ refs: ['a'], projects: ['zeus'] })).toEqual([links[3]]);
      expect(await store.links({ refs: ['a', 'b'], relations: ['builds_on'] })).toEqual([links[2]]);
      expect(await store.links({ refs: [] })).toEqual([]);
    });
  });

  describe('entities and mentions', () => {
    it('are counted over documents, and found by name, prefix, kind, project and ref', async () => {
      const store = await open();
      const mention = (entity: string, count: number, kind = 'technology') => ({ entity, kind, count });
      await store.apply([
        { op: 'put', document: sample('a'), mentions: [mention('redis', 3), mention('auth.ts', 1, 'file')] },
        { op: 'put', document: sample('b'), mentions: [mention('redis', 1), mention('rest', 1, 'concept')] },
        { op: 'put', document: sample('a', { project: 'zeus' }), mentions: [mention('redis', 9)] },
      ]);
      expect(await store.entities({ prefix: 're' })).toEqual([
        { name: 'redis', kind: 'technology', documents: 3, count: 13 },
        { name: 'rest', kind: 'concept', documents: 1, count: 1 },
      ]);
      expect(await store.entities({ names: ['redis', 'nothing'], projects: ['apollo'] })).toEqual([
        { name: 'redis', kind: 'technology', documents: 2, count: 4 },
      ]);
      expect(await store.entities({ kinds: ['file'] })).toEqual([
        { name: 'auth.ts', kind: 'file', documents: 1, count: 1 },
      ]);
      expect((await store.entities({ limit: 2 })).map(({ name }) => name)).toEqual(['redis', 'auth.ts']);
      const mentions = await store.mentions({ entities: ['redis'] });
      expect(mentions.map(({ project, ref, count }) => `${project}/${ref} ${count}`)).toEqual([
        'zeus/a 9',
        'apollo/a 3',
        'apollo/b 1',
      ]);
      const ofA = await store.mentions({ refs: ['a'], projects: ['apollo'] });
      expect(ofA.map(({ entity }) => entity)).toEqual(['redis', 'auth.ts']);
      expect(await store.mentions({ refs: ['a'], kinds: ['file'] })).toHaveLength(1);
      expect(await store.mentions({ limit: 1 })).toHaveLength(1);
    });
  });

  describe('stats', () => {
    it('counts what is there', async () => {
      const store = await open();
      await store.apply([
        put('a'),
        put('b'),
        {
          op: 'put',
          document: sample('c', { layer: 'record', kind: 'runbook' }),
          mentions: [{ entity: 'e', kind: 'k', count: 1 }],
        },
        { op: 'link', links: [{ project: 'apollo', from: 'a', to: 'b', relation: 'answers', confidence: 1 }] },
        { op: 'vectors', vectors: [{ hash: 'h', model: 'm', vector: Float32Array.of(1, 2) }] },
      ]);
      expect(await store.stats()).toMatchObject({
        documents: [
          { project: 'apollo', layer: 'record', kind: 'runbook', count: 1 },
          { project: 'apollo', layer: 'trace', kind: 'decision', count: 2 },
        ],
        links: 1,
        entities: 1,
        vectors: [{ model: 'm', dimensions: 2, count: 1 }],
        bytes: expect.any(Number),
        engine: expect.any(String),
      });
    });
  });
}
