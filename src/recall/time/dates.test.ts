import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDates } from './dates.ts';

/** A Wednesday, 12:00 in Berlin. */
const NOW = Date.parse('2026-11-18T11:00:00Z');
const BERLIN = 'Europe/Berlin';
const HOUR = 3_600_000;

const iso = (time: number | undefined): string | undefined =>
  time === undefined ? undefined : new Date(time).toISOString();
const range = (text: string, zone = BERLIN): (string | undefined)[] => {
  const { since, until } = readDates(text, NOW, zone);
  return [iso(since), iso(until)];
};

/** The day that Intl calls a moment: 2026-03-29. */
const dayIn = (zone: string): ((time: number) => string) => {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' });
  return (time) => format.format(time);
};
/** First and last day of what a text names, in UTC. */
const daysOf = (text: string, now = NOW, zone = 'UTC'): string | undefined => {
  const { since, until } = readDates(text, now, zone);
  if (since === undefined && until === undefined) return undefined;
  const day = dayIn(zone);
  return `${since === undefined ? '' : day(since)} ${until === undefined ? '' : day(until - 1)}`;
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
    expect(readDates('yesterday right after midnight: the six findings', NOW, BERLIN)).toMatchObject({
      phrase: 'yesterday right after midnight',
      rest: ' : the six findings',
    });
  });

  it.each([
    ...['may we cache it', 'the second option', 'march on', 'port 2023', 'version 2.0.1'],
    ...['keys in 2048 bits', 'read from 2000 rows on', 'the monday.com export'],
    ...['the 3 decisions about the cache', '5 marbles', 'the first 2 separate queues', '10 novel ideas'],
    ...[
      'why does april.ts fail',
      'src/march/index.ts',
      'import sun.misc.Unsafe',
      'logs/2026-01-31.log',
      '`in March`.ts',
    ],
    ...['the sat solver', 'on sat problems', 'mon amour', 'la-sun-burst', 'sundry items', 'we march to the sun'],
    ...['the first 2 may fail', 'step 3 may break it', 'may 7 tests fail', 'it may, in may be', 'march to may'],
    ...[
      'next Monday',
      'every Friday',
      'the Monday standup',
      'next week',
      'tomorrow',
      'nächsten Montag',
      'lundi prochain',
    ],
    ...['31 February', 'on 31 April', '2026-13-01', '2026-02-30', 'between 30 and 32 March', '3/4/2026', '2月31日'],
    ...['was ist hier kaputt', 'mi mes favorito', 'git tag', 'was macht das an', '30日間', 'the hour glass', 'a day'],
    ...['two weeks of work', 'on march', 'May I ask', 'the weekend job', 'week numbers'],
    ...['it worked on the 3rd try', 'the 13th item', 'in the 5th', 'on the 2nd of them'],
  ])('finds no time in "%s"', (text) => expect(range(text)).toEqual([undefined, undefined]));

  it.each([
    // ranges
    ['between 1 and 30 November', '2026-11-01 2026-11-30'],
    ['decisions between 28 September and 3 October about auth', '2026-09-28 2026-10-03'],
    ['from March to May', '2026-03-01 2026-05-31'],
    ['from November to January', '2026-11-01 2027-01-31'],
    ['from November 2025 to January 2026', '2025-11-01 2026-01-31'],
    ['November to January 2026', '2025-11-01 2026-01-31'],
    ['March to May 2025', '2025-03-01 2025-05-31'],
    ['Mar–May', '2026-03-01 2026-05-31'],
    ['1-15 October', '2026-10-01 2026-10-15'],
    ['October 1 to 15', '2026-10-01 2026-10-15'],
    ['Nov 1–15, 2025', '2025-11-01 2025-11-15'],
    ['2026-01-01 to 2026-01-31', '2026-01-01 2026-01-31'],
    ['2026-01-01..2026-01-31', '2026-01-01 2026-01-31'],
    ['2026-01-01/2026-01-31', '2026-01-01 2026-01-31'],
    ['between Thursday and Monday', '2026-11-12 2026-11-16'],
    ['from last Monday until yesterday', '2026-11-16 2026-11-17'],
    ['last two weeks', '2026-11-04 '],
    ['in the past few days', '2026-11-15 '],
    ['the last days', '2026-11-15 '],
    // weekdays, on a Wednesday
    ['on Wednesday', '2026-11-18 2026-11-18'],
    ['this Wednesday', '2026-11-18 2026-11-18'],
    ['last Wednesday', '2026-11-11 2026-11-11'],
    ['since Wednesday', '2026-11-11 '],
    ['before Wednesday', ' 2026-11-17'],
    ['what happened Thursday?', '2026-11-12 2026-11-12'],
    ['on Monday morning', '2026-11-16 2026-11-16'],
    ['on Fri', '2026-11-13 2026-11-13'],
    ['friday the week before', '2026-11-13 2026-11-13'],
    ['last week on Friday', '2026-11-13 2026-11-13'],
    ['Monday, 9 November', '2026-11-09 2026-11-09'],
    ['over the weekend', '2026-11-14 2026-11-15'],
    // months, quarters, years
    ['in March', '2026-03-01 2026-03-31'],
    ['in November', '2026-11-01 2026-11-30'],
    ['last November', '2025-11-01 2025-11-30'],
    ['in March last year', '2025-03-01 2025-03-31'],
    ['at the end of March', '2026-03-01 2026-03-31'],
    ['by May', ' 2026-05-31'],
    ['from October on', '2026-10-01 '],
    ['in 2026-02', '2026-02-01 2026-02-28'],
    ['in Q4', '2026-10-01 2026-12-31'],
    ['in Q1', '2026-01-01 2026-03-31'],
    ['Q3 2025', '2025-07-01 2025-09-30'],
    ['last quarter', '2026-07-01 2026-09-30'],
    ['the third quarter of 2025', '2025-07-01 2025-09-30'],
    ['2026-W07', '2026-02-09 2026-02-15'],
    // how long ago
    ['about ten days ago', '2026-11-06 2026-11-10'],
    ['a couple of weeks ago', '2026-11-01 2026-11-07'],
    ['the week before last', '2026-11-02 2026-11-08'],
    ['in the week before 16 November 2025', '2025-11-09 2025-11-15'],
    ['29 February', '2024-02-29 2024-02-29'],
    ['7th of May', '2026-05-07 2026-05-07'],
    ['on the 13th', '2026-11-13 2026-11-13'],
    ['what did we do on the 18th?', '2026-11-18 2026-11-18'],
    ['on the 19th', '2026-10-19 2026-10-19'],
    ['on the 31st', '2026-10-31 2026-10-31'],
    ['since the 5th', '2026-11-05 '],
    ['until the 5th', ' 2026-11-05'],
    // times of day are not looked at
    ['at 3pm yesterday', '2026-11-17 2026-11-17'],
    ['yesterday at 15:30', '2026-11-17 2026-11-17'],
    ['2026-02-13T14:30:00Z', '2026-02-13 2026-02-13'],
    ['last night', '2026-11-17 2026-11-17'],
    ['this morning', '2026-11-18 '],
    ['2/13/2026', '2026-02-13 2026-02-13'],
    // a time that no calendar has is passed over for one that it has
    ['31 February or 3 March', '2026-03-03 2026-03-03'],
    ['why does april.ts fail since Monday', '2026-11-16 '],
    ["last week's decisions", '2026-11-09 2026-11-15'],
  ])('reads "%s" as %s', (text, days) => expect(daysOf(text)).toBe(days));

  it.each([
    // German
    ['was haben wir vor drei Tagen gemacht', '2026-11-15 2026-11-15'],
    ['vor Montag', ' 2026-11-15'],
    ['seit drei Tagen', '2026-11-15 '],
    ['ab dem 3. März', '2026-03-03 '],
    ['Freitag letzter Woche', '2026-11-13 2026-11-13'],
    ['zwischen dem 1. und dem 30. November', '2026-11-01 2026-11-30'],
    ['von März bis Mai', '2026-03-01 2026-05-31'],
    ['in den letzten zwei Wochen', '2026-11-04 '],
    ['am 13.2.2026 um 15 Uhr', '2026-02-13 2026-02-13'],
    // French
    ["qu'avons-nous fait hier", '2026-11-17 2026-11-17'],
    ['avant-hier', '2026-11-16 2026-11-16'],
    ['il y a environ 10 jours', '2026-11-06 2026-11-10'],
    ['depuis lundi', '2026-11-16 '],
    ['lundi dernier', '2026-11-16 2026-11-16'],
    ['entre le 1er et le 30 novembre', '2026-11-01 2026-11-30'],
    ['du 1er au 15 octobre', '2026-10-01 2026-10-15'],
    ['de mars à mai', '2026-03-01 2026-05-31'],
    ['les 3 derniers jours', '2026-11-15 '],
    ["jusqu'à vendredi", ' 2026-11-13'],
    ['le week-end dernier', '2026-11-14 2026-11-15'],
    // Spanish
    ['qué hicimos la semana pasada', '2026-11-09 2026-11-15'],
    ['desde hace 3 días', '2026-11-15 '],
    ['el lunes pasado', '2026-11-16 2026-11-16'],
    ['entre el 1 y el 30 de noviembre', '2026-11-01 2026-11-30'],
    ['del 1 al 15 de octubre', '2026-10-01 2026-10-15'],
    ['las últimas dos semanas', '2026-11-04 '],
    ['ayer por la tarde', '2026-11-17 2026-11-17'],
    // Japanese
    ['先週何をした', '2026-11-09 2026-11-15'],
    ['先週の月曜日', '2026-11-09 2026-11-09'],
    ['11月1日から30日まで', '2026-11-01 2026-11-30'],
    ['3月から5月まで', '2026-03-01 2026-05-31'],
    ['3月以降', '2026-03-01 '],
    ['過去2週間', '2026-11-04 '],
    ['去年の3月', '2025-03-01 2025-03-31'],
    // Chinese
    ['上周一做了什么', '2026-11-09 2026-11-09'],
    ['从3月到5月', '2026-03-01 2026-05-31'],
    ['三月之前', ' 2026-02-28'],
    ['最近两周', '2026-11-04 '],
    ['自从上周一以来', '2026-11-09 '],
    ['上個星期做了什麼', '2026-11-09 2026-11-15'],
  ])('reads %s as %s', (text, days) => expect(daysOf(text)).toBe(days));
});

