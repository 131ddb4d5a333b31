// Two transcripts of one session: a conversation that was resumed in another folder, a copy that went another way, two exports of the same
// name. Rows are named by session and line, so those of the second would take the place of the first's. What both begin with is
// the same row; behind it the second has names of its own.

import { shortHash } from '../model/hash.ts';
import type { Store } from '../store/store.ts';
import type { TranscriptReader } from '../traces/trace.ts';
import { sharedLines } from './same-beginning.ts';
import { type ArchivedTranscript, openTranscriptFile, type TranscriptSource } from './transcript-source.ts';

/** From this line on, rows are named by this mark too. */
export type Twin = { readonly from: number; readonly mark: string };

const PAGE = 200;

export const twinAt = (twin: Twin | undefined, line: number): { twin?: string } =>
  twin !== undefined && line >= twin.from ? { twin: twin.mark } : {};

/** The thread that rows of a line are named by. */
export const withTwin = (thread: string, { twin }: { twin?: unknown }): string =>
  typeof twin === 'string' ? `${thread}@${twin}` : thread;

/** The transcript that has rows of this session, and of this agent in it, and is another file. */
export async function transcriptBeside(
  store: Store,
  { session, agent, file }: { session: string; agent: string | undefined; file: string },
): Promise<string | undefined> {
  let cursor: string | undefined;
  do {
    const filter = { sessions: [session], layers: ['trace'], kinds: ['span'] };
    const page = await store.list({ filter, order: 'ref', limit: PAGE, ...(cursor ? { cursor } : {}) });
    const other = page.documents.find(({ source, meta }) => source?.file !== file && meta?.agent === agent);
    if (other?.source) return other.source.file;
    cursor = page.next;
  } while (cursor !== undefined);
  return undefined;
}

/** Where the second goes its own way. One whose first cannot be read any more does so from the start. */
export function twinOf(
  file: string,
  { source, reader }: { source: TranscriptSource; reader: TranscriptReader<unknown> },
  other: { readonly file: string; readonly copy: () => ArchivedTranscript | undefined },
): Twin {
  const theirs = openTranscriptFile(other.file);
  try {
    const lines = theirs ? textsOf(theirs) : other.copy()?.lines();
    const shared = lines ? sharedLines(reader, file, textsOf(source), lines) : 0;
    return { from: shared + 1, mark: shortHash(file) };
  } finally {
    theirs?.close();
  }
}

function* textsOf(source: TranscriptSource): Generator<string> {
  for (const line of source.linesFrom(0)) yield line.tooLong ? '' : line.text;
}
