import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { DAY, failure, TestShelf } from '../../test/fixtures/record-store.ts';
import { sampleInput, sampleRecord } from '../../test/fixtures/sample-records.ts';
import { healthOf } from './health.ts';

let shelf: TestShelf;
beforeEach(async () => {
  shelf = new TestShelf();
  await shelf.create('decisions/a', sampleInput('decision'));
});

describe('health', () => {
  it('counts every category by status, and the whole', async () => {
    await shelf.create('decisions/b', sampleInput('decision', { title: 'B' }));
    await shelf.create('runbooks/c', sampleInput('runbook'));
    await shelf.retire('decisions/b');
    await shelf.archive('runbooks/c');
    const { categories, totals, issues } = healthOf(shelf);
    expect(categories.find(({ name }) => name === 'decision')).toEqual({
      display: 'DECISION',
      name: 'decision',
      enabled: true,
      active: 1,
      retired: 1,
      archived: 0,
    });
    expect(categories.map(({ name }) => name)).toEqual(shelf.kinds.names);
    expect(totals).toMatchObject({ active: 1, retired: 1, archived: 1 });
    const size = ['decisions/a', 'decisions/b', 'runbooks/c'].reduce(
      (sum, name) => sum + fs.statSync(shelf.file(name)).size,
      0,
    );
    expect(totals.bytes).toBe(size);
    expect(issues).toEqual([]);
  });

  it('names folders with records that no category has, and leaves other files alone', () => {
    shelf.plant('choices/a', sampleRecord('decision', { id: 'a' }));
    shelf.plant('assets/b', { colours: ['red'] });
    const { stray, issues } = healthOf(shelf);
    expect(stray.map((each) => path.relative(shelf.root, each.path))).toEqual(['choices']);
    expect(issues).toEqual([expect.stringContaining('no category has this folder')]);
  });

  it('names what was updated more than five times', () => {
    shelf.plant('decisions/a', sampleRecord('decision', { id: 'a', times_updated: 5 }));
    expect(healthOf(shelf).heavilyUpdated).toEqual([]);
    shelf.plant('decisions/a', sampleRecord('decision', { id: 'a', times_updated: 6 }));
    const { heavilyUpdated, issues } = healthOf(shelf);
    expect(heavilyUpdated).toEqual([
      { path: shelf.indexPath('decisions/a'), title: 'Sign sessions into a cookie', times: 6 },
    ]);
    expect(issues).toEqual(['1 records change often; consider splitting them']);
  });

  it('names what was retired in the last seven days', async () => {
    await shelf.retire('decisions/a', 'Superseded');
    shelf.time += 7 * DAY;
    expect(healthOf(shelf).recentlyRetired).toEqual([
      { path: shelf.indexPath('decisions/a'), title: 'Sign sessions into a cookie', days: 7, reason: 'Superseded' },
    ]);
    shelf.time += DAY;
    expect(healthOf(shelf).recentlyRetired).toEqual([]);
    shelf.plant('decisions/b', sampleRecord('decision', { record_status: 'retired', retired_at: 'once' }));
    expect(healthOf(shelf).recentlyRetired).toEqual([]);
  });

  it('needs attention when the index is out of step, missing or unreadable', async () => {
    shelf.plant('decisions/b', sampleRecord('decision', { id: 'b' }));
    fs.appendFileSync(path.join(shelf.root, 'index.md'), '- [DECISION] X -> .claude/memory/decisions/x.json\n');
    const out = healthOf(shelf);
    expect(out.sync).toEqual({
      indexFound: true,
      missing: [shelf.indexPath('decisions/b')],
      stale: [shelf.indexPath('decisions/x')],
    });
    expect(out.issues).toEqual([
      '1 records are not in index.md; run: cairn index --rebuild',
      '1 entries of index.md have no active record; run: cairn index --rebuild',
    ]);
    fs.rmSync(path.join(shelf.root, 'index.md'));
    expect(healthOf(shelf).issues[0]).toContain('index.md is missing or cannot be read');
    fs.writeFileSync(path.join(shelf.root, 'index.md'), Buffer.from([0xff]));
    expect(healthOf(shelf).issues.join('\n')).toContain('cairn index --rebuild');
  });

  it('needs attention when files cannot be read or are not valid', () => {
    shelf.plant('decisions/b', '{');
    shelf.plant('decisions/a', sampleRecord('decision', { id: 'a', extra: 1 }));
    const { unreadable, invalid, issues } = healthOf(shelf);
    expect(unreadable.map((each) => each.path)).toEqual([shelf.indexPath('decisions/b')]);
    expect(invalid.map((each) => each.path)).toEqual([shelf.indexPath('decisions/a')]);
    expect(issues).toHaveLength(2);
  });

  it('tells which categories are switched off, and needs a memory', async () => {
    shelf.rules.categories.runbook.enabled = false;
    expect(
      healthOf(shelf)
        .categories.filter(({ enabled }) => !enabled)
        .map(({ name }) => name),
    ).toEqual(['runbook']);
    fs.rmSync(shelf.root, { recursive: true });
    expect((await failure(() => healthOf(shelf))).code).toBe('INDEX_ERROR');
  });
});
