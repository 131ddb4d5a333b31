// The drawing of the graph with sigma (WebGL). Loaded only by the graph page, because it is the largest part of the whole. The graph
// is built before sigma sees it, and what is plain is passed through untouched: ten thousand nodes must not be copied twice.

import { UndirectedGraph } from 'graphology';
import Sigma from 'sigma';
import { EdgeLineProgram } from 'sigma/rendering';
import type { NodeDisplayData, PartialButFor } from 'sigma/types';
import { prefersStillness } from '../theme.ts';
import type { GraphColours } from './graph-colours.ts';
import { type GraphModel, nodeSize, type Seen } from './graph-model.ts';
import type { Places } from './use-layout.ts';

export type Sight = {
  readonly model: GraphModel;
  readonly places: Places;
  readonly seen: Seen;
  readonly focus: number | undefined;
};

export type SigmaView = {
  /** Another model is drawn anew; the same one only in another light. */
  readonly look: (sight: Sight) => void;
  readonly paint: (colours: GraphColours) => void;
  readonly goTo: (at: number) => void;
  readonly zoom: (step: 'in' | 'out' | 'all') => void;
  readonly move: (x: number, y: number) => void;
  readonly end: () => void;
};

type Callbacks = { pick: (at: number) => void; leave: () => void };
type Start = { readonly container: HTMLElement; readonly sight: Sight; readonly colours: GraphColours };
type Attributes = { [name: string]: unknown };

const ANIMATION_MS = 350;
const STEP = 0.12;
/** Beyond this many edges they are left out while the camera moves. */
const MANY_EDGES = 4_000;
const MANY_NODES = 3_000;
const LABEL = 40;
/** So few that all their names are shown. */
const FEW = 30;

export function hasWebGl(): boolean {
  try {
    return document.createElement('canvas').getContext('webgl2') !== null;
  } catch {
    return false;
  }
}

