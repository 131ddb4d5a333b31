// The tokens of a text as 128 signs each, from the vectors that the model has of them anyway: a random rotation (random signs, then a
// Walsh-Hadamard transform), of which only the signs are kept. The angle between two tokens is then the share of signs that differ.

import { TOKEN_BYTES } from '../model/token-bytes.ts';

const SIGNS = TOKEN_BYTES * 8;

/** Some fixed signs for each number of a vector: the same on every machine. */
function turns(width: number): Float32Array {
  const signs = new Float32Array(width);
  let state = 0x9e3779b9;
  for (let at = 0; at < width; at++) {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) | 0;
    signs[at] = (state ^ (state >>> 13)) & 1 ? 1 : -1;
  }
  return signs;
}

let known: Float32Array | undefined;

/** `hidden` has `width` numbers for each token; `places` are the tokens that are wanted. */
export function tokenSigns(hidden: Float32Array, width: number, places: readonly number[]): Uint8Array {
  if (known?.length !== width) known = turns(width);
  const bytes = new Uint8Array(places.length * TOKEN_BYTES);
  const folded = new Float32Array(SIGNS);
  places.forEach((place, token) => {
    folded.fill(0);
    const from = place * width;
    // Blocks of 128 are turned each in its own way and added up.
    for (let block = 0; block < width; block += SIGNS) {
      const part = new Float32Array(SIGNS);
      for (let at = 0; at < SIGNS && block + at < width; at++)
        part[at] = hidden[from + block + at]! * known![block + at]!;
      hadamard(part);
      const shift = (block / SIGNS) * 41;
      for (let at = 0; at < SIGNS; at++) folded[at]! += part[(at + shift) % SIGNS]!;
    }
    for (let at = 0; at < SIGNS; at++) if (folded[at]! > 0) bytes[token * TOKEN_BYTES + (at >> 3)]! |= 1 << (at & 7);
  });
  return bytes;
}

function hadamard(values: Float32Array): void {
  for (let step = 1; step < values.length; step *= 2)
    for (let from = 0; from < values.length; from += step * 2)
      for (let at = from; at < from + step; at++) {
        const [a, b] = [values[at]!, values[at + step]!];
        values[at] = a + b;
        values[at + step] = a - b;
      }
}

/** More tokens than this say what the first of them say already. */
const MOST_TOKENS = 64;
const HAS_LETTER = /[\p{L}\p{N}]/u;

/** Words of every sentence: nothing is found by them, and they are half of all tokens. */
const SMALL = new Set(
  (
    'a an the of to in on at by for with from and or but is are was were be been being am do does did have has had i me my we our us you your he him his she her it ' +
    'its they them their this that these those what which who when where why how can could should would will shall may might must not no so if then than as about into ' +
    'there here just also any some all s t re ve ll m d'
  ).split(' '),
);

/** Which tokens are kept: those of words that say something. */
export function tellingTokens(words: readonly string[]): number[] {
  const places: number[] = [];
  for (let at = 0; at < words.length && places.length < MOST_TOKENS; at++) {
    const word = words[at]!;
    if (HAS_LETTER.test(word) && !SMALL.has(word)) places.push(at);
  }
  return places;
}
