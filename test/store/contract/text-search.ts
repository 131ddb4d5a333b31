// The contract of search: words of all languages, identifiers, and queries that try to be something else than text.

import { describe, expect, it } from 'vitest';
import { indexWords } from '../../../src/store/index-words.ts';
import { MAX_TERMS, type Term } from '../../../src/store/store.ts';
import type { Bench } from '../contract.ts';
import { found, put } from './sample.ts';

/** A query, a text that it finds, and what that shows. */
const FINDS: readonly (readonly [why: string, query: string, text: string])[] = [
  ['a word', 'walrus', 'the walrus sleeps'],
  ['any case', 'WALRUS', 'a Walrus'],
  ['the plural by the singular', 'migration', 'all migrations ran'],
  ['the singular by the plural', 'migrations', 'one migration ran'],
  ['another form of a verb', 'deploying', 'it was deployed'],
  ['a word of two letters', 'ci', 'the CI is red'],
  ['another one', 'db', 'the db is slow'],
  ['letters with digits', 'k8s', 'moved to k8s'],
  ['a number', '8080', 'listens on port 8080'],
  ['words side by side', 'dead letter queue', 'we use a dead letter queue'],
  ['camelCase as written', 'getUserName', 'call getUserName()'],
  ['camelCase by a part', 'user', 'call getUserName()'],
  ['camelCase by snake_case', 'get_user_name', 'call getUserName()'],
  ['snake_case by camelCase', 'getUserName', 'call get_user_name()'],
  ['kebab-case by its parts side by side', 'token store', 'see token-store'],
  ['an acronym inside a name', 'http', 'new HTTPServer(8080)'],
  ['a name in other letters', 'postgresql', 'PostgreSQL 16'],
  ['a name with a dot', 'nodejs', 'Node.js runs it'],
  ['a path as written', 'src/auth/token-store.ts', 'in src/auth/token-store.ts we'],
  ['a path by its end', 'auth/token-store.ts', 'in src/auth/token-store.ts we'],
  ['a path by its file name', 'token-store.ts', 'in src/auth/token-store.ts we'],
  ['a path by its name without the ending', 'tokenStore', 'in src/auth/token-store.ts we'],
  ['a Windows path', 'auth\\login.ts', 'C:\\src\\auth\\login.ts'],
  ['a language named by signs', 'c++', 'written in C++'],
  ['another one', 'C#', 'ported to c#'],
  ['a short form', "don't", 'we don’t cache'],
  ['letters without their accents', 'cafe', 'Café Zürich'],
  ['letters with accents', 'Zürich', 'cafe zurich'],
  ['full-width letters', 'redis', 'Ｒｅｄｉｓ'],
  ['Cyrillic', 'миграция', 'Миграция базы'],
  ['Greek', 'μνήμη', 'Η ΜΝΉΜΗ'],
  ['Arabic', 'ذاكرة', 'هذه ذاكرة'],
  ['Devanagari', 'स्मृति', 'यह स्मृति है'],
  ['Chinese inside a sentence', '数据库', '我们迁移了数据库表'],
  ['one Chinese character', '库', '数据库'],
  ['one Chinese character in the middle', '据', '数据库'],
  ['Japanese in three scripts', '東京タワー', '昨日東京タワーへ行った'],
  ['Korean', '검색', '전문검색 엔진'],
  ['Latin inside Chinese', 'redis', '使用Redis缓存'],
  ['a character outside the basic plane', '𠮷野', '𠮷野家'],
];

const FINDS_NOT: readonly (readonly [why: string, query: string, text: string])[] = [
  ['words in another order', 'queue letter', 'a letter queue'],
  ['words that are apart', 'dead queue', 'dead letter queue'],
  ['the middle of a word', 'alru', 'walrus'],
  ['Chinese characters that are apart', '数库', '数据库'],
  ['a name of a column', 'title', 'nothing of the kind'],
];

