// The part of a transcript around one line, as people can read it: from the file, or from the archive where the file is gone.

import { readerFor } from '../traces/readers/index.ts';
import type { TraceItem } from '../traces/trace.ts';
import type { Archive } from './archive.ts';
import { archiveReader } from './archive-transcript.ts';
import { redactItem } from './redact-item.ts';
import { archivedSource, openTranscriptFile, type TranscriptSource } from './transcript-source.ts';

export type ReadableLine = { readonly line: number; readonly who: string; readonly text: string };
export type LinesAround = { readonly from: TranscriptSource['kind']; readonly lines: readonly ReadableLine[] };

/** So many lines of a transcript are looked through on each side for something to show. */
const REACH = 60;
const FIRST_LINES = 8;

/** What was said last before the line, in it, and next after it. `undefined`: the transcript is nowhere. */
export function linesAround(
  archive: Archive,
  place: { file: string; line: number },
  turns: { before: number; after: number },
): LinesAround | undefined {
  const range = { from: place.line - REACH, to: place.line + REACH };
  const read = readRange(archive, place.file, range);
  return read && { from: read.from, lines: chosen(read.lines, place.line, turns) };
}

/** What was said from one line to another, both included. */
export function readRange(
  archive: Archive,
  file: string,
  range: { from: number; to: number },
): LinesAround | undefined {
  const copy = archiveReader(archive)(file);
  const source = openTranscriptFile(file) ?? (copy && archivedSource(copy));
  if (!source) return undefined;
  try {
    const items = itemsIn(source, file, range);
    return { from: source.kind, lines: items.map((item) => readableLine(redactItem(item))) };
  } finally {
    source.close();
  }
}

function itemsIn(source: TranscriptSource, file: string, { from, to }: { from: number; to: number }): TraceItem[] {
  const firstLines: string[] = [];
  for (const each of source.linesFrom(0)) if (firstLines.push(each.text.slice(0, 8_192)) >= FIRST_LINES) break;
  const reader = readerFor(file, firstLines);
  if (!reader) return [];
  let state = reader.start(file);
  let number = 0;
  const items: TraceItem[] = [];
  for (const each of source.linesFrom(0)) {
    number++;
    if (number > to) break;
    if (number < from || each.tooLong || each.text === '') continue;
    const read = reader.read(state, { number, text: each.text });
    state = read.state;
    items.push(...read.items);
  }
  return items;
}

function chosen(
  lines: readonly ReadableLine[],
  line: number,
  { before, after }: { before: number; after: number },
): ReadableLine[] {
  const earlier = lines.filter((each) => each.line < line);
  const later = lines.filter((each) => each.line > line);
  return [
    ...earlier.slice(Math.max(0, earlier.length - before)),
    ...lines.filter((each) => each.line === line),
    ...later.slice(0, after),
  ];
}

function readableLine(item: TraceItem): ReadableLine {
  const { line } = item;
  if (item.kind === 'turn') return { line, who: item.role, text: item.text };
  switch (item.event) {
    case 'commit':
      return { line, who: 'commit', text: item.subject };
    case 'answer':
      return { line, who: 'answer', text: `${item.question}\n${item.answer}` };
    case 'plan':
      return { line, who: 'plan', text: item.text };
    case 'todo':
      return { line, who: 'todo', text: `${item.text} (${item.state})` };
    case 'files':
      return { line, who: item.wrote ? 'wrote' : 'read', text: item.files.join(', ') };
    case 'compaction':
      return { line, who: 'compaction', text: '' };
  }
}
