// The lines of a topic, from its transcript or, where that is gone, from the archive of it. Topics of one transcript are asked for
// one after another, so places in the file are remembered: a long transcript is not read from its start for each of them.

import fs from 'node:fs';
import { type Fork, generationAt } from '../../model/forks.ts';
import type { TraceItem } from '../../model/trace.ts';
import type { Document } from '../../store/store.ts';
import type { Archive, ArchiveEntry } from '../../transcripts/archive/archive.ts';
import type { LineFilter } from '../../transcripts/forgotten-lines.ts';
import { readerFor } from '../../transcripts/readers.ts';
import { openTranscriptFile, type TranscriptSource } from '../../transcripts/source.ts';
import { ConversationMask } from './conversation-mask.ts';
import { redactItem } from './redact-item.ts';

const FIRST_LINES = 8;
const FIRST_LINE_LENGTH = 8_192;
const MARK_EVERY = 500;
/** A topic of more lines is read up to here: a question to a model holds far less. */
const MOST_LINES = 20_000;

/** What somebody said in one line of a transcript. */
export type SourceLine = {
  readonly line: number;
  /** `user`, `assistant`, or the kind of event. */
  readonly who: string;
  readonly text: string;
  /** Of a command that failed, what was tried: what it printed came from outside. */
  readonly tried?: string;
  /** The agent's question stands in it before the user's answer: what it asks is settled. */
  readonly answered?: true;
};

/** The lines of a topic from its transcript or the archive; `undefined` or none: they are gone. */
export type LinesOf = (
  span: Document,
) => readonly SourceLine[] | undefined | Promise<readonly SourceLine[] | undefined>;

/** What was said from one line to another, both included, and where it was read. `undefined`: the transcript is nowhere. */
export type SaidLines = { readonly from: TranscriptSource['kind']; readonly lines: readonly SourceLine[] };
export type Range = { readonly start: number; readonly end: number };
/** The line that is meant, of a transcript that may have been rewritten since: `forks` are those of it today, where the archive does not know. */
export type MeantLine = {
  readonly line: number;
  readonly generation: number;
  readonly forks?: readonly Fork[] | undefined;
};

export function saidLines(
  archive: Archive,
  filter?: LineFilter,
): (file: string, range: Range, meant?: MeantLine) => SaidLines | undefined {
  let marks: Marks = { file: '', offsets: [0], before: '' };
  return (file, range, meant = { line: range.start, generation: 1 }) => {
    const copy = copyWith(archive, file, meant);
    if (copy === 'nowhere') return undefined;
    const source = copy.isOlder ? undefined : openTranscriptFile(file);
    if (!source) return fromArchive(archive, copy.entry, { file, range });
    const clean = (lines: Iterable<NumberedLine>): Iterable<NumberedLine> => (filter ? filtered(lines, filter) : lines);
    try {
      const isKnown = marks.file === file && marks.before === source.markAt(marks.offsets.at(-1)!);
      if (!isKnown) marks = { file, offsets: [0], before: '' };
      const reader = readerFor(file, firstLinesOf(source));
      // Nothing of it is left, or not all: what is meant was read from all of it.
      const isLess = copy.entry && !source.hasMark(copy.entry.mark, copy.entry.offset);
      if (!reader || isLess) return fromArchive(archive, copy.entry, { file, range });
      const lines = said(file, reader, {
        start: range.start,
        lines: clean(linesIn(source, readable(reader, range), marks)),
      });
      marks = { ...marks, before: source.markAt(marks.offsets.at(-1)!) };
      return { from: 'file', lines };
    } finally {
      source.close();
    }
  };
}

export function spanLines(archive: Archive, filter?: LineFilter): LinesOf {
  const linesIn = saidLines(archive, filter);
  return ({ source, meta }) => {
    const [start, end] = [Number(meta?.start), Number(meta?.end)];
    if (source === undefined || !(start >= 1) || !(end >= start)) return undefined;
    const meant = { line: start, generation: Number(meta?.generation ?? 1) };
    return linesIn(source.file, { start, end: Math.min(end, start + MOST_LINES) }, meant)?.lines;
  };
}

type Marks = {
  readonly file: string;
  /** Where line 1, 501, 1001, … begin. */
  readonly offsets: number[];
  /** Names what lies before the last of them: a file that was rewritten is noticed. */
  readonly before: string;
};
type NumberedLine = { readonly number: number; readonly text: string };

