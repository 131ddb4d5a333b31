// Whoever asks wants what came out: what asks itself, what is to be done, what went wrong and the talk between the steps of work stand below
// it, unless they are asked for. Words to look for bring whatever has them.

import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { RecallResult } from '../../src/recall/answer.ts';
import { recall } from '../../src/recall/recall.ts';
import { WEIGHTS, type Weights } from '../../src/recall/weights.ts';
import type { Store } from '../../src/store/store.ts';
import { idea, NOW, openStore } from '../recall/memories.ts';

let store: Store;
beforeEach(async () => {
  const opened = await openStore();
  store = opened.store;
  onTestFinished(() => opened.end());
});

const said = (ref: string, kind: string, text: string, meta: object = {}) =>
  idea(ref, text, { kind, session: ref, meta: { role: 'assistant', provenance: 'said', stance: 'stated', ...meta } });

async function ask(query: string, weights: Weights = WEIGHTS): Promise<readonly RecallResult[]> {
  const deps = { store, now: NOW, timeZone: 'UTC', weights };
  return (await recall(deps, { query, limit: 8, explain: true })).results;
}
const firstOf = async (query: string, weights?: Weights): Promise<string | undefined> =>
  (await ask(query, weights))[0]?.ref;
const alike = { ...WEIGHTS, noAnswer: 1 };

/** As many words of the query as the answer has, and fewer others. */
const NEARER = 'The bilge pump of the ferry clogs';
const ANSWER = 'The bilge pump of the ferry clogs: its sieve was left off';
const QUESTION = 'why does the bilge pump of the ferry clog';
const WORDS = 'bilge pump ferry clogs';

describe.each([
  ['what is to be done', 'todo', {}],
  ['what went wrong', 'problem', {}],
  ['the talk between the steps', 'context', { search_only: true }],
])('%s', (_name, kind, meta) => {
  beforeEach(async () => {
    await store.apply([said('nearer', kind, NEARER, meta), said('answer', 'conclusion', ANSWER)]);
  });

  it('stands below what came out where somebody asks', async () => {
    expect(await firstOf(QUESTION)).toBe('idea:answer');
    expect(await firstOf(QUESTION, alike)).toBe('idea:nearer');
  });

  it('stands where its words put it for words to look for', async () => {
    expect(await firstOf(WORDS)).toBe('idea:nearer');
  });
});

it('a question stands below its answer, however it is looked for', async () => {
  await store.apply([said('asked', 'question', `${NEARER}?`), said('answer', 'conclusion', ANSWER)]);
  for (const query of [QUESTION, WORDS]) {
    expect(await firstOf(query)).toBe('idea:answer');
    expect(await firstOf(query, alike)).toBe('idea:asked');
  }
});

it('what is asked for by its kind is not put below', async () => {
  await store.apply([said('todo', 'todo', NEARER), said('answer', 'conclusion', ANSWER)]);
  const [first] = await ask('what is left to do about the bilge pump of the ferry');
  expect(first?.ref).toBe('idea:todo');
  expect(first?.explain?.map(({ name }) => name)).not.toContain('no answer');
});

it('whoever asks for his own words asks for his wishes too', async () => {
  await store.apply([
    said('wish', 'todo', NEARER, { role: 'user' }),
    said('answer', 'conclusion', ANSWER, { role: 'user' }),
  ]);
  const results = await ask('what did I say about the bilge pump of the ferry clogging');
  expect(results.flatMap(({ explain = [] }) => explain.map(({ name }) => name))).not.toContain('no answer');
});

it('in a written-down talk people only talk: what they plan is no task', async () => {
  await store.apply([
    said('talk', 'todo', 'Ines: The bilge pump of the ferry gets weed'),
    said('task', 'todo', 'The bilge pump of the ferry gets oil'),
  ]);
  const marked = (await ask('what does the bilge pump of the ferry get')).filter(({ explain = [] }) =>
    explain.some(({ name }) => name === 'no answer'),
  );
  expect(marked.map(({ ref }) => ref)).toEqual(['idea:task']);
});
