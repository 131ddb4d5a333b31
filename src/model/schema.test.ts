import { describe, expect, it } from 'vitest';
import {
  any,
  boolean,
  choice,
  expectation,
  integer,
  list,
  literal,
  number,
  object,
  optional,
  parseTimestamp,
  problemsOf,
  type Schema,
  show,
  text,
  timestamp,
} from './schema.ts';

const isValid = (schema: Schema, value: unknown): boolean => problemsOf(schema, value).length === 0;

describe('what each schema accepts', () => {
  it.each<[string, Schema, unknown[], unknown[]]>([
    ['text', text(), ['', 'x', '\u0000'], [1, null, undefined, [], {}, true]],
    ['text of a length', text({ minLength: 1, maxLength: 3 }), ['a', 'abc'], ['', 'abcd']],
    ['a pattern', text({ pattern: { source: '^[a-z]+$', says: 'letters' } }), ['abc'], ['', 'a1', 'ABC', 'abc\n']],
    ['a number', number({ min: 0, max: 1 }), [0, 0.5, 1, -0], [-0.1, 1.1, NaN, Infinity, '0.5', null]],
    ['a whole number', integer(), [0, -3, 1e15, 2.0], [0.5, NaN, Infinity, '3', true]],
    ['true or false', boolean(), [true, false], ['true', 'yes', 0, 1, null]],
    ['a choice', choice(['a', 'b']), ['a', 'b'], ['c', 'A', '', null, ['a']]],
    ['a literal', literal('1.0'), ['1.0'], [1, '1', '1.00']],
    ['anything', any(), [0, '', null, {}, [[]]], [undefined]],
    ['a list', list(text(), { minItems: 1, maxItems: 2 }), [['a'], ['a', 'b']], [[], ['a', 'b', 'c'], 'a', { 0: 'a' }]],
    ['a list of texts', list(text()), [[], ['a']], [[1], [null], ['a', undefined]]],
    ['an object', object({ a: text() }), [{ a: 'x' }], [{}, { a: 1 }, { a: 'x', b: 1 }, null, [], 'x']],
  ])('%s', (_, schema, accepted, refused) => {
    expect(accepted.filter((value) => !isValid(schema, value))).toEqual([]);
    expect(refused.filter((value) => isValid(schema, value))).toEqual([]);
  });

  it('an optional field may be missing or null, a required one neither', () => {
    const schema = object({ need: text(), may: optional(text()) });
    expect(isValid(schema, { need: 'x' })).toBe(true);
    expect(isValid(schema, { need: 'x', may: null })).toBe(true);
    expect(isValid(schema, { need: 'x', may: 1 })).toBe(false);
    expect(isValid(schema, { need: null })).toBe(false);
  });

  it('lengths count characters, not halves of them', () => {
    expect(isValid(text({ maxLength: 2 }), '😀😀')).toBe(true);
    expect(isValid(text({ maxLength: 1 }), '😀😀')).toBe(false);
  });

  it('a field is looked for on the object itself, never on its prototype', () => {
    const schema = object({ constructor: text(), toString: optional(text()) });
    expect(problemsOf(schema, {}).map((each) => each.field)).toEqual(['constructor']);
    expect(problemsOf(object({ a: optional(text()) }), JSON.parse('{"__proto__": 1}'))[0]?.field).toBe('__proto__');
  });
});

