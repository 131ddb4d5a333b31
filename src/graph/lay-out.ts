// Places for the nodes of a drawn graph: what is linked lies together, the same graph always lies the same. First groups that know
// each other are found and set side by side; then springs and repulsion, for a number of rounds that depends on the size alone, make
// room. A generator, because it takes a while: whoever runs it may do other things between two rounds.

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
const MOVES = 500_000;
const [FEWEST_ROUNDS, MOST_ROUNDS] = [12, 160];
const COARSE = 14;
/** Of a crowded place so many neighbours push; more would not look different. */
const NEIGHBOURS = 24;

export function* layOut(drawn: Drawn): Generator<void, Places, void> {
  const { nodes } = drawn;
  const degree = degreesOf(drawn);
  const group = yield* groupsOf(drawn, degree);
  const places = firstPlaces(nodes, group, degree);
  const rounds = Math.round(Math.min(MOST_ROUNDS, Math.max(FEWEST_ROUNDS, MOVES / Math.max(1, nodes))));
  if (nodes > 2)
    for (let round = 0; round < rounds; round++) {
      move(drawn, places, { degree, heat: 1 - round / rounds });
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

type Moving = { readonly degree: Float64Array; readonly heat: number };

/** One round: every node is pushed by those near it, by the crowds further off, and pulled by its links. */
function move(drawn: Drawn, places: Places, { degree, heat }: Moving): void {
  const { nodes, from, to } = drawn;
  const { x, y } = places;
  const [pushX, pushY] = [new Float64Array(nodes), new Float64Array(nodes)];
  const bounds = boundsOf(places);
  const ideal = Math.sqrt((bounds.width * bounds.height) / nodes) || 1;
  pushCrowds(places, bounds, { ideal, pushX, pushY });
  pushNear(places, bounds, { ideal, pushX, pushY });
  for (let edge = 0; edge < from.length; edge++) {
    const [a, b] = [from[edge]!, to[edge]!];
    const [dx, dy] = [x[b]! - x[a]!, y[b]! - y[a]!];
    const distance = Math.hypot(dx, dy);
    // A hub pulls each of its many a little, or it would swallow them.
    const pull = distance / ideal / Math.sqrt(1 + Math.min(degree[a]!, degree[b]!));
    pushX[a]! += dx * pull;
    pushY[a]! += dy * pull;
    pushX[b]! -= dx * pull;
    pushY[b]! -= dy * pull;
  }
  const most = ideal * (0.1 + 4 * heat);
  for (let node = 0; node < nodes; node++) {
    const [dx, dy] = [pushX[node]! - x[node]! * 0.02, pushY[node]! - y[node]! * 0.02];
    const length = Math.hypot(dx, dy);
    if (!(length > 0) || !Number.isFinite(length)) continue;
    const step = Math.min(length, most) / length;
    x[node]! += dx * step;
    y[node]! += dy * step;
  }
}

type Bounds = { readonly left: number; readonly top: number; readonly width: number; readonly height: number };
type Push = { readonly ideal: number; readonly pushX: Float64Array; readonly pushY: Float64Array };

function boundsOf({ x, y }: Places): Bounds {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let node = 0; node < x.length; node++) {
    left = Math.min(left, x[node]!);
    right = Math.max(right, x[node]!);
    top = Math.min(top, y[node]!);
    bottom = Math.max(bottom, y[node]!);
  }
  return { left, top, width: Math.max(1, right - left), height: Math.max(1, bottom - top) };
}

/** The nodes far away push as crowds: each square of a coarse grid with all that is in it, from its middle. */
function pushCrowds({ x, y }: Places, { left, top, width, height }: Bounds, { ideal, pushX, pushY }: Push): void {
  const cells = COARSE * COARSE;
  const [count, sumX, sumY] = [new Float64Array(cells), new Float64Array(cells), new Float64Array(cells)];
  const cellOf = (node: number): number =>
    Math.min(COARSE - 1, Math.floor(((x[node]! - left) / width) * COARSE)) +
    COARSE * Math.min(COARSE - 1, Math.floor(((y[node]! - top) / height) * COARSE));
  for (let node = 0; node < x.length; node++) {
    const cell = cellOf(node);
    count[cell]!++;
    sumX[cell]! += x[node]!;
    sumY[cell]! += y[node]!;
  }
  const filled = Array.from({ length: cells }, (_, cell) => cell).filter((cell) => count[cell]! > 0);
  const near = (2 * ideal) ** 2;
  for (let node = 0; node < x.length; node++) {
    for (const cell of filled) {
      const [dx, dy] = [x[node]! - sumX[cell]! / count[cell]!, y[node]! - sumY[cell]! / count[cell]!];
      const square = dx * dx + dy * dy;
      if (square < near) continue;
      const push = (ideal * ideal * count[cell]!) / square;
      pushX[node]! += dx * push * 0.5;
      pushY[node]! += dy * push * 0.5;
    }
  }
}

/** Those within two steps push one by one. */
function pushNear({ x, y }: Places, { left, top, width, height }: Bounds, { ideal, pushX, pushY }: Push): void {
  const size = 2 * ideal;
  const [columns, rows] = [Math.ceil(width / size) + 1, Math.ceil(height / size) + 1];
  const cells = new Map<number, number[]>();
  const columnOf = (node: number): number => Math.floor((x[node]! - left) / size);
  const rowOf = (node: number): number => Math.floor((y[node]! - top) / size);
  for (let node = 0; node < x.length; node++) {
    const cell = columnOf(node) + rowOf(node) * columns;
    const own = cells.get(cell);
    if (own) own.push(node);
    else cells.set(cell, [node]);
  }
  for (let node = 0; node < x.length; node++) {
    const [column, row] = [columnOf(node), rowOf(node)];
    for (let r = Math.max(0, row - 1); r <= Math.min(rows - 1, row + 1); r++)
      for (let c = Math.max(0, column - 1); c <= Math.min(columns - 1, column + 1); c++) {
        const others = cells.get(c + r * columns);
        if (!others) continue;
        const skip = Math.max(1, Math.ceil(others.length / NEIGHBOURS));
        for (let at = node % skip; at < others.length; at += skip) pushApart(node, others[at]!, skip);
      }
  }

  function pushApart(node: number, other: number, weight: number): void {
    if (node === other) return;
    let [dx, dy] = [x[node]! - x[other]!, y[node]! - y[other]!];
    // Two at the very same place part in a direction of their own.
    if (dx === 0 && dy === 0) [dx, dy] = [Math.cos(node * GOLDEN) * 0.01, Math.sin(node * GOLDEN) * 0.01];
    const push = (ideal * ideal * weight) / Math.max(dx * dx + dy * dy, ideal * ideal * 0.01);
    pushX[node]! += dx * push;
    pushY[node]! += dy * push;
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
  const sorted = far.slice().sort();
  const usual = Math.max(sorted[Math.floor(nodes * 0.95)]!, sorted[nodes - 1]! / 4, 1e-9);
  for (let node = 0; node < nodes; node++) {
    const beyond = far[node]! / usual;
    // What lies beyond the usual is brought closer, the further the more, and keeps its direction.
    const reach = (beyond <= 1 ? beyond : 1 + Math.log(beyond)) * (EXTENT / 2.4);
    const factor = far[node]! > 0 ? Math.min(EXTENT, reach) / far[node]! : 0;
    x[node] = (x[node]! - middleX) * factor;
    y[node] = (y[node]! - middleY) * factor;
  }
}
