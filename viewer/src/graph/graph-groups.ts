// Groups of a large graph as a small one: what hangs together more with each other than with the rest is one node, named by its best
// linked members. And one group by itself, with as many of its members as have room for their names. No drawing here.

import type { GraphEdge, GraphModel, GraphNode } from './graph-model.ts';

export type Group = {
  /** Of the member that names it, one of its best linked: stays the same where the numbers of groups do not. */
  readonly ref: string;
  readonly project: string;
  readonly title: string;
  /** Names of things that are much spoken of in it. */
  readonly about: readonly string[];
  /** The best linked first. */
  readonly members: readonly number[];
};

/** What is in no group of this size is left over: alone, or with one or two others. */
const SMALLEST = 4;
const ABOUT = 3;
const LONGEST_NAME = 24;

export function groupsOf({ nodes }: GraphModel, group: Int32Array): Group[] {
  const members = new Map<number, number[]>();
  for (const { at } of nodes) {
    const of = group[at] ?? at;
    const known = members.get(of);
    if (known) known.push(at);
    else members.set(of, [at]);
  }
  const taken = new Set<string>();
  const better = (a: number, b: number) => nodes[b]!.degree - nodes[a]!.degree || a - b;
  return [...members.values()]
    .filter(({ length }) => length >= SMALLEST)
    .sort((a, b) => b.length - a.length || a[0]! - b[0]!)
    .map((each): Group => {
      const sorted = each.sort(better);
      // Two groups are told apart by their names: the smaller one is called by its best member whose name is not taken.
      const best = nodes[sorted.find((at) => !taken.has(nameOf(nodes[at]!))) ?? sorted[0]!]!;
      taken.add(nameOf(best));
      const about = sorted
        .map((at) => nodes[at]!)
        .filter((node) => node.layer === 'entity' && node !== best)
        .map(nameOf)
        .filter((name) => name.length <= LONGEST_NAME);
      // A name that is spoken of belongs to no project; what was said about it does.
      const project = sorted.map((at) => nodes[at]!.project).find(Boolean) ?? '';
      const { ref } = best;
      return { ref, project, title: nameOf(best), about: [...new Set(about)].slice(0, ABOUT), members: sorted };
    });
}

/** Of a file the end of its path. */
const nameOf = ({ layer, kind, title, ref }: GraphNode): string =>
  layer === 'entity' && kind === 'file' ? (title.split(/[\\/]/).at(-1) ?? title) : title || ref;

export type Between = { readonly from: number; readonly to: number; readonly links: number };

/** Each group is joined to those that it has most links with: with all lines drawn, everything hangs together with everything. */
const STRONGEST = 2;

export function linksBetween({ edges }: GraphModel, groups: readonly Group[]): Between[] {
  const home = new Map<number, number>();
  groups.forEach(({ members }, at) => {
    for (const each of members) home.set(each, at);
  });
  const links = new Map<number, number>();
  for (const { from, to } of edges) {
    const [a, b] = [home.get(from), home.get(to)];
    if (a === undefined || b === undefined || a === b) continue;
    const pair = Math.min(a, b) * groups.length + Math.max(a, b);
    links.set(pair, (links.get(pair) ?? 0) + 1);
  }
  const all = [...links]
    .map(([pair, many]) => ({ from: Math.floor(pair / groups.length), to: pair % groups.length, links: many }))
    .sort((a, b) => b.links - a.links || a.from - b.from || a.to - b.to);
  const kept = new Set<Between>();
  groups.forEach((_, at) => {
    for (const each of all.filter(({ from, to }) => from === at || to === at).slice(0, STRONGEST)) kept.add(each);
  });
  return all.filter((each) => kept.has(each));
}

/** The groups as a graph that can be laid out. */
export function groupGraph(model: GraphModel, groups: readonly Group[], between: readonly Between[]): GraphModel {
  return {
    nodes: groups.map(({ members }, at) => ({ ...model.nodes[members[0]!]!, at, degree: members.length })),
    edges: between.map(({ from, to }) => ({ from, to, relation: '' })),
    kinds: [],
    total: model.total,
  };
}

/** The best linked members of one group, and the links between them. */
export function membersOnly(model: GraphModel, { members }: Group, most: number): GraphModel {
  const chosen = members.slice(0, most);
  const places = new Map(chosen.map((at, place) => [at, place]));
  const edges: GraphEdge[] = [];
  for (const { from, to, relation } of model.edges) {
    const [a, b] = [places.get(from), places.get(to)];
    if (a !== undefined && b !== undefined) edges.push({ from: a, to: b, relation });
  }
  const nodes = chosen.map((at, place) => ({ ...model.nodes[at]!, at: place }));
  const has = (layer: string, kind: string) =>
    nodes.filter((node) => node.layer === layer && node.kind === kind).length;
  return {
    nodes,
    edges,
    kinds: model.kinds
      .map(({ layer, kind }) => ({ layer, kind, count: has(layer, kind) }))
      .filter(({ count }) => count > 0),
    total: { ...model.total, nodes: members.length },
  };
}

/** Which group a memory is in. */
export const groupWith = (groups: readonly Group[], model: GraphModel, ref: string): Group | undefined =>
  groups.find(({ members }) => members.some((at) => model.nodes[at]!.ref === ref));
