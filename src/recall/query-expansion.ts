// Words that the query did not say and its best candidates do (pseudo-relevance feedback): what else belongs to the matter. They
// count a quarter of their weight, and only for short queries; a long one says enough itself.

import { indexWords } from '../store/index-words.ts';
import type { Store } from '../store/store.ts';
import type { QueryWord } from './analyse.ts';
import type { Ranked } from './fuse.ts';
import { isQuestionWord } from './question-words.ts';
import type { Weights } from './weights.ts';

/** `best`: the first candidates, best first. */
export async function expandQuery(
  store: Store,
  words: readonly QueryWord[],
  best: readonly Ranked[],
  { learn }: Weights,
): Promise<QueryWord[]> {
  if (words.length === 0 || words.length > learn.longestQuery) return [];
  const known = new Set(words.map((each) => each.word));
  const seen = new Map<string, number>();
  best.slice(0, learn.from).forEach(({ document }, at) => {
    for (const word of new Set(indexWords(document.text.slice(0, MAX_TEXT)))) {
      if (word.length > 2 && !known.has(word) && !isQuestionWord(word))
        seen.set(word, (seen.get(word) ?? 0) + 1 / (at + 1));
    }
  });
  const often = [...seen].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, learn.looked);
  const { documents, counts } = await store.counts({ words: often.map(([word]) => word) });
  return often
    .map(([word, weight], at) => ({ word, weight, documents: counts[at] ?? 0 }))
    .filter((each) => each.documents > 0 && each.documents <= documents * learn.common)
    .map(({ word, weight, documents: count }) => ({ word, count, rarity: Math.log(1 + documents / count), weight }))
    .sort((a, b) => b.weight * b.rarity - a.weight * a.rarity || (a.word < b.word ? -1 : 1))
    .slice(0, learn.words)
    .map(({ word, count, rarity }) => ({
      word,
      surface: word,
      documents: count,
      weight: learn.weight * rarity,
      learned: true,
    }));
}

const MAX_TEXT = 600;
