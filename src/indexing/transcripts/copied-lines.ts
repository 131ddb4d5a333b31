// Lines of a transcript that were copied from an older one: what was read once is not read again. They go through the reader and the topics
// as all others do, so that what follows them is understood, but give no rows; what is said later refers to the rows of the original.

import { CairnError, isSystemError } from '../../errors.ts';
import type { Statement } from '../../extraction/relations/relations-of.ts';
import type { Reading, TraceItem } from '../../model/trace.ts';
import type { Change, Store } from '../../store/store.ts';
import { identityOf, type LineIdentity } from '../../transcripts/claude-code/line-identity.ts';
import { claudeCode } from '../../transcripts/claude-code/reader.ts';
import { lineName } from '../../transcripts/forgotten-lines.ts';
import { type ArchivedTranscript, openTranscriptFile } from '../../transcripts/source.ts';
import {
  begun,
  inOrder,
  isAmongCopies,
  isCopied,
  isOlder,
  type Lineage,
  NO_LINEAGE,
  spoken,
  withCopy,
} from './lineage.ts';
import {
  ageOf,
  dropBeginnings,
  isCopyOf,
  isMistaken,
  knownOf,
  markStale,
  noteBeginnings,
  type Relative,
  relativesOf,
} from './related-transcripts.ts';
import { type TracePlace, threadAt } from './row-names.ts';
import { type FileState, sessionOf, threadOf } from './transcript-state.ts';

/** Where a copied line stands that has the rows. */
type Original = {
  readonly line: number;
  readonly place: Pick<TracePlace, 'thread' | 'forks' | 'twin'>;
};

/** `line`: where the copy stands. */
type Copy = { readonly original: Original; readonly line: number };

/** What older transcripts have. */
type Held = {
  /** By the name of the line; nothing is known of where it stands if only rows are left of it. */
  readonly lines: ReadonlyMap<string, Original>;
  /** When something was said in those of which nothing but rows is left, and when that ended. */
  readonly times: ReadonlySet<number>;
  readonly until: number;
};

type Options = {
  readonly archived: ((file: string) => ArchivedTranscript | undefined) | undefined;
  readonly nameToday: (project: string) => string;
};

const PAGE = 1_000;

/** For one go through one transcript. */
export class CopiedLines {
  readonly #store: Store;
  readonly #file: string;
  readonly #options: Options;
  #held: Held | undefined;
  /** Since the last batch was written. */
  #names = new Set<string>();
  #begins: string[] = [];
  /** What it began with before it was rewritten. */
  #gone: readonly string[] = [];
  #first = NO_LINEAGE;
  #isStale = false;
  /** Transcripts that have to be read anew; this one may be among them. */
  readonly stale = new Set<string>();

  constructor(store: Store, file: string, options: Options) {
    this.#store = store;
    this.#file = file;
    this.#options = options;
  }

  /** It is read once more: how old it is, is known from the beginning, unless it has become another. */
  readAnew({ lineage }: FileState, { isRewritten }: { isRewritten: boolean }): void {
    if (isRewritten) this.#gone = lineage?.begins ?? [];
    else if (lineage?.born !== undefined) this.#first = { ...NO_LINEAGE, born: lineage.born };
  }

