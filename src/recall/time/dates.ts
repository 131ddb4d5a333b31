// Times as people write them in a query: "last week", "since March", "yesterday", "in July 2023", "two weeks ago". The days are
// those of the asker's time zone. What was understood is taken out of the text, so that it is not searched for as words.

import { Calendar } from './calendar.ts';

export type TimeWindow = {
  /** Milliseconds; from since on, before until. */
  readonly since: number | undefined;
  readonly until: number | undefined;
  /** The query without the words that named the time. */
  readonly rest: string;
};

const DAY = 86_400_000;
const FIRST_YEAR = 2010;
const MONTHS = 'january february march april may june july august september october november december'.split(' ');
const WEEKDAYS = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ');
const NUMBERS: { readonly [word: string]: number } = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  couple: 2,
  few: 3,
};
// "may" is a verb more often than a month: it needs a word in front of it or a year behind it.
const MONTH =
  '(january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)';
const COUNT = '(\\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|(?:a )?couple(?: of)?|(?:a )?few)';

type Range = readonly [since: number | undefined, until: number | undefined];
type Rule = { readonly pattern: RegExp; readonly read: (match: RegExpExecArray, clock: Calendar) => Range | undefined };

const RULES: readonly Rule[] = [
  { pattern: /\b(?:the )?day before yesterday\b/i, read: (_, clock) => [clock.today(-2), clock.today(-1)] },
  { pattern: /\byesterday\b/i, read: (_, clock) => [clock.today(-1), clock.today()] },
  {
    pattern: /\b(?:earlier )?today\b|\bthis (?:morning|afternoon|evening)\b/i,
    read: (_, clock) => [clock.today(), undefined],
  },
  { pattern: /\b(?:last|past|previous) (?:night|evening)\b/i, read: (_, clock) => [clock.today(-1), clock.today()] },
  {
    pattern: new RegExp(
      `\\b(?:since|from|in|over|during|within)?\\s*(?:the )?(?:last|past) ${COUNT} (hour|day|week|month|year)s?\\b`,
      'i',
    ),
    read: (match, clock) => [ago(clock, count(match[1]!), match[2]!), undefined],
  },
  {
    pattern: new RegExp(`\\b(?:about |around |some )?${COUNT} (hour|day|week|month|year)s? ago\\b`, 'i'),
    read: (match, clock) => around(clock, count(match[1]!), match[2]!),
  },
  {
    pattern: /\b(?:since |in |during |from )?(?:the )?(last|past|previous|this) (week|month|year|quarter|weekend)\b/i,
    read: (match, clock) => calendar(clock, match[1]!, match[2]!, /^since/i.test(match[0])),
  },
  {
    pattern: new RegExp(
      `\\b(?:(since|after|before|until|till|by|on|last|this) )?(?:last )?(${WEEKDAYS.join('|')})\\b(?![-.]\\w)`,
      'i',
    ),
    read: (match, clock) => weekday(clock, match[1], match[2]!),
  },
  {
    pattern: /\b(?:(since|after|before|until|till|by|on|from) )?(\d{4})-(\d\d)-(\d\d)\b/i,
    read: (match, clock) => bounded(match[1], day(clock, +match[2]!, +match[3]! - 1, +match[4]!)),
  },
  {
    pattern: new RegExp(
      `\\b(?:(since|after|before|until|till|by|on|from) )?${MONTH}\\.? (\\d{1,2})(?:st|nd|rd|th)?(?:,? (\\d{4}))?(?!\\d)`,
      'i',
    ),
    read: (match, clock) => bounded(match[1], monthDay(clock, match[2]!, +match[3]!, match[4])),
  },
  {
    pattern: new RegExp(
      `\\b(?:(since|after|before|until|till|by|on|from) )?(\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${MONTH}\\b(?:,? (\\d{4}))?(?!\\d)`,
      'i',
    ),
    read: (match, clock) => bounded(match[1], monthDay(clock, match[3]!, +match[2]!, match[4])),
  },
  {
    pattern: new RegExp(
      `\\b(?:(since|after|before|until|till|by|in|during|from|last|this) )${MONTH}(?:,? (\\d{4}))?\\b`,
      'i',
    ),
    read: (match, clock) => bounded(match[1], month(clock, match[2]!, match[3])),
  },
  { pattern: new RegExp(`\\b${MONTH},? (\\d{4})\\b`, 'i'), read: (match, clock) => month(clock, match[1]!, match[2]) },
  {
    pattern: /\b(?:(since|after|before|until|till|by|in|during|from) )((?:19|20)\d\d)\b/i,
    read: (match, clock) => {
      const year = +match[2]!;
      // “in 2048 bits”, “from 2000 rows”: nobody has talked to an agent then.
      if (year < FIRST_YEAR || year > clock.partsOf(clock.now).year + 1) return undefined;
      return bounded(match[1], [clock.startOf(year, 0, 1), clock.startOf(year + 1, 0, 1)]);
    },
  },
];

/** No rule matches without one of these words or four digits. Making all rules ready would take longer than most queries. */
const NEEDED: ReadonlySet<string> = new Set([
  ...MONTHS,
  ...WEEKDAYS,
  ...'jan feb mar apr jun jul aug sep sept oct nov dec'.split(' '),
  ...'yesterday today night evening morning afternoon hour day week weekend month year quarter'.split(' '),
  ...'hours days weeks months years'.split(' '),
]);

