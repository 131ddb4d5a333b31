// What is wrong with a graph, and what is related in it, at sizes that no test would write to disk.

import { describe, expect, it } from 'vitest';
import { checkGraph } from './check-graph.ts';
import { Graph } from './graph.ts';
import type { GraphNode } from './graph-node.ts';
import { GraphText } from './graph-text.ts';
import { bestFirst, reasonsOf, scores } from './related.ts';

const node = (more: Partial<GraphNode>): GraphNode => ({
  path: 'x.md',
  type: 'decision',
  title: '',
  gist: '',
  status: 'active',
  tags: [],
  links_to: [],
  linked_from: [],
  created: '',
  updated: '',
  mtime: 0,
  size: 0,
  hash: '',
  ...more,
});

function graphOf(nodes: { [key: string]: Partial<GraphNode> }, tags: { [tag: string]: string[] } = {}): Graph {
  const text = GraphText.empty();
  for (const [key, more] of Object.entries(nodes)) text.set('nodes', key, node(more));
  for (const [tag, keys] of Object.entries(tags)) text.set('tags', tag, keys);
  return new Graph(text.withChanges({ updatedAt: '', nodeCount: Object.keys(nodes).length }));
}

const supersedes = (...keys: string[]): Partial<GraphNode> => ({ links_to: keys, edges: { supersedes: keys } });

describe('a check', () => {
  it('names each circle once, from its smallest key on', () => {
    const graph = graphOf({
      c: supersedes('a'),
      a: supersedes('b'),
      b: supersedes('c', 'x'),
      x: supersedes('y'),
      y: supersedes('x'),
      free: supersedes('a'),
    });
    expect(checkGraph(graph).cycles).toEqual([
      ['a', 'b', 'c'],
      ['x', 'y'],
    ]);
  });

  it('survives a chain that is longer than any stack', () => {
    const length = 20_000;
    const name = (at: number): string => `d-${String(at).padStart(6, '0')}`;
    const nodes = Array.from({ length }, (_, at) => [name(at), supersedes(name((at + 1) % length))] as const);
    expect(checkGraph(graphOf(Object.fromEntries(nodes))).cycles[0]).toHaveLength(length);
  });
});

describe('kinship', () => {
  const keys = Array.from({ length: 1_200 }, (_, at) => `k-${String(at).padStart(4, '0')}`);
  const nodes = Object.fromEntries(keys.map((key) => [key, { tags: ['all', 'few'] }]));

  it('does not come from a tag that nearly everything has', () => {
    const graph = graphOf(nodes, { all: keys, few: keys.slice(0, 3) });
    const reasons = reasonsOf(graph, 'k-0000');
    expect([...bestFirst(scores(reasons, 'k-0000'))]).toEqual([
      ['k-0001', 0.5],
      ['k-0002', 0.5],
    ]);
  });
});
