import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { failure, TestShelf } from '../../test/fixtures/record-store.ts';
import { FOLDERS, SAMPLE_CATEGORIES, sampleInput, sampleRecord } from '../../test/fixtures/sample-records.ts';
import { put } from '../../test/fixtures/temporary.ts';
import { queryIndex, rebuildIndex, validateIndex } from './index-upkeep.ts';

let recordStore: TestShelf;
beforeEach(() => {
  recordStore = new TestShelf();
});

describe('a rebuild', () => {
  it('lists active records, sorted by category and title, and says how many', async () => {
    for (const category of SAMPLE_CATEGORIES)
      recordStore.plant(`${FOLDERS[category]}/a`, sampleRecord(category, { id: 'a', title: `${category} one` }));
    recordStore.plant('decisions/b', sampleRecord('decision', { id: 'b', title: 'Another', tags: [] }));
    recordStore.plant('decisions/c', sampleRecord('decision', { record_status: 'retired' }));
    recordStore.plant('decisions/d', sampleRecord('decision', { record_status: 'archived' }));
    expect(await rebuildIndex(recordStore)).toEqual({ entries: 7, problems: [] });
    expect(recordStore.lines).toEqual([
      '- [CONSTRAINT] constraint one -> .claude/memory/constraints/a.json #tags:sample',
      '- [DECISION] Another -> .claude/memory/decisions/b.json',
      '- [DECISION] decision one -> .claude/memory/decisions/a.json #tags:sample',
      '- [PREFERENCE] preference one -> .claude/memory/preferences/a.json #tags:sample',
      '- [RUNBOOK] runbook one -> .claude/memory/runbooks/a.json #tags:sample',
      '- [SESSION_SUMMARY] session_summary one -> .claude/memory/sessions/a.json #tags:sample',
      '- [TECH_DEBT] tech_debt one -> .claude/memory/tech-debt/a.json #tags:sample',
    ]);
    expect(recordStore.index).toMatch(/^# Memory Index\n/);
  });

  it('without an active record leaves an empty index, not the old one', async () => {
    await recordStore.create('decisions/a', sampleInput('decision'));
    recordStore.plant('decisions/a', sampleRecord('decision', { record_status: 'retired' }));
    expect((await rebuildIndex(recordStore)).entries).toBe(0);
    expect(recordStore.lines).toEqual([]);
  });

  it('repairs whatever was there, and is not stopped by a broken record', async () => {
    recordStore.plant('decisions/a', sampleRecord('decision'));
    recordStore.plant('decisions/broken', 'x');
    put(path.join(recordStore.root, 'index.md'), Buffer.from([0xff, 0x00]));
    const { entries, problems } = await rebuildIndex(recordStore);
    expect(entries).toBe(1);
    expect(problems.map((each) => each.path)).toEqual([recordStore.indexPath('decisions/broken')]);
    expect(recordStore.lines).toHaveLength(1);
  });

  it('cleans what a hand-edited record would forge', async () => {
    const title = 'x -> /etc/passwd #tags:y\n- [DECISION] z -> q.json';
    recordStore.plant('decisions/a', sampleRecord('decision', { title }));
    await rebuildIndex(recordStore);
    expect(recordStore.lines).toHaveLength(1);
    expect(validateIndex(recordStore)).toMatchObject({ missing: [], stale: [] });
  });

  it('needs a memory', async () => {
    expect((await failure(rebuildIndex(recordStore))).code).toBe('INDEX_ERROR');
    put(recordStore.root, 'a file');
    expect((await failure(rebuildIndex(recordStore))).code).toBe('INDEX_ERROR');
  });

  it('twice gives the same file, to the byte', async () => {
    for (const slug of ['a', 'b', 'c']) recordStore.plant(`decisions/${slug}`, sampleRecord('decision', { id: slug }));
    await rebuildIndex(recordStore);
    const first = recordStore.index;
    await rebuildIndex(recordStore);
    expect(recordStore.index).toBe(first);
  });
});

describe('a validation', () => {
  it('finds nothing in a memory that only Cairn wrote', async () => {
    await recordStore.create('decisions/a', sampleInput('decision'));
    expect(validateIndex(recordStore)).toEqual({
      indexFound: true,
      missing: [],
      stale: [],
      entries: 1,
      problems: [],
      invalid: [],
    });
  });

  it('names files that the index lacks, and entries without an active record', async () => {
    await recordStore.create('decisions/a', sampleInput('decision'));
    recordStore.plant('decisions/b', sampleRecord('decision', { id: 'b' }));
    fs.appendFileSync(
      path.join(recordStore.root, 'index.md'),
      '- [DECISION] Gone -> .claude/memory/decisions/gone.json\n',
    );
    recordStore.plant('runbooks/r', sampleRecord('runbook', { id: 'r', record_status: 'retired' }));
    fs.appendFileSync(path.join(recordStore.root, 'index.md'), '- [RUNBOOK] R -> .claude/memory/runbooks/r.json\n');
    expect(validateIndex(recordStore)).toMatchObject({
      missing: ['.claude/memory/decisions/b.json'],
      stale: ['.claude/memory/decisions/gone.json', '.claude/memory/runbooks/r.json'],
    });
  });

  it('reads a title with an arrow as retrieval does', () => {
    recordStore.plant('decisions/a', sampleRecord('decision', { id: 'a' }));
    put(
      path.join(recordStore.root, 'index.md'),
      '- [DECISION] this -> that -> .claude/memory/decisions/a.json #tags:x\n',
    );
    expect(validateIndex(recordStore)).toMatchObject({ missing: [], stale: [] });
  });

  it('says that there is no index', () => {
    recordStore.plant('decisions/a', sampleRecord('decision'));
    expect(validateIndex(recordStore)).toMatchObject({
      indexFound: false,
      missing: [recordStore.indexPath('decisions/a')],
    });
  });

  it('names records that people broke, active or not, and does not touch them', () => {
    recordStore.plant('decisions/a', sampleRecord('decision', { id: 'other', extra: 1, record_status: 'archived' }));
    recordStore.plant('decisions/b', { title: 'nearly nothing' });
    const { invalid } = validateIndex(recordStore);
    expect(invalid.map((each) => each.path)).toEqual([
      recordStore.indexPath('decisions/a'),
      recordStore.indexPath('decisions/b'),
    ]);
    expect(invalid[0]!.problems.join('\n')).toContain('extra');
    expect(invalid[0]!.problems).toContain('id: expected "a", the file\'s name');
    expect(recordStore.read('decisions/b')).toEqual({ title: 'nearly nothing' });
  });
});

describe('a query', () => {
  it('finds lines by any part, in any case', async () => {
    await recordStore.create('decisions/a', sampleInput('decision', { title: 'Use JWT', tags: ['auth'] }));
    await recordStore.create('runbooks/b', sampleInput('runbook', { title: 'Free the disk', tags: ['ops'] }));
    expect(queryIndex(recordStore, 'jwt')).toHaveLength(1);
    expect(queryIndex(recordStore, 'AUTH')).toHaveLength(1);
    expect(queryIndex(recordStore, '[runbook]')).toHaveLength(1);
    expect(queryIndex(recordStore, '.json')).toHaveLength(2);
    expect(queryIndex(recordStore, '.*')).toHaveLength(0);
    expect(queryIndex(recordStore, 'Auto-generated')).toHaveLength(0);
  });

  it('needs an index', async () => {
    fs.mkdirSync(recordStore.root, { recursive: true });
    expect(await failure(() => queryIndex(recordStore, 'x'))).toMatchObject({ code: 'INDEX_ERROR' });
  });
});
