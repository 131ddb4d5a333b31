// The calendar against Intl, which knows the rules of every zone: in zones whose clocks change at night, at midnight, by half
// an hour or never, on days around the changes and on any other.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Calendar } from './calendar.ts';
import { readDates } from './dates.ts';

const HOUR = 3_600_000;
const ZONES = [
  'Europe/Berlin',
  'America/Los_Angeles',
  'America/Santiago', // sets its clocks at midnight, west of Greenwich
  'Africa/Cairo', // the same, east of it
  'America/Havana', // has midnight twice in autumn
  'Australia/Lord_Howe', // by half an hour
  'Asia/Kathmandu',
  'UTC',
];
const moment = fc
  .integer({ min: Date.UTC(2015, 0, 1) / HOUR, max: Date.UTC(2027, 11, 31) / HOUR })
  .map((hours) => hours * HOUR + 1_234_567);
const zone = fc.constantFrom(...ZONES);

const formats = new Map(
  ZONES.map((timeZone) => [timeZone, new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' })]),
);
/** The day of a moment, as Intl writes it: 2026-03-29. */
const dayOf = (time: number, timeZone: string): string => formats.get(timeZone)!.format(time);

describe('a day in any zone', () => {
  it('is the one that Intl says', () => {
    fc.assert(
      fc.property(moment, zone, (time, timeZone) => {
        const { year, month, day } = new Calendar(time, timeZone).partsOf(time);
        expect(new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10)).toBe(dayOf(time, timeZone));
      }),
    );
  });

  const checkStart = (now: number, timeZone: string, shift: number): void => {
    const calendar = new Calendar(now, timeZone);
    const start = calendar.today(shift);
    const { year, month, day } = calendar.partsOf(now);
    const meant = new Date(Date.UTC(year, month, day + shift)).toISOString().slice(0, 10);
    expect([dayOf(start, timeZone), dayOf(start - 1, timeZone) < meant]).toEqual([meant, true]);
  };

  it('begins with its first moment: that is of the day, and the one before is not', () => {
    fc.assert(fc.property(moment, zone, fc.integer({ min: -400, max: 400 }), checkStart), { numRuns: 500 });
  });

  it.each(ZONES)('begins so on all days of two years in %s', (timeZone) => {
    const now = Date.UTC(2024, 11, 31, 12);
    for (let shift = -365; shift <= 365; shift++) checkStart(now, timeZone, shift);
  });

  it.each([
    ['America/Santiago', '2024-09-08', '2024-09-08T04:00:00.000Z'],
    ['America/Havana', '2024-03-10', '2024-03-10T05:00:00.000Z'],
    ['America/Havana', '2024-11-03', '2024-11-03T04:00:00.000Z'],
    ['Africa/Cairo', '2024-04-26', '2024-04-25T22:00:00.000Z'],
    ['Africa/Cairo', '2024-11-01', '2024-10-31T22:00:00.000Z'],
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z'],
  ])('begins in %s on %s at %s, though clocks change then', (timeZone, date, start) => {
    const [year, month, day] = date.split('-').map(Number) as [number, number, number];
    expect(new Date(new Calendar(0, timeZone).startOf(year, month - 1, day)).toISOString()).toBe(start);
  });
});

describe('what a query names', () => {
  it.each(ZONES)('is whole days of the asker in %s, also where one has 23 or 25 hours', (timeZone) => {
    for (let now = Date.UTC(2024, 0, 1, 12, 30); now < Date.UTC(2025, 0, 1); now += 24 * HOUR) {
      const calendar = new Calendar(now, timeZone);
      const two = readDates('what was 2 days ago', now, timeZone);
      expect([two.since, two.until]).toEqual([calendar.today(-2), calendar.today(-1)]);
      const yesterday = readDates('yesterday', now, timeZone);
      expect([yesterday.since, yesterday.until]).toEqual([calendar.today(-1), calendar.today()]);
      expect(dayOf(yesterday.until!, timeZone)).toBe(dayOf(now, timeZone));
      expect(dayOf(yesterday.until! - 1, timeZone)).toBe(dayOf(yesterday.since!, timeZone));
    }
  });
});
