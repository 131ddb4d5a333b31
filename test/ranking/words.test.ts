// What a word of the query counts for: words of every day for less than they are rare, long and short forms as one, mistyped ones as what was meant.

import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { RecallAnswer } from '../../src/recall/answer.ts';
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

async function ask(query: string, { weights = WEIGHTS, ...more }: { weights?: Weights; narrow?: boolean } = {}) {
  return recall({ store, now: NOW, timeZone: 'UTC', weights }, { query, limit: 8, ...more });
}
const refsOf = ({ results }: RecallAnswer): string[] => results.map(({ ref }) => ref);

describe('words of every day', () => {
  const query = 'the rudder of the ferry though away';
  const rarely = { weights: { ...WEIGHTS, everyday: 1 } };
  beforeEach(async () => {
    await store.apply([
      idea('rudder', 'The rudder of the ferry is bent'),
      idea('talk', 'It is away, though'),
      ...Array.from({ length: 12 }, (_, at) => idea(`other-${at}`, `The ferry has rudder number ${at} in the shed`)),
    ]);
  });

  it('tell less than the name of the thing, however rare they are', async () => {
    const answer = await ask(query);
    expect(refsOf(answer)[0]).toBe('idea:rudder');
    expect(refsOf(await ask(query, rarely))[0]).toBe('idea:talk');
  });

  it('are missed less in what is found', async () => {
    const relevanceOf = ({ results }: RecallAnswer): number =>
      results.find(({ ref }) => ref === 'idea:rudder')!.relevance;
    expect(relevanceOf(await ask(query))).toBeGreaterThan(relevanceOf(await ask(query, rarely)));
  });
});

describe('long and short forms of a word', () => {
  it('are found by each other', async () => {
    await store.apply([
      idea('long', 'The authentication of the harbour goes by badge'),
      idea('short', 'Berth auth goes by badge too'),
      idea('none', 'The author of the harbour page left'),
    ]);
    for (const query of ['auth badge', 'authentication badge'])
      expect(refsOf(await ask(query)).sort()).toEqual(['idea:long', 'idea:short']);
    const alone = await ask('auth');
    expect(refsOf(alone).sort()).toEqual(['idea:long', 'idea:short']);
  });

  it('count as the word that was asked for', async () => {
    await store.apply([idea('long', 'Repository of knots'), idea('other', 'Knots of the sailors')]);
    const answer = await ask('knots repo');
    expect(refsOf(answer)[0]).toBe('idea:long');
    expect(answer.results[0]!.relevance).toBeGreaterThan(answer.results[1]!.relevance);
  });
});

describe('a mistyped word', () => {
  beforeEach(async () => {
    await store.apply([
      idea('a', 'Permission to moor is asked for by radio'),
      idea('b', 'No permission after ten at night'),
      idea('c', 'The stripes on the buoy are red'),
    ]);
  });

  it.each(['permisson', 'permision', 'premission', 'permizsion'])('%s finds what was meant', async (word) => {
    const answer = await ask(`${word} radio`);
    expect(refsOf(answer)[0]).toBe('idea:a');
    expect(answer.analysis.terms).toContain('permission');
  });

  it('is left as it is in prompts, and where something has it', async () => {
    expect((await ask('permisson radio', { narrow: false })).analysis.terms).toContain('permisson');
    await store.apply([idea('d', 'permisson is how the old chart spells it')]);
    expect(refsOf(await ask('permisson'))).toEqual(['idea:d']);
  });

  it('is none that only the index has: two words in one, without their ending', async () => {
    await store.apply([idea('e', 'A per-file key'), idea('f', 'The per-file name of the key')]);
    expect((await ask('prefill the key')).analysis.terms).toContain('prefill');
  });

  it('is no other word that merely looks like it', async () => {
    await store.apply([idea('e', 'Strip the paint'), idea('f', 'Strip the sail')]);
    expect((await ask('strippe')).analysis.terms).toEqual(['strippe']);
  });
});
