// A small schema language: one description of a value gives its TypeScript type, its validator and its JSON Schema. Records,
// settings (config/settings reads them more forgivingly), the tools of the server and what is stored (`parseAs`) are described in it.
// It exists because hooks validate too, and a library would not fit into their budget: ARCHITECTURE.md has the numbers.

import { isObject, type JsonObject, parseJson } from './json.ts';

export type Schema<T = unknown> = {
  readonly type:
    | 'string'
    | 'number'
    | 'integer'
    | 'boolean'
    | 'list'
    | 'object'
    | 'map'
    | 'choice'
    | 'literal'
    | 'either'
    | 'any';
  /** Only carries the type; never set. */
  readonly _?: T;
  readonly optional?: true | 'absent';
  readonly describe?: string;
  /** The schema in words, where those that are made from it would not do. */
  readonly says?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: { readonly source: string; readonly says: string };
  readonly timestamp?: boolean;
  /** One line with something in it, and no control characters. */
  readonly line?: boolean;
  readonly min?: number;
  readonly max?: number;
  readonly choices?: readonly string[];
  readonly item?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  /** A list with each item once. */
  readonly unique?: boolean;
  readonly fields?: { readonly [name: string]: Schema };
  /** Other fields are let pass: a newer version may have written them. */
  readonly open?: boolean;
  /** What the keys of a map look like. */
  readonly keys?: string;
  readonly alternatives?: readonly Schema[];
};

/** Marks a schema as one that may be left out or null, or only left out. */
export type Optional<T> = Schema<T> & { readonly optional: true };
type Omittable<T> = Schema<T> & { readonly optional: 'absent' };
export type Infer<S> = S extends Schema<infer T> ? T : never;

type Shape = { readonly [name: string]: Schema };
type Keys<S extends Shape, Kind> = { [K in keyof S]: S[K] extends { optional: Kind } ? K : never }[keyof S];
type ObjectOf<S extends Shape> = { [K in Exclude<keyof S, Keys<S, true | 'absent'>>]: Infer<S[K]> } & {
  [K in Keys<S, true>]?: Infer<S[K]> | null;
} & { [K in Keys<S, 'absent'>]?: Infer<S[K]> };

type TextRules = Pick<Schema, 'minLength' | 'maxLength' | 'pattern' | 'timestamp' | 'line' | 'says' | 'describe'>;
type ListRules = Pick<Schema, 'minItems' | 'maxItems' | 'unique' | 'describe'>;
type MapRules = Pick<Schema, 'minItems' | 'maxItems' | 'keys' | 'says' | 'describe'>;

export const text = (rules: TextRules = {}): Schema<string> => ({ type: 'string', ...rules });
export const timestamp = (describe?: string): Schema<string> => ({
  type: 'string',
  timestamp: true,
  ...(describe ? { describe } : {}),
});
export const number = (rules: Pick<Schema, 'min' | 'max' | 'describe'> = {}): Schema<number> => ({
  type: 'number',
  ...rules,
});
export const integer = (rules: Pick<Schema, 'min' | 'max' | 'describe'> = {}): Schema<number> => ({
  type: 'integer',
  ...rules,
});
export const boolean = (describe?: string): Schema<boolean> => ({ type: 'boolean', ...(describe ? { describe } : {}) });
export const any = (describe?: string): Schema<unknown> => ({ type: 'any', ...(describe ? { describe } : {}) });
export const literal = <const T extends string>(value: T): Schema<T> => ({ type: 'literal', choices: [value] });
export const choice = <const T extends string>(choices: readonly T[], describe?: string): Schema<T> => ({
  type: 'choice',
  choices,
  ...(describe ? { describe } : {}),
});
export const list = <T>(item: Schema<T>, rules: ListRules = {}): Schema<T[]> => ({ type: 'list', item, ...rules });
export const object = <S extends Shape>(fields: S, describe?: string): Schema<ObjectOf<S>> => ({
  type: 'object',
  fields,
  ...(describe ? { describe } : {}),
});
export const openObject = <S extends Shape>(fields: S): Schema<ObjectOf<S>> => ({ type: 'object', fields, open: true });
export const map = <T>(item: Schema<T>, rules: MapRules = {}): Schema<{ [key: string]: T }> => ({
  type: 'map',
  item,
  ...rules,
});
export const either = <S extends readonly Schema[]>(...alternatives: S): Schema<Infer<S[number]>> => ({
  type: 'either',
  alternatives,
});
export const optional = <T>(schema: Schema<T>): Optional<T> => ({ ...schema, optional: true });
export const omittable = <T>(schema: Schema<T>): Omittable<T> => ({ ...schema, optional: 'absent' });

/** One thing that is wrong with a value: where, what was expected, what was there, and what to do. */
export type Problem = { field: string; expected: string; got: string; fix: string };

