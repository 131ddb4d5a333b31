// One part of graph.json: entries sorted by key, a line each, in blocks of a few. A block is parsed when one of its entries is asked
// for, and written anew when one is changed; parsing all of a large graph takes longer than a whole query may. Where a block
// begins is told by what is in it alone, so that the same entries always give the same bytes.

import { CairnError } from '../errors.ts';
import { shortHash } from '../model/hash.ts';

/** Bytes of which only some are wanted: a file, or what is in memory already. */
export type ByteSource = { readonly length: number; readonly read: (start: number, end: number) => Buffer };

/** The first key of each block; where each block begins, and behind that where the last one ends. */
export type PartIndex = { readonly starts: readonly number[]; readonly keys: readonly string[] };
export type WrittenPart = { readonly pieces: readonly Buffer[]; readonly index: PartIndex };

type Entry = readonly [key: string, value: unknown];

const INDENT = '    ';
const [BETWEEN, LAST] = [Buffer.from(',\n'), Buffer.from('\n')];
/** A block has so many entries on average; a long one begins a block of its own. */
const ENTRIES = 8;
const LONG = 4 * 1024;

export class Part {
  readonly #source: ByteSource;
  readonly #index: PartIndex;
  readonly #blocks = new Map<number, ReadonlyMap<string, unknown>>();
  /** The new values of entries; `undefined` for those that go. */
  readonly #edits = new Map<string, unknown>();

  constructor(source: ByteSource, index: PartIndex) {
    this.#source = source;
    this.#index = index;
  }

  get isChanged(): boolean {
    return this.#edits.size > 0;
  }

  get(key: string): unknown {
    return this.#edits.has(key) ? this.#edits.get(key) : this.#stored(key);
  }

  /** Setting what is there already is no change. */
  set(key: string, value: unknown): void {
    const stored = this.#stored(key);
    const isSame = stored === undefined ? value === undefined : JSON.stringify(stored) === JSON.stringify(value);
    if (isSame) this.#edits.delete(key);
    else this.#edits.set(key, value);
  }

  /** All entries as they were read. */
  *entries(): Generator<Entry> {
    for (let block = 0; block < this.#index.keys.length; block++) yield* this.#entriesIn(block);
  }

  /** How many there were. */
  get count(): number {
    const bytes = this.#bytes(0, this.#index.keys.length);
    let lines = bytes.length === 0 ? 0 : 1;
    for (let at = bytes.indexOf(LAST); at !== -1; at = bytes.indexOf(LAST, at + 1)) lines++;
    return lines;
  }

  #stored(key: string): unknown {
    const block = this.#blockOf(key);
    return block < 0 ? undefined : this.#entriesIn(block).get(key);
  }

