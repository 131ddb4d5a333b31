// A time as the value of an option (`--since`, `--until`, `--before`, `--day`): everything that names a time in a query, by the same
// calendar, and a few short forms besides. What cannot be meant is refused with the reason.

import { Calendar } from './calendar.ts';
import { timePhrases } from './dates.ts';
import { daysInMonth, isImpossible, startOfLast } from './periods.ts';

/** where it begins, or where it ends. */
export type TimeEdge = 'since' | 'until';

export type WrittenTime = { readonly since: number; readonly until: number } | { readonly problem: string };

export const SINCE_FORMS =
  '2026-01-31, 2026-01, 2026-01-31T09:30:00Z, 12h, 7d, 2w, "3 days ago", yesterday, "last week", monday, "7 May", March';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const LONGEST_DAY = 26 * HOUR;
/** Exact lengths: seven times 24 hours. Words (“7 days ago”) are days of the calendar. */
const SHORT: { readonly [unit: string]: number } = { h: HOUR, d: DAY, w: 7 * DAY };
const CLOCK = /^(\d{4})-(\d\d)-(\d\d)[t ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?(z|[+-]\d\d:?\d\d)?$/;

/** One moment. `since` and `before`: where the time that is named begins; `until`: where it ends, so that “until Monday” has Monday in it. */
export function readTime(text: string, edge: TimeEdge, now: Date, zone?: string): number | { problem: string } {
  const found = readWindow(text, now, zone);
  if ('problem' in found) return found;
  if (found.isRange) {
    const day = (time: number): string => dayText(new Calendar(time, zone), time);
    return {
      problem: `It names a beginning and an end: --since ${day(found.since)} --until ${day((found.until ?? found.since) - 1)}`,
    };
  }
  return edge === 'until' ? (found.until ?? now.getTime()) : found.since;
}

/** One day: where it begins and where the next one does. */
export function readDay(text: string, now: Date, zone?: string): WrittenTime {
  const found = readWindow(text, now, zone);
  if ('problem' in found) return found;
  const calendar = new Calendar(found.since, zone);
  const until = found.until ?? calendar.today(1);
  if (until - found.since > LONGEST_DAY) return { problem: 'It is more than one day: use --since and --until.' };
  return { since: calendar.today(), until: calendar.today(1) };
}

type Window = { since: number; until: number | undefined; isRange: boolean };

function readWindow(text: string, now: Date, zone: string | undefined): Window | { problem: string } {
  const plain = text
    .trim()
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/^(?:since|until|from) /, '');
  const calendar = new Calendar(now.getTime(), zone);
  const moment = momentOf(plain, calendar);
  if (moment !== undefined) {
    return Number.isNaN(moment)
      ? { problem: 'There is no such moment.' }
      : { since: moment, until: moment, isRange: false };
  }
  const all = timePhrases(plain, calendar, true).filter(
    ({ start, end }) => plain.slice(0, start).trim() === '' && plain.slice(end).trim() === '',
  );
  const found = all.find(({ meant }) => !isImpossible(meant)) ?? all[0];
  if (!found) return { problem: '' };
  const { meant, isRange } = found;
  if (isImpossible(meant)) return { problem: meant.impossible };
  if (meant.since === undefined) return { problem: '' }; // “before Monday” is no beginning
  return { since: meant.since, until: meant.until, isRange };
}

/** A moment to the second, or so long before now; NaN for one that does not exist. */
function momentOf(plain: string, calendar: Calendar): number | undefined {
  const span = /^(\d{1,5}) ?(h|d|w|mo|y|hours?)(?: ago)?$/.exec(plain);
  if (span) {
    const [count, unit = ''] = [Number(span[1]), span[2]];
    const length = SHORT[unit[0] ?? ''];
    if (length !== undefined) return calendar.now - count * length;
    return startOfLast(calendar, count, unit === 'mo' ? 'month' : 'year');
  }
  const clock = CLOCK.exec(plain);
  if (!clock) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = clock
    .slice(1, 7)
    .map((each) => Number(each ?? 0));
  const isThere = month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month - 1);
  if (!isThere || hour > 23 || minute > 59 || second > 59) return Number.NaN;
  const time = ((hour * 60 + minute) * 60 + second) * 1_000;
  if (clock[7] === undefined) return calendar.momentAt(year, month - 1, day, time);
  return Date.parse(plain.replace(' ', 'T').toUpperCase());
}

function dayText(calendar: Calendar, time: number): string {
  const { year, month, day } = calendar.partsOf(time);
  return new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10);
}
