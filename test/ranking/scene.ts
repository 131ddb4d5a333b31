// A small memory with questions whose answers are known: the words of a scene, the model that turns texts into vectors without
// being one, and the store that holds the memories of all scenes.

import type { RecallQuery } from '../../src/recall/answer.ts';
import type { RecallDeps } from '../../src/recall/recall.ts';
import { indexWords } from '../../src/store/index-words.ts';
import type { Change, Store } from '../../src/store/store.ts';
import { DAY, idea, NOW, openStore } from '../recall/memories.ts';

export type Ask = {
  readonly query: string;
  /** Refs of the first results, in this order. */
  readonly first: readonly string[];
  /** Refs that must not be among the results. */
  readonly never?: readonly string[];
  readonly more?: Partial<RecallQuery>;
  readonly deps?: Partial<RecallDeps>;
};

export type CaptureContext = {
  /** A rule of ranking, as a sentence. */
  readonly rule: string;
  readonly memories: readonly Change[];
  readonly asks: readonly Ask[];
};

type Parts = NonNullable<Parameters<typeof idea>[2]>;

/** What the assistant said. */
export const agent = (ref: string, text: string, parts: Parts = {}): Change => idea(ref, text, parts);
/** What the user said. */
export const user = (ref: string, text: string, parts: Parts = {}): Change =>
  idea(ref, text, { meta: { role: 'user', stance: 'stated' }, ...parts });
export const daysAgo = (days: number): Pick<Parts & object, 'createdAt' | 'updatedAt'> => ({
  createdAt: NOW - days * DAY,
  updatedAt: NOW - days * DAY,
});

const SIZE = 768;
/** Words that mean the same to the model. */
const SAME: { readonly [word: string]: string } = { throttl: 'ratelimit', limit: 'ratelimit', rate: 'ratelimit' };

/** A bag of words as a vector: each word is a direction, by its hash. Texts of common words are near, as with a model. */
export const hashEmbedder = {
  model: 'hash-of-words',
  embed: async (texts: readonly string[]): Promise<Float32Array[]> => texts.map(vectorOf),
};

function vectorOf(text: string): Float32Array {
  const vector = new Float32Array(SIZE);
  for (const word of indexWords(text)) {
    let hash = 2_166_136_261;
    for (const character of SAME[word] ?? word) hash = Math.imul(hash ^ character.charCodeAt(0), 16_777_619) >>> 0;
    vector[hash % SIZE]! += (hash >>> 16) % 2 === 0 ? 1 : -1;
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}

/** The memories of all scenes in one store, with their vectors. */
export async function openScenes(
  scenes: readonly CaptureContext[],
): Promise<{ store: Store; end: () => Promise<void> }> {
  const opened = await openStore();
  const memories = scenes.flatMap((context) => context.memories);
  await opened.store.apply(memories);
  const documents = memories.flatMap((each) => (each.op === 'put' ? [each.document] : []));
  const vectors = documents.map(({ hash, text }) => ({ hash, model: hashEmbedder.model, vector: vectorOf(text) }));
  await opened.store.apply([{ op: 'vectors', vectors }]);
  return opened;
}
