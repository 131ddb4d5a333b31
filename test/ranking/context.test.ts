// What a candidate is judged by besides its own words and vector: the exchange that it stands in, and what takes the place of a vector that is
// not made yet.

import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { RecallResult } from '../../src/recall/answer.ts';
import { recall } from '../../src/recall/recall.ts';
import type { Change, Store } from '../../src/store/store.ts';
import { idea, NOW, openStore, record } from '../recall/memories.ts';
import { hashEmbedder } from './scene.ts';

let store: Store;
beforeEach(async () => {
  const opened = await openStore();
  store = opened.store;
  onTestFinished(() => opened.end());
});

/** Stores them, those that are not named with their vectors. */
async function keep(memories: readonly Change[], { unembedded = [] }: { unembedded?: readonly string[] } = {}) {
  await store.apply(memories);
  for (const each of memories) {
    if (each.op !== 'put' || unembedded.includes(each.document.ref)) continue;
    const [vector] = await hashEmbedder.embed([each.document.text]);
    const { hash } = each.document;
    await store.apply([{ op: 'vectors', vectors: [{ hash, model: hashEmbedder.model, vector: vector! }] }]);
  }
}

const exchange = (name: string, text: string): Change =>
  idea(name, text, { ref: `span:${name}`, kind: 'span', session: 'quay', meta: { level: 'exchange', asked: text } });

async function ask(query: string, more: object = {}): Promise<readonly RecallResult[]> {
  const deps = { store, now: NOW, timeZone: 'UTC', embedder: hashEmbedder };
  return (await recall(deps, { query, limit: 8, explain: true, ...more })).results;
}
const refsOf = (results: readonly RecallResult[]): string[] => results.map(({ ref }) => ref);
const pointsOf = (results: readonly RecallResult[], ref: string, name: string): number | undefined =>
  results.find((result) => result.ref === ref)?.explain?.find((detail) => detail.name === name)?.points;

describe('the exchange around a statement', () => {
  const memories = [
    exchange('a', 'Why does the crane jam in frost'),
    exchange('b', 'Which colour shall the ladder get'),
    idea('grease', 'The grease was too thick for it', { span: 'span:a', session: 'quay' }),
    idea('paint', 'The paint was too thick for it', { span: 'span:b', session: 'quay' }),
  ];

  it('lifts an answer that has nothing of the question itself', async () => {
    await keep(memories);
    const results = await ask('crane jam thick');
    const statements = refsOf(results).filter((ref) => ref.startsWith('idea:'));
    expect(statements).toEqual(['idea:grease', 'idea:paint']);
    expect(pointsOf(results, 'idea:grease', 'its exchange')).toBeGreaterThan(0.1);
  });

  it('counts for nothing where the query itself says much', async () => {
    await keep(memories);
    const long = 'crane jam thick frost winter morning harbour north pier old engine oil pump';
    expect(pointsOf(await ask(long), 'idea:grease', 'its exchange')).toBeUndefined();
  });

  it('is left out where a prompt waits', async () => {
    await keep(memories);
    const results = await ask('crane jam thick', { unasked: { isTelling: () => true } });
    expect(refsOf(results)).toContain('idea:grease');
    expect(pointsOf(results, 'idea:grease', 'its exchange')).toBeUndefined();
  });

  it('is what it is itself for a record, which talk in a fitting exchange does not outdo', async () => {
    const text = 'The grease of the crane is too thick in frost';
    await keep([
      exchange('c', 'Why does the crane jam in frost'),
      idea('said', text, { span: 'span:c', session: 'quay' }),
      record('grease', 'Grease of the crane', text, { hash: 'hash-said', confidence: 0.7 }),
    ]);
    const results = await ask('crane grease frost');
    expect(refsOf(results)[0]).toBe('record:decisions/grease');
    expect(pointsOf(results, 'record:decisions/grease', 'its own context')).toBeGreaterThan(0.1);
  });
});

describe('what has no vector yet', () => {
  it('stands by its words where others have one', async () => {
    await keep(
      [
        idea('new', 'The anchor chain is shackled with a swivel'),
        idea('old-a', 'The swivel was too dear'),
        idea('old-b', 'Shackled boats drift less'),
      ],
      { unembedded: ['idea:new'] },
    );
    const results = await ask('anchor chain swivel');
    expect(refsOf(results)[0]).toBe('idea:new');
    expect(pointsOf(results, 'idea:new', 'no vector')).toBeGreaterThan(0.3);
  });
});

describe('who speaks by name', () => {
  const memories = [
    idea('ines', 'Ines: The varnish has to dry for two days'),
    idea('olaf', 'Olaf: The varnish dries within two days, Ines'),
    idea('label', 'Varnish: two coats, dry after two days'),
  ];

  it('goes first where the query names them', async () => {
    await keep(memories);
    const results = await ask('how long did Ines’s varnish dry, two days');
    expect(refsOf(results)[0]).toBe('idea:ines');
    expect(pointsOf(results, 'idea:ines', 'speaker by name')).toBeGreaterThan(0);
    expect(pointsOf(results, 'idea:olaf', 'speaker by name')).toBeUndefined();
  });

  it('is nobody where the word is no name, and where a prompt waits', async () => {
    await keep(memories);
    const plain = await ask('how long does varnish dry');
    expect(plain.flatMap(({ explain = [] }) => explain).some(({ name }) => name === 'speaker by name')).toBe(false);
    const prompt = await ask('Ines varnish dry', { unasked: { isTelling: () => true } });
    expect(prompt.flatMap(({ explain = [] }) => explain).some(({ name }) => name === 'speaker by name')).toBe(false);
  });
});

describe('what only a relation brings', () => {
  it('is compared with the query by its meaning too', async () => {
    await keep([
      idea('then', 'The buoy light is a candle'),
      idea('now', 'Lamps shine there instead, throttled at night by the watch', {
        links: [{ to: 'idea:then', relation: 'supersedes', confidence: 0.9 }],
      }),
      ...Array.from({ length: 120 }, (_, at) => idea(`limit-${at}`, `The limit of berth ${at} is ${at} metres`)),
    ]);
    const results = await ask('buoy light limit', { limit: 200 });
    expect(results.find(({ ref }) => ref === 'idea:now')?.why.map(({ strategy }) => strategy)).toEqual(['graph']);
    expect(pointsOf(results, 'idea:now', 'vector')).toBeDefined();
  });
});

describe('the next statement of the same turn', () => {
  const said = (ref: string, text: string, line: number): Change => idea(ref, text, { session: 'quay', line });
  const memories = [
    said('lone', 'The winch of the crane slips when it rains hard', 1),
    said('first', 'The winch of the crane slips when its brake is wet', 2),
    said('next', 'A wet winch slips under the crane', 2),
  ];

  it('speaks for the turn', async () => {
    await keep(memories);
    const results = await ask('crane winch slips');
    expect(pointsOf(results, 'idea:lone', 'same turn')).toBeUndefined();
    const turn = results.find(({ explain = [] }) => explain.some(({ name }) => name === 'same turn'));
    expect([turn?.ref, ...(turn?.folded ?? [])].sort()).toEqual(['idea:first', 'idea:next']);
  });

  it('says nothing to a long query, nor without expansion', async () => {
    await keep(memories);
    const long = 'crane winch slips rope anchor tide harbour ladder beacon lantern pilot gangway';
    for (const results of [await ask(long), await ask('crane winch slips', { expand: false })])
      expect(results.flatMap(({ explain = [] }) => explain.map(({ name }) => name))).not.toContain('same turn');
  });
});
