// The tree of what was talked about: topics, the newest first, each with its exchanges in the order of the conversation.

import type { Document, Filter, Store } from '../store/store.ts';

export type TopicTree = { readonly topic: Document; readonly exchanges: readonly Document[] };

export type TopicsWanted = {
  /** The beginning of a session's id will do. */
  readonly session?: string;
  /** Of all projects where it is missing. */
  readonly projects?: readonly string[];
  /** Milliseconds; topics that touch this time. */
  readonly since?: number;
  readonly until?: number;
  /** Words that the topic or one of its exchanges has, all of them. */
  readonly about?: string;
  readonly limit: number;
};

const PAGE = 500;
/** Topics whose exchanges are read together. */
const BATCH = 50;

export async function topicTrees(store: Store, wanted: TopicsWanted): Promise<TopicTree[]> {
  const filter: Filter = {
    layers: ['trace'],
    kinds: ['span'],
    ...(wanted.projects ? { projects: wanted.projects } : {}),
  };
  const found: TopicTree[] = [];
  let batch: Document[] = [];
  const take = async (): Promise<void> => {
    found.push(...(await withExchanges(store, batch)).filter((tree) => isAbout(tree, wanted.about)));
    batch = [];
  };
  for await (const span of eachDocument(store, filter)) {
    if (span.span !== undefined || !fits(span, wanted)) continue;
    batch.push(span);
    if (batch.length >= BATCH) await take();
    if (found.length >= wanted.limit) break;
  }
  if (batch.length > 0) await take();
  return found.slice(0, wanted.limit);
}

function fits({ session, createdAt, updatedAt }: Document, wanted: TopicsWanted): boolean {
  if (wanted.session !== undefined && !session?.startsWith(wanted.session)) return false;
  if (wanted.since !== undefined && Math.max(createdAt, updatedAt) < wanted.since) return false;
  return wanted.until === undefined || createdAt < wanted.until;
}

function isAbout({ topic, exchanges }: TopicTree, about: string | undefined): boolean {
  const words = (about ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return true;
  const said = [topic, ...exchanges].map(({ title, text }) => `${title}\n${text}`.toLowerCase()).join('\n');
  return words.every((word) => said.includes(word));
}

async function withExchanges(store: Store, topics: readonly Document[]): Promise<TopicTree[]> {
  const byTopic = new Map<string, Document[]>();
  const projects = [...new Set(topics.map(({ project }) => project))];
  const filter = { projects, kinds: ['span'], spans: topics.map(({ ref }) => ref) };
  if (topics.length > 0)
    for await (const exchange of eachDocument(store, filter)) {
      const key = keyOf(exchange.project, exchange.span ?? '');
      byTopic.set(key, [...(byTopic.get(key) ?? []), exchange]);
    }
  return topics.map((topic) => ({
    topic,
    exchanges: (byTopic.get(keyOf(topic.project, topic.ref)) ?? []).sort((a, b) => startOf(a) - startOf(b)),
  }));
}

const keyOf = (project: string, ref: string): string => `${project}\0${ref}`;
const startOf = ({ meta, source }: Document): number => Number(meta?.start ?? source?.line ?? 0);

/** The newest first. */
export async function* eachDocument(store: Store, filter: Filter): AsyncGenerator<Document> {
  let cursor: string | undefined;
  do {
    const page = await store.list({ filter, order: 'newest', limit: PAGE, ...(cursor ? { cursor } : {}) });
    yield* page.documents;
    cursor = page.next;
  } while (cursor !== undefined);
}
