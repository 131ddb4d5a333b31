// Questions to the graph. Filters combine: a node must pass all of them. They are asked in the order of their cost, and nodes are
// looked up only as far as the answer needs them.

import { CairnError } from '../errors.ts';
import type { Graph } from './graph.ts';
import { type GraphNode, isRecordKey, timeOf } from './graph-node.ts';
import { damagedGraph } from './graph-part.ts';
import { bestFirst, type Reason, reasonsOf, rounded, scores, whyRelated } from './related.ts';
import { type ReadBody, scoreOf, wordsOf } from './search-nodes.ts';
import { similarNames } from './similar-names.ts';

export type GraphQuery = {
  /** An id, a REF or a record's slug. */
  readonly id?: string;
  /** Any of these types. */
  readonly types?: readonly string[];
  /** All of these tags. */
  readonly tags?: readonly string[];
  readonly related?: string;
  readonly search?: string;
  /** Any of these. */
  readonly statuses?: readonly string[];
  /** Made or changed at or after this time, in milliseconds. */
  readonly since?: number;
  /** The newest so many, newest first. */
  readonly recent?: number;
  readonly limit?: number;
};

export type Found = {
  readonly key: string;
  readonly node: GraphNode;
  readonly score?: number;
  readonly why?: readonly string[];
};
export type Answer = {
  readonly found: readonly Found[];
  /** How many there are without the limit. */
  readonly total: number;
};

export type QueryContext = {
  /** May be asked for even if no node has them yet. */
  readonly knownTypes: readonly string[];
  readonly knownStatuses: readonly string[];
  readonly readBody: ReadBody;
};

type Candidate = { readonly key: string; readonly score?: number };
/** In the order of the answer. */
type Candidates = { readonly size: number; readonly each: Iterable<Candidate>; readonly reasons?: readonly Reason[] };
type NodeOf = (key: string) => GraphNode;

export function queryGraph(graph: Graph, query: GraphQuery, context: QueryContext): Answer {
  assertTypes(graph, query.types ?? [], context.knownTypes);
  const candidates = ordered(graph, query, keysThat(graph, query));
  const words = wordsOf(query.search ?? '');
  const isFiltered = query.statuses !== undefined || query.since !== undefined;
  const nodeOf = reader(graph);
  const search = { words, nodeOf, readBody: context.readBody };
  const hits = words.length > 0 ? searched(candidates.each, query, search) : candidates.each;
  const limit = Math.min(query.limit ?? Number.POSITIVE_INFINITY, query.recent ?? Number.POSITIVE_INFINITY);
  const found: Found[] = [];
  let total = 0;
  for (const hit of hits) {
    const isFull = found.length >= limit;
    if (isFull && query.recent !== undefined) break; // the others are not asked for
    if (isFull && !isFiltered && words.length === 0) {
      total = candidates.size;
      break;
    }
    const node = nodeOf(hit.key);
    if (!passes(node, query)) continue;
    total++;
    if (!isFull) found.push(withReasons({ ...hit, node }, candidates.reasons));
  }
  if (total === 0) assertStatuses(query.statuses ?? [], context.knownStatuses);
  return { found, total };
}

const withReasons = (found: Found, reasons: readonly Reason[] | undefined): Found =>
  reasons ? { ...found, why: whyRelated(reasons, found.key) } : found;

function reader(graph: Graph): NodeOf {
  return (key) => {
    const node = graph.node(key);
    if (!node) throw damagedGraph();
    return node;
  };
}

/** What the lists of graph.json answer alone; `undefined` for all. */
function keysThat(graph: Graph, query: GraphQuery): Set<string> | undefined {
  const sets: (readonly string[])[] = [];
  if (query.id !== undefined) sets.push([keyOf(graph, query.id)]);
  if (query.types) sets.push(query.types.flatMap((type) => graph.ofType(typeName(type))));
  for (const tag of query.tags ?? []) sets.push(graph.ofTag(tag));
  if (sets.length === 0) return undefined;
  const [first, ...others] = sets.sort((a, b) => a.length - b.length).map((keys) => new Set(keys));
  return new Set([...first!].filter((key) => others.every((keys) => keys.has(key))));
}

