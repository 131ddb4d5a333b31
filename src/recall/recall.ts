// The recall engine: a query in, ranked memories of all layers with their reasons out. Analyse, gather, fuse, weigh, arrange,
// expand; each step is a file of this folder, and this one only puts them in order. The same store and query give the same answer.

import type { Embedder } from '../embed/embedder.ts';
import { originOf } from '../model/provenance.ts';
import type { Document, Store } from '../store/store.ts';
import { type Analysis, analyse } from './analyse.ts';
import type { Checked, RecallAnswer, RecallQuery, RecallResult } from './answer.ts';
import { arrange, type Line, wordLikeness } from './arrange.ts';
import type { Pool } from './candidate.ts';
import { gather, keyOf } from './candidates.ts';
import { cosine } from './cosine.ts';
import { type ChainLink, chainsOf, NO_RELATIONS, relate, spanNames } from './expand.ts';
import { fuse, type Ranked, whyOf } from './fuse.ts';
import { expandQuery } from './query-expansion.ts';
import type { Release } from './releases.ts';
import { relevanceOf } from './relevance.ts';
import { kindsOf, weigh } from './weigh.ts';
import { WEIGHTS, type Weights } from './weights.ts';

/** A file as it was when the memory was written. */
export type FileMark = { readonly path: string; readonly blob?: string | null; readonly size?: number | null };

export type RecallDeps = {
  readonly store: Store;
  readonly embedder?: Pick<Embedder, 'model' | 'embed'> | undefined;
  /** A made-up answer to the query, from a language model. */
  readonly hypothesise?: ((query: string) => Promise<string | undefined>) | undefined;
  /** Below 1 for what was called wrong, above for what was useful; bounded by the table of weights. */
  readonly feedback?: ((ref: string, project: string) => number) | undefined;
  readonly checkFiles?: ((files: readonly FileMark[], project: string) => Checked) | undefined;
  readonly now: number;
  readonly timeZone?: string | undefined;
  readonly branch?: string | undefined;
  /** The tags of the repository: what "before the release" is measured by. */
  readonly tags?: (() => Promise<readonly Release[]>) | undefined;
  /** Other numbers, for measuring. */
  readonly weights?: Weights | undefined;
};

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 200;
/** Relations are looked up for so many of the best. */
const RELATED = 40;

export async function recall(deps: RecallDeps, asked: RecallQuery): Promise<RecallAnswer> {
  const start = process.hrtime.bigint(); // `performance` would be loaded for it
  const { store } = deps;
  const weights = deps.weights ?? WEIGHTS;
  const limit = Math.max(1, Math.min(MAX_LIMIT, Math.floor(asked.limit ?? DEFAULT_LIMIT)));
  const analysis = await analyse(asked.query, {
    store,
    projects: asked.projects,
    now: deps.now,
    timeZone: deps.timeZone,
    tags: deps.tags,
  });
  const query = asList(asked, analysis);
  const vectors = await embedQuery(deps, query, analysis);
  const pool = await gather({ store, query, analysis, weights, ...vectors });
  const lines = await rank(deps, query, { analysis, pool, limit, weights });
  const results = await resultsOf(deps, query, lines);
  return {
    query: query.query,
    analysis: {
      terms: analysis.words.map((word) => word.surface),
      entities: analysis.entities,
      intents: analysis.asking.intents,
      since: isoOf(query.since ?? analysis.since),
      until: isoOf(query.until ?? analysis.until),
      ...releaseOf(analysis),
    },
    relevance: results.reduce((most, result) => Math.max(most, result.relevance), 0),
    results,
    took_ms: Math.round(Number(process.hrtime.bigint() - start) / 1e5) / 10,
  };
}