/** Of one list or map, or of the unknown fields of one object: a million wrong items are one mistake, and no reader needs them all. */
const MOST_PROBLEMS = 20;

/** Where a problem is; joined only when there is one, because what is stored is large and mostly sound. */
type Place = (string | number)[];

/** The problems of `value`, in the order of the schema's fields; unknown fields last. Empty means valid. */
export function problemsOf(schema: Schema, value: unknown, field = ''): Problem[] {
  const problems: Problem[] = [];
  collect(schema, value, field === '' ? [] : [field], problems);
  return problems;
}

export const fits = <T>(schema: Schema<T>, value: unknown): value is T => problemsOf(schema, value).length === 0;

/** A stored or foreign text; `undefined` where it is no JSON, or does not fit. */
export function parseAs<T>(schema: Schema<T>, text: string): T | undefined {
  const value = parseJson(text);
  return fits(schema, value) ? value : undefined;
}

function collect(schema: Schema, value: unknown, at: Place, problems: Problem[]): void {
  if (value === undefined) {
    if (!schema.optional) problems.push(missing(schema, at));
  } else if (value === null && schema.optional === true) return;
  else if (!isRight(schema, value)) problems.push(wrong(schema, value, at));
  else if (schema.fields) collectFields(schema, schema.fields, value as JsonObject, { at, problems });
  else if (schema.item) {
    const most = problems.length + MOST_PROBLEMS;
    for (const key of schema.type === 'list' ? (value as unknown[]).keys() : Object.keys(value as object)) {
      at.push(key);
      collect(schema.item, (value as JsonObject)[key] ?? null, at, problems);
      at.pop();
      if (problems.length >= most) break;
    }
    if (problems.length > most) problems.length = most;
  }
}

type Found = { readonly at: Place; readonly problems: Problem[] };

function collectFields(schema: Schema, fields: Shape, value: JsonObject, { at, problems }: Found): void {
  for (const key in fields) {
    const inner = fields[key];
    if (!inner) continue;
    at.push(key);
    collect(inner, Object.hasOwn(value, key) ? value[key] : undefined, at, problems);
    at.pop();
  }
  if (schema.open) return;
  const unknown = Object.keys(value).filter((key) => !Object.hasOwn(fields, key));
  for (const key of unknown.slice(0, MOST_PROBLEMS)) problems.push(unknownField(fields, value[key], [...at, key]));
}

/** Whether it is such a value; what a list, a map or an object holds is looked at apart. */
function isRight(schema: Schema, value: unknown): boolean {
  switch (schema.type) {
    case 'any':
      return true;
    case 'boolean':
      return typeof value === 'boolean';
    case 'literal':
    case 'choice':
      return schema.choices?.includes(value as string) === true;
    case 'either':
      return schema.alternatives?.some((each) => fits(each, value)) === true;
    case 'number':
    case 'integer':
      return isRightNumber(schema, value);
    case 'string':
      return typeof value === 'string' && isRightText(schema, value);
    case 'list':
      return (
        Array.isArray(value) &&
        isWithin(value.length, schema.minItems, schema.maxItems) &&
        (!schema.unique || new Set(value).size === value.length)
      );
    case 'map':
      return isObject(value) && isRightMap(schema, value);
    case 'object':
      return isObject(value);
  }
}

const isWithin = (size: number, min = 0, max = Infinity): boolean => size >= min && size <= max;

function isRightNumber({ type, min = -Infinity, max = Infinity }: Schema, value: unknown): boolean {
  if (typeof value !== 'number' || !Number.isFinite(value)) return false;
  return (type === 'number' || Number.isInteger(value)) && value >= min && value <= max;
}

function isRightText(schema: Schema, value: string): boolean {
  const { minLength, maxLength, pattern, line, timestamp: isTime } = schema;
  if ((minLength ?? maxLength) !== undefined && !isWithin(characters(value), minLength, maxLength)) return false;
  if (isTime && parseTimestamp(value) === undefined) return false;
  return (!pattern && !line) || new RegExp(patternOf(schema) ?? '').test(value);
}

const characters = (value: string): number => [...value].length;

function isRightMap({ keys, minItems, maxItems }: Schema, value: object): boolean {
  const names = Object.keys(value);
  const pattern = keys === undefined ? undefined : new RegExp(keys);
  return isWithin(names.length, minItems, maxItems) && (!pattern || names.every((name) => pattern.test(name)));
}

const LINE_PATTERN = '^[^\\x00-\\x1f\\x7f]+$';
export const isLine = (value: string): boolean => new RegExp(LINE_PATTERN).test(value);

/** What a text must look like, as a regular expression. */
export const patternOf = ({ pattern, timestamp, line }: Pick<Schema, 'pattern' | 'timestamp' | 'line'>) =>
  pattern?.source ?? (timestamp ? timestampPattern() : line ? LINE_PATTERN : undefined);

