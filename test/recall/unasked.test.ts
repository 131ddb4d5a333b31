// A part of a prompt, asked without anybody having asked: what does not count in it, and what comes with the results.

import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { RecallResult } from '../../src/recall/answer.ts';
import { recall } from '../../src/recall/recall.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { Document, Store } from '../../src/store/store.ts';
import { sampleIdea } from '../fixtures/sample-idea.ts';
import { temporaryFolder } from '../fixtures/temporary.ts';

const PROJECT = '/p';
const NOW = Date.parse('2026-05-01T00:00:00Z');
let store: Store;

beforeEach(async () => {
  store = await openSqliteStore(path.join(temporaryFolder(), 'memory.db'));
});
afterEach(() => store.close());

const idea = (ref: string, text: string, more: Partial<Document> = {}) => sampleIdea(PROJECT, ref, text, more);
const fill = (...documents: Document[]) => store.apply(documents.map((document) => ({ op: 'put', document })));

async function ask(query: string, { ordinary = [], limit = 10 }: { ordinary?: string[]; limit?: number } = {}) {
  const unasked = { isTelling: (word: string) => !ordinary.includes(word) };
  const { results } = await recall({ store, now: NOW }, { query, projects: [PROJECT], limit, unasked, explain: true });
  return results;
}
const refs = (results: readonly RecallResult[]) => results.map(({ ref }) => ref);
const detailsOf = (results: readonly RecallResult[]) =>
  results.flatMap(({ explain = [] }) => explain.map(({ name }) => name));

it('knows nobody who asks, nothing that is wanted and no now', async () => {
  await fill(
    idea('idea:1', 'I always want the ledger in Postgres.', {
      meta: { role: 'user', speaker: 'user', provenance: 'said' },
    }),
  );
  const prompt = 'please show me my latest ledger now';
  const asked = await recall({ store, now: NOW }, { query: prompt, projects: [PROJECT], explain: true });
  expect(detailsOf(asked.results)).toEqual(expect.arrayContaining(['speaker', 'standing', 'recent']));
  expect(detailsOf(await ask(prompt)).filter((name) => ['speaker', 'standing', 'recent'].includes(name))).toEqual([]);
});

it('looks for telling words alone, and says how much of them a result has', async () => {
  await fill(
    idea('idea:1', 'The ledger is kept in Postgres.', { meta: { worth: 0.7, stance: 'stated' } }),
    idea('idea:2', 'The commit was pushed.'),
  );
  const [first, ...others] = await ask('commit the ledger of otters', { ordinary: ['commit'] });
  expect(others).toEqual([]);
  expect(first?.telling).toMatchObject({
    worth: 0.7,
    stance: 'stated',
    words: ['ledger'],
    cosine: null,
    searchOnly: false,
  });
  expect(first?.telling?.coverage).toBeGreaterThan(0.3);
  expect(first?.telling?.coverage).toBeLessThan(0.7);
  expect(refs(await ask('commit', { ordinary: ['commit'] }))).toEqual(['idea:2']); // nothing else is asked
});

it('gives what may not be told no place among what may, and some of it behind', async () => {
  const hidden = Array.from({ length: 9 }, (_, at) =>
    idea(`idea:h${at}`, `The ledger, the ledger, kestrel${at}.`, { meta: { search_only: true }, session: `s${at}` }),
  );
  const asking = ['question', 'todo', 'span'].map((kind) => idea(`idea:${kind}`, `The ledger: a ${kind}.`, { kind }));
  await fill(...hidden, ...asking, idea('idea:1', 'Some people say that the ledger is kept elsewhere, in a drawer.'));
  const found = refs(await ask('ledger', { limit: 1 }));
  expect(found[0]).toBe('idea:1');
  expect(found).toHaveLength(6);
});

it('finds a statement among many questions that have more of the words', async () => {
  const many = Array.from({ length: 400 }, (_, at) =>
    idea(`idea:${at}`, `Ledger ledger number ${at}?`, { kind: 'question', session: `s${at}` }),
  );
  await fill(...many, idea('idea:a', `${'word '.repeat(300)}ledger`));
  expect(refs(await ask('ledger'))).toContain('idea:a');
});

it('finds a record among many statements that have more of the words', async () => {
  const many = Array.from({ length: 400 }, (_, at) =>
    idea(`idea:${at}`, `Ledger ledger number ${at}.`, { session: `s${at}` }),
  );
  const record = { ...idea('record:decisions/a', `${'word '.repeat(300)}ledger`), layer: 'record' };
  await fill(...many, record);
  expect(refs(await ask('ledger'))).toContain('record:decisions/a');
});
