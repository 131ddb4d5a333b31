// `cairn todo`: what is truly open, said in conversations or written down, with who, when and where; and what was settled by hand.

import { readSettled, type Settlement } from '../files/settled.ts';
import { stripUnsafe } from '../model/text.ts';
import { keyOf } from '../recall/candidates.ts';
import { spansAround } from '../recall/expand.ts';
import type { Document, Store } from '../store/store.ts';
import { itemOf, toldOpenIn } from './open-items.ts';
import { openWritten } from './open-written.ts';
import { sameScopesIn } from './project-scopes.ts';
import type { RecallMemory } from './recall-memory.ts';

export type TodoItem = {
  readonly ref: string;
  readonly layer: string;
  /** question, todo or problem of a conversation; task, tech_debt. */
  readonly kind: string;
  readonly status: string;
  readonly text: string;
  /** ISO 8601. */
  readonly at: string;
  readonly by: string | null;
  readonly project: string;
  readonly session: string | null;
  readonly session_title: string | null;
  /** What was talked about. */
  readonly topic: { readonly ref: string; readonly name: string } | null;
  readonly source: { readonly file: string; readonly line?: number } | null;
};

export type Todo = { readonly items: readonly TodoItem[]; readonly total: number };
export type TodoWanted = {
  readonly allProjects?: boolean;
  /** Exact scopes, where they are known; they win. */
  readonly scopes?: readonly string[];
  readonly limit?: number;
};

const DEFAULT_LIMIT = 20;

/** The newest first: tasks that somebody wrote down among what was said. */
export async function todoOf(
  memory: RecallMemory,
  { allProjects = false, scopes, limit }: TodoWanted = {},
): Promise<Todo> {
  const { store } = memory;
  const projects = scopes ?? (allProjects ? undefined : memory.scopesOf());
  const said = await toldOpenIn(store, projects, { now: memory.now, settled: memory.settled() });
  const all = [...said, ...(await openWritten(store, projects))].sort(
    (a, b) => b.createdAt - a.createdAt || (a.ref < b.ref ? -1 : 1),
  );
  const shown = all.slice(0, limit ?? DEFAULT_LIMIT);
  const titles = await sessionTitles(store, shown);
  const spans = await spansAround(
    store,
    shown.filter(({ layer }) => layer === 'trace'),
  );
  return { items: shown.map((each) => todoItem(each, titles, spans.get(keyOf(each))?.topic)), total: all.length };
}

function todoItem(document: Document, titles: ReadonlyMap<string, string>, topic: Document | undefined): TodoItem {
  const { ref, layer, kind, status, project, session, source, meta, title } = document;
  const { text, date, by } = itemOf(document);
  return {
    ref,
    layer,
    kind,
    status: typeof meta?.state === 'string' ? meta.state : status,
    text: layer === 'trace' ? text : title,
    at: date,
    by: by ?? null,
    project,
    session: session ?? null,
    session_title: (session === undefined ? undefined : titles.get(session)) ?? null,
    topic: topic ? { ref: topic.ref, name: topic.title } : null,
    source: source ?? null,
  };
}

/** What the conversations of these are called, where the client or the user has said so. */
export async function sessionTitles(
  store: Store,
  documents: readonly Pick<Document, 'session'>[],
): Promise<ReadonlyMap<string, string>> {
  const titles = new Map<string, string>();
  for (const session of new Set(documents.flatMap((each) => each.session ?? []))) {
    const filter = { layers: ['trace'], kinds: ['span'], sessions: [session] };
    const { documents: spans } = await store.list({ filter, order: 'newest', limit: 5 });
    const title = spans.map(({ meta }) => meta?.session_title).find((each) => typeof each === 'string' && each !== '');
    if (typeof title === 'string') titles.set(session, stripUnsafe(title));
  }
  return titles;
}

/** What was settled by hand, the newest first; of this project or of all. */
export function settledOf(memory: RecallMemory, allProjects = false): readonly Settlement[] {
  const { config } = memory;
  const all = readSettled(config.paths.userRoot);
  if (allProjects) return all;
  const same = sameScopesIn(config);
  const own = new Set(memory.scopesOf().flatMap((scope) => [scope, ...same(scope)]));
  return all.filter(({ project }) => own.has(project));
}
