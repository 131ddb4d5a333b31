// Numbers, times and names as people read them.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
const dayAndTime = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const dayOnly = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });
const counting = new Intl.NumberFormat('en');

export const fullTime = (at: number): string => dayAndTime.format(at);
export const fullDay = (at: number): string => dayOnly.format(at);
const dayLong = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'short', year: 'numeric' });
const timeOnly = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' });

/** `2026-01-31` → Saturday, 31 Jan 2026; what is near is called so. */
export function dayName(day: string, now = new Date()): string {
  const date = new Date(`${day}T12:00:00`);
  const away = Math.round((new Date(now).setHours(12, 0, 0, 0) - date.getTime()) / DAY);
  const name = dayLong.format(date);
  return away === 0 ? `Today, ${name}` : away === 1 ? `Yesterday, ${name}` : name;
}

/** `2026-01-31` → 31 Jan 2026; what is no day as it is. */
export function plainDay(day: string): string {
  const at = new Date(`${day}T12:00:00`).getTime();
  return Number.isNaN(at) ? day : fullDay(at);
}

/** The time of day alone, where the day is said. */
export const clock = (at: number): string => timeOnly.format(at);
export const count = (n: number): string => counting.format(n);

export function ago(at: number, now = Date.now()): string {
  const past = at - now;
  const size = Math.abs(past);
  if (size < MINUTE) return 'just now';
  if (size < HOUR) return relative.format(Math.round(past / MINUTE), 'minute');
  if (size < DAY) return relative.format(Math.round(past / HOUR), 'hour');
  if (size < 45 * DAY) return relative.format(Math.round(past / DAY), 'day');
  if (size < 365 * DAY) return relative.format(Math.round(past / (30.4 * DAY)), 'month');
  return relative.format(Math.round(past / (365.25 * DAY)), 'year');
}

export function duration(ms: number): string {
  if (ms < MINUTE) return `${Math.max(1, Math.round(ms / 1000))} s`;
  if (ms < HOUR) return `${Math.round(ms / MINUTE)} min`;
  if (ms < 2 * DAY) return `${(ms / HOUR).toFixed(ms < 10 * HOUR ? 1 : 0)} h`;
  return `${Math.round(ms / DAY)} days`;
}

export function bytes(size: number): string {
  if (size < 1_000) return `${size} B`;
  if (size < 1_000_000) return `${(size / 1_000).toFixed(size < 10_000 ? 1 : 0)} KB`;
  return `${(size / 1_000_000).toFixed(size < 10_000_000 ? 1 : 0)} MB`;
}

/** Few digits, no zeros at the end. */
export const number = (n: number): string => String(Number(n.toPrecision(3)));

/** `tech_debt` → Tech debt. */
export function words(name: string): string {
  const plain = name.replace(/[_-]+/g, ' ').trim();
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}

export const plural = (n: number, one: string, many = `${one}s`): string => `${count(n)} ${n === 1 ? one : many}`;

/** The end of a path, which is what tells files apart. */
export function shortPath(file: string, parts = 3): string {
  const pieces = file.split(/[\\/]/);
  return pieces.length > parts + 1 ? `…/${pieces.slice(-parts).join('/')}` : file;
}

export const LAYER_NAMES: { readonly [layer: string]: string } = {
  record: 'Records',
  note: 'Notes',
  trace: 'Conversations',
  entity: 'Entities',
};
