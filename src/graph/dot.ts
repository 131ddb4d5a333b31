// The graph for Graphviz: `cairn graph --dot | dot -Tsvg`. Everything that files say is quoted.

import type { Graph } from './graph.ts';
import { isRecordKey } from './graph-node.ts';
import { relationTo } from './related.ts';

const LABEL_MAX = 60;
const COLORS = [
  '#4e79a7',
  '#f28e2b',
  '#59a14f',
  '#b07aa1',
  '#edc948',
  '#e15759',
  '#76b7b2',
  '#9c755f',
  '#bab0ac',
  '#ff9da7',
];
const STYLES: { readonly [relation: string]: string } = {
  supersedes: ' [style=bold, label="supersedes"]',
  depends_on: ' [style=dashed, label="depends on"]',
};

export function* dotLines(graph: Graph): Generator<string> {
  const types = [...graph.types.keys()];
  yield 'digraph cairn {';
  yield '  rankdir=LR;';
  yield '  node [shape=box, style="rounded,filled", fontname="sans-serif", fontsize=10, fillcolor="#ffffff"];';
  for (const [key, node] of graph.nodes()) {
    const color = COLORS[types.indexOf(node.type) % COLORS.length]!;
    const shape = isRecordKey(key) ? ', shape=folder' : '';
    yield `  ${quoted(key)} [label=${quoted(short(node.title))}, color=${quoted(color)}, tooltip=${quoted(`${node.type}: ${node.gist}`)}${shape}];`;
  }
  for (const [key, node] of graph.nodes()) {
    for (const target of node.links_to) {
      yield `  ${quoted(key)} -> ${quoted(target)}${STYLES[relationTo(node, target)] ?? ''};`;
    }
  }
  yield '}';
}

/** A quoted string of DOT: a backslash is doubled, because `\N` and the like mean something to Graphviz. */
function quoted(text: string): string {
  const plain = text.replace(/[\u0000-\u001f\u007f\u2028-\u202e\u2066-\u2069]+/g, ' ');
  return `"${plain.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

function short(text: string): string {
  const points = [...text];
  return points.length > LABEL_MAX ? `${points.slice(0, LABEL_MAX - 1).join('')}…` : text;
}
