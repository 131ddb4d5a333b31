// Indexes what is new in one transcript. The state of a file (how far it was read, what the reader and the topics carry over)
// is written in the same transaction as the rows, and only if nobody else has written it meanwhile: a kill loses nothing, and
// two indexers at one file do not double anything.

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { CairnError } from '../errors.ts';
import { linesFrom } from '../files/lines-from.ts';
import type { Change, Store } from '../store/store.ts';
import { readerFor, readerNamed } from '../traces/readers/index.ts';
import type { Statement } from '../traces/relations/relations-of.ts';
import { topicWords } from '../traces/spans/topic-words.ts';
import type { TraceHead, TranscriptReader } from '../traces/trace.ts';
import { FIRST_TRACE_STATE, rowsOf, type TracePlace, type TraceState } from './trace-rows.ts';

export type TranscriptReport = {
  file: string;
  session: string;
  project: string;
  /** What this run did. */
  lines: number;
  prompts: number;
  ideas: number;
  unreadable: number;
  bytes: number;
  /** The file was not the one that was read before; it was read anew. */
  restarted: boolean;
};

export type IndexOptions = {
  /** The project that a working directory belongs to. */
  projectOf: (cwd: string | undefined, file: string) => string;
  /** Looked at between batches: stop here, what is done is kept. */
  stopped?: () => boolean;
  onProgress?: (bytes: number) => void;
};

type FileState = {
  v: 1;
  reader: string;
  offset: number;
  line: number;
  /** Of the bytes around the offset and at the start: a file that was rewritten is noticed. */
  mark: string;
  head: TraceHead | null;
  project: string;
  read: unknown;
  trace: TraceState;
};

const BATCH_ROWS = 400;
const BATCH_BYTES = 4 * 1024 * 1024;
const MARK_BYTES = 2_048;
const FIRST_LINES = 8;
const EARLIER = 12;
const TELLING_WORDS = 8;

export const stateKey = (file: string): string => `transcript:${file}`;

/** `undefined`: no reader knows this file. */
export async function indexTranscript(
  store: Store,
  file: string,
  options: IndexOptions,
): Promise<TranscriptReport | undefined> {
  const real = path.resolve(file);
  const descriptor = fs.openSync(real, 'r');
  try {
    for (;;) {
      try {
        return await indexOpen(store, descriptor, real, options);
      } catch (error) {
        // Somebody else has indexed this part meanwhile: go on from where they are.
        if (!(error instanceof CairnError && error.code === 'OCC_CONFLICT')) throw error;
      }
    }
  } finally {
    fs.closeSync(descriptor);
  }
}

async function indexOpen(
  store: Store,
  descriptor: number,
  file: string,
  options: IndexOptions,
): Promise<TranscriptReport | undefined> {
  const key = stateKey(file);
  let written = (await store.state({ keys: [key] }))[0]?.value ?? null;
  let state = written === null ? undefined : (JSON.parse(written) as FileState);
  const restarted = state !== undefined && (state.v !== 1 || state.mark !== markOf(descriptor, state.offset));
  const pending: Change[] = [];
  if (restarted) {
    pending.push({ op: 'delete', where: { files: [file], layers: ['trace'] } });
    state = undefined;
  }
  state ??= firstState(descriptor, file);
  if (!state) return undefined;
  const reader = readerNamed(state.reader) as TranscriptReader<unknown>;
  const report: TranscriptReport = {
    file,
    session: sessionOf(state, file),
    project: state.project,
    lines: 0,
    prompts: 0,
    ideas: 0,
    unreadable: 0,
    bytes: 0,
    restarted,
  };
  let batchBytes = 0;
  const flush = async (): Promise<void> => {
    const value = JSON.stringify({ ...state!, mark: markOf(descriptor, state!.offset) });
    if (value === written && pending.length === 0) return;
    await store.apply([{ op: 'expect', key, value: written }, ...pending.splice(0), { op: 'state', key, value }]);
    written = value;
    options.onProgress?.(batchBytes);
    batchBytes = 0;
  };
  for (const line of linesFrom(descriptor, state.offset)) {
    const start = state.offset;
    const number: number = state.line + 1;
    state = { ...state, offset: line.end, line: number };
    report.lines++;
    report.bytes += line.end - start;
    batchBytes += line.end - start;
    if (line.tooLong) report.unreadable++;
    else if (line.text !== '')
      state = await readOne(state, line.text, { store, reader, file, options, pending, report });
    if (pending.length >= BATCH_ROWS || batchBytes >= BATCH_BYTES) {
      await flush();
      if (options.stopped?.()) break;
    }
  }
  await flush();
  return { ...report, session: sessionOf(state, file), project: state.project };
}

