// The drawing of the graph with sigma (WebGL). Loaded only by the graph page, because it is the largest part of the whole.

import { MultiDirectedGraph } from 'graphology';
import Sigma from 'sigma';
import type { NodeDisplayData, PartialButFor } from 'sigma/types';
import { prefersStillness } from '../theme.ts';
import type { GraphColours } from './graph-colours.ts';
import { type GraphModel, nodeSize, type Seen } from './graph-model.ts';

export type SigmaView = {
  readonly show: (model: GraphModel) => void;
  readonly look: (seen: Seen, focus: number | undefined) => void;
  readonly paint: (colours: GraphColours) => void;
  readonly goTo: (at: number) => void;
  readonly zoom: (step: 'in' | 'out' | 'all') => void;
  readonly move: (x: number, y: number) => void;
  readonly end: () => void;
};

type Callbacks = { pick: (at: number) => void; leave: () => void };

const ANIMATION_MS = 350;
const STEP = 0.12;
/** Beyond this many edges they are left out while the camera moves. */
const MANY_EDGES = 4_000;

export function hasWebGl(): boolean {
  try {
    return document.createElement('canvas').getContext('webgl2') !== null;
  } catch {
    return false;
  }
}

export function sigmaView(container: HTMLElement, first: GraphColours, { pick, leave }: Callbacks): SigmaView {
  let colours = first;
  let now: Seen = { shown: new Set(), strong: new Set() };
  let focused: number | undefined;
  let model: GraphModel | undefined;
  const graph = new MultiDirectedGraph();
  const sigma = new Sigma(graph, container, {
    allowInvalidContainer: true,
    labelFont: 'system-ui, sans-serif',
    labelSize: 12,
    labelDensity: 0.8,
    labelGridCellSize: 140,
    zIndex: true,
    minCameraRatio: 0.01,
    maxCameraRatio: 4,
    stagePadding: 40,
    labelColor: { color: colours.text },
    defaultDrawNodeHover: (context, data) => drawHover(context, data, colours),
    nodeReducer: (key, data) => reduceNode(Number(key), data),
    edgeReducer: (_, data) => reduceEdge(data),
  });
  const reduceNode = (at: number, data: { [name: string]: unknown }) => {
    if (!now.shown.has(at)) return { ...data, hidden: true };
    if (!now.strong.has(at)) return { ...data, color: colours.faint, label: '', zIndex: 0 };
    return at === focused
      ? { ...data, highlighted: true, forceLabel: true, zIndex: 3 }
      : { ...data, zIndex: 2, ...labelled() };
  };
  const labelled = () => (now.strong.size < 30 && now.strong.size < now.shown.size ? { forceLabel: true } : {});
  const reduceEdge = (data: { [name: string]: unknown }) => {
    const from = data.from as number;
    const to = data.to as number;
    if (!now.shown.has(from) || !now.shown.has(to)) return { ...data, hidden: true };
    if (focused !== undefined)
      return from === focused || to === focused
        ? { ...data, color: colours.strongLine, size: 1.4, zIndex: 2 }
        : { ...data, hidden: true };
    return now.strong.has(from) && now.strong.has(to) ? data : { ...data, color: colours.faint };
  };
  sigma.on('clickNode', ({ node }) => pick(Number(node)));
  sigma.on('clickStage', leave);
  sigma.on('enterNode', () => container.classList.add('over-node'));
  sigma.on('leaveNode', () => container.classList.remove('over-node'));
  const duration = () => (prefersStillness() ? 0 : ANIMATION_MS);
  return {
    show: (next) => {
      model = next;
      fill(graph, next, colours);
      // A small graph has room for the names of small nodes.
      sigma.setSetting('labelRenderedSizeThreshold', next.nodes.length < 400 ? 5.5 : 8);
      sigma.setSetting('hideEdgesOnMove', next.edges.length > MANY_EDGES);
      sigma.setSetting('hideLabelsOnMove', next.nodes.length > MANY_EDGES);
    },
    look: (next, focus) => {
      now = next;
      focused = focus;
      sigma.refresh();
    },
    paint: (next) => {
      colours = next;
      sigma.setSetting('labelColor', { color: colours.text });
      if (model) fill(graph, model, colours);
      sigma.refresh();
    },
    goTo: (at) => {
      const place = sigma.getNodeDisplayData(String(at));
      if (!place) return;
      void sigma.getCamera().animate({ ...frameOf(sigma, at, now.strong) }, { duration: duration() });
    },
    zoom: (step) => {
      const camera = sigma.getCamera();
      if (step === 'in') void camera.animatedZoom({ duration: duration() });
      else if (step === 'out') void camera.animatedUnzoom({ duration: duration() });
      else void camera.animatedReset({ duration: duration() });
    },
    move: (x, y) => {
      const camera = sigma.getCamera();
      const step = STEP * camera.ratio;
      camera.setState({ ...camera.getState(), x: camera.x + x * step, y: camera.y + y * step });
    },
    end: () => sigma.kill(),
  };
}

/** The camera that sees a node and all that is seen with it, names included. */
function frameOf(sigma: Sigma, at: number, strong: ReadonlySet<number>): { x: number; y: number; ratio: number } {
  const places = [at, ...strong].flatMap((each) => sigma.getNodeDisplayData(String(each)) ?? []);
  const [xs, ys] = [places.map(({ x }) => x), places.map(({ y }) => y)];
  const ends = (values: readonly number[]) =>
    values.reduce(([low, high], each) => [Math.min(low!, each), Math.max(high!, each)], [Infinity, -Infinity]);
  const [left, right] = ends(xs) as [number, number];
  const [low, high] = ends(ys) as [number, number];
  const ratio = Math.min(1.1, Math.max(0.15, 1.5 * Math.max(right - left, high - low)));
  return { x: (left + right) / 2 + 0.06 * ratio, y: (low + high) / 2, ratio };
}

function fill(graph: MultiDirectedGraph, model: GraphModel, colours: GraphColours): void {
  graph.clear();
  for (const { at, x, y, title, kind, degree } of model.nodes)
    graph.addNode(at, { x, y, label: title.slice(0, 60), size: nodeSize(degree), color: colours.kind(kind) });
  for (const { from, to } of model.edges)
    if (from !== to) graph.addEdge(from, to, { from, to, size: 0.7, color: colours.line });
}

type Drawn = PartialButFor<NodeDisplayData, 'x' | 'y' | 'size' | 'label' | 'color'>;

function drawHover(context: CanvasRenderingContext2D, data: Drawn, colours: GraphColours): void {
  const label = data.label ?? '';
  context.font = '600 12px system-ui, sans-serif';
  const width = label ? context.measureText(label).width + 14 : 0;
  context.fillStyle = colours.ground;
  context.strokeStyle = colours.strongLine;
  context.lineWidth = 1;
  if (label) {
    context.beginPath();
    context.roundRect(data.x + data.size + 3, data.y - 11, width, 22, 5);
    context.fill();
    context.stroke();
  }
  context.beginPath();
  context.arc(data.x, data.y, data.size + 3, 0, Math.PI * 2);
  context.fill();
  context.stroke();
  context.beginPath();
  context.fillStyle = data.color;
  context.arc(data.x, data.y, data.size, 0, Math.PI * 2);
  context.fill();
  context.fillStyle = colours.text;
  if (label) context.fillText(label, data.x + data.size + 10, data.y + 4);
}