/** By how much they are related, if that was asked; else the newest first. `--recent` is always by age. */
function ordered(graph: Graph, query: GraphQuery, keys: Set<string> | undefined): Candidates {
  if (query.related === undefined) {
    const chosen = !keys ? graph.recent : keys.size <= 1 ? [...keys] : graph.recent.filter((key) => keys.has(key));
    return { size: chosen.length, each: chosen.map((key) => ({ key })) };
  }
  const self = keyOf(graph, query.related);
  const reasons = reasonsOf(graph, self);
  const sums = scores(reasons, self, keys);
  const byAge = query.recent === undefined ? undefined : graph.recent.filter((key) => sums.has(key));
  return {
    size: sums.size,
    reasons,
    each: byAge ? byAge.map((key) => ({ key, score: rounded(sums.get(key)!) })) : ranked(sums),
  };
}

function* ranked(sums: ReadonlyMap<string, number>): Generator<Candidate> {
  for (const [key, score] of bestFirst(sums)) yield { key, score };
}

/** Related nodes keep the order of their kinship, recent ones that of their age. */
function searched(
  candidates: Iterable<Candidate>,
  query: GraphQuery,
  { words, nodeOf, readBody }: { words: readonly string[]; nodeOf: NodeOf; readBody: ReadBody },
): Candidate[] {
  const hits: (Candidate & { score: number })[] = [];
  for (const candidate of candidates) {
    const node = nodeOf(candidate.key);
    const score = passes(node, query) ? scoreOf(candidate.key, node, words, readBody) : 0;
    if (score > 0) hits.push({ ...candidate, score: candidate.score ?? score });
  }
  return query.related !== undefined || query.recent !== undefined ? hits : hits.sort((a, b) => b.score - a.score);
}

function passes(node: GraphNode, { statuses, since }: GraphQuery): boolean {
  if (statuses && !statuses.includes(node.status)) return false;
  return since === undefined || timeOf(node) >= since || Date.parse(node.created) >= since;
}

function keyOf(graph: Graph, written: string): string {
  const key = graph.find(written);
  if (key !== undefined) return key;
  const near = similarNames(written.replace(/^(?:note|record):/i, ''), graph.recent, (each) =>
    isRecordKey(each) ? each.slice('record:'.length) : each,
  );
  throw new CairnError('NOT_FOUND', `There is no note or record ${JSON.stringify(written)}.`, {
    fix:
      near.length > 0
        ? `Did you mean ${near.join(', ')}?`
        : '`cairn query --recent 20 --json` shows the newest ones with their ids.',
  });
}

function assertTypes(graph: Graph, types: readonly string[], known: readonly string[]): void {
  if (types.every((type) => known.includes(typeName(type)))) return;
  const all = [...new Set([...known, ...graph.types.keys()])];
  const unknown = types.find((type) => !all.includes(typeName(type)));
  if (unknown === undefined) return;
  throw new CairnError('USAGE_ERROR', `There is no type ${JSON.stringify(unknown)}.`, {
    fix: `Choose one of ${all.join(', ')}.`,
  });
}

/** People may use words of their own for a status; only one that finds nothing is suspicious. */
function assertStatuses(statuses: readonly string[], known: readonly string[]): void {
  const unknown = statuses.find((status) => !known.includes(status));
  if (unknown === undefined) return;
  throw new CairnError(
    'USAGE_ERROR',
    `No node has the status ${JSON.stringify(unknown)}, and it is none that Cairn knows.`,
    {
      fix: `Choose one of ${known.join(', ')}.`,
    },
  );
}

const typeName = (type: string): string => type.trim().toLowerCase();
