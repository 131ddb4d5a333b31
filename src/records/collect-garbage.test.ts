import fs from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { DAY, failure, TestShelf } from '../../test/fixtures/record-store.ts';
import { sampleInput, sampleRecord } from '../../test/fixtures/sample-records.ts';
import { put, snapshot } from '../../test/fixtures/temporary.ts';
import { collectGarbage } from './collect-garbage.ts';

let shelf: TestShelf;
beforeEach(async () => {
  shelf = new TestShelf();
  await shelf.create('decisions/a', sampleInput('decision'));
  await shelf.create('decisions/kept', sampleInput('decision', { title: 'Kept' }));
});

const copies = (): string[] =>
  fs.existsSync(shelf.graveyard) ? Object.keys(snapshot(shelf.graveyard)).filter((name) => name.endsWith('.json')) : [];

describe('garbage collection', () => {
  it('deletes what was retired as long ago as the grace period, after keeping a copy', async () => {
    await shelf.retire('decisions/a', 'x');
    const text = fs.readFileSync(shelf.file('decisions/a'), 'utf8');
    shelf.time += 29 * DAY;
    expect((await collectGarbage(shelf)).deleted).toEqual([]);
    shelf.time += DAY;
    const garbage = await collectGarbage(shelf);
    expect(garbage).toMatchObject({
      graceDays: 30,
      deleted: [{ path: shelf.indexPath('decisions/a'), days: 30 }],
      skipped: [],
      errors: [],
      touched: [shelf.file('decisions/a')],
    });
    expect(shelf.has('decisions/a')).toBe(false);
    expect(shelf.has('decisions/kept')).toBe(true);
    expect(copies()).toHaveLength(1);
    expect(copies()[0]).toMatch(/^project-[0-9a-f]{12}\/decisions\/a\.2026-03-31T120000Z\.json$/);
    expect(Object.values(snapshot(shelf.graveyard))).toContain(`file ${text}`);
    expect(garbage.notes).toHaveLength(1);
  });

  it('keeps no copy if archive_retired is off', async () => {
    shelf.rules.delete.archive_retired = false;
    await shelf.retire('decisions/a');
    shelf.time += 30 * DAY;
    expect((await collectGarbage(shelf)).deleted).toHaveLength(1);
    expect(copies()).toEqual([]);
  });

  it('deletes nothing of which no copy can be kept, and says so', async () => {
    await shelf.retire('decisions/a');
    shelf.time += 30 * DAY;
    put(shelf.graveyard, 'a file stands in the way');
    const { deleted, errors, touched } = await collectGarbage(shelf);
    expect({ deleted, touched }).toEqual({ deleted: [], touched: [] });
    expect(errors.map((each) => each.path)).toEqual([shelf.indexPath('decisions/a')]);
    expect(shelf.has('decisions/a')).toBe(true);
  });

  it('obeys the grace period, also none at all', async () => {
    shelf.rules.delete.grace_period_days = 0;
    await shelf.retire('decisions/a');
    expect((await collectGarbage(shelf)).deleted).toEqual([{ path: shelf.indexPath('decisions/a'), days: 0 }]);
  });

  it.each<[unknown, string]>([
    [undefined, 'missing'],
    ['last month', 'not a time'],
    [1_700_000_000, 'not a time'],
  ])('skips a record whose retired_at is %j, and says so', async (retired_at, why) => {
    shelf.plant('decisions/a', sampleRecord('decision', { record_status: 'retired', retired_at }));
    shelf.time += 365 * DAY;
    const { skipped, deleted } = await collectGarbage(shelf);
    expect(skipped).toEqual([{ path: shelf.indexPath('decisions/a'), why: `its retired_at is ${why}` }]);
    expect(deleted).toEqual([]);
    expect(shelf.has('decisions/a')).toBe(true);
  });

  it('leaves active and archived records, and files that cannot be read', async () => {
    await shelf.archive('decisions/kept');
    shelf.plant('decisions/broken', '{"record_status": "retired"');
    shelf.time += 1000 * DAY;
    const before = snapshot(shelf.root);
    const { deleted, problems } = await collectGarbage(shelf);
    expect(deleted).toEqual([]);
    expect(problems).toHaveLength(1);
    expect(snapshot(shelf.root)).toEqual(before);
  });

  it('takes a record and its line out even if a person left the line', async () => {
    await shelf.retire('decisions/a');
    shelf.time += 30 * DAY;
    await collectGarbage(shelf);
    expect(shelf.lines).toHaveLength(1);
  });

  it('needs a memory', async () => {
    fs.rmSync(shelf.root, { recursive: true });
    expect((await failure(() => collectGarbage(shelf))).code).toBe('INDEX_ERROR');
  });
});

describe('retention_days', () => {
  it('retires what was not changed for longer, so that it passes through the grace period', async () => {
    shelf.rules.categories.decision.retention_days = 90;
    await shelf.create('runbooks/r', sampleInput('runbook'));
    shelf.time += 90 * DAY;
    expect((await collectGarbage(shelf)).retired).toEqual([]);
    shelf.time += DAY;
    await shelf.edit('decisions/kept', {});
    const garbage = await collectGarbage(shelf);
    expect(garbage.retired).toEqual([{ path: shelf.indexPath('decisions/a'), days: 91 }]);
    expect(shelf.read('decisions/a')).toMatchObject({
      record_status: 'retired',
      retired_reason: 'Older than 90 days (retention_days)',
    });
    expect(shelf.lines.map((line) => line.split(' ')[1])).toEqual(['[DECISION]', '[RUNBOOK]']);
    expect((await collectGarbage(shelf)).deleted).toEqual([]);
    shelf.time += 30 * DAY;
    expect((await collectGarbage(shelf)).deleted.map((each) => each.path)).toEqual([shelf.indexPath('decisions/a')]);
  });

  it('of 0 keeps records for ever', async () => {
    shelf.time += 10_000 * DAY;
    expect((await collectGarbage(shelf)).retired).toEqual([]);
  });
});
