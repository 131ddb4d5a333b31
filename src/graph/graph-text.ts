// graph.json: plain JSON, one entry a line. Its last line is an index that tells where each part of it and each few entries lie, so
// that a question reads and parses no more than it needs. Changes are made to values; then the file is written whole.

import { type Infer, integer, openObject, parseAs, text } from '../model/schema.ts';
import { version } from '../version.ts';
import { type ByteSource, damagedGraph, firstThat, inPieces, Part, type PartIndex, parse } from './graph-part.ts';

/** Raised when the same files would give another graph. */
const GRAPH_VERSION = '1.0.0';
const MADE_BY = `cairn ${version}`;

/** Maps, each with its entries sorted by key. The order is that of the file. */
const SECTIONS = ['nodes', 'tags', 'types', 'missing', 'names', 'problems', 'folders', 'files'] as const;
export type Section = (typeof SECTIONS)[number];
/** `recent` is a list and stands before this section. */
const RECENT_BEFORE: Section = 'missing';
/** The sections from here on are Cairn's own business. */
const PRIVATE_FROM: Section = 'names';

/** A key with its time; `recent` is sorted by them. */
export type Dated = readonly [key: string, time: number];

type Layout = { readonly [section in Section]: PartIndex } & {
  readonly recent: readonly [start: number, end: number];
  /** Where the layout itself begins. */
  readonly at: number;
};
const HEADER = openObject({ version: text(), made_by: text(), updated_at: text(), node_count: integer({ min: 0 }) });
type Header = Infer<typeof HEADER>;

const LAYOUT_MARK = ',\n  "layout": ';
const END = '\n}\n';
const TAIL = 40;
const NOTHING = Buffer.from('[]');

export class GraphText {
  readonly updatedAt: string;
  readonly nodeCount: number;
  readonly #source: ByteSource;
  readonly #layout: Layout;
  readonly #parts: { readonly [section in Section]: Part };
  readonly #pieces: readonly Buffer[] | undefined;
  #newRecent: readonly string[] | undefined;

  private constructor(source: ByteSource, layout: Layout, header: Header, pieces?: readonly Buffer[]) {
    this.#pieces = pieces;
    this.#source = source;
    this.#layout = layout;
    const parts = SECTIONS.map((section) => [section, new Part(source, layout[section])]);
    this.#parts = Object.fromEntries(parts) as { [section in Section]: Part };
    this.updatedAt = header.updated_at;
    this.nodeCount = header.node_count;
  }

  static empty(): GraphText {
    const sections = Object.fromEntries(SECTIONS.map((section) => [section, { starts: [0], keys: [] }]));
    const layout = { ...sections, recent: [0, NOTHING.length], at: 0 } as unknown as Layout;
    return new GraphText(inPieces([NOTHING]), layout, headerWith({ updatedAt: '', nodeCount: 0 }));
  }

