// The words that cues are made of, each with a number.

import { lower } from './characters.ts';

const TABLE_BITS = 14;
const SLOT_MASK = (1 << TABLE_BITS) - 1;
export const MAX_VOCABULARY = 6_000;

/** Words by number, found by their letters: open addressing, so that looking one up in a text copies nothing. */
export class Vocabulary {
  readonly #slots = new Int16Array(1 << TABLE_BITS);
  readonly #words: readonly string[];

  /** The first word is none; `slots` has the place of each in the table. */
  constructor(words: readonly string[], slots: Int32Array) {
    this.#words = words;
    for (let id = 1; id < words.length; id += 1) this.#slots[slots[id]!] = id;
  }

  /** The number of the word that stands at `start` and has this hash; 0 if it is not known. */
  find(text: string, start: number, end: number, hash: number): number {
    for (let slot = slotOf(hash); ; slot = (slot + 1) & SLOT_MASK) {
      const id = this.#slots[slot]!;
      if (id === 0 || this.#is(id, text, start, end)) return id;
    }
  }

  #is(id: number, text: string, start: number, end: number): boolean {
    const word = this.#words[id]!;
    if (word.length !== end - start) return false;
    for (let i = 0; i < word.length; i += 1) {
      const code = text.charCodeAt(start + i);
      if (word.charCodeAt(i) !== code && word.charCodeAt(i) !== lower(code)) return false;
    }
    return true;
  }
}

/** Where each of these words stands in the table. */
export function slotsOf(words: readonly string[]): number[] {
  const slots: number[] = [0];
  const taken = new Set<number>();
  for (const word of words.slice(1)) {
    let hash = 0;
    for (let i = 0; i < word.length; i += 1) hash = (Math.imul(hash, 31) + word.charCodeAt(i)) | 0;
    let slot = slotOf(hash);
    while (taken.has(slot)) slot = (slot + 1) & SLOT_MASK;
    taken.add(slot);
    slots.push(slot);
  }
  return slots;
}

function slotOf(hash: number): number {
  return Math.imul(hash, 0x9e3779b1) >>> (32 - TABLE_BITS);
}
