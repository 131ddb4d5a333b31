// Places for the nodes of a drawn graph: what is linked lies together, the same graph always lies the same. First groups that know
// each other are found and set side by side; then springs and repulsion, for a number of rounds that depends on the size alone, make
// room. A generator, because it takes a while: whoever runs it may do other things between two rounds.

import { BarnesHut } from './barnes-hut.ts';

export type Drawn = {
  readonly nodes: number;
  /** Positions of the nodes that each edge joins. */
  readonly from: ArrayLike<number>;
  readonly to: ArrayLike<number>;
};

export type Places = { readonly x: Float64Array; readonly y: Float64Array };

/** All places lie within −EXTENT … EXTENT. */
const EXTENT = 1_000;
const GOLDEN = Math.PI * (3 - Math.sqrt(5));
const LABEL_ROUNDS = 6;
/** About so many moves of one node in all, shared among the nodes. */
const MOVES = 150_000;
const [FEWEST_ROUNDS, MOST_ROUNDS] = [12, 100];
/** How far a node may go in the first round, and how much of what pushes it it follows. */
const [HEAT, STEP] = [2, 0.2];
const GRAVITY = 0.6;
/** How strongly a link pulls inside a group, and between two. */
const [WITHIN, BETWEEN] = [4, 1.2];

export function* layOut(drawn: Drawn): Generator<void, Places, void> {
  const { nodes } = drawn;
  const degree = degreesOf(drawn);
  const group = yield* groupsOf(drawn, degree);
  const places = firstPlaces(nodes, group, degree);
  const rounds = Math.round(Math.min(MOST_ROUNDS, Math.max(FEWEST_ROUNDS, MOVES / Math.max(1, nodes))));
  if (nodes > 2)
    for (let round = 0; round < rounds; round++) {
      move(drawn, places, { degree, group }, 1 - round / rounds);
      yield;
    }
  scale(places);
  return places;
}

function degreesOf({ nodes, from, to }: Drawn): Float64Array {
  const degree = new Float64Array(nodes);
  for (let edge = 0; edge < from.length; edge++) {
    degree[from[edge]!]!++;
    degree[to[edge]!]!++;
  }
  return degree;
}

/** Neighbours of each node one after the other, `start` telling where. */
function neighbours({ nodes, from, to }: Drawn, degree: Float64Array): { start: Uint32Array; list: Uint32Array } {
  const start = new Uint32Array(nodes + 1);
  for (let node = 0; node < nodes; node++) start[node + 1] = start[node]! + degree[node]!;
  const next = start.slice();
  const list = new Uint32Array(from.length * 2);
  for (let edge = 0; edge < from.length; edge++) {
    list[next[from[edge]!]!++] = to[edge]!;
    list[next[to[edge]!]!++] = from[edge]!;
  }
  return { start, list };
}

/** Each node takes the group that most of its neighbours have; one that everybody knows says little. */
function* groupsOf(drawn: Drawn, degree: Float64Array): Generator<void, Uint32Array, void> {
  const { start, list } = neighbours(drawn, degree);
  const group = Uint32Array.from({ length: drawn.nodes }, (_, node) => node);
  const votes = new Map<number, number>();
  for (let round = 0; round < LABEL_ROUNDS; round++) {
    let moved = 0;
    for (let node = 0; node < drawn.nodes; node++) {
      votes.clear();
      for (let at = start[node]!; at < start[node + 1]!; at++) {
        const other = list[at]!;
        votes.set(group[other]!, (votes.get(group[other]!) ?? 0) + 1 / Math.log2(2 + degree[other]!));
      }
      let [best, most] = [group[node]!, votes.get(group[node]!) ?? 0];
      for (const [label, count] of votes) if (count > most + 1e-9) [best, most] = [label, count];
      if (best !== group[node]) moved++;
      group[node] = best;
    }
    yield;
    if (moved === 0) break;
  }
  return group;
}

