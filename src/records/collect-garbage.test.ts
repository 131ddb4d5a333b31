import fs from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { DAY, failure, TestShelf } from '../../test/fixtures/record-store.ts';
import { sampleInput, sampleRecord } from '../../test/fixtures/sample-records.ts';
import { put, snapshot } from '../../test/fixtures/temporary.ts';
import { collectGarbage } from './collect-garbage.ts';

let recordStore: TestShelf;
beforeEach(async () => {
  recordStore = new TestShelf();
  await recordStore.create('decisions/a', sampleInput('decision'));
  await recordStore.create('decisions/kept', sampleInput('decision', { title: 'Kept' }));
});

const copies = (): string[] =>
  fs.existsSync(recordStore.deletedCopies)
    ? Object.keys(snapshot(recordStore.deletedCopies)).filter((name) => name.endsWith('.json'))
    : [];

describe('garbage collection', () => {
  it('deletes what was retired as long ago as the grace period, after keeping a copy', async () => {
    await recordStore.retire('decisions/a', 'x');
    const text = fs.readFileSync(recordStore.file('decisions/a'), 'utf8');
    recordStore.time += 29 * DAY;
    expect((await collectGarbage(recordStore)).deleted).toEqual([]);
    recordStore.time += DAY;
    const garbage = await collectGarbage(recordStore);
    expect(garbage).toMatchObject({
      graceDays: 30,
      deleted: [{ path: recordStore.indexPath('decisions/a'), days: 30 }],
      skipped: [],
      errors: [],
      touched: [recordStore.file('decisions/a')],
    });
    expect(recordStore.has('decisions/a')).toBe(false);
    expect(recordStore.has('decisions/kept')).toBe(true);
    expect(copies()).toHaveLength(1);
    expect(copies()[0]).toMatch(/^project-[0-9a-f]{12}\/decisions\/a\.2026-03-31T120000Z\.json$/);
    expect(Object.values(snapshot(recordStore.deletedCopies))).toContain(`file ${text}`);
    expect(garbage.notes).toHaveLength(1);
  });

  it('keeps no copy if archive_retired is off', async () => {
    recordStore.rules.delete.archive_retired = false;
    await recordStore.retire('decisions/a');
    recordStore.time += 30 * DAY;
    expect((await collectGarbage(recordStore)).deleted).toHaveLength(1);
    expect(copies()).toEqual([]);
  });

  it('deletes nothing of which no copy can be kept, and says so', async () => {
    await recordStore.retire('decisions/a');
    recordStore.time += 30 * DAY;
    put(recordStore.deletedCopies, 'a file stands in the way');
    const { deleted, errors, touched } = await collectGarbage(recordStore);
    expect({ deleted, touched }).toEqual({ deleted: [], touched: [] });
    expect(errors.map((each) => each.path)).toEqual([recordStore.indexPath('decisions/a')]);
    expect(recordStore.has('decisions/a')).toBe(true);
  });

  it('obeys the grace period, also none at all', async () => {
    recordStore.rules.delete.grace_period_days = 0;
    await recordStore.retire('decisions/a');
    expect((await collectGarbage(recordStore)).deleted).toEqual([
      { path: recordStore.indexPath('decisions/a'), days: 0 },
    ]);
  });

  it.each<[unknown, string]>([
    [undefined, 'missing'],
    ['last month', 'not a time'],
    [1_700_000_000, 'not a time'],
  ])('skips a record whose retired_at is %j, and says so', async (retired_at, why) => {
    recordStore.plant('decisions/a', sampleRecord('decision', { record_status: 'retired', retired_at }));
    recordStore.time += 365 * DAY;
    const { skipped, deleted } = await collectGarbage(recordStore);
    expect(skipped).toEqual([{ path: recordStore.indexPath('decisions/a'), why: `its retired_at is ${why}` }]);
    expect(deleted).toEqual([]);
    expect(recordStore.has('decisions/a')).toBe(true);
  });

  it('leaves active and archived records, and files that cannot be read', async () => {
    await recordStore.archive('decisions/kept');
    recordStore.plant('decisions/broken', '{"record_status": "retired"');
    recordStore.time += 1000 * DAY;
    const before = snapshot(recordStore.root);
    const { deleted, problems } = await collectGarbage(recordStore);
    expect(deleted).toEqual([]);
    expect(problems).toHaveLength(1);
    expect(snapshot(recordStore.root)).toEqual(before);
  });

  it('takes a record and its line out even if a person left the line', async () => {
    await recordStore.retire('decisions/a');
    recordStore.time += 30 * DAY;
    await collectGarbage(recordStore);
    expect(recordStore.lines).toHaveLength(1);
  });

  it('needs a memory', async () => {
    fs.rmSync(recordStore.root, { recursive: true });
    expect((await failure(() => collectGarbage(recordStore))).code).toBe('INDEX_ERROR');
  });
});

describe('retention_days', () => {
  it('retires what was not changed for longer, so that it passes through the grace period', async () => {
    recordStore.rules.categories.decision.retention_days = 90;
    await recordStore.create('runbooks/r', sampleInput('runbook'));
    recordStore.time += 90 * DAY;
    expect((await collectGarbage(recordStore)).retired).toEqual([]);
    recordStore.time += DAY;
    await recordStore.edit('decisions/kept', {});
    const garbage = await collectGarbage(recordStore);
    expect(garbage.retired).toEqual([{ path: recordStore.indexPath('decisions/a'), days: 91 }]);
    expect(recordStore.read('decisions/a')).toMatchObject({
      record_status: 'retired',
      retired_reason: 'Older than 90 days (retention_days)',
    });
    expect(recordStore.lines.map((line) => line.split(' ')[1])).toEqual(['[DECISION]', '[RUNBOOK]']);
    expect((await collectGarbage(recordStore)).deleted).toEqual([]);
    recordStore.time += 30 * DAY;
    expect((await collectGarbage(recordStore)).deleted.map((each) => each.path)).toEqual([
      recordStore.indexPath('decisions/a'),
    ]);
  });

  it('of 0 keeps records for ever', async () => {
    recordStore.time += 10_000 * DAY;
    expect((await collectGarbage(recordStore)).retired).toEqual([]);
  });
});
