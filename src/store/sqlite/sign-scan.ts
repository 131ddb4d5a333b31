// How far every entry of the index of signs is from a query: the one loop of vector search that grows with the store. It runs as
// 310 bytes of WebAssembly that have the processor count bits (an eighth of the time that JavaScript takes at best), and in JavaScript
// where the runtime has no such instructions or the shape of the vectors does not fit.

export type SignScan = {
  /** Looks at all entries. Returns how many there are at each distance from the query; good until the next call. */
  count(query: Uint32Array): Uint32Array;
  /** The places of those that the last look found at distances from … to, both included, in their order. */
  between(from: number, to: number): Uint32Array;
};

/** Below it the loop takes no time in any language, and a memory of its own is not worth it. */
const FEW_ENTRIES = 2_000;
const WORDS_AT_ONCE = 4;
/** So many steps of four words at most: there is room for the counts of that many distances. */
const MOST_STEPS = 31;
const PAGE_BYTES = 65_536;

/** `width`: 32-bit words of one entry. `pages` are copied. */
export function signScan(pages: readonly Uint32Array[], width: number, few = FEW_ENTRIES): SignScan {
  const words = pages.reduce((sum, page) => sum + page.length, 0);
  const fits = width % WORDS_AT_ONCE === 0 && width / WORDS_AT_ONCE <= MOST_STEPS;
  return (
    (fits && words / width >= few ? inWebAssembly(pages, words, width) : undefined) ?? inJavaScript(pages, words, width)
  );
}

function inJavaScript(pages: readonly Uint32Array[], words: number, width: number): SignScan {
  const entries = new Uint32Array(words);
  copy(pages, entries);
  let distances: Uint16Array = new Uint16Array();
  const counts = new Uint32Array(width * 32 + 1);
  return {
    count: (query) => {
      distances = distancesTo(query, entries);
      counts.fill(0);
      for (let at = 0; at < distances.length; at++) counts[distances[at]!]!++;
      return counts;
    },
    between: (from, to) => placesBetween(distances, from, to),
  };
}

function placesBetween(distances: Uint16Array, from: number, to: number): Uint32Array {
  const places: number[] = [];
  for (let at = 0; at < distances.length; at++) if (distances[at]! >= from && distances[at]! <= to) places.push(at);
  return Uint32Array.from(places);
}

function copy(pages: readonly Uint32Array[], to: Uint32Array): void {
  let at = 0;
  for (const page of pages) {
    to.set(page, at);
    at += page.length;
  }
}

/**
 * (func scan (param $entries i32) (param $count i32) (param $query i32) (param $out i32) (param $bytes i32) (param $counts i32)
 *   for each entry: for each 8 bytes of it: sum = i64.add(sum, i64.popcnt(i64.xor(entry, query)));
 *   i32.store16 $out the sum; one more in $counts at that place)
 * (func find (param $distances i32) (param $count i32) (param $from i32) (param $span i32) (param $list i32) (result i32)
 *   for each eight: i16x8.bitmask(i16x8.le_u(i16x8.sub(distances, $from), $span)); the place of each bit into $list;
 *   the end of the list)
 * with the memory imported as e.m. A test compares both with counting bit by bit.
 */
const CODE =
  'AGFzbQEAAAABEwJgBn9/f39/fwBgBX9/f39/AX8CCAEBZQFtAgABAwMCAAEHDwIEc2NhbgAABGZpbmQAAQr6AQKIAQICfwF+AkAgAUUNAANAQgAhCEEA' +
  'IQYDQCAIIAAgBmopAwAgAiAGaikDAIV7fCAAIAZqKQMIIAIgBmopAwiFe3whCCAGQRBqIgYgBEkNAAsgAyAIpyIGOwAAIAUgBkECdGoiByAHKAIAQQFq' +
  'NgIAIAAgBGohACADQQJqIQMgAUEBayIBDQALCwtuAgJ/AnsgAv0QIQcgA/0QIQhBACEFAkAgAUUNAANAIAD9AAAAIAf9kQEgCP00/YQBIgYEQANAIAQg' +
  'BSAGaGo2AgAgBEEEaiEEIAYgBkEBa3EiBg0ACwsgAEEQaiEAIAVBCGoiBSABSQ0ACwsgBAs=';

type Scan = (entries: number, count: number, query: number, out: number, bytes: number, counts: number) => void;
type Find = (distances: number, count: number, from: number, span: number, list: number) => number;

/** As much of it as is used here; TypeScript knows it from browsers only. */
type Wasm = {
  readonly Module: new (code: Uint8Array) => object;
  readonly Memory: new (pages: { initial: number }) => { readonly buffer: ArrayBuffer };
  readonly Instance: new (
    module: object,
    imports: object,
  ) => { readonly exports: { readonly scan: Scan; readonly find: Find } };
};

let code: object | undefined;

// The memory: the query, how many there are at each distance, the entries, their distances, and a list of places.
const QUERY_AT = 0;
const COUNTS_AT = 512;
const ENTRIES_AT = COUNTS_AT + (MOST_STEPS * WORDS_AT_ONCE * 32 + 32) * 4;
/** `find` reads eight distances at once, so that many more than there are, which are far from everything. */
const BEYOND = 8;
const FAR = 0xffff;
/** Longer lists are made by JavaScript. */
const LONGEST_LIST = 8_192;

/** Undefined where the machine or the limits of the process do not allow it. */
function inWebAssembly(pages: readonly Uint32Array[], words: number, width: number): SignScan | undefined {
  const count = words / width;
  const out = ENTRIES_AT + words * 4;
  const list = (out + (count + BEYOND) * 2 + 15) & ~15;
  try {
    const { Module, Memory, Instance } = (globalThis as unknown as { WebAssembly: Wasm }).WebAssembly;
    code ??= new Module(Buffer.from(CODE, 'base64'));
    const memory = new Memory({ initial: Math.ceil((list + LONGEST_LIST * 4) / PAGE_BYTES) });
    const { scan, find } = new Instance(code, { e: { m: memory } }).exports;
    const { buffer } = memory;
    copy(pages, new Uint32Array(buffer, ENTRIES_AT, words));
    const place = new Uint32Array(buffer, QUERY_AT, width);
    const counts = new Uint32Array(buffer, COUNTS_AT, width * 32 + 1);
    const distances = new Uint16Array(buffer, out, count);
    new Uint16Array(buffer, out, count + BEYOND).fill(FAR);
    return {
      count: (query) => {
        place.set(query);
        counts.fill(0);
        scan(ENTRIES_AT, count, QUERY_AT, out, width * 4, COUNTS_AT);
        return counts;
      },
      between: (from, to) => {
        if (sumOf(counts, from, to) > LONGEST_LIST) return placesBetween(distances, from, to);
        const end = find(out, count, from, to - from, list);
        return new Uint32Array(buffer, list, (end - list) / 4).slice();
      },
    };
  } catch {
    return undefined;
  }
}

function sumOf(counts: Uint32Array, from: number, to: number): number {
  let sum = 0;
  for (let at = from; at <= to; at++) sum += counts[at]!;
  return sum;
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
