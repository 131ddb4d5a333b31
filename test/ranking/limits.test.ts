// The numbers of ranking that an order of a few memories cannot show: how many each way proposes, what is learned from the first
// results, and where the lines are between "newer" and "also", "the same" and "alike".

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RecallAnswer, RecallQuery, RecallResult } from '../../src/recall/answer.ts';
import type { Ranked } from '../../src/recall/fuse.ts';
import { expandQuery } from '../../src/recall/query-expansion.ts';
import { type RecallDeps, recall } from '../../src/recall/recall.ts';
import { WEIGHTS } from '../../src/recall/weights.ts';
import type { Change, Store } from '../../src/store/store.ts';
import { idea, NOW, openStore, record } from '../recall/memories.ts';
import { agent, daysAgo, hashEmbedder, user } from './scene.ts';

let store: Store;
let end: () => Promise<void>;
beforeEach(async () => {
  ({ store, end } = await openStore());
});
afterEach(() => end());

const ask = (query: string, more: Partial<RecallQuery> = {}, deps: Partial<RecallDeps> = {}): Promise<RecallAnswer> =>
  recall({ store, now: NOW, timeZone: 'UTC', ...deps }, { query, limit: 200, explain: true, ...more });
const refsOf = ({ results }: RecallAnswer): string[] => results.map((result) => result.ref);
const partOf = (result: RecallResult | undefined, name: string) => result?.explain?.find((each) => each.name === name);
const proposedBy = ({ results }: RecallAnswer, strategy: string): number =>
  results.filter(({ why }) => why.some((each) => each.strategy === strategy)).length;

/** Texts that share a word and nothing else, so that none stands for another. */
const many = (count: number, text: (at: number) => string, parts: (at: number) => object = () => ({})): Change[] =>
  Array.from({ length: count }, (_, at) => idea(`m${String(at).padStart(3, '0')}`, text(at), parts(at)));
const unlike = (at: number): string => `alpha${at} beta${at} gamma${at}`;

describe('each way proposes', () => {
  it('110 by words', async () => {
    await store.apply(many(130, (at) => `walrus ${unlike(at)}`));
    expect(refsOf(await ask('walrus'))).toHaveLength(110);
  });

  it('80 by vectors, and a made-up answer as many', async () => {
    await store.apply(many(200, unlike));
    const vectorAt = (at: number) =>
      Float32Array.from([Math.cos(at / 200), Math.sin(at / 200), at % 2 === 0 ? 0.01 : -0.01]);
    await store.apply([
      {
        op: 'vectors',
        vectors: Array.from({ length: 200 }, (_, at) => ({
          hash: `hash-m${String(at).padStart(3, '0')}`,
          model: 'by-hand',
          vector: vectorAt(at),
        })),
      },
    ]);
    const embedder = {
      model: 'by-hand',
      embed: async (texts: readonly string[]) =>
        texts.map((text) => Float32Array.from(text === 'guess' ? [0.5, 0.9, 0] : [1, 0, 0])),
    };
    const answer = await ask('zebra', { hyde: true }, { embedder, hypothesise: async () => 'guess' });
    expect([proposedBy(answer, 'vector'), proposedBy(answer, 'hyde')]).toEqual([80, 80]);
  });

  it('40 by names', async () => {
    await store.apply(many(60, unlike, () => ({ entities: ['cockroachdb'] })));
    expect(proposedBy(await ask('CockroachDB'), 'entity')).toBe(40);
  });

  it('24 by relations', async () => {
    await store.apply([
      idea('asked', 'walrus question', { kind: 'question' }),
      ...many(30, unlike, () => ({ links: [{ to: 'idea:asked', relation: 'answers', confidence: 0.5 }] })),
    ]);
    expect(proposedBy(await ask('walrus'), 'graph')).toBe(24);
  });

  it('60 where a kind or a time is all that was asked', async () => {
    await store.apply(many(70, unlike, () => ({ kind: 'question' })));
    expect(proposedBy(await ask('open questions'), 'browse')).toBe(60);
  });
});

