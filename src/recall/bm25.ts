// The exact score of a candidate's words: BM25 over its fields, with the weights of this folder instead of the database's.
// Only the query's words are looked for, by the beginning they share with all their forms, so that hundreds of candidates
// take no more than a millisecond.

import { indexWords } from '../store/index-words.ts';
import type { QueryWord } from './analyse.ts';
import type { Weights } from './weights.ts';

/** A text as a candidate has it, and what a word in it counts. */
export type Field = {
  readonly text: string;
  readonly weight: number /** What was said before it, not by itself. */;
  readonly borrowed?: true;
};

export type WordScore = {
  readonly score: number;
  /** The share of what the query asks for, by weight, that was found. */
  readonly coverage: number;
  /** Which words it has itself: a bit for each, by its place in the query. */
  readonly own: number;
};

/** The first that many words of a query have a bit. */
const MAX_OWN = 31;

/** `at`: the place in the query of the word that it is or is a form of. */
type Sought = { readonly word: string; readonly beginning: string; readonly at: number };

/** Letters that the quick way cannot compare: they are written in more than one way. Dashes, arrows and emoji are not. */
const FOREIGN = /[\u00aa-\u1fff\u2c00-\ud7ff\uf900-\uffdc]|[\ud840-\ud8ff]/;
const CHARACTERS_PER_WORD = 6;

export class Bm25Scorer {
  readonly #words: readonly QueryWord[];
  readonly #sought: readonly Sought[];
  readonly #total: number;
  readonly #weights: Weights['words'];
  readonly #runs = new Map<string, number[]>();
  /** How often each word was found, for the candidate at hand. */
  readonly #found: Float64Array;

  constructor(words: readonly QueryWord[], weights: Weights['words']) {
    this.#words = words;
    this.#sought = words.flatMap(({ word, surface, also = [] }, at) => [
      { word, beginning: beginningOf({ word, surface }), at },
      ...also.map((form) => ({ word: form, beginning: beginningOf({ word: form, surface: form }), at })),
    ]);
    this.#total = words.reduce((sum, { weight, learned }) => sum + (learned ? 0 : weight), 0);
    this.#weights = weights;
    this.#found = new Float64Array(words.length);
  }

  score(fields: readonly Field[]): WordScore {
    const { k1, b, averageLength } = this.#weights;
    const words = this.#words;
    const found = this.#found.fill(0);
    let own = 0;
    let length = 0;
    for (const { text, weight, borrowed } of fields) {
      if (weight <= 0 || text === '') continue;
      length += (text.length / CHARACTERS_PER_WORD) * weight;
      this.#count(text, weight, found);
      if (borrowed) continue;
      for (let at = 0; at < words.length && at < MAX_OWN; at++)
        if (found[at]! > 0 && !words[at]!.learned) own |= 1 << at;
    }
    const norm = k1 * (1 - b + (b * length) / averageLength);
    let score = 0;
    let covered = 0;
    for (let at = 0; at < words.length; at++) {
      const frequency = found[at]!;
      if (frequency <= 0) continue;
      const { weight, learned } = words[at]!;
      score += (weight * frequency * (k1 + 1)) / (frequency + norm);
      if (!learned) covered += weight * Math.min(1, frequency);
    }
    return { score, coverage: this.#total === 0 ? 0 : covered / this.#total, own };
  }

  #count(text: string, weight: number, found: Float64Array): void {
    if (FOREIGN.test(text)) {
      this.#countSlowly(text, weight, found);
      return;
    }
    const lower = text.toLowerCase();
    // By number: for a process that runs it for the first time, pairs of `entries()` take longer than the search.
    for (let index = 0; index < this.#sought.length; index++) {
      const { beginning, at } = this.#sought[index]!;
      for (let place = lower.indexOf(beginning); place >= 0; ) {
        let next = place + 1;
        if (beginsPart(text, lower, place)) {
          const [start, end] = runAt(lower, place);
          if (this.#has(text.slice(start, end), index)) found[at]! += weight;
          next = Math.max(end, next);
        }
        place = lower.indexOf(beginning, next);
      }
    }
  }

  /** Does this run of characters give the sought word? Runs repeat, so what they give is remembered. */
  #has(run: string, at: number): boolean {
    let places = this.#runs.get(run);
    if (!places) {
      places = [];
      const words = indexWords(run);
      for (let place = 0; place < this.#sought.length; place++)
        if (words.includes(this.#sought[place]!.word)) places.push(place);
      this.#runs.set(run, places);
    }
    return places.includes(at);
  }

  #countSlowly(text: string, weight: number, found: Float64Array): void {
    const words = indexWords(text);
    this.#sought.forEach(({ word, at }) => {
      for (const each of words) if (each === word) found[at]! += weight;
    });
  }
}

/**
 * Endings change the last letter of a stem (`study`, `studies`: `studi`); what is before it is in every form. Identifiers are
 * joined in many ways (`getUserName`, `get_user_name`), so of them only the first part is certain.
 */
function beginningOf({ word, surface }: Pick<QueryWord, 'word' | 'surface'>): string {
  const first = surface.split(PARTS)[0]!.toLowerCase();
  const certain = first !== '' && first.length < surface.length && word.startsWith(first) ? first : word;
  return certain.length > 3 || (certain.length > 1 && certain.endsWith('i')) ? certain.slice(0, -1) : certain;
}

const PARTS = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[_.'’/\\-]+/;
const JOINERS = "_.'’-";

/** A part of an identifier begins at its front, after a joiner or with a capital: in the middle of a word there is no other word. */
function beginsPart(text: string, lower: string, place: number): boolean {
  if (place === 0) return true;
  if (!isLetterOrDigit(lower.charCodeAt(place - 1))) return true;
  const code = text.charCodeAt(place);
  return code >= 65 && code <= 90;
}

/** Of text in lower case. */
const isLetterOrDigit = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 48 && code <= 57);

/** The word or identifier around a place. */
function runAt(text: string, place: number): [start: number, end: number] {
  let start = place;
  while (start > 0 && place - start < 100 && isRun(text, start - 1)) start--;
  let end = place + 1;
  while (end < text.length && end - place < 100 && isRun(text, end)) end++;
  return [start, end];
}

function isRun(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return (
    (code >= 97 && code <= 122) ||
    (code >= 48 && code <= 57) ||
    (code >= 65 && code <= 90) ||
    JOINERS.includes(text[at]!)
  );
}
