// The pool: every strategy proposes documents, each keeps the rank and the score it gave. What is ranked later is what was
// proposed here.

import type { Document, Filter, Hit, Store } from '../store/store.ts';
import type { Analysis, QueryWord } from './analyse.ts';
import type { RecallQuery } from './answer.ts';
import type { Pool, Proposal, Strategy } from './candidate.ts';
import { isOver } from './weigh.ts';
import type { Weights } from './weights.ts';

export type GatherOptions = {
  readonly store: Store;
  readonly query: RecallQuery;
  readonly analysis: Analysis;
  readonly weights: Weights;
  /** The query as a vector, and the made-up answer to it, with the model that made them. */
  readonly model?: string | undefined;
  readonly vector?: Float32Array | undefined;
  readonly hypothesis?: Float32Array | undefined;
};

/** Entities that more documents mention than this tell nothing. */
const MANY_MENTIONS = 400;
const CHOOSING = 8;
const CHOOSING_ENOUGH = 4;
const CHOOSING_COMMON = { share: 0.02, documents: 1_500 };
const HIDDEN = new Set(['retired', 'deleted']);

export const keyOf = ({ project, ref }: { readonly project: string; readonly ref: string }): string =>
  `${project}\0${ref}`;

type Proposed = { readonly strategy: Strategy; readonly hits: readonly Hit[] };

export async function gather(options: GatherOptions): Promise<Pool> {
  const { store, query, analysis, weights } = options;
  const filter = filterOf(query);
  const proposed: Proposed[] = [];
  const add = async (strategy: Strategy, hits: Promise<readonly Hit[]>): Promise<void> => {
    proposed.push({ strategy, hits: await hits });
  };
  await add('keyword', byWords(options, filter));
  if (options.model !== undefined && options.vector) {
    const { model, vector } = options;
    await add('vector', store.nearest({ model, vector, filter, limit: weights.pool.vector, documents: true }));
    if (options.hypothesis)
      await add(
        'hyde',
        store.nearest({ model, vector: options.hypothesis, filter, limit: weights.pool.vector, documents: true }),
      );
  }
  const named = [...new Set([...analysis.entities, ...analysis.paths])];
  if (named.length > 0) await add('entity', byEntities(store, named, { query, filter, limit: weights.pool.entity }));
  const pool = await load(store, proposed, query);
  await compareAll(pool, options);
  const wantsList = analysis.words.every((word) => word.documents === 0) || pool.size === 0;
  if (wantsList && isNarrowed(query, analysis)) await browse(pool, options, filter);
  return pool;
}

/** What other strategies proposed is compared with the query too, so that no candidate lacks the points of meaning by chance. */
async function compareAll(pool: Pool, { store, model, vector }: GatherOptions): Promise<void> {
  if (model === undefined || !vector) return;
  const missing = [...pool.values()].filter(({ proposals }) => !proposals.has('vector'));
  if (missing.length === 0) return;
  const hashes = [...new Set(missing.map(({ document }) => document.hash))];
  const cosines = await store.cosines({ model, vector, hashes });
  for (const { document, proposals } of missing) {
    const score = cosines.get(document.hash);
    if (score !== undefined) proposals.set('vector', { rank: Number.POSITIVE_INFINITY, score });
  }
}

