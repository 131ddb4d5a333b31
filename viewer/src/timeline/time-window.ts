// The piece of time that is shown: zooming, moving, and the marks of its axis. Pure.

export type TimeWindow = { readonly from: number; readonly to: number };

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
export function zoom({ from, to }: TimeWindow, factor: number, at = 0.5, within?: TimeWindow): TimeWindow {
  const widest = within ? (within.to - within.from) * 1.1 : Number.POSITIVE_INFINITY;
  const width = Math.min(widest, Math.max(SHORTEST, (to - from) * factor));
  const still = from + (to - from) * at;
  return keepNear({ from: still - width * at, to: still + width * (1 - at) }, within);
}

/** By a share of what is shown. */
export function pan({ from, to }: TimeWindow, share: number, within?: TimeWindow): TimeWindow {
  const step = (to - from) * share;
  return keepNear({ from: from + step, to: to + step }, within);
}

/** The middle never leaves what there is, so that nobody gets lost. */
function keepNear({ from, to }: TimeWindow, within?: TimeWindow): TimeWindow {
  if (!within) return { from, to };
  const middle = (from + to) / 2;
  const shift = Math.max(within.from - middle, 0) + Math.min(within.to - middle, 0);
  return { from: from + shift, to: to + shift };
}

/** With a little air around. */
export function around({ from, to }: TimeWindow): TimeWindow {
  const air = Math.max((to - from) * 0.03, MINUTE);
  return { from: from - air, to: to + air };
}

export const placeOf = ({ from, to }: TimeWindow, at: number): number => (at - from) / (to - from);

export type Tick = { readonly at: number; readonly label: string };

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const dayAndClock = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const month = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric' });

/** Marks at round local times, at most `most` of them. */
export function ticks(window: TimeWindow, most: number): Tick[] {
  const width = window.to - window.from;
  const step = STEPS.find((each) => width / each <= most) ?? STEPS.at(-1)!;
  const offset = new Date(window.from).getTimezoneOffset() * MINUTE;
  const first = Math.ceil((window.from - offset) / step) * step + offset;
  const format = step >= 30 * DAY ? month : step >= DAY ? day : width > DAY ? dayAndClock : clock;
  const found: Tick[] = [];
  for (let at = first; at <= window.to && found.length <= most; at += step)
    found.push({ at, label: format.format(at) });
  return found;
}
