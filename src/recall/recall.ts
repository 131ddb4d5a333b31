// The recall engine: a query in, ranked memories of all layers with their reasons out. Analyse, gather, fuse, weigh, arrange,
// expand; each step is a file of this folder, and this one only puts them in order. The same store and query give the same answer.

import type { Embedder, Tokens } from '../embed/embedder.ts';
import { isRelevantEnough } from '../model/relevance.ts';
import { exchangeFields } from '../model/span-fields.ts';
import type { Document, Store } from '../store/store.ts';
import { type Analysis, analyse, type QueryWord } from './analyse.ts';
import type { Checked, RecallAnswer, RecallQuery, RecallResult } from './answer.ts';
import { arrange, type Line, wordLikeness } from './arrange.ts';
import type { Pool } from './candidate.ts';
import { compareAll, gather, keyOf } from './candidates.ts';
import { cosine } from './cosine.ts';
import { addExchanges } from './exchange-context.ts';
import { type ChainLink, chainsOf, NO_RELATIONS, relate, type SpansAround, spansAround } from './expand.ts';
import { fuse, type Ranked, whyOf } from './fuse.ts';
import { addTokens } from './late-interaction.ts';
import { expandQuery } from './query-expansion.ts';
import type { Release } from './releases.ts';
import { promptRelevanceOf, relevanceOf } from './relevance.ts';
import { storedFields } from './stored-fields.ts';
import { mayBeTold, tellingOf } from './telling.ts';
import { isTalk, kindsOf, namesIn, weigh } from './weigh.ts';
import { WEIGHTS, type Weights } from './weights.ts';

/** A file as it was when the memory was written. */
export type FileMark = { readonly path: string; readonly blob?: string | null; readonly size?: number | null };

