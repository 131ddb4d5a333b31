import fs from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { DAY, detail, failure, HOUR, TestShelf } from '../../test/fixtures/record-store.ts';
import { sampleInput, sampleRecord } from '../../test/fixtures/sample-records.ts';
import { snapshot } from '../../test/fixtures/temporary.ts';
import { CATEGORIES } from '../model/categories.ts';
import { recordProblems } from './validate.ts';

const NAME = 'decisions/a';
const LATER = '2026-03-01T13:00:00Z';
let recordStore: TestShelf;

beforeEach(async () => {
  recordStore = new TestShelf();
  await recordStore.create(NAME, sampleInput('decision'));
  recordStore.time += HOUR;
});

const marks = (): string[] =>
  Object.keys(recordStore.read(NAME)).filter((field) => /^(?:retired|archived)_/.test(field));
const lastChange = () => (recordStore.read(NAME).changes as unknown[]).at(-1);
const valid = (): void =>
  expect(recordProblems(CATEGORIES.find((each) => each.name === 'decision')!, recordStore.read(NAME))).toEqual([]);

describe('retiring', () => {
  it('keeps the file, marks it, notes it in the history and takes it from the index', async () => {
    const { result } = await recordStore.retire(NAME, 'Superseded by the store');
    expect(result).toEqual({
      status: 'retired',
      target: recordStore.indexPath(NAME),
      reason: 'Superseded by the store',
    });
    expect(recordStore.read(NAME)).toMatchObject({
      record_status: 'retired',
      retired_at: LATER,
      retired_reason: 'Superseded by the store',
      updated_at: LATER,
    });
    expect(lastChange()).toEqual({
      date: LATER,
      summary: 'Retired: Superseded by the store',
      field: 'record_status',
      old_value: 'active',
      new_value: 'retired',
    });
    expect(recordStore.lines).toEqual([]);
    valid();
  });

  it.each([undefined, '', '   ', '\u200b'])('without a reason (%j) says so', async (reason) => {
    expect((await recordStore.retire(NAME, reason)).result.reason).toBe('No reason provided');
  });

  it('a retired record is no change', async () => {
    await recordStore.retire(NAME);
    const before = snapshot(recordStore.root);
    recordStore.time += HOUR;
    expect((await recordStore.retire(NAME, 'again')).result).toEqual({
      status: 'already_retired',
      target: recordStore.indexPath(NAME),
    });
    expect(snapshot(recordStore.root)).toEqual(before);
  });

  it('an archived record is refused', async () => {
    await recordStore.archive(NAME);
    const error = await failure(recordStore.retire(NAME));
    expect(error.code).toBe('DELETE_ERROR');
    expect(error.fix).toContain('unarchive');
  });

  it('cuts a long reason so that the record stays valid', async () => {
    const { result } = await recordStore.retire(NAME, '😀'.repeat(400));
    expect([...String(result.reason)]).toHaveLength(290);
    valid();
  });

  it('masks secrets in the reason and drops what is private or invisible', async () => {
    const token = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`;
    const { notes } = await recordStore.retire(NAME, `leaked ${token} <private>by Bob</private>\u202e`);
    const stored = fs.readFileSync(recordStore.file(NAME), 'utf8');
    expect(stored).not.toContain(token);
    expect(stored).not.toContain('Bob');
    expect(stored).not.toContain('\u202e');
    expect(notes.join('\n')).toContain('a secret was masked in the reason');
  });

  it('clears the marks of an earlier archiving, and works on a file without a status', async () => {
    const { record_status: _, ...legacy } = sampleRecord('decision', { archived_at: LATER, archived_reason: 'x' });
    recordStore.plant(NAME, legacy);
    await recordStore.retire(NAME);
    expect(marks()).toEqual(['retired_at', 'retired_reason']);
  });

  it('keeps the newest 50 entries', async () => {
    const changes = Array.from({ length: 50 }, (_, at) => ({ date: '2026-01-01', summary: `${at}` }));
    recordStore.plant(NAME, sampleRecord('decision', { id: 'a', changes }));
    await recordStore.retire(NAME);
    expect(recordStore.read(NAME).changes).toHaveLength(50);
    expect((recordStore.read(NAME).changes as { summary: string }[])[0]?.summary).toBe('1');
    valid();
  });

  it('a record that a person broke is possible: it is the way out', async () => {
    recordStore.plant(NAME, { title: 'no fields at all', notes: 'mine' });
    expect((await recordStore.retire(NAME)).result.status).toBe('retired');
    expect(recordStore.read(NAME)).toMatchObject({ notes: 'mine', record_status: 'retired' });
  });
});

describe('archiving', () => {
  it('keeps the file, marks it, notes it and takes it from the index', async () => {
    const { result } = await recordStore.archive(NAME, 'Done with it');
    expect(result).toEqual({ status: 'archived', target: recordStore.indexPath(NAME), reason: 'Done with it' });
    expect(recordStore.read(NAME)).toMatchObject({
      record_status: 'archived',
      archived_at: LATER,
      archived_reason: 'Done with it',
      updated_at: LATER,
    });
    expect(lastChange()).toMatchObject({
      summary: 'Archived: Done with it',
      old_value: 'active',
      new_value: 'archived',
    });
    expect(recordStore.lines).toEqual([]);
    expect(marks()).toEqual(['archived_at', 'archived_reason']);
    valid();
  });

  it('an archived record is no change; a retired one is refused', async () => {
    await recordStore.archive(NAME);
    const before = snapshot(recordStore.root);
    expect((await recordStore.archive(NAME)).result.status).toBe('already_archived');
    expect(snapshot(recordStore.root)).toEqual(before);
    await recordStore.unarchive(NAME);
    await recordStore.retire(NAME);
    expect(await failure(recordStore.archive(NAME))).toMatchObject({
      code: 'ARCHIVE_ERROR',
      message: 'The record is retired.',
    });
  });
});

describe('unarchiving', () => {
  it('makes the record active and lists it again', async () => {
    await recordStore.archive(NAME);
    recordStore.time += HOUR;
    const { result } = await recordStore.unarchive(NAME);
    expect(result).toEqual({ status: 'unarchived', target: recordStore.indexPath(NAME) });
    expect(recordStore.read(NAME)).toMatchObject({ record_status: 'active', updated_at: '2026-03-01T14:00:00Z' });
    expect(lastChange()).toMatchObject({ old_value: 'archived', new_value: 'active' });
    expect(marks()).toEqual([]);
    expect(recordStore.lines).toHaveLength(1);
    valid();
  });

  it('is only for archived records', async () => {
    expect((await failure(recordStore.unarchive(NAME))).code).toBe('UNARCHIVE_ERROR');
    await recordStore.retire(NAME);
    expect((await failure(recordStore.unarchive(NAME))).message).toBe('The record is retired.');
  });
});

describe('restoring', () => {
  it('makes a retired record active and lists it again', async () => {
    await recordStore.retire(NAME, 'A mistake');
    recordStore.time += HOUR;
    const { result, notes } = await recordStore.restore(NAME);
    expect(result).toEqual({ status: 'restored', target: recordStore.indexPath(NAME) });
    expect(notes).toEqual([]);
    expect(marks()).toEqual([]);
    expect(lastChange()).toMatchObject({ old_value: 'retired', new_value: 'active' });
    expect(recordStore.lines).toHaveLength(1);
    valid();
  });

  it('an active record is no change; an archived one is refused', async () => {
    expect((await recordStore.restore(NAME)).result.status).toBe('already_active');
    await recordStore.archive(NAME);
    expect(await failure(recordStore.restore(NAME))).toMatchObject({ code: 'RESTORE_ERROR' });
  });

  it.each([
    [7, false],
    [8, true],
    [30, true],
  ])('%d days after it was retired warns that it may be out of date: %s', async (days, warns) => {
    await recordStore.retire(NAME);
    recordStore.time += days * DAY;
    const { notes } = await recordStore.restore(NAME);
    expect(notes).toEqual(warns ? [`WARNING: it was retired ${days} days ago; check that it is still true`] : []);
  });

  it('is not possible when the grace period is over, however long that is', async () => {
    await recordStore.retire(NAME);
    recordStore.time += 31 * DAY;
    const error = await failure(recordStore.restore(NAME));
    expect(error.code).toBe('RESTORE_ERROR');
    expect(error.fix).toContain('delete.grace_period_days');
    recordStore.rules.delete.grace_period_days = 60;
    expect((await recordStore.restore(NAME)).result.status).toBe('restored');
  });

  it('is possible when nobody knows when the record was retired', async () => {
    recordStore.plant(NAME, sampleRecord('decision', { id: 'a', record_status: 'retired', retired_at: 'once' }));
    expect((await recordStore.restore(NAME)).result.status).toBe('restored');
  });
});

describe('every change of status', () => {
  const actions = ['retire', 'archive', 'unarchive', 'restore'] as const;
  const codes = ['DELETE_ERROR', 'ARCHIVE_ERROR', 'UNARCHIVE_ERROR', 'RESTORE_ERROR'];

  it.each(actions)('needs a record to %s', async (action) => {
    const error = await failure(recordStore[action]('decisions/none'));
    expect(error.code).toBe(codes[actions.indexOf(action)]);
    expect(detail(error, 'target')).toBe(recordStore.indexPath('decisions/none'));
  });

  it.each(actions)('makes no memory where there is none: %s', async (action) => {
    fs.rmSync(recordStore.root, { recursive: true });
    expect((await failure(recordStore[action](NAME))).code).toBe(codes[actions.indexOf(action)]);
    expect((await failure(recordStore.update(NAME, sampleInput('decision')))).code).toBe('UPDATE_ERROR');
    expect(fs.existsSync(recordStore.root)).toBe(false);
  });

  it.each(actions)('refuses a file that cannot be read, and leaves it: %s', async (action) => {
    recordStore.plant(NAME, 'not JSON');
    expect((await failure(recordStore[action](NAME))).code).toBe('READ_ERROR');
    expect(fs.readFileSync(recordStore.file(NAME), 'utf8')).toBe('not JSON');
  });

  it.each(actions)('stays in the memory: %s', async (action) => {
    for (const name of ['../../../etc/passwd', 'decisions/../../../x', 'index'])
      expect((await failure(recordStore[action](name))).code).toBe('PATH_ERROR');
  });
});
