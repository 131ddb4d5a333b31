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
  const copy = archiveReader(archive)(place.file);
  const source = openTranscriptFile(place.file) ?? (copy && archivedSource(copy));
  if (!source) return undefined;
  try {
    return { from: source.kind, lines: chosen(itemsNear(source, place), place.line, turns) };
  } finally {
    source.close();
  }
}

function itemsNear(source: TranscriptSource, { file, line }: { file: string; line: number }): TraceItem[] {
  const firstLines: string[] = [];
  for (const each of source.linesFrom(0)) if (firstLines.push(each.text.slice(0, 8_192)) >= FIRST_LINES) break;
  const reader = readerFor(file, firstLines);
  if (!reader) return [];
  let state = reader.start(file);
  let number = 0;
  const items: TraceItem[] = [];
  for (const each of source.linesFrom(0)) {
    number++;
    if (number > line + REACH) break;
    if (number < line - REACH || each.text === '' || each.tooLong) continue;
    const read = reader.read(state, { number, text: each.text });
    state = read.state;
    items.push(...read.items);
  }
  return items;
}

function chosen(
  items: readonly TraceItem[],
  line: number,
  { before, after }: { before: number; after: number },
): ReadableLine[] {
  const readable = items
    .map(redactItem)
    .map(readableLine)
    .filter((each) => each !== undefined);
  const earlier = readable.filter((each) => each.line < line).slice(-before || readable.length);
  const later = readable.filter((each) => each.line > line).slice(0, after);
  return [...(before > 0 ? earlier : []), ...readable.filter((each) => each.line === line), ...later];
}

function readableLine(item: TraceItem): ReadableLine | undefined {
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
