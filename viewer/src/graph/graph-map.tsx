// A small graph with all its names: the map of a project, or the neighbourhood of a memory. Drawn as SVG, so that every node is a
// link to the keyboard and to a screen reader, has the shape of its layer, and needs no graphics card.

import { useMemo, useRef, useState } from 'preact/hooks';
import { hueStyle } from '../kind-colours.ts';
import { kindName, useRegistry } from '../registry.tsx';
import { count, shortPath, words } from '../wording.ts';
import { cut, inLines, intoRoom, LETTER, LINE, letterScale, type Size, useSize } from './drawing-room.ts';
import { DrawnButton } from './drawn-button.tsx';
import { type GraphModel, type GraphNode, nodeSize, type Seen } from './graph-model.ts';
import { type Box, fitted, roomFor } from './spread-labels.ts';
import type { Places } from './use-layout.ts';

type MapProps = {
  model: GraphModel;
  places: Places | undefined;
  seen: Seen;
  focus: number | undefined;
  pick: (at: number) => void;
};

const FULL = 0.44;
const LABEL = { most: 34, lines: 2 };

export function GraphMap({ model, places, seen, focus, pick }: MapProps) {
  const frame = useRef<HTMLDivElement>(null);
  const size = useSize(frame);
  const boxes = useMemo(
    () => (places && size ? boxesOf(model, places, size, focus) : undefined),
    [model, places, size, focus],
  );
  const [over, setOver] = useState<number>();
  const near = over ?? focus;
  const isNear = (from: number, to: number) => near !== undefined && (from === near || to === near);
  const isDrawn = (at: number) => boxes?.[at] !== undefined;
  const drawn = model.nodes.filter(({ at }) => isDrawn(at));
  return (
    <div class="graph-stage" data-state={boxes && places?.isSettled ? 'drawn' : 'loading'}>
      <div class="graph-place map-place" ref={frame}>
        {size && boxes && (
          <svg width={size.width} height={size.height}>
            <title>Map; the list beside it says the same</title>
            <g class="map-lines">
              {model.edges
                .filter(({ from, to }) => isDrawn(from) && isDrawn(to))
                .map(({ from, to }, at) => (
                  <line
                    key={at}
                    x1={boxes[from]!.dot}
                    y1={boxes[from]!.y}
                    x2={boxes[to]!.dot}
                    y2={boxes[to]!.y}
                    data-near={isNear(from, to)}
                  />
                ))}
            </g>
            {drawn.map((node) => (
              <MapNode
                key={node.at}
                node={node}
                box={boxes[node.at]!}
                isFocus={node.at === focus}
                isFaint={!seen.strong.has(node.at)}
                isHidden={!seen.shown.has(node.at)}
                pick={pick}
                over={setOver}
              />
            ))}
          </svg>
        )}
        {boxes && <NotDrawn drawn={drawn.length} of={model.nodes.length} />}
      </div>
    </div>
  );
}

/** What the room is too small for is said, not left out in silence. */
export function NotDrawn({ drawn, of }: { drawn: number; of: number }) {
  if (drawn >= of) return null;
  return (
    <p class="graph-note small muted">
      {count(drawn)} of {count(of)} have room here; the list has all.
    </p>
  );
}

type NodeProps = {
  node: GraphNode;
  box: Placed;
  isFocus: boolean;
  isFaint: boolean;
  isHidden: boolean;
  pick: (at: number) => void;
  over: (at: number | undefined) => void;
};

function MapNode({ node, box, isFocus, isFaint, isHidden, pick, over }: NodeProps) {
  const registry = useRegistry();
  if (isHidden) return null;
  const { at, layer, kind, title, ref } = node;
  return (
    <DrawnButton
      class="map-node hue"
      style={hueStyle(kind)}
      data={{ 'data-layer': layer, 'data-focus': isFocus, 'data-faint': isFaint }}
      name={`${kindName(registry, layer, kind)}: ${title || ref}`}
      choose={() => pick(at)}
      over={(isOver) => over(isOver ? at : undefined)}
    >
      <rect
        class="map-ground"
        x={box.x - box.width / 2}
        y={box.y - box.height / 2}
        width={box.width}
        height={box.height}
        rx="5"
      />
      <Shape layer={layer} x={box.dot} y={box.y} r={box.r} />
      {box.label.map((line, place) => (
        <text
          key={line}
          x={box.dot + box.r + 5}
          y={box.y + 4 * box.scale + (place - (box.label.length - 1) / 2) * LINE * box.scale}
        >
          {line}
        </text>
      ))}
    </DrawnButton>
  );
}

/** The same shapes as the legend's: a record is a disc, a note a square, what was said a ring, a name a diamond. */
export function Shape({ layer, x, y, r }: { layer: string; x: number; y: number; r: number }) {
  if (layer === 'note')
    return <rect class="map-shape" x={x - r * 0.9} y={y - r * 0.9} width={r * 1.8} height={r * 1.8} rx="2" />;
  if (layer === 'entity')
    return (
      <path class="map-shape" d={`M${x} ${y - r * 1.2}L${x + r * 1.2} ${y}L${x} ${y + r * 1.2}L${x - r * 1.2} ${y}Z`} />
    );
  return <circle class={layer === 'trace' ? 'map-shape ring' : 'map-shape'} cx={x} cy={y} r={r} />;
}

type Placed = Box & {
  readonly r: number;
  readonly dot: number;
  readonly scale: number;
  readonly label: readonly string[];
};

/** Undefined for those that have no room: the best linked have, and the one in focus. */
function boxesOf(model: GraphModel, { x, y }: Places, size: Size, focus: number | undefined): (Placed | undefined)[] {
  const scale = letterScale();
  const isNarrow = size.width < 600;
  const rank = ({ at, degree }: GraphNode) => (at === focus ? Number.POSITIVE_INFINITY : degree);
  const sized = [...model.nodes]
    .sort((a, b) => rank(b) - rank(a) || a.at - b.at)
    .map((node) => {
      const r = Math.min(11, 3 + nodeSize(node.degree) / 1.6);
      const label = labelOf(node, isNarrow ? 16 : LABEL.most);
      const width = 2 * r + 12 + Math.max(...label.map(({ length }) => length)) * LETTER * scale;
      // Never lower than a finger needs.
      const height = Math.max(2 * r, label.length * LINE * scale, 16) + 8;
      return { at: node.at, x: 0, y: 0, width, height, r, label, scale };
    });
  const [across, down] = [intoRoom(x, size.width, Math.min(110, size.width / 5)), intoRoom(y, size.height, 28)];
  const boxes = fitted(
    sized.slice(0, roomFor(sized, size, FULL)).map((each) => ({ ...each, x: across(each.at), y: down(each.at) })),
    size,
  );
  const found: (Placed | undefined)[] = new Array(model.nodes.length).fill(undefined);
  for (const box of boxes) found[box.at] = { ...box, dot: box.x - box.width / 2 + box.r + 3 };
  return found;
}

const withoutMarks = (title: string): string => title.replace(/\*\*|`/g, '').trim();

/** Up to two lines; of a file the end of its path. */
function labelOf({ title, ref, layer, kind }: GraphNode, most: number): string[] {
  const name =
    layer === 'entity' && kind === 'file'
      ? shortPath(title, 1).replace('…/', '')
      : layer === 'entity'
        ? title
        : withoutMarks(title) || words(ref);
  return inLines(name, most / LABEL.lines + 4, LABEL.lines).map((line) => cut(line, most));
}
