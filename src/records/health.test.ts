import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { DAY, failure, TestShelf } from '../../test/fixtures/record-store.ts';
import { sampleInput, sampleRecord } from '../../test/fixtures/sample-records.ts';
import { healthOf } from './health.ts';

let recordStore: TestShelf;
beforeEach(async () => {
  recordStore = new TestShelf();
  await recordStore.create('decisions/a', sampleInput('decision'));
});

describe('health', () => {
  it('counts every category by status, and the whole', async () => {
    await recordStore.create('decisions/b', sampleInput('decision', { title: 'B' }));
    await recordStore.create('runbooks/c', sampleInput('runbook'));
    await recordStore.retire('decisions/b');
    await recordStore.archive('runbooks/c');
    const { categories, totals, issues } = healthOf(recordStore);
    expect(categories.find(({ name }) => name === 'decision')).toEqual({
      display: 'DECISION',
      name: 'decision',
      enabled: true,
      active: 1,
      retired: 1,
      archived: 0,
    });
    expect(categories.map(({ name }) => name)).toEqual(recordStore.kinds.names);
    expect(totals).toMatchObject({ active: 1, retired: 1, archived: 1 });
    const size = ['decisions/a', 'decisions/b', 'runbooks/c'].reduce(
      (sum, name) => sum + fs.statSync(recordStore.file(name)).size,
      0,
    );
    expect(totals.bytes).toBe(size);
    expect(issues).toEqual([]);
  });

  it('names folders with records that no category has, and leaves other files alone', () => {
    recordStore.plant('choices/a', sampleRecord('decision', { id: 'a' }));
    recordStore.plant('assets/b', { colours: ['red'] });
    const { stray, issues } = healthOf(recordStore);
    expect(stray.map((each) => path.relative(recordStore.root, each.path))).toEqual(['choices']);
    expect(issues).toEqual([expect.stringContaining('no category has this folder')]);
  });

  it('names what was updated more than five times', () => {
    recordStore.plant('decisions/a', sampleRecord('decision', { id: 'a', times_updated: 5 }));
    expect(healthOf(recordStore).heavilyUpdated).toEqual([]);
    recordStore.plant('decisions/a', sampleRecord('decision', { id: 'a', times_updated: 6 }));
    const { heavilyUpdated, issues } = healthOf(recordStore);
    expect(heavilyUpdated).toEqual([
      { path: recordStore.indexPath('decisions/a'), title: 'Sign sessions into a cookie', times: 6 },
    ]);
    expect(issues).toEqual(['1 records change often; consider splitting them']);
  });

  it('names what was retired in the last seven days', async () => {
    await recordStore.retire('decisions/a', 'Superseded');
    recordStore.time += 7 * DAY;
    expect(healthOf(recordStore).recentlyRetired).toEqual([
      {
        path: recordStore.indexPath('decisions/a'),
        title: 'Sign sessions into a cookie',
        days: 7,
        reason: 'Superseded',
      },
    ]);
    recordStore.time += DAY;
    expect(healthOf(recordStore).recentlyRetired).toEqual([]);
    recordStore.plant('decisions/b', sampleRecord('decision', { record_status: 'retired', retired_at: 'once' }));
    expect(healthOf(recordStore).recentlyRetired).toEqual([]);
  });

  it('needs attention when the index is out of step, missing or unreadable', async () => {
    recordStore.plant('decisions/b', sampleRecord('decision', { id: 'b' }));
    fs.appendFileSync(path.join(recordStore.root, 'index.md'), '- [DECISION] X -> .claude/memory/decisions/x.json\n');
    const out = healthOf(recordStore);
    expect(out.sync).toEqual({
      indexFound: true,
      missing: [recordStore.indexPath('decisions/b')],
      stale: [recordStore.indexPath('decisions/x')],
    });
    expect(out.issues).toEqual([
      '1 records are not in index.md; run: cairn index --rebuild',
      '1 entries of index.md have no active record; run: cairn index --rebuild',
    ]);
    fs.rmSync(path.join(recordStore.root, 'index.md'));
    expect(healthOf(recordStore).issues[0]).toContain('index.md is missing or cannot be read');
    fs.writeFileSync(path.join(recordStore.root, 'index.md'), Buffer.from([0xff]));
    expect(healthOf(recordStore).issues.join('\n')).toContain('cairn index --rebuild');
  });

  it('needs attention when files cannot be read or are not valid', () => {
    recordStore.plant('decisions/b', '{');
    recordStore.plant('decisions/a', sampleRecord('decision', { id: 'a', extra: 1 }));
    const { unreadable, invalid, issues } = healthOf(recordStore);
    expect(unreadable.map((each) => each.path)).toEqual([recordStore.indexPath('decisions/b')]);
    expect(invalid.map((each) => each.path)).toEqual([recordStore.indexPath('decisions/a')]);
    expect(issues).toHaveLength(2);
  });

  it('tells which categories are switched off, and needs a memory', async () => {
    recordStore.rules.categories.runbook.enabled = false;
    expect(
      healthOf(recordStore)
        .categories.filter(({ enabled }) => !enabled)
        .map(({ name }) => name),
    ).toEqual(['runbook']);
    fs.rmSync(recordStore.root, { recursive: true });
    expect((await failure(() => healthOf(recordStore))).code).toBe('INDEX_ERROR');
  });
});
