// The text of graph.json. It is plain JSON, written with one entry a line and sorted by key, and its last line tells where
// each section lies. So one entry among ten thousand is found by bisection and replaced by splicing, and nothing else is parsed:
// parsing all of a large graph takes longer than a whole query may.

import { CairnError } from '../errors.ts';
import { version } from '../version.ts';
import { PagedBytes } from './paged-bytes.ts';

/** Raised when the same files would give another graph. */
const GRAPH_VERSION = '1.0.0';
const MADE_BY = `cairn ${version}`;

/** Maps, each with its entries sorted by key. The order is that of the file. */
const SECTIONS = ['nodes', 'tags', 'types', 'missing', 'names', 'problems', 'folders', 'files'] as const;
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

const [QUOTE, COMMA, BACKSLASH] = [34, 44, 92];
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
  readonly #bytes: PagedBytes;
  readonly #layout: Layout;
  /** The new text of entries; `undefined` for those that go. */
  readonly #edits = new Map<Section, Map<string, string | undefined>>();
  #recentEdits: readonly Edit[] = [];
  readonly #pieces: readonly Buffer[] | undefined;

  private constructor(bytes: PagedBytes, layout: Layout, header: Header, pieces?: readonly Buffer[]) {
    this.#bytes = bytes;
    this.#pieces = pieces;
    this.#layout = layout;
    this.updatedAt = header.updated_at;
    this.nodeCount = header.node_count;
  }

  static empty(): GraphText {
    const nothing: Range = [0, 0];
    const layout = Object.fromEntries([...SECTIONS, 'recent'].map((part) => [part, nothing])) as Layout;
    return new GraphText(PagedBytes.of(Buffer.alloc(0)), layout, {
      version: '',
      made_by: '',
      updated_at: '',
      node_count: 0,
    });
  }

  /** `undefined` if these bytes are not a whole graph of this version: then it is made anew. */
  static parse(bytes: PagedBytes): GraphText | undefined {
    try {
      const tailAt = Math.max(0, bytes.length - MAX_LAYOUT);
      const tail = bytes.slice(tailAt, bytes.length).toString('latin1'); // a character is a byte
      const mark = tail.lastIndexOf(LAYOUT_MARK);
      const layout = JSON.parse(tail.slice(mark + LAYOUT_MARK.length).replace(/\}\n$/, '')) as Layout;
      const head = bytes.text(0, layout.nodes[0]);
      const header = JSON.parse(`${head.slice(0, head.lastIndexOf(',\n  "nodes"'))}}`) as Header;
      const isWhole = isInOrder(layout) && layout.files[1] + '  },'.length === tailAt + mark;
      if (!isWhole || header.version !== GRAPH_VERSION || header.made_by !== MADE_BY) return undefined;
      return new GraphText(bytes, layout, header);
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof TypeError || error instanceof RangeError) return undefined;
      throw error;
    }
  }

  get bytes(): Buffer {
    return this.#bytes.whole;
  }

  /** The same in several parts: a large graph is written without being joined first. */
  get pieces(): readonly Buffer[] {
    return this.#pieces ?? [this.bytes];
  }

  /** The graph as others want it: without what is kept to find changed files. */
  get publicText(): string {
    const end = this.#layout[PRIVATE_FROM][0] - `,\n  "${PRIVATE_FROM}": {\n`.length;
    return `${this.#bytes.text(0, end)}\n}`;
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
      const stop = this.#bytes.lineEnd(at);
      yield [this.#keyAt(at), this.#valueAt({ found: true, at, end: stop })];
      at = stop;
    }
  }

  /** How many entries a section had as it was read. */
  count(section: Section): number {
    let [at, end] = this.#layout[section];
    let lines = 0;
    for (; at < end; lines++) at = this.#bytes.lineEnd(at);
    return lines;
  }

  /** All keys as they were read, newest first. */
  get recent(): readonly string[] {
    return parse(`[${this.#bytes.text(...this.#layout.recent)}]`) as string[];
  }

  /** The same one by one, for those who want a few. */
  *newest(): Generator<string> {
    const [start, end] = this.#layout.recent;
    for (let at = start; at < end; at = this.#bytes.lineEnd(at)) yield this.#keyAt(at);
  }

  /** Takes some keys out of `recent` and puts others in. `timeOf` tells the time that a key has in the list as it was read. */
  setRecent(out: readonly Dated[], into: readonly Dated[], timeOf: (key: string) => number): void {
    const placeOf = (wanted: Dated): Place =>
      this.#search(this.#layout.recent, (key) => newestFirst([key, timeOf(key)], wanted));
    const taken = out.map((dated): Edit => ({ place: placeOf(dated) }));
    if (taken.some(({ place }) => !place.found)) throw damagedGraph();
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
    if (text === old) this.#edits.get(section)?.delete(key);
    else this.#editsIn(section).set(key, text);
  }

  #editsIn(section: Section): Map<string, string | undefined> {
    const known = this.#edits.get(section);
    if (known) return known;
    const made = new Map<string, string | undefined>();
    this.#edits.set(section, made);
    return made;
  }

  isChanged(section: Section): boolean {
    return (this.#edits.get(section)?.size ?? 0) > 0;
  }

  /** The whole file with all changes in it. Damage must not be copied: after a crash a file may have zeros in it. */
  withChanges(header: { updatedAt: string; nodeCount: number }): GraphText {
    if (this.#bytes.whole.includes(0)) throw damagedGraph();
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
    return new GraphText(PagedBytes.joined(pieces), layout as Layout, first, pieces);
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
    const bytes = this.#bytes.whole;
    if (edits.length === 0) return [bytes.subarray(start, end)];
    const pieces: (Buffer | string)[] = [];
    let added: string[] = [];
    // Every piece ends with a comma and a new line; the very last comma is taken off again.
    const copy = (from: number, to: number): void => {
      if (from >= to) return;
      pieces.push(added.join(''), bytes.subarray(from, to === end ? to - 1 : to));
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
      const at = this.#bytes.lineStart(middle, low);
      const end = this.#bytes.lineEnd(middle);
      const order = compare(this.#keyAt(at));
      if (order === 0) return { found: true, at, end };
      if (order < 0) low = end;
      else high = at;
    }
    return { found: false, at: low, end: low };
  }

  #keyAt(at: number): string {
    const line = this.#bytes.slice(at + INDENT.length, this.#bytes.lineEnd(at));
    const end = keyEnd(line);
    return parse(line.toString('utf8', 0, end)) as string;
  }

  #textAt({ at, end }: Place): string {
    const line = this.#bytes.slice(at + INDENT.length, end);
    const comma = line[line.length - 2] === COMMA ? 1 : 0;
    return line.toString('utf8', keyEnd(line) + ': '.length, line.length - 1 - comma);
  }

  #valueAt(place: Place): unknown {
    return parse(this.#textAt(place));
  }
}

/** Behind the quote that ends the key at the beginning of a line. */
function keyEnd(line: Buffer): number {
  let at = line[0] === QUOTE ? line.indexOf(QUOTE, 1) : -1;
  while (at > 0 && isEscaped(line, at)) at = line.indexOf(QUOTE, at + 1);
  if (at <= 0) throw damagedGraph();
  return at + 1;
}

function isEscaped(line: Buffer, quote: number): boolean {
  let at = quote;
  while (line[at - 1] === BACKSLASH) at--;
  return (quote - at) % 2 === 1;
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

function isInOrder(layout: Layout): boolean {
  const before = SECTIONS.indexOf(RECENT_BEFORE);
  const parts = [...SECTIONS.slice(0, before), 'recent', ...SECTIONS.slice(before)] as const;
  const ends = parts.flatMap((part) => layout[part as Section]);
  return ends.every((end, at) => Number.isSafeInteger(end) && end >= (ends[at - 1] ?? 0));
}

function parse(text: string): unknown {
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
