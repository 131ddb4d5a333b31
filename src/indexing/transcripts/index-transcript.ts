// Indexes what is new in one transcript. The state of a file (how far it was read, what the reader and the topics carry over)
// is written in the same transaction as the rows, and only if nobody else has written it meanwhile: a kill loses nothing, and
// two indexers at one file do not double anything.

import path from 'node:path';
import { CairnError } from '../../errors.ts';
import type { EntityOptions } from '../../extraction/entities/entities-of.ts';
import type { ConversationPlace } from '../../files/excluded.ts';
import type { Forgotten } from '../../files/forgotten.ts';
import { type Fork, generationOf } from '../../model/forks.ts';
import type { TraceHead, TraceLine, TranscriptReader } from '../../model/trace.ts';
import type { Change, Store } from '../../store/store.ts';
import { withoutAttachments } from '../../transcripts/archive/archived-line.ts';
import { lineFilter } from '../../transcripts/forgotten-lines.ts';
import { markdown } from '../../transcripts/markdown/reader.ts';
import { readerFor, readerNamed } from '../../transcripts/readers.ts';
import {
  type ArchivedTranscript,
  archivedSource,
  openTranscriptFile,
  saysSomething,
  type TranscriptLine,
  type TranscriptSource,
} from '../../transcripts/source.ts';
import { ConversationMask, type MaskState } from './conversation-mask.ts';
import { EarlierStatements } from './earlier-statements.ts';
import { redactItem } from './redact-item.ts';
import { RowsBefore } from './rows-before.ts';
import { type Kinship, kinshipByMarks, kinshipToCopy } from './same-beginning.ts';
import { FIRST_TRACE_STATE, rowsOf, type SpanRow, type TracePlace } from './trace-rows.ts';
import type { Refusal, TranscriptReport } from './transcript-report.ts';
import { type FileState, nameOfFile, STATE_VERSION, sessionOf, stateKey, threadOf } from './transcript-state.ts';
import { type Twin, twinAt, twinBeside, withTwin } from './twin-transcript.ts';

export type { Refusal, TranscriptReport } from './transcript-report.ts';
export { STATE_PREFIX, stateKey, threadOf } from './transcript-state.ts';

/** What was read in one batch, for the archive: redacted. A line that says nothing is empty, so that line numbers hold. */
export type ReadPart = {
  readonly fromLine: number;
  readonly lines: readonly string[];
  readonly offset: number;
  readonly line: number;
  readonly mark: string;
  readonly head: TraceHead | null;
  readonly reader: string;
  readonly thinking: boolean;
  readonly project: string;
  readonly restart: boolean;
  readonly forks: readonly Fork[];
};

export type IndexOptions = {
  /** The project that a working directory belongs to. */
  projectOf: (cwd: string | undefined, file: string) => string;
  /** What a project is called today that a transcript was read for under another name. */
  nameToday?: (project: string) => string;
  entities?: EntityOptions;
  /** What the values are hashed with that a conversation gave away; asked for at the first of them. */
  maskKey?: () => string;
  /** Whether the thinking of the agent is read too. */
  thinking?: boolean;
  /** Gets every batch before its rows are written; it must not mind to get one again. */
  archive?: (file: string, part: ReadPart) => void | Promise<void>;
  /** Shared by all files of one run. */
  earlier?: EarlierStatements;
  /** What may not come back, as it is now. */
  forgotten?: () => Forgotten;
  /** Whether a conversation is kept out. */
  excluded?: ((place: ConversationPlace) => boolean) | undefined;
  /** Hears that a forgotten conversation was met, before anything of it is read. */
  onForgotten?: (file: string) => Promise<void>;
  /** Stands in for a file that is gone. */
  archived?: (file: string) => ArchivedTranscript | undefined;
  /** What it was before it was rewritten, the oldest first. */
  older?: (file: string) => readonly ArchivedTranscript[];
  /** A number for its next generation. */
  nextGeneration?: (file: string) => number;
  /** Whether it is read from its start again, though nothing about it has changed. */
  anew?: (file: string) => boolean;
  /** Whether its copy in the archive is made anew with it. */
  mend?: (file: string) => boolean;
  /** Looked at between batches: stop here, what is done is kept. */
  stopped?: () => boolean;
  onProgress?: (bytes: number) => void;
};

const BATCH_ROWS = 400;
const BATCH_BYTES = 4 * 1024 * 1024;
const FIRST_LINES = 8;
const FIRST_LINE_LENGTH = 8_192;

/** `undefined`: there is no such file, or no reader knows it, nor is there an archive of it. */
export async function indexTranscript(
  store: Store,
  file: string,
  options: IndexOptions,
): Promise<TranscriptReport | undefined> {
  const real = path.resolve(file);
  const place = { store, file: real, options };
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
  const known = written === undefined ? undefined : (JSON.parse(written) as FileState);
  if (known && known.from !== 'archive') return;
  for (const copy of older)
    if (!known || generationOf(copy.forks) >= generationOf(known.forks ?? []))
      await indexFrom(archivedSource(copy), copy, place);
}

type Place = { store: Store; file: string; options: IndexOptions };

