// The lines of a topic, from its transcript or, where that is gone, from the archive of it. Topics of one transcript are asked for
// one after another, so places in the file are remembered: a long transcript is not read from its start for each of them.

import { readerFor } from '../traces/readers/index.ts';
import type { TraceItem } from '../traces/trace.ts';
import type { Archive } from './archive.ts';
import type { LineFilter } from './forgotten-lines.ts';
import { redactItem } from './redact-item.ts';
import type { LinesOf, SourceLine } from './refine-spans.ts';
import { openTranscriptFile, type TranscriptSource } from './transcript-source.ts';

const FIRST_LINES = 8;
const FIRST_LINE_LENGTH = 8_192;
const MARK_EVERY = 500;
/** A topic of more lines is read up to here: a question to a model holds far less. */
const MOST_LINES = 20_000;

/** What was said from one line to another, both included, and where it was read. `undefined`: the transcript is nowhere. */
export type SaidLines = { readonly from: TranscriptSource['kind']; readonly lines: readonly SourceLine[] };
export type Range = { readonly start: number; readonly end: number };

export function saidLines(
  archive: Archive,
  filter?: LineFilter,
): (file: string, range: Range) => SaidLines | undefined {
  let marks: Marks = { file: '', offsets: [0], before: '' };
  return (file, range) => {
    const source = openTranscriptFile(file);
    if (!source) return fromArchive(archive, file, range);
    const clean = (lines: Iterable<NumberedLine>): Iterable<NumberedLine> => (filter ? filtered(lines, filter) : lines);
    try {
      const isKnown = marks.file === file && marks.before === source.markAt(marks.offsets.at(-1)!);
      if (!isKnown) marks = { file, offsets: [0], before: '' };
      const reader = readerFor(file, firstLinesOf(source));
      if (!reader) return fromArchive(archive, file, range); // nothing of it is left
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
    return linesIn(source.file, { start, end: Math.min(end, start + MOST_LINES) })?.lines;
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
  for (const line of source.linesFrom(0)) if (first.push(line.text.slice(0, FIRST_LINE_LENGTH)) >= FIRST_LINES) break;
  return first;
}

function* linesIn(source: TranscriptSource, { start, end }: Range, { offsets }: Marks): Generator<NumberedLine> {
  const mark = Math.min(Math.floor((start - 1) / MARK_EVERY), offsets.length - 1);
  let number = mark * MARK_EVERY;
  for (const line of source.linesFrom(offsets[mark]!)) {
    number += 1;
    if (number % MARK_EVERY === 0 && number / MARK_EVERY === offsets.length) offsets.push(line.end);
    if (number >= start && !line.tooLong && line.text !== '') yield { number, text: line.text };
    if (number >= end) return;
  }
}

function fromArchive(archive: Archive, file: string, { start, end }: Range): SaidLines | undefined {
  const entry = archive.entryFor(file);
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
  const found: SourceLine[] = [];
  for (const line of lines) {
    if (line.text === '') continue;
    const read = reader.read(state, line);
    state = read.state;
    if (line.number < start) continue;
    for (const item of read.items) found.push(...sourceLine(redactItem(item)));
  }
  return found;
}

function sourceLine(item: TraceItem): SourceLine[] {
  const { line } = item;
  if (item.kind === 'turn') return [{ line, who: item.role, text: item.text }];
  switch (item.event) {
    case 'answer':
      return [{ line, who: 'user', text: `${item.question}\n${item.answer}` }];
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
