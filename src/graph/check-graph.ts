// What is wrong with a graph: links that lead nowhere, nodes that nothing is tied to, decisions that replace each other in a circle,
// files that are no node.

import type { Graph } from './graph.ts';

export type GraphCheck = {
  readonly broken: readonly { readonly from: string; readonly path: string; readonly to: string }[];
  readonly orphans: readonly string[];
  /** Each circle once, beginning with its smallest key. */
  readonly cycles: readonly (readonly string[])[];
  readonly duplicates: readonly { readonly path: string; readonly message: string }[];
  readonly unreadable: readonly { readonly path: string; readonly message: string }[];
};

export function checkGraph(graph: Graph): GraphCheck {
  const broken: { from: string; path: string; to: string }[] = [];
  const orphans: string[] = [];
  const supersedes = new Map<string, readonly string[]>();
  for (const [key, node] of graph.nodes()) {
    for (const to of node.broken ?? []) broken.push({ from: key, path: node.path, to });
    if (node.links_to.length === 0 && node.linked_from.length === 0) orphans.push(key);
    if (node.edges?.supersedes) supersedes.set(key, node.edges.supersedes);
  }
  const problems = [...graph.problems()].map(([path, { message, id }]) => ({ path, message, twin: id !== undefined }));
  const plain = ({ path, message }: { path: string; message: string }) => ({ path, message });
  return {
    broken,
    orphans,
    cycles: cyclesIn(supersedes),
    duplicates: problems.filter(({ twin }) => twin).map(plain),
    unreadable: problems.filter(({ twin }) => !twin).map(plain),
  };
}

/** True if somebody should act: the graph says what is not so. */
export const isFaulty = (check: GraphCheck): boolean => check.broken.length > 0 || check.cycles.length > 0;

/** Walks without recursion: a chain of decisions may be longer than the stack. */
function cyclesIn(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const done = new Set<string>();
  const cycles = new Map<string, string[]>();
  for (const start of edges.keys()) {
    const path: { key: string; next: number }[] = [];
    const onPath = new Map<string, number>();
    const enter = (key: string): void => {
      onPath.set(key, path.length);
      path.push({ key, next: 0 });
    };
    if (!done.has(start)) enter(start);
    while (path.length > 0) {
      const top = path.at(-1)!;
      const target = edges.get(top.key)?.[top.next++];
      if (target === undefined) {
        path.pop();
        onPath.delete(top.key);
        done.add(top.key);
      } else if (onPath.has(target)) {
        const cycle = rotated(path.slice(onPath.get(target)).map(({ key }) => key));
        cycles.set(cycle.join('\n'), cycle);
      } else if (!done.has(target)) {
        enter(target);
      }
    }
  }
  return [...cycles.keys()].sort().map((name) => cycles.get(name)!);
}

function rotated(cycle: string[]): string[] {
  const first = cycle.indexOf([...cycle].sort()[0]!);
  return [...cycle.slice(first), ...cycle.slice(0, first)];
}