  /** To be asked after each line in which something was said, and after the first that says what the transcript is. */
  async after(state: FileState, read: Reading<unknown>): Promise<{ lineage?: Lineage; copy?: Copy }> {
    // Subagents have lines of their own.
    if (state.reader !== claudeCode.name || state.head?.agent !== undefined || read.parsed === undefined) return {};
    const line = identityOf(read.parsed, sessionOf(state, this.#file));
    const before = state.lineage ?? this.#first;
    if (read.items.length === 0 && !line.isBorder) return { lineage: inOrder(begun(before, line)) };
    const isPrompt = read.items.some((item) => item.kind === 'turn' && item.role === 'user' && !item.aside);
    const isCompaction =
      line.isBorder ||
      read.items.some((item) => item.kind === 'event' && item.event === 'compaction' && item.line === state.line);
    if (line.name !== undefined) this.#names.add(line.name);
    const mayBegin = line.name !== undefined && (before.begins.length === 0 || isCompaction);
    const known = mayBegin ? await this.#beginning(state, before, `${line.name} ${line.time ?? ''}`) : before;
    const { lineage, ...copy } = await this.#compared(spoken(known, line, { isPrompt }), line, state.line);
    return lineage === state.lineage ? copy : { ...copy, lineage: inOrder(lineage) };
  }

  /** Others may have this line too. One that is read for the first time is the youngest until its lines tell more. */
  async #beginning(state: FileState, before: Lineage, begin: string): Promise<Lineage> {
    const isFirst = before.begins.length === 0;
    const lineage = { ...before, begins: [...new Set([...before.begins, begin])] };
    this.#begins.push(begin);
    const { session, born } = ageOf({ ...state, lineage }, this.#file);
    const age = { session, born: isFirst && this.#first === NO_LINEAGE ? undefined : born };
    const relatives = await this.#relativesOf(state, [begin]);
    const older = relatives.filter((each) => isOlder(ageOf(each.state, each.file), age)).map(({ file }) => file);
    if (older.length === 0) return lineage;
    this.#held = undefined;
    const { own: _, ...among } = lineage;
    return { ...among, of: [...new Set([...(lineage.of ?? []), ...older])].sort() };
  }

  async #compared(
    lineage: Lineage,
    { name, time }: LineIdentity,
    number: number,
  ): Promise<{ lineage: Lineage; copy?: Copy }> {
    if (!isAmongCopies(lineage)) return { lineage };
    this.#held ??= await this.#heldBy(lineage.of ?? []);
    const original = name === undefined ? undefined : this.#held.lines.get(name);
    if (original) return { lineage: withCopy(lineage, number), copy: { original, line: number } };
    if (name !== undefined && time !== undefined && this.#held.times.has(time))
      return { lineage: withCopy(lineage, number) };
    const isOver = name !== undefined && (time ?? Number.POSITIVE_INFINITY) > this.#held.until;
    return { lineage: isOver ? { ...lineage, own: name } : { ...lineage, apart: true } };
  }

  #relativesOf(state: FileState, begins: readonly string[]): Promise<Relative[]> {
    return relativesOf(this.#store, begins, { file: this.#file, state, nameToday: this.#options.nameToday });
  }

  async #heldBy(files: readonly string[]): Promise<Held> {
    const lines = new Map<string, Original>();
    const times = new Set<number>();
    let until = Number.NEGATIVE_INFINITY;
    const known = await knownOf(this.#store, files);
    // A line that several have is the oldest one's.
    known.sort((a, b) => (isOlder(ageOf(a.state, a.file), ageOf(b.state, b.file)) ? -1 : 1));
    for (const each of known) {
      const names = this.#namesIn(each);
      const place = placeOf(each);
      for (const [name, line] of names ?? []) if (!lines.has(name)) lines.set(name, { line, place });
      if (names) continue;
      for (const time of await this.#timesIn(each.file)) times.add(time);
      until = Math.max(until, each.state.trace.time);
    }
    return { lines, times, until };
  }

  /** As far as it was indexed; nothing where neither the file nor a copy can be read. */
  #namesIn({ file, state }: Relative): Map<string, number> | undefined {
    try {
      return namesInFile(file, state) ?? namesAmong(this.#options.archived?.(file)?.lines(), state.line);
    } catch (error) {
      if (isSystemError(error) || (error instanceof CairnError && error.code === 'READ_ERROR')) return undefined;
      throw error;
    }
  }

  async #timesIn(file: string): Promise<number[]> {
    const times: number[] = [];
    let cursor: string | undefined;
    do {
      const filter = { files: [file], layers: ['trace'] };
      const page = await this.#store.list({ filter, order: 'ref', limit: PAGE, ...(cursor ? { cursor } : {}) });
      for (const { kind, createdAt } of page.documents) if (kind !== 'span') times.push(createdAt);
      cursor = page.next;
    } while (cursor !== undefined);
    return times;
  }

  /** What goes into the store with a batch, besides its rows. */
  async settle(state: FileState): Promise<Change[]> {
    const { begins = [] } = state.lineage ?? {};
    const asked = new Set([...begins.slice(0, 1), ...begins.slice(-1), ...this.#begins]);
    const changes = [...dropBeginnings(this.#file, this.#gone), ...noteBeginnings(this.#file, this.#begins)];
    for (const other of asked.size === 0 ? [] : await this.#relativesOf(state, [...asked])) {
      if (isMistaken({ file: this.#file, state }, other)) this.#isStale = true;
      if (!this.#isSettled(state, other)) {
        changes.push(...markStale(other));
        this.stale.add(other.file);
      }
    }
    if (this.#isStale) this.stale.add(this.#file);
    return changes;
  }

  /** What the state of this transcript says if it was read as older, or younger, than it is. */
  get mark(): { anew?: true } {
    return this.#isStale ? { anew: true } : {};
  }

  #isSettled(state: FileState, other: Relative): boolean {
    if (other.state.anew) return true;
    if (isMistaken(other, { file: this.#file, state })) return false;
    const { own } = other.state.lineage ?? {};
    return !(isCopyOf(other.state, this.#file) && own !== undefined && this.#names.has(own));
  }

  /** The batch is written. */
  written(): void {
    this.#names = new Set();
    this.#begins = [];
    this.#gone = [];
  }
}

const placeOf = ({ file, state }: Relative): Original['place'] => ({
  thread: threadOf(state, file),
  ...(state.forks ? { forks: state.forks } : {}),
  ...(state.twin ? { twin: state.twin } : {}),
});

function namesInFile(file: string, { from, mark, offset, line }: FileState): Map<string, number> | undefined {
  const source = openTranscriptFile(file);
  if (!source) return undefined;
  try {
    if (from !== 'file' || !source.hasMark(mark, offset)) return undefined;
    const lines = source.readLinesFrom(0);
    return namesAmong(textsOf(lines), line);
  } finally {
    source.close();
  }
}

function* textsOf(lines: Iterable<{ text: string; tooLong?: boolean }>): Generator<string> {
  for (const { text, tooLong } of lines) yield tooLong ? '' : text;
}

/** Of the first lines, with their numbers. */
function namesAmong(lines: Iterable<string> | undefined, most: number): Map<string, number> | undefined {
  if (!lines) return undefined;
  const names = new Map<string, number>();
  let number = 0;
  for (const text of lines) {
    if (++number > most) break;
    const name = text.includes('"uuid"') ? lineName(text) : undefined;
    if (name !== undefined) names.set(name, number);
  }
  return names;
}

/** A row of lines that are all copies: the original has it. A topic that goes on behind them is a row of both. */
export function isRowOfCopies(change: Change, { lineage }: FileState): boolean {
  if (change.op !== 'put' || lineage?.copied === undefined) return false;
  const { source, meta } = change.document;
  const [from, to] = [source?.line ?? 0, Number(meta?.end ?? source?.line ?? 0)];
  return isCopied(lineage, from) && isCopied(lineage, to);
}

/** The item of a copied line: what refers to it later refers to the row of the original. */
export const asCopied = <Item extends TraceItem>(item: Item, { original: { line, place } }: Copy): Item => ({
  ...item,
  original: { thread: threadAt(place, line), line },
});

/** What was found in other conversations, without what this one remembers itself as copied from there. */
export function notRemembered(found: readonly Statement[], { lineage, trace }: FileState): readonly Statement[] {
  if (lineage?.copied === undefined) return found;
  const refs = new Set([...trace.recent, ...trace.told].map(({ ref }) => ref));
  return found.filter(({ ref }) => !refs.has(ref));
}
