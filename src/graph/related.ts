// What is related to a node: what it links to, what links to it, and what shares its tags. The score says how much:
//   a link counts by its relation (supersedes 5, depends_on 4, related 3, a mere mention 3), in either direction;
//   a shared tag counts 1 / log2(1 + n), where n nodes have it: 0.63 if they are the only two, 0.1 among a thousand;
//   a tag that more than a thousand nodes have, and more than half of all, says nothing and does not count.

import type { Graph } from './graph.ts';
import type { GraphNode, Relation } from './graph-node.ts';

const WEIGHTS: { readonly [relation in Relation]: number } = { links_to: 3, related: 3, depends_on: 4, supersedes: 5 };
const BACKWARDS: { readonly [relation in Relation]: string } = {
  links_to: 'linked_from',
  related: 'related_from',
  depends_on: 'needed_by',
  supersedes: 'superseded_by',
};

const COMMON_FROM = 1_000;

export type Reason = {
  /** `links_to`, `linked_from`, `supersedes`, `superseded_by`, …, `tag:auth` */
  readonly why: string;
  readonly score: number;
  readonly keys: readonly string[];
};

/** Everything that makes another node related to this one. */
export function reasonsOf(graph: Graph, key: string): Reason[] {
  const node = graph.node(key);
  if (!node) return [];
  const links = node.links_to.map((target): Reason => {
    const relation = relationTo(node, target);
    return { why: relation, score: WEIGHTS[relation], keys: [target] };
  });
  const backlinks = node.linked_from.map((source): Reason => {
    const from = graph.node(source);
    const relation = from ? relationTo(from, key) : 'links_to';
    return { why: BACKWARDS[relation], score: WEIGHTS[relation], keys: [source] };
  });
  const tags = node.tags.map((tag): Reason => {
    const keys = graph.ofTag(tag);
    return { why: `tag:${tag}`, score: 1 / Math.log2(1 + keys.length), keys };
  });
  const most = Math.max(COMMON_FROM, graph.nodeCount / 2);
  return [...links, ...backlinks, ...tags.filter(({ keys }) => keys.length <= most)];
}

/** What the reasons speak for, by score; `among` leaves out all others. */
export function scores(reasons: readonly Reason[], self: string, among?: ReadonlySet<string>): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { score, keys } of reasons) {
    for (const key of keys) if (key !== self && (!among || among.has(key))) sums.set(key, (sums.get(key) ?? 0) + score);
  }
  return sums;
}

/** Best first; equally good ones by key. Sorts no more than is taken: a common tag relates thousands of nodes equally little. */
export function* bestFirst(sums: ReadonlyMap<string, number>): Generator<[key: string, score: number]> {
  const byScore = new Map<number, string[]>();
  for (const [key, sum] of sums) {
    const score = rounded(sum);
    const equals = byScore.get(score);
    if (equals) equals.push(key);
    else byScore.set(score, [key]);
  }
  for (const score of [...byScore.keys()].sort((a, b) => b - a))
    for (const key of byScore.get(score)!.sort()) yield [key, score];
}

export const rounded = (score: number): number => Math.round(score * 1000) / 1000;

export const whyRelated = (reasons: readonly Reason[], key: string): string[] =>
  reasons.filter(({ keys }) => keys.includes(key)).map(({ why }) => why);

export function relationTo(node: GraphNode, target: string): Relation {
  const named = Object.entries(node.edges ?? {}).find(([, targets]) => targets?.includes(target));
  return (named?.[0] as Relation | undefined) ?? 'links_to';
}