  /** The block in which the key is, if it is anywhere; -1 before the first one. */
  #blockOf(key: string): number {
    const { keys } = this.#index;
    return firstThat(keys.length, (at) => keys[at]! > key) - 1;
  }

  #entriesIn(block: number): ReadonlyMap<string, unknown> {
    const known = this.#blocks.get(block);
    if (known) return known;
    const entries = Object.entries(parse(`{${this.#bytes(block, block + 1).toString()}}`) as object);
    const read = new Map(entries.sort(byKey)); // names that are numbers come first in every object
    this.#blocks.set(block, read);
    return read;
  }

  /** Of some blocks, without what stands behind the last line. */
  #bytes(from: number, to: number): Buffer {
    const { starts, keys } = this.#index;
    const behind = to < keys.length ? BETWEEN : LAST;
    return this.#source.read(starts[from]!, from < to ? starts[to]! - behind.length : starts[from]!);
  }

  /** The part with its changes, as it will stand in the file from `start` on. Blocks that nothing touches are copied. */
  written(start: number): WrittenPart {
    const { starts, keys } = this.#index;
    const touched = this.#editsByBlock();
    const writer = new PartWriter(start);
    for (let from = 0; from < Math.max(keys.length, touched.size); ) {
      let to = from + 1;
      while (to < keys.length && touched.has(to) === touched.has(from)) to++;
      if (touched.has(from)) writer.writeEntries(this.#changedEntries(from, to, touched));
      else {
        const offsets = starts.slice(from, to).map((each) => each - starts[from]!);
        writer.copy(this.#bytes(from, to), keys.slice(from, to), offsets);
      }
      from = to;
    }
    return writer.end();
  }

  /** A block whose first entry changes may have to be joined to the one before it. */
  #editsByBlock(): ReadonlyMap<number, readonly Entry[]> {
    const touched = new Map<number, Entry[]>();
    for (const [key, value] of this.#edits) {
      const block = Math.max(0, this.#blockOf(key));
      touched.set(block, [...(touched.get(block) ?? []), [key, value]]);
      if (this.#index.keys[block] === key && block > 0) touched.set(block - 1, touched.get(block - 1) ?? []);
    }
    return touched;
  }

  #changedEntries(from: number, to: number, touched: ReadonlyMap<number, readonly Entry[]>): Entry[] {
    const entries = new Map<string, unknown>();
    for (let block = from; block < to; block++) {
      if (block < this.#index.keys.length) for (const [key, value] of this.#entriesIn(block)) entries.set(key, value);
      for (const [key, value] of touched.get(block)!) entries.set(key, value);
    }
    return [...entries].filter(([, value]) => value !== undefined).sort(byKey);
  }
}

class PartWriter {
  readonly #pieces: Buffer[] = [];
  readonly #starts: number[] = [];
  readonly #keys: string[] = [];
  #end: number;

  constructor(start: number) {
    this.#end = start;
  }

  writeEntries(entries: readonly Entry[]): void {
    let [first, lines]: [string, string[]] = ['', []];
    const flush = (): void => {
      if (lines.length > 0) this.copy(Buffer.from(lines.join(',\n')), [first], [0]);
      lines = [];
    };
    for (const [key, value] of entries) {
      const line = `${INDENT}${JSON.stringify(key)}: ${JSON.stringify(value)}`;
      if (line.length > LONG || Number.parseInt(shortHash(key).slice(-4), 16) % ENTRIES === 0) flush();
      if (lines.length === 0) first = key;
      lines.push(line);
    }
    flush();
  }

  /** Blocks that are written already, with the place of each among these bytes. */
  copy(bytes: Buffer, keys: readonly string[], offsets: readonly number[]): void {
    if (this.#pieces.length > 0) this.#push(BETWEEN);
    for (const [at, key] of keys.entries()) {
      this.#keys.push(key);
      this.#starts.push(this.#end + offsets[at]!);
    }
    this.#push(bytes);
  }

  end(): WrittenPart {
    if (this.#pieces.length > 0) this.#push(LAST);
    return { pieces: this.#pieces, index: { starts: [...this.#starts, this.#end], keys: this.#keys } };
  }

  #push(bytes: Buffer): void {
    this.#pieces.push(bytes);
    this.#end += bytes.length;
  }
}

const byKey = ([a]: Entry, [b]: Entry): number => (a < b ? -1 : 1);

/** The first place that `fits`, where all behind it fit too; `length` if there is none. */
export function firstThat(length: number, fits: (at: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (fits(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** These one behind the other, without joining them as long as nobody wants more than one. */
export function inPieces(pieces: readonly Buffer[]): ByteSource {
  const ends: number[] = [];
  for (const piece of pieces) ends.push((ends.at(-1) ?? 0) + piece.length);
  const read = (start: number, end: number): Buffer => {
    const first = firstThat(pieces.length, (at) => ends[at]! > start);
    const last = firstThat(pieces.length, (at) => ends[at]! >= end);
    const from = first === 0 ? 0 : ends[first - 1]!;
    const bytes = first === last ? pieces[first]! : Buffer.concat(pieces.slice(first, last + 1));
    return bytes.subarray(start - from, end - from);
  };
  return { length: ends.at(-1) ?? 0, read };
}

export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw damagedGraph(error);
  }
}

/** A crash of the machine, or somebody's editor. Whoever asks makes the graph anew and asks again. */
export function damagedGraph(cause?: unknown): CairnError {
  return new CairnError('INDEX_ERROR', 'graph.json is damaged.', {
    fix: 'Run `cairn graph --rebuild`.',
    ...(cause === undefined ? {} : { cause }),
  });
}
