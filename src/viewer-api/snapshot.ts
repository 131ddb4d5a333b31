// One walk over the store for the pages that show all of it: graph, timeline, the number of conversations. It keeps of each memory
// what a dot or a bar needs, is made again when the store changed, and lets other questions pass in between.

import { readableOutcome } from '../model/readable.ts';
import { exchangeFields, topicFields } from '../model/span-fields.ts';
import { cutCodePoints } from '../model/text.ts';
import { INTENTS } from '../model/trace.ts';
import type { Document, Filter, Store } from '../store/store.ts';
import { remembered, scopesOf, statsOf, type View } from './viewer.ts';

/** A memory without its text. */
export type Point = Pick<
  Document,
  'ref' | 'project' | 'layer' | 'kind' | 'status' | 'title' | 'createdAt' | 'updatedAt' | 'session' | 'span'
> & {
  readonly depth: number;
  /** Of a topic how many it has, of an exchange 1. */
  readonly exchanges: number;
  /** Of an exchange what was asked, of both what came out; the beginning. */
  readonly asked: string | null;
  readonly outcome: string | null;
  /** What the user or the client called the conversation. */
  readonly sessionTitle: string | null;
  readonly agent: string | null;
  readonly start: number;
};

export type Snapshot = {
  /** The newest first. */
  readonly points: readonly Point[];
  /** How many there are in the scope; more than `points` where there are too many. */
  readonly total: number;
  readonly scopes: readonly string[];
  readonly mark: string;
};

type Kept = { readonly made: Promise<Snapshot>; readonly mark: string; readonly begun: number; tookMs: number };

const MOST_POINTS = 100_000;
const PAGE = 2_000;
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
export async function scopesIn(view: View, project?: string): Promise<string[]> {
  const wanted = await scopesOf(view, project);
  const known = new Set((await statsOf(view)).documents.map((each) => each.project));
  return [...known].filter((scope) => !wanted || wanted.includes(scope)).sort();
}

async function walk(view: View, scopes: readonly string[]): Promise<Snapshot> {
  const { mark } = view;
  const points: Point[] = [];
  // Where there are too many, the oldest statements are left out: what people wrote and what conversations were about comes first.
  for (const part of PARTS) for (const scope of scopes) await walkScope(view, { scope, part, points });
  points.sort((a, b) => b.createdAt - a.createdAt || (a.ref < b.ref ? -1 : 1));
  const { documents } = await statsOf(view);
  const total = documents.reduce((sum, each) => sum + (scopes.includes(each.project) ? each.count : 0), 0);
  return { points, total, scopes, mark };
}

export const SPANS = { layers: ['trace'], kinds: ['span'] };
const PARTS: readonly { layers: readonly string[]; kinds?: readonly string[] }[] = [
  { layers: ['record', 'note'] },
  SPANS,
  { layers: ['trace'], kinds: INTENTS },
];

type Walk = { readonly scope: string; readonly part: (typeof PARTS)[number]; readonly points: Point[] };

/** By one scope at a time, the store follows an index from page to page. */
async function walkScope({ store }: View, { scope, part, points }: Walk): Promise<void> {
  for await (const documents of pagesOf(store, { projects: [scope], ...part })) {
    for (const document of documents) if (points.length < MOST_POINTS) points.push(pointOf(document));
    if (points.length >= MOST_POINTS) return;
  }
}

export async function* pagesOf(store: Store, filter: Filter, limit = PAGE): AsyncGenerator<readonly Document[]> {
  let cursor: string | undefined;
  do {
    const page = await store.list({
      filter,
      order: 'newest',
      limit,
      ...(cursor === undefined ? {} : { cursor }),
    });
    yield page.documents;
    cursor = page.next;
    await new Promise((resolve) => setImmediate(resolve));
  } while (cursor !== undefined);
}

export function pointOf(document: Document): Point {
  const { ref, project, layer, kind, status, title, createdAt, updatedAt, session, span, meta, source } = document;
  return {
    ...{ ref, project, layer, kind, status, title: title || document.text.slice(0, 120), createdAt, updatedAt },
    ...(session === undefined ? {} : { session }),
    ...(span === undefined ? {} : { span }),
    depth: Number(meta?.depth ?? 0),
    ...spanFields(document),
    agent: typeof meta?.agent === 'string' ? meta.agent : null,
    start: Number(meta?.start ?? source?.line ?? 0),
  };
}

const NO_SPAN = { exchanges: 0, asked: null, outcome: null, sessionTitle: null };
const SAID_LENGTH = 200;

function spanFields({ kind, meta }: Document): Pick<Point, 'exchanges' | 'asked' | 'outcome' | 'sessionTitle'> {
  if (kind !== 'span') return NO_SPAN;
  const exchange = exchangeFields(meta);
  const topic = topicFields(meta);
  const beginning = (text: string | undefined): string | null =>
    text === undefined || text === '' ? null : cutCodePoints(readableOutcome(text), SAID_LENGTH);
  return {
    exchanges: exchange ? 1 : (topic?.exchanges ?? 0),
    asked: beginning(exchange?.asked),
    outcome: beginning((exchange ?? topic)?.outcome),
    sessionTitle: topic?.sessionTitle || null,
  };
}

/** From the topics alone: they are a tenth of all, and every conversation has one. */
export async function conversationCount(view: View, project?: string): Promise<number> {
  const scopes = await scopesIn(view, project);
  return remembered(view, `conversations ${scopes.join('\0')}`, async () => {
    const sessions = new Set<string>();
    for (const scope of scopes)
      for await (const documents of pagesOf(view.store, { projects: [scope], ...SPANS }))
        for (const { session } of documents) if (session !== undefined) sessions.add(`${scope}\0${session}`);
    return sessions.size;
  });
}
