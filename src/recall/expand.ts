// What stands around a result: what it replaced or what replaced it, step by step, and the topic it belongs to. The relations
// of the whole pool are read once, because they also say what no longer holds.

import type { Document, Link, Store } from '../store/store.ts';
import type { RecallQuery } from './answer.ts';
import type { Pool } from './candidate.ts';
import { keyOf, propose } from './candidates.ts';
import type { Weights } from './weights.ts';

export type Relations = {
  readonly links: readonly Link[];
  readonly superseded: ReadonlySet<string>;
  readonly answered: ReadonlySet<string>;
};

export const NO_RELATIONS: Relations = { links: [], superseded: new Set(), answered: new Set() };

const CHAIN = 6;
const FOLLOWED = ['supersedes', 'answers', 'builds_on', 'contradicts'];

/** Relations at the best candidates, and what they lead to: a successor or an answer belongs into the pool. */
export async function relate(
  store: Store,
  pool: Pool,
  best: readonly Document[],
  { query, weights }: { query: RecallQuery; weights: Weights },
): Promise<Relations> {
  if (best.length === 0) return NO_RELATIONS;
  const projects = [...new Set(best.map((document) => document.project))];
  const links = await store.links({ refs: best.map((document) => document.ref), projects, relations: FOLLOWED });
  const superseded = new Set(
    links
      .filter((link) => link.relation === 'supersedes')
      .map((link) => keyOf({ project: link.project, ref: link.to })),
  );
  const answered = new Set(
    links.filter((link) => link.relation === 'answers').map((link) => keyOf({ project: link.project, ref: link.to })),
  );
  await followLinks(store, pool, links, { query, weights });
  return { links, superseded, answered };
}

async function followLinks(
  store: Store,
  pool: Pool,
  links: readonly Link[],
  { query, weights }: { query: RecallQuery; weights: Weights },
): Promise<void> {
  const wanted = new Map<string, { project: string; ref: string; confidence: number }>();
  for (const { project, from, to, relation, confidence } of links) {
    // Backwards: from the older to what replaces or answers it. Forwards too, for what an answer answers.
    const ref = pool.has(keyOf({ project, ref: from })) ? to : from;
    if (pool.has(keyOf({ project, ref })) || relation === 'contradicts') continue;
    wanted.set(keyOf({ project, ref }), { project, ref, confidence });
  }
  const chosen = [...wanted.values()].slice(0, weights.pool.graph);
  if (chosen.length === 0) return;
  const documents = await store.get({
    refs: chosen.map((each) => each.ref),
    projects: [...new Set(chosen.map((each) => each.project))],
  });
  documents
    .filter((document) => fits(document, query))
    .forEach((document, at) => {
      const link = wanted.get(keyOf(document));
      if (link) propose(pool, document, 'graph', { rank: at + 1, score: link.confidence });
    });
}

function fits(document: Document, query: RecallQuery): boolean {
  if (query.unasked && document.layer === 'commit') return false;
  if (document.status === 'retired' || (document.status === 'archived' && !query.includeArchived)) return false;
  if (query.projects && !query.projects.includes(document.project)) return false;
  if (query.layers && !query.layers.includes(document.layer)) return false;
  if (query.intents && query.intents.length > 0 && !query.intents.includes(document.kind)) return false;
  if (query.session !== undefined && document.session !== query.session) return false;
  return (
    document.createdAt >= (query.since ?? Number.NEGATIVE_INFINITY) &&
    document.createdAt < (query.until ?? Number.POSITIVE_INFINITY)
  );
}

export type ChainLink = { readonly ref: string; readonly relation: string; readonly title?: string };

/** For each result: what it replaces (`supersedes`), what replaces it (`superseded_by`), what it answers, and so on. */
export async function chainsOf(
  store: Store,
  documents: readonly Document[],
  { titles: wantsTitles }: { titles: boolean },
): Promise<Map<string, ChainLink[]>> {
  const chains = new Map<string, ChainLink[]>();
  if (documents.length === 0) return chains;
  const projects = [...new Set(documents.map((document) => document.project))];
  const links = await store.links({ refs: documents.map((document) => document.ref), projects, relations: FOLLOWED });
  const others = wantsTitles ? [...new Set(links.flatMap((link) => [link.from, link.to]))] : [];
  const titles = new Map(
    (others.length === 0 ? [] : await store.get({ refs: others, projects })).map((document) => [
      keyOf(document),
      document.title,
    ]),
  );
  for (const document of documents) {
    const own = links
      .filter((link) => link.project === document.project && (link.from === document.ref || link.to === document.ref))
      .map((link) => {
        const outward = link.from === document.ref;
        const ref = outward ? link.to : link.from;
        const title = titles.get(keyOf({ project: link.project, ref }));
        return {
          ref,
          relation: outward ? link.relation : BACKWARDS[link.relation]!,
          ...(title === undefined ? {} : { title }),
        };
      });
    if (own.length > 0) chains.set(keyOf(document), own.slice(0, CHAIN));
  }
  return chains;
}

const BACKWARDS: { readonly [relation: string]: string } = {
  supersedes: 'superseded_by',
  answers: 'answered_by',
  builds_on: 'built_on_by',
  contradicts: 'contradicts',
};

/** The topic and the exchange that a document stands in; for a topic, none of them. */
export type SpansAround = { readonly topic: Document | undefined; readonly exchange: Document | undefined };

/** By key of the document. An idea stands in an exchange, and that in a topic. */
export async function spansAround(store: Store, documents: readonly Document[]): Promise<Map<string, SpansAround>> {
  const parents = await spansOf(store, documents);
  const above = await spansOf(store, [...parents.values()]);
  return new Map(
    documents.map((document) => {
      const parent = document.span === undefined ? undefined : parents.get(keyOf(spanPlace(document)));
      const top = parent?.span === undefined ? undefined : above.get(keyOf(spanPlace(parent)));
      const isExchange = document.kind === 'span' && document.span !== undefined;
      return [keyOf(document), { topic: top ?? parent, exchange: isExchange ? document : top ? parent : undefined }];
    }),
  );
}

const spanPlace = ({ project, span = '' }: Document) => ({ project, ref: span });

async function spansOf(store: Store, documents: readonly Document[]): Promise<Map<string, Document>> {
  const refs = [...new Set(documents.flatMap(({ span }) => (span === undefined ? [] : [span])))];
  if (refs.length === 0) return new Map();
  const projects = [...new Set(documents.map(({ project }) => project))];
  return new Map((await store.get({ refs, projects })).map((span) => [keyOf(span), span]));
}
