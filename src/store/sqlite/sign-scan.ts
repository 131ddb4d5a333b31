// How far every entry of the index of signs is from a query: the one loop of vector search that grows with the store. It runs as
// 190 bytes of WebAssembly that count 128 bits at once (a tenth of the time that JavaScript takes), and in JavaScript where the
// runtime has no such instructions or the shape of the vectors does not fit.

/** The distances of all entries, in their order. Good until the next call. */
export type SignScan = (query: Uint32Array) => Uint16Array;

/** Below it the loop takes no time in any language, and a memory of its own is not worth it. */
const FEW_ENTRIES = 2_000;
const WORDS_AT_ONCE = 4;
/** Sums of bytes: each step adds at most 8, and 255 is the end. */
const MOST_STEPS = 31;
/** The query stands in front of the entries. */
const ENTRIES_AT = 512;
const PAGE_BYTES = 65_536;

/** `width`: 32-bit words of one entry. `pages` are copied. */
export function signScan(pages: readonly Uint32Array[], width: number, few = FEW_ENTRIES): SignScan {
  const words = pages.reduce((sum, page) => sum + page.length, 0);
  const fits = width % WORDS_AT_ONCE === 0 && width / WORDS_AT_ONCE <= MOST_STEPS;
  return (fits && words / width >= few ? inWebAssembly(pages, words, width) : undefined) ?? inJavaScript(pages, words);
}

function inJavaScript(pages: readonly Uint32Array[], words: number): SignScan {
  const entries = new Uint32Array(words);
  copy(pages, entries);
  return (query) => distancesTo(query, entries);
}

function copy(pages: readonly Uint32Array[], to: Uint32Array): void {
  let at = 0;
  for (const page of pages) {
    to.set(page, at);
    at += page.length;
  }
}

/**
 * (func (param $entries i32) (param $count i32) (param $query i32) (param $out i32) (param $bytes i32)
 *   for each entry: for each 16 bytes of it: sums = i8x16.add(sums, i8x16.popcnt(v128.xor(entry, query)));
 *   i32.store16 $out the sum of the sums)
 * with the memory imported as e.m. A test compares it with counting bit by bit.
 */
const CODE =
  'AGFzbQEAAAABCQFgBX9/f39/AAIIAQFlAW0CAAEDAgEABwgBBHNjYW4AAAqQAQGNAQICfwF7AkAgAUUNAANA/QwAAAAAAAAAAAAAAAAAAAAAIQdBACEF' +
  'A0AgByAAIAVq/QAAACACIAVq/QAAAP1R/WL9biEHIAVBEGoiBSAESQ0ACyADIAf9ff1/Igf9GwAgB/0bAWogB/0bAmogB/0bA2o7AQAgACAEaiEA' +
  'IANBAmohAyABQQFrIgENAAsLCw==';

type Scan = (entries: number, count: number, query: number, out: number, bytes: number) => void;

/** As much of it as is used here; TypeScript knows it from browsers only. */
type Wasm = {
  readonly Module: new (code: Uint8Array) => object;
  readonly Memory: new (pages: { initial: number }) => { readonly buffer: ArrayBuffer };
  readonly Instance: new (module: object, imports: object) => { readonly exports: { readonly scan: Scan } };
};

let code: object | undefined;

/** Undefined where the machine or the limits of the process do not allow it. */
function inWebAssembly(pages: readonly Uint32Array[], words: number, width: number): SignScan | undefined {
  const count = words / width;
  const out = ENTRIES_AT + words * 4;
  try {
    const { Module, Memory, Instance } = (globalThis as unknown as { WebAssembly: Wasm }).WebAssembly;
    code ??= new Module(Buffer.from(CODE, 'base64'));
    const memory = new Memory({ initial: Math.ceil((out + count * 2) / PAGE_BYTES) });
    const { scan } = new Instance(code, { e: { m: memory } }).exports;
    copy(pages, new Uint32Array(memory.buffer, ENTRIES_AT, words));
    const place = new Uint32Array(memory.buffer, 0, width);
    const distances = new Uint16Array(memory.buffer, out, count);
    return (query) => {
      place.set(query);
      scan(ENTRIES_AT, count, 0, out, width * 4);
      return distances;
    };
  } catch {
    return undefined;
  }
}

/**
 * Signed numbers: V8 keeps them in registers, while unsigned ones of 32 bits become floating-point numbers. Three words are added
 * up bit by bit first (sum and carry), so that two counts do for three; a width that three does not divide ends with single words.
 */
function distancesTo(wanted: Uint32Array, signs: Uint32Array): Uint16Array {
  const width = wanted.length;
  const threes = width - (width % 3);
  const query = signed(wanted);
  const entries = signed(signs);
  const distances = new Uint16Array(entries.length / width);
  for (let at = 0, offset = 0; at < distances.length; at++, offset += width) {
    let distance = 0;
    let word = 0;
    for (; word < threes; word += 3) {
      const a = entries[offset + word]! ^ query[word]!;
      const b = entries[offset + word + 1]! ^ query[word + 1]!;
      const c = entries[offset + word + 2]! ^ query[word + 2]!;
      const nibbles = countNibbles(a ^ b ^ c) + 2 * countNibbles((a & b) | ((a ^ b) & c));
      distance += Math.imul((nibbles & 0x0f0f0f0f) + ((nibbles >>> 4) & 0x0f0f0f0f), 0x01010101) >>> 24;
    }
    for (; word < width; word++) {
      const nibbles = countNibbles(entries[offset + word]! ^ query[word]!);
      distance += Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
    }
    distances[at] = distance;
  }
  return distances;
}

/** How many bits are set in each four of them. */
function countNibbles(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  return (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
}

const signed = (numbers: Uint32Array): Int32Array => new Int32Array(numbers.buffer, numbers.byteOffset, numbers.length);
