// One walk over the store for the pages that show all of it: graph, timeline, the number of conversations. It keeps of each memory
// what a dot or a bar needs, is made again when the store changed, and lets other questions pass in between.

import { scopesOf, type View } from './memory-viewer.ts';
import type { Document, Store } from './store/store.ts';

/** A memory without its text. */
export type Point = Pick<
  Document,
  'ref' | 'project' | 'layer' | 'kind' | 'status' | 'title' | 'createdAt' | 'updatedAt' | 'session' | 'span'
> & { readonly depth: number; readonly turns: number; readonly agent: string | null; readonly start: number };

export type Snapshot = {
  /** The newest first. */
  readonly points: readonly Point[];
  /** How many there are in the scope; more than `points` where there are too many. */
  readonly total: number;
  readonly scopes: readonly string[];
  readonly mark: string;
};

type Kept = { readonly made: Promise<Snapshot>; readonly mark: string; readonly begun: number; tookMs: number };

const MOST_POINTS = 120_000;
const PAGE = 500;
/** What took a second may be ten seconds old: a store that is written all the time must not be read all the time. */
const PATIENCE = 10;

const kept = new WeakMap<Store, Map<string, Kept>>();

export async function snapshotOf(view: View, project?: string): Promise<Snapshot> {
  const scopes = await scopesIn(view, project);
  const key = scopes.join('\0');
  const known = kept.get(view.store) ?? new Map<string, Kept>();
  kept.set(view.store, known);
  const last = known.get(key);
  if (last && (last.mark === view.mark || Date.now() - last.begun < last.tookMs * PATIENCE)) return last.made;
  const begun = Date.now();
  const made = walk(view, scopes);
  const entry: Kept = { made, mark: view.mark, begun, tookMs: Number.POSITIVE_INFINITY };
  known.set(key, entry);
  try {
    const snapshot = await made;
    entry.tookMs = Date.now() - begun;
    return snapshot;
  } catch (error) {
    known.delete(key);
    throw error;
  }
}

/** The scopes that are asked for and have something in them. */
async function scopesIn(view: View, project?: string): Promise<string[]> {
  const wanted = await scopesOf(view, project);
  const known = new Set((await view.store.stats()).documents.map((each) => each.project));
  return [...known].filter((scope) => !wanted || wanted.includes(scope)).sort();
}

async function walk({ store, mark }: View, scopes: readonly string[]): Promise<Snapshot> {
  const points: Point[] = [];
  // Curated memories first: where there are too many, statements are left out.
  for (const layers of [['record', 'note'], ['trace']])
    for (const scope of scopes) await walkScope(store, { scope, layers, points });
  points.sort((a, b) => b.createdAt - a.createdAt || (a.ref < b.ref ? -1 : 1));
  const { documents } = await store.stats();
  const total = documents.reduce((sum, each) => sum + (scopes.includes(each.project) ? each.count : 0), 0);
  return { points, total, scopes, mark };
}

type Walk = { readonly scope: string; readonly layers: readonly string[]; readonly points: Point[] };

/** By one scope at a time, the store follows an index from page to page. */
async function walkScope(store: Store, { scope, layers, points }: Walk): Promise<void> {
  let cursor: string | undefined;
  do {
    const page = await store.list({
      filter: { projects: [scope], layers },
      order: 'newest',
      limit: Math.min(PAGE, MOST_POINTS - points.length),
      ...(cursor === undefined ? {} : { cursor }),
    });
    for (const document of page.documents) points.push(pointOf(document));
    cursor = page.next;
    await new Promise((resolve) => setImmediate(resolve));
  } while (cursor !== undefined && points.length < MOST_POINTS);
}

export function pointOf(document: Document): Point {
  const { ref, project, layer, kind, status, title, createdAt, updatedAt, session, span, meta, source } = document;
  return {
    ...{ ref, project, layer, kind, status, title: title || document.text.slice(0, 120), createdAt, updatedAt },
    ...(session === undefined ? {} : { session }),
    ...(span === undefined ? {} : { span }),
    depth: Number(meta?.depth ?? 0),
    turns: Number(meta?.turns ?? 0),
    agent: typeof meta?.agent === 'string' ? meta.agent : null,
    start: Number(meta?.start ?? source?.line ?? 0),
  };
}

export async function conversationCount(view: View, project?: string): Promise<number> {
  const { points } = await snapshotOf(view, project);
  const sessions = new Set<string>();
  for (const { layer, session, project: scope } of points)
    if (layer === 'trace' && session !== undefined) sessions.add(`${scope}\0${session}`);
  return sessions.size;
}
