// The pool: every strategy proposes documents, each keeps the rank and the score it gave. What is ranked later is what was
// proposed here.

import { foldFile } from '../extraction/entities/fold-name.ts';
import { STANDING_TAG } from '../model/standing-wish.ts';
import type { Document, Filter, Hit, Store } from '../store/store.ts';
import type { Analysis, QueryWord } from './analyse.ts';
import type { RecallQuery } from './answer.ts';
import type { Pool, Proposal, Strategy } from './candidate.ts';
import { aboutPaths } from './paths.ts';
import { TOLD_KINDS } from './telling.ts';
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
  /** The time and the kinds that the words name: what is in them joins the pool, however far behind the rest it is. */
  readonly within?: Filter | undefined;
};

/** Entities that more documents mention than this tell nothing. */
const MANY_MENTIONS = 400;
const CHOOSING = 8;
const CHOOSING_ENOUGH = 4;
const CHOOSING_COMMON = { share: 0.02, documents: 1_500 };
const HIDDEN = new Set(['retired', 'deleted']);

/**
 * A prompt is told statements of some kinds, and records and notes: each are looked for on their own. Among a hundred thousand
 * statements a record would not be found, and questions and requests, which sound most like a prompt, would take all places.
 */
function unaskedFilters({ layers }: RecallQuery, filter: Filter): Filter[] {
  const isWanted = (layer: string): boolean => layers?.includes(layer) ?? true;
  const curated = ['record', 'note'].filter(isWanted);
  return [
    ...(isWanted('trace') ? [{ ...filter, layers: ['trace'], kinds: TOLD_KINDS }] : []),
    ...(curated.length > 0 ? [{ ...filter, layers: curated }] : []),
  ];
}

export const keyOf = ({ project, ref }: { readonly project: string; readonly ref: string }): string =>
  `${project}\0${ref}`;

type Proposed = { readonly strategy: Strategy; readonly hits: readonly Hit[] };

/** Everything that depends on nothing but the query is asked at once: a store on a server is asked in one go. */
export async function gather(options: GatherOptions): Promise<Pool> {
  const { store, query, analysis, weights } = options;
  const filter = filterOf(query);
  const named = [...new Set([...analysis.entities, ...analysis.paths.map(foldFile)])];
  const [hits, about, wishes] = await Promise.all([
    Promise.all(strategies(options, named, filter).map(async ({ strategy, ask }) => ({ strategy, hits: await ask() }))),
    aboutPaths(store, query, { analysis, filter, weights }),
    standing(options, filter),
  ]);
  const pool = await load(store, hits, query);
  for (const [at, { document, score }] of about.entries())
    if (isShown(document, query)) propose(pool, document, 'path', { rank: at + 1, score });
  for (const [at, document] of wishes.entries())
    if (isShown(document, query)) propose(pool, document, 'standing', { rank: at + 1, score: 0 });
  await compareAll(pool, options);
  const wantsList = analysis.words.every((word) => word.documents === 0) || pool.size === 0;
  if (wantsList && isNarrowed(query, analysis)) await browse(pool, options, filter);
  return pool;
}

type Asking = { readonly strategy: Strategy; readonly ask: () => Promise<readonly Hit[]> };

function strategies(options: GatherOptions, named: readonly string[], filter: Filter): Asking[] {
  const { store, query, weights, model, vector, hypothesis } = options;
  const filters = query.unasked ? unaskedFilters(query, filter) : [filter];
  const near = (to: Float32Array, within: Filter): Promise<readonly Hit[]> =>
    store.nearest({ model: model ?? '', vector: to, filter: within, limit: weights.pool.vector, documents: true });
  const hasModel = model !== undefined && vector !== undefined;
  return [
    ...filters.map((each): Asking => ({ strategy: 'keyword', ask: () => byWords(options, each) })),
    ...(hasModel ? filters : []).map((each): Asking => {
      return { strategy: 'vector', ask: () => twice(options, each, (within) => near(vector!, within)) };
    }),
    ...(hasModel && hypothesis ? [{ strategy: 'hyde', ask: () => near(hypothesis, filter) } as const] : []),
    ...(named.length > 0
      ? [
          {
            strategy: 'entity',
            ask: () => byEntities(store, named, { query, filter, limit: weights.pool.entity }),
          } as const,
        ]
      : []),
  ];
}

/** What the user wants done every time is compared with every question: no word and no vector would bring it. */
async function standing(
  { store, query, vector, weights }: GatherOptions,
  filter: Filter,
): Promise<readonly Document[]> {
  if (query.unasked || !vector) return [];
  return (await store.list({ filter: { ...filter, tags: [STANDING_TAG] }, limit: weights.wish.look })).documents;
}

export type Comparing = Pick<GatherOptions, 'store' | 'model' | 'vector'>;

/** What other strategies proposed is compared with the query too, so that no candidate lacks the points of meaning by chance. */
export async function compareAll(pool: Pool, { store, model, vector }: Comparing): Promise<void> {
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

async function byWords(options: GatherOptions, filter: Filter): Promise<readonly Hit[]> {
  const { store, analysis, weights } = options;
  const terms = choosing(analysis).flatMap(({ surface, also = [] }) => [surface, ...also].map((text) => ({ text })));
  if (terms.length === 0) return [];
  return twice(options, filter, (within) =>
    store.search({ terms, filter: within, weights: weights.choose, limit: weights.pool.keyword, documents: true }),
  );
}

/** A second look at what the words name: it joins the pool. */
async function twice(
  { within }: GatherOptions,
  filter: Filter,
  ask: (filter: Filter) => Promise<readonly Hit[]>,
): Promise<readonly Hit[]> {
  if (!within) return ask(filter);
  const [hits, narrowed] = await Promise.all([ask(filter), ask(both(filter, within))]);
  const seen = new Set(hits.map(keyOf));
  return [...hits, ...narrowed.filter((hit) => !seen.has(keyOf(hit)))];
}

const both = (filter: Filter, { since, until, kinds }: Filter): Filter => ({
  ...filter,
  ...(kinds === undefined ? {} : { kinds: filter.kinds ?? kinds }),
  ...(since === undefined ? {} : { since: Math.max(since, filter.since ?? since) }),
  ...(until === undefined ? {} : { until: Math.min(until, filter.until ?? until) }),
});

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
    filter: both(kinds ? { ...filter, kinds } : filter, {
      ...(since === undefined ? {} : { since }),
      ...(until === undefined ? {} : { until }),
    }),
    order: 'newest',
    limit: weights.pool.browse,
  });
  const shown = page.documents.filter((document) => isShown(document, query) && isWorthListing(document, filter));
  const left = shown.filter((document) => !isOver(document, analysis));
  const over = shown.filter((document) => isOver(document, analysis));
  for (const [at, document] of [...left, ...over].entries())
    propose(pool, document, 'browse', { rank: at + 1, score: 1 / (at + 1) });
}

/** Talk that carries nothing is there to be found, not to be listed. */
const isWorthListing = ({ kind, meta }: Document, { kinds }: Filter): boolean =>
  kinds !== undefined || (kind !== 'context' && meta?.search_only !== true);

/** What came with a repository's log is never told to a prompt: whoever pushes to it would speak to the model. */
export function isShown({ status, layer }: Document, query: RecallQuery): boolean {
  if (HIDDEN.has(status) || (query.unasked && layer === 'commit')) return false;
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
