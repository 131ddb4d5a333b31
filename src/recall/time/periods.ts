// Periods of a calendar: the day, week, month, quarter or year that words mean, as seen from now. Dates that no calendar has are
// told, not moved to the next month. Which words mean which period is for the readers of languages to say.

import type { Calendar } from './calendar.ts';

/** From `since` on, before `until`; milliseconds. */
export type Period = { readonly since: number; readonly until: number };
/** A date that does not exist, and why. */
export type Impossible = { readonly impossible: string };

export type Unit = 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year';

const HOUR = 3_600_000;
/** Nobody has talked to an agent before. */
const FIRST_YEAR = 2010;
/** The 29th of February may be so many years away. */
const LEAP_YEARS = 8;
const MONTH_NAMES = 'January February March April May June July August September October November December'.split(' ');

export const isImpossible = (found: object): found is Impossible => 'impossible' in found;

export const daysInMonth = (year: number, month: number): number => new Date(Date.UTC(year, month + 1, 0)).getUTCDate();

export const days = (calendar: Calendar, from: number, to: number): Period => ({
  since: calendar.today(from),
  until: calendar.today(to + 1),
});

/** `month` from 0. Without a year the last such day that has begun; `notBefore`: the first one that ends after that moment instead. */
export function dayOf(
  calendar: Calendar,
  { year, month, day, notBefore }: { year?: number | undefined; month: number; day: number; notBefore?: number },
): Period | Impossible {
  const wrong = problemOf(year, month, day);
  if (wrong !== undefined) return { impossible: wrong };
  const at = (written: number): Period => ({
    since: calendar.startOf(written, month, day),
    until: calendar.startOf(written, month, day + 1),
  });
  if (year !== undefined) return at(year);
  return chosenYear(calendar, notBefore, (each) => (day <= daysInMonth(each, month) ? at(each) : undefined));
}

const MONTHS_BACK = 2;

/** “The 13th”: the last one that has begun. No two months after each other lack the same day. */
export function dayOfMonth(calendar: Calendar, day: number): Period | Impossible {
  const { year, month } = calendar.partsOf(calendar.now);
  for (let back = 0; back <= MONTHS_BACK; back++) {
    const since = calendar.startOf(year, month - back, day);
    if (day <= daysInMonth(year, month - back) && since <= calendar.now)
      return { since, until: calendar.startOf(year, month - back, day + 1) };
  }
  return { impossible: `No month has a day ${day}.` };
}

/** Of the months: like `dayOf`. */
export function monthOf(
  calendar: Calendar,
  { year, month, notBefore }: { year?: number | undefined; month: number; notBefore?: number },
): Period | Impossible {
  const wrong = problemOf(year, month, 1);
  if (wrong !== undefined) return { impossible: wrong };
  const at = (written: number): Period => ({
    since: calendar.startOf(written, month, 1),
    until: calendar.startOf(written, month + 1, 1),
  });
  return year === undefined ? chosenYear(calendar, notBefore, at) : at(year);
}

/** `quarter` from 1. */
export function quarterOf(
  calendar: Calendar,
  { year, quarter, notBefore }: { year?: number | undefined; quarter: number; notBefore?: number },
): Period | Impossible {
  if (quarter < 1 || quarter > 4) return { impossible: `A year has no quarter ${quarter}.` };
  const at = (written: number): Period => ({
    since: calendar.startOf(written, 3 * quarter - 3, 1),
    until: calendar.startOf(written, 3 * quarter, 1),
  });
  return year === undefined ? chosenYear(calendar, notBefore, at) : at(year);
}

export const yearOf = (calendar: Calendar, year: number): Period => ({
  since: calendar.startOf(year, 0, 1),
  until: calendar.startOf(year + 1, 0, 1),
});

/** A number that is more likely a year than rows, bits or a port. */
export const isLikelyYear = (calendar: Calendar, year: number): boolean =>
  year >= FIRST_YEAR && year <= calendar.partsOf(calendar.now).year + 1;

function chosenYear(
  calendar: Calendar,
  notBefore: number | undefined,
  at: (year: number) => Period | undefined,
): Period | Impossible {
  const { year } = calendar.partsOf(notBefore ?? calendar.now);
  for (let step = 0; step <= LEAP_YEARS; step++) {
    const period = at(notBefore === undefined ? year - step : year + step);
    if (period && (notBefore === undefined ? period.since <= calendar.now : period.until > notBefore)) return period;
  }
  return { impossible: 'There was no such day in the last years.' };
}

function problemOf(year: number | undefined, month: number, day: number): string | undefined {
  if (month < 0 || month > 11) return `A year has no month ${month + 1}.`;
  // Without a year, the 29th of February may be meant.
  const most = daysInMonth(year ?? 2024, month);
  if (day >= 1 && day <= most) return undefined;
  return day < 1
    ? `No month has a day ${day}.`
    : `${MONTH_NAMES[month]}${year === undefined ? '' : ` ${year}`} has ${most} days.`;
}