type Reading = {
  store: Store;
  reader: TranscriptReader<unknown>;
  file: string;
  options: IndexOptions;
  pending: Change[];
  report: TranscriptReport;
};

async function readOne(
  before: FileState,
  text: string,
  { store, reader, file, options, pending, report }: Reading,
): Promise<FileState> {
  const { state: read, items, head, unreadable } = reader.read(before.read, { number: before.line, text });
  if (unreadable) report.unreadable++;
  let state: FileState = { ...before, read };
  if (head)
    state = {
      ...state,
      head,
      project: state.head?.cwd === head.cwd && state.head ? state.project : options.projectOf(head.cwd, file),
    };
  const place: TracePlace = { project: state.project, session: sessionOf(state, file), file };
  for (const item of items) {
    const rows = await rowsOf(state.trace, item, place, (statement) => earlierIn(store, place, statement));
    state = { ...state, trace: rows.state };
    pending.push(...rows.changes);
    report.ideas += rows.changes.filter((change) => change.op === 'put' && change.document.kind !== 'span').length;
    if (item.kind === 'turn' && item.role === 'user') report.prompts++;
  }
  return state;
}

function firstState(descriptor: number, file: string): FileState | undefined {
  const firstLines: string[] = [];
  for (const line of linesFrom(descriptor, 0)) {
    firstLines.push(line.text.slice(0, 8_192));
    if (firstLines.length >= FIRST_LINES) break;
  }
  const reader = readerFor(file, firstLines);
  if (!reader) return undefined;
  return {
    v: 1,
    reader: reader.name,
    offset: 0,
    line: 0,
    mark: '',
    head: null,
    project: file,
    read: reader.start(file),
    trace: FIRST_TRACE_STATE,
  };
}

const sessionOf = (state: FileState, file: string): string =>
  state.head?.session ?? path.basename(file).replace(/\.\w+$/, '');

/** The first bytes and the last ones before the offset. */
function markOf(descriptor: number, offset: number): string {
  const hash = createHash('sha256');
  for (const [from, to] of [
    [0, Math.min(MARK_BYTES, offset)],
    [Math.max(0, offset - MARK_BYTES), offset],
  ] as const) {
    const bytes = Buffer.alloc(to - from);
    const count = fs.readSync(descriptor, bytes, 0, bytes.length, from);
    hash.update(bytes.subarray(0, count)).update(String(count));
  }
  return hash.digest('hex').slice(0, 16);
}

/** Statements of other conversations of the project that share the telling words. Settled ones only: nobody replaces a greeting. */
async function earlierIn(store: Store, place: TracePlace, statement: Statement): Promise<Statement[]> {
  if (statement.intent !== 'decision' && statement.intent !== 'conclusion' && statement.intent !== 'solution')
    return [];
  const words = [...new Set(topicWords(statement.text))].slice(0, TELLING_WORDS);
  if (words.length < 3) return [];
  const filter = { projects: [place.project], layers: ['trace'], kinds: ['decision', 'conclusion', 'solution'] };
  const hits = await store.search({ terms: words.map((text) => ({ text })), filter, limit: EARLIER * 2 });
  const documents = await store.get({ refs: hits.map((hit) => hit.ref), projects: [place.project] });
  return documents
    .filter((document) => document.session !== place.session)
    .slice(0, EARLIER)
    .map((document) => ({
      ref: document.ref,
      text: document.text,
      intent: document.kind as Statement['intent'],
      stance: (document.meta?.stance as Statement['stance']) ?? 'stated',
      role: (document.meta?.role as Statement['role']) ?? 'assistant',
      session: document.session ?? '',
      span: document.span,
      line: document.source?.line ?? 0,
      time: document.createdAt,
      entities: [],
    }));
}
