// The server's columns as something that can be asked: nodes, their neighbours, what a filter leaves. No drawing here.

import type { GraphAnswer } from '../../../src/viewer-api/protocol.ts';

export type GraphNode = {
  /** Its place in the columns; stable as long as the answer is. */
  readonly at: number;
  readonly ref: string;
  readonly project: string;
  readonly title: string;
  readonly layer: string;
  readonly kind: string;
  readonly status: string;
  readonly degree: number;
};

export type GraphEdge = { readonly from: number; readonly to: number; readonly relation: string };

export type GraphModel = {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  readonly kinds: readonly { readonly layer: string; readonly kind: string; readonly count: number }[];
  readonly total: GraphAnswer['total'];
};

export function graphModel({ nodes, edges, kinds, projects, statuses, relations, total }: GraphAnswer): GraphModel {
  const counts = kinds.map(() => 0);
  const all = nodes.ref.map((ref, at): GraphNode => {
    const kind = nodes.kind[at]!;
    counts[kind]!++;
    return {
      at,
      ref,
      project: projects[nodes.project[at]!] ?? '',
      title: nodes.title[at]!,
      layer: kinds[kind]?.layer ?? '',
      kind: kinds[kind]?.kind ?? '',
      status: statuses[nodes.status[at]!] ?? '',
      degree: nodes.degree[at]!,
    };
  });
  return {
    nodes: all,
    edges: edges.from.map((from, at) => ({
      from,
      to: edges.to[at]!,
      relation: relations[edges.relation[at]!] ?? '',
    })),
    kinds: kinds
      .map((kind, at) => ({ ...kind, count: counts[at]! }))
      .filter(({ count }) => count > 0)
      .sort((a, b) => order(a.layer) - order(b.layer) || b.count - a.count),
    total,
  };
}

const LAYERS = ['record', 'note', 'trace', 'entity'];
const order = (layer: string): number => (LAYERS.indexOf(layer) + LAYERS.length + 1) % (LAYERS.length + 1);

/** Answers that look the same are not drawn again. */
export function isSameGraph(a: GraphAnswer, b: GraphAnswer): boolean {
  const same = (one: readonly unknown[], other: readonly unknown[]) =>
    one.length === other.length && one.every((each, at) => each === other[at]);
  return (
    same(a.nodes.ref, b.nodes.ref) &&
    same(a.nodes.title, b.nodes.title) &&
    same(a.nodes.status, b.nodes.status) &&
    same(a.edges.from, b.edges.from) &&
    same(a.edges.to, b.edges.to)
  );
}

export const kindKey = ({ layer, kind }: { readonly layer: string; readonly kind: string }): string =>
  `${layer}/${kind}`;

export type Look = {
  readonly hidden: ReadonlySet<string>;
  readonly search: string;
  readonly focus: number | undefined;
  /** A neighbourhood of its own: all of it is what was asked for. */
  readonly isNear: boolean;
};

/** What is drawn strongly, faintly (absent from `strong`) or not at all (absent from both). */
export type Seen = { readonly shown: ReadonlySet<number>; readonly strong: ReadonlySet<number> };

export function seen(model: GraphModel, { hidden, search, focus, isNear }: Look): Seen {
  const shown = new Set(model.nodes.filter((node) => !hidden.has(kindKey(node))).map(({ at }) => at));
  if (focus !== undefined) {
    shown.add(focus);
    if (isNear) return { shown, strong: shown };
    return { shown, strong: new Set([focus, ...neighbours(model, focus).map(({ node }) => node.at)]) };
  }
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return { shown, strong: shown };
  const strong = model.nodes.filter((node) => {
    const text = `${node.title} ${node.ref}`.toLowerCase();
    return shown.has(node.at) && words.every((word) => text.includes(word));
  });
  return { shown, strong: new Set(strong.map(({ at }) => at)) };
}

export type Neighbour = { readonly node: GraphNode; readonly relation: string; readonly direction: 'in' | 'out' };

export function neighbours(model: GraphModel, focus: number): Neighbour[] {
  const found = new Map<number, Neighbour>();
  for (const { from, to, relation } of model.edges) {
    const other = from === focus ? to : to === focus ? from : undefined;
    if (other === undefined || other === focus || found.has(other)) continue;
    found.set(other, { node: model.nodes[other]!, relation, direction: from === focus ? 'out' : 'in' });
  }
  return [...found.values()].sort((a, b) => b.node.degree - a.node.degree || a.node.at - b.node.at);
}

export const nodeSize = (degree: number): number => 2.5 + Math.min(12, Math.sqrt(degree) * 1.3);
