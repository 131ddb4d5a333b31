// Indexes what is new in one transcript. The state of a file (how far it was read, what the reader and the topics carry over)
// is written in the same transaction as the rows, and only if nobody else has written it meanwhile: a kill loses nothing, and
// two indexers at one file do not double anything.

import path from 'node:path';
import { CairnError, isSystemError } from '../../errors.ts';
import { generationOf } from '../../model/forks.ts';
import type { TraceHead, TraceLine, TranscriptReader } from '../../model/trace.ts';
import type { Change, Store } from '../../store/store.ts';
import { withoutAttachments } from '../../transcripts/archive/archived-line.ts';
import { isBorder } from '../../transcripts/claude-code/line-identity.ts';
import { lineFilter } from '../../transcripts/forgotten-lines.ts';
import { markdown } from '../../transcripts/markdown/reader.ts';
import { readerFor, readerNamed } from '../../transcripts/readers.ts';
import {
  type ArchivedTranscript,
  archivedSource,
  firstLinesOf,
  openTranscriptFile,
  saysSomething,
  type TranscriptSource,
} from '../../transcripts/source.ts';
import { ConversationMask, type MaskState } from './conversation-mask.ts';
import { asCopied, CopiedLines, isRowOfCopies, notRemembered } from './copied-lines.ts';
import { EarlierStatements } from './earlier-statements.ts';
import type { IndexOptions } from './index-options.ts';
import { LinesAhead, type LineToRead } from './lines-ahead.ts';
import { type MaskedReading, ReadAheadStale } from './read-ahead.ts';
import { redactItem } from './redact-item.ts';
import { Refused, refusedReport } from './refused.ts';
import type { TracePlace } from './row-names.ts';
import { RowsBefore } from './rows-before.ts';
import { type Kinship, kinshipByMarks, kinshipToCopy } from './same-beginning.ts';
import { FIRST_TRACE_STATE, type FindEarlier, openRows, rowsOf } from './trace-rows.ts';
import type { TranscriptReport } from './transcript-report.ts';
import {
  type FileState,
  nameOfFile,
  STATE_VERSION,
  sessionOf,
  stateIn,
  stateKey,
  threadOf,
} from './transcript-state.ts';
import { type Twin, twinAt, twinBeside, withTwin } from './twin-transcript.ts';

export type { IndexOptions, ReadPart } from './index-options.ts';
export type { Refusal, TranscriptReport } from './transcript-report.ts';
export { STATE_PREFIX, stateKey, threadOf } from './transcript-state.ts';

const BATCH_ROWS = 400;
const BATCH_BYTES = 4 * 1024 * 1024;

/** `undefined`: there is no such file, or no reader knows it, nor is there an archive of it. */
export async function indexTranscript(
  store: Store,
  file: string,
  options: IndexOptions,
): Promise<TranscriptReport | undefined> {
  const real = path.resolve(file);
  const place = { store, file: real, options, stale: new Set<string>() };
  const report = await indexOne(place);
  if (report?.finished) await indexStale(place);
  return report;
}

/** Others were read as if this one were not there, or it was as if they were not. */
async function indexStale({ store, stale, options }: Place): Promise<void> {
  const { onProgress: _, ...quietly } = options;
  for (const file of stale)
    try {
      await indexTranscript(store, file, quietly);
    } catch (error) {
      // It stays marked: whoever comes to read it says why it cannot be.
      if (!(error instanceof CairnError || isSystemError(error))) throw error;
    }
}

async function indexOne(place: Place): Promise<TranscriptReport | undefined> {
  const { file: real, options } = place;
  await indexOlder(place);
  const source = openTranscriptFile(real);
  const report = source && (await indexFrom(source, undefined, place));
  if (report && !report.shorter) return report;
  // The file is gone, or nothing that anybody knows is left of it, or not all: a power cut may leave it empty, or full of zeros.
  const copy = options.archived?.(real);
  if (!copy) return report;
  const read = await indexFrom(archivedSource(copy), copy, place);
  return read && (report ? { ...read, shorter: true } : read);
}

