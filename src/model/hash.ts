// Every hash of Cairn. Names of files, ids and rows are made of them, so none of them may ever give another answer. Only the first
// three are cryptography; the others tell things apart that nobody gains by forging, in hooks that node:crypto would slow down.

import { createHash, hash } from 'node:crypto';

/**
 * So many characters of a process are digested here, more by node:crypto: loading it takes as long as this takes for so many. A turn of
 * 100 KB has between 6,000 and 20,000, and takes 148 ms of processor time instead of 163 without that module.
 */
const FEW_CHARACTERS = 20_000;
let digested = 0;

/** SHA-256 in hexadecimal digits; of a text as UTF-8. */
export function contentHash(content: string | Uint8Array): string {
  digested += content.length;
  if (digested > FEW_CHARACTERS || typeof content !== 'string') return hash('sha256', content, 'hex');
  return sha256(content);
}

/** As records are told apart in `--hash` and by the tools that change them. */
export const recordMd5 = (bytes: Uint8Array): string => hash('md5', bytes, 'hex');

/** As git names the content of a file. */
export const gitBlobId = (bytes: Uint8Array, algorithm: 'sha1' | 'sha256'): string =>
  createHash(algorithm).update(`blob ${bytes.length}\0`).update(bytes).digest('hex');

const LONGEST = 20_000;

/** 64 bits that stand for a text; of a very long one for its beginning, and its length. */
export function shortHash(text: string): string {
  let [a, b] = [0xdeadbeef ^ text.length, 0x41c6ce57 ^ text.length];
  for (let at = 0; at < Math.min(text.length, LONGEST); at++) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return digitsOf(a) + digitsOf(b);
}

/** 64 bits that tell whether a file holds what it held before its time moved. */
export function bytesHash(bytes: Uint8Array): string {
  // Four bytes at a time, from an address that allows it.
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : Uint8Array.from(bytes);
  const words = new Int32Array(aligned.buffer, aligned.byteOffset, bytes.length >>> 2);
  let [one, two] = [bytes.length ^ 0x9e3779b9, 0x41c6ce57];
  for (let at = 0; at < words.length; at++) {
    one = Math.imul(one ^ words[at]!, 0x85ebca6b);
    two = Math.imul(two ^ words[at]!, 0x5bd1e995);
    one ^= one >>> 15;
    two ^= two >>> 13;
  }
  for (let at = words.length * 4; at < bytes.length; at++) one = Math.imul(one ^ bytes[at]!, 0x85ebca6b);
  return digitsOf(one) + digitsOf(two);
}

/** 32 bits (FNV-1a) for the end of a name that others may have too. */
export const nameHash = (text: string): string => digitsOf(multiplied(text, 0x811c9dc5, 0x01000193));

/** 64 bits that keep projects apart. */
export const projectHash = (root: string): string => nameHash(root) + digitsOf(multiplied(root, 0x1000193, 0x85ebca6b));

function multiplied(text: string, start: number, factor: number): number {
  let value = start;
  for (const byte of Buffer.from(text)) value = Math.imul(value ^ byte, factor);
  return value;
}

/** The running sum of nothing. */
export const FIRST_SUM = '9e3779b97f4a7c15';

/**
 * A checksum that grows with its text, line by line: whoever appends goes on from the sum of what is there and need not read it again,
 * which no digest of node:crypto allows. It tells damage (flipped bits, lost, swapped or foreign lines), not deceit: 64 bits, and each
 * step can be undone, so a single character that changed is always noticed.
 */
export function runningSum(sum: string, lines: Iterable<string>): string {
  let [a, b] = [Number.parseInt(sum.slice(0, 8), 16), Number.parseInt(sum.slice(8), 16)];
  for (const line of lines) {
    const text = line.toWellFormed(); // half a character becomes another one when it is written as UTF-8
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      a = Math.imul(((a << 5) | (a >>> 27)) ^ code, 2_654_435_761);
      b = Math.imul(((b << 11) | (b >>> 21)) ^ code, 1_597_334_677);
    }
    a = Math.imul(((a << 5) | (a >>> 27)) ^ LINE_BREAK, 2_654_435_761);
    b = Math.imul(((b << 11) | (b >>> 21)) ^ LINE_BREAK, 1_597_334_677);
  }
  return digitsOf(a) + digitsOf(b);
}

const LINE_BREAK = 0x0a;

const digitsOf = (value: number): string => (value >>> 0).toString(16).padStart(8, '0');

// --- SHA-256 (FIPS 180-4) ---

const BLOCK = 64;
const START = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];
const ROUNDS = [
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
  0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
  0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
  0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
  0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
  0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
  0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
  0xc67178f2,
];

function sha256(text: string): string {
  const length = Buffer.byteLength(text);
  const padded = Buffer.alloc(Math.ceil((length + 9) / BLOCK) * BLOCK);
  padded.write(text);
  padded[length] = 0x80;
  padded.writeUInt32BE(length * 8, padded.length - 4);
  const state = Int32Array.from(START);
  const words = new Int32Array(BLOCK);
  for (let start = 0; start < padded.length; start += BLOCK) {
    for (let at = 0; at < 16; at++) words[at] = padded.readInt32BE(start + at * 4);
    for (let at = 16; at < BLOCK; at++) {
      const x = words[at - 15]!;
      const y = words[at - 2]!;
      const early = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
      const late = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
      words[at] = words[at - 16]! + early + words[at - 7]! + late;
    }
    addBlock(state, words);
  }
  return Array.from(state, digitsOf).join('');
}

function addBlock(state: Int32Array, words: Int32Array): void {
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let at = 0; at < BLOCK; at++) {
    const fromE = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const fromA = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const one = (h + fromE + ((e & f) ^ (~e & g)) + ROUNDS[at]! + words[at]!) | 0;
    const two = (fromA + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  for (const [at, value] of [a, b, c, d, e, f, g, h].entries()) state[at] = state[at]! + value;
}
