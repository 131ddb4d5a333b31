// Finds all cues of a language in a statement, in one walk over its words. Cues are written as patterns:
//   `let's go with`   these words in this order           `use|keep`   one of them       `really?`   may be missing
//   `^why`            at the beginning of a sentence      `*`          up to three words of any kind
//   `@do`             any word of a class                 `~ing`       any word that ends so      `#`  code or a name
//   `~first`          any word that begins a sentence or follows a colon
// Patterns are looked up by their first word, so that a word that begins none costs next to nothing.

import type { CueCode } from './cue-code.ts';
import { FLAGS, GAP, MAY_MISS, WORDS } from './cue-reader.ts';
import { Vocabulary } from './vocabulary.ts';
import { START, type Words } from './words.ts';

const MAX_GAP = 3;
const MAX_HITS = 64;
const MOST_BITS = 32;

/** Where the patterns go on that begin with a word, a class or an ending; each by its number. */
type Beginnings = {
  readonly words: (readonly number[] | undefined)[];
  readonly classes: (readonly number[] | undefined)[];
  readonly flags: (readonly number[] | undefined)[];
  readonly classMask: number;
  readonly flagMask: number;
};

export type Hits = { count: number; readonly groups: Uint8Array; readonly at: Int16Array; readonly to: Int16Array };

export class CueMatcher {
  readonly hits: Hits = {
    count: 0,
    groups: new Uint8Array(MAX_HITS),
    at: new Int16Array(MAX_HITS),
    to: new Int16Array(MAX_HITS),
  };
  readonly vocabulary: Vocabulary;
  readonly #names: readonly string[];
  readonly #code: Int32Array;
  readonly #classes: Int32Array;
  readonly #fillers: number;
  readonly #first: Beginnings;
  readonly #anywhere: Beginnings;

  constructor({ names, words, numbers }: CueCode) {
    const classesAt = 1 + numbers[0]!;
    const slotsAt = classesAt + words.length;
    const end = slotsAt + words.length;
    this.#names = names;
    this.#code = numbers.subarray(1, classesAt);
    this.#classes = numbers.subarray(classesAt, slotsAt);
    this.vocabulary = new Vocabulary(words, numbers.subarray(slotsAt, end));
    const cursor = { at: end };
    this.#first = readBeginnings(numbers, cursor, words.length);
    this.#anywhere = readBeginnings(numbers, cursor, words.length);
    this.#fillers = this.maskOf('filler');
  }

  maskOf(name: string): number {
    const index = this.#names.indexOf(name);
    if (index === -1) throw new RangeError(`no class of words is called ${name}`);
    return 1 << index;
  }

  /** Is the word at `at` in one of the classes of this mask? */
  isOf(words: Words, at: number, mask: number): boolean {
    return (this.#classes[words.ids[at]!]! & mask) !== 0;
  }

  /** Fills `hits`. A word that begins a sentence hands that on if it is only a filler: “so”, “ok”. */
  match(words: Words): Hits {
    this.hits.count = 0;
    for (let at = 0; at < words.count; at += 1) {
      const id = words.ids[at]!;
      const classes = this.#classes[id]!;
      if ((words.flags[at]! & START) !== 0) {
        this.#begin(this.#first, words, at, classes);
        if ((classes & this.#fillers) !== 0 && at + 1 < words.count) words.flags[at + 1]! |= START;
      }
      this.#begin(this.#anywhere, words, at, classes);
    }
    return this.hits;
  }

  #begin(beginnings: Beginnings, words: Words, at: number, classes: number): void {
    const id = words.ids[at]!;
    if (id !== 0) {
      const bodies = beginnings.words[id];
      if (bodies !== undefined) this.#tryAll(bodies, words, at);
    }
    for (let mask = classes & beginnings.classMask; mask !== 0; mask &= mask - 1) {
      this.#tryAll(beginnings.classes[31 - Math.clz32(mask & -mask)]!, words, at);
    }
    for (let mask = words.flags[at]! & beginnings.flagMask; mask !== 0; mask &= mask - 1) {
      this.#tryAll(beginnings.flags[31 - Math.clz32(mask & -mask)]!, words, at);
    }
  }

  #tryAll(bodies: readonly number[], words: Words, at: number): void {
    for (let i = 0; i < bodies.length; i += 1) this.#try(bodies[i]!, words, at, at + 1);
  }

  /** Does the pattern whose next element stands at `place` go on at word `next`? Notes a hit where it ends. */
  #try(place: number, words: Words, from: number, next: number): boolean {
    const header = this.#code[place]!;
    if (header < 0) return this.#note(-header - 1, from, next);
    const behind = place + 2 + (header & WORDS);
    if ((header & GAP) !== 0) {
      const last = Math.min(next + MAX_GAP, words.count);
      for (let at = next; at <= last; at += 1) if (this.#try(behind, words, from, at)) return true;
      return false;
    }
    const isMissing = (header & MAY_MISS) !== 0 && this.#try(behind, words, from, next);
    return (
      (next < words.count && this.#fits(place, header, words, next) && this.#try(behind, words, from, next + 1)) ||
      isMissing
    );
  }

  #fits(place: number, header: number, words: Words, at: number): boolean {
    const id = words.ids[at]!;
    if (id !== 0) {
      const last = place + 2 + (header & WORDS);
      for (let i = place + 2; i < last; i += 1) if (this.#code[i] === id) return true;
      if ((this.#classes[id]! & this.#code[place + 1]!) !== 0) return true;
    }
    return (words.flags[at]! & (header >> FLAGS)) !== 0;
  }

  #note(group: number, from: number, next: number): true {
    const { hits } = this;
    if (hits.count < MAX_HITS) {
      hits.groups[hits.count] = group;
      hits.at[hits.count] = from;
      hits.to[hits.count] = next;
      hits.count += 1;
    }
    return true;
  }
}

function readBeginnings(numbers: Int32Array, cursor: { at: number }, count: number): Beginnings {
  const words = readLists(numbers, cursor, count);
  const classes = readLists(numbers, cursor, MOST_BITS);
  const flags = readLists(numbers, cursor, MOST_BITS);
  return { words, classes, flags, classMask: maskOf(classes), flagMask: maskOf(flags) };
}

/** Filled at once: an array that grows with holes is a slow one. */
function readLists(numbers: Int32Array, cursor: { at: number }, count: number): (readonly number[] | undefined)[] {
  const lists = new Array<readonly number[] | undefined>(count).fill(undefined);
  let { at } = cursor;
  for (let left = numbers[at++]!; left > 0; left -= 1) {
    const key = numbers[at++]!;
    const length = numbers[at++]!;
    const list: number[] = [];
    for (const end = at + length; at < end; at += 1) list.push(numbers[at]!);
    lists[key] = list;
  }
  cursor.at = at;
  return lists;
}

const maskOf = (lists: readonly unknown[]): number =>
  lists.reduce<number>((mask, list, bit) => (list === undefined ? mask : mask | (1 << bit)), 0);