/** What a transcript was before it was rewritten, where the database does not have it: it was lost, or this was begun and interrupted. */
async function indexOlder(place: Place): Promise<void> {
  const older = place.options.older?.(place.file) ?? [];
  if (older.length === 0) return;
  const written = (await place.store.state({ keys: [stateKey(place.file)] }))[0]?.value;
  const known = written === undefined ? undefined : stateIn(written);
  if (known && known.from !== 'archive') return;
  for (const copy of older)
    if (!known || generationOf(copy.forks) >= generationOf(known.forks ?? []))
      await indexFrom(archivedSource(copy), copy, place);
}

/** `stale`: transcripts that have to be read from their start, because of what was read in this one. */
type Place = { store: Store; file: string; options: IndexOptions; stale: Set<string> };

async function indexFrom(
  source: TranscriptSource,
  copy: ArchivedTranscript | undefined,
  { store, file, options, stale }: Place,
): Promise<TranscriptReport | undefined> {
  try {
    let { ahead } = options;
    for (;;) {
      const indexing = new Indexing(store, file, source, { ...options, ahead, copy });
      try {
        const report = await indexing.run();
        for (const each of indexing.stale) stale.add(each);
        return report;
      } catch (error) {
        if (error instanceof Refused) return refusedReport(file, error, options);
        if (error instanceof ReadAheadStale) {
          ahead = undefined;
          continue;
        }
        // Somebody else has indexed this part meanwhile: go on from where they are.
        if (!(error instanceof CairnError && error.code === 'OCC_CONFLICT')) throw error;
        options.earlier?.forget();
      }
    }
  } finally {
    source.close();
  }
}

type RunOptions = IndexOptions & { copy: ArchivedTranscript | undefined };

/** One go from where the state says to the end. Everything in it is given up when somebody else was faster. */
class Indexing {
  readonly #store: Store;
  readonly #file: string;
  readonly #source: TranscriptSource;
  readonly #options: RunOptions;
  readonly #earlier: EarlierStatements;
  readonly #rows: Change[] = [];
  #kept: string[] = [];
  #written: string | null = null;
  /** What a line may still say; missing where nothing of any line was forgotten. */
  readonly #filter: ReturnType<typeof lineFilter>;
  #batchBytes = 0;
  #restart = false;
  #before: RowsBefore | undefined;
  #mask: ConversationMask;
  readonly #copies: CopiedLines;
  readonly #lines: LinesAhead;

  constructor(store: Store, file: string, source: TranscriptSource, options: RunOptions) {
    this.#store = store;
    this.#file = file;
    this.#source = source;
    this.#options = options;
    this.#earlier = options.earlier ?? new EarlierStatements(store);
    this.#mask = this.#maskFrom(undefined);
    this.#lines = new LinesAhead(file, options);
    this.#filter = lineFilter(options.forgotten?.());
    const { archived, nameToday = (project) => project } = options;
    this.#copies = new CopiedLines(store, file, { archived, nameToday });
  }

  /** Transcripts that have to be read anew now. */
  get stale(): ReadonlySet<string> {
    return this.#copies.stale;
  }

