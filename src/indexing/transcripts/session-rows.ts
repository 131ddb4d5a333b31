// What the index would know of one transcript, without a store: the same rows, made in one go from the file as it is now. For the end of a
// session, whose last exchange nobody has indexed yet.

import fs from 'node:fs';
import type { Document } from '../../store/store.ts';
import type { LineFilter } from '../../transcripts/forgotten-lines.ts';
import { readerFor } from '../../transcripts/readers.ts';
import { openTranscriptFile } from '../../transcripts/source.ts';
import { ConversationMask } from './conversation-mask.ts';
import { redactItem } from './redact-item.ts';
import type { TracePlace } from './row-names.ts';
import { FIRST_TRACE_STATE, type FindEarlier, openRows, rowsOf } from './trace-rows.ts';

const FIRST_LINES = 8;
const FIRST_LINE_LENGTH = 8_192;

export type SessionRowsOptions = {
  readonly session: string;
  /** Of a larger file nothing is read. */
  readonly maxBytes: number;
  /** What may still be read of a line. */
  readonly filter?: LineFilter | undefined;
};

/** Topics, exchanges and ideas in the order of the conversation; nothing of a file that is too large, gone, or no transcript. */
export async function sessionRows(
  file: string,
  { session, maxBytes, filter }: SessionRowsOptions,
): Promise<readonly Document[] | undefined> {
  const size = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const source = size > maxBytes ? undefined : openTranscriptFile(file);
  if (!source) return undefined;
  try {
    const lines = [...source.readLinesFrom(0)].map(({ text, tooLong }) => (tooLong ? '' : text));
    const first = lines.slice(0, FIRST_LINES).map((line) => line.slice(0, FIRST_LINE_LENGTH));
    const reader = readerFor(file, first);
    if (!reader) return undefined;
    const place: TracePlace = { project: '', session, thread: session, file };
    const mask = new ConversationMask();
    // What the conversation gives away anywhere is masked everywhere: a note is read by itself.
    mask.learn(lines.join('\n'));
    const rows = new Rows();
    let read: unknown = reader.start(file);
    let state = FIRST_TRACE_STATE;
    for (const [at, whole] of lines.entries()) {
      const text = filter?.(whole, at + 1) ?? whole;
      if (text === '') continue;
      const line = mask.read(reader, read, { number: at + 1, text });
      read = line.state;
      for (const item of line.items) {
        const made = await rowsOf(
          state,
          redactItem(item, (said) => mask.text(said)),
          place,
          NOTHING_EARLIER,
        );
        state = made.state;
        rows.add(made.rows);
      }
    }
    rows.add((await openRows(state, place, NOTHING_EARLIER)).rows);
    return rows.documents;
  } finally {
    source.close();
  }
}

const NOTHING_EARLIER: FindEarlier = { for: async () => [], open: async () => [] };

/** The last of each name, as a store would keep them. */
class Rows {
  readonly #byRef = new Map<string, Document>();

  add(changes: Awaited<ReturnType<typeof rowsOf>>['rows']): void {
    for (const change of changes) {
      if (change.op === 'put') this.#byRef.set(change.document.ref, change.document);
      else if (change.op === 'delete') for (const ref of change.where.refs ?? []) this.#byRef.delete(ref);
    }
  }

  get documents(): Document[] {
    return [...this.#byRef.values()];
  }
}
