import { describe, expect, it } from 'vitest';
import { readDates } from './dates.ts';

/** A Wednesday, 12:00 in Berlin. */
const NOW = Date.parse('2026-11-18T11:00:00Z');
const BERLIN = 'Europe/Berlin';

const iso = (time: number | undefined): string | undefined =>
  time === undefined ? undefined : new Date(time).toISOString();
const range = (text: string, zone = BERLIN): (string | undefined)[] => {
  const { since, until } = readDates(text, NOW, zone);
  return [iso(since), iso(until)];
};

describe('times in a query', () => {
  it.each([
    ['what did we do yesterday', '2026-11-16T23:00:00.000Z', '2026-11-17T23:00:00.000Z'],
    ['the day before yesterday', '2026-11-15T23:00:00.000Z', '2026-11-16T23:00:00.000Z'],
    ['today', '2026-11-17T23:00:00.000Z', undefined],
    ['last week ESP32', '2026-11-08T23:00:00.000Z', '2026-11-15T23:00:00.000Z'],
    ['since last week', '2026-11-08T23:00:00.000Z', undefined],
    ['this month', '2026-10-31T23:00:00.000Z', undefined],
    ['last month', '2026-09-30T22:00:00.000Z', '2026-10-31T23:00:00.000Z'],
    ['in the last 3 days', '2026-11-14T23:00:00.000Z', undefined],
    ['5 days ago', '2026-11-12T23:00:00.000Z', '2026-11-13T23:00:00.000Z'],
    ['since March', '2026-02-28T23:00:00.000Z', undefined],
    ['in December', '2025-11-30T23:00:00.000Z', '2025-12-31T23:00:00.000Z'],
    ['before 2026-01-31', undefined, '2026-01-30T23:00:00.000Z'],
    ['on 7 May 2023', '2023-05-06T22:00:00.000Z', '2023-05-07T22:00:00.000Z'],
    ['on May 7, 2023', '2023-05-06T22:00:00.000Z', '2023-05-07T22:00:00.000Z'],
    ['July 2023', '2023-06-30T22:00:00.000Z', '2023-07-31T22:00:00.000Z'],
    ['in 2025', '2024-12-31T23:00:00.000Z', '2025-12-31T23:00:00.000Z'],
    ['on Monday', '2026-11-15T23:00:00.000Z', '2026-11-16T23:00:00.000Z'],
    ['after Monday', '2026-11-16T23:00:00.000Z', undefined],
  ])('reads "%s" in the time zone of the asker', (text, since, until) => {
    expect(range(text)).toEqual([since, until]);
  });

  it('begins days where the asker is', () => {
    expect(range('yesterday', 'America/Los_Angeles')[0]).toBe('2026-11-17T08:00:00.000Z');
    expect(range('yesterday', 'UTC')[0]).toBe('2026-11-17T00:00:00.000Z');
  });

  it('leaves what it understood out of the words', () => {
    expect(readDates('what about redis last week', NOW, BERLIN).rest.trim()).toBe('what about redis');
  });

  it.each([
    ...['may we cache it', 'the second option', 'march on', 'port 2023', 'version 2.0.1'],
    ...['keys in 2048 bits', 'read from 2000 rows on', 'the monday.com export'],
    ...['the 3 decisions about the cache', '5 marbles', 'the first 2 separate queues', '10 novel ideas'],
  ])('finds no time in "%s"', (text) => expect(range(text)).toEqual([undefined, undefined]));
});
