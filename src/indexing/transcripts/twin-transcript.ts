// Two transcripts of one session: a conversation that was resumed in another folder, a copy that went another way, two exports of the same
// name. Rows are named by session and line, so those of the second would take the place of the first's. What both begin with is
// the same row; behind it the second has names of its own.

import { CairnError } from '../../errors.ts';
import { shortHash } from '../../model/hash.ts';
import type { TranscriptReader } from '../../model/trace.ts';
import type { Store } from '../../store/store.ts';
import { type ArchivedTranscript, openTranscriptFile, type TranscriptSource } from '../../transcripts/source.ts';
import { sharedLines } from './same-beginning.ts';

/** From this line on, rows are named by this mark too. */
export type Twin = { readonly from: number; readonly mark: string };

const PAGE = 200;

export const twinAt = (twin: Twin | undefined, line: number): { twin?: string } =>
  twin !== undefined && line >= twin.from ? { twin: twin.mark } : {};

/** The thread that rows of a line are named by. */
export const withTwin = (thread: string, { twin }: { twin?: unknown }): string =>
  typeof twin === 'string' ? `${thread}@${twin}` : thread;

type Own = { readonly session: string; readonly agent: string | undefined; readonly file: string };
type Reading = {
  readonly source: TranscriptSource;
  readonly reader: TranscriptReader<unknown>;
  readonly archived: ((file: string) => ArchivedTranscript | undefined) | undefined;
};

/** Where a transcript goes its own way, if another has rows of this session, and of this agent in it. */
export async function twinBeside(store: Store, own: Own, reading: Reading): Promise<Twin | undefined> {
  const other = await transcriptBeside(store, own);
  return other === undefined
    ? undefined
    : { from: sharedWith(other, own.file, reading) + 1, mark: shortHash(own.file) };
}

async function transcriptBeside(store: Store, { session, agent, file }: Own): Promise<string | undefined> {
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

/** How many lines both begin with; none where the other cannot be read any more. */
function sharedWith(other: string, file: string, { source, reader, archived }: Reading): number {
  const theirs = openTranscriptFile(other);
  try {
    const lines = theirs ? textsOf(theirs) : archived?.(other)?.lines();
    return lines ? sharedLines(reader, file, textsOf(source), lines) : 0;
  } catch (error) {
    if (error instanceof CairnError && error.code === 'READ_ERROR') return 0; // a damaged copy
    throw error;
  } finally {
    theirs?.close();
  }
}

function* textsOf(source: TranscriptSource): Generator<string> {
  for (const line of source.readLinesFrom(0)) yield line.tooLong ? '' : line.text;
}
