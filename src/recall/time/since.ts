// `--since`: a date, a time, how long ago, or any words that name a time in a query. Days begin at midnight UTC, as the times in
// the files are; a query has the days of its asker.

import { Calendar } from './calendar.ts';
import { readDates } from './dates.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const SPANS: { readonly [unit: string]: number } = { h: HOUR, hour: HOUR, d: DAY, day: DAY, w: 7 * DAY, week: 7 * DAY };
/** How many days back. "Last week" is seven days here, so that nothing of this week is left out. */
const WORDS: ReadonlyMap<string, number> = new Map([
  ['today', 0],
  ['yesterday', 1],
  ['last week', 7],
  ['last month', 30],
  ['last year', 365],
]);
export const SINCE_FORMS =
  '2026-01-31, 2026-01-31T09:30:00Z, 7d, 12h, 2w, "3 months ago", today, yesterday, last week, monday, "7 May"';

/** In milliseconds; `undefined` if it cannot be understood. */
export function readSince(text: string, now: Date): number | undefined {
  const plain = text
    .trim()
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/^since /, '');
  const days = WORDS.get(plain);
  if (days !== undefined) return new Calendar(now.getTime(), 'UTC').today(-days);
  const span = /^(\d{1,5}) ?(h|d|w|mo|y|hours?|days?|weeks?|months?|years?)(?: ago)?$/.exec(plain);
  if (span) return before(now, Number(span[1]), span[2]!);
  if (/^\d{4}-\d\d(?:-\d\d)?$/.test(plain)) return valid(Date.parse(`${plain.padEnd(10, '-01')}T00:00:00Z`));
  if (!/^\d{4}-\d\d-\d\d[t ]\d\d:\d\d/.test(plain)) return inWords(plain, now);
  const zoned = /(?:z|[+-]\d\d:?\d\d)$/.test(plain) ? plain : `${plain}z`;
  return valid(Date.parse(zoned.replace(' ', 'T').toUpperCase()));
}

function before(now: Date, count: number, written: string): number {
  const unit = written.replace(/(?<=..)s$/, '');
  const span = SPANS[unit];
  if (span !== undefined) return now.getTime() - count * span;
  const date = new Date(now);
  if (unit.startsWith('mo')) date.setUTCMonth(date.getUTCMonth() - count);
  else date.setUTCFullYear(date.getUTCFullYear() - count);
  return date.getTime();
}

/** As a query has it, if all of it names a time: "monday", "march", "two weeks ago". */
function inWords(plain: string, now: Date): number | undefined {
  if (!/[a-z]{3}/.test(plain)) return undefined;
  const asked = plain.endsWith(' ago') ? `last ${plain.slice(0, -4)}` : `since ${plain}`;
  const { since, rest } = readDates(asked, now.getTime(), 'UTC');
  return /^(?:since)?$/.test(rest.trim()) ? since : undefined;
}

const valid = (time: number): number | undefined => (Number.isNaN(time) ? undefined : time);