function unknownField(fields: Shape, value: unknown, at: Place): Problem {
  return {
    field: at.join('.'),
    expected: `no such field; allowed are ${Object.keys(fields).join(', ')}`,
    got: show(value),
    fix: `Remove ${named(at)}, or move what it says into one of the allowed fields.`,
  };
}

const named = (at: Place): string => (at.length === 0 ? 'the value' : `"${at.join('.')}"`);

function missing(schema: Schema, at: Place): Problem {
  const expected = expectation(schema);
  return { field: at.join('.'), expected, got: '<missing>', fix: `Add ${named(at)}: ${expected}.` };
}

function wrong(schema: Schema, value: unknown, at: Place): Problem {
  const { minItems, maxItems, maxLength = Infinity } = schema;
  const expected = expectation(schema);
  const isList = schema.type === 'list' && Array.isArray(value) && !isWithin(value.length, minItems, maxItems);
  const tooLong = schema.type === 'string' && typeof value === 'string' ? characters(value) - maxLength : 0;
  return {
    field: at.join('.'),
    expected,
    got: isList ? `${value.length} items` : show(value),
    fix: tooLong > 0 ? `Shorten ${named(at)} by ${tooLong} characters.` : `Set ${named(at)} to ${expected}.`,
  };
}

/** The schema in words, for error messages. */
export function expectation(schema: Schema): string {
  if (schema.says) return schema.says;
  switch (schema.type) {
    case 'any':
      return 'any JSON value';
    case 'boolean':
      return 'true or false';
    case 'literal':
      return JSON.stringify(schema.choices?.[0]);
    case 'choice':
      return `one of ${schema.choices?.map((c) => JSON.stringify(c)).join(', ')}`;
    case 'either':
      return schema.alternatives?.map(expectation).join(' or ') ?? '';
    case 'number':
    case 'integer':
      return `${schema.type === 'integer' ? 'a whole number' : 'a number'}${range(schema.min, schema.max)}`;
    case 'list':
      return `a list of ${plural(schema.item)}${range(schema.minItems, schema.maxItems, ' items')}`;
    case 'map':
      return `an object of ${plural(schema.item)}${range(schema.minItems, schema.maxItems, ' entries')}`;
    case 'object':
      return `an object with ${Object.keys(schema.fields ?? {}).join(', ')}`;
    case 'string':
      if (schema.timestamp) return 'an ISO 8601 time such as 2026-01-31T09:30:00Z';
      if (schema.pattern) return schema.pattern.says;
      return `text${range(schema.minLength, schema.maxLength, ' characters')}`;
  }
}

const plural = (schema: Schema = any()): string => (schema.type === 'string' ? 'texts' : expectation(schema));

function range(min: number | undefined, max: number | undefined, unit = ''): string {
  if (min !== undefined && max !== undefined) return ` of ${min} to ${max}${unit}`;
  if (min !== undefined) return ` of at least ${min}${unit}`;
  return max === undefined ? '' : ` of at most ${max}${unit}`;
}

const SHOWN = 200;

/** A value as one short line of JSON. */
export function show(value: unknown): string {
  let json: string;
  try {
    json = JSON.stringify(value) ?? String(value);
  } catch {
    return Array.isArray(value) ? '[…]' : '{…}'; // nested too deep to print
  }
  const points = [...json];
  return points.length > SHOWN ? `${points.slice(0, SHOWN).join('')}…` : json;
}

/**
 * An ISO 8601 date, with or without a time, with or without a zone. Exact enough that the JSON Schema, which has only
 * this, and the validator agree. Made when it is needed: the hooks that check nothing have this file too.
 */
const timestampPattern = (): string =>
  [
    /^\s*(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))/,
    /(?:[Tt ]((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d+)?)?) ?([Zz]|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?)?\s*$/,
  ]
    .map(({ source }) => source)
    .join('');
let timestampRegExp: RegExp | undefined;

/**
 * Milliseconds of an ISO 8601 time, `undefined` if it is none. A time without a zone is UTC, as it is in the files.
 * (`Date.parse` alone takes "1" for the year 2001 and naive times for local ones.)
 */
export function parseTimestamp(value: unknown): number | undefined {
  timestampRegExp ??= new RegExp(timestampPattern());
  const match = typeof value === 'string' ? timestampRegExp.exec(value) : null;
  if (!match) return undefined;
  const time = (match[2] ?? '00:00').replace(',', '.').replace(/(\.\d{3})\d+/, '$1');
  const zone = (match[3] ?? 'Z').toUpperCase().replace(/^([+-]\d\d)(\d\d)$/, '$1:$2');
  const ms = Date.parse(`${match[1]}T${time}${zone}`);
  return Number.isNaN(ms) ? undefined : ms;
}
