// The ways to say since when.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSince } from './since.ts';

const NOW = new Date('2026-03-15T10:30:00Z');

describe('a time', () => {
  it.each([
    ['2026-01-31', '2026-01-31T00:00:00Z'],
    ['2026-01', '2026-01-01T00:00:00Z'],
    ['2026-01-31T09:30:00Z', '2026-01-31T09:30:00Z'],
    ['2026-01-31 09:30', '2026-01-31T09:30:00Z'],
    ['2026-01-31T09:30:00+02:00', '2026-01-31T07:30:00Z'],
    ['today', '2026-03-15T00:00:00Z'],
    ['Yesterday', '2026-03-14T00:00:00Z'],
    ['last  week', '2026-03-08T00:00:00Z'],
    ['12h', '2026-03-14T22:30:00Z'],
    ['7d', '2026-03-08T10:30:00Z'],
    ['2 weeks ago', '2026-03-01T10:30:00Z'],
    ['1 day', '2026-03-14T10:30:00Z'],
    ['3 months ago', '2025-12-15T10:30:00Z'],
    ['1y', '2025-03-15T10:30:00Z'],
  ])('may be %s', (said, meant) => {
    expect(new Date(readSince(said, NOW) ?? Number.NaN).toISOString()).toBe(new Date(meant).toISOString());
  });

  it.each(['', 'soon', '2026', '2026-13-40', '7x', 'constructor', '-3d', '31.1.2026', '99999999d'])(
    'is not %j',
    (said) => {
      expect(readSince(said, NOW)).toBeUndefined();
    },
  );

  it.each([
    ['monday', '2026-03-09T00:00:00Z'],
    ['since Friday', '2026-03-13T00:00:00Z'],
    ['March', '2026-03-01T00:00:00Z'],
    ['December', '2025-12-01T00:00:00Z'],
    ['7 May', '2025-05-07T00:00:00Z'],
    ['May 7, 2023', '2023-05-07T00:00:00Z'],
    ['the day before yesterday', '2026-03-13T00:00:00Z'],
    ['this week', '2026-03-09T00:00:00Z'],
    ['two weeks ago', '2026-03-01T00:00:00Z'],
  ])('may be said as in a query: %s', (said, meant) => {
    expect(new Date(readSince(said, NOW) ?? Number.NaN).toISOString()).toBe(new Date(meant).toISOString());
  });

  it.each(['monday morning standup', 'before monday', 'march on', 'the redis decision', 'in 2048 bits'])(
    'is not all of %j',
    (said) => {
      expect(readSince(said, NOW)).toBeUndefined();
    },
  );

  it('is counted from now, or from midnight UTC, at any moment', () => {
    const moment = fc.integer({ min: Date.UTC(2015, 0, 1), max: Date.UTC(2027, 11, 31) }).map((time) => new Date(time));
    const utcDay = (now: Date, days: number): number =>
      Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() - days);
    fc.assert(
      fc.property(moment, fc.integer({ min: 0, max: 5_000 }), (now, count) => {
        for (const form of [`${count}d`, `${count} day`, `${count} days ago`])
          expect(readSince(form, now)).toBe(now.getTime() - count * 86_400_000);
        for (const form of [`${count}h`, `${count} hours`])
          expect(readSince(form, now)).toBe(now.getTime() - count * 3_600_000);
        expect(readSince(`${count}w`, now)).toBe(now.getTime() - count * 7 * 86_400_000);
        expect(readSince('today', now)).toBe(utcDay(now, 0));
        expect(readSince('yesterday', now)).toBe(utcDay(now, 1));
        expect(readSince('last week', now)).toBe(utcDay(now, 7));
        expect(readSince('last month', now)).toBe(utcDay(now, 30));
        const months = new Date(now);
        months.setUTCMonth(months.getUTCMonth() - (count % 500));
        expect(readSince(`${count % 500} months ago`, now)).toBe(months.getTime());
        expect(readSince(now.toISOString().slice(0, 10), now)).toBe(utcDay(now, 0));
        expect(readSince(now.toISOString(), now)).toBe(now.getTime());
      }),
    );
  });
});
