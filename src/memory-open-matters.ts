// What earlier conversations of a project left open, for the start of the next: recent questions that nothing answers, and
// tasks that are not done. The store alone, because a session start waits for it.

import fs from 'node:fs';
import type { Config } from './config.ts';
import { projectIdentity } from './files/project-identity.ts';
import { storeFile } from './memory-places.ts';
import { openSqliteStore, SHORT_WAIT_MS } from './store/sqlite/sqlite-store.ts';
import type { Document, Store } from './store/store.ts';

export type OpenMatter = {
  readonly ref: string;
  readonly kind: string;
  readonly text: string;
  readonly date: string;
  readonly session: string | undefined;
};

const LOOKED_AT = 60;
const RECENT_MS = 60 * 86_400_000;
/** Surer than a guess: an aside that ends with a question mark is not an open question. */
const SURE = 0.5;
/** What a subagent was asked, its report answers; the conversation that sent it goes on with that. */
const SUBAGENT_FILE = /[\\/]agent-[^\\/]+\.jsonl$/i;
const isOfSubagent = ({ source }: Document): boolean => SUBAGENT_FILE.test(source?.file ?? '');

/** The newest first; nothing where there is no store yet. */
export async function openMatters({ paths }: Config, now: Date): Promise<OpenMatter[]> {
  const file = storeFile({ paths });
  if (!fs.existsSync(file)) return [];
  const store = await openSqliteStore(file, { waitMs: SHORT_WAIT_MS });
  try {
    const open = await openIn(store, [projectIdentity(paths.projectRoot).id], now);
    return open.map(({ ref, kind, text, createdAt, session }) => ({
      ref,
      kind,
      text,
      date: new Date(createdAt).toISOString(),
      session,
    }));
  } finally {
    await store.close();
  }
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
  const sure = documents.filter((each) => each.confidence >= SURE && !isOfSubagent(each));
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
