// The graph as a picture, as it is filtered now: SVG for editing, PNG for pasting. Drawn from the model, so it needs no WebGL.

import type { GraphColours } from './graph-colours.ts';
import { type GraphModel, nodeSize, type Seen } from './graph-model.ts';
import type { Places } from './use-layout.ts';

const SIDE = 1600;
const EDGE_AIR = 60;
const LABELS = 60;
const PNG_SCALE = 2;

export type Placed = { readonly model: GraphModel; readonly places: Pick<Places, 'x' | 'y'> };
type Point = { readonly x: number; readonly y: number };
type Drawing = {
  readonly lines: readonly (readonly [Point, Point])[];
  readonly dots: readonly (Point & { readonly r: number; readonly fill: string; readonly title: string })[];
  readonly labels: readonly (Point & { readonly text: string })[];
};

function drawing({ model, places }: Placed, { shown, strong }: Seen, colours: GraphColours): Drawing {
  const placed = model.nodes.map((node) => ({ ...node, x: places.x[node.at] ?? 0, y: places.y[node.at] ?? 0 }));
  const nodes = placed.filter(({ at }) => shown.has(at) && strong.has(at));
  const xs = nodes.map(({ x }) => x);
  const ys = nodes.map(({ y }) => y);
  const left = smallest(xs);
  const top = smallest(ys);
  const size = Math.max(largest(xs) - left, largest(ys) - top, 1);
  const place = ({ x, y }: Point): Point => ({
    x: EDGE_AIR + ((x - left) / size) * (SIDE - 2 * EDGE_AIR),
    y: EDGE_AIR + (1 - (y - top) / size) * (SIDE - 2 * EDGE_AIR),
  });
  const kept = new Set(nodes.map(({ at }) => at));
  const labelled = [...nodes].sort((a, b) => b.degree - a.degree).slice(0, LABELS);
  return {
    lines: model.edges
      .filter(({ from, to }) => kept.has(from) && kept.has(to))
      .map(({ from, to }) => [place(placed[from]!), place(placed[to]!)] as const),
    dots: nodes.map((node) => ({
      ...place(node),
      r: nodeSize(node.degree),
      fill: colours.kind(node.kind),
      title: node.title,
    })),
    labels: labelled.map((node) => {
      const { x, y } = place(node);
      return { x: x + nodeSize(node.degree) + 4, y: y + 4, text: node.title.slice(0, 48) };
    }),
  };
}

const smallest = (values: readonly number[]): number =>
  values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
const largest = (values: readonly number[]): number =>
  values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);

export function graphSvg(graph: Placed, seen: Seen, colours: GraphColours): string {
  const { lines, dots, labels } = drawing(graph, seen, colours);
  const fixed = (n: number) => n.toFixed(1);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIDE} ${SIDE}" width="${SIDE}" height="${SIDE}">`,
    `<rect width="100%" height="100%" fill="${colours.ground}"/>`,
    `<g stroke="${colours.line}" stroke-width="0.8">`,
    ...lines.map(([a, b]) => `<line x1="${fixed(a.x)}" y1="${fixed(a.y)}" x2="${fixed(b.x)}" y2="${fixed(b.y)}"/>`),
    '</g>',
    ...dots.map(
      ({ x, y, r, fill, title }) =>
        `<circle cx="${fixed(x)}" cy="${fixed(y)}" r="${fixed(r)}" fill="${fill}"><title>${escaped(title)}</title></circle>`,
    ),
    `<g font-family="system-ui, sans-serif" font-size="12" fill="${colours.text}">`,
    ...labels.map(({ x, y, text }) => `<text x="${fixed(x)}" y="${fixed(y)}">${escaped(text)}</text>`),
    '</g></svg>',
  ].join('\n');
}

/** Also what XML cannot hold at all. */
function escaped(text: string): string {
  return text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

export async function graphPng(graph: Placed, seen: Seen, colours: GraphColours): Promise<Blob> {
  const { lines, dots, labels } = drawing(graph, seen, colours);
  const canvas = Object.assign(document.createElement('canvas'), { width: SIDE * PNG_SCALE, height: SIDE * PNG_SCALE });
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('This browser cannot draw the picture.');
  pen.scale(PNG_SCALE, PNG_SCALE);
  pen.fillStyle = colours.ground;
  pen.fillRect(0, 0, SIDE, SIDE);
  pen.strokeStyle = colours.line;
  pen.lineWidth = 0.8;
  pen.beginPath();
  for (const [a, b] of lines) {
    pen.moveTo(a.x, a.y);
    pen.lineTo(b.x, b.y);
  }
  pen.stroke();
  for (const { x, y, r, fill } of dots) {
    pen.fillStyle = fill;
    pen.beginPath();
    pen.arc(x, y, r, 0, Math.PI * 2);
    pen.fill();
  }
  pen.fillStyle = colours.text;
  pen.font = '12px system-ui, sans-serif';
  for (const { x, y, text } of labels) pen.fillText(text, x, y);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture is too large.'))), 'image/png'),
  );
}
