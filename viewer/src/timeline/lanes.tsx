// The lanes: a label that opens its conversation, and its topics as bars where they were in time. The label and the panel it opens
// are the way for keyboard and screen reader; the bars are for the eye and the pointer, and can be walked through with arrows.

import { useEffect, useRef } from 'preact/hooks';
import type { Conversation, SpanBar } from '../../../src/viewer-api/protocol.ts';
import { useSize } from '../graph/drawing-room.ts';
import { hueStyle } from '../kind-colours.ts';
import { KindDot } from '../parts/marks.tsx';
import { fullTime, plural, words } from '../wording.ts';
import { pan, placeOf, type Room, type TimeWindow, ticks, zoom } from './time-window.ts';

type LanesProps = {
  conversations: readonly Conversation[];
  window: TimeWindow;
  room: Room;
  set: (window: TimeWindow) => void;
  chosen: { session: string | null; span: string | null };
  chooseSpan: (span: SpanBar, of: Conversation) => void;
  chooseConversation: (of: Conversation) => void;
};

const WHEEL = 1.0016;
const KEY_ZOOM = 0.7;
const KEY_PAN = 0.15;
/** Of the width, between two marks of the axis; and so many pixels, which is what a mark needs. */
const APART = { share: 0.11, pixels: 62 };

export function Lanes(props: LanesProps) {
  const { conversations, window, room, set, chosen } = props;
  const chart = useRef<HTMLDivElement>(null);
  useMoving(chart, window, room, set);
  const intents = [...new Set(conversations.flatMap(({ spans }) => spans.map(leadingIntent)))].sort();
  const axis = useRef<HTMLDivElement>(null);
  const width = useSize(axis)?.width ?? 0;
  const marks = width > 0 ? ticks(window, room.scale, Math.max(APART.share, APART.pixels / width)) : [];
  return (
    <div
      class="lanes"
      ref={chart}
      tabIndex={0}
      role="group"
      aria-label="Conversations in time; plus and minus zoom, arrows move"
    >
      <div class="axis-row" aria-hidden="true">
        <span />
        <div class="track" ref={axis}>
          {marks.map(({ at, label }) => (
            <span class="tick" key={at} style={{ left: `${100 * placeOf(window, at, room.scale)}%` }}>
              {label}
            </span>
          ))}
        </div>
      </div>
      <ol>
        {conversations.map((of) => (
          <li class="lane" key={of.session} data-chosen={of.session === chosen.session ? 'true' : undefined}>
            <button
              type="button"
              class="quiet lane-name"
              data-row
              title={`${of.name}, ${fullTime(of.startAt)}`}
              onClick={() => props.chooseConversation(of)}
            >
              <span class="one-line">{of.name}</span>
              <span class="small muted one-line">
                {fullTime(of.startAt)}, {plural(of.exchanges, 'exchange')}
              </span>
            </button>
            <div class="track">
              {marks.map(({ at }) => (
                <span
                  class="rule"
                  key={at}
                  style={{ left: `${100 * placeOf(window, at, room.scale)}%` }}
                  aria-hidden="true"
                />
              ))}
              {of.spans
                .filter(({ startAt, endAt }) => endAt >= window.from && startAt <= window.to)
                .map((span) => (
                  <Bar key={span.ref} span={span} of={of} {...props} />
                ))}
            </div>
          </li>
        ))}
      </ol>
      <p class="lanes-legend">
        <span>Mostly about:</span>
        {intents.map((intent) => (
          <span key={intent}>
            <KindDot layer="trace" kind={intent} /> {words(intent)}
          </span>
        ))}
      </p>
      {conversations.length === 0 && <p class="empty">Nothing was said in this time.</p>}
    </div>
  );
}

function Bar({ span, of, window, room, chosen, chooseSpan }: LanesProps & { span: SpanBar; of: Conversation }) {
  const left = Math.max(0, placeOf(window, span.startAt, room.scale));
  const right = Math.min(1, placeOf(window, Math.max(span.endAt, span.startAt), room.scale));
  const topic = leadingIntent(span);
  return (
    <button
      type="button"
      class="bar-span hue"
      tabIndex={-1}
      data-depth={span.depth}
      data-span={span.ref}
      aria-current={span.ref === chosen.span ? 'true' : undefined}
      aria-label={`${span.name}, ${fullTime(span.startAt)}`}
      title={tipOf(span)}
      style={{
        ...hueStyle(topic),
        left: `${100 * left}%`,
        width: `max(${span.depth === 0 ? 4 : 3}px, ${100 * (right - left)}%)`,
      }}
      onClick={() => chooseSpan(span, of)}
    >
      {span.depth === 0 && right - left > 0.1 ? span.name : ''}
    </button>
  );
}

