// What is related to a node: what it links to, what links to it, and what shares its tags. The score says how much:
//   a link counts by its relation (supersedes 5, depends_on 4, related 3, a mere mention 3), in either direction;
//   a shared tag counts 1 / log2(1 + n), where n nodes have it: 0.63 if they are the only two, 0.1 among a thousand.

import type { Graph } from './graph.ts';
import type { GraphNode, Relation } from './graph-node.ts';

export type Related = {
  readonly key: string;
  readonly score: number;
  /** `links_to`, `linked_from`, `supersedes`, `superseded_by`, …, `tag:auth` */
  readonly why: readonly string[];
};

const WEIGHTS: { readonly [relation in Relation]: number } = { links_to: 3, related: 3, depends_on: 4, supersedes: 5 };
const BACKWARDS: { readonly [relation in Relation]: string } = {
  links_to: 'linked_from',
  related: 'related_from',
  depends_on: 'needed_by',
  supersedes: 'superseded_by',
};

/** Best first; equally good ones by key. */
export function relatedTo(graph: Graph, key: string): Related[] {
  const node = graph.node(key);
  if (!node) return [];
  const found = new Map<string, { score: number; why: string[] }>();
  const add = (other: string, score: number, why: string): void => {
    if (other === key) return;
    const known = found.get(other);
    if (known) {
      known.score += score;
      known.why.push(why);
    } else {
      found.set(other, { score, why: [why] });
    }
  };
  for (const target of node.links_to) {
    const relation = relationTo(node, target);
    add(target, WEIGHTS[relation], relation);
  }
  for (const source of node.linked_from) {
    const from = graph.node(source);
    const relation = from ? relationTo(from, key) : 'links_to';
    add(source, WEIGHTS[relation], BACKWARDS[relation]);
  }
  for (const tag of node.tags) {
    const sharers = graph.ofTag(tag);
    const weight = 1 / Math.log2(1 + sharers.length);
    for (const other of sharers) add(other, weight, `tag:${tag}`);
  }
  return [...found]
    .map(([other, { score, why }]) => ({ key: other, score: Math.round(score * 1000) / 1000, why }))
    .sort((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1));
}

export function relationTo(node: GraphNode, target: string): Relation {
  const named = Object.entries(node.edges ?? {}).find(([, targets]) => targets?.includes(target));
  return (named?.[0] as Relation | undefined) ?? 'links_to';
}