describe('where more match than are looked at', () => {
  const onlyOne = { weights: { ...WEIGHTS, pool: { ...WEIGHTS.pool, keyword: 1 } } };
  const filler = 'one two three four five six seven';

  it('a tag goes before a text, a text before what was said ahead of it', async () => {
    await store.apply([
      record('a-context', filler, filler, { context: 'walrus' }),
      record('b-text', filler, `walrus ${filler}`),
    ]);
    expect(refsOf(await ask('walrus', {}, onlyOne))).toEqual(['record:decisions/b-text']);
    await store.apply([record('c-tags', filler, filler, { tags: ['walrus'] })]);
    expect(refsOf(await ask('walrus', {}, onlyOne))).toEqual(['record:decisions/c-tags']);
  });

  it('a title counts as a text does', async () => {
    await store.apply([record('a', filler, filler, { context: 'walrus' }), record('b', `walrus ${filler}`, filler)]);
    expect(refsOf(await ask('walrus', {}, onlyOne))).toEqual(['record:decisions/b']);
  });
});

describe('words are learned from the first results', () => {
  const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
  const words = (count: number) =>
    LETTERS.slice(0, count).map((letter) => ({ word: `asked${letter}`, surface: letter, documents: 1, weight: 1 }));
  const learn = async (asked: number, ...texts: string[]) =>
    expandQuery(store, words(asked), texts.map((text) => ({ document: { text } })) as Ranked[], WEIGHTS);
  const learned = async (asked: number, ...texts: string[]): Promise<string[]> =>
    (await learn(asked, ...texts)).map(({ word }) => word);

  it('for queries of up to eight words, and not for none', async () => {
    await store.apply([idea('a', 'halyard'), ...many(30, unlike)]);
    expect(await learned(8, 'halyard')).toEqual(['halyard']);
    expect(await learned(9, 'halyard')).toEqual([]);
    expect(await learned(0, 'halyard')).toEqual([]);
  });

  it('from the first five of them', async () => {
    await store.apply([idea('a', 'halyard gantry'), ...many(40, unlike)]);
    expect(await learned(1, '', '', '', '', 'halyard', 'gantry')).toEqual(['halyard']);
  });

  it('eight words at most, those of the first result and the rarer ones before the others', async () => {
    const texts = LETTERS.map((letter) => `${letter.repeat(3)}kow`);
    await store.apply([idea('a', texts.join(' ')), idea('b', 'aaakow bbbkow'), ...many(200, unlike)]);
    expect(await learned(1, texts.join(' '))).toEqual(texts.slice(2, 10));
    expect(await learned(1, texts[20]!, texts[7]!)).toEqual([texts[20], texts[7]]);
    expect(await learned(1, texts[20]!, texts[7]!, `${texts[7]} ${texts[9]}`, texts[7]!)).toEqual([
      texts[7],
      texts[20],
      texts[9],
    ]);
  });

  it('not those that more than one document in twenty has, that the query has, that are short or small words', async () => {
    await store.apply(many(100, (at) => (at < 5 ? `gantry capstan ${unlike(at)}` : unlike(at))));
    await store.apply([idea('m005', 'capstan askeda ab the which')]);
    expect(await learned(1, 'gantry capstan askeda ab the which')).toEqual(['gantri']);
  });

  it('of the two dozen that the results say most', async () => {
    const texts = LETTERS.slice(0, 25).map((letter) => `${letter.repeat(3)}kow`);
    // The last one is the rarest, and would go first if it were looked at.
    await store.apply([idea('a', texts.join(' ')), idea('b', texts.slice(0, 24).join(' ')), ...many(200, unlike)]);
    expect(await learned(1, texts.join(' '))).toEqual(texts.slice(0, 8));
  });

  it('for a quarter of what they would count if they had been said', async () => {
    await store.apply([idea('a', 'halyard'), ...many(39, unlike)]);
    const [word] = await learn(1, 'halyard');
    expect(word).toEqual({
      word: 'halyard',
      surface: 'halyard',
      documents: 1,
      weight: 0.25 * Math.log(1 + 40 / 1),
      learned: true,
    });
  });
});

