import { describe, expect, it } from 'vitest';
import { detail, failure } from '../../test/fixtures/record-store.ts';
import { sampleContent, sampleRecord } from '../../test/fixtures/sample-records.ts';
import { CATEGORIES } from '../model/categories.ts';
import type { JsonObject } from '../model/json.ts';
import { mergeUpdate } from './merge.ts';

const NOW = '2026-03-01T12:00:00Z';
const decision = CATEGORIES.find((each) => each.name === 'decision')!;
const said = { date: '2026-02-01T00:00:00Z', summary: 'Said so' };
const EXISTING = ['src/there.ts'];

const stored = (changes: JsonObject = {}): JsonObject => sampleRecord('decision', changes);
const merge = (old: JsonObject, now: JsonObject) =>
  mergeUpdate(old, now, { category: decision, now: NOW, fileExists: (file) => EXISTING.includes(file) });
/** The stored record with one new entry in its history and these changes: what a well-behaved caller sends. */
const sent = (old: JsonObject, changes: JsonObject = {}): JsonObject => ({
  ...old,
  changes: [...((old.changes as unknown[]) ?? []), said],
  ...changes,
});
const broken = async (old: JsonObject, now: JsonObject) => {
  const error = await failure(() => merge(old, now));
  expect(error.code).toBe('MERGE_ERROR');
  return error;
};
const tags = (count: number, prefix = 't') =>
  Array.from({ length: count }, (_, at) => `${prefix}${String(at).padStart(2, '0')}`);

describe('identity', () => {
  it.each(['created_at', 'schema_version', 'category'])('%s cannot change', async (field) => {
    const error = await broken(stored(), sent(stored(), { [field]: 'other' }));
    expect(detail(error, 'field')).toBe(field);
    expect(detail(error, 'rule')).toBe('immutable');
    expect(detail(error, 'new')).toBe('"other"');
    expect(detail(error, 'fix')).toBe(`Leave ${field} as it is.`);
  });

  it('that the stored file lacks cannot be invented; the error says how to repair it', async () => {
    const { created_at: _, ...old } = stored();
    const error = await broken(old, sent(old, { created_at: NOW }));
    expect(detail(error, 'old')).toBe('<missing>');
    expect(detail(error, 'fix')).toContain('stored file');
  });
});

describe('tags', () => {
  it('grow', () => {
    const old = stored({ tags: ['a'] });
    expect(merge(old, sent(old, { tags: ['a', 'b'] })).record.tags).toEqual(['a', 'b']);
  });

  it('below the cap cannot be removed, not even for others', async () => {
    const old = stored({ tags: ['a', 'b'] });
    for (const now of [['a'], ['a', 'c'], ['c', 'd', 'e']]) {
      const error = await broken(old, sent(old, { tags: now }));
      expect(detail(error, 'field')).toBe('tags');
      expect(detail(error, 'rule')).toContain('grow-only');
      expect(detail(error, 'removed')).toBeTruthy();
      expect(detail(error, 'fix')).toBeTruthy();
    }
  });

  it('at the cap can be exchanged one for one, and the history says so', () => {
    const old = stored({ tags: tags(12) });
    const { record } = merge(old, sent(old, { tags: [...tags(11), 'zz'] }));
    expect(record.changes).toEqual([
      said,
      {
        date: NOW,
        summary: "Tags evicted at cap: removed ['t11'], added ['zz']",
        field: 'tags',
        old_value: ['t11'],
        new_value: ['zz'],
      },
    ]);
  });

  it('at the cap cannot shrink, and one new tag does not let two go', async () => {
    const old = stored({ tags: tags(12) });
    expect(detail(await broken(old, sent(old, { tags: tags(11) })), 'rule')).toContain('cap of 12');
    expect(detail(await broken(old, sent(old, { tags: [...tags(10), 'zz'] })), 'removed')).toBe('t10, t11');
  });

  it('that were written in capitals by hand count as what they mean', () => {
    const old = stored({ tags: ['Auth', ' JWT '] });
    expect(merge(old, sent(old, { tags: ['auth', 'jwt'] })).record.tags).toEqual(['auth', 'jwt']);
  });

  it('a history of a large exchange stays within its limit', () => {
    const old = stored({ tags: tags(12, 'a-rather-long-tag-name-'.repeat(3)) });
    const { record } = merge(old, sent(old, { tags: tags(12, 'b') }));
    expect((record.changes as { summary: string }[]).at(-1)!.summary.length).toBeLessThanOrEqual(300);
  });
});

