import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { detail, failure, TestShelf } from '../../test/fixtures/record-store.ts';
import { sampleInput } from '../../test/fixtures/sample-records.ts';
import { timestampOf } from '../model/timestamp.ts';
import { validateIndex } from './index-upkeep.ts';
import { fileOfIndexPath, indexBase, indexPath, type RecordStore, resolveTarget, rootNamedBy } from './record-store.ts';

describe('how the index names a file', () => {
  it.each([
    ['/p/.claude/memory', '/p', '/p'],
    ['/elsewhere/.claude/memory', '/p', '/elsewhere'],
    ['/p/docs/memory', '/p', '/p'],
    ['/elsewhere/memory', '/p', '/elsewhere/memory'],
    ['/p/my memory', '/p', '/p/my memory'],
  ])('from %s of the project %s: relative to %s', (root, project, base) => {
    expect(indexBase(root, project)).toBe(base);
  });

  it('goes both ways', () => {
    const recordStore = new TestShelf();
    const file = recordStore.file('decisions/a');
    expect(indexPath(recordStore, file)).toBe('.claude/memory/decisions/a.json');
    expect(fileOfIndexPath(recordStore, '.claude/memory/decisions/a.json')).toBe(file);
  });

  it.each(['my memory', 'docs/mém oire', 'plain'])('works in a memory root called %j', async (name) => {
    const base = new TestShelf();
    const root = path.join(base.projectRoot, name);
    const recordStore: RecordStore = { ...base, now: base.now, root };
    const target = path.join(root, 'decisions/a.json');
    const { createRecord } = await import('./create-record.ts');
    await createRecord(recordStore, { category: 'decision', target, cwd: root, record: sampleInput('decision') });
    const { missing, stale, entries } = validateIndex(recordStore);
    expect({ missing, stale, entries }).toEqual({ missing: [], stale: [], entries: 1 });
  });

  it('never leads out of the memory', async () => {
    const recordStore = new TestShelf();
    fs.mkdirSync(recordStore.root, { recursive: true });
    for (const named of ['../x.json', '/etc/passwd', 'package.json', '.claude/settings.json', ''])
      expect((await failure(() => fileOfIndexPath(recordStore, named))).code).toBe('PATH_ERROR');
  });
});

describe('a target', () => {
  it('is a folder of a category and a name', () => {
    const recordStore = new TestShelf();
    expect(resolveTarget(recordStore, 'tech-debt/four-dates.json', recordStore.root)).toMatchObject({
      file: recordStore.file('tech-debt/four-dates'),
      path: recordStore.indexPath('tech-debt/four-dates'),
      slug: 'four-dates',
      category: { name: 'tech_debt' },
    });
    const fromProject = resolveTarget(
      recordStore,
      './.claude/memory/decisions/../decisions/a.json',
      recordStore.projectRoot,
    );
    expect(fromProject.file).toBe(recordStore.file('decisions/a'));
  });

  it.each([
    'index.md',
    'memory-config.json',
    'decisions',
    'decisions/',
    'decisions/a',
    'decisions/a.md',
    'x/a.json',
    'decisions/b/a.json',
    'decisions/b.json/a.json',
    '.',
  ])('is not %j', async (named) => {
    const recordStore = new TestShelf();
    const error = await failure(() => resolveTarget(recordStore, named, recordStore.root));
    expect(error.code).toBe('PATH_ERROR');
    expect(detail(error, 'target')).toBe(named);
    expect(error.fix).toContain('decisions');
  });

  it('is not behind a link that leads outside', async () => {
    const recordStore = new TestShelf();
    fs.mkdirSync(recordStore.root, { recursive: true });
    fs.symlinkSync(recordStore.base, path.join(recordStore.root, 'decisions'));
    expect((await failure(() => resolveTarget(recordStore, 'decisions/a.json', recordStore.root))).code).toBe(
      'PATH_ERROR',
    );
  });
});

describe('the memory that a path names by itself', () => {
  it.each([
    ['/a/.claude/memory/decisions/x.json', '/a/.claude/memory'],
    ['.claude/memory/x.json', '/cwd/.claude/memory'],
    ['/a/.claude/memory/b/.claude/memory/x.json', '/a/.claude/memory/b/.claude/memory'],
    ['/a/.claude/memory/../../x.json', '/a/.claude/memory'],
    ['/a/memory/x.json', undefined],
    ['/a/.claude/memory-x/y.json', undefined],
    ['', undefined],
  ])('%j: %s', (target, root) => {
    expect(rootNamedBy(target, '/cwd')).toBe(root);
  });
});

it('times are written in UTC, to the second', () => {
  expect(timestampOf(new Date('2026-01-31T09:30:00.987Z'))).toBe('2026-01-31T09:30:00Z');
});