export type RecallDeps = {
  readonly store: Store;
  readonly embedder?: Pick<Embedder, 'model' | 'embed' | 'embedTokens'> | undefined;
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

/** A prompt names many things, and hooks have no time for patterns of all scripts. */
const NOBODY: ReadonlySet<string> = new Set();
const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 200;
/** Relations are looked up for so many of the best. */
const RELATED = 40;
/** Records and notes that come with a part of a prompt, and what is not to be told. */
const [CURATED_RESULTS, APART] = [10, 5];

export async function recall(deps: RecallDeps, asked: RecallQuery): Promise<RecallAnswer> {
  const start = process.hrtime.bigint(); // `performance` would be loaded for it
  const { store } = deps;
  const weights = deps.weights ?? WEIGHTS;
  const limit = Math.max(1, Math.min(MAX_LIMIT, Math.floor(asked.limit ?? DEFAULT_LIMIT)));
  const read = await analyse(asked.query, {
    store,
    projects: asked.projects,
    now: deps.now,
    timeZone: deps.timeZone,
    weights,
    isQuestion: asked.narrow !== false,
    tags: deps.tags,
  });
  const analysis = asked.unasked ? ofNobody(read, asked.unasked) : read;
  const found = isList(analysis)
    ? await listed(deps, asked, { analysis, limit, weights })
    : await searched(deps, asked, { analysis, limit, weights });
  const { results, limits, isOutside } = found;
  return {
    query: asked.query,
    analysis: {
      terms: analysis.words.map((word) => word.surface),
      entities: analysis.entities,
      intents: analysis.asking.intents,
      since: isoOf(asked.since ?? analysis.since),
      until: isoOf(asked.until ?? analysis.until),
      ...overviewOf(asked, analysis),
      ...releaseOf(analysis),
    },
    relevance: bestOf(results),
    ...(isOutside ? { outside: outsideOf(limits) } : {}),
    results,
    took_ms: Math.round(Number(process.hrtime.bigint() - start) / 1e5) / 10,
  };
}

/** In a prompt "I", "please" and "now" are how people talk to an agent. */
function ofNobody(analysis: Analysis, { isTelling }: NonNullable<RecallQuery['unasked']>): Analysis {
  const words = analysis.words.filter(({ word }) => isTelling(word));
  return {
    ...analysis,
    words: words.length > 0 ? words : analysis.words,
    asking: { ...analysis.asking, speaker: undefined, question: false, request: false, latest: false, state: false },
  };
}

/** What the words of a query name, and no option does: the time and the kinds to look in. */
type Limits = { readonly since?: number; readonly until?: number; readonly kinds?: readonly string[] };
type Found = { readonly results: readonly RecallResult[]; readonly limits: Limits; readonly isOutside: boolean };
type Asked = { readonly analysis: Analysis; readonly limit: number; readonly weights: Weights };

const bestOf = (results: readonly RecallResult[]): number =>
  results.reduce((most, result) => Math.max(most, result.relevance), 0);

const isList = ({ words, entities, paths }: Analysis): boolean => words.length + entities.length + paths.length === 0;

function limitsOf(query: RecallQuery, { since, until }: Analysis, kinds: readonly string[]): Limits {
  return {
    ...(query.intents === undefined && kinds.length > 0 ? { kinds: kindsOf(kinds) } : {}),
    ...(query.since === undefined && since !== undefined ? { since } : {}),
    ...(query.until === undefined && until !== undefined ? { until } : {}),
  };
}

const outsideOf = ({ since, until, kinds }: Limits): RecallAnswer['outside'] & object => ({
  since: isoOf(since),
  until: isoOf(until),
  kinds: kinds ?? [],
});

/** "Open questions", "decisions last week", "--since monday": with no word to search for, the kind and the time are all that is asked. */
async function listed(deps: RecallDeps, asked: RecallQuery, { analysis, limit, weights }: Asked): Promise<Found> {
  const limits = limitsOf(asked, analysis, analysis.asking.intents);
  const { kinds, ...time } = limits;
  const query: RecallQuery = { ...asked, ...(kinds ? { intents: kinds } : {}) };
  const vectors = await embedQuery(deps, query, analysis);
  const look = async (narrowed: RecallQuery, about: Analysis): Promise<RecallResult[]> => {
    const pool = await gather({ store: deps.store, query: narrowed, analysis: about, weights, ...vectors });
    const arranged = await rank(deps, narrowed, { analysis: about, pool, vectors, limit, weights });
    return resultsOf(deps, narrowed, { lines: arranged(), words: about.words });
  };
  const inside = await look({ ...query, ...time }, analysis);
  const isOther = inside.length === 0 && Object.keys(time).length > 0;
  const results = isOther ? await look(query, { ...analysis, since: undefined, until: undefined }) : inside;
  if (asked.query.trim() === '') results.sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
  return { results, limits, isOutside: isOther && results.length > 0 };
}

/**
 * Of what is found for the words, that which is of the time and the kind that they name. Only a kind that is plainly named limits, because
 * much that answers "what did we decide" is of another. Where nothing of it is plainly about the rest: the same kind of another time, another
 * kind of the same time, or anything; but a time is a plain word, and what is only a little nearer to the rest is no reason to pass over it.
 */
async function searched(deps: RecallDeps, query: RecallQuery, { analysis, limit, weights }: Asked): Promise<Found> {
  const { store } = deps;
  const isNarrow = query.narrow !== false;
  const limits = limitsOf(query, analysis, isNarrow ? analysis.asking.named : []);
  const within = Object.keys(limits).length > 0 ? limits : undefined;
  const vectors = await embedQuery(deps, query, analysis);
  const pool = await gather({ store, query, analysis, weights, within, ...vectors });
  const arranged = await rank(deps, query, { analysis, pool, vectors, limit, weights });
  if (!within || !isNarrow)
    return {
      results: await resultsOf(deps, query, { lines: arranged(), words: analysis.words }),
      limits,
      isOutside: false,
    };
  const { kinds, ...time } = limits;
  const inside = await resultsOf(deps, query, { lines: arranged(isWithin(limits)), words: analysis.words });
  if (inside.some(isRelevantEnough)) return { results: inside, limits, isOutside: false };
  const isBoth = kinds !== undefined && Object.keys(time).length > 0;
  let outside: RecallResult[] = [];
  for (const wider of isBoth ? [{ kinds }, time, {}] : [{}]) {
    outside = await resultsOf(deps, query, { lines: arranged(isWithin(wider)), words: analysis.words });
    if (outside.some(isRelevantEnough)) return { results: outside, limits, isOutside: true };
  }
  const isEmpty = inside.length === 0 && outside.length > 0;
  return { results: isEmpty ? outside : inside, limits, isOutside: isEmpty };
}

const isWithin =
  ({ since, until, kinds }: Limits) =>
  ({ kind, createdAt }: Document): boolean =>
    createdAt >= (since ?? Number.NEGATIVE_INFINITY) &&
    createdAt < (until ?? Number.POSITIVE_INFINITY) &&
    (kinds === undefined || kinds.includes(kind));

function overviewOf(
  asked: RecallQuery,
  { overview, since, until }: Analysis,
): Pick<RecallAnswer['analysis'], 'overview'> {
  if (!overview) return {};
  return { overview: { kind: overview, since: isoOf(asked.since ?? since), until: isoOf(asked.until ?? until) } };
}

function releaseOf({ release: named }: Analysis): Pick<RecallAnswer['analysis'], 'release'> {
  if (!named) return {};
  const { phrase, release } = named;
  return { release: { phrase, name: release?.name ?? null, at: isoOf(release?.time) } };
}

type QueryVectors = { model?: string; vector?: Float32Array; hypothesis?: Float32Array; tokens?: Tokens };

/** As typed, a query says who and how; by its telling words alone, what about. The middle of both finds more than either. */
async function embedQuery(deps: RecallDeps, query: RecallQuery, { filtered, typed }: Analysis): Promise<QueryVectors> {
  const { embedder } = deps;
  if (!embedder || !deps.store.abilities.vectors || typed.trim() === '') return {};
  const guess = query.hyde ? await deps.hypothesise?.(query.query) : undefined;
  const views = filtered === typed ? [typed] : [typed, filtered];
  const { model } = embedder;
  // A prompt is not compared token by token: nobody has asked, and it waits.
  const [first] = query.unasked || !deps.store.tokens ? [] : ((await embedder.embedTokens?.([typed])) ?? []);
  const rest = [...(first ? views.slice(1) : views), ...(guess ? [guess] : [])];
  const made = [...(first ? [first.vector] : []), ...(rest.length > 0 ? await embedder.embed(rest) : [])];
  const vector = middleOf(made.slice(0, views.length));
  if (!vector) return {};
  const hypothesis = guess ? made[views.length] : undefined;
  return { model, vector, ...(hypothesis ? { hypothesis } : {}), ...(first ? { tokens: first.tokens } : {}) };
}

function middleOf([first, second]: readonly Float32Array[]): Float32Array | undefined {
  if (!first || !second) return first;
  const sum = first.map((value, at) => value + second[at]!);
  const length = Math.hypot(...sum);
  return length > 0 ? sum.map((value) => value / length) : first;
}

/** The best lines, of all or of those that are to be kept. */
type Arranged = (keep?: (document: Document) => boolean) => Line[];
type Ranking = {
  readonly analysis: Analysis;
  readonly pool: Pool;
  readonly vectors: QueryVectors;
  readonly limit: number;
  readonly weights: Weights;
};

async function rank(
  deps: RecallDeps,
  query: RecallQuery,
  { analysis, pool, vectors, limit, weights }: Ranking,
): Promise<Arranged> {
  const first = fuse(pool, analysis, weights).sort(
    (a, b) => b.score - a.score || (a.document.ref < b.document.ref ? -1 : 1),
  );
  const wide = query.expand !== false;
  const best = first.slice(0, RELATED).map((each) => each.document);
  const proposed = pool.size;
  const [relations, learned] = wide
    ? await Promise.all([
        relate(deps.store, pool, best, { query, weights }),
        expandQuery(deps.store, analysis.words, first, weights),
      ])
    : [NO_RELATIONS, []];
  if (pool.size > proposed) await compareAll(pool, { store: deps.store, ...vectors });
  const isWider = learned.length > 0 || pool.size > proposed;
  const ranked = isWider ? fuse(pool, { ...analysis, words: [...analysis.words, ...learned] }, weights) : first;
  if (wide && !query.unasked)
    await addExchanges(ranked, { store: deps.store, ...vectors, words: analysis.words.length }, weights);
  if (vectors.tokens) await addTokens(ranked, { store: deps.store, ...vectors, words: analysis.words }, weights);
  const checked = new Map<Document, Checked | undefined>();
  const world = {
    now: deps.now,
    branch: deps.branch,
    feedback: deps.feedback,
    superseded: relations.superseded,
    answered: relations.answered,
    names: query.unasked ? NOBODY : namesIn(analysis.typed),
    isTalk: isTalk(ranked),
    isAsked: !query.unasked,
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
  const meaning = await meaningOf(deps, analysis, ranked);
  const [shown, apart] = query.unasked ? tellableApart(ranked) : [ranked, []];
  return (keep) => [
    ...arrange(
      // Copies: what lines of a conversation give each other is noted in them, and they may be arranged again.
      keep ? shown.flatMap((each) => (keep(each.document) ? [{ ...each, details: [...each.details] }] : [])) : shown,
      {
        limit,
        wide,
        asking: analysis.asking,
        asked: analysis.words.map((word) => word.weight),
        meaning,
        isReplacedBy: (older, newer, project) =>
          replaced.size > 0 &&
          older.some((ref) => newer.some((from) => replaced.has(`${keyOf({ project, ref })}\n${from}`))),
      },
      weights,
    ),
    ...apart,
  ];
}

/**
 * What may not be told takes no place among what may, and statements none among records. The best of each comes behind: what may not
 * be told may show where a prompt was taken from.
 */
function tellableApart(ranked: readonly Ranked[]): [Ranked[], Line[]] {
  const best = (isOne: (document: Document) => boolean, most: number): Line[] =>
    ranked
      .filter(({ document }) => isOne(document))
      .sort((a, b) => b.score - a.score || (a.document.ref < b.document.ref ? -1 : 1))
      .slice(0, most)
      .map((each) => ({ best: each, folded: [], score: each.score }));
  const isStatement = ({ layer }: Document): boolean => layer === 'trace';
  const curated = best((document) => !isStatement(document), CURATED_RESULTS);
  const apart = best((document) => isStatement(document) && !mayBeTold(document), APART);
  return [ranked.filter(({ document }) => isStatement(document) && mayBeTold(document)), [...curated, ...apart]];
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

type FoundLines = { readonly lines: readonly Line[]; readonly words: readonly QueryWord[] };

async function resultsOf(deps: RecallDeps, query: RecallQuery, { lines, words }: FoundLines): Promise<RecallResult[]> {
  const documents = lines.map((line) => line.best.document);
  // A line of a prompt names neither the topic nor what replaced it, and a hook has no time for what is not said.
  const [chains, spans] = await Promise.all([
    chainsOf(deps.store, documents, { titles: !query.unasked }),
    query.unasked ? new Map<string, SpansAround>() : spansAround(deps.store, documents),
  ]);
  return lines.map((line) =>
    resultOf(line, { query, words, chains, spans, files: checkDocument(deps, line.best.document) }),
  );
}

type Around = {
  readonly query: RecallQuery;
  readonly words: readonly QueryWord[];
  readonly chains: ReadonlyMap<string, readonly ChainLink[]>;
  readonly spans: ReadonlyMap<string, SpansAround>;
  readonly files: Checked | undefined;
};

function resultOf(line: Line, { query, words, chains, spans, files }: Around): RecallResult {
  const { document, details } = line.best;
  const { ref, layer, kind, title, text } = document;
  const { topic, exchange } = spans.get(keyOf(document)) ?? {};
  return {
    ref,
    layer,
    kind,
    title,
    text,
    ...(typeof document.meta?.gist === 'string' ? { gist: document.meta.gist } : {}),
    score: round(line.score),
    relevance: query.unasked ? promptRelevanceOf(line.best) : relevanceOf(line.best),
    ...storedFields(document),
    why: whyOf(line.best),
    chain: chains.get(keyOf(document)) ?? [],
    span: topic ? { ref: topic.ref, name: topic.title } : null,
    exchange: exchange ? exchangeOf(exchange) : null,
    ...stanceOf(document),
    ...(files === undefined ? {} : { files }),
    ...(line.folded.length === 0 ? {} : { folded: line.folded }),
    ...(query.explain ? { explain: details.map(roundDetail) } : {}),
    ...(query.unasked ? { telling: tellingOf(line.best, words) } : {}),
  };
}

function exchangeOf({ ref, meta }: Document): RecallResult['exchange'] {
  const { asked = '', outcome = '' } = exchangeFields(meta) ?? {};
  return { ref, asked, outcome };
}

/** What was plainly said needs no word about it. */
function stanceOf({ meta }: Document): Pick<RecallResult, 'stance'> {
  return typeof meta?.stance === 'string' && meta.stance !== 'stated' ? { stance: meta.stance } : {};
}

const isoOf = (time: number | undefined): string | null => (time === undefined ? null : new Date(time).toISOString());
const round = (value: number): number => Math.round(value * 1e6) / 1e6;
const roundDetail = <T extends { points?: number; factor?: number }>(detail: T): T => ({
  ...detail,
  ...(detail.points === undefined ? {} : { points: round(detail.points) }),
  ...(detail.factor === undefined ? {} : { factor: round(detail.factor) }),
});
