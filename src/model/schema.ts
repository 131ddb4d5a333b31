// A small schema language: one description of a value gives its TypeScript type, its validator and its JSON Schema.
// It exists because hooks validate records too, and a validation library would cost them more than all their work.

export type Schema<T = unknown> = {
  readonly type: 'string' | 'number' | 'integer' | 'boolean' | 'list' | 'object' | 'choice' | 'literal' | 'any';
  /** Only carries the type; never set. */
  readonly _?: T;
  readonly optional?: boolean;
  readonly describe?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: { readonly source: string; readonly says: string };
  readonly timestamp?: boolean;
  readonly min?: number;
  readonly max?: number;
  readonly choices?: readonly string[];
  readonly item?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly fields?: { readonly [name: string]: Schema };
};

/** Marks a schema as one that may be left out or null. */
export type Optional<T> = Schema<T> & { readonly optional: true };
export type Infer<S> = S extends Schema<infer T> ? T : never;

type Shape = { readonly [name: string]: Schema };
type OptionalKeys<S extends Shape> = { [K in keyof S]: S[K] extends { optional: true } ? K : never }[keyof S];
type ObjectOf<S extends Shape> = { [K in Exclude<keyof S, OptionalKeys<S>>]: Infer<S[K]> } & {
  [K in OptionalKeys<S>]?: Infer<S[K]> | null;
};

type TextRules = Pick<Schema, 'minLength' | 'maxLength' | 'pattern' | 'timestamp' | 'describe'>;
type ListRules = Pick<Schema, 'minItems' | 'maxItems' | 'describe'>;

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
export const optional = <T>(schema: Schema<T>): Optional<T> => ({ ...schema, optional: true });

/** One thing that is wrong with a value: where, what was expected, what was there, and what to do. */
export type Problem = { field: string; expected: string; got: string; fix: string };

/** Of one list, or of the unknown fields of one object: a million wrong items are one mistake, and no reader needs them all. */
const MOST_PROBLEMS = 20;

/** The problems of `value`, in the order of the schema's fields; unknown fields last. Empty means valid. */
export function problemsOf(schema: Schema, value: unknown, field = ''): Problem[] {
  if (schema.optional && (value === undefined || value === null)) return [];
  if (value === undefined) return [missing(schema, field)];
  switch (schema.type) {
    case 'any':
      return [];
    case 'string':
      return stringProblems(schema, value, field);
    case 'literal':
    case 'choice':
      return schema.choices!.includes(value as string) ? [] : [wrong(schema, value, field)];
    case 'boolean':
      return typeof value === 'boolean' ? [] : [wrong(schema, value, field)];
    case 'number':
    case 'integer':
      return numberProblems(schema, value, field);
    case 'list':
      return listProblems(schema, value, field);
    case 'object':
      return objectProblems(schema, value, field);
  }
}

function stringProblems(schema: Schema, value: unknown, field: string): Problem[] {
  if (typeof value !== 'string') return [wrong(schema, value, field)];
  const length = [...value].length;
  if (schema.minLength !== undefined && length < schema.minLength) return [wrong(schema, value, field)];
  if (schema.maxLength !== undefined && length > schema.maxLength) {
    return [
      { ...wrong(schema, value, field), fix: `Shorten ${name(field)} by ${length - schema.maxLength} characters.` },
    ];
  }
  if (schema.pattern && !new RegExp(schema.pattern.source).test(value)) return [wrong(schema, value, field)];
  if (schema.timestamp && parseTimestamp(value) === undefined) return [wrong(schema, value, field)];
  return [];
}

function numberProblems(schema: Schema, value: unknown, field: string): Problem[] {
  const ok =
    typeof value === 'number' &&
    Number.isFinite(value) &&
    (schema.type === 'number' || Number.isInteger(value)) &&
    value >= (schema.min ?? -Infinity) &&
    value <= (schema.max ?? Infinity);
  return ok ? [] : [wrong(schema, value, field)];
}

function listProblems(schema: Schema, value: unknown, field: string): Problem[] {
  if (!Array.isArray(value)) return [wrong(schema, value, field)];
  if (value.length < (schema.minItems ?? 0) || value.length > (schema.maxItems ?? Infinity)) {
    return [{ ...wrong(schema, value, field), got: `${value.length} items` }];
  }
  const problems: Problem[] = [];
  for (const [position, item] of value.entries()) {
    problems.push(...problemsOf(schema.item!, item === undefined ? null : item, join(field, String(position))));
    if (problems.length >= MOST_PROBLEMS) break;
  }
  return problems.slice(0, MOST_PROBLEMS);
}

