// A query against each vector of a block: the true cosine, and in how many numbers the signs differ. Some hundred vectors for
// each answer: 380 bytes of WebAssembly that take four numbers at once do it in a quarter of the time of JavaScript, which is
// there for runtimes and widths that it does not fit.

import type { VectorBlock } from './vector-block.ts';

export type VectorScores = { readonly cosines: Float64Array; readonly distances: Uint16Array };

type Block = Pick<VectorBlock<string | number>, 'keys' | 'floats' | 'width'>;

export function vectorScores(query: Float32Array, block: Block): VectorScores {
  return (fits(block.width) ? inWebAssembly(query, block) : undefined) ?? inJavaScript(query, block);
}

/** A zero vector has no direction: nothing is near it. */
const cosineOf = (dot: number, aa: number, bb: number): number => (aa === 0 || bb === 0 ? 0 : dot / Math.sqrt(aa * bb));

function squareOf(vector: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < vector.length; at++) sum += vector[at]! * vector[at]!;
  return sum;
}

export function inJavaScript(query: Float32Array, { keys, floats, width }: Block): VectorScores {
  const bb = squareOf(query);
  const cosines = new Float64Array(keys.length);
  const distances = new Uint16Array(keys.length);
  for (let entry = 0, start = 0; entry < keys.length; entry++, start += width) {
    let dot = 0;
    let aa = 0;
    let distance = 0;
    for (let at = 0; at < width; at++) {
      const x = floats[start + at]!;
      const y = query[at]!;
      dot += x * y;
      aa += x * x;
      if (x > 0 !== y > 0) distance++;
    }
    cosines[entry] = cosineOf(dot, aa, bb);
    distances[entry] = distance;
  }
  return { cosines, distances };
}

/**
 * (func score (param $vectors i32) (param $count i32) (param $query i32) (param $bytes i32) (param $out i32)
 *   for each vector: for each four numbers of it:
 *     dot, own += f64x2 products of them with the query's and with themselves;
 *     differing -= v128.xor(f32x4.gt(numbers, 0), the query's mask);
 *   f64.store $out dot; f64.store $out+8 own; i32.store $out+16 differing)
 * with the memory imported as e.m; the query stands there as f64, behind it its masks. A test compares it with JavaScript.
 */
const CODE =
  'AGFzbQEAAAABCQFgBX9/f39/AAIIAQFlAW0CAAEDAgEABwkBBXNjb3JlAAAK0QIBzgICAX8GewJAIAFFDQADQP0MAAAAAAAAAAAAAAAAAAAAACEG/QwA' +
  'AAAAAAAAAAAAAAAAAAAAIQf9DAAAAAAAAAAAAAAAAAAAAAAhCEEAIQUDQCAAIAVq/QAAACIJ/V8hCiAJIAn9DQgJCgsMDQ4PCAkKCwwNDg/9XyELIAYg' +
  'CiACIAVBAXRq/QAAAP3yAf3wASALIAIgBUEBdGr9AAAQ/fIB/fABIQYgByAKIAr98gH98AEgCyAL/fIB/fABIQcgCCAJ/QwAAAAAAAAAAAAAAAAAAAAA' +
  '/UQgAiADQQF0aiAFav0AAAD9Uf2xASEIIAVBEGoiBSADSQ0ACyAEIAb9IQAgBv0hAaA5AwAgBCAH/SEAIAf9IQGgOQMIIAQgCP0bACAI/RsBaiAI/RsC' +
  'aiAI/RsDajYCECAAIANqIQAgBEEYaiEEIAFBAWsiAQ0ACwsL';

type Score = (vectors: number, count: number, query: number, bytes: number, out: number) => void;

/** As much of it as is used here; TypeScript knows it from browsers only. */
type Wasm = {
  readonly Module: new (code: Uint8Array) => object;
  readonly Memory: new (pages: { initial: number }) => { readonly buffer: ArrayBuffer };
  readonly Instance: new (module: object, imports: object) => { readonly exports: { readonly score: Score } };
};

const PAGE_BYTES = 65_536;
const LONGEST_VECTOR = 4_096;
const QUERY_AT = 0;
/** Blocks go through in pieces: so many bytes of vectors, and so many vectors, at once. */
const VECTORS_AT = PAGE_BYTES;
const PIECE_BYTES = 8 * PAGE_BYTES;
const PIECE_VECTORS = 2_048;
const OUT_AT = VECTORS_AT + PIECE_BYTES;
const OUT_BYTES = 24;

const fits = (width: number): boolean => width > 0 && width % 4 === 0 && width <= LONGEST_VECTOR;

let made: { readonly score: Score; readonly buffer: ArrayBuffer } | 'impossible' | undefined;

function machine(): Exclude<typeof made, undefined> {
  try {
    const { Module, Memory, Instance } = (globalThis as unknown as { WebAssembly: Wasm }).WebAssembly;
    const memory = new Memory({ initial: Math.ceil((OUT_AT + PIECE_VECTORS * OUT_BYTES) / PAGE_BYTES) });
    const { score } = new Instance(new Module(Buffer.from(CODE, 'base64')), { e: { m: memory } }).exports;
    return { score, buffer: memory.buffer };
  } catch {
    return 'impossible';
  }
}

/** Undefined where the machine or the limits of the process do not allow it. */
export function inWebAssembly(query: Float32Array, { keys, floats, width }: Block): VectorScores | undefined {
  made ??= machine();
  if (made === 'impossible') return undefined;
  const { score, buffer } = made;
  new Float64Array(buffer, QUERY_AT, width).set(query);
  const masks = new Int32Array(buffer, QUERY_AT + width * 8, width);
  for (let at = 0; at < width; at++) masks[at] = query[at]! > 0 ? -1 : 0;
  const bb = squareOf(query);
  const piece = Math.min(PIECE_VECTORS, Math.floor(PIECE_BYTES / (width * 4)));
  const [sums, counts] = [new Float64Array(buffer, OUT_AT, piece * 3), new Int32Array(buffer, OUT_AT, piece * 6)];
  const cosines = new Float64Array(keys.length);
  const distances = new Uint16Array(keys.length);
  for (let from = 0; from < keys.length; from += piece) {
    const count = Math.min(piece, keys.length - from);
    new Float32Array(buffer, VECTORS_AT, count * width).set(floats.subarray(from * width, (from + count) * width));
    score(VECTORS_AT, count, QUERY_AT, width * 4, OUT_AT);
    for (let at = 0; at < count; at++) {
      cosines[from + at] = cosineOf(sums[at * 3]!, sums[at * 3 + 1]!, bb);
      distances[from + at] = counts[at * 6 + 4]!;
    }
  }
  return { cosines, distances };
}