describe('a problem', () => {
  const schema = object({
    title: text({ maxLength: 5 }),
    tags: list(text(), { minItems: 1 }),
    inner: object({ kind: choice(['a', 'b']) }),
  });

  it('names the field by its path, what was expected, what was there, and what to do', () => {
    expect(problemsOf(schema, { title: 'x', tags: ['ok', 5], inner: { kind: 'c' } })).toEqual([
      { field: 'tags.1', expected: 'text', got: '5', fix: 'Set "tags.1" to text.' },
      {
        field: 'inner.kind',
        expected: 'one of "a", "b"',
        got: '"c"',
        fix: 'Set "inner.kind" to one of "a", "b".',
      },
    ]);
  });

  it('comes for every field, in the order of the schema, unknown fields last', () => {
    const found = problemsOf(schema, { extra: 1, inner: {}, tags: [], title: 'too long' });
    expect(found.map(({ field, got }) => [field, got])).toEqual([
      ['title', '"too long"'],
      ['tags', '0 items'],
      ['inner.kind', '<missing>'],
      ['extra', '1'],
    ]);
    expect(found[0]?.fix).toBe('Shorten "title" by 3 characters.');
    expect(found[3]?.expected).toContain('title, tags, inner');
  });

  it('speaks of the value itself when there is no field', () => {
    expect(problemsOf(text(), 5)).toEqual([{ field: '', expected: 'text', got: '5', fix: 'Set the value to text.' }]);
  });

  it('does not come a million times: a list of nonsense is told by its first items', () => {
    const found = problemsOf(list(text()), new Array(200_000).fill(1));
    expect(found.length).toBeGreaterThan(1);
    expect(found.length).toBeLessThanOrEqual(20);
    const fields = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`f${at}`, at]));
    expect(problemsOf(object({ a: optional(text()) }), fields).length).toBeLessThanOrEqual(20);
  });
});

describe('in words', () => {
  it.each<[Schema, string]>([
    [number({ min: 0, max: 1 }), 'a number of 0 to 1'],
    [integer({ min: 1 }), 'a whole number of at least 1'],
    [text({ maxLength: 300 }), 'text of at most 300 characters'],
    [list(text(), { minItems: 1 }), 'a list of texts of at least 1 items'],
    [list(object({ a: text(), b: text() })), 'a list of an object with a, b'],
    [literal('1.0'), '"1.0"'],
    [timestamp(), 'an ISO 8601 time such as 2026-01-31T09:30:00Z'],
    [any(), 'any JSON value'],
    [boolean(), 'true or false'],
  ])('%#: %s', (schema, words) => {
    expect(expectation(schema)).toBe(words);
  });

  it('a value is shown as one short line', () => {
    expect(show('a\nb')).toBe('"a\\nb"');
    expect(show(undefined)).toBe('undefined');
    expect([...show('😀'.repeat(500))]).toHaveLength(201);
    expect(show('x'.repeat(500)).endsWith('…')).toBe(true);
  });
});

describe('a time', () => {
  it.each([
    ['2026-01-31T09:30:00Z', '2026-01-31T09:30:00.000Z'],
    ['2026-01-31T09:30:00', '2026-01-31T09:30:00.000Z'],
    ['2026-01-31 09:30', '2026-01-31T09:30:00.000Z'],
    ['2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['2026-01-31T09:30:00+02:00', '2026-01-31T07:30:00.000Z'],
    ['2026-01-31T09:30:00-0230', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31T09:30:00.123456+00:00', '2026-01-31T09:30:00.123Z'],
    ['2026-01-31T09:30:00,5Z', '2026-01-31T09:30:00.500Z'],
    [' 2026-01-31t09:30:00z ', '2026-01-31T09:30:00.000Z'],
  ])('%j is %s', (value, expected) => {
    expect(new Date(parseTimestamp(value)!).toISOString()).toBe(expected);
  });

  it.each([
    '',
    '1',
    'yesterday',
    'January 31, 2026',
    '2026-13-01',
    '2026-00-10',
    '2026-01-32',
    '2026-01-31T25:00:00Z',
    '2026-01-31T09:61:00Z',
    '2026-01-31T09:30:00+99:00',
    '31.01.2026',
    '2026-1-1',
    '2026-01-31T09:30:00Zz',
    1_700_000_000,
    null,
    undefined,
    {},
  ])('%j is none', (value) => {
    expect(parseTimestamp(value)).toBeUndefined();
    expect(isValid(timestamp(), value)).toBe(false);
  });
});
