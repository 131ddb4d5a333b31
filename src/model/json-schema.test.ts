import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SAMPLE_CATEGORIES, sampleRecord } from '../../test/fixtures/sample-records.ts';
import { CATEGORIES } from './categories.ts';
import { type JsonSchema, toJsonSchema } from './json-schema.ts';
import { recordSchema } from './record.ts';
import {
  any,
  boolean,
  choice,
  either,
  integer,
  list,
  literal,
  map,
  number,
  object,
  omittable,
  openObject,
  optional,
  problemsOf,
  type Schema,
  text,
  timestamp,
} from './schema.ts';

describe('a JSON Schema', () => {
  it('forbids unknown fields, requires what is not optional, and lets optional fields be null', () => {
    expect(
      toJsonSchema(object({ a: text({ maxLength: 3, describe: 'An a.' }), b: optional(integer({ min: 0 })) })),
    ).toEqual({
      type: 'object',
      properties: {
        a: { description: 'An a.', type: 'string', maxLength: 3 },
        b: { anyOf: [{ type: 'integer', minimum: 0 }, { type: 'null' }] },
      },
      required: ['a'],
      additionalProperties: false,
    });
  });

  it('knows fields that may be left out but not be null, and objects with more fields than it names', () => {
    expect(toJsonSchema(object({ a: omittable(boolean()) }))).toEqual({
      type: 'object',
      properties: { a: { type: 'boolean' } },
      required: [],
      additionalProperties: false,
    });
    expect(toJsonSchema(openObject({ a: boolean() }))).not.toHaveProperty('additionalProperties');
  });

  it('keeps the description of an optional field', () => {
    expect(toJsonSchema(optional(text({ describe: 'Why.' }))).description).toBe('Why.');
  });
});

/** The part of JSON Schema that ours use, after the specification; an unknown keyword fails the test. */
function accepts(schema: JsonSchema, value: unknown): boolean {
  return Object.entries(schema).every(([keyword, rule]) => {
    const check = KEYWORDS[keyword];
    if (!check) throw new Error(`the test does not know the keyword ${keyword}`);
    return check(rule as never, value, schema);
  });
}

type Keyword = (rule: never, value: unknown, schema: JsonSchema) => boolean;
const isRecord = (value: unknown): value is { [key: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const points = (value: string): number => [...value].length;

const TYPES: { [type: string]: (value: unknown) => boolean } = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: Array.isArray,
  object: isRecord,
};

const KEYWORDS: { [keyword: string]: Keyword } = {
  $schema: () => true,
  title: () => true,
  description: () => true,
  type: (rule: string, value) => TYPES[rule]!(value),
  const: (rule: unknown, value) => rule === value,
  enum: (rule: unknown[], value) => rule.includes(value),
  anyOf: (rule: JsonSchema[], value) => rule.some((each) => accepts(each, value)),
  minimum: (rule: number, value) => typeof value !== 'number' || value >= rule,
  maximum: (rule: number, value) => typeof value !== 'number' || value <= rule,
  minLength: (rule: number, value) => typeof value !== 'string' || points(value) >= rule,
  maxLength: (rule: number, value) => typeof value !== 'string' || points(value) <= rule,
  pattern: (rule: string, value) => typeof value !== 'string' || new RegExp(rule, 'u').test(value),
  minItems: (rule: number, value) => !Array.isArray(value) || value.length >= rule,
  maxItems: (rule: number, value) => !Array.isArray(value) || value.length <= rule,
  items: (rule: JsonSchema, value) => !Array.isArray(value) || value.every((item) => accepts(rule, item)),
  required: (rule: string[], value) => !isRecord(value) || rule.every((key) => Object.hasOwn(value, key)),
  properties: (rule: { [key: string]: JsonSchema }, value) =>
    !isRecord(value) ||
    Object.entries(rule).every(([key, inner]) => !Object.hasOwn(value, key) || accepts(inner, value[key])),
  uniqueItems: (_rule, value) => !Array.isArray(value) || new Set(value).size === value.length,
  minProperties: (rule: number, value) => !isRecord(value) || Object.keys(value).length >= rule,
  maxProperties: (rule: number, value) => !isRecord(value) || Object.keys(value).length <= rule,
  propertyNames: (rule: JsonSchema, value) => !isRecord(value) || Object.keys(value).every((key) => accepts(rule, key)),
  additionalProperties: (rule: false | JsonSchema, value, schema) =>
    !isRecord(value) ||
    Object.keys(value).every(
      (key) => Object.hasOwn((schema.properties as object) ?? {}, key) || (rule !== false && accepts(rule, value[key])),
    ),
};

const agree = (schema: Schema, value: unknown): void => {
  const ours = problemsOf(schema, value);
  expect({ value, valid: accepts(toJsonSchema(schema), value) }).toEqual({ value, valid: ours.length === 0 });
};

const oddText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('2026-01-31T09:30:00Z', '2026-01-31', '2026-13-31', ' 2026-01-31 09:30+01:00', '1.0', 'active', 'a'),
  fc.constantFrom('x'.repeat(120), 'x'.repeat(121), '😀'.repeat(120), '😀'.repeat(301)),
);
const oddNumber = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, 1, -0),
);
const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  { maxDepth: 2 },
  oddText,
  oddNumber,
  fc.boolean(),
  fc.constant(null),
  fc.jsonValue({ maxDepth: 2 }),
);

