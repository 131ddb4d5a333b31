// Whoever asks wants what came out: what asks itself, what is to be done, what went wrong and the talk between the steps of work stand below
// it, unless they are asked for. Words to look for bring whatever has them.

import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { RecallResult } from '../../src/recall/answer.ts';
import { recall } from '../../src/recall/recall.ts';
import { WEIGHTS, type Weights } from '../../src/recall/weights.ts';
import type { Store } from '../../src/store/store.ts';
import { DAY, idea, NOW, openStore } from '../recall/memories.ts';

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
const MANY_WORDS = 'bilge pump ferry clogs quay rope anchor tide harbour';

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

  it('stands where its words put it for many words, which somebody may have copied from it', async () => {
    expect(await firstOf(MANY_WORDS)).toBe('idea:nearer');
  });
});

it.each([
  ['todo', {}, 'idea:nearer'],
  ['problem', {}, 'idea:nearer'],
  ['context', { search_only: true }, 'idea:answer'],
])('for a few words to look for, %s %o: first is %s', async (kind, meta, first) => {
  await store.apply([said('nearer', kind, NEARER, meta), said('answer', 'conclusion', ANSWER)]);
  expect(await firstOf(WORDS)).toBe(first);
  expect(await firstOf(WORDS, alike)).toBe('idea:nearer');
});

it.each(['Committed', 'Pull request'])(
  '%s: a name stands below what was said of it where somebody asks',
  async (done) => {
    await store.apply([said('nearer', 'solution', `${done}: ${NEARER}`), said('answer', 'conclusion', ANSWER)]);
    expect(await firstOf(QUESTION)).toBe('idea:answer');
    expect(await firstOf(QUESTION, alike)).toBe('idea:nearer');
    expect(await firstOf(WORDS)).toBe('idea:nearer');
  },
);

it('what went wrong stands below, whichever heading it has', async () => {
  await store.apply([
    said('nearer', 'problem', `Problem: ${NEARER}`),
    said('answer', 'conclusion', ANSWER),
    said('other', 'conclusion', 'The ferry sails at nine'),
  ]);
  expect(await firstOf(QUESTION)).toBe('idea:answer');
  expect(await firstOf(QUESTION, alike)).toBe('idea:nearer');
});

it.each(['the bilge pump of the ferry clogs - where did we land', 'ferry bilge pump clogs: which sieve'])(
  'asks at the end: %s',
  async (query) => {
    await store.apply([said('nearer', 'problem', NEARER), said('answer', 'conclusion', ANSWER)]);
    expect(await firstOf(query)).toBe('idea:answer');
  },
);

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
    said('reply', 'context', 'Olaf: Then the bilge pump of the ferry needs a finer sieve'),
    said('task', 'todo', 'The bilge pump of the ferry gets oil'),
  ]);
  const marked = async () =>
    (await ask('what does the bilge pump of the ferry get'))
      .filter(({ explain = [] }) => explain.some(({ name }) => name === 'no answer'))
      .map(({ ref }) => ref);
  expect(await marked()).toEqual([]);
  await store.apply([said('done', 'solution', 'The bilge pump of the ferry got a sieve')]);
  expect((await marked()).sort()).toEqual(['idea:talk', 'idea:task']);
});

it.each([
  ['a new number goes first', 'The west quay of the ferry now has 17 berths with power', 'idea:newer'],
  ['a number of a name is none', 'The west quay of the ferry now has berths with power, 0x17cafe', 'idea:older'],
  ['nor is that of a hash', 'The west quay of the ferry now has berths with power, 77adcafe', 'idea:older'],
])('how things stand: %s', async (_name, text, first) => {
  await store.apply([
    idea('older', 'How many berths with power the west quay of the ferry has: 14', { createdAt: NOW - 9 * DAY }),
    idea('newer', text, { createdAt: NOW - 2 * DAY }),
  ]);
  expect(await firstOf('how many berths with power does the west quay of the ferry have')).toBe(first);
});

it('a prompt asks for nothing: its few words put nothing below', async () => {
  await store.apply([said('talk', 'context', NEARER, { search_only: true }), said('answer', 'conclusion', ANSWER)]);
  const deps = { store, now: NOW, timeZone: 'UTC' };
  const unasked = { isTelling: () => true };
  const { results } = await recall(deps, { query: WORDS, narrow: false, unasked, explain: true });
  expect(results.map(({ ref }) => ref)).toContain('idea:talk');
  expect(results.flatMap(({ explain = [] }) => explain.map(({ name }) => name))).not.toContain('no answer');
});