export function sigmaView({ container, sight: first, colours: given }: Start, { pick, leave }: Callbacks): SigmaView {
  let sight = first;
  let colours = given;
  const sigma = new Sigma(graphOf(sight, colours), container, {
    ...settingsFor(sight),
    allowInvalidContainer: true,
    labelFont: 'system-ui, sans-serif',
    labelSize: 12,
    labelDensity: 0.8,
    labelGridCellSize: 140,
    minCameraRatio: 0.01,
    maxCameraRatio: 4,
    stagePadding: 40,
    defaultEdgeType: 'thin',
    edgeProgramClasses: { thin: EdgeLineProgram },
    labelColor: { color: colours.text },
    defaultDrawNodeLabel: (context, data) => drawLabel(context, data, colours),
    defaultDrawNodeHover: (context, data) => drawHover(context, data, colours),
    nodeReducer: (key, data) => lightNode(Number(key), data, sight, colours),
    edgeReducer: (_, data) => lightEdge(data, sight, colours),
  });
  sigma.on('clickNode', ({ node }) => pick(Number(node)));
  sigma.on('clickStage', leave);
  // The second of two quick clicks comes as this: it opens the node, and where the camera has moved on it does nothing.
  sigma.on('doubleClickNode', ({ node, preventSigmaDefault }) => {
    preventSigmaDefault();
    pick(Number(node));
  });
  sigma.on('doubleClickStage', ({ preventSigmaDefault }) => preventSigmaDefault());
  sigma.on('enterNode', () => container.classList.add('over-node'));
  sigma.on('leaveNode', () => container.classList.remove('over-node'));
  const duration = () => (prefersStillness() ? 0 : ANIMATION_MS);
  return {
    look: (next) => {
      const [isOther, isMoved] = [next.model !== sight.model, next.places !== sight.places];
      sight = next;
      sigma.setSettings(settingsFor(sight));
      if (isOther) return sigma.setGraph(graphOf(sight, colours));
      if (isMoved) moveTo(sigma, sight.places);
      sigma.refresh();
    },
    paint: (next) => {
      colours = next;
      sigma.setSetting('labelColor', { color: colours.text });
      sigma.setGraph(graphOf(sight, colours));
    },
    goTo: (at) => {
      if (!sigma.getNodeDisplayData(String(at))) return;
      void sigma.getCamera().animate(frameOf(sigma, at, sight.seen.strong), { duration: duration() });
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

const isPlain = ({ seen, focus, model }: Sight): boolean =>
  focus === undefined && seen.strong === seen.shown && seen.shown.size === model.nodes.length;

function settingsFor(sight: Sight) {
  const { nodes, edges } = sight.model;
  return {
    // Sorting by depth costs as much as drawing; in the plain graph all are equal.
    zIndex: !isPlain(sight),
    // A small graph has room for the names of small nodes.
    labelRenderedSizeThreshold: nodes.length < 400 ? 5.5 : 9,
    hideEdgesOnMove: edges.length > MANY_EDGES,
    hideLabelsOnMove: nodes.length > MANY_NODES,
  };
}

/** sigma hands over a copy, so it is changed in place. */
function lightNode(at: number, data: Attributes, sight: Sight, colours: GraphColours): Attributes {
  if (isPlain(sight)) return data;
  const { shown, strong } = sight.seen;
  if (!shown.has(at)) return Object.assign(data, { hidden: true });
  if (!strong.has(at)) return Object.assign(data, { color: colours.faint, label: '', zIndex: 0 });
  if (at === sight.focus) return Object.assign(data, { highlighted: true, forceLabel: true, zIndex: 3 });
  return Object.assign(data, { zIndex: 2, forceLabel: strong.size < FEW && strong.size < shown.size });
}

function lightEdge(data: Attributes, sight: Sight, colours: GraphColours): Attributes {
  if (isPlain(sight)) return data;
  const { shown, strong } = sight.seen;
  const [from, to] = [data.from as number, data.to as number];
  if (!shown.has(from) || !shown.has(to)) return Object.assign(data, { hidden: true });
  if (sight.focus !== undefined) {
    const isNear = from === sight.focus || to === sight.focus;
    if (isNear) return Object.assign(data, { color: colours.strongLine, zIndex: 2 });
    return strong === shown ? data : Object.assign(data, { hidden: true });
  }
  return strong.has(from) && strong.has(to) ? data : Object.assign(data, { color: colours.faint });
}

/** The camera that sees a node and all that is seen with it, names included. */
function frameOf(sigma: Sigma, at: number, strong: ReadonlySet<number>): { x: number; y: number; ratio: number } {
  const places = [at, ...strong].flatMap((each) => sigma.getNodeDisplayData(String(each)) ?? []);
  const ends = (values: readonly number[]) =>
    values.reduce(([low, high], each): [number, number] => [Math.min(low, each), Math.max(high, each)], [
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
    ] as [number, number]);
  const [left, right] = ends(places.map(({ x }) => x));
  const [low, high] = ends(places.map(({ y }) => y));
  const ratio = Math.min(1.1, Math.max(0.15, 1.5 * Math.max(right - left, high - low)));
  return { x: (left + right) / 2 + 0.06 * ratio, y: (low + high) / 2, ratio };
}

/** All at once, in one event. */
function moveTo(sigma: Sigma, { x, y }: Places): void {
  sigma
    .getGraph()
    .updateEachNodeAttributes(
      (key, attributes) => Object.assign(attributes, { x: x[Number(key)] ?? 0, y: y[Number(key)] ?? 0 }),
      { attributes: ['x', 'y'] },
    );
}

/** Two memories are joined by one line, however many links there are between them. */
function graphOf({ model: { nodes, edges }, places }: Sight, colours: GraphColours): UndirectedGraph {
  const graph = new UndirectedGraph({ allowSelfLoops: false });
  for (const { at, title, kind, degree } of nodes)
    graph.addNode(at, {
      x: places.x[at] ?? 0,
      y: places.y[at] ?? 0,
      label: title.length > LABEL ? `${title.slice(0, LABEL).trimEnd()} …` : title,
      size: nodeSize(degree),
      color: colours.kind(kind),
    });
  const joined = new Set<number>();
  for (const { from, to } of edges) {
    const pair = Math.min(from, to) * nodes.length + Math.max(from, to);
    if (from === to || joined.has(pair)) continue;
    joined.add(pair);
    graph.addUndirectedEdgeWithKey(pair, from, to, { from, to, size: 0.7, color: colours.line });
  }
  return graph;
}

type Drawn = PartialButFor<NodeDisplayData, 'x' | 'y' | 'size' | 'label' | 'color'>;

/** With a rim of the ground's colour, so that it can be read across lines and nodes. */
function drawLabel(context: CanvasRenderingContext2D, data: Drawn, colours: GraphColours): void {
  if (!data.label) return;
  const [x, y] = [data.x + data.size + 4, data.y + 4];
  context.font = '12px system-ui, sans-serif';
  context.lineJoin = 'round';
  context.lineWidth = 4;
  context.strokeStyle = colours.ground;
  context.strokeText(data.label, x, y);
  context.fillStyle = colours.text;
  context.fillText(data.label, x, y);
}

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
