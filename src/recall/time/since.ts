// `--since`: a date, a time, or how people say it. Days begin at midnight UTC, as the times in the files are.

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const SPANS: { readonly [unit: string]: number } = { h: HOUR, d: DAY, w: 7 * DAY };
const WORDS: { readonly [word: string]: number } = {
  today: 0,
  yesterday: 1,
  'last week': 7,
  'last month': 30,
  'last year': 365,
};
const UNITS: { readonly [word: string]: string } = {
  hour: 'h',
  day: 'd',
  week: 'w',
  month: 'month',
  year: 'year',
  mo: 'month',
  y: 'year',
};
export const SINCE_FORMS = '2026-01-31, 2026-01-31T09:30:00Z, 7d, 12h, 2w, "3 months ago", today, yesterday, last week';

/** In milliseconds; `undefined` if it cannot be understood. */
export function readSince(text: string, now: Date): number | undefined {
  const plain = text.trim().toLowerCase().replace(/\s+/g, ' ');
  const days = WORDS[plain];
  if (days !== undefined && Object.hasOwn(WORDS, plain)) return startOfDay(now) - days * DAY;
  const span = /^(\d{1,5}) ?(h|d|w|mo|y|hours?|days?|weeks?|months?|years?)(?: ago)?$/.exec(plain);
  if (span) return before(now, Number(span[1]), span[2]!);
  if (/^\d{4}-\d\d$/.test(plain)) return valid(Date.parse(`${plain}-01T00:00:00Z`));
  if (/^\d{4}-\d\d-\d\d$/.test(plain)) return valid(Date.parse(`${plain}T00:00:00Z`));
  if (!/^\d{4}-\d\d-\d\d[t ]\d\d:\d\d/.test(plain)) return undefined;
  const zoned = /(?:z|[+-]\d\d:?\d\d)$/.test(plain) ? plain : `${plain}z`;
  return valid(Date.parse(zoned.replace(' ', 'T').toUpperCase()));
}

function before(now: Date, count: number, written: string): number {
  const name = written.replace(/(?<=..)s$/, '');
  const unit = UNITS[name] ?? name;
  const span = SPANS[unit];
  if (span !== undefined) return now.getTime() - count * span;
  const date = new Date(now);
  if (unit === 'month') date.setUTCMonth(date.getUTCMonth() - count);
  else date.setUTCFullYear(date.getUTCFullYear() - count);
  return date.getTime();
}

const startOfDay = (now: Date): number => Math.floor(now.getTime() / DAY) * DAY;
const valid = (time: number): number | undefined => (Number.isNaN(time) ? undefined : time);
