// Takes rows out of the store: those of whole conversations, and those of single lines. What was derived from the other lines of a
// conversation is made again without them; where neither the transcript nor an archive of it is left, what stands beside them goes too.

import path from 'node:path';
import { CairnError } from '../errors.ts';
import { withoutRelatives } from '../indexing/transcripts/related-transcripts.ts';
import { FIRST_TRACE_STATE } from '../indexing/transcripts/trace-rows.ts';
import { STATE_PREFIX, stateIn, stateKey } from '../indexing/transcripts/transcript-state.ts';
import type { Change, Document, Filter } from '../store/store.ts';
import { readerNamed } from '../transcripts/readers.ts';
import type { TraceMemory } from './trace-memory.ts';

const PAGE = 500;

export type NamedConversation = {
  readonly session: string;
  readonly isExport: boolean;
  readonly files: readonly string[];
};

/** Every document that a filter finds. */
export async function* documentsOf({ store }: TraceMemory, filter: Filter): AsyncGenerator<Document> {
  let cursor: string | undefined;
  do {
    const page = await store.list({ filter, order: 'ref', limit: PAGE, ...(cursor ? { cursor } : {}) });
    yield* page.documents;
    cursor = page.next;
  } while (cursor !== undefined);
}

/** Of a session all that was ever said in it, whichever transcript it came from. */
const filtersOf = ({ session, isExport, files }: NamedConversation): Filter[] => [
  { layers: ['trace'], files },
  ...(isExport ? [] : [{ layers: ['trace'], sessions: [session] }]),
];

export async function rowsOfConversations(
  memory: TraceMemory,
  conversations: readonly NamedConversation[],
): Promise<Document[]> {
  const found = new Map<string, Document>();
  for (const filter of conversations.flatMap(filtersOf))
    for await (const document of documentsOf(memory, filter))
      found.set(`${document.project} ${document.ref}`, document);
  return [...found.values()];
}

/** Those that have copies of their lines are made again with them, as far as they may be read: until now the rows were the others'. */
export async function removeConversations(
  memory: TraceMemory,
  conversations: readonly NamedConversation[],
): Promise<string[]> {
  const forks = new Set<string>();
  for (const each of conversations) for (const file of await removeOne(memory, each)) forks.add(file);
  for (const file of conversations.flatMap(({ files }) => files)) forks.delete(file);
  if (forks.size === 0) return [];
  const { failed } = await memory.readAnew(forks);
  return failed.map(({ file, why }) => `${file}, which has copies of its lines, could not be read anew: ${why}`);
}

/** Returns which transcripts have copies of its lines. */
async function removeOne({ store }: TraceMemory, conversation: NamedConversation): Promise<string[]> {
  for (;;) {
    const { changes, forks } = await withoutRelatives(store, conversation.files);
    try {
      await store.apply([
        ...filtersOf(conversation).map((where): Change => ({ op: 'delete', where })),
        ...conversation.files.map((file): Change => ({ op: 'state', key: stateKey(file), value: null })),
        ...changes,
      ]);
      return forks;
    } catch (error) {
      // Somebody has indexed more of a fork meanwhile.
      if (!(error instanceof CairnError && error.code === 'OCC_CONFLICT')) throw error;
    }
  }
}

/** Vectors that nothing needs any more. */
export const pruneVectors = ({ store }: TraceMemory): Promise<void> =>
  store.apply([{ op: 'prune', vectors: 'unused' }]);

/** Conversations of which a part was forgotten, made again without it. */
export async function makeAnew(
  memory: TraceMemory,
  files: ReadonlySet<string>,
  isGone: (document: Document) => boolean,
): Promise<string[]> {
  const report = await memory.readAnew(files);
  const known = (await memory.store.state({ keys: [...files].map(stateKey) })).map(({ key }) =>
    key.slice(STATE_PREFIX.length),
  );
  for (const file of known) if (!memory.canBeRead(file)) await withoutSource(memory, file, isGone);
  return report.failed.map(({ file, why }) => `What was derived from ${file} could not be made anew: ${why}`);
}

/** Nothing is left to be read again: contexts and states may quote what goes, so they go as well. */
async function withoutSource(
  memory: TraceMemory,
  file: string,
  isGone: (document: Document) => boolean,
): Promise<void> {
  const { store } = memory;
  const changes: Change[] = [];
  for await (const document of documentsOf(memory, { layers: ['trace'], files: [file] })) {
    const { context: _, ...bare } = document;
    if (isGone(document)) changes.push({ op: 'delete', where: { projects: [document.project], refs: [document.ref] } });
    else if (document.context !== undefined) changes.push({ op: 'put', document: bare });
  }
  const key = stateKey(file);
  const [state] = await store.state({ keys: [key] });
  if (state) changes.push({ op: 'state', key, value: emptied(file, state.value) });
  await store.apply(changes);
}

function emptied(file: string, value: string): string {
  const state = stateIn(value);
  const reader = readerNamed(state.reader);
  const read = reader?.start(path.resolve(file), { thinking: state.thinking === true });
  return JSON.stringify({ ...state, read, trace: FIRST_TRACE_STATE });
}
