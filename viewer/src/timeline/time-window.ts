// The piece of time that is shown: zooming, moving, and the marks of its axis, all on a scale. Pure.

import { plainScale, type TimeScale } from './time-scale.ts';

export type TimeWindow = { readonly from: number; readonly to: number };
/** What a window may move in, and how it is drawn. */
export type Room = { readonly whole: TimeWindow; readonly scale: TimeScale };

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const SHORTEST = MINUTE;
const STEPS = [
  ...[1, 2, 5, 10, 15, 30].map((n) => n * MINUTE),
  ...[1, 2, 3, 6, 12].map((n) => n * HOUR),
  ...[1, 2, 7, 14, 30, 91, 182, 365].map((n) => n * DAY),
];

/** `factor` below 1 comes nearer; `at` (0 … 1) is the place that stays where it is. */
export function zoom(window: TimeWindow, factor: number, room: Room, at = 0.5): TimeWindow {
  return onScale(window, room, ({ from, to }, whole) => {
    const width = Math.min((whole.to - whole.from) * 1.02, Math.max(SHORTEST, (to - from) * factor));
    const still = from + (to - from) * at;
    return { from: still - width * at, to: still + width * (1 - at) };
  });
}

/** By a share of what is shown. */
export function pan(window: TimeWindow, share: number, room: Room): TimeWindow {
  return onScale(window, room, ({ from, to }) => {
    const step = (to - from) * share;
    return { from: from + step, to: to + step };
  });
}

type Change = (window: TimeWindow, whole: TimeWindow) => TimeWindow;

/** The middle never leaves what there is, so that nobody gets lost. */
function onScale(window: TimeWindow, { whole, scale }: Room, change: Change): TimeWindow {
  const placed = (each: TimeWindow): TimeWindow => ({ from: scale.place(each.from), to: scale.place(each.to) });
  const limits = placed(whole);
  const { from, to } = change(placed(window), limits);
  const middle = (from + to) / 2;
  const shift = Math.max(limits.from - middle, 0) + Math.min(limits.to - middle, 0);
  return { from: scale.time(from + shift), to: scale.time(to + shift) };
}

/** With a little air around, as wide as it looks on the scale. */
export function around({ from, to }: TimeWindow, { place, time }: TimeScale = plainScale): TimeWindow {
  const air = Math.max((place(to) - place(from)) * 0.02, MINUTE);
  return { from: time(place(from) - air), to: time(place(to) + air) };
}

/** 0 … 1 inside of the window. */
export function placeOf({ from, to }: TimeWindow, at: number, { place }: TimeScale = plainScale): number {
  const start = place(from);
  return (place(at) - start) / (place(to) - start);
}

export type Tick = { readonly at: number; readonly label: string };

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const month = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric' });

/** Marks at the beginnings of busy times and at round local times, at least `apart` (a share of the window) from each other. */
export function ticks(window: TimeWindow, scale: TimeScale, apart: number): Tick[] {
  const width = window.to - window.from;
  const step = stepOf(window, scale, apart);
  const offset = new Date(window.from).getTimezoneOffset() * MINUTE;
  const starts = scale.busy.map(({ from }) => ({ at: from, isStart: true }));
  const round: { at: number; isStart: boolean }[] = [];
  if (width / step < 2_000)
    for (let at = Math.ceil((window.from - offset) / step) * step + offset; at <= window.to; at += step)
      round.push({ at, isStart: false });
  const found: { at: number; place: number; isStart: boolean }[] = [];
  for (const { at, isStart } of [...starts, ...round]) {
    const place = placeOf(window, at, scale);
    if (place < 0 || place > 1 - apart / 2 || found.some((each) => Math.abs(each.place - place) < apart)) continue;
    found.push({ at, place, isStart });
  }
  const format = step >= 30 * DAY ? month : step >= DAY ? day : clock;
  return found
    .sort((a, b) => a.at - b.at)
    .map(({ at, isStart }) => ({ at, label: (isStart && width > DAY ? day : format).format(at) }));
}

/** The step that suits what is seen of busy time; quiet time would ask for far too large ones. */
function stepOf(window: TimeWindow, scale: TimeScale, apart: number): number {
  const seen = Math.min(window.to - window.from, scale.place(window.to) - scale.place(window.from));
  return STEPS.find((each) => each / seen >= apart) ?? STEPS.at(-1)!;
}
