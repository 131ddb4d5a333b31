// Everything, in groups: a bubble for each, as large as it has members, with its name and what it is about. Choosing one opens it.

import { useMemo, useRef, useState } from 'preact/hooks';
import { count, plural } from '../wording.ts';
import { cut, inLines, intoRoom, LETTER, LINE, letterScale, type Size, useSize } from './drawing-room.ts';
import { DrawnButton } from './drawn-button.tsx';
import { type Between, type Group, groupGraph, linksBetween } from './graph-groups.ts';
import { NotDrawn } from './graph-map.tsx';
import type { GraphModel } from './graph-model.ts';
import { type Box, fitted, roomFor } from './spread-labels.ts';
import { type Places, useLayout } from './use-layout.ts';

type BubblesProps = {
  model: GraphModel;
  groups: readonly Group[];
  /** Of which project a group is, where several are shown. */
  projectOf: ((group: Group) => string) | undefined;
  pick: (group: Group) => void;
};

const FEWEST = 6;
const FULL = 0.62;
const RADIUS = { least: 11, most: 46 };
/** How much wider the letters of names are. */
const BOLD = 1.13;

export function GroupBubbles({ model, groups, projectOf, pick }: BubblesProps) {
  const frame = useRef<HTMLDivElement>(null);
  const size = useSize(frame);
  const bubbles = useMemo(() => {
    const all = size ? bubblesOf(groups, size, projectOf) : [];
    return size ? all.slice(0, Math.max(FEWEST, roomFor(all, size, FULL))) : [];
  }, [groups, size, projectOf]);
  const drawn = useMemo(() => groups.slice(0, bubbles.length), [groups, bubbles]);
  const between = useMemo(() => linksBetween(model, drawn), [model, drawn]);
  const graph = useMemo(() => groupGraph(model, drawn, between), [model, drawn, between]);
  return (
    <div class="graph-place map-place" ref={frame}>
      {size && <Drawing all={groups.length} {...{ graph, size, drawn, bubbles, between, pick }} />}
    </div>
  );
}

type DrawingProps = {
  graph: GraphModel;
  drawn: readonly Group[];
  bubbles: readonly Sized[];
  between: readonly Between[];
  size: Size;
  all: number;
  pick: (group: Group) => void;
};

function Drawing({ graph, drawn, bubbles: sized, between, size, all, pick }: DrawingProps) {
  const places = useLayout(graph);
  const bubbles = useMemo(() => (places?.isSettled ? placed(sized, places, size) : undefined), [sized, places, size]);
  const [over, setOver] = useState<number>();
  if (!bubbles) return <div aria-busy="true" />;
  const most = Math.max(1, ...between.map(({ links }) => links));
  return (
    <>
      <svg width={size.width} height={size.height} data-state="drawn">
        <title>Groups; the list beside it says the same</title>
        <g class="map-lines">
          {between
            .filter(({ from, to }) => bubbles[from] && bubbles[to])
            .map(({ from, to, links }) => (
              <line
                key={`${from} ${to}`}
                x1={bubbles[from]!.x}
                y1={bubbles[from]!.middle}
                x2={bubbles[to]!.x}
                y2={bubbles[to]!.middle}
                style={{ strokeWidth: 1 + 5 * Math.sqrt(links / most) }}
                data-near={over === from || over === to}
              />
            ))}
        </g>
        {drawn.slice(0, bubbles.length).map((group, at) => (
          <Bubble
            key={group.ref}
            group={group}
            bubble={bubbles[at]!}
            pick={() => pick(group)}
            over={(isOver) => setOver(isOver ? at : undefined)}
          />
        ))}
      </svg>
      <NotDrawn drawn={bubbles.length} of={all} />
    </>
  );
}

type BubbleProps = { group: Group; bubble: Placed; pick: () => void; over: (isOver: boolean) => void };

function Bubble({ group, bubble, pick, over }: BubbleProps) {
  const { x, middle, r, lines, about, line } = bubble;
  const below = middle + r + line * 1.05;
  return (
    <DrawnButton
      class="map-node bubble"
      name={`${group.title}: ${plural(group.members.length, 'node')}`}
      choose={pick}
      over={over}
    >
      <rect
        class="map-ground"
        x={x - bubble.width / 2}
        y={bubble.y - bubble.height / 2}
        width={bubble.width}
        height={bubble.height}
        rx="8"
      />
      <circle class="bubble-shape" cx={x} cy={middle} r={r} />
      <text class="bubble-count" x={x} y={middle + line * 0.3}>
        {count(group.members.length)}
      </text>
      {lines.map((text, at) => (
        <text key={text} class="bubble-name" x={x} y={below + at * line}>
          {text}
        </text>
      ))}
      {about && (
        <text class="bubble-about" x={x} y={below + lines.length * line}>
          {about}
        </text>
      )}
    </DrawnButton>
  );
}

type Sized = Box & {
  readonly r: number;
  readonly line: number;
  readonly lines: readonly string[];
  readonly about: string;
};
/** `x` and `y` are the middle of bubble and name together, `middle` is that of the bubble. */
type Placed = Sized & { readonly middle: number };

function bubblesOf(groups: readonly Group[], size: Size, projectOf: BubblesProps['projectOf']): Sized[] {
  const scale = letterScale();
  const [letter, line] = [LETTER * scale, LINE * scale];
  const largest = Math.max(1, ...groups.map(({ members }) => members.length));
  const isNarrow = size.width < 600;
  const room = isNarrow ? 0.5 : 1;
  return groups.map((group) => {
    const r = RADIUS.least + (RADIUS.most - RADIUS.least) * Math.sqrt(group.members.length / largest) * room;
    const letters = isNarrow ? 16 : 22;
    const lines = inLines(group.title, letters, 2).map((each) => cut(each, letters + 4));
    const about = cut(projectOf ? projectOf(group) : isNarrow ? '' : group.about.join(' · '), letters + 2);
    const wide = [...lines.map(({ length }) => length * BOLD), about.length].map((many) => many * letter);
    const width = Math.max(2 * r, ...wide) + 10;
    const height = 2 * r + (lines.length + (about ? 1 : 0)) * line + 12;
    return { x: 0, y: 0, width, height, r, line, lines, about };
  });
}

function placed(sized: readonly Sized[], places: Places, size: Size): Placed[] {
  const [x, y] = [intoRoom(places.x, size.width, Math.min(110, size.width / 5)), intoRoom(places.y, size.height, 60)];
  const boxes = sized.map((each, at) => ({ ...each, x: x(at), y: y(at) }));
  return fitted(boxes, size).map((each) => ({ ...each, middle: each.y - each.height / 2 + each.r + 4 }));
}
