// What the user wants done every time is compared with every question, and the nearest has a place among the first, where nothing else would
// bring it there.

import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { STANDING_TAG } from '../../src/model/standing-wish.ts';
import type { RecallResult } from '../../src/recall/answer.ts';
import { recall } from '../../src/recall/recall.ts';
import { WEIGHTS, type Weights } from '../../src/recall/weights.ts';
import type { Change, Store } from '../../src/store/store.ts';
import { idea, NOW, openStore } from '../recall/memories.ts';

let store: Store;
beforeEach(async () => {
  const opened = await openStore();
  store = opened.store;
  onTestFinished(() => opened.end());
});

/** The first number: how near it is to every question. */
const vectorOf = (near: number): Float32Array => Float32Array.of(near, Math.sqrt(1 - near * near));
const embedder = { model: 'told', embed: async (texts: readonly string[]) => texts.map(() => vectorOf(1)) };

const wish = (name: string, near: number): Change[] => [
  idea(name, 'Always name the unit', { tags: [STANDING_TAG], meta: { role: 'user', stance: 'stated' } }),
  { op: 'vectors', vectors: [{ hash: `hash-${name}`, model: embedder.model, vector: vectorOf(near) }] },
];
const others = Array.from({ length: 120 }, (_, at): Change[] => [
  idea(`crane-${at}`, `Crane ${at} lifts boats of length ${at}`, { session: `talk-${at}` }),
  { op: 'vectors', vectors: [{ hash: `hash-crane-${at}`, model: embedder.model, vector: vectorOf(0.9) }] },
]).flat();

async function ask(weights: Weights = WEIGHTS, more: object = {}): Promise<readonly RecallResult[]> {
  const deps = { store, now: NOW, timeZone: 'UTC', embedder, weights };
  return (await recall(deps, { query: 'crane for boats of great length', limit: 8, explain: true, ...more })).results;
}
const placeOf = (results: readonly RecallResult[], ref: string): number =>
  results.findIndex((result) => result.ref === ref) + 1;

describe('a standing wish', () => {
  it('has the fifth place, without a word of the question, if it is near enough', async () => {
    await store.apply([...others, ...wish('unit', 0.4)]);
    const results = await ask();
    expect(placeOf(results, 'idea:unit')).toBe(WEIGHTS.wish.place);
    expect(results.map(({ score }) => score)).toEqual(results.map(({ score }) => score).sort((a, b) => b - a));
    expect(placeOf(await ask({ ...WEIGHTS, wish: { ...WEIGHTS.wish, look: 0 } }), 'idea:unit')).toBe(0);
  });

  it('has none if it is far, and only the nearest of several has one', async () => {
    await store.apply([...others, ...wish('far', 0.2), ...wish('near', 0.5), ...wish('nearer', 0.6)]);
    const results = await ask();
    expect(placeOf(results, 'idea:nearer')).toBe(WEIGHTS.wish.place);
    for (const ref of ['idea:far', 'idea:near']) expect(placeOf(results, ref)).toBe(0);
  });

  it('stays where it is if it is among the first already, and is nowhere where a prompt waits', async () => {
    await store.apply(wish('unit', 0.4));
    expect(placeOf(await ask(), 'idea:unit')).toBe(1);
    await store.apply(others);
    expect(placeOf(await ask(WEIGHTS, { unasked: { isTelling: () => true } }), 'idea:unit')).toBe(0);
  });

  it('changes nothing in what the others are worth', async () => {
    await store.apply(others);
    const before = await ask();
    await store.apply(wish('unit', 0.4));
    const after = (await ask()).filter(({ ref }) => ref !== 'idea:unit');
    expect(after.map(({ ref }) => ref)).toEqual(before.slice(0, after.length).map(({ ref }) => ref));
    // All but how common words are in a store of one more.
    for (const [at, { score }] of after.entries()) expect(score).toBeCloseTo(before[at]!.score, 3);
  });
});
