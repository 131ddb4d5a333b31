// What earlier conversations of a project left for the start of the next: recent questions that nothing answers, tasks that are not
// done, what was talked about, and decisions that replaced others. The store alone, because a session start waits for it.

import fs from 'node:fs';
import type { Config } from '../config/load.ts';
import { isSaid, originOf, originText } from '../model/provenance.ts';
import { withoutQuotations } from '../safety/quotations.ts';
import { openSqliteStore, SHORT_WAIT_MS } from '../store/sqlite/sqlite-store.ts';
import type { Document, Store } from '../store/store.ts';
import { currentProject } from './project-scopes.ts';
import { storeFile } from './user-files.ts';

export type OpenItem = {
  readonly ref: string;
  readonly kind: string;
  readonly text: string;
  readonly date: string;
  readonly session: string | undefined;
  /** Who said it: `user said`. Topics were said by nobody. */
  readonly by?: string;
};

/** A decision that took the place of another one. */
export type ChangedDecision = OpenItem & { readonly before: string };

export type OpenItems = {
  /** The newest first, like the others. */
  readonly open: readonly OpenItem[];
  readonly topics: readonly OpenItem[];
  readonly changed: readonly ChangedDecision[];
  /** Why nothing that is said now will be remembered, and what to do. */
  readonly trouble?: string;
};

const LOOKED_AT = 60;
const TOPICS = 12;
const LINKS = 40;
const RECENT_MS = 60 * 86_400_000;
/** Surer than a guess: an aside that ends with a question mark is not an open question. */
const SURE = 0.5;
/** What a subagent was asked, its report answers; the conversation that sent it goes on with that. */
const SUBAGENT_FILE = /[\\/]agent-[^\\/]+\.jsonl$/i;
const isOfSubagent = ({ source }: Document): boolean => SUBAGENT_FILE.test(source?.file ?? '');

/** Nothing where there is no store yet. */
export async function openItems({ paths }: Config, now: Date): Promise<OpenItems> {
  const file = storeFile({ paths });
  if (!fs.existsSync(file)) return { open: [], topics: [], changed: [] };
  const store = await openSqliteStore(file, { waitMs: SHORT_WAIT_MS, closeSoon: true });
  try {
    const projects = currentProject({ paths }).scopes;
    const { readOnly } = store;
    return {
      ...(readOnly
        ? { trouble: `${readOnly.message} Conversations are not remembered until then. ${readOnly.fix}` }
        : {}),
      open: (await openIn(store, projects, now)).map(matterOf),
      topics: await topicsIn(store, projects, now),
      changed: await changedIn(store, projects, now),
    };
  } finally {
    await store.close();
  }
}

function matterOf({ ref, kind, text, createdAt, session, meta }: Document): OpenItem {
  const origin = originOf(meta);
  const by = origin ? { by: originText(origin) } : {};
  return { ref, kind, text: withoutQuotations(text), date: new Date(createdAt).toISOString(), session, ...by };
}

/** Nobody is told unasked what was quoted, pasted or came from outside. */
const wasSaid = ({ meta }: Document): boolean => isSaid(originOf(meta));

/** By their names; parts of a topic and the work of subagents are no topics of their own. */
async function topicsIn(store: Store, projects: readonly string[], now: Date): Promise<OpenItem[]> {
  const { documents } = await store.list({
    filter: { projects, layers: ['trace'], kinds: ['span'], since: now.getTime() - RECENT_MS },
    order: 'newest',
    limit: TOPICS,
  });
  return documents
    .filter((each) => each.span === undefined && !isOfSubagent(each))
    .map((each) => ({ ...matterOf(each), text: each.title }));
}

/** Of the newest decisions and what was found, those that replaced an earlier one: what was believed before explains much of the code. */
async function changedIn(store: Store, projects: readonly string[], now: Date): Promise<ChangedDecision[]> {
  const { documents } = await store.list({
    filter: {
      projects,
      layers: ['trace'],
      kinds: ['decision', 'solution', 'conclusion'],
      since: now.getTime() - RECENT_MS,
    },
    order: 'newest',
    limit: LINKS,
  });
  const newer = new Map(
    documents.filter((each) => !isOfSubagent(each) && wasSaid(each)).map((each) => [each.ref, each]),
  );
  if (newer.size === 0) return [];
  const links = await store.links({
    refs: [...newer.keys()],
    projects,
    relations: ['supersedes'],
    direction: 'out',
  });
  if (links.length === 0) return [];
  const before = new Map(
    (await store.get({ refs: links.map(({ to }) => to), projects })).filter(wasSaid).map((each) => [each.ref, each]),
  );
  const replaced = new Set(links.map(({ to }) => to)); // only the end of a chain is news
  return [...newer.values()].flatMap((each) => {
    const old = links.find(({ from, to }) => from === each.ref && before.get(to)?.kind === 'decision');
    return old && !replaced.has(each.ref)
      ? [{ ...matterOf(each), before: withoutQuotations(before.get(old.to)!.text) }]
      : [];
  });
}

/** The same of a store that is open, for these scopes. */
export async function openIn(store: Store, projects: readonly string[], now: Date): Promise<Document[]> {
  const { documents } = await store.list({
    filter: {
      projects,
      layers: ['trace'],
      kinds: ['question', 'todo'],
      statuses: ['active'],
      since: now.getTime() - RECENT_MS,
    },
    order: 'newest',
    limit: LOOKED_AT,
  });
  const sure = documents.filter((each) => each.confidence >= SURE && !isOfSubagent(each) && wasSaid(each));
  const settled = await settledAmong(store, sure, projects);
  return sure.filter(({ ref }) => !settled.has(ref));
}

/** Answered, or said anew in other words. */
async function settledAmong(
  store: Store,
  documents: readonly Document[],
  projects: readonly string[],
): Promise<ReadonlySet<string>> {
  if (documents.length === 0) return new Set();
  const refs = documents.map(({ ref }) => ref);
  const links = await store.links({ refs, projects, relations: ['answers', 'supersedes'], direction: 'in' });
  return new Set(links.map(({ to }) => to));
}
