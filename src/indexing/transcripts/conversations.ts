// Which conversations there are, wherever something of them is kept: in the states of the store, in the archive, on disk. One
// conversation may have several transcripts, its own and those of its subagents.

import type { Store } from '../../store/store.ts';
import type { ArchiveEntry } from '../../transcripts/archive/entry.ts';
import type { FoundTranscript } from '../../transcripts/locate.ts';
import { markdown } from '../../transcripts/markdown/reader.ts';
import { sessionByName } from '../../transcripts/readers.ts';
import { STATE_PREFIX, stateIn } from './transcript-state.ts';

export type Conversation = {
  readonly session: string;
  /** A plain export is known by its file: its name may be that of any other. */
  readonly isExport: boolean;
  readonly projects: readonly string[];
  readonly files: readonly string[];
  /** Milliseconds of the last word; 0 where nobody knows. */
  readonly ended: number;
  /** The same of the first; only of those that are on disk. */
  readonly began: number;
  /** Something of it is in the store or in the archive. */
  readonly isStored: boolean;
};

export type ConversationSources = {
  readonly store: Store;
  readonly entries: readonly ArchiveEntry[];
  /** Transcripts on disk, with the project that each is of. */
  readonly found: readonly (FoundTranscript & { readonly project: string | undefined })[];
};

type Known = { file: string; session: string; project: string | undefined; reader?: string; ended: number };

/** By session; exports by file. */
export async function conversationsIn({ store, entries, found }: ConversationSources): Promise<Conversation[]> {
  const states = (await store.state({ prefix: STATE_PREFIX })).map(({ key, value }) => stateOf(key, value));
  const indexed = new Set(states.map(({ file }) => file));
  const archived = entries.map(
    ({ source, session, project, reader, updatedAt }): Known => ({
      file: source,
      session,
      project,
      reader,
      // When it was archived says little; whoever indexed it knows better.
      ended: indexed.has(source) ? 0 : Date.parse(updatedAt) || 0,
    }),
  );
  const known = new Set([...indexed, ...archived.map(({ file }) => file)]);
  const onDisk = found.map(
    ({ file, project, ended }): Known => ({
      file,
      project,
      session: sessionByName(file),
      ended: known.has(file) ? 0 : ended,
    }),
  );
  const beginnings = new Map(found.map(({ file, began }) => [file, began]));
  const all = new Map<string, Conversation>();
  for (const each of [...states, ...archived, ...onDisk.filter(({ file }) => !known.has(file))]) {
    const isExport = each.reader === markdown.name;
    const key = isExport ? `file ${each.file}` : `session ${each.session}`;
    const before = all.get(key);
    all.set(key, {
      session: each.session,
      isExport,
      projects: [...new Set([...(before?.projects ?? []), ...(each.project === undefined ? [] : [each.project])])],
      files: [...new Set([...(before?.files ?? []), each.file])],
      ended: Math.max(before?.ended ?? 0, each.ended),
      began: earliest(before?.began ?? 0, beginnings.get(each.file) ?? 0),
      isStored: before?.isStored === true || known.has(each.file),
    });
  }
  return [...all.values()].sort((a, b) => a.ended - b.ended || (a.session < b.session ? -1 : 1));
}

const earliest = (a: number, b: number): number => (a > 0 && b > 0 ? Math.min(a, b) : Math.max(a, b));

function stateOf(key: string, value: string): Known {
  const { head, project, reader, trace } = stateIn(value);
  const file = key.slice(STATE_PREFIX.length);
  const session = head?.session ?? sessionByName(file);
  return {
    file,
    session,
    project: project || undefined,
    ended: trace?.time ?? 0,
    ...(reader === '' ? {} : { reader }),
  };
}