/** What was forgotten is in no archive any more, but the client's own transcript may still have it. */
function* filtered(lines: Iterable<NumberedLine>, filter: LineFilter): Generator<NumberedLine> {
  for (const line of lines) yield { ...line, text: filter(line.text, line.number) };
}

function firstLinesOf(source: TranscriptSource): string[] {
  const first: string[] = [];
  for (const line of source.readLinesFrom(0))
    if (first.push(line.text.slice(0, FIRST_LINE_LENGTH)) >= FIRST_LINES) break;
  return first;
}

function* linesIn(source: TranscriptSource, { start, end }: Range, { offsets }: Marks): Generator<NumberedLine> {
  const mark = Math.min(Math.floor((start - 1) / MARK_EVERY), offsets.length - 1);
  let number = mark * MARK_EVERY;
  for (const line of source.readLinesFrom(offsets[mark]!)) {
    number += 1;
    if (number % MARK_EVERY === 0 && number / MARK_EVERY === offsets.length) offsets.push(line.end);
    if (number >= start && !line.tooLong && line.text !== '') yield { number, text: line.text };
    if (number >= end) return;
  }
}

type Copy = { readonly entry: ArchiveEntry | undefined; readonly isOlder: boolean };

/** A line that is no longer in the transcript is in the copy of what it was before, and otherwise nowhere: another line stands there now. */
function copyWith(archive: Archive, file: string, { line, generation, forks = [] }: MeantLine): Copy | 'nowhere' {
  const entry = entryOr(archive, file);
  if (generationAt(entry?.forks ?? forks, line) === generation) return { entry, isOlder: false };
  const older = archive
    .olderFor(file)
    .find((each) => each.line >= line && generationAt(each.forks, line) === generation);
  return older ? { entry: older, isOlder: true } : 'nowhere';
}

/** Where the transcript is there, a damaged copy of it hurts nobody. */
function entryOr(archive: Archive, file: string): ArchiveEntry | undefined {
  try {
    return archive.entryFor(file);
  } catch (error) {
    if (fs.existsSync(file)) return undefined;
    throw error;
  }
}

function fromArchive(
  archive: Archive,
  entry: ArchiveEntry | undefined,
  { file, range: { start, end } }: { file: string; range: Range },
): SaidLines | undefined {
  if (!entry) return undefined;
  const reader = readerFor(file, archive.readLines(entry, 1, FIRST_LINES));
  const first = readable(reader, { start, end }).start;
  const lines = archive.readLines(entry, first, end).map((text, at) => ({ number: first + at, text }));
  return { from: 'archive', lines: said(file, reader, { start, lines }) };
}

type Reader = ReturnType<typeof readerFor>;

const readable = (reader: Reader, { start, end }: Range): Range => ({ start: reader?.needsAll ? 1 : start, end });

function said(
  file: string,
  reader: Reader,
  { start, lines }: { start: number; lines: Iterable<NumberedLine> },
): SourceLine[] {
  if (!reader) return [];
  let state = reader.start(file);
  const mask = new ConversationMask();
  const found: SourceLine[] = [];
  for (const line of lines) {
    if (line.text === '') continue;
    const first = reader.read(state, line);
    const clean = mask.line(line.text, first.parsed);
    const read = clean === line.text || clean === '' ? first : reader.read(state, { ...line, text: clean });
    state = read.state;
    if (line.number < start || clean === '') continue;
    for (const item of read.items) found.push(...sourceLine(redactItem(item, (text) => mask.text(text))));
  }
  return found;
}

function sourceLine(item: TraceItem): SourceLine[] {
  const { line } = item;
  if (item.kind === 'turn') return [{ line, who: item.role, text: item.text }];
  switch (item.event) {
    case 'answer':
      return [{ line, who: 'user', text: `${item.question}\n${item.answer}`, answered: true }];
    case 'commit':
      return [{ line, who: 'commit', text: item.subject }];
    case 'plan':
      return [{ line, who: 'plan', text: item.text }];
    case 'todo':
      return [{ line, who: 'todo', text: item.text }];
    case 'page':
      return [{ line, who: 'page', text: `${item.source}: ${item.text}` }];
    case 'failure':
      return [{ line, who: 'failed', text: `${item.tried}: ${item.text}`, tried: item.tried }];
    default:
      return [];
  }
}