function objectProblems(schema: Schema, value: unknown, field: string): Problem[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [wrong(schema, value, field)];
  const fields = schema.fields!;
  const known = Object.entries(fields).flatMap(([key, inner]) =>
    problemsOf(
      inner,
      Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined,
      join(field, key),
    ),
  );
  const unknown = Object.keys(value)
    .filter((key) => !Object.hasOwn(fields, key))
    .slice(0, MOST_PROBLEMS)
    .map((key) => unknownField(key, fields, (value as Record<string, unknown>)[key], field));
  return [...known, ...unknown];
}

function unknownField(key: string, fields: Shape, value: unknown, field: string): Problem {
  const allowed = Object.keys(fields).join(', ');
  return {
    field: join(field, key),
    expected: `no such field; allowed are ${allowed}`,
    got: show(value),
    fix: `Remove ${name(join(field, key))}, or move what it says into one of the allowed fields.`,
  };
}

const join = (field: string, key: string): string => (field === '' ? key : `${field}.${key}`);
const name = (field: string): string => (field === '' ? 'the value' : `"${field}"`);

function missing(schema: Schema, field: string): Problem {
  return { field, expected: expectation(schema), got: '<missing>', fix: `Add ${name(field)}: ${expectation(schema)}.` };
}

function wrong(schema: Schema, value: unknown, field: string): Problem {
  return {
    field,
    expected: expectation(schema),
    got: show(value),
    fix: `Set ${name(field)} to ${expectation(schema)}.`,
  };
}

/** The schema in words, for error messages. */
export function expectation(schema: Schema): string {
  switch (schema.type) {
    case 'any':
      return 'any JSON value';
    case 'boolean':
      return 'true or false';
    case 'literal':
      return JSON.stringify(schema.choices![0]);
    case 'choice':
      return `one of ${schema.choices!.map((c) => JSON.stringify(c)).join(', ')}`;
    case 'number':
    case 'integer':
      return `${schema.type === 'integer' ? 'a whole number' : 'a number'}${range(schema.min, schema.max)}`;
    case 'list':
      return `a list of ${plural(schema.item!)}${range(schema.minItems, schema.maxItems, ' items')}`;
    case 'object':
      return `an object with ${Object.keys(schema.fields!).join(', ')}`;
    case 'string':
      if (schema.timestamp) return 'an ISO 8601 time such as 2026-01-31T09:30:00Z';
      if (schema.pattern) return schema.pattern.says;
      return `text${range(schema.minLength, schema.maxLength, ' characters')}`;
  }
}

const plural = (schema: Schema): string => (schema.type === 'string' ? 'texts' : expectation(schema));

function range(min: number | undefined, max: number | undefined, unit = ''): string {
  if (min !== undefined && max !== undefined) return ` of ${min} to ${max}${unit}`;
  if (min !== undefined) return ` of at least ${min}${unit}`;
  return max === undefined ? '' : ` of at most ${max}${unit}`;
}

const SHOWN = 200;

/** A value as one short line of JSON. */
export function show(value: unknown): string {
  const json = JSON.stringify(value) ?? String(value);
  const points = [...json];
  return points.length > SHOWN ? `${points.slice(0, SHOWN).join('')}…` : json;
}

/**
 * An ISO 8601 date, with or without a time, with or without a zone. Exact enough that the JSON Schema, which has only
 * this, and the validator agree.
 */
export const TIMESTAMP_PATTERN = [
  /^\s*(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))/,
  /(?:[Tt ]((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d+)?)?) ?([Zz]|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?)?\s*$/,
]
  .map(({ source }) => source)
  .join('');
const TIMESTAMP = new RegExp(TIMESTAMP_PATTERN);

/**
 * Milliseconds of an ISO 8601 time, `undefined` if it is none. A time without a zone is UTC, as it is in the files.
 * (`Date.parse` alone takes "1" for the year 2001 and naive times for local ones.)
 */
export function parseTimestamp(value: unknown): number | undefined {
  const match = typeof value === 'string' ? TIMESTAMP.exec(value) : null;
  if (!match) return undefined;
  const time = (match[2] ?? '00:00').replace(',', '.').replace(/(\.\d{3})\d+/, '$1');
  const zone = (match[3] ?? 'Z').toUpperCase().replace(/^([+-]\d\d)(\d\d)$/, '$1:$2');
  const ms = Date.parse(`${match[1]}T${time}${zone}`);
  return Number.isNaN(ms) ? undefined : ms;
}