const schemas: fc.Arbitrary<Schema> = fc.letrec<{ schema: Schema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constantFrom<Schema>(
      text(),
      text({ minLength: 1, maxLength: 3 }),
      text({ line: true, maxLength: 3 }),
      list(text(), { unique: true }),
      text({ pattern: { source: '^[a-z0-9]+$', says: 'small letters' } }),
      timestamp(),
      number({ min: 0, max: 1 }),
      integer(),
      integer({ min: -2, max: 2 }),
      boolean(),
      any(),
      literal('1.0'),
      choice(['active', 'a']),
    ),
    tie('schema').map((inner) => list(inner)),
    tie('schema').map((inner) => list(inner, { minItems: 1, maxItems: 2 })),
    tie('schema').map((inner) => optional(inner)),
    tie('schema').map((inner) => omittable(inner)),
    tie('schema').map((inner) => map(inner)),
    tie('schema').map((inner) => map(inner, { keys: '^[ab]$', minItems: 1, maxItems: 2 })),
    fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((inner) => either(...inner)),
    fc.dictionary(fc.constantFrom('a', 'b'), tie('schema'), { maxKeys: 2 }).map((fields) => openObject(fields)),
    fc
      .dictionary(fc.constantFrom('a', 'b', '__proto__'), tie('schema'), { maxKeys: 3 })
      .map((fields) => object(fields)),
  ),
})).schema;

describe('property: the JSON Schema accepts exactly what the validator accepts', () => {
  it('for any schema and any JSON value', () => {
    fc.assert(
      fc.property(schemas, fc.oneof(oddValue, fc.dictionary(fc.constantFrom('a', 'b', 'c'), oddValue)), agree),
      { numRuns: 2_000 },
    );
  });

  it.each(SAMPLE_CATEGORIES)('for a record of %s in which any one value was changed, removed or added', (name) => {
    const schema = recordSchema(CATEGORIES.find((each) => each.name === name)!);
    const record = sampleRecord(name, {
      related_files: ['src/a.ts'],
      confidence: 0.8,
      changes: [{ date: '2026-01-11', summary: 'Made', field: 'x', old_value: 1, new_value: null }],
      times_updated: 2,
      retired_at: null,
    });
    agree(schema, record);
    expect(problemsOf(schema, record)).toEqual([]);
    const places = placesIn(record);
    fc.assert(
      fc.property(fc.constantFrom(...places), fc.option(oddValue, { nil: undefined }), (place, value) =>
        agree(schema, changed(record, place, value)),
      ),
      { numRuns: 400 },
    );
  });
});

type Place = readonly (string | number)[];

/** The path of every value in a record, and of one unknown field beside each. */
function placesIn(value: unknown, at: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [at];
  const inner = Object.entries(value).flatMap(([key, each]) => placesIn(each, [...at, key]));
  return [at, [...at, 'unknown_field'], ...inner].filter((place) => place.length > 0);
}

function changed(record: object, place: Place, value: unknown): unknown {
  const copy = structuredClone(record);
  let holder = copy as { [key: string]: unknown };
  for (const key of place.slice(0, -1)) holder = holder[key] as typeof holder;
  const last = place.at(-1)!;
  if (value !== undefined) holder[last] = value;
  else if (Array.isArray(holder)) holder.splice(Number(last), 1);
  else delete holder[last];
  return copy;
}
