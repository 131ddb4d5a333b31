// The text of graph.json. It is plain JSON, written with one entry a line and sorted by key, and its last line tells where
// each section lies. So one entry among ten thousand is found by bisection and replaced by splicing, and nothing else is parsed:
// parsing all of a large graph takes longer than a whole query may.

import { CairnError } from '../errors.ts';
import { version } from '../version.ts';

/** Raised when the same files would give another graph. */
export const GRAPH_VERSION = '1.0.0';
const MADE_BY = `cairn ${version}`;

/** Maps, each with its entries sorted by key. The order is that of the file. */
export const SECTIONS = ['nodes', 'tags', 'types', 'missing', 'names', 'problems', 'folders', 'files'] as const;
export type Section = (typeof SECTIONS)[number];
/** A key with its time; `recent` is sorted by them. */
export type Dated = readonly [key: string, time: number];

type Range = readonly [start: number, end: number];
type Layout = { readonly [part in Section | 'recent']: Range };
type Header = { version: string; made_by: string; updated_at: string; node_count: number };
/** Where the entry is, or where it would be. */
type Place = { found: boolean; at: number; end: number };
/** A line to put in, or, without one, the line at this place to take out. */
type Edit = { readonly place: Place; readonly line?: string };

const NEWLINE = 10;
const INDENT = '    ';
const LAYOUT_MARK = '\n  "layout": ';
const MAX_LAYOUT = 1_000;
/** `recent` is a list and stands before this map. */
const RECENT_BEFORE: Section = 'missing';
/** The sections from here on are Cairn's own business. */
const PRIVATE_FROM: Section = 'names';

export class GraphText {
  readonly updatedAt: string;
  readonly nodeCount: number;
  readonly #bytes: Buffer;
  readonly #layout: Layout;
  /** The new text of entries; `undefined` for those that go. */
  readonly #edits = new Map<Section, Map<string, string | undefined>>();
  #recentEdits: readonly Edit[] = [];

  private constructor(bytes: Buffer, layout: Layout, header: Header) {
    this.#bytes = bytes;
    this.#layout = layout;
    this.updatedAt = header.updated_at;
    this.nodeCount = header.node_count;
  }

  static empty(): GraphText {
    const nothing: Range = [0, 0];
    const layout = Object.fromEntries([...SECTIONS, 'recent'].map((part) => [part, nothing])) as Layout;
    return new GraphText(Buffer.alloc(0), layout, { version: '', made_by: '', updated_at: '', node_count: 0 });
  }

  /** `undefined` if these bytes are not a whole graph of this version: then it is made anew. */
  static parse(bytes: Buffer): GraphText | undefined {
    try {
      const mark = bytes.subarray(-MAX_LAYOUT).lastIndexOf(LAYOUT_MARK);
      if (mark === -1) return undefined;
      const at = Math.max(0, bytes.length - MAX_LAYOUT) + mark;
      const layout = JSON.parse(bytes.toString('utf8', at + LAYOUT_MARK.length, bytes.lastIndexOf('\n}'))) as Layout;
      const head = bytes.toString('utf8', 0, bytes.indexOf('\n  "nodes": {'));
      const header = JSON.parse(`${head.replace(/,$/, '')}}`) as Header;
      // After a crash, a file may have its length and zeros in it.
      const whole =
        layout.files[1] + '  },'.length === at && !bytes.includes(0) && SECTIONS.every((each) => isRange(layout[each]));
      if (!whole || header.version !== GRAPH_VERSION || header.made_by !== MADE_BY) return undefined;
      return new GraphText(bytes, layout, header);
    } catch {
      return undefined; // of whatever kind: it is a cache
    }
  }

  get bytes(): Buffer {
    return this.#bytes;
  }

  /** The graph as others want it: without what is kept to find changed files. */
  get publicText(): string {
    const end = this.#bytes.lastIndexOf(`,\n  "${PRIVATE_FROM}": {`, this.#layout[PRIVATE_FROM][0]);
    return `${this.#bytes.toString('utf8', 0, end)}\n}`;
  }

