import { describe, expect, it } from 'vitest';
import { SAMPLE_CATEGORIES, sampleRecord } from '../../test/fixtures/sample-records.ts';
import { CATEGORIES } from './categories.ts';
import { recordSchema, statusOf } from './record.ts';
import { problemsOf } from './schema.ts';

const decision = recordSchema(CATEGORIES.find((each) => each.name === 'decision')!);
const wrongIn = (changes: { [field: string]: unknown }): string[] =>
  problemsOf(decision, sampleRecord('decision', changes)).map((each) => each.field);

describe('a record', () => {
  it.each(SAMPLE_CATEGORIES)('of %s is valid as in the samples, and of no other category', (name) => {
    for (const category of CATEGORIES) {
      const problems = problemsOf(recordSchema(category), sampleRecord(name));
      expect(problems.length === 0).toBe(category.name === name);
    }
  });

  it('needs version, category, id, title, times, tags and content', () => {
    const record = sampleRecord('decision');
    const needed = Object.keys(record).filter((field) => {
      const { [field]: _, ...rest } = record;
      return problemsOf(decision, rest).length > 0;
    });
    expect(needed).toEqual([
      'schema_version',
      'category',
      'id',
      'title',
      'created_at',
      'updated_at',
      'tags',
      'content',
    ]);
  });

  it.each<[string, { [field: string]: unknown }]>([
    ['schema_version', { schema_version: '2.0' }],
    ['category', { category: 'preference' }],
    ['title', { title: 'x'.repeat(121) }],
    ['title', { title: '' }],
    ['record_status', { record_status: 'deleted' }],
    ['created_at', { created_at: 'last week' }],
    ['updated_at', { updated_at: '2026-13-01' }],
    ['tags', { tags: [] }],
    ['related_files', { related_files: 'src/a.ts' }],
    ['confidence', { confidence: 1.5 }],
    ['confidence', { confidence: '0.5' }],
    ['times_updated', { times_updated: '3' }],
    ['retired_reason', { retired_reason: 'x'.repeat(301) }],
    ['archived_at', { archived_at: 'soon' }],
    ['changes', { changes: Array.from({ length: 51 }, () => ({ date: '2026-01-01', summary: 'x' })) }],
    ['changes.0.summary', { changes: [{ date: '2026-01-01', summary: 'x'.repeat(301) }] }],
    ['changes.0.date', { changes: [{ summary: 'x' }] }],
    ['changes.0.who', { changes: [{ date: '2026-01-01', summary: 'x', who: 'me' }] }],
    ['extra', { extra: 1 }],
  ])('is refused for its %s (%#)', (field, changes) => {
    expect(wrongIn(changes)).toEqual([field]);
  });

  it.each(['a', 'use-jwt', '0', 'x'.repeat(80), 'a--b'])('may have the id %s', (id) => {
    expect(wrongIn({ id })).toEqual([]);
  });

  it.each(['', '-a', 'a-', 'Use', 'a_b', 'a b', 'x'.repeat(81), 'ü', 'a/b', '../a', 'a\n', 'a\0'])(
    'may not have the id %j',
    (id) => {
      expect(wrongIn({ id })).toEqual(['id']);
    },
  );

  it('keeps what changed in any shape', () => {
    const changes = [{ date: '2026-01-01', summary: '', field: null, old_value: { a: [1] }, new_value: null }];
    expect(wrongIn({ changes, confidence: null, related_files: null, times_updated: null })).toEqual([]);
  });
});

it('a record without a status, or with one that nobody knows, is active', () => {
  expect([undefined, null, 'active', 'gone', 5].map((record_status) => statusOf({ record_status }))).toEqual(
    new Array(5).fill('active'),
  );
  expect(statusOf({})).toBe('active');
  expect(['retired', 'archived'].map((record_status) => statusOf({ record_status }))).toEqual(['retired', 'archived']);
});
