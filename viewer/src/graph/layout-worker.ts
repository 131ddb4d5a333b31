// Places for the nodes of a graph, by ForceAtlas2, beside the page: the page stays usable. The same graph ends in the same places. A
// small graph is laid out as one and seen as it gets better; a large one group by group (group-places.ts).

import { UndirectedGraph } from 'graphology';
import type { ForceAtlas2Settings } from 'graphology-layout-forceatlas2';
import * as forceAtlas2 from 'graphology-layout-forceatlas2';
import { communitiesOf } from './communities.ts';
import { beyond, type Disc, discRadius, intoDisc, packDiscs } from './group-places.ts';

export type LayoutWanted = {
  readonly nodes: number;
  readonly from: readonly number[];
  readonly to: readonly number[];
  readonly sizes: readonly number[];
  /** Which nodes belong together is enough; they need no places. */
  readonly isGroupsOnly?: boolean;
};
/** `done`: the last of them. */
export type LayoutStep = {
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly group: Int32Array;
  readonly done: boolean;
};

/** It is a CommonJS module: what it exports is its default, which not every reader of its types knows. */
type Layout = {
  assign(graph: UndirectedGraph, wanted: { iterations: number; settings: ForceAtlas2Settings }): void;
  inferSettings(graph: UndirectedGraph): ForceAtlas2Settings;
};
const layout = forceAtlas2.default as unknown as Layout;
const ROUNDS = 8;
/** Up to so many a graph is laid out as one. */
const SMALL = 400;
/** Fewer than these are no group of their own. */
const SMALLEST_GROUP = 4;

self.addEventListener('message', ({ data }: MessageEvent<LayoutWanted>) => {
  const group = communitiesOf(data.nodes, data.from, data.to);
  const tell = (places: readonly Point[], done: boolean) => {
    const step: LayoutStep = {
      x: Float32Array.from(places, ({ x }) => x),
      y: Float32Array.from(places, ({ y }) => y),
      group,
      done,
    };
    self.postMessage(step, { transfer: [step.x.buffer, step.y.buffer] });
  };
  if (data.isGroupsOnly) tell([], true);
  else if (data.nodes <= SMALL) inSteps(data, group, tell);
  else tell(byGroups(data, group), true);
});

type Point = { x: number; y: number };

function inSteps(wanted: LayoutWanted, group: Int32Array, tell: (places: readonly Point[], done: boolean) => void) {
  const graph = graphOf(wanted, beginnings(group));
  const settings = settingsFor(graph);
  for (let round = 0; round < ROUNDS; round++) {
    layout.assign(graph, { iterations: 40, settings });
    tell(placesIn(graph, wanted.nodes), round === ROUNDS - 1);
  }
}

const settingsFor = (graph: UndirectedGraph): ForceAtlas2Settings => ({
  ...layout.inferSettings(graph),
  adjustSizes: graph.order <= SMALL,
  barnesHutOptimize: graph.order > SMALL,
  gravity: graph.order <= SMALL ? 0.6 : 1,
  linLogMode: graph.order > SMALL,
});

function graphOf({ nodes, from, to, sizes }: LayoutWanted, start: readonly Point[]): UndirectedGraph {
  const graph = new UndirectedGraph({ allowSelfLoops: false });
  for (let at = 0; at < nodes; at++) graph.addNode(at, { ...start[at], size: sizes[at] ?? 3 });
  for (let at = 0; at < from.length; at++) {
    const [a, b] = [from[at]!, to[at]!];
    if (a !== b && !graph.hasUndirectedEdge(a, b)) graph.addUndirectedEdge(a, b);
  }
  return graph;
}

const placesIn = (graph: UndirectedGraph, nodes: number): Point[] =>
  Array.from({ length: nodes }, (_, at) => graph.getNodeAttributes(at) as Point);