describe('related files', () => {
  it('grow, and may be new', () => {
    const old = stored();
    expect(merge(old, sent(old, { related_files: ['a.ts'] })).record.related_files).toEqual(['a.ts']);
  });

  it('that no longer exist may go', () => {
    const old = stored({ related_files: ['gone.ts', 'src/there.ts'] });
    expect(merge(old, sent(old, { related_files: ['src/there.ts'] })).record.related_files).toEqual(['src/there.ts']);
  });

  it.each([[['gone.ts']], [[]], [null], [undefined]])('that exist may not: %j', async (now) => {
    const old = stored({ related_files: ['gone.ts', 'src/there.ts'] });
    const error = await broken(old, sent(old, { related_files: now }));
    expect(detail(error, 'field')).toBe('related_files');
    expect(detail(error, 'removed')).toBe('src/there.ts');
  });
});

describe('the history', () => {
  const first = { date: '2026-01-01', summary: 'first' };
  const second = { date: '2026-01-02', summary: 'second' };

  it('cannot shrink', async () => {
    const old = stored({ changes: [first, second] });
    const error = await broken(old, { ...old, changes: [first] });
    expect(detail(error, 'rule')).toBe('append-only');
    expect(detail(error, 'old')).toBe('2 entries');
    expect(detail(error, 'new')).toBe('1 entries');
  });

  it('cannot be rewritten, neither in place nor in another order', async () => {
    const old = stored({ changes: [first, second] });
    expect(detail(await broken(old, { ...old, changes: [second, first, said] }), 'new')).toBe('entry 0 differs');
    const edited = { ...second, summary: 'never happened' };
    expect(detail(await broken(old, { ...old, changes: [first, edited, said] }), 'new')).toBe('entry 1 differs');
  });

  it('is the same when only the order of keys in an entry differs', () => {
    const old = stored({ changes: [{ ...first, old_value: { a: 1, b: 2 } }] });
    const same = { old_value: { b: 2, a: 1 }, summary: 'first', date: '2026-01-01' };
    expect(merge(old, { ...old, changes: [same, said] }).record.changes).toHaveLength(2);
  });

  it('must grow with every update', async () => {
    const old = stored({ changes: [first] });
    for (const now of [old, { ...old, content: sampleContent('decision', { rationale: ['another'] }) }]) {
      const error = await broken(old, now);
      expect(detail(error, 'field')).toBe('changes');
      expect(detail(error, 'rule')).toContain('at least one new change entry');
      expect(detail(error, 'fix')).toContain('Append');
    }
  });

  it('grows by itself for each scalar of the content that changed, in the order of the schema', () => {
    const old = stored();
    const now = { ...old, content: sampleContent('decision', { decision: 'Use a store', status: 'superseded' }) };
    expect(merge(old, now).record.changes).toEqual([
      {
        date: NOW,
        summary: 'content.status changed',
        field: 'content.status',
        old_value: 'accepted',
        new_value: 'superseded',
      },
      {
        date: NOW,
        summary: 'content.decision changed',
        field: 'content.decision',
        old_value: 'Sign the session into a cookie',
        new_value: 'Use a store',
      },
    ]);
  });

  it('notes a scalar that came or went', () => {
    const runbook = CATEGORIES.find((each) => each.name === 'runbook')!;
    const { root_cause: _, ...content } = sampleContent('runbook');
    const old = sampleRecord('runbook');
    const context = { category: runbook, now: NOW, fileExists: () => false };
    expect(mergeUpdate(old, { ...old, content }, context).record.changes).toMatchObject([
      { field: 'content.root_cause', old_value: 'Old images pile up', new_value: null },
    ]);
    expect(mergeUpdate({ ...old, content }, old, context).record.changes).toMatchObject([
      { field: 'content.root_cause', old_value: null, new_value: 'Old images pile up' },
    ]);
  });
});

it('a list of the content that shrinks, or disappears, is allowed with a warning', () => {
  const old = stored();
  const { consequences: _, ...content } = sampleContent('decision', { rationale: ['one'] });
  expect(merge(old, sent(old, { content })).warnings).toEqual([
    'WARNING: content.rationale shrank from 2 to 1 items',
    'WARNING: content.consequences shrank from 1 to 0 items',
  ]);
  expect(merge(old, sent(old)).warnings).toEqual([]);
});
