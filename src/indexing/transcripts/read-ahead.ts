// The part of reading a transcript that asks nobody: lines, masked, taken apart, and the ideas of each exchange. A second thread does it ahead
// of the indexer (app/read-ahead-thread.ts); the indexer does the rest, in the order of the files, so rows are the same as without.

import fs from 'node:fs';
import {
  continued,
  type Exchange,
  firstExchange,
  hasTurn,
  isFull,
  isPrompt,
  nextExchange,
  withItem,
} from '../../extraction/exchanges/exchange.ts';
import type { ExchangeIdea } from '../../extraction/ideas/exchange-idea.ts';
import { ideasOfExchange } from '../../extraction/ideas/ideas-of-exchange.ts';
import type { Reading, TraceItem, TraceLine, TranscriptReader, Turn } from '../../model/trace.ts';
import type { KnownValue } from '../../safety/secrets/known-values.ts';
import { withoutAttachments } from '../../transcripts/archive/archived-line.ts';
import { identityFields, isBorder } from '../../transcripts/claude-code/line-identity.ts';
import { readerFor } from '../../transcripts/readers.ts';
import { firstLinesOf, openTranscriptFile, saysSomething } from '../../transcripts/source.ts';
import { ConversationMask, type MaskState } from './conversation-mask.ts';
import { redactItem } from './redact-item.ts';

/** What the reader makes of a line once its secrets are gone. `kept`: the line for the archive, empty where nobody would miss it. */
export type MaskedReading = Reading<unknown> & { readonly kept: string };

/** A line that was read ahead. What is missing is as it was in the line before: most lines say nothing. */
export type LineAhead = {
  readonly end: number;
  readonly tooLong?: true;
  /** Missing for lines without a word. */
  readonly read?: Omit<MaskedReading, 'state'> & { readonly state?: unknown };
  readonly mask?: MaskState;
  readonly ideas?: readonly ReadyIdeas[];
};

/** Ideas of an exchange that ended, under a name that tells it from one that is read otherwise. */
export type ReadyIdeas = { readonly name: string; readonly ideas: readonly ExchangeIdea[] };

/** How a file looked when it was read: another one is another file. */
export type FileLook = { readonly size: number; readonly mtimeMs: number; readonly ino: number };

export type ReadAheadOptions = {
  readonly thinking: boolean;
  /** Whether lines are kept for the archive. */
  readonly archives: boolean;
  readonly maskKey: () => string;
};

/** Nothing where the file cannot be read, or is no transcript. */
export function* readAhead(file: string, options: ReadAheadOptions): Generator<LineAhead> {
  const source = openTranscriptFile(file);
  if (!source) return;
  try {
    const reader = readerFor(file, firstLinesOf(source)) as TranscriptReader<unknown> | undefined;
    if (!reader) return;
    const reading = new AheadReading(reader, reader.start(file, { thinking: options.thinking }), options);
    let number = 0;
    let last: LineAhead | undefined;
    for (const { text, end, tooLong } of source.readLinesFrom(0)) {
      if (last) yield last;
      number++;
      last = tooLong ? { end, tooLong: true } : text === '' ? { end } : { end, ...reading.line({ number, text }) };
    }
    if (last) yield { ...last, ideas: [...(last.ideas ?? []), ...reading.open()] };
  } finally {
    source.close();
  }
}

export function lookOf(file: string): FileLook | undefined {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  return stat && { size: stat.size, mtimeMs: stat.mtimeMs, ino: stat.ino };
}

export const isSameLook = (a: FileLook, b: FileLook | undefined): boolean =>
  b !== undefined && a.size === b.size && a.mtimeMs === b.mtimeMs && a.ino === b.ino;

/** What its ideas hang on, as far as two readings of the same lines can differ. */
export const nameOfExchange = ({ start, number, items, taken = 0 }: Exchange, next: Turn | undefined): string =>
  [start, number, items.length, taken, next?.line ?? 0].join(' ');

/** The same fold that trace-rows.ts makes, without its rows. */
class AheadReading {
  readonly #reader: TranscriptReader<unknown>;
  readonly #options: ReadAheadOptions;
  readonly #mask: ConversationMask;
  #state: unknown;
  #hasHead = false;
  #lastKnown: KnownValue | undefined;
  #wasOpen = false;
  #exchange: Exchange | undefined;

  constructor(reader: TranscriptReader<unknown>, state: unknown, options: ReadAheadOptions) {
    this.#reader = reader;
    this.#state = state;
    this.#options = options;
    this.#mask = new ConversationMask(options.maskKey);
  }

  line(line: TraceLine): Omit<LineAhead, 'end' | 'tooLong'> {
    const before = this.#state;
    const { state, clean, parsed, open, ...read } = this.#mask.read(this.#reader, before, line);
    this.#state = state;
    const isFirst = !this.#hasHead;
    if (read.head) this.#hasHead = true;
    const says = saysSomething({ ...read, state }, before);
    const items = read.items.map((item) => redactItem(item, (said) => this.#mask.text(said)));
    const ideas = items.flatMap((item) => this.#take(item));
    return {
      read: {
        ...read,
        items,
        kept: says && this.#options.archives ? withoutAttachments(open ?? clean, parsed) : '',
        ...(state === before ? {} : { state }),
        ...(parsed && (items.length > 0 || isFirst || isBorder(parsed)) ? { parsed: identityFields(parsed) } : {}),
      },
      ...this.#changedMask(),
      ...(ideas.length > 0 ? { ideas } : {}),
    };
  }

  /** Told only where it has changed: a value that becomes known is the last. */
  #changedMask(): { mask?: MaskState } {
    const mask = this.#mask.state;
    const last = mask.known?.at(-1);
    const isOpen = mask.open !== undefined;
    if (last === this.#lastKnown && !isOpen && !this.#wasOpen) return {};
    this.#lastKnown = last;
    this.#wasOpen = isOpen;
    return { mask };
  }

  #take(item: TraceItem): ReadyIdeas[] {
    const exchange = this.#exchange;
    if (!exchange) {
      this.#exchange = firstExchange(item);
      return [];
    }
    const isNext = isPrompt(item) && hasTurn(exchange);
    if (item.line === exchange.start || (!isNext && !isFull(exchange))) {
      this.#exchange = withItem(exchange, item);
      return [];
    }
    const next = isNext ? item : undefined;
    const ideas = ideasOfExchange(exchange, next);
    const opened = next ? nextExchange(exchange, item) : continued(exchange, item);
    const taken = ideas.reduce((parts, idea) => (idea.line === item.line ? idea.part + 1 : parts), 0);
    this.#exchange = taken > 0 ? { ...opened, taken } : opened;
    return [{ name: nameOfExchange(exchange, next), ideas }];
  }

  /** Of the exchange that is still open at the end. */
  open(): ReadyIdeas[] {
    const exchange = this.#exchange;
    if (!exchange) return [];
    return [{ name: nameOfExchange(exchange, undefined), ideas: ideasOfExchange(exchange, undefined) }];
  }
}

/** Files that a thread has read ahead, in the order in which they were named. */
export type Ahead = { of(file: string): Promise<AheadOfFile | undefined> };
export type AheadOfFile = { readonly look: FileLook; readonly lines: AsyncIterable<readonly LineAhead[]> };

/** The file is not what it was when it was read ahead, or could not be read so: it has to be read here. */
export class ReadAheadStale extends Error {}