/** Large groups in the middle, each a disc as large as its number; in a disc the best linked in the middle. */
function firstPlaces(nodes: number, group: Uint32Array, degree: Float64Array): Places {
  const members = new Map<number, number[]>();
  for (let node = 0; node < nodes; node++) {
    const own = members.get(group[node]!);
    if (own) own.push(node);
    else members.set(group[node]!, [node]);
  }
  const groups = [...members.values()].sort((a, b) => b.length - a.length || a[0]! - b[0]!);
  const [x, y] = [new Float64Array(nodes), new Float64Array(nodes)];
  let before = 0;
  groups.forEach((own, at) => {
    const far = at === 0 ? 0 : Math.sqrt(before + own.length) * 1.5;
    const [centreX, centreY] = [Math.cos(at * GOLDEN) * far, Math.sin(at * GOLDEN) * far];
    own.sort((a, b) => degree[b]! - degree[a]! || a - b);
    own.forEach((node, place) => {
      const radius = Math.sqrt(place);
      x[node] = centreX + Math.cos(place * GOLDEN) * radius;
      y[node] = centreY + Math.sin(place * GOLDEN) * radius;
    });
    before += own.length;
  });
  return { x, y };
}

type Known = { readonly degree: Float64Array; readonly group: Uint32Array };

/**
 * One round: every node is pushed by all others, pulled by its links, and drawn to the middle. Lengths are in distances between
 * neighbours. The loops are written plainly, number by number: they run millions of times.
 */
function move({ from, to }: Drawn, { x, y }: Places, { degree, group }: Known, heat: number): void {
  const nodes = x.length;
  const push = new BarnesHut(x, y).pushes();
  for (let edge = 0; edge < from.length; edge++) {
    const a = from[edge]!;
    const b = to[edge]!;
    const dx = x[b]! - x[a]!;
    const dy = y[b]! - y[a]!;
    const distance = Math.sqrt(dx * dx + dy * dy);
    if (distance === 0) continue;
    // The logarithm, and little from one group to another: groups stay apart, and a far link does not tear one open.
    const pull = ((group[a] === group[b] ? WITHIN : BETWEEN) * Math.log1p(distance)) / distance;
    // Who has many links is pulled by each of them less.
    const slowA = pull / Math.sqrt(degree[a]!);
    const slowB = pull / Math.sqrt(degree[b]!);
    push.x[a]! += dx * slowA;
    push.y[a]! += dy * slowA;
    push.x[b]! -= dx * slowB;
    push.y[b]! -= dy * slowB;
  }
  const most = 0.05 + HEAT * heat;
  for (let node = 0; node < nodes; node++) {
    const dx = push.x[node]! - x[node]! * GRAVITY;
    const dy = push.y[node]! - y[node]! * GRAVITY;
    const length = Math.sqrt(dx * dx + dy * dy);
    if (!(length > 0)) continue;
    const step = Math.min(length * STEP, most) / length;
    x[node]! += dx * step;
    y[node]! += dy * step;
  }
}

/** Into the extent, without stretching; far-off stragglers are drawn in, so that they do not make all the rest small. */
function scale({ x, y }: Places): void {
  const nodes = x.length;
  if (nodes === 0) return;
  let [middleX, middleY] = [0, 0];
  for (let node = 0; node < nodes; node++) {
    middleX += x[node]! / nodes;
    middleY += y[node]! / nodes;
  }
  const far = Float64Array.from({ length: nodes }, (_, node) => Math.hypot(x[node]! - middleX, y[node]! - middleY));
  const ascending = far.slice().sort();
  const usual = Math.max(ascending[Math.floor(nodes * 0.95)]!, ascending[nodes - 1]! / 4, 1e-9);
  for (let node = 0; node < nodes; node++) {
    const beyond = far[node]! / usual;
    // What lies beyond the usual is brought closer, the further the more, and keeps its direction.
    const reach = (beyond <= 1 ? beyond : 1 + Math.log(beyond)) * (EXTENT / 1.2);
    const factor = far[node]! > 0 ? Math.min(EXTENT, reach) / far[node]! : 0;
    x[node] = (x[node]! - middleX) * factor;
    y[node] = (y[node]! - middleY) * factor;
  }
}