const LOCALES = ['en-GB', 'en-US', 'de', 'fr', 'es', 'ja', 'zh'] as const;
const ZONES = ['Europe/Berlin', 'America/Santiago', 'Africa/Cairo', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC'];
const locale = fc.constantFrom(...LOCALES);
const zone = fc.constantFrom(...ZONES);
const moment = fc
  .integer({ min: Date.UTC(2019, 0, 1) / HOUR, max: Date.UTC(2027, 11, 31) / HOUR })
  .map((hours) => hours * HOUR + 1_234_567);

/** What Intl calls a date is what is read: it knows the words of every language, and the days of every zone. */
describe('the words of Intl', () => {
  it('are dates', () => {
    fc.assert(
      fc.property(moment, locale, zone, (time, language, timeZone) => {
        const day = dayIn(timeZone)(time);
        for (const dateStyle of ['long', 'full'] as const) {
          const written = new Intl.DateTimeFormat(language, { timeZone, dateStyle }).format(time);
          expect([written, daysOf(written, NOW, timeZone)]).toEqual([written, `${day} ${day}`]);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('are the last such day where the year is not said', () => {
    fc.assert(
      fc.property(moment, fc.integer({ min: 1, max: 364 }), locale, (now, back, language) => {
        const time = now - back * 24 * HOUR;
        const day = dayIn('UTC')(time);
        if (day.endsWith('02-29')) return;
        const written = new Intl.DateTimeFormat(language, { timeZone: 'UTC', day: 'numeric', month: 'long' }).format(
          time,
        );
        expect([written, daysOf(written, now)]).toEqual([written, `${day} ${day}`]);
      }),
      { numRuns: 300 },
    );
  });

  it('are ranges of days', () => {
    fc.assert(
      fc.property(moment, fc.integer({ min: 1, max: 80 }), locale, (time, length, language) => {
        const end = time + length * 24 * HOUR;
        const format = new Intl.DateTimeFormat(language, { timeZone: 'UTC', dateStyle: 'long' });
        const written = format.formatRange(time, end);
        const day = dayIn('UTC');
        expect([written, daysOf(written)]).toEqual([written, `${day(time)} ${day(end)}`]);
      }),
      { numRuns: 300 },
    );
  });

  it('are months, of this year or the last', () => {
    fc.assert(
      fc.property(moment, fc.integer({ min: 0, max: 11 }), locale, (now, back, language) => {
        const { year, month } = { year: new Date(now).getUTCFullYear(), month: new Date(now).getUTCMonth() - back };
        const first = Date.UTC(year, month, 1);
        const name = new Intl.DateTimeFormat(language, { timeZone: 'UTC', month: 'long' }).format(first);
        const before: { [language: string]: string } = { de: 'im ', fr: 'en ', es: 'en ', ja: '', zh: '' };
        const written = `${before[language] ?? 'in '}${name}`;
        const day = dayIn('UTC');
        const meant = `${day(first)} ${day(Date.UTC(year, month + 1, 0))}`;
        expect([written, daysOf(written, now)]).toEqual([written, meant]);
      }),
      { numRuns: 200 },
    );
  });

  it('are weekdays, today if it is that day', () => {
    fc.assert(
      fc.property(moment, fc.integer({ min: 0, max: 6 }), locale, zone, (now, back, language, timeZone) => {
        const time = now - back * 24 * HOUR;
        const meant = dayIn(timeZone)(time);
        // Where clocks change meanwhile, so many hours may be another day.
        const name = (of: number): string =>
          new Intl.DateTimeFormat(language, { timeZone, weekday: 'long' }).format(of);
        if (back > 0 && name(time) === name(now)) return;
        expect([name(time), daysOf(name(time), now, timeZone)]).toEqual([name(time), `${meant} ${meant}`]);
      }),
      { numRuns: 300 },
    );
  });

  it('are days before today', () => {
    fc.assert(
      fc.property(moment, fc.integer({ min: 1, max: 200 }), locale, (now, back, language) => {
        const written = new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(-back, 'day');
        const day = dayIn('UTC')(now - back * 24 * HOUR);
        expect([written, daysOf(written, now)]).toEqual([written, `${day} ${day}`]);
      }),
      { numRuns: 200 },
    );
  });

  it('are the week, the month, the quarter and the year before', () => {
    fc.assert(
      fc.property(moment, locale, (now, language) => {
        const said = (unit: Intl.RelativeTimeFormatUnit): string =>
          new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(-1, unit);
        const date = new Date(now);
        const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
        const monday = day - ((date.getUTCDay() + 6) % 7) - 7;
        const quarter = month - (month % 3) - 3;
        const period = (from: number, to: number): string => `${dayIn('UTC')(from)} ${dayIn('UTC')(to - 1)}`;
        const meant: [Intl.RelativeTimeFormatUnit, string][] = [
          ['week', period(Date.UTC(year, month, monday), Date.UTC(year, month, monday + 7))],
          ['month', period(Date.UTC(year, month - 1, 1), Date.UTC(year, month, 1))],
          ['quarter', period(Date.UTC(year, quarter, 1), Date.UTC(year, quarter + 3, 1))],
          ['year', period(Date.UTC(year - 1, 0, 1), Date.UTC(year, 0, 1))],
        ];
        for (const [unit, days] of meant) expect([said(unit), daysOf(said(unit), now)]).toEqual([said(unit), days]);
      }),
      { numRuns: 100 },
    );
  });
});
