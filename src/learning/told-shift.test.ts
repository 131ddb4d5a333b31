// What was learned moves the line above which a memory is told: by little, with a reason, and never for good.

import { describe, expect, it } from 'vitest';
import type { Learned } from './feedback.ts';
import { shiftParts, toldShift, useInAll } from './told-shift.ts';

const NOBODY = { injected: 0, used: 0 };
const learned = (more: Partial<Learned>): Learned => ({ injected: 0, used: 0, at: '', ...more });

describe('the shift', () => {
  it('is none where nothing is known', () => {
    expect(toldShift(undefined, NOBODY)).toBe(0);
    expect(toldShift(learned({ injected: 2 }), NOBODY)).toBe(0);
    expect(shiftParts(undefined, NOBODY)).toEqual([]);
  });

  it('follows what the user said', () => {
    expect(toldShift(learned({ verdict: 'useful' }), NOBODY)).toBeLessThan(0);
    expect(toldShift(learned({ verdict: 'stale' }), NOBODY)).toBeGreaterThan(0);
    expect(toldShift(learned({ verdict: 'wrong' }), NOBODY)).toBe(1);
  });

  it('rises where a memory was shown three times and never used, and falls where it is used', () => {
    expect(toldShift(learned({ injected: 3 }), NOBODY)).toBe(0.2);
    expect(toldShift(learned({ injected: 3, used: 1 }), NOBODY)).toBe(0);
    expect(toldShift(learned({ injected: 2, used: 1 }), NOBODY)).toBe(-0.1);
    expect(shiftParts(learned({ injected: 4 }), NOBODY)).toEqual([{ name: 'shown 4 times, never used', by: 0.2 }]);
    expect(shiftParts(learned({ injected: 2, used: 2 }), NOBODY)).toEqual([{ name: 'used 2 of 2 times', by: -0.1 }]);
  });

  it('follows how much of all that is told this user uses, once there is enough of it', () => {
    expect(toldShift(undefined, { injected: 39, used: 0 })).toBe(0);
    expect(toldShift(undefined, { injected: 40, used: 1 })).toBe(0.1);
    expect(toldShift(undefined, { injected: 40, used: 2 })).toBe(0);
    expect(toldShift(undefined, { injected: 40, used: 12 })).toBe(0);
    expect(toldShift(undefined, { injected: 40, used: 13 })).toBe(-0.05);
  });

  it('is bounded', () => {
    expect(toldShift(learned({ verdict: 'stale', injected: 9 }), { injected: 90, used: 0 })).toBe(0.25);
    expect(toldShift(learned({ verdict: 'useful', injected: 9, used: 9 }), { injected: 90, used: 90 })).toBe(-0.25);
  });

  it('sums up what was told over all projects', () => {
    const memories = new Map([
      ['/a', new Map([['idea:1', learned({ injected: 3, used: 1 })]])],
      ['/b', new Map([['idea:1', learned({ injected: 4, used: 2 })]])],
    ]);
    expect(useInAll({ memories, judged: new Map() })).toEqual({ injected: 7, used: 3 });
  });
});