function filterOf(query: RecallQuery): Filter {
  const { projects, layers, intents, session, since, until } = query;
  return {
    ...(projects ? { projects } : {}),
    ...(layers ? { layers } : {}),
    ...(intents && intents.length > 0 ? { kinds: intents } : {}),
    ...(session === undefined ? {} : { sessions: [session] }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
  };
}

async function byWords({ store, analysis, weights }: GatherOptions, filter: Filter): Promise<readonly Hit[]> {
  const terms = choosing(analysis).map(({ surface }) => ({ text: surface }));
  if (terms.length === 0) return [];
  const ask = (within: Filter): Promise<readonly Hit[]> =>
    store.search({ terms, filter: within, weights: weights.choose, limit: weights.pool.keyword, documents: true });
  const hits = await ask(filter);
  const { since, until } = analysis;
  if (since === undefined && until === undefined) return hits;
  // The time that the words name is a second look: what lies in it joins the pool and counts more, nothing is shut out.
  const narrowed = await ask({
    ...filter,
    ...(since === undefined ? {} : { since: Math.max(since, filter.since ?? since) }),
    ...(until === undefined ? {} : { until: Math.min(until, filter.until ?? until) }),
  });
  const seen = new Set(hits.map(keyOf));
  return [...hits, ...narrowed.filter((hit) => !seen.has(keyOf(hit)))];
}

/**
 * The words that choose candidates: the rarest. All words count later, but the database walks through every document of every
 * word it is asked for, and what only common words would find is not among the first.
 */
function choosing({ words, documents }: Analysis): QueryWord[] {
  const known = words.filter((word) => word.documents > 0).slice(0, CHOOSING);
  const common = Math.max(CHOOSING_COMMON.documents, documents * CHOOSING_COMMON.share);
  const rare = known.filter((word) => word.documents <= common);
  return rare.length >= CHOOSING_ENOUGH ? rare : known.slice(0, Math.max(CHOOSING_ENOUGH, rare.length));
}

type EntityAsk = { readonly query: RecallQuery; readonly filter: Filter; readonly limit: number };

/** Documents that mention a rare name in any of its spellings. */
async function byEntities(
  store: Store,
  names: readonly string[],
  { query, filter, limit }: EntityAsk,
): Promise<readonly Hit[]> {
  const scope = query.projects ? { projects: query.projects } : {};
  const known = await store.entities({ names, ...scope, limit: names.length * 2 });
  const rare = known.filter((entity) => entity.documents <= MANY_MENTIONS).map((entity) => entity.name);
  if (rare.length === 0) return [];
  const mentions = await store.mentions({ entities: rare, ...scope, limit: MANY_MENTIONS });
  const sums = new Map<string, { project: string; ref: string; score: number }>();
  const weightOf = new Map(known.map((entity) => [entity.name, 1 / Math.log2(2 + entity.documents)]));
  for (const { project, ref, entity } of mentions) {
    const key = keyOf({ project, ref });
    const sum = sums.get(key) ?? { project, ref, score: 0 };
    sum.score += weightOf.get(entity) ?? 0;
    sums.set(key, sum);
  }
  const best = [...sums.values()].sort((a, b) => b.score - a.score || compare(a, b)).slice(0, limit);
  if (Object.keys(filter).every((key) => key === 'projects')) return best;
  const allowed = await store.list({ filter: { ...filter, refs: best.map((hit) => hit.ref) }, order: 'ref', limit });
  const keys = new Set(allowed.documents.map(keyOf));
  return best.filter((hit) => keys.has(keyOf(hit)));
}

const compare = (a: { project: string; ref: string }, b: { project: string; ref: string }): number =>
  keyOf(a) < keyOf(b) ? -1 : 1;

const isNarrowed = (query: RecallQuery, { asking, since, until }: Analysis): boolean =>
  asking.intents.length > 0 ||
  since !== undefined ||
  until !== undefined ||
  query.intents !== undefined ||
  query.since !== undefined ||
  query.until !== undefined ||
  query.session !== undefined;

/** "Open questions", "last week": no word to search for, so the newest of what is meant. */
async function browse(pool: Pool, { store, query, analysis, weights }: GatherOptions, filter: Filter): Promise<void> {
  const { since, until, asking } = analysis;
  const kinds = filter.kinds ?? (asking.intents.length > 0 ? [...asking.intents] : undefined);
  const page = await store.list({
    filter: {
      ...filter,
      ...(kinds ? { kinds } : {}),
      ...(since === undefined ? {} : { since: Math.max(since, filter.since ?? since) }),
      ...(until === undefined ? {} : { until: Math.min(until, filter.until ?? until) }),
    },
    order: 'newest',
    limit: weights.pool.browse,
  });
  const shown = page.documents.filter((document) => isShown(document, query));
  const left = shown.filter((document) => !isOver(document, analysis));
  const over = shown.filter((document) => isOver(document, analysis));
  for (const [at, document] of [...left, ...over].entries())
    propose(pool, document, 'browse', { rank: at + 1, score: 1 / (at + 1) });
}

export function isShown({ status }: Document, query: RecallQuery): boolean {
  if (HIDDEN.has(status)) return false;
  return status !== 'archived' || query.includeArchived === true;
}

export function propose(pool: Pool, document: Document, strategy: Strategy, proposal: Proposal): void {
  const key = keyOf(document);
  let candidate = pool.get(key);
  if (!candidate) {
    candidate = { document, line: lineOf(document), proposals: new Map() };
    pool.set(key, candidate);
  }
  if (!candidate.proposals.has(strategy)) candidate.proposals.set(strategy, proposal);
}

const lineOf = ({ project, ref, source, layer }: Document): string =>
  layer === 'trace' && source?.line !== undefined ? `${source.file}\0${source.line}` : `${project}\0${ref}`;

/** Hits come with their documents; those that only mention a name are read here. */
async function load(store: Store, proposed: readonly Proposed[], query: RecallQuery): Promise<Pool> {
  const bare = proposed.flatMap(({ hits }) => hits.filter((hit) => !hit.document));
  const refs = [...new Set(bare.map((hit) => hit.ref))];
  const projects = [...new Set(bare.map((hit) => hit.project))];
  const documents = refs.length === 0 ? [] : await store.get({ refs, projects });
  const byKey = new Map(documents.map((document) => [keyOf(document), document]));
  const pool: Pool = new Map();
  for (const { strategy, hits } of proposed) {
    hits.forEach((hit, at) => {
      const document = hit.document ?? byKey.get(keyOf(hit));
      if (document && isShown(document, query)) propose(pool, document, strategy, { rank: at + 1, score: hit.score });
    });
  }
  return pool;
}