const HOSTILE: readonly string[] = [
  '"',
  '""',
  '"walrus',
  'walrus"',
  "'; DROP TABLE document; --",
  "walrus' OR '1'='1",
  'walrus OR',
  'NOT walrus',
  'walrus AND',
  'NEAR(walrus, 5)',
  'NEAR/5',
  'title:walrus',
  '{title text}:walrus',
  '-title:walrus',
  '^walrus',
  'walrus*',
  '*',
  'wal*rus',
  '(walrus',
  ')',
  '()',
  'walrus + seal',
  'walrus\0seal',
  '\0',
  '\uD800',
  '\uE0001',
  '\\',
  '%_',
  '?',
  ':name',
  '@x',
  '$1',
  '',
  ' ',
  '。',
  '🦭',
  'words MATCH',
  'bm25(words)',
];

export function textSearchContract({ open }: Bench): void {
  describe('search', () => {
    it.each(FINDS)('finds %s: %s in "%s"', async (_why, query, text) => {
      const store = await open();
      await store.apply([put('other', { title: 'x', text: 'nothing at all' }), put('target', { title: 'x', text })]);
      expect(await found(store, query)).toEqual(['target']);
    });

    it.each(FINDS_NOT)('does not find %s: %s in "%s"', async (_why, query, text) => {
      const store = await open();
      await store.apply([put('target', { title: 'x', text })]);
      expect(await found(store, query)).toEqual([]);
    });

    it.each(HOSTILE)('takes %j as text, not as a language', async (query) => {
      const store = await open();
      await store.apply([put('a', { text: 'a plain sentence' }), put('b', { text: query })]);
      for (const as of ['word', 'prefix'] as const) {
        for (const match of ['any', 'all'] as const) {
          const hits = await store.search({ terms: [{ text: query, as }, { text: 'plain' }], match, limit: 10 });
          expect(hits.every((hit) => hit.ref === 'a' || hit.ref === 'b')).toBe(true);
          if (match === 'any') expect(hits.map((hit) => hit.ref)).toContain('a');
        }
      }
      expect(await store.list({ limit: 5 })).toMatchObject({ documents: [{ ref: 'a' }, { ref: 'b' }] });
    });

    it('looks into title, text, tags and context, and weighs them', async () => {
      const store = await open();
      await store.apply([
        put('text', { title: 'x', text: 'walrus' }),
        put('title', { title: 'walrus', text: 'x' }),
        put('tags', { title: 'x', text: 'x', tags: ['walrus'] }),
        put('context', { title: 'x', text: 'x', context: 'walrus' }),
        ...Array.from({ length: 9 }, (_, n) => put(`none ${n}`)),
      ]);
      expect((await found(store, 'walrus')).sort()).toEqual(['context', 'tags', 'text', 'title']);
      for (const best of ['title', 'text', 'tags', 'context'] as const) {
        const weights = { title: 1, text: 1, tags: 1, context: 1, [best]: 50 };
        expect((await store.search({ terms: [{ text: 'walrus' }], weights, limit: 1 }))[0]?.ref).toBe(best);
      }
    });

    it('ranks what has more of the terms, and the rarer ones, higher', async () => {
      const store = await open();
      await store.apply([
        ...Array.from({ length: 20 }, (_, n) => put(`common ${n}`, { title: 'x', text: 'walrus' })),
        put('both', { title: 'x', text: 'walrus ostrich' }),
        put('rare', { title: 'x', text: 'ostrich' }),
        ...Array.from({ length: 30 }, (_, n) => put(`none ${n}`, { title: 'x', text: 'seal' })),
      ]);
      expect((await found(store, 'walrus', 'ostrich')).slice(0, 3)).toEqual(['both', 'rare', 'common 0']);
    });

    it('tells how many documents have a word, also after more were written', async () => {
      const store = await open();
      await store.apply([put('idea:1', { text: 'deployed the walrus' }), put('idea:2', { text: 'a walrus sleeps' })]);
      expect((await store.counts({ words: [...indexWords('walrus deploying'), 'absent'] })).counts).toEqual([2, 1, 0]);
      await store.apply([put('idea:3', { text: 'another walrus' })]);
      expect(await store.counts({ words: indexWords('walrus') })).toEqual({ documents: 3, counts: [3] });
    });

    it('finds documents with any term, or only those with all', async () => {
      const store = await open();
      await store.apply([
        put('a', { text: 'walrus' }),
        put('b', { text: 'ostrich' }),
        put('c', { text: 'ostrich, walrus' }),
      ]);
      const terms: Term[] = [{ text: 'walrus' }, { text: 'ostrich' }];
      const refs = async (match: 'any' | 'all', extra: Term[] = []) =>
        (await store.search({ terms: [...terms, ...extra], match, limit: 9 })).map((hit) => hit.ref).sort();
      expect(await refs('any')).toEqual(['a', 'b', 'c']);
      expect(await refs('all')).toEqual(['c']);
      expect(await refs('all', [{ text: 'nowhere' }])).toEqual([]);
      expect(await refs('all', [{ text: '!' }])).toEqual(['c']);
    });

    it('finds by the beginning of a word when asked to', async () => {
      const store = await open();
      await store.apply([
        put('a', { text: 'getUserName' }),
        put('b', { text: 'getaway' }),
        put('c', { text: 'forget' }),
      ]);
      const hits = await store.search({ terms: [{ text: 'getUs', as: 'prefix' }], limit: 9 });
      expect(hits.map((hit) => hit.ref)).toEqual(['a']);
      expect(await found(store, 'getUs')).toEqual([]);
    });

    it('keeps to the filter', async () => {
      const store = await open();
      await store.apply([
        put('a', { text: 'walrus', createdAt: 1, session: 's1' }),
        put('b', { text: 'walrus', createdAt: 2, kind: 'todo', status: 'retired', tags: ['x'] }),
        put('c', { text: 'walrus', createdAt: 3, project: 'zeus', layer: 'note' }),
      ]);
      const refs = async (filter: object) =>
        (await store.search({ terms: [{ text: 'walrus' }], filter, limit: 9 })).map((hit) => hit.ref).sort();
      expect(await refs({ projects: ['apollo'] })).toEqual(['a', 'b']);
      expect(await refs({ projects: ['zeus', 'apollo'] })).toEqual(['a', 'b', 'c']);
      expect(await refs({ projects: ['nobody'] })).toEqual([]);
      expect(await refs({ kinds: ['todo', 'unknown'] })).toEqual(['b']);
      expect(await refs({ statuses: ['active'], layers: ['trace'] })).toEqual(['a']);
      expect(await refs({ since: 2 })).toEqual(['b', 'c']);
      expect(await refs({ sessions: ['s1'] })).toEqual(['a']);
      expect(await refs({ tags: ['x'], projects: ['apollo'] })).toEqual(['b']);
      expect(await refs({ refs: ['c', 'a'] })).toEqual(['a', 'c']);
      expect(await refs({ refs: [] })).toEqual([]);
    });

    it('settles ties by project and ref, also at the limit, whatever the order of writing', async () => {
      const store = await open();
      const names = Array.from({ length: 60 }, (_, n) => `d${String(n).padStart(2, '0')}`);
      const shuffled = [...names].sort((a, b) => ((Number(a.slice(1)) * 37) % 61) - ((Number(b.slice(1)) * 37) % 61));
      await store.apply(shuffled.map((ref) => put(ref, { title: 'x', text: 'walrus' })));
      await store.apply([put('none', { title: 'x', text: 'x' })]);
      for (const limit of [1, 7, 59]) {
        const hits = await store.search({ terms: [{ text: 'walrus' }], limit });
        expect(hits.map((hit) => hit.ref)).toEqual(names.slice(0, limit));
      }
      expect(await store.search({ terms: [{ text: 'walrus' }], limit: 0 })).toEqual([]);
      expect(await store.search({ terms: [{ text: 'walrus' }], limit: Number.POSITIVE_INFINITY })).toHaveLength(60);
    });

    it('finds what rare words choose among thousands, and still something when all words are common', async () => {
      const store = await open();
      const filler = (n: number) => `alpha ${n % 2 ? 'beta' : 'gamma'} ${n % 3 ? 'delta' : 'epsilon'} w${n % 50}`;
      for (let from = 0; from < 9_000; from += 3_000) {
        await store.apply(
          Array.from({ length: 3_000 }, (_, n) => put(`d${from + n}`, { title: '', text: filler(from + n) })),
        );
      }
      await store.apply([
        put('target', { title: '', text: 'alpha walrus delta' }),
        put('weak', { title: '', text: 'kilo walrus lima' }),
      ]);
      expect((await found(store, 'alpha', 'beta', 'delta', 'walrus')).slice(0, 2)).toEqual(['target', 'weak']);
      expect(await found(store, 'alpha', 'beta', 'delta')).toHaveLength(100);
      expect(await found(store, 'alpha')).toHaveLength(100);
      const some = await store.search({ terms: [{ text: 'beta' }, { text: 'gamma' }], limit: 20 });
      expect(some).toHaveLength(20); // no document has both
    });

    it('gives hits with their documents, if they are asked for', async () => {
      const store = await open();
      const parts = {
        text: 'the walrus',
        tags: ['x'],
        session: 's1',
        source: { file: '/a.jsonl', line: 3 },
        meta: { role: 'user' },
      };
      await store.apply([put('full', parts), put('bare', { text: 'a walrus', project: 'zeus' })]);
      const query = { terms: [{ text: 'walrus' }], limit: 9 };
      const [plain, whole] = [await store.search(query), await store.search({ ...query, documents: true })];
      expect(whole.map(({ document, ...hit }) => hit)).toEqual(plain);
      expect(plain.every((hit) => hit.document === undefined)).toBe(true);
      for (const { project, ref, document } of whole)
        expect([document]).toEqual(await store.get({ refs: [ref], projects: [project] }));
    });

    it('scores rare and common words alike, however they are looked for', async () => {
      const store = await open();
      const text = (n: number): string =>
        ['stone', n % 2 && 'river', n % 3 && 'cloud', n % 40 === 0 && 'walrus', n % 90 === 0 && 'otter walrus']
          .filter(Boolean)
          .join(' ');
      await store.apply(Array.from({ length: 2_000 }, (_, n) => put(`d${n}`, { text: text(n) })));
      const words = ['walrus', 'otter', 'river', 'cloud', 'stone'];
      const ask = (terms: readonly string[], limit: number) =>
        store.search({ terms: terms.map((each) => ({ text: each })), limit });
      const alone = await Promise.all(words.map((word) => ask([word], 5_000)));
      const sumOf = (ref: string): number =>
        alone.reduce((sum, hits) => sum + (hits.find((hit) => hit.ref === ref)?.score ?? 0), 0);
      for (const limit of [3, 20, 60]) {
        const hits = await ask(words, limit);
        expect(hits).toHaveLength(Math.min(limit, 67));
        for (const { ref, score } of hits) expect(score).toBeCloseTo(sumOf(ref), 9);
        const rest = alone[0]!.filter(({ ref }) => !hits.some((hit) => hit.ref === ref)).map(({ ref }) => sumOf(ref));
        expect(Math.max(0, ...rest)).toBeLessThanOrEqual(hits.at(-1)!.score + 1e-9);
      }
    });

    it('scores what a filter leaves as if there were none, be the words rare or common beside it', async () => {
      const store = await open();
      const text = (n: number): string =>
        ['stone', n % 2 && 'river', n % 30 === 0 && 'walrus', n % 70 === 0 && 'otter'].filter(Boolean).join(' ');
      const parts = (n: number) => ({ text: text(n), kind: n % 7 ? 'context' : 'todo', createdAt: n });
      await store.apply(Array.from({ length: 3_000 }, (_, n) => put(`d${n}`, parts(n))));
      const ask = (words: readonly string[], filter: object, limit: number) =>
        store.search({ terms: words.map((each) => ({ text: each })), filter, limit });
      for (const words of [['walrus'], ['walrus', 'otter', 'stone'], ['river', 'stone'], ['stone']]) {
        const all = await ask(words, {}, 5_000);
        for (const filter of [{ kinds: ['context'] }, { kinds: ['context'], since: 1_000, until: 2_500 }]) {
          const passes = ({ n }: { n: number }): boolean =>
            n % 7 > 0 && n >= (filter.since ?? 0) && n < (filter.until ?? 3_000);
          const hits = await ask(words, filter, 40);
          expect(hits).toHaveLength(40);
          const scores = new Map(all.map(({ ref, score }) => [ref, score]));
          for (const { ref, score } of hits) {
            expect(passes({ n: Number(ref.slice(1)) })).toBe(true);
            expect(score).toBeCloseTo(scores.get(ref) ?? 0, 9);
          }
          const best = all.filter(({ ref }) => passes({ n: Number(ref.slice(1)) })).slice(0, 40);
          expect(hits.map(({ ref }) => ref)).toEqual(best.map(({ ref }) => ref));
        }
      }
    });

    it('finds the same by rare words when asked roughly, and leaves the common ones out', async () => {
      const store = await open();
      const text = (n: number): string =>
        ['stone', n % 2 && 'river', n % 40 === 0 && 'walrus'].filter(Boolean).join(' ');
      await store.apply(Array.from({ length: 3_000 }, (_, n) => put(`d${n}`, { text: text(n) })));
      const ask = (words: readonly string[], rough: boolean) =>
        store.search({ terms: words.map((each) => ({ text: each })), limit: 10, rough });
      expect(await ask(['walrus'], true)).toEqual(await ask(['walrus'], false));
      const [roughly, exactly] = [await ask(['walrus', 'stone'], true), await ask(['walrus', 'stone'], false)];
      expect(roughly.map(({ ref }) => ref)).toEqual(exactly.map(({ ref }) => ref));
      expect(roughly).toEqual(await ask(['walrus'], false));
      expect(await ask(['river', 'stone'], true)).toHaveLength(10);
    });

    it('settles ties by name, however many there are', async () => {
      const store = await open();
      const refs = Array.from({ length: 4_300 }, (_, n) => `d${(n * 2_731) % 4_300}`);
      const isRare = (ref: string): boolean => ref.endsWith('77');
      const text = (ref: string): string => (isRare(ref) ? 'walrus stone' : 'stone');
      await store.apply(refs.map((ref) => put(ref, { title: '', text: text(ref) })));
      const ask = async (...words: string[]): Promise<string[]> =>
        (await store.search({ terms: words.map((each) => ({ text: each })), limit: 7 })).map((hit) => hit.ref);
      const inOrder = refs.toSorted();
      expect(await ask('stone')).toEqual(inOrder.filter((ref) => !isRare(ref)).slice(0, 7));
      expect(await ask('walrus', 'stone')).toEqual(inOrder.filter(isRare).slice(0, 7));
    });

    it('stays within bounds: endless words, a million characters, thousands of terms', async () => {
      const store = await open();
      const endless = 'Ab_9'.repeat(250_000);
      await store.apply([
        put('endless', { text: endless }),
        put('long', { text: `walrus ${'lorem ipsum dolor '.repeat(60_000)}` }),
        put('accents', { text: 'é'.repeat(1_000_000) }),
      ]);
      expect(await found(store, 'walrus')).toEqual(['long']);
      expect(await found(store, endless)).toEqual(['endless']);
      const terms = Array.from({ length: 5_000 }, (_, n) => ({ text: `word${n}` }));
      expect(await store.search({ terms: [...terms, { text: 'walrus' }], limit: 5 })).toEqual([]);
      const first = [...terms.slice(0, MAX_TERMS - 1), { text: 'walrus' }];
      expect((await store.search({ terms: first, limit: 5 }))[0]?.ref).toBe('long');
    });
  });
}
