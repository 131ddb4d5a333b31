// Late interaction: each word of the query looks for the token of a statement that is nearest to it, in the sense that both have in their
// sentences. The vector of a statement blurs what it says beside the matter; its tokens do not. By 128 signs a token
// (embed/token-signs.ts), for the best candidates only.

import type { Tokens } from '../embed/embedder.ts';
import { TOKEN_BYTES } from '../model/token-bytes.ts';
import { indexWords } from '../store/index-words.ts';
import type { QueryWord } from './analyse.ts';
import { type Comparing, keyOf } from './candidates.ts';
import { shortnessOf } from './exchange-context.ts';
import type { Ranked } from './fuse.ts';
import type { Weights } from './weights.ts';

type Asked = Comparing & { readonly tokens?: Tokens; readonly words: readonly QueryWord[] };

/**
 * Points for what the tokens say. What is not looked at, or was stored without them, stands by its vector and by how far the tokens of the others
 * are above theirs: who speaks and what is wished for good is weighed later, and lifts some from far behind.
 */
export async function addTokens(
  ranked: readonly Ranked[],
  { store, model, tokens, words }: Asked,
  { tokens: { points, long, look }, short }: Weights,
): Promise<void> {
  const nearness = tokens && nearnessTo(tokens, words);
  if (!nearness || model === undefined || !store.tokens) return;
  const most = long + (points - long) * shortnessOf(words.length, short);
  const best = [...ranked].sort((a, b) => b.score - a.score || (keyOf(a.document) < keyOf(b.document) ? -1 : 1));
  const looked = best.slice(0, look);
  const kept = await store.tokens({ model, hashes: [...new Set(looked.map(({ document }) => document.hash))] });
  if (kept.size === 0) return;
  for (const each of looked) {
    const signs = kept.get(each.document.hash);
    if (signs) each.tokens = nearness(signs);
  }
  const seen = looked.filter((each) => each.tokens !== undefined);
  const above = meanOf(seen.map((each) => (each.tokens ?? 0) - (each.cosine ?? 0)));
  for (const each of ranked) {
    const own = most * Math.max(0, each.tokens ?? (each.cosine ?? 0) + above);
    each.score += own;
    each.details.push({ name: each.tokens === undefined ? 'no tokens' : 'its tokens', points: own });
  }
}

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** How near the tokens of a text are to the query's, -1 … 1: the mean over the query's words, by what they tell. */
export function nearnessTo(
  { words: pieces, signs }: Tokens,
  words: readonly QueryWord[],
): ((signs: Uint8Array) => number) | undefined {
  const weights = new Map(words.map(({ word, weight }) => [word, weight]));
  const asked = pieces.flatMap((piece, at) => {
    const weight = Math.max(0, ...indexWords(piece).map((word) => weights.get(word) ?? 0));
    return weight > 0 ? [{ weight, token: tokenAt(signs, at) }] : [];
  });
  const all = asked.reduce((sum, { weight }) => sum + weight, 0);
  if (all === 0) return undefined;
  return (stored) => {
    const there = Array.from({ length: Math.floor(stored.length / TOKEN_BYTES) }, (_, at) => tokenAt(stored, at));
    if (there.length === 0) return 0;
    let sum = 0;
    for (const { weight, token } of asked) {
      let least = SIGNS;
      for (const other of there) least = Math.min(least, distance(token, other));
      sum += weight * Math.cos((Math.PI * least) / SIGNS);
    }
    return sum / all;
  };
}

const SIGNS = TOKEN_BYTES * 8;
type Token = readonly [number, number, number, number];

/** As four numbers of 32 bits. */
function tokenAt(bytes: Uint8Array, at: number): Token {
  const view = new DataView(bytes.buffer, bytes.byteOffset + at * TOKEN_BYTES, TOKEN_BYTES);
  return [view.getInt32(0), view.getInt32(4), view.getInt32(8), view.getInt32(12)];
}

const distance = (a: Token, b: Token): number =>
  ones(a[0] ^ b[0]) + ones(a[1] ^ b[1]) + ones(a[2] ^ b[2]) + ones(a[3] ^ b[3]);

/** How many bits are set. */
function ones(bits: number): number {
  let sum = bits - ((bits >>> 1) & 0x55555555);
  sum = (sum & 0x33333333) + ((sum >>> 2) & 0x33333333);
  return Math.imul((sum + (sum >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
