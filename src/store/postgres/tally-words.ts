// What the tables of words hold for one document, and the names of the counts that are no words of a text.

import { indexWords } from '../index-words.ts';
import type { FacetField } from './filter.ts';

/** Every document counts its four facets among its words, as the index of SQLite does: scores are the same to the last digit. */
export const FACET_WORDS = 4;

/** Text cannot give these: index-words.ts keeps no private-use characters. */
export const facetWord = (field: FacetField, value: string): string => `\uE000${field} ${value}`;
export const ALL_DOCUMENTS = '\uE001documents';
export const ALL_LENGTHS = '\uE001words';

export type IndexedText = {
  readonly title: string;
  readonly text: string;
  readonly tags: readonly string[];
  readonly context: string | null;
};

export type Indexed = {
  /** As `document.words` keeps it: one line a field, each word between spaces of its own. */
  readonly words: string;
  readonly length: number;
};

export function indexed({ title, text, tags, context }: IndexedText): Indexed {
  const inText = indexWords(text);
  const fields = [
    title === text ? inText : indexWords(title),
    inText,
    indexWords(tags.join(' ')),
    contextWords(context),
  ];
  return {
    words: fields.map((words) => words.map((word) => ` ${word} `).join('')).join('\n'),
    length: fields.reduce((sum, words) => sum + words.length, FACET_WORDS),
  };
}

/** All that was said in one turn has the same context, and comes in a row. */
let lastContext: { text: string; words: string[] } = { text: '', words: [] };
function contextWords(text: string | null): string[] {
  if (text === null || text === '') return [];
  if (text !== lastContext.text) lastContext = { text, words: indexWords(text) };
  return lastContext.words;
}

/** The most that the bits of `posting.tf` hold of each field; nothing that is said comes near it. */
const MOST = { title: 63, text: 4_095, tags: 31, context: 4_095 } as const;
const FIELDS = ['title', 'text', 'tags', 'context'] as const;
/** What one more in a field adds to `tf`. */
const ONE = { tags: 1, title: 2 ** 5, context: 2 ** 11, text: 2 ** 23 } as const;
const LENGTH = 2 ** 35;

/** `tf` taken apart in SQL. */
export const TF = {
  tags: '(tf & 31)',
  title: '((tf >> 5) & 63)',
  context: '((tf >> 11) & 4095)',
  text: '((tf >> 23) & 4095)',
  length: '(tf >> 35)',
  /** All but the length. */
  counts: '(tf & 34359738367)',
} as const;

/** Each word once, with its `tf`. */
export function postingsOf({ words, length }: Indexed): Map<string, number> {
  const postings = new Map<string, number>();
  words.split('\n').forEach((line, at) => {
    const field = FIELDS[at];
    if (field === undefined || line === '') return;
    const counts = new Map<string, number>();
    for (const word of wordsOf(line)) counts.set(word, (counts.get(word) ?? 0) + 1);
    for (const [word, count] of counts)
      postings.set(word, (postings.get(word) ?? length * LENGTH) + Math.min(count, MOST[field]) * ONE[field]);
  });
  return postings;
}

const wordsOf = (line: string): string[] => line.slice(1, -1).split('  ');

/** How `document.words` holds these words side by side. */
export const phraseOf = (words: readonly string[], open: boolean): string => ` ${words.join('  ')}${open ? '' : ' '}`;
