// The lines of a transcript as the indexer takes them: from the file, or as another thread has read them ahead (read-ahead.ts) for as long as
// that is what would be read now.

import type { ExchangeIdea } from '../../extraction/ideas/exchange-idea.ts';
import { ideasOfExchange } from '../../extraction/ideas/ideas-of-exchange.ts';
import type { Forgotten } from '../../files/forgotten.ts';
import type { TranscriptLine, TranscriptSource } from '../../transcripts/source.ts';
import type { MaskState } from './conversation-mask.ts';
import type { IndexOptions } from './index-options.ts';
import {
  type FileLook,
  isSameLook,
  type LineAhead,
  lookOf,
  type MaskedReading,
  nameOfExchange,
  ReadAheadStale,
} from './read-ahead.ts';
import type { IdeasOf } from './trace-rows.ts';

export type LineToRead = TranscriptLine & { readonly ahead?: LineAhead };

export class LinesAhead {
  readonly #file: string;
  readonly #options: Pick<IndexOptions, 'ahead' | 'forgotten'>;
  #begun: { readonly look: FileLook; readonly forgotten: Forgotten | undefined } | undefined;
  #mask: MaskState = {};
  #ready: ReadonlyMap<string, readonly ExchangeIdea[]> = new Map();

  constructor(file: string, options: Pick<IndexOptions, 'ahead' | 'forgotten'>) {
    this.#file = file;
    this.#options = options;
  }

  /** All lines from there. `isFiltered`: a thread cannot know which of them may be read. */
  async *from(source: TranscriptSource, offset: number, isFiltered: boolean): AsyncGenerator<LineToRead> {
    const isWhole = offset === 0 && source.kind === 'file' && !isFiltered;
    const ahead = isWhole ? await this.#options.ahead?.of(this.#file) : undefined;
    if (!ahead || !isSameLook(ahead.look, lookOf(this.#file))) {
      yield* source.readLinesFrom(offset);
      return;
    }
    this.#begun = { look: ahead.look, forgotten: this.#options.forgotten?.() };
    for await (const part of ahead.lines) for (const line of part) yield { ...line, text: '', ahead: line };
  }

  /** Throws if what was read ahead is not what would be read now. To be asked before anything of it is written. */
  assertFresh(): void {
    if (!this.#begun) return;
    const { look, forgotten } = this.#begun;
    if (!isSameLook(look, lookOf(this.#file)) || forgotten !== this.#options.forgotten?.()) throw new ReadAheadStale();
  }

  /** A line that was read ahead, as if it had just been read; nothing where it has no word. */
  take({ read, mask, ideas }: LineAhead, before: unknown): MaskedReading | undefined {
    if (ideas) this.#ready = new Map(ideas.map((each) => [each.name, each.ideas]));
    if (mask) this.#mask = mask;
    return read && { ...read, state: 'state' in read ? read.state : before };
  }

  /** What the mask knows behind the last line; nothing where it was not read ahead. */
  get mask(): MaskState | undefined {
    return this.#begun && this.#mask;
  }

  /** The thread has them ready of exchanges that ended. */
  readonly ideasOf: IdeasOf = (exchange, next) =>
    this.#ready.get(nameOfExchange(exchange, next)) ?? ideasOfExchange(exchange, next);
}
