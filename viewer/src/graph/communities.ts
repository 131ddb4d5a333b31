// Which nodes of a graph belong together, by modularity (the method of Louvain): every node moves to the group of neighbours where it
// adds most, groups become the nodes of a smaller graph, and so on until nothing is gained. Nodes are asked in their order and ties go
// to the smaller name, so that the same graph always has the same groups.

const ROUNDS = 20;
const LEVELS = 8;

/** Above 1 there are more and smaller groups; real conversations hang together by a few hubs, and would be three large ones. */
const RESOLUTION = 1.4;

type Weighted = { readonly beside: readonly ReadonlyMap<number, number>[]; readonly own: readonly number[] };

/** A group for each node, named by a number. */
export function communitiesOf(nodes: number, from: readonly number[], to: readonly number[]): Int32Array {
  const beside = Array.from({ length: nodes }, () => new Map<number, number>());
  for (let at = 0; at < from.length; at++) {
    const [a, b] = [from[at]!, to[at]!];
    if (a === b) continue;
    // Two nodes are joined or not, however many links there are between them.
    beside[a]!.set(b, 1);
    beside[b]!.set(a, 1);
  }
  const found = Int32Array.from({ length: nodes }, (_, at) => at);
  let graph: Weighted = { beside, own: new Array(nodes).fill(0) };
  for (let level = 0; level < LEVELS; level++) {
    const { group, hasMoved } = moved(graph);
    if (!hasMoved) break;
    const names = renamed(group);
    for (let at = 0; at < nodes; at++) found[at] = names.of[found[at]!]!;
    graph = joined(graph, names.of, names.count);
  }
  return found;
}

/** One level: nobody gains by moving any more. */
function moved({ beside, own }: Weighted): { group: Int32Array; hasMoved: boolean } {
  const weight = beside.map((each, at) => own[at]! + [...each.values()].reduce((sum, one) => sum + one, 0));
  const all = weight.reduce((sum, one) => sum + one, 0) || 1;
  const group = Int32Array.from({ length: beside.length }, (_, at) => at);
  const total = [...weight];
  let hasMoved = false;
  for (let round = 0; round < ROUNDS; round++) {
    let changed = 0;
    for (let at = 0; at < beside.length; at++) {
      const [home, mine] = [group[at]!, weight[at]!];
      total[home]! -= mine;
      const links = new Map<number, number>([[home, 0]]);
      for (const [other, one] of beside[at]!) links.set(group[other]!, (links.get(group[other]!) ?? 0) + one);
      const gain = (name: number) => (links.get(name) ?? 0) - (RESOLUTION * mine * total[name]!) / all;
      let best = home;
      for (const name of links.keys()) {
        const more = gain(name) - gain(best);
        if (more > 1e-9 || (more > -1e-9 && name < best && best !== home)) best = name;
      }
      total[best]! += mine;
      if (best === home) continue;
      group[at] = best;
      changed++;
    }
    if (changed === 0) break;
    hasMoved = true;
  }
  return { group, hasMoved };
}

/** Names from 0 on, in the order in which they come. */
function renamed(group: Int32Array): { of: Int32Array; count: number } {
  const names = new Map<number, number>();
  const of = group.map((name) => {
    if (!names.has(name)) names.set(name, names.size);
    return names.get(name)!;
  });
  return { of, count: names.size };
}

/** Groups as nodes, with as much between them as there was between theirs. */
function joined({ beside, own }: Weighted, group: Int32Array, count: number): Weighted {
  const next = Array.from({ length: count }, () => new Map<number, number>());
  const inside: number[] = new Array(count).fill(0);
  for (let at = 0; at < beside.length; at++) {
    const home = group[at]!;
    inside[home]! += own[at]!;
    for (const [other, one] of beside[at]!) {
      const there = group[other]!;
      if (there === home) inside[home]! += one;
      else next[home]!.set(there, (next[home]!.get(there) ?? 0) + one);
    }
  }
  return { beside: next, own: inside };
}
