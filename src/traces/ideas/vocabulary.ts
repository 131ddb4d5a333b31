// The words that cues are made of, each with a number.

import { lower } from './characters.ts';

const TABLE_BITS = 14;
const SLOT_MASK = (1 << TABLE_BITS) - 1;
export const MAX_VOCABULARY = 6_000;

/**
 * Words by number, found by their letters: open addressing, so that looking up costs no allocation, and words that stay
 * where they were written, so that filling it costs none either.
 */
export class Vocabulary {
  readonly #slots = new Int16Array(1 << TABLE_BITS);
  readonly #sources: string[] = [''];
  readonly #starts = new Int32Array(MAX_VOCABULARY);
  readonly #ends = new Int32Array(MAX_VOCABULARY);

  /** The number of the word at `start`, which is in lower case; it gets one if it has none. */
  add(source: string, start: number, end: number): number {
    let hash = 0;
    for (let i = start; i < end; i += 1) hash = (Math.imul(hash, 31) + source.charCodeAt(i)) | 0;
    const known = this.find(source, start, end, hash);
    if (known !== 0) return known;
    let slot = slotOf(hash);
    while (this.#slots[slot] !== 0) slot = (slot + 1) & SLOT_MASK;
    const id = this.#sources.push(source) - 1;
    if (id >= MAX_VOCABULARY) throw new RangeError('the vocabulary is full');
    this.#slots[slot] = id;
    this.#starts[id] = start;
    this.#ends[id] = end;
    return id;
  }

  /** The number of the word that stands at `start` and has this hash; 0 if it is not known. */
  find(text: string, start: number, end: number, hash: number): number {
    for (let slot = slotOf(hash); ; slot = (slot + 1) & SLOT_MASK) {
      const id = this.#slots[slot]!;
      if (id === 0 || this.#is(id, text, start, end)) return id;
    }
  }

  word(id: number): string {
    return this.#sources[id]!.slice(this.#starts[id], this.#ends[id]);
  }

  #is(id: number, text: string, start: number, end: number): boolean {
    const from = this.#starts[id]!;
    if (this.#ends[id]! - from !== end - start) return false;
    const source = this.#sources[id]!;
    for (let i = start, k = from; i < end; i += 1, k += 1) {
      const code = text.charCodeAt(i);
      if (source.charCodeAt(k) !== code && source.charCodeAt(k) !== lower(code)) return false;
    }
    return true;
  }
}

function slotOf(hash: number): number {
  return Math.imul(hash, 0x9e3779b1) >>> (32 - TABLE_BITS);
}