function mayHaveDate(text: string): boolean {
  return /\d{4}/.test(text) || (text.toLowerCase().match(/[a-z]+/g) ?? []).some((word) => NEEDED.has(word));
}

/** The first time that the text names. `timeZone` is an IANA name; absent, it is the machine's. */
export function readDates(text: string, now: number, timeZone?: string): TimeWindow {
  if (!mayHaveDate(text)) return { since: undefined, until: undefined, rest: text };
  const clock = new Calendar(now, timeZone);
  for (const { pattern, read } of RULES) {
    const match = pattern.exec(text);
    const range = match && read(match, clock);
    if (!match || !range) continue;
    const rest = `${text.slice(0, match.index)} ${text.slice(match.index + match[0].length)}`;
    return { since: range[0], until: range[1], rest };
  }
  return { since: undefined, until: undefined, rest: text };
}

function count(written: string): number {
  const word = written.toLowerCase().replace(/^a (?=couple|few)| of$/g, '');
  return NUMBERS[word] ?? Math.max(1, Number(word) || 1);
}

function ago(clock: Calendar, number: number, unit: string): number {
  const { year, month: at, day: date } = clock.partsOf(clock.now);
  switch (unit.toLowerCase()) {
    case 'hour':
      return clock.now - number * 3_600_000;
    case 'day':
      return clock.today(-number);
    case 'week':
      return clock.today(-7 * number);
    case 'month':
      return clock.startOf(year, at - number, date);
    default:
      return clock.startOf(year - number, at, date);
  }
}

/** "two weeks ago" means about then: half a unit to both sides. */
function around(clock: Calendar, number: number, unit: string): Range {
  if (unit.toLowerCase() === 'day') return [clock.today(-number), clock.today(-number + 1)];
  const half = { hour: 1_800_000, week: 3.5 * DAY, month: 15 * DAY, year: 183 * DAY }[unit.toLowerCase()] ?? 0;
  const then = ago(clock, number, unit);
  return [then - half, then + half + (half > DAY ? DAY : 0)];
}

function calendar(clock: Calendar, which: string, unit: string, open: boolean): Range {
  const { year, month: at, weekday: today } = clock.partsOf(clock.now);
  const back = /this/i.test(which) ? 0 : 1;
  const monday = -((today + 6) % 7);
  const range = ((): [number, number] => {
    switch (unit.toLowerCase()) {
      case 'week':
        return [clock.today(monday - 7 * back), clock.today(monday - 7 * back + 7)];
      case 'weekend':
        return [clock.today(monday - 7 * back + 5), clock.today(monday - 7 * back + 7)];
      case 'month':
        return [clock.startOf(year, at - back, 1), clock.startOf(year, at - back + 1, 1)];
      case 'quarter':
        return [clock.startOf(year, at - (at % 3) - 3 * back, 1), clock.startOf(year, at - (at % 3) - 3 * back + 3, 1)];
      default:
        return [clock.startOf(year - back, 0, 1), clock.startOf(year - back + 1, 0, 1)];
    }
  })();
  // On a Monday "last week" ended yesterday; nobody means to leave out this morning's work by "since last week".
  return open || back === 0 ? [range[0], undefined] : range;
}

function weekday(clock: Calendar, how: string | undefined, name: string): Range | undefined {
  const { weekday: today } = clock.partsOf(clock.now);
  const back = (today - WEEKDAYS.indexOf(name.toLowerCase()) + 7) % 7 || 7;
  return bounded(how, [clock.today(-back), clock.today(-back + 1)]);
}

function day(clock: Calendar, year: number, at: number, date: number): Range {
  return [clock.startOf(year, at, date), clock.startOf(year, at, date + 1)];
}

const monthNumber = (name: string): number =>
  MONTHS.findIndex((each) => each.startsWith(name.toLowerCase().slice(0, 3)));

/** Without a year it is the last one that has begun. */
function month(clock: Calendar, name: string, written: string | undefined): Range {
  const at = monthNumber(name);
  const today = clock.partsOf(clock.now);
  const year = written === undefined ? (at > today.month ? today.year - 1 : today.year) : Number(written);
  return [clock.startOf(year, at, 1), clock.startOf(year, at + 1, 1)];
}

function monthDay(clock: Calendar, name: string, date: number, written: string | undefined): Range | undefined {
  if (date < 1 || date > 31) return undefined;
  const at = monthNumber(name);
  const today = clock.partsOf(clock.now);
  const later = at > today.month || (at === today.month && date > today.day);
  const year = written === undefined ? (later ? today.year - 1 : today.year) : Number(written);
  return day(clock, year, at, date);
}

function bounded(how: string | undefined, range: Range | undefined): Range | undefined {
  if (!range) return undefined;
  switch (how?.toLowerCase()) {
    case 'since':
    case 'from':
      return [range[0], undefined];
    case 'after':
      return [range[1], undefined];
    case 'before':
      return [undefined, range[0]];
    case 'until':
    case 'till':
    case 'by':
      return [undefined, range[1]];
    default:
      return range;
  }
}