  get(section: Section, key: string): unknown {
    const edits = this.#edits.get(section);
    if (edits?.has(key)) {
      const text = edits.get(key);
      return text === undefined ? undefined : JSON.parse(text);
    }
    const place = this.#locate(section, key);
    return place.found ? this.#valueAt(place) : undefined;
  }

  /** All entries of a section as it was read, in the order of their keys. */
  *entries(section: Section): Generator<[key: string, value: unknown]> {
    const [start, end] = this.#layout[section];
    for (let at = start; at < end; ) {
      const stop = this.#bytes.indexOf(NEWLINE, at) + 1;
      yield [this.#keyAt(at), this.#valueAt({ found: true, at, end: stop })];
      at = stop;
    }
  }

  /** How many entries a section had as it was read. */
  count(section: Section): number {
    let [at, end] = this.#layout[section];
    let lines = 0;
    for (; at < end; lines++) at = this.#bytes.indexOf(NEWLINE, at) + 1;
    return lines;
  }

  /** All keys as they were read, newest first. */
  get recent(): readonly string[] {
    return parse(`[${this.#bytes.toString('utf8', ...this.#layout.recent)}]`) as string[];
  }

  /** The same one by one, for those who want a few. */
  *newest(): Generator<string> {
    const [start, end] = this.#layout.recent;
    for (let at = start; at < end; at = this.#bytes.indexOf(NEWLINE, at) + 1) yield this.#keyAt(at);
  }

  /** Takes some keys out of `recent` and puts others in. `timeOf` tells the time that a key has in the list as it was read. */
  setRecent(out: readonly Dated[], into: readonly Dated[], timeOf: (key: string) => number): void {
    const placeOf = (wanted: Dated): Place =>
      this.#search(this.#layout.recent, (key) => newestFirst([key, timeOf(key)], wanted));
    const taken = out.map((dated): Edit => ({ place: placeOf(dated) }));
    if (taken.some(({ place }) => !place.found)) throw damaged();
    const put = [...into]
      .sort(newestFirst)
      .map((dated): Edit => ({ place: placeOf(dated), line: JSON.stringify(dated[0]) }));
    // Sorting is stable: what comes to the same place stays in its order.
    this.#recentEdits = [...put, ...taken].sort((a, b) => a.place.at - b.place.at);
  }

  /** Setting what is there already is no change. */
  set(section: Section, key: string, value: unknown): void {
    const text = value === undefined ? undefined : JSON.stringify(value);
    const place = this.#locate(section, key);
    const old = place.found ? this.#textAt(place) : undefined;
    const edits = this.#edits.get(section) ?? new Map<string, string | undefined>();
    this.#edits.set(section, edits);
    if (text === old) edits.delete(key);
    else edits.set(key, text);
  }

  isChanged(section: Section): boolean {
    return (this.#edits.get(section)?.size ?? 0) > 0;
  }

  /** The whole file with all changes in it. */
  withChanges(header: { updatedAt: string; nodeCount: number }): GraphText {
    const { updatedAt: updated_at, nodeCount: node_count } = header;
    const first: Header = { version: GRAPH_VERSION, made_by: MADE_BY, updated_at, node_count };
    const pieces: Buffer[] = [Buffer.from(JSON.stringify(first, null, 2).slice(0, -2))];
    const layout: { [part: string]: Range } = {};
    let length = pieces[0]!.length;
    const push = (...more: readonly (Buffer | string)[]): void => {
      for (const each of more) {
        const piece = typeof each === 'string' ? Buffer.from(each) : each;
        pieces.push(piece);
        length += piece.length;
      }
    };
    for (const section of SECTIONS) {
      if (section === RECENT_BEFORE) {
        push(',\n  "recent": [\n');
        const start = length;
        push(...this.#spliced(this.#layout.recent, this.#recentEdits));
        layout.recent = [start, length];
        push('  ]');
      }
      push(`,\n  "${section}": {\n`);
      const start = length;
      push(...this.#spliced(this.#layout[section], this.#editsOf(section)));
      layout[section] = [start, length];
      push('  }');
    }
    push(`,${LAYOUT_MARK}${JSON.stringify(layout)}\n}\n`);
    return new GraphText(Buffer.concat(pieces, length), layout as Layout, first);
  }

  #editsOf(section: Section): Edit[] {
    const edits = [...(this.#edits.get(section) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1));
    return edits.map(([key, text]) => {
      const place = this.#locate(section, key);
      return text === undefined ? { place } : { place, line: `${JSON.stringify(key)}: ${text}` };
    });
  }

  /** The lines of a part: what did not change is copied in one go. */
  #spliced([start, end]: Range, edits: readonly Edit[]): (Buffer | string)[] {
    if (edits.length === 0) return [this.#bytes.subarray(start, end)];
    const pieces: (Buffer | string)[] = [];
    let added: string[] = [];
    // Every piece ends with a comma and a new line; the very last comma is taken off again.
    const copy = (from: number, to: number): void => {
      if (from >= to) return;
      pieces.push(added.join(''), this.#bytes.subarray(from, to === end ? to - 1 : to));
      added = to === end ? [',\n'] : [];
    };
    let at = start;
    for (const { place, line } of edits) {
      copy(at, place.at);
      if (line !== undefined) added.push(`${INDENT}${line},\n`);
      at = Math.max(at, line === undefined || place.found ? place.end : place.at);
    }
    copy(at, end);
    pieces.push(added.join(''));
    return withoutLastComma(pieces);
  }

  #locate(section: Section, key: string): Place {
    return this.#search(this.#layout[section], (here) => (here === key ? 0 : here < key ? -1 : 1));
  }

  /** Bisects the lines of a part; `compare` tells whether a key stands before (< 0) or behind (> 0) the one that is sought. */
  #search([start, stop]: Range, compare: (key: string) => number): Place {
    let [low, high] = [start, stop];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const at = middle === low ? low : Math.max(low, this.#bytes.lastIndexOf(NEWLINE, middle - 1) + 1);
      const end = this.#bytes.indexOf(NEWLINE, middle) + 1;
      const order = compare(this.#keyAt(at));
      if (order === 0) return { found: true, at, end };
      if (order < 0) low = end;
      else high = at;
    }
    return { found: false, at: low, end: low };
  }

  #keyAt(at: number): string {
    const start = at + INDENT.length;
    return parse(this.#bytes.toString('utf8', start, this.#keyEnd(start))) as string;
  }

  /** Behind the quote that ends the key beginning here. */
  #keyEnd(start: number): number {
    const [quote, backslash] = [34, 92];
    if (this.#bytes[start] !== quote) throw damaged();
    for (let at = start + 1; at < this.#bytes.length; at++) {
      const byte = this.#bytes[at];
      if (byte === quote) return at + 1;
      if (byte === backslash) at++;
      else if (byte === NEWLINE) break;
    }
    throw damaged();
  }

  #textAt({ at, end }: Place): string {
    const start = this.#keyEnd(at + INDENT.length) + ': '.length;
    const comma = this.#bytes[end - 2] === 44 ? 1 : 0;
    return this.#bytes.toString('utf8', start, end - 1 - comma);
  }

  #valueAt(place: Place): unknown {
    return parse(this.#textAt(place));
  }
}

/** Equally new ones by key. */
const newestFirst = (a: Dated, b: Dated): number => b[1] - a[1] || (a[0] === b[0] ? 0 : a[0] < b[0] ? -1 : 1);

function withoutLastComma(pieces: (Buffer | string)[]): (Buffer | string)[] {
  const last = pieces.findLastIndex((piece) => piece.length > 0);
  if (last === -1) return [];
  const piece = pieces[last]!;
  const cut = typeof piece === 'string' ? piece.slice(0, -2) : piece.subarray(0, -2);
  return [...pieces.slice(0, last), cut, '\n'];
}

const isRange = (range: unknown): boolean =>
  Array.isArray(range) && range.length === 2 && Number.isInteger(range[0]) && Number.isInteger(range[1]);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw damaged(error);
  }
}

/** Whoever changed the file changed its length or breaks here; the reader makes it anew. */
function damaged(cause?: unknown): CairnError {
  return new CairnError('INDEX_ERROR', 'graph.json is damaged.', {
    fix: 'Run `cairn graph --rebuild`.',
    ...(cause === undefined ? {} : { cause }),
  });
}