  /** `undefined` if these bytes are not a whole graph of this version: then it is made anew. */
  static parse(source: ByteSource): GraphText | undefined {
    try {
      const { length, read } = source;
      const tail = read(Math.max(0, length - TAIL), length).toString('latin1');
      const at = Number(/"at":(\d+)\}\n\}\n$/.exec(tail)?.[1]);
      const last = at < length ? read(at, length).toString() : '';
      if (!last.startsWith(LAYOUT_MARK)) return undefined;
      const layout = JSON.parse(last.slice(LAYOUT_MARK.length, -END.length)) as Layout;
      if (!isInOrder(layout)) return undefined;
      const head = read(0, layout.nodes.starts[0]!).toString();
      const header = parseAs(HEADER, `${head.slice(0, head.lastIndexOf(',\n  "nodes"'))}}`);
      if (header?.version !== GRAPH_VERSION || header.made_by !== MADE_BY) return undefined;
      return new GraphText(source, layout, header);
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof TypeError || error instanceof RangeError) return undefined;
      throw error;
    }
  }

  get bytes(): Buffer {
    return this.#source.read(0, this.#source.length);
  }

  /** The same in several parts: a large graph is written without being joined first. */
  get pieces(): readonly Buffer[] {
    return this.#pieces ?? [this.bytes];
  }

  /** The graph as others want it: without what is kept to find changed files. */
  get publicText(): string {
    const end = this.#layout[PRIVATE_FROM].starts[0]! - `,\n  "${PRIVATE_FROM}": {\n`.length;
    return `${this.#source.read(0, end).toString()}\n}`;
  }

  get(section: Section, key: string): unknown {
    return this.#parts[section].get(key);
  }

  /** Setting what is there already is no change. */
  set(section: Section, key: string, value: unknown): void {
    this.#parts[section].set(key, value);
  }

  isChanged(section: Section): boolean {
    return this.#parts[section].isChanged;
  }

  /** All entries of a section as it was read, in the order of their keys. */
  entries(section: Section): Iterable<readonly [key: string, value: unknown]> {
    return this.#parts[section].entries();
  }

  /** How many entries a section had as it was read. */
  count(section: Section): number {
    return this.#parts[section].count;
  }

  /** All keys as they were read, newest first. */
  get recent(): readonly string[] {
    const [start, end] = this.#layout.recent;
    return parse(this.#source.read(start, end).toString()) as string[];
  }

  /** Takes some keys out of `recent` and puts others in. `timeOf` tells the time that a key has in the list as it was read. */
  setRecent(out: readonly Dated[], into: readonly Dated[], timeOf: (key: string) => number): void {
    if (out.length === 0 && into.length === 0) return;
    const gone = new Set(out.map(([key]) => key));
    const before = this.recent;
    const stay = before.filter((key) => !gone.has(key));
    if (stay.length !== before.length - gone.size) throw damagedGraph();
    const pieces: (readonly string[])[] = [];
    let from = 0;
    for (const dated of [...into].sort(newestFirst)) {
      const to = firstThat(stay.length, (at) => newestFirst([stay[at]!, timeOf(stay[at]!)], dated) > 0);
      pieces.push(stay.slice(from, to), [dated[0]]);
      from = to;
    }
    this.#newRecent = [...pieces, stay.slice(from)].flat();
  }

  /** The whole file with all changes in it. Damage must not be copied: after a crash a file may have zeros in it. */
  withChanges(changed: { updatedAt: string; nodeCount: number }): GraphText {
    if (this.bytes.includes(0)) throw damagedGraph();
    const header = headerWith(changed);
    const pieces: Buffer[] = [];
    let length = 0;
    const push = (...more: readonly (Buffer | string)[]): void => {
      for (const each of more) {
        const piece = typeof each === 'string' ? Buffer.from(each) : each;
        pieces.push(piece);
        length += piece.length;
      }
    };
    push(JSON.stringify(header, null, 2).slice(0, -'\n}'.length));
    const layout: { [part: string]: unknown } = {};
    for (const section of SECTIONS) {
      if (section === RECENT_BEFORE) {
        push(',\n  "recent": ');
        const start = length;
        push(this.#newRecent ? JSON.stringify(this.#newRecent) : this.#source.read(...this.#layout.recent));
        layout.recent = [start, length];
      }
      push(`,\n  "${section}": {\n`);
      const { pieces: entries, index } = this.#parts[section].written(length);
      push(...entries, '  }');
      layout[section] = index;
    }
    layout.at = length;
    push(`${LAYOUT_MARK}${JSON.stringify(layout)}${END}`);
    return new GraphText(inPieces(pieces), layout as Layout, header, pieces);
  }
}

const headerWith = ({ updatedAt, nodeCount }: { updatedAt: string; nodeCount: number }): Header => ({
  version: GRAPH_VERSION,
  made_by: MADE_BY,
  updated_at: updatedAt,
  node_count: nodeCount,
});

/** Equally new ones by key. */
const newestFirst = (a: Dated, b: Dated): number => b[1] - a[1] || (a[0] === b[0] ? 0 : a[0] < b[0] ? -1 : 1);

/** The last part ends where the layout begins: then nobody has changed the length of anything. */
function isInOrder(layout: Layout): boolean {
  const before = SECTIONS.indexOf(RECENT_BEFORE);
  const startsOf = (sections: readonly Section[]) => sections.flatMap((section) => layout[section].starts);
  const places = [...startsOf(SECTIONS.slice(0, before)), ...layout.recent, ...startsOf(SECTIONS.slice(before))];
  const isAscending = places.every((place, at) => Number.isSafeInteger(place) && place >= (places[at - 1] ?? 0));
  return isAscending && places.at(-1)! + '  }'.length === layout.at;
}