describe('the newer of two', () => {
  const older = (text = 'I have 14 berths with power on the west quay') => user('older', text, daysAgo(90));
  const order = async (newer: string, query = 'how many berths with power on the west quay'): Promise<string[]> => {
    await store.apply([older(), user('newer', newer, daysAgo(2))]);
    return refsOf(await ask(query));
  };

  it('goes first if it says that something changed, about the same, with another number', async () => {
    expect(await order('I now have 17 berths with power on the quay in the west, after the long works')).toEqual([
      'idea:newer',
      'idea:older',
    ]);
  });

  it.each([
    ['says no change', 'I had 17 berths with power on the quay in the west, after the long works'],
    ['names no number', 'I now have some berths with power on the quay in the west, after the long works'],
    ['names the same number', 'I now have 14 berths with power on the quay in the west, after the long works'],
    ['has little of the subject', 'I now have 17 quay gulls to feed, and that is what I do in the morning'],
  ])('stays below if it %s', async (_, newer) => {
    expect(await order(newer)).toEqual(['idea:older', 'idea:newer']);
  });

  it('stays below if it is far weaker, or somebody else said it', async () => {
    const text = 'I now have 17 berths with power on the quay in the west, after the long works';
    await store.apply([older(), agent('newer', text, daysAgo(2))]);
    expect(refsOf(await ask('how many berths with power on the west quay'))).toEqual(['idea:older', 'idea:newer']);
    const weak = `I now have 17 berths with power on the west quay, and ${'there is a long story of other things to tell '.repeat(16)}`;
    await store.apply([user('newer', weak, daysAgo(2))]);
    expect(refsOf(await ask('how many berths with power on the west quay'))).toEqual(['idea:older', 'idea:newer']);
  });

  it('is looked for among the first twenty', async () => {
    await store.apply([
      ...many(
        24,
        (at) => `berths power west quay ${unlike(at)}`,
        () => ({ meta: { role: 'user' } }),
      ),
      user('newer', `berths with power on the west quay: now at 17 ${'and so on '.repeat(9)}`, daysAgo(1)),
      user('older', `berths with power on the west quay: at 14 ${'and so on '.repeat(9)}`, daysAgo(90)),
    ]);
    const refs = refsOf(await ask('how many berths with power on the west quay'));
    expect(refs.slice(-2)).toEqual(['idea:older', 'idea:newer']);
  });
});

describe('what says the same', () => {
  const words = Array.from({ length: 20 }, (_, at) => `word${at}`);

  it('has nearly nine of ten words in common', async () => {
    const say = (ref: string, own: number): Change =>
      idea(
        ref,
        ['walrus', ...words.slice(0, 20 - own), ...words.slice(0, own).map((each) => `${ref}${each}`)].join(' '),
      );
    // 21 words each: with one of their own 20 of 22 are common, with two 19 of 23.
    await store.apply([say('a', 0), say('b', 1)]);
    expect((await ask('walrus')).results.map(({ ref, folded }) => [ref, folded])).toEqual([['idea:a', ['idea:b']]]);
    await store.apply([say('b', 2)]);
    expect(refsOf(await ask('walrus'))).toEqual(['idea:a', 'idea:b']);
  });
});

describe('a conversation', () => {
  it('gains from its two next best lines, and no third', async () => {
    const lines = (count: number): Change[] =>
      Array.from({ length: count }, (_, at) => idea(`l${at}`, `walrus ${unlike(at)}`, { session: 's', line: at + 1 }));
    const gain = async (count: number): Promise<number> => {
      await store.apply(lines(count));
      return (
        partOf(
          (await ask('walrus')).results.find(({ ref }) => ref === 'idea:l0'),
          'same conversation',
        )?.points ?? 0
      );
    };
    const [one, two, three, four] = [await gain(1), await gain(2), await gain(3), await gain(4)];
    expect(one).toBe(0);
    expect(two).toBeCloseTo(0.1 * 0.55 * 0.994, 3);
    expect(three).toBeCloseTo(2 * two, 3);
    expect(four).toBeCloseTo(three, 6);
  });

  it('loses half a percent with each further line, three at most', async () => {
    await store.apply(
      many(
        9,
        (at) => `walrus ${unlike(at)}`,
        () => ({ session: 's' }),
      ),
    );
    const factors = (await ask('walrus', { expand: false })).results.map(
      (each) => partOf(each, 'variety')?.factor ?? 1,
    );
    expect(factors).toEqual([1, 0.995, 0.99, 0.985, 0.98, 0.975, 0.97, 0.97, 0.97]);
  });
});

describe('relevance', () => {
  it('is high for what has the words and the meaning, and low for what has neither', async () => {
    await store.apply([idea('a', 'The tide table of the harbour', { hash: 'h' }), ...many(30, unlike)]);
    const [vector] = await hashEmbedder.embed(['The tide table of the harbour']);
    await store.apply([{ op: 'vectors', vectors: [{ hash: 'h', model: hashEmbedder.model, vector: vector! }] }]);
    const relevance = async (query: string, deps: Partial<RecallDeps> = {}) => (await ask(query, {}, deps)).relevance;
    expect(await relevance('tide table of the harbour')).toBeCloseTo(0.99, 1);
    expect(await relevance('tide table of the harbour', { embedder: hashEmbedder })).toBeGreaterThan(0.99);
    expect(await relevance('tide of the market square')).toBeLessThan(0.5);
    expect(await relevance('wedding cake')).toBe(0);
  });
});