function laidOut(wanted: LayoutWanted, start: readonly Point[], iterations: number): Point[] {
  const graph = graphOf(wanted, start);
  layout.assign(graph, { iterations, settings: settingsFor(graph) });
  return placesIn(graph, wanted.nodes);
}

/** Groups among each other, then each inside its disc; what is in none stands around them all. */
function byGroups(wanted: LayoutWanted, group: Int32Array): Point[] {
  const members = membersOf(group);
  const groups = [...members].filter(([, each]) => each.length >= SMALLEST_GROUP);
  const names = new Map(groups.map(([name], at) => [name, at]));
  const discs = discsOf(wanted, group, groups, names);
  const places: Point[] = new Array(wanted.nodes);
  const inner = innerLinks(wanted, group, names);
  groups.forEach(([, each], at) => {
    const own = new Map(each.map((node, place) => [node, place]));
    const links = inner[at]!;
    const found = laidOut(
      {
        nodes: each.length,
        from: links.map(([a]) => own.get(a)!),
        to: links.map(([, b]) => own.get(b)!),
        sizes: each.map((node) => wanted.sizes[node] ?? 3),
      },
      spiral(each.length),
      each.length <= SMALL ? 120 : 40,
    );
    intoDisc(found, discs[at]!).forEach((point, place) => {
      places[each[place]!] = point;
    });
  });
  const left = [...members.values()].filter((each) => each.length < SMALLEST_GROUP).flat();
  left.forEach((node, place) => {
    const turn = (place / left.length) * 2 * Math.PI;
    places[node] = beyond(discs, turn);
  });
  return places;
}

function discsOf(
  { from, to }: LayoutWanted,
  group: Int32Array,
  groups: readonly (readonly [number, readonly number[]])[],
  names: ReadonlyMap<number, number>,
): Disc[] {
  const [one, other]: [number[], number[]] = [[], []];
  for (let at = 0; at < from.length; at++) {
    const [a, b] = [names.get(group[from[at]!]!), names.get(group[to[at]!]!)];
    if (a === undefined || b === undefined || a === b) continue;
    one.push(a);
    other.push(b);
  }
  const radii = groups.map(([, each]) => discRadius(each.length));
  const found = laidOut({ nodes: groups.length, from: one, to: other, sizes: radii }, spiral(groups.length, 60), 200);
  const discs = found.map(({ x, y }, at): Disc => ({ x, y, r: radii[at]! }));
  packDiscs(discs);
  return discs;
}

function membersOf(group: Int32Array): Map<number, number[]> {
  const members = new Map<number, number[]>();
  group.forEach((name, at) => {
    const known = members.get(name);
    if (known) known.push(at);
    else members.set(name, [at]);
  });
  return members;
}

function innerLinks({ from, to }: LayoutWanted, group: Int32Array, names: ReadonlyMap<number, number>) {
  const links: [number, number][][] = Array.from({ length: names.size }, () => []);
  for (let at = 0; at < from.length; at++) {
    const [a, b] = [from[at]!, to[at]!];
    if (group[a] === group[b] && names.has(group[a]!)) links[names.get(group[a]!)!]!.push([a, b]);
  }
  return links;
}

const spiral = (nodes: number, step = 10): Point[] =>
  Array.from({ length: nodes }, (_, at) => ({
    x: step * Math.sqrt(at) * Math.cos(at * 2.4),
    y: step * Math.sqrt(at) * Math.sin(at * 2.4),
  }));

/** Groups on a spiral, the largest in the middle; the nodes of each on a small one of its own. */
function beginnings(group: Int32Array): Point[] {
  const members = [...membersOf(group).values()].sort((a, b) => b.length - a.length || a[0]! - b[0]!);
  const start: Point[] = new Array(group.length);
  const far = spiral(members.length, 40);
  members.forEach((each, place) => {
    const near = spiral(each.length, 3);
    each.forEach((node, at) => {
      start[node] = { x: far[place]!.x + near[at]!.x, y: far[place]!.y + near[at]!.y };
    });
  });
  return start;
}
