// How Cairn writes a property of its own: one line, or a list. Every reader must take it for what it is, so text that YAML 1.1 or
// 1.2 would read as something else (`yes`, `1.10`, `007`, `~`) stands in quotes. Dates are the exception: Obsidian wants them plain.

import { lazy } from '../model/lazy.ts';

export type Scalar = string | number | boolean | null;
export type PropertyValue = Scalar | Scalar[];

/** `texts`: items that are there with the same text stay as they were written. `undefined` takes the property out. */
export type PropertyChange = { readonly key: string } & (
  | { readonly value: PropertyValue | undefined; readonly texts?: undefined }
  | { readonly texts: readonly string[]; readonly value?: undefined }
);

const LISTED_ON_ONE_LINE = 20;

export function renderProperty(key: string, value: PropertyValue, newline: string): string {
  const name = renderScalar(key);
  if (!Array.isArray(value)) return `${name}: ${renderScalar(value)}${newline}`;
  if (isShort(value)) return `${name}: ${renderFlowList(value)}${newline}`;
  return `${name}:${newline}${value.map((item) => `  - ${renderScalar(item)}${newline}`).join('')}`;
}

/** Whether a list is written on the line of its key. */
export const isShort = (value: readonly Scalar[]): boolean =>
  value.length <= LISTED_ON_ONE_LINE && value.every((item) => typeof item !== 'string' || /^[\w./@+-]+$/.test(item));

export const renderFlowList = (value: readonly Scalar[]): string => `[${value.map(renderScalar).join(', ')}]`;

export function renderScalar(value: Scalar): string {
  if (typeof value === 'string') return isUnmistakable(value) ? value : quoted(value);
  return typeof value === 'number' && !Number.isFinite(value) ? infinite(value) : String(value);
}

/** Nothing in it is a sign of YAML's, whether it stands by itself or in a list. */
const PLAIN = lazy(() => /^[\p{L}\p{N}_/.](?:[\p{L}\p{M}\p{N}_/.~+()=;$ -]*[\p{L}\p{M}\p{N}_/.~+()=;$-])?$/u);
/** A word of YAML 1.1 or 1.2, in any case. */
const WORD = /^(?:true|false|yes|no|on|off|y|n|null|\.nan|\.inf)$/i;
/** What some reader takes for a number or a part of one: digits in any base, with underscores, with an exponent. */
const NUMBER = /^(?:0x[\da-f_]*|0b[01_]*|0o[0-7_]*|[\d_.]*(?:e[-+]?[\d_]*)?)$/i;
const DATE = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d))?$/;
/** Like a date, but not the one form that all readers agree on. */
const NEARLY_DATE = /^\d{4}-\d\d?-\d\d?(?:$|[Tt \t])/;

function isUnmistakable(text: string): boolean {
  if (DATE.test(text)) return true;
  return (
    PLAIN().test(text) && !WORD.test(text) && !NUMBER.test(text) && !NEARLY_DATE.test(text) && !/^\.\.\.$/.test(text)
  );
}

/** Signs that YAML does not allow as they are, or that some readers end a line at; JSON leaves them alone. */
const UNPRINTABLE = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;
const quoted = (text: string): string =>
  JSON.stringify(text).replace(UNPRINTABLE, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);

const infinite = (value: number): string => (Number.isNaN(value) ? '.nan' : value > 0 ? '.inf' : '-.inf');