async function indexFrom(
  source: TranscriptSource,
  copy: ArchivedTranscript | undefined,
  { store, file, options }: Place,
): Promise<TranscriptReport | undefined> {
  try {
    for (;;) {
      try {
        return await new Indexing(store, file, source, { ...options, copy }).run();
      } catch (error) {
        if (error instanceof Refused) return refusedReport(file, error, options);
        // Somebody else has indexed this part meanwhile: go on from where they are.
        if (!(error instanceof CairnError && error.code === 'OCC_CONFLICT')) throw error;
        options.earlier?.forget();
      }
    }
  } finally {
    source.close();
  }
}

/** Thrown before anything was written. */
class Refused extends Error {
  readonly why: Refusal;
  readonly session: string;
  constructor(why: Refusal, session: string) {
    super(why);
    this.why = why;
    this.session = session;
  }
}

async function refusedReport(
  file: string,
  { why, session }: Refused,
  { onForgotten }: IndexOptions,
): Promise<TranscriptReport> {
  if (why === 'forgotten' || why === 'aged') await onForgotten?.(file);
  const numbers = { lines: 0, prompts: 0, ideas: 0, unreadable: 0, bytes: 0 };
  return { file, session, project: '', ...numbers, restarted: false, finished: true, refused: why };
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
  readonly #spans = new Map<string, SpanRow>();
  #kept: string[] = [];
  #written: string | null = null;
  /** What a line may still say; missing where nothing of any line was forgotten. */
  readonly #filter: ReturnType<typeof lineFilter>;
  #batchBytes = 0;
  #restart = false;
  #before: RowsBefore | undefined;
  #mask: ConversationMask;

  constructor(store: Store, file: string, source: TranscriptSource, options: RunOptions) {
    this.#store = store;
    this.#file = file;
    this.#source = source;
    this.#options = options;
    this.#earlier = options.earlier ?? new EarlierStatements(store);
    this.#mask = this.#maskFrom(undefined);
    this.#filter = lineFilter(options.forgotten?.());
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
    for (const line of this.#source.readLinesFrom(state.offset)) {
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
    await this.#flush(finished ? this.#atTheEnd(state) : state);
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
    const known = this.#written === null ? undefined : (JSON.parse(this.#written) as FileState);
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
    if (known.v !== STATE_VERSION || known.thinking !== this.#thinking) return false;
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
    const firstLines: string[] = [];
    for (const line of this.#source.readLinesFrom(0)) {
      firstLines.push(line.text.slice(0, FIRST_LINE_LENGTH));
      if (firstLines.length >= FIRST_LINES) break;
    }
    const reader = readerFor(this.#file, firstLines);
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
    line: TranscriptLine,
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
    if (line.tooLong || text === '') {
      this.#kept.push('');
      return state;
    }
    const read = this.#readMasked(reader, before.read, { number: state.line, text });
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
    const place = this.#placeOf(state);
    for (const item of read.items) {
      const rows = await rowsOf(
        state.trace,
        redactItem(item, (said) => this.#mask.text(said)),
        place,
        (statement) => this.#earlier.for(statement, place),
      );
      state.trace = rows.state;
      this.#rows.push(...rows.ideas);
      for (const span of rows.spans) this.#spans.set(span.ref, span);
      report.ideas += rows.ideas.length;
      if (item.kind === 'turn' && item.role === 'user' && !item.aside) report.prompts++;
    }
    return state;
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
  #readMasked(
    reader: TranscriptReader<unknown>,
    before: unknown,
    line: TraceLine,
  ): ReturnType<TranscriptReader['read']> & { kept: string } {
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
      ...(this.#options.entities ? { entityOptions: this.#options.entities } : {}),
    };
  }

  async #flush(state: FileState): Promise<void> {
    // Of a file that is gone nobody can make another one.
    const isOfFile = this.#source.kind === 'archive' && state.from === 'file';
    const mark = isOfFile ? state.mark : this.#source.markAt(state.offset);
    const { known, open } = this.#mask.state;
    const value = JSON.stringify({ ...state, mark, ...(known || open ? { mask: this.#mask.state } : {}) });
    // Read anew, it may end where it was: its rows and its copy are others for all that.
    if (value === this.#written && this.#kept.length === 0) return;
    if (this.#source.kind === 'file' && this.#kept.length > 0) {
      const { offset, line, head, reader, thinking, project } = state;
      const part = {
        offset,
        line,
        mark,
        head,
        reader,
        thinking,
        project,
        forks: state.forks ?? [],
        restart: this.#restart,
      };
      await this.#options.archive?.(this.#file, { ...part, lines: this.#kept, fromLine: line - this.#kept.length + 1 });
    }
    const key = stateKey(this.#file);
    const rows = [...this.#rows, ...[...this.#spans.values()].map((span) => span.draw())];
    const replaced = this.#before?.replacedBy(rows, state.line, state.forks ?? []) ?? [];
    await this.#store.apply([
      { op: 'expect', key, value: this.#written },
      ...replaced,
      ...rows,
      { op: 'state', key, value },
    ]);
    this.#written = value;
    this.#rows.length = 0;
    this.#spans.clear();
    this.#kept = [];
    this.#restart = false;
    this.#options.onProgress?.(this.#batchBytes);
    this.#batchBytes = 0;
  }
}

/** All work here is done in one go; without a pause no signal and no timer would ever be heard. */
const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
