// From what somebody wrote (JSON in a file, text in the environment or on the command line) to the value of a setting.
// Forgiving where the meaning is certain ("30" is 30, 7.9 is 7, 100 is the 20 that the range ends with), refusing where it is not.

import { isObject, type JsonObject, parseJson } from '../../model/json.ts';
import { any, expectation, isLine, type Schema } from '../../model/schema.ts';
import type { Setting } from './settings.ts';

/** `changed`: the value was moved into the range or cut. */
export type Reading = { ok: true; value: unknown; changed: boolean } | { ok: false };

const REFUSED: Reading = { ok: false };
const as = (value: unknown, changed = false): Reading => ({ ok: true, value, changed });

/** A value as JSON gives it. */
export function readValue({ schema, exact, partly = false }: Setting, raw: unknown): Reading {
  const reading = read(schema, raw, partly);
  return exact && reading.ok && reading.changed ? REFUSED : reading;
}

function read(schema: Schema, raw: unknown, partly: boolean): Reading {
  switch (schema.type) {
    case 'any':
      return as(raw);
    case 'boolean':
      return typeof raw === 'boolean' ? as(raw) : REFUSED;
    case 'integer':
    case 'number':
      return readNumber(schema, raw);
    case 'literal':
      return raw === schema.choices?.[0] ? as(raw) : REFUSED;
    case 'choice':
      return readChoice(schema, raw);
    case 'either':
      return schema.alternatives?.map((each) => read(each, raw, partly)).find(({ ok }) => ok) ?? REFUSED;
    case 'string':
      return typeof raw === 'string' ? readText(schema, raw) : REFUSED;
    case 'list':
      return readList(schema, raw, partly);
    case 'map':
    case 'object':
      return isObject(raw) ? readEntries(schema, raw, partly) : REFUSED;
  }
}

const WORDS: { readonly [word: string]: boolean } = {
  true: true,
  yes: true,
  on: true,
  1: true,
  false: false,
  no: false,
  off: false,
  0: false,
};

/** A value as a person types it. Lists may be separated by commas; anything may be JSON. */
export function readTyped(setting: Setting, typed: string): Reading {
  const text = typed.trim();
  const { type } = setting.schema;
  if (type === 'boolean') {
    const word = text.toLowerCase();
    return Object.hasOwn(WORDS, word) ? as(WORDS[word]) : REFUSED;
  }
  if (type === 'list' && !text.startsWith('['))
    return readValue(
      setting,
      text
        .split(',')
        .map((item) => item.trim())
        .filter(Boolean),
    );
  if (type === 'list' || type === 'map') return readValue(setting, parseJson(text));
  // A quoted text is JSON; without quotes it is the text itself.
  const quoted = text.startsWith('"') ? parseJson(text) : undefined;
  return readValue(setting, typeof quoted === 'string' ? quoted : text);
}

const WHOLE = /^[+-]?\d+$/;
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

function readNumber({ type, min = -Infinity, max = Infinity }: Schema, raw: unknown): Reading {
  let number: number;
  if (typeof raw === 'string') {
    const text = raw.trim();
    if (!(type === 'integer' ? WHOLE : DECIMAL).test(text)) return REFUSED;
    number = Number(text);
    // Digits beyond what a number can hold are still a number, and it is too large.
    if (type === 'integer') number = Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, number));
  } else if (typeof raw === 'number') number = raw;
  else return REFUSED;
  if (!Number.isFinite(number)) return REFUSED;
  const whole = type === 'integer' ? Math.trunc(number) : number;
  const value = Math.min(max, Math.max(min, whole)) + 0; // -0 is 0
  return as(value, value !== number);
}

function readChoice({ choices }: Schema, raw: unknown): Reading {
  const word = typeof raw === 'string' ? raw.trim().toLowerCase() : '';
  return choices?.includes(word) ? as(word) : REFUSED;
}

/** A line is taken without the spaces around it; other texts are cut where they are too long. */
function readText({ line, pattern, maxLength = Infinity }: Schema, raw: string): Reading {
  if (pattern) return new RegExp(pattern.source).test(raw) ? as(raw) : REFUSED;
  if (line) return isLine(raw.trim()) && raw.trim().length <= maxLength ? as(raw.trim()) : REFUSED;
  if (raw.length <= maxLength) return as(raw);
  const points = Array.from(raw);
  return points.length <= maxLength ? as(raw) : as(points.slice(0, maxLength).join(''), true);
}

function readList(schema: Schema, raw: unknown, partly: boolean): Reading {
  const { item = any(), minItems = 0, maxItems = Infinity, unique } = schema;
  if (!Array.isArray(raw)) return partly ? as([], raw !== undefined) : REFUSED;
  const readings = raw.map((each) => read(item, each, partly));
  const usable = readings.flatMap((each) => (each.ok ? [each.value] : []));
  if (usable.length < raw.length && !partly) return REFUSED;
  const values = unique ? [...new Set(usable)] : usable;
  if (values.length < minItems) return REFUSED;
  return as(values.slice(0, maxItems), values.length > maxItems || usable.length < raw.length);
}

/** All or nothing, unless a part may count: half a declaration of fields would refuse, or accept, the wrong memories. */
function readEntries(schema: Schema, raw: JsonObject, partly: boolean): Reading {
  const { fields, keys, item = any(), minItems = 0, maxItems = Infinity } = schema;
  const names = fields ? Object.keys(fields) : Object.keys(raw);
  if (names.length < minItems) return REFUSED;
  const values: JsonObject = Object.create(null);
  let changed = false;
  for (const [position, name] of names.entries()) {
    const isFree = position < maxItems && new RegExp(keys ?? '').test(name);
    const reading = isFree ? read(fields?.[name] ?? item, raw[name], partly) : REFUSED;
    if (!partly && (!reading.ok || reading.changed)) return REFUSED;
    changed ||= !reading.ok || reading.changed;
    if (reading.ok) values[name] = reading.value;
  }
  return as(values, changed);
}

/** What the setting takes, for the end of "expected …". */
export function expectedBy({ schema }: Setting): string {
  const { type, min, max, choices = [], maxLength, maxItems } = schema;
  switch (type) {
    case 'integer':
      return `a whole number from ${min} to ${max}`;
    case 'number':
      return `a number from ${min} to ${max}`;
    case 'choice':
      return choices.length === 1 ? `"${choices[0]}"` : `one of ${choices.join(', ')}`;
    case 'list':
      return `a list of at most ${maxItems} texts`;
    case 'string':
      if (!schema.says && !schema.pattern) return `a text of at most ${maxLength} characters`;
  }
  return expectation(schema);
}

const SHOWN = 80;

/** A value for a message: one line, at most 80 characters, nothing in it that moves a terminal. */
export function showValue(raw: unknown): string {
  let text: string;
  try {
    text = typeof raw === 'number' ? String(raw) : (JSON.stringify(raw) ?? String(raw));
  } catch {
    text = Array.isArray(raw) ? '[…]' : '{…}'; // nested too deep to print
  }
  return plainText(text, SHOWN);
}

/** Without control, zero-width and bidi characters, and cut where it is too long. */
export function plainText(text: string, most = Number.POSITIVE_INFINITY): string {
  const near = most < text.length ? text.slice(0, 4 * most) : text; // a megabyte is not walked for its first line
  const plain = near.replace(/[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202f\u2060-\u2069\ufeff]/g, '');
  if (plain.length <= most) return plain;
  const points = Array.from(plain);
  return points.length <= most ? plain : `${points.slice(0, most - 1).join('')}…`;
}