/** What was asked and what came out, below the name and the time. */
function tipOf({ name, startAt, depth, exchanges, agent, asked, outcome }: SpanBar): string {
  const facts = [fullTime(startAt), ...(depth === 0 ? [plural(exchanges, 'exchange')] : []), ...(agent ? [agent] : [])];
  return [name, facts.join(', '), ...(asked ? [`Asked: ${asked}`] : []), ...(outcome ? [`→ ${outcome}`] : [])].join(
    '\n',
  );
}

/** What a topic was most about; plain context only where there is nothing else. */
export function leadingIntent({ counts }: SpanBar): string {
  const telling = Object.entries(counts)
    .filter(([intent, many]) => intent !== 'context' && many > 0)
    .sort(([a, many], [b, more]) => more - many || a.localeCompare(b));
  return telling[0]?.[0] ?? 'context';
}

/** Wheel, drag and keys. The wheel alone scrolls the page past the lanes; with Ctrl, or on the axis, it zooms. */
function useMoving(
  chart: { current: HTMLDivElement | null },
  window: TimeWindow,
  room: Room,
  set: (window: TimeWindow) => void,
): void {
  const now = useRef({ window, room, set });
  now.current = { window, room, set };
  useEffect(() => {
    const element = chart.current;
    if (!element) return;
    const trackOf = () => element.querySelector('.track')!.getBoundingClientRect();
    const wheel = (event: WheelEvent) => {
      const onAxis = event.target instanceof Element && event.target.closest('.axis-row') !== null;
      const { window, room, set } = now.current;
      const track = trackOf();
      if (event.ctrlKey || event.metaKey || onAxis) {
        event.preventDefault();
        set(zoom(window, WHEEL ** event.deltaY, room, clamp((event.clientX - track.left) / track.width)));
      } else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        event.preventDefault();
        set(pan(window, event.deltaX / track.width, room));
      }
    };
    let grabbed: { x: number; window: TimeWindow; moved: boolean } | undefined;
    const down = (event: PointerEvent) => {
      if (event.button !== 0 || !(event.target instanceof Element) || !event.target.closest('.track')) return;
      grabbed = { x: event.clientX, window: now.current.window, moved: false };
    };
    const move = (event: PointerEvent) => {
      if (!grabbed) return;
      const by = event.clientX - grabbed.x;
      if (Math.abs(by) > 4) grabbed.moved = true;
      if (grabbed.moved) now.current.set(pan(grabbed.window, -by / trackOf().width, now.current.room));
    };
    const up = () => {
      const moved = grabbed?.moved;
      grabbed = undefined;
      // The click that ends a drag opens nothing.
      if (moved) element.addEventListener('click', (event) => event.stopPropagation(), { capture: true, once: true });
    };
    const key = (event: KeyboardEvent) => {
      const { window, room, set } = now.current;
      const next = keyed(event.key, window, room);
      if (!next || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      set(next);
    };
    element.addEventListener('wheel', wheel, { passive: false });
    element.addEventListener('pointerdown', down);
    element.addEventListener('keydown', key);
    document.addEventListener('pointermove', move);
    document.addEventListener('pointerup', up);
    return () => {
      element.removeEventListener('wheel', wheel);
      element.removeEventListener('pointerdown', down);
      element.removeEventListener('keydown', key);
      document.removeEventListener('pointermove', move);
      document.removeEventListener('pointerup', up);
    };
  }, []);
}

function keyed(key: string, window: TimeWindow, room: Room): TimeWindow | undefined {
  if (key === '+' || key === '=') return zoom(window, KEY_ZOOM, room);
  if (key === '-' || key === '−') return zoom(window, 1 / KEY_ZOOM, room);
  if (key === 'ArrowLeft') return pan(window, -KEY_PAN, room);
  if (key === 'ArrowRight') return pan(window, KEY_PAN, room);
  return key === '0' ? room.whole : undefined;
}

const clamp = (share: number): number => Math.min(1, Math.max(0, share));
