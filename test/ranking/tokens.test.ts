// Late interaction: of two statements that are as near to the query as a whole, the one whose words are nearest goes first; and what has been
// embedded before tokens were kept is at no disadvantage.

import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Embedder } from '../../src/embed/embedder.ts';
import { TOKEN_BYTES } from '../../src/model/token-bytes.ts';
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

/** Words that mean the same to the model. */
const SAME: { readonly [word: string]: string } = { skipper: 'captain', vessel: 'boat' };
const wordsOf = (text: string): string[] => text.toLowerCase().match(/[a-z]+/g) ?? [];

/** Every word has its own signs; texts as a whole are all alike. */
function signsOf(words: readonly string[]): Uint8Array {
  const bytes = new Uint8Array(words.length * TOKEN_BYTES);
  words.forEach((word, at) => {
    let state = [...(SAME[word] ?? word)].reduce((sum, letter) => Math.imul(sum ^ letter.charCodeAt(0), 16_777_619), 7);
    for (let byte = 0; byte < TOKEN_BYTES; byte++) {
      state = Math.imul(state ^ (state >>> 13), 0x5bd1e995) + 0x6d2b79f5;
      bytes[at * TOKEN_BYTES + byte] = state >>> 11;
    }
  });
  return bytes;
}
const vector = Float32Array.of(1, 0);
const embedder: Pick<Embedder, 'model' | 'embed' | 'embedTokens'> = {
  model: 'by-words',
  embed: async (texts) => texts.map(() => vector),
  embedTokens: async (texts) =>
    texts.map((text) => ({ vector, tokens: { words: wordsOf(text), signs: signsOf(wordsOf(text)) } })),
};

const TEXTS = {
  near: 'The captain of the boat signs the sheet',
  far: 'The painter of the ladder signs the sheet',
  old: 'The cook of the galley signs the sheet',
};

async function keep(withTokens: readonly string[]): Promise<void> {
  for (const [name, text] of Object.entries(TEXTS)) {
    const tokens = withTokens.includes(name) ? { tokens: signsOf(wordsOf(text)) } : {};
    await store.apply([
      idea(name, text),
      { op: 'vectors', vectors: [{ hash: `hash-${name}`, model: embedder.model, vector, ...tokens }] },
    ]);
  }
}

async function ask(weights: Weights = WEIGHTS, more: object = {}): Promise<readonly RecallResult[]> {
  const deps = { store, now: NOW, timeZone: 'UTC', embedder, weights };
  return (await recall(deps, { query: 'which skipper of a vessel signs', limit: 8, explain: true, ...more })).results;
}
const refsOf = (results: readonly RecallResult[]): string[] => results.map(({ ref }) => ref);
const pointsOf = (results: readonly RecallResult[], ref: string, name: string): number | undefined =>
  results.find((result) => result.ref === ref)?.explain?.find((detail) => detail.name === name)?.points;

describe('the tokens of a statement', () => {
  it('count less to a long query, which says itself what it wants', async () => {
    await keep(['near', 'far', 'old']);
    const query = 'which skipper of a vessel signs rope anchor tide harbour ladder beacon lantern pilot gangway';
    const same = { ...WEIGHTS, tokens: { ...WEIGHTS.tokens, long: WEIGHTS.tokens.points } };
    const [less, as] = [await ask(WEIGHTS, { query }), await ask(same, { query })].map((results) =>
      pointsOf(results, 'idea:near', 'its tokens'),
    );
    expect(less).toBeCloseTo(as! / 2, 5);
  });

  it('put first what each word of the query is near to', async () => {
    await keep(['near', 'far', 'old']);
    const results = await ask();
    expect(refsOf(results)[0]).toBe('idea:near');
    expect(pointsOf(results, 'idea:near', 'its tokens')).toBeGreaterThan(
      0.3 + pointsOf(results, 'idea:far', 'its tokens')!,
    );
    const without = await ask({ ...WEIGHTS, tokens: { ...WEIGHTS.tokens, points: 0 } });
    expect(refsOf(without)[0]).not.toBe('idea:near');
  });

  it('are stood in for by the vector where they were not kept', async () => {
    await keep(['near', 'far']);
    const results = await ask();
    expect(refsOf(results)).toEqual(['idea:near', 'idea:old', 'idea:far']);
    expect(pointsOf(results, 'idea:old', 'no tokens')).toBeGreaterThan(pointsOf(results, 'idea:far', 'its tokens')!);
  });

  it('are not missed where a store has none of them, nor looked at for a prompt', async () => {
    await keep([]);
    const names = (results: readonly RecallResult[]) =>
      results.flatMap(({ explain = [] }) => explain.map(({ name }) => name));
    expect(names(await ask())).not.toContain('no tokens');
    await keep(['near', 'far']);
    expect(names(await ask(WEIGHTS, { unasked: { isTelling: () => true } }))).not.toContain('its tokens');
  });
});
