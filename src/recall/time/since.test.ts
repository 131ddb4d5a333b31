// The ways to say a time in an option.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDay, readTime } from './since.ts';

/** A Sunday. */
const NOW = new Date('2026-03-15T10:30:00Z');
const since = (said: string, zone = 'UTC'): unknown => isoOf(readTime(said, 'since', NOW, zone));
const until = (said: string, zone = 'UTC'): unknown => isoOf(readTime(said, 'until', NOW, zone));
const isoOf = (time: number | { problem: string }): unknown =>
  typeof time === 'number' ? new Date(time).toISOString().replace('.000Z', 'Z') : time;

describe('a time', () => {
  it.each([
    ['2026-01-31', '2026-01-31T00:00:00Z'],
    ['2026-01', '2026-01-01T00:00:00Z'],
    ['2026', '2026-01-01T00:00:00Z'],
    ['2026-W07', '2026-02-09T00:00:00Z'],
    ['31.1.2026', '2026-01-31T00:00:00Z'],
    ['2026-01-31T09:30:00Z', '2026-01-31T09:30:00Z'],
    ['2026-01-31 09:30', '2026-01-31T09:30:00Z'],
    ['2026-01-31T09:30:00+02:00', '2026-01-31T07:30:00Z'],
    ['today', '2026-03-15T00:00:00Z'],
    ['Yesterday', '2026-03-14T00:00:00Z'],
    ['last  week', '2026-03-02T00:00:00Z'],
    ['last month', '2026-02-01T00:00:00Z'],
    ['12h', '2026-03-14T22:30:00Z'],
    ['12 hours ago', '2026-03-14T22:30:00Z'],
    ['7d', '2026-03-08T10:30:00Z'],
    ['3 days ago', '2026-03-12T00:00:00Z'],
    ['1y', '2025-03-15T00:00:00Z'],
    ['monday', '2026-03-09T00:00:00Z'],
    ['mon', '2026-03-09T00:00:00Z'],
    ['sunday', '2026-03-15T00:00:00Z'],
    ['since Friday', '2026-03-13T00:00:00Z'],
    ['March', '2026-03-01T00:00:00Z'],
    ['may', '2025-05-01T00:00:00Z'],
    ['December', '2025-12-01T00:00:00Z'],
    ['7 May', '2025-05-07T00:00:00Z'],
    ['May 7, 2023', '2023-05-07T00:00:00Z'],
    ['the day before yesterday', '2026-03-13T00:00:00Z'],
    ['this week', '2026-03-09T00:00:00Z'],
    ['Q1', '2026-01-01T00:00:00Z'],
    ['letzte Woche', '2026-03-02T00:00:00Z'],
    ['hier', '2026-03-14T00:00:00Z'],
    ['anteayer', '2026-03-13T00:00:00Z'],
    ['先週', '2026-03-02T00:00:00Z'],
    ['上周', '2026-03-02T00:00:00Z'],
  ])('may be %s', (said, meant) => {
    expect(since(said)).toBe(meant);
  });

  it.each(
    [
      ['', 'soon', '7x', 'constructor', '-3d', 'monday morning standup', 'before monday', 'march on'],
      ['the redis decision', 'in 2048 bits', 'april.ts', 'next monday', 'tomorrow', '99999999d'],
    ].flat(),
  )('is not %j', (said) => {
    expect(since(said)).toEqual({ problem: '' });
  });

  it.each([
    ['2026-02-30', 'February 2026 has 28 days.'],
    ['31 February', 'February has 29 days.'],
    ['31 April', 'April has 30 days.'],
    ['2026-13-40', 'A year has no month 13.'],
    ['2026-13', 'A year has no month 13.'],
    ['29 February 2025', 'February 2025 has 28 days.'],
    ['2026-02-31T10:00:00Z', 'There is no such moment.'],
    ['2026-01-31T25:00', 'There is no such moment.'],
    ['3/4/2026', 'Its day and its month cannot be told apart.'],
    ['Q5', 'A year has no quarter 5.'],
    ['2025-W53', '2025 has 52 weeks.'],
    ['31. Februar', 'February has 29 days.'],
    ['2月31日', 'February has 29 days.'],
  ])('is refused with the reason where no calendar has it: %s', (said, problem) => {
    expect(since(said)).toEqual({ problem });
  });

  it('does not move into the next month, and a leap day is one', () => {
    expect(since('29 February')).toBe('2024-02-29T00:00:00Z');
    expect(isoOf(readTime('1mo', 'since', new Date('2026-03-31T10:00:00Z'), 'UTC'))).toBe('2026-02-28T00:00:00Z');
  });

  it('begins where the asker is, as in a query', () => {
    expect(since('yesterday', 'America/Los_Angeles')).toBe('2026-03-14T07:00:00Z');
    expect(since('2026-01-31', 'Europe/Berlin')).toBe('2026-01-30T23:00:00Z');
    expect(since('2026-01-31 09:30', 'Europe/Berlin')).toBe('2026-01-31T08:30:00Z');
  });

  it('has the day in it that it ends with', () => {
    expect(until('2026-01-31')).toBe('2026-02-01T00:00:00Z');
    expect(until('yesterday')).toBe('2026-03-15T00:00:00Z');
    expect(until('last week')).toBe('2026-03-09T00:00:00Z');
    expect(until('2026-01-31T09:30:00Z')).toBe('2026-01-31T09:30:00Z');
    expect(until('today')).toBe('2026-03-15T10:30:00Z');
  });

  it('is one time, not two', () => {
    expect(since('from 1 to 5 March')).toEqual({
      problem: 'It names a beginning and an end: --since 2026-03-01 --until 2026-03-05',
    });
  });

  it('is counted from now by the hour, at any moment', () => {
    const moment = fc.integer({ min: Date.UTC(2015, 0, 1), max: Date.UTC(2027, 11, 31) }).map((time) => new Date(time));
    fc.assert(
      fc.property(moment, fc.integer({ min: 1, max: 900 }), (now, count) => {
        const read = (said: string): unknown => readTime(said, 'since', now, 'UTC');
        expect(read(`${count}d`)).toBe(now.getTime() - count * 86_400_000);
        expect(read(`${count}w`)).toBe(now.getTime() - count * 7 * 86_400_000);
        for (const form of [`${count}h`, `${count} hours ago`])
          expect(read(form)).toBe(now.getTime() - count * 3_600_000);
        const day = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate());
        expect(read(`${count} days ago`)).toBe(day - count * 86_400_000);
        expect(read(now.toISOString())).toBe(now.getTime());
      }),
    );
  });
});

describe('one day', () => {
  it.each([
    ['2026-02-13', '2026-02-13T00:00:00Z', '2026-02-14T00:00:00Z'],
    ['today', '2026-03-15T00:00:00Z', '2026-03-16T00:00:00Z'],
    ['monday', '2026-03-09T00:00:00Z', '2026-03-10T00:00:00Z'],
    ['3 days ago', '2026-03-12T00:00:00Z', '2026-03-13T00:00:00Z'],
  ])('is %s', (said, first, next) => {
    const day = readDay(said, NOW, 'UTC');
    expect('problem' in day ? day : [isoOf(day.since), isoOf(day.until)]).toEqual([first, next]);
  });

  it('is no week', () => {
    expect(readDay('last week', NOW, 'UTC')).toEqual({ problem: 'It is more than one day: use --since and --until.' });
    expect(readDay('31 February', NOW, 'UTC')).toEqual({ problem: 'February has 29 days.' });
  });
});
