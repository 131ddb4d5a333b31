// Why an idea has its label: reads its transcript (or the copy in the archive) up to its exchange once more, as the indexer does, and asks what
// spoke for the label. For `cairn show --explain`; slow beside everything else that is shown.

import {
  continued,
  type Exchange,
  firstExchange,
  isFull,
  isPrompt,
  nextExchange,
  promptOf,
  withItem,
} from '../extraction/exchanges/exchange.ts';
import { explainLabel, type LabelReasons } from '../extraction/exchanges/explain-label.ts';
import { archiveReader } from '../indexing/transcripts/archive-transcript.ts';
import type { TraceItem } from '../model/trace.ts';
import type { Document } from '../store/store.ts';
import type { Archive } from '../transcripts/archive/archive.ts';
import { readerFor } from '../transcripts/readers.ts';
import { openTranscriptFile } from '../transcripts/source.ts';

const FIRST_LINES = 8;
const FIRST_LINE_LENGTH = 8_192;

/** `undefined`: its transcript is gone, or it was said by an event and not by anybody. */
export function explainIdea(archive: Archive, { source, text, kind }: Document): LabelReasons | undefined {
  const line = source?.line;
  if (source === undefined || line === undefined || kind === 'span') return undefined;
  const exchanges = exchangesIn(linesOf(archive, source.file), source.file);
  const at = exchanges.findIndex(({ items }) => items.some((item) => item.line === line));
  const exchange = exchanges[at];
  const after = exchanges[at + 1];
  return exchange && explainLabel(exchange, after && promptOf(after), { line, text });
}

function linesOf(archive: Archive, file: string): readonly string[] {
  const source = openTranscriptFile(file);
  if (!source) return [...(archiveReader(archive)(file)?.lines() ?? [])];
  try {
    return Array.from(source.readLinesFrom(0), ({ text, tooLong }) => (tooLong ? '' : text));
  } finally {
    source.close();
  }
}

/** As trace-rows.ts cuts them. */
function exchangesIn(lines: readonly string[], file: string): readonly Exchange[] {
  const first = lines.slice(0, FIRST_LINES).map((line) => line.slice(0, FIRST_LINE_LENGTH));
  const reader = readerFor(file, first);
  if (!reader) return [];
  const exchanges: Exchange[] = [];
  let state: unknown = reader.start(file);
  for (const [at, text] of lines.entries()) {
    const read = reader.read(state, { number: at + 1, text });
    state = read.state;
    for (const item of read.items) take(exchanges, item);
  }
  return exchanges;
}

function take(exchanges: Exchange[], item: TraceItem): void {
  const last = exchanges.at(-1);
  if (!last) exchanges.push(firstExchange(item));
  else if (isPrompt(item) && last.items.some(({ kind }) => kind === 'turn')) exchanges.push(nextExchange(last, item));
  else if (isFull(last)) exchanges.push(continued(last, item));
  else exchanges[exchanges.length - 1] = withItem(last, item);
}