  async run(): Promise<TranscriptReport | undefined> {
    let state = await this.#begin();
    if (!state) return undefined;
    this.#mask = this.#maskFrom(state.mask);
    this.#mayRead(state);
    if (state === this.#isShorter) return { ...this.#emptyReport(), shorter: true, project: state.project };
    const report = this.#emptyReport();
    const reader = readerNamed(state.reader) as TranscriptReader<unknown>;
    let finished = true;
    for await (const line of this.#lines.from(this.#source, state.offset, this.#filter !== undefined)) {
      state = await this.#readLine(state, line, { reader, report });
      if (this.#rows.length >= BATCH_ROWS || this.#batchBytes >= BATCH_BYTES) {
        await this.#flush(state);
        await breathe();
        if (this.#options.stopped?.()) {
          finished = false;
          break;
        }
      }
    }
    const open = await this.#flush(finished ? this.#atTheEnd(state) : state);
    report.ideas += open.filter(isIdea).length;
    await breathe();
    return { ...report, session: sessionOf(state, this.#file), project: state.project, finished };
  }

  /** Asked when it begins and whenever it says anew what it is: what was forgotten meanwhile must not be written again. */
  #mayRead({ head, reader }: FileState): void {
    const { forgotten, excluded } = this.#options;
    const session = head?.session ?? nameOfFile(this.#file);
    const known = forgotten?.();
    if (known?.holdsFile(this.#file) || (reader !== markdown.name && known?.holdsSession(session)))
      throw new Refused(known.whyOf(session, this.#file) === 'age' ? 'aged' : 'forgotten', session);
    // What was read before it was excluded stays, and nothing is added to it: `cairn forget` takes it away.
    if (excluded?.({ cwd: head?.cwd, file: this.#file })) throw new Refused('excluded', session);
  }

  async #begin(): Promise<FileState | undefined> {
    const key = stateKey(this.#file);
    this.#written = (await this.#store.state({ keys: [key] }))[0]?.value ?? null;
    this.#isKnown = this.#written !== null;
    const known = this.#written === null ? undefined : stateIn(this.#written);
    if (known && this.#goesOn(known)) {
      if (known.replaces) this.#before = await RowsBefore.of(this.#store, this.#file, known.line);
      return this.#underNameOfToday(known);
    }
    const first = this.#firstState();
    const forks = first && this.#kinship(first, known);
    if (!first || !forks) return undefined;
    if (forks === 'shorter') {
      this.#isShorter = known ?? first;
      return this.#isShorter;
    }
    const before = known?.generations ?? (known ? [generationOf(known.forks ?? [])] : []);
    const generations = [...new Set([...before, generationOf(forks)])];
    const state: FileState = { ...first, ...(forks.length > 0 ? { forks, generations } : {}) };
    this.#restart = this.#options.mend?.(this.#file) === true;
    if (!known) return state;
    const isRewritten = generationOf(forks) !== generationOf(known.forks ?? []);
    // The copy in the archive is made anew where it would hold other lines.
    this.#restart ||= isRewritten || known.thinking !== this.#thinking;
    this.#isAnew = true;
    this.#earlier.forget();
    this.#before = await RowsBefore.of(this.#store, this.#file, 0);
    this.#copies.readAnew(known, { isRewritten });
    return { ...state, ...(known.twin ? { twin: known.twin } : {}), replaces: true };
  }

  #isShorter: FileState | undefined;
  #isAnew = false;
  /** It was read before, from whatever source. */
  #isKnown = false;

  /** Of what is read now to what was read before. */
  #kinship(first: FileState, known: FileState | undefined): Kinship {
    const { copy, nextGeneration } = this.#options;
    if (this.#source.kind === 'archive') return copy?.forks ?? [];
    const before = known && { checkpoints: [], forks: [], ...known };
    if (before?.from === 'file' && this.#source.hasMark(before.mark, before.offset)) return before.forks;
    const compared = {
      source: this.#source,
      reader: readerNamed(first.reader) as TranscriptReader<unknown>,
      file: this.#file,
      nextGeneration: (atLeast: number) => Math.max(atLeast, nextGeneration?.(this.#file) ?? 0),
    };
    try {
      const archived = this.#options.archived?.(this.#file);
      if (archived && (!before || archived.line >= before.line)) return kinshipToCopy(compared, archived);
    } catch (error) {
      if (!(error instanceof CairnError && error.code === 'READ_ERROR')) throw error; // damaged: the marks have to do
    }
    return before?.from === 'file' ? kinshipByMarks(compared, before) : (before?.forks ?? []);
  }

  #underNameOfToday(known: FileState): FileState {
    const project = this.#options.nameToday?.(known.project) ?? known.project;
    return project === known.project ? known : { ...known, project };
  }

  #goesOn(known: FileState): boolean {
    if (known.v !== STATE_VERSION || known.thinking !== this.#thinking || known.anew) return false;
    if (this.#options.anew?.(this.#file) && !known.replaces) return false; // with it, somebody has begun already
    const { copy } = this.#options;
    if (copy && generationOf(copy.forks) !== generationOf(known.forks ?? [])) return false;
    if (this.#source.kind === known.from) return this.#source.hasMark(known.mark, known.offset);
    // The file is gone, and what was read of it is all there is.
    return this.#source.kind === 'archive' && known.line >= (copy?.line ?? 0);
  }

  get #thinking(): boolean {
    return this.#options.thinking ?? false;
  }

  #firstState(): FileState | undefined {
    const reader = readerFor(this.#file, firstLinesOf(this.#source));
    if (!reader) return undefined;
    return {
      v: STATE_VERSION,
      from: this.#source.kind,
      reader: reader.name,
      thinking: this.#thinking,
      offset: 0,
      line: 0,
      mark: '',
      head: null,
      project: this.#file,
      read: reader.start(this.#file, { thinking: this.#thinking }),
      trace: FIRST_TRACE_STATE,
    };
  }

  /** All of an archive was read: it goes on where the original would, should that come back. */
  #atTheEnd(state: FileState): FileState {
    const copy = this.#options.copy;
    const { replaces: _, ...done } = state;
    return done.from === 'archive' && copy ? { ...done, from: 'file', offset: copy.offset, mark: copy.mark } : done;
  }

  #emptyReport(): TranscriptReport {
    const numbers = { lines: 0, prompts: 0, ideas: 0, unreadable: 0, bytes: 0 };
    return { file: this.#file, session: '', project: '', ...numbers, restarted: this.#isAnew, finished: true };
  }

  async #readLine(
    before: FileState,
    line: LineToRead,
    { reader, report }: { reader: TranscriptReader<unknown>; report: TranscriptReport },
  ): Promise<FileState> {
    const bytes = line.end - before.offset;
    let state: FileState = { ...before, offset: line.end, line: before.line + 1 };
    // Where there is a copy, that tells more.
    if (this.#source.kind === 'file' && !this.#options.archive && Number.isInteger(Math.log2(state.line))) {
      const here = { offset: line.end, line: state.line, mark: this.#source.markAt(line.end) };
      state.checkpoints = [...(before.checkpoints ?? []), here];
    }
    const thread = withTwin(threadOf(before, this.#file), twinAt(before.twin, state.line));
    const text = this.#filter?.(line.text, state.line, thread) ?? line.text;
    report.lines++;
    report.bytes += bytes;
    this.#batchBytes += bytes;
    if (line.tooLong) report.unreadable++;
    const read = this.#readOne(reader, before.read, { number: state.line, text }, line);
    if (!read) {
      this.#kept.push('');
      return state;
    }
    if (read.unreadable) report.unreadable++;
    this.#kept.push(read.kept);
    state.read = read.state;
    if (read.head) {
      state = this.#withHead(state, read.head);
      if (before.head === null) {
        this.#mayRead(state);
        // Looked for once, when a transcript is first read: what has rows already keeps their names.
        const twin = this.#isKnown ? undefined : await this.#twinOf(state, reader);
        if (twin) state = { ...state, twin };
      }
    }
    const isTelling = read.items.length > 0 || before.head === null || isBorder(read.parsed);
    const { lineage, copy } = isTelling ? await this.#copies.after(state, read) : {};
    if (lineage) state.lineage = lineage;
    const place = this.#placeOf(state);
    const isMasked = line.ahead !== undefined;
    for (const item of read.items) {
      const own = copy ? asCopied(item, copy) : item;
      const rows = await rowsOf(
        state.trace,
        isMasked ? own : redactItem(own, (said) => this.#mask.text(said)),
        place,
        this.#findEarlier(place, () => state),
        this.#lines.ideasOf,
      );
      state.trace = rows.state;
      const kept = rows.rows.filter((each) => !isRowOfCopies(each, state));
      this.#rows.push(...kept);
      report.ideas += kept.filter(isIdea).length;
      if (item.kind === 'turn' && item.role === 'user' && !item.aside && !copy) report.prompts++;
    }
    return state;
  }

  /** Nothing where there is no word to read. */
  #readOne(
    reader: TranscriptReader<unknown>,
    before: unknown,
    line: TraceLine,
    { ahead, tooLong }: LineToRead,
  ): MaskedReading | undefined {
    if (ahead) return this.#lines.take(ahead, before);
    return tooLong || line.text === '' ? undefined : this.#readMasked(reader, before, line);
  }

  /** What other conversations of the project say, without what this one remembers itself as copied from there. */
  #findEarlier(place: TracePlace, state: () => FileState): FindEarlier {
    const { for: find, open } = this.#earlier.at(place);
    return {
      for: async (statement) => notRemembered(await find(statement), state()),
      open: async () => notRemembered(await open(), state()),
    };
  }

  #twinOf(state: FileState, reader: TranscriptReader<unknown>): Promise<Twin | undefined> {
    const own = { session: sessionOf(state, this.#file), agent: state.head?.agent, file: this.#file };
    return twinBeside(this.#store, own, { source: this.#source, reader, archived: this.#options.archived });
  }

  #maskFrom(state: MaskState | undefined): ConversationMask {
    return new ConversationMask(this.#options.maskKey, state);
  }

  /**
   * What the reader makes of the line once its secrets are gone. It reads a line that holds some a second time: what it carries over is
   * stored as well. `kept`: the line for the archive, empty where nobody would miss it.
   */
  #readMasked(reader: TranscriptReader<unknown>, before: unknown, line: TraceLine): MaskedReading {
    const read = this.#mask.read(reader, before, line);
    if (!saysSomething(read, before)) return { ...read, kept: '' };
    const isArchived = this.#options.archive !== undefined && this.#source.kind === 'file';
    return { ...read, kept: isArchived ? withoutAttachments(read.open ?? read.clean, read.parsed) : '' };
  }

  #withHead(state: FileState, head: TraceHead): FileState {
    const sameFolder = state.head !== null && state.head.cwd === head.cwd;
    return { ...state, head, project: sameFolder ? state.project : this.#options.projectOf(head.cwd, this.#file) };
  }

  #placeOf(state: FileState): TracePlace {
    const session = sessionOf(state, this.#file);
    const agent = state.head?.agent;
    return {
      project: state.project,
      session,
      thread: threadOf(state, this.#file),
      file: this.#file,
      agent,
      branch: state.head?.branch,
      ...(state.forks ? { forks: state.forks } : {}),
      ...(state.twin ? { twin: state.twin } : {}),
      ...(this.#options.entities ? { entityOptions: this.#options.entities(state.project) } : {}),
    };
  }

  #stateText(state: FileState): string {
    const mask = this.#lines.mask ?? this.#mask.state;
    const masked = mask.known || mask.open ? { mask } : {};
    return JSON.stringify({ ...state, mark: this.#markAt(state), ...masked, ...this.#copies.mark });
  }

  /** Of a file that is gone nobody can make another one. */
  #markAt({ from, mark, offset }: FileState): string {
    return this.#source.kind === 'archive' && from === 'file' ? mark : this.#source.markAt(offset);
  }

  /** Writes what was read; gives the rows of the exchange that is still open. */
  async #flush(read: FileState): Promise<readonly Change[]> {
    this.#lines.assertFresh();
    // Drawing the open exchange takes as long as reading it, and nobody has said anything since.
    if (this.#kept.length === 0 && this.#stateText(read) === this.#written) return [];
    const place = this.#placeOf(read);
    const drawn = await openRows(
      read.trace,
      place,
      this.#findEarlier(place, () => read),
      this.#lines.ideasOf,
    );
    const state = { ...read, trace: drawn.state };
    const related = this.#kept.length > 0 ? await this.#copies.settle(state) : [];
    const value = this.#stateText(state);
    // Read anew, it may end where it was: its rows and its copy are others for all that.
    if (value === this.#written && this.#kept.length === 0) return [];
    if (this.#source.kind === 'file' && this.#kept.length > 0) {
      const { offset, line, head, reader, thinking, project, forks = [] } = state;
      const about = { head, reader, thinking, project, forks, restart: this.#restart };
      const part = { ...about, offset, line, mark: this.#markAt(state) };
      await this.#options.archive?.(this.#file, { ...part, lines: this.#kept, fromLine: line - this.#kept.length + 1 });
    }
    const key = stateKey(this.#file);
    const rows = [...this.#rows, ...drawn.rows.filter((each) => !isRowOfCopies(each, state))];
    const replaced = this.#before?.replacedBy(rows, state.line, state.forks ?? []) ?? [];
    await this.#store.apply([
      { op: 'expect', key, value: this.#written },
      ...replaced,
      ...rows,
      { op: 'state', key, value },
      ...related,
    ]);
    this.#copies.written();
    this.#written = value;
    this.#rows.length = 0;
    this.#kept = [];
    this.#restart = false;
    this.#options.onProgress?.(this.#batchBytes);
    this.#batchBytes = 0;
    return drawn.rows;
  }
}

const isIdea = (row: Change): boolean => row.op === 'put' && row.document.kind !== 'span';

/** All work here is done in one go; without a pause no signal and no timer would ever be heard. */
const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
