// How what was learned moves the line above which a memory is told unasked: what the user said of it, whether answers built on it, and
// whether this user's answers build on what they are told at all. Bounded, so that no habit silences a memory for good; only
// "wrong" does. Each step has a name, for whoever asks why.

import type { FeedbackData, Learned } from './feedback.ts';

export type ShiftPart = { readonly name: string; readonly by: number };

/** Added to how likely of use a memory must be (0 … 1) to be told. */
const SHIFTS = {
  verdict: { useful: -0.15, stale: 0.2, wrong: 1 },
  /** Shown so often and never built on: the prompts that it fits are not those it helps. */
  unused: { after: 3, by: 0.2 },
  /** Built on in at least every other answer. */
  used: { share: 0.5, by: -0.1 },
  /** All memories of this user together: after so many lines, of which fewer or more than these shares were built on. */
  user: { after: 40, rarely: 0.05, more: 0.1, often: 0.3, less: -0.05 },
  most: 0.25,
} as const;

export type Use = { readonly injected: number; readonly used: number };

/** Over everything that was told to this user. */
export function useInAll({ memories }: FeedbackData): Use {
  let [injected, used] = [0, 0];
  for (const refs of memories.values())
    for (const each of refs.values()) {
      injected += each.injected;
      used += each.used;
    }
  return { injected, used };
}

/** What the shift is made of; nothing where nothing is known. */
export function shiftParts(learned: Learned | undefined, all: Use): ShiftPart[] {
  const { verdict, unused, used, user } = SHIFTS;
  const parts: ShiftPart[] = [];
  if (learned?.verdict !== undefined) parts.push({ name: learned.verdict, by: verdict[learned.verdict] });
  if (learned && learned.injected >= unused.after && learned.used === 0)
    parts.push({ name: `shown ${learned.injected} times, never used`, by: unused.by });
  if (learned && learned.used > 0 && learned.used >= used.share * learned.injected)
    parts.push({ name: `used ${learned.used} of ${learned.injected} times`, by: used.by });
  if (all.injected >= user.after && all.used < user.rarely * all.injected)
    parts.push({ name: 'you rarely use what is told', by: user.more });
  if (all.injected >= user.after && all.used > user.often * all.injected)
    parts.push({ name: 'you often use what is told', by: user.less });
  return parts;
}

/** In words, for whoever asks why; empty where nothing was learned. */
export function shiftText(learned: Learned | undefined, all: Use): string {
  const shift = toldShift(learned, all);
  if (shift === 0) return '';
  const reasons = shiftParts(learned, all).map(({ name }) => name);
  const how = shift >= SHIFTS.verdict.wrong ? 'no more' : shift > 0 ? `less (+${shift})` : `more (${shift})`;
  return `told unasked ${how}: ${reasons.join(', ')}`;
}

/** At most a quarter up or down, but for what is wrong: that is told no more. */
export function toldShift(learned: Learned | undefined, all: Use): number {
  if (learned?.verdict === 'wrong') return SHIFTS.verdict.wrong;
  const sum = shiftParts(learned, all).reduce((shift, { by }) => shift + by, 0);
  return Math.round(100 * Math.min(SHIFTS.most, Math.max(-SHIFTS.most, sum))) / 100;
}
