import { describe, expect, it } from 'vitest';
import { detail, failure } from '../../test/fixtures/record-store.ts';
import { sampleContent, sampleRecord } from '../../test/fixtures/sample-records.ts';
import { CATEGORIES } from '../model/categories.ts';
import { assertValid, forWriting, recordProblems, renderRecord, validationError } from './validate.ts';

const decision = CATEGORIES.find((each) => each.name === 'decision')!;
const history = (length: number) => Array.from({ length }, (_, at) => ({ date: '2026-01-01', summary: `${at}` }));

describe('an invalid record', () => {
  it('is refused with field, expected, got and fix of each problem, in this order', async () => {
    const record = sampleRecord('decision', { content: sampleContent('decision', { status: 'maybe', extra: [1] }) });
    const error = await failure(() => assertValid(decision, record));
    expect(error.code).toBe('VALIDATION_ERROR');
    expect(error.message).toBe('The record is not valid: content.status and 1 more.');
    expect(error.details.map(([name]) => name)).toEqual([
      'field',
      'expected',
      'got',
      'fix',
      'field',
      'expected',
      'got',
      'fix',
    ]);
    expect(detail(error, 'field')).toBe('content.status');
    expect(detail(error, 'expected')).toBe('one of "proposed", "accepted", "deprecated", "superseded"');
    expect(detail(error, 'got')).toBe('"maybe"');
    expect(detail(error, 'fix')).toContain('content.status');
    expect(error.details[4]).toEqual(['field', 'content.extra']);
  });

  it('with one problem is told by it', () => {
    expect(validationError([{ field: 'title', expected: 'text', got: '5', fix: 'Set it.' }]).message).toBe(
      'The record is not valid: title.',
    );
  });
});

describe('a long history', () => {
  it('of more than 50 entries is valid only on its way into the file', () => {
    const record = sampleRecord('decision', { changes: history(51) });
    expect(recordProblems(decision, record).map((each) => each.field)).toEqual(['changes']);
    expect(recordProblems(decision, record, { anyNumberOfChanges: true })).toEqual([]);
  });

  it('is cut to its newest 50 entries when it is written', () => {
    const { changes } = forWriting(decision, sampleRecord('decision', { changes: history(53) }));
    expect(changes).toEqual(history(53).slice(3));
  });
});

describe('a record as it is written', () => {
  it('has its fields in the order of the schema, what is undefined left out', () => {
    const { content, schema_version, ...rest } = sampleRecord('decision');
    const written = forWriting(decision, { zzz: 1, content, retired_at: undefined, ...rest, schema_version });
    expect(Object.keys(written)).toEqual([
      'schema_version',
      'category',
      'id',
      'title',
      'record_status',
      'created_at',
      'updated_at',
      'tags',
      'content',
      'zzz',
    ]);
  });

  it('is JSON for people, with a line break at the end', () => {
    expect(renderRecord({ a: 'ü\ud800' })).toBe('{\n  "a": "ü\\ud800"\n}\n');
  });
});