/** The unit that is so many units before the one of now: 0 is “this week”, 1 “last week”. */
export function unitBack(calendar: Calendar, unit: Unit, back: number): Period {
  const { year, month, weekday } = calendar.partsOf(calendar.now);
  const monday = -((weekday + 6) % 7);
  switch (unit) {
    case 'hour':
      return { since: calendar.now - (back + 1) * HOUR, until: calendar.now - back * HOUR };
    case 'day':
      return days(calendar, -back, -back);
    case 'week':
      return days(calendar, monday - 7 * back, monday - 7 * back + 6);
    case 'month':
      return { since: calendar.startOf(year, month - back, 1), until: calendar.startOf(year, month - back + 1, 1) };
    case 'quarter': {
      const first = month - (month % 3) - 3 * back;
      return { since: calendar.startOf(year, first, 1), until: calendar.startOf(year, first + 3, 1) };
    }
    default:
      return yearOf(calendar, year - back);
  }
}

/** Saturday and Sunday: the last that have begun, or those before. */
export function weekend(calendar: Calendar, back: number): Period {
  const { weekday } = calendar.partsOf(calendar.now);
  const saturday = -((weekday + 1) % 7);
  return days(calendar, saturday - 7 * back, saturday - 7 * back + 1);
}

/** “Last weekend” is the one of last week, also when it is asked on a Saturday. */
export function lastWeekend(calendar: Calendar): Period {
  const { weekday } = calendar.partsOf(calendar.now);
  return weekend(calendar, weekday === 0 || weekday === 6 ? 1 : 0);
}

/** The beginning of the last so many units, today with it: “the last 3 days” begin three days ago. */
export function startOfLast(calendar: Calendar, count: number, unit: Unit): number {
  const { year, month, day } = calendar.partsOf(calendar.now);
  const months = { hour: 0, day: 0, week: 0, month: 1, quarter: 3, year: 12 }[unit] * count;
  if (unit === 'hour') return calendar.now - count * HOUR;
  if (months === 0) return calendar.today(-count * (unit === 'week' ? 7 : 1));
  // Three months before the 31st of May is the last of February, not the 3rd of March.
  const first = new Date(Date.UTC(year, month - months, 1));
  const [then, at] = [first.getUTCFullYear(), first.getUTCMonth()];
  return calendar.startOf(then, at, Math.min(day, daysInMonth(then, at)));
}

/** “Two weeks ago” means about then: half a unit to both sides. “About ten days ago” is a few days wide, too. */
export function ago(calendar: Calendar, { count, unit, about }: { count: number; unit: Unit; about: boolean }): Period {
  if (unit === 'hour') {
    const half = HOUR / 2;
    return { since: calendar.now - count * HOUR - half, until: calendar.now - count * HOUR + half };
  }
  const around = { day: about ? Math.max(1, Math.round(count / 5)) : 0, week: 3, month: 15, quarter: 45, year: 183 }[
    unit
  ];
  const { year, month, day } = calendar.partsOf(startOfLast(calendar, count, unit));
  return { since: calendar.startOf(year, month, day - around), until: calendar.startOf(year, month, day + around + 1) };
}

/** `weekday` from 0, Sunday. `before`: today does not count. */
export function lastWeekday(calendar: Calendar, weekday: number, before: boolean): Period {
  const { weekday: today } = calendar.partsOf(calendar.now);
  const back = (today - weekday + 7) % 7;
  const shift = back === 0 && before ? -7 : -back;
  return days(calendar, shift, shift);
}

/** That weekday of the week so many weeks ago; weeks begin on Monday. */
export function weekdayOfWeek(calendar: Calendar, weekday: number, back: number): Period {
  const { weekday: today } = calendar.partsOf(calendar.now);
  const at = ((weekday + 6) % 7) - ((today + 6) % 7) - 7 * back;
  return days(calendar, at, at);
}

/** The week that holds the 4th of January is the first one of a year (ISO 8601). */
export function isoWeek(calendar: Calendar, year: number, week: number): Period | Impossible {
  const monday = (of: number): number => {
    const fourth = new Date(Date.UTC(of, 0, 4));
    return 4 - ((fourth.getUTCDay() + 6) % 7);
  };
  const most = Math.round(
    (Date.UTC(year + 1, 0, monday(year + 1)) - Date.UTC(year, 0, monday(year))) / (7 * 24 * HOUR),
  );
  if (week < 1 || week > most) return { impossible: `${year} has ${most} weeks.` };
  const first = monday(year) + 7 * (week - 1);
  return { since: calendar.startOf(year, 0, first), until: calendar.startOf(year, 0, first + 7) };
}
