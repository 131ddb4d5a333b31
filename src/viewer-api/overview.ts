// The first page of the viewer: how much is remembered, whether capturing works, what it costs, what is open. Each part is bounded;
// what takes long (the doctor's look) is asked for apart.

import fs from 'node:fs';
import path from 'node:path';
import { lastSigns } from '../app/doctor.ts';
import { loggedFailures } from '../app/logged-failures.ts';
import { openIn } from '../app/open-items.ts';
import { settledIfReadable } from '../app/settled-items.ts';
import { archiveRoot, cacheFolder, storeFile } from '../app/user-files.ts';
import type { Config } from '../config/load.ts';
import { bytesBelow } from '../files/folder-stats.ts';
import { tokensByDay } from '../learning/injection-log.ts';
import { stripUnsafe } from '../model/text.ts';
import { localDay } from '../model/timestamp.ts';
import type { Document, Page, Stats } from '../store/store.ts';
import { conversationCount } from './snapshot.ts';
import { briefOf, remembered, scopesOf, statsOf, type View } from './viewer.ts';

const DAYS = 30;
const LAST_CAPTURES = 12;
const LAST_FAILURES = 8;
const OPEN = 12;
const CAUSE_LENGTH = 400;
/** Of a larger project among others, the links of the whole store are told. */
const MOST_COUNTED = 10_000;
const PAGE = 2_000;

export async function overviewOf(view: View, project?: string) {
  const start = performance.now();
  const { config, store, now } = view;
  const scopes = await scopesOf(view, project);
  const stats = await statsOf(view);
  const known = [...new Set(stats.documents.map((each) => each.project))];
  const inScope = scopes ? known.filter((scope) => scopes.includes(scope)) : known;
  const open = await openIn(store, inScope, { now: now(), settled: settledIfReadable(config) });
  return {
    counts: countsOf(stats, inScope),
    totals: {
      ...totalsOf(stats, inScope),
      conversations: await conversationCount(view, project),
      ...(await joinsOf(view, stats, inScope)),
    },
    injected: everyDay(config, now()),
    storage: storageOf(config),
    lastSigns: lastSigns(config)
      .filter(({ event }) => !event.endsWith('(indexed)')) // a backfill leaves the same files
      .map(({ event, at }) => ({ event, at: at?.getTime() ?? null })),
    lastFailures: failuresOf(config),
    lastCaptures: await newestOf(view, inScope),
    open: {
      questions: open
        .filter(({ kind }) => kind === 'question')
        .slice(0, OPEN)
        .map(briefOf),
      todos: open
        .filter(({ kind }) => kind === 'todo')
        .slice(0, OPEN)
        .map(briefOf),
    },
    tookMs: Math.round(performance.now() - start),
  };
}

function countsOf({ documents }: Stats, scopes: readonly string[]) {
  const counts = new Map<string, { layer: string; kind: string; count: number }>();
  for (const { project, layer, kind, count } of documents) {
    if (!scopes.includes(project)) continue;
    const known = counts.get(`${layer} ${kind}`);
    if (known) known.count += count;
    else counts.set(`${layer} ${kind}`, { layer, kind, count });
  }
  return [...counts.values()];
}

function totalsOf(stats: Stats, scopes: readonly string[]) {
  const sum = (test: (each: { layer: string; kind: string }) => boolean): number =>
    countsOf(stats, scopes).reduce((all, each) => all + (test(each) ? each.count : 0), 0);
  return {
    records: sum(({ layer }) => layer === 'record'),
    notes: sum(({ layer }) => layer === 'note'),
    ideas: sum(({ layer, kind }) => layer === 'trace' && kind !== 'span'),
    spans: sum(({ layer, kind }) => layer === 'trace' && kind === 'span'),
    vectors: stats.vectors.reduce((all, { count }) => all + count, 0),
  };
}