/** "Open questions", "decisions last week": with no word to search for, the kind and the time are all that is asked, and nothing else is wanted. */
function asList(query: RecallQuery, { words, entities, paths, asking, since, until }: Analysis): RecallQuery {
  if (words.length + entities.length + paths.length > 0) return query;
  return {
    ...query,
    ...(query.intents === undefined && asking.intents.length > 0 ? { intents: kindsOf(asking.intents) } : {}),
    ...(query.since === undefined && since !== undefined ? { since } : {}),
    ...(query.until === undefined && until !== undefined ? { until } : {}),
  };
}

function releaseOf({ release: named }: Analysis): Pick<RecallAnswer['analysis'], 'release'> {
  if (!named) return {};
  const { phrase, release } = named;
  return { release: { phrase, name: release?.name ?? null, at: isoOf(release?.time) } };
}

type QueryVectors = { model?: string; vector?: Float32Array; hypothesis?: Float32Array };

/** As typed, a query says who and how; by its telling words alone, what about. The middle of both finds more than either. */
async function embedQuery(deps: RecallDeps, query: RecallQuery, { filtered, typed }: Analysis): Promise<QueryVectors> {
  const { embedder } = deps;
  if (!embedder || !deps.store.abilities.vectors || typed.trim() === '') return {};
  const guess = query.hyde ? await deps.hypothesise?.(query.query) : undefined;
  const views = filtered === typed ? [typed] : [typed, filtered];
  const made = await embedder.embed([...views, ...(guess ? [guess] : [])]);
  const vector = middleOf(made.slice(0, views.length));
  if (!vector) return {};
  const hypothesis = guess ? made[views.length] : undefined;
  return { model: embedder.model, vector, ...(hypothesis ? { hypothesis } : {}) };
}

function middleOf([first, second]: readonly Float32Array[]): Float32Array | undefined {
  if (!first || !second) return first;
  const sum = first.map((value, at) => value + second[at]!);
  const length = Math.hypot(...sum);
  return length > 0 ? sum.map((value) => value / length) : first;
}

type Ranking = { readonly analysis: Analysis; readonly pool: Pool; readonly limit: number; readonly weights: Weights };

async function rank(
  deps: RecallDeps,
  query: RecallQuery,
  { analysis, pool, limit, weights }: Ranking,
): Promise<Line[]> {
  const first = fuse(pool, analysis, weights).sort(
    (a, b) => b.score - a.score || (a.document.ref < b.document.ref ? -1 : 1),
  );
  const wide = query.expand !== false;
  const best = first.slice(0, RELATED).map((each) => each.document);
  const proposed = pool.size;
  const relations = wide ? await relate(deps.store, pool, best, { query, weights }) : NO_RELATIONS;
  const learned = wide ? await expandQuery(deps.store, analysis.words, first, weights) : [];
  const isWider = learned.length > 0 || pool.size > proposed;
  const ranked = isWider ? fuse(pool, { ...analysis, words: [...analysis.words, ...learned] }, weights) : first;
  const checked = new Map<Document, Checked | undefined>();
  const world = {
    now: deps.now,
    branch: deps.branch,
    feedback: deps.feedback,
    superseded: relations.superseded,
    answered: relations.answered,
    keyOf,
    check: (document: Document): Checked | undefined => {
      if (!document.meta?.files) return undefined;
      if (!checked.has(document)) checked.set(document, checkDocument(deps, document));
      return checked.get(document);
    },
  };
  for (const each of ranked) weigh(each, analysis, world, weights);
  const replaced = new Set(
    relations.links
      .filter(({ relation }) => relation === 'supersedes' || relation === 'contradicts')
      .map(({ project, from, to }) => `${keyOf({ project, ref: to })}\n${from}`),
  );
  return arrange(
    ranked,
    {
      limit,
      wide,
      asking: analysis.asking,
      asked: analysis.words.map((word) => word.weight),
      meaning: await meaningOf(deps, analysis, ranked),
      isReplacedBy: (older, newer, project) =>
        replaced.size > 0 &&
        older.some((ref) => newer.some((from) => replaced.has(`${keyOf({ project, ref })}\n${from}`))),
    },
    weights,
  );
}

