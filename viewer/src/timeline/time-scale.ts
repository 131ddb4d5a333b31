// Where a moment is drawn. Conversations are short and the time between them is long: quiet time is drawn narrow, so that what was
// said has room. The scale keeps the order of moments and can be read both ways. Pure.

import type { TimeWindow } from './time-window.ts';

export type TimeScale = {
  readonly place: (at: number) => number;
  readonly time: (place: number) => number;
  /** The busy times, in order. */
  readonly busy: readonly TimeWindow[];
};

const QUIET = 45 * 60_000;
/** A quiet time is drawn as wide as this share of all busy time together, at most as long as it was. */
const GAP_SHARE = 0.012;

export const plainScale: TimeScale = { place: (at) => at, time: (place) => place, busy: [] };

export function squeezedScale(times: readonly TimeWindow[]): TimeScale {
  const busy = merged(times);
  if (busy.length === 0) return plainScale;
  const said = busy.reduce((sum, { from, to }) => sum + (to - from), 0);
  const widest = Math.max(60_000, said * GAP_SHARE);
  // Knots: a moment and its place; between two of them the scale is straight.
  const knots: { at: number; place: number }[] = [{ at: busy[0]!.from, place: 0 }];
  for (const [index, { from, to }] of busy.entries()) {
    const before = busy[index - 1];
    if (before) knots.push({ at: from, place: knots.at(-1)!.place + Math.min(from - before.to, widest) });
    knots.push({ at: to, place: knots.at(-1)!.place + Math.max(to - from, 1) });
  }
  return {
    busy,
    place: (at) => read(knots, at, 'at', 'place'),
    time: (place) => read(knots, place, 'place', 'at'),
  };
}

type Knot = { readonly at: number; readonly place: number };

/** Outside of the knots time runs as usual. */
function read(knots: readonly Knot[], value: number, from: keyof Knot, to: keyof Knot): number {
  const first = knots[0]!;
  const last = knots.at(-1)!;
  if (value <= first[from]) return first[to] + (value - first[from]);
  if (value >= last[from]) return last[to] + (value - last[from]);
  let low = 0;
  let high = knots.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (knots[middle]![from] <= value) low = middle;
    else high = middle;
  }
  const [left, right] = [knots[low]!, knots[high]!];
  const width = right[from] - left[from];
  return width === 0 ? left[to] : left[to] + ((value - left[from]) / width) * (right[to] - left[to]);
}

function merged(times: readonly TimeWindow[]): TimeWindow[] {
  const sorted = [...times].sort((a, b) => a.from - b.from);
  const found: { from: number; to: number }[] = [];
  for (const { from, to } of sorted) {
    const last = found.at(-1);
    if (last && from - last.to < QUIET) last.to = Math.max(last.to, to);
    else found.push({ from, to: Math.max(to, from + 1) });
  }
  return found;
}