/** The store knows how many entities and links it has in all; of some of its projects they are counted, and kept. */
async function joinsOf(
  view: View,
  stats: Stats,
  scopes: readonly string[],
): Promise<{ entities: number; links: number }> {
  const count = (own: readonly string[] | undefined): number =>
    stats.documents.reduce((sum, each) => sum + (!own || own.includes(each.project) ? each.count : 0), 0);
  const here = count(scopes);
  if (here === 0) return { entities: 0, links: 0 };
  if (here === count(undefined)) return { entities: stats.entities, links: stats.links };
  return remembered(view, `joins ${scopes.join('\0')}`, async () => ({
    entities: (await view.store.entities({ projects: scopes })).length,
    links: here > MOST_COUNTED ? stats.links : await linksIn(view, scopes),
  }));
}

async function linksIn({ store }: View, scopes: readonly string[]): Promise<number> {
  let links = 0;
  for (const scope of scopes) {
    let cursor: string | undefined;
    do {
      const filter = { projects: [scope] };
      const page: Page = await store.list({ filter, order: 'newest', limit: PAGE, ...(cursor ? { cursor } : {}) });
      const refs = page.documents.map(({ ref }) => ref);
      links += (await store.links({ refs, projects: [scope], direction: 'out' })).length;
      cursor = page.next;
    } while (cursor !== undefined);
  }
  return links;
}

/** Days without an injection too: a chart has no gaps. */
function everyDay({ paths }: Config, now: Date) {
  const known = new Map(tokensByDay(paths.userRoot, now, DAYS).map((each) => [each.day, each]));
  return Array.from({ length: DAYS }, (_, at) => {
    const date = new Date(now.getFullYear(), now.getMonth(), now.getDate() - DAYS + 1 + at);
    const day = localDay(date);
    return { day, tokens: known.get(day)?.tokens ?? 0, injections: known.get(day)?.injections ?? 0 };
  });
}

/** Asked of each scope by itself: of one, the store reads the newest by an index instead of sorting all. */
async function newestOf({ store }: View, scopes: readonly string[]) {
  const newest: Document[] = [];
  for (const scope of scopes) {
    const { documents } = await store.list({ filter: { projects: [scope] }, order: 'newest', limit: LAST_CAPTURES });
    newest.push(...documents);
  }
  return newest
    .sort((a, b) => b.createdAt - a.createdAt || (a.ref < b.ref ? -1 : 1))
    .slice(0, LAST_CAPTURES)
    .map(briefOf);
}

function storageOf(config: Config) {
  const { userRoot, memoryRoot } = config.paths;
  const database = storeFile(config);
  const parts = [
    { part: 'database', path: database, bytes: fileBytes(database) + fileBytes(`${database}-wal`) },
    { part: 'archive', path: archiveRoot(config), bytes: bytesBelow(archiveRoot(config)) },
    { part: 'records and notes', path: memoryRoot, bytes: bytesBelow(memoryRoot) },
    {
      part: 'injection log',
      path: path.join(userRoot, 'injections'),
      bytes: bytesBelow(path.join(userRoot, 'injections')),
    },
    { part: 'cache', path: cacheFolder(config), bytes: bytesBelow(cacheFolder(config)) },
    { part: 'log', path: path.join(userRoot, 'log'), bytes: bytesBelow(path.join(userRoot, 'log')) },
  ];
  return parts.filter(({ bytes }) => bytes > 0);
}

const fileBytes = (file: string): number => fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/** The newest first. The file belongs to the hooks; what is no failure in it is left out. */
export function failuresOf({ paths }: Config): { at: number; event: string; cause: string }[] {
  const found: { at: number; event: string; cause: string }[] = [];
  for (const { at, event, cause } of loggedFailures(paths.userRoot)) {
    found.push({ at, event: stripUnsafe(event), cause: stripUnsafe(cause.slice(0, CAUSE_LENGTH)) });
    if (found.length >= LAST_FAILURES) break;
  }
  return found;
}