/** How alike two of the best are: by their vectors, or by their words where there are none. */
async function meaningOf(
  { store, embedder }: RecallDeps,
  { asking }: Analysis,
  ranked: readonly Ranked[],
): Promise<(a: Document, b: Document) => number> {
  if (!embedder || (!asking.state && !asking.latest)) return wordLikeness;
  const best = [...ranked].sort((a, b) => b.score - a.score).slice(0, RELATED);
  const hashes = [...new Set(best.map(({ document }) => document.hash))];
  const vectors = new Map(
    (await store.vectors({ model: embedder.model, hashes })).map((row) => [row.hash, row.vector]),
  );
  return (a, b) => {
    const [first, second] = [vectors.get(a.hash), vectors.get(b.hash)];
    return first && second ? cosine(first, second) : wordLikeness(a, b);
  };
}

/** Undefined where a memory names no files. */
function checkDocument({ checkFiles }: RecallDeps, document: Document): Checked | undefined {
  const files = document.meta?.files;
  if (!checkFiles || !Array.isArray(files) || files.length === 0) return undefined;
  const marks = files.flatMap((each: unknown): FileMark[] => {
    const { path, blob, size } = (each ?? {}) as { path?: unknown; blob?: unknown; size?: unknown };
    if (typeof path !== 'string') return [];
    return [{ path, blob: typeof blob === 'string' ? blob : null, size: typeof size === 'number' ? size : null }];
  });
  return marks.length === 0 ? undefined : checkFiles(marks, document.project);
}

async function resultsOf(deps: RecallDeps, query: RecallQuery, lines: readonly Line[]): Promise<RecallResult[]> {
  const documents = lines.map((line) => line.best.document);
  const chains = await chainsOf(deps.store, documents);
  const spans = await spanNames(deps.store, documents);
  return lines.map((line) => resultOf(line, { query, chains, spans, files: checkDocument(deps, line.best.document) }));
}

type Around = {
  readonly query: RecallQuery;
  readonly chains: ReadonlyMap<string, readonly ChainLink[]>;
  readonly spans: ReadonlyMap<string, string>;
  readonly files: Checked | undefined;
};

function resultOf(line: Line, { query, chains, spans, files }: Around): RecallResult {
  const { document, details } = line.best;
  const { ref, layer, kind, title, text, confidence, status, project, session, createdAt, source, span } = document;
  const origin = originOf(document.meta);
  const spanName = span === undefined ? undefined : spans.get(keyOf({ project, ref: span }));
  return {
    ref,
    layer,
    kind,
    title,
    text,
    ...(typeof document.meta?.gist === 'string' ? { gist: document.meta.gist } : {}),
    score: round(line.score),
    relevance: relevanceOf(line.best),
    confidence,
    status,
    project,
    session: session ?? null,
    created_at: new Date(createdAt).toISOString(),
    source: source ?? null,
    speaker: origin?.speaker ?? null,
    provenance: origin?.provenance ?? null,
    why: whyOf(line.best),
    chain: chains.get(keyOf(document)) ?? [],
    span: span === undefined || spanName === undefined ? null : { ref: span, name: spanName },
    ...(files === undefined ? {} : { files }),
    ...(line.folded.length === 0 ? {} : { folded: line.folded }),
    ...(query.explain ? { explain: details.map(roundDetail) } : {}),
  };
}

const isoOf = (time: number | undefined): string | null => (time === undefined ? null : new Date(time).toISOString());
const round = (value: number): number => Math.round(value * 1e6) / 1e6;
const roundDetail = <T extends { points?: number; factor?: number }>(detail: T): T => ({
  ...detail,
  ...(detail.points === undefined ? {} : { points: round(detail.points) }),
  ...(detail.factor === undefined ? {} : { factor: round(detail.factor) }),
});
