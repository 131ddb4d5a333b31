import { beforeEach, describe, expect, it } from 'vitest';
import { DAY, detail, failure, HOUR, TestShelf } from '../../test/fixtures/record-store.ts';
import { sampleContent, sampleInput } from '../../test/fixtures/sample-records.ts';

let recordStore: TestShelf;
beforeEach(() => {
  recordStore = new TestShelf();
});

const session = (slug: string, content = {}) =>
  recordStore.create(
    `sessions/${slug}`,
    sampleInput('session_summary', { title: `Session ${slug}`, content: sampleContent('session_summary', content) }),
  );
const statusOf = (slug: string) => recordStore.read(`sessions/${slug}`).record_status;

describe('the rolling window of sessions', () => {
  it('keeps five active sessions and retires the oldest, with a note', async () => {
    for (const slug of ['e', 'd', 'c', 'b', 'a']) {
      await session(slug);
      recordStore.time += HOUR;
    }
    expect(recordStore.lines).toHaveLength(5);
    const { notes, touched, result } = await session('f');
    expect(result.status).toBe('created');
    expect(recordStore.lines).toHaveLength(5);
    expect(recordStore.read('sessions/e')).toMatchObject({
      record_status: 'retired',
      retired_reason: 'Left the rolling window of sessions',
    });
    expect(notes.join('\n')).toContain(`Retired the oldest session ${recordStore.indexPath('sessions/e')}`);
    expect(touched).toContain(recordStore.file('sessions/e'));
  });

  it('counts only active ones', async () => {
    recordStore.rules.categories.session_summary.max_retained = 2;
    for (const slug of ['a', 'b']) {
      await session(slug);
      recordStore.time += HOUR;
    }
    await recordStore.archive('sessions/a');
    await session('c');
    expect(['a', 'b', 'c'].map(statusOf)).toEqual(['archived', 'active', 'active']);
  });

  it('narrows when the setting was lowered', async () => {
    for (const slug of ['a', 'b', 'c', 'd']) {
      await session(slug);
      recordStore.time += HOUR;
    }
    recordStore.rules.categories.session_summary.max_retained = 1;
    await session('e');
    expect(['a', 'b', 'c', 'd', 'e'].map(statusOf)).toEqual(['retired', 'retired', 'retired', 'retired', 'active']);
  });

  it('never retires the session that was just made, not even if its time or its name comes first', async () => {
    recordStore.rules.categories.session_summary.max_retained = 2;
    await session('y');
    await session('z');
    await session('a'); // within the same second
    expect(statusOf('a')).toBe('active');
    const old = sampleInput('session_summary', { title: 'Imported', created_at: '2001-01-01T00:00:00Z' });
    await recordStore.create('sessions/imported', old);
    expect(statusOf('imported')).toBe('active');
    expect(recordStore.lines).toHaveLength(2);
  });

  it('of 0 keeps every session', async () => {
    recordStore.rules.categories.session_summary.max_retained = 0;
    for (let at = 0; at < 7; at++) await session(`s${at}`);
    expect(recordStore.lines).toHaveLength(7);
  });

  it('warns of what only the leaving session says, and retires it all the same', async () => {
    recordStore.rules.categories.session_summary.max_retained = 1;
    await session('old', {
      completed: ['Migrated the billing database to PostgreSQL'],
      next_actions: ['Sign sessions into a cookie'],
    });
    recordStore.time += HOUR;
    await recordStore.create('decisions/cookie', sampleInput('decision'));
    const { notes } = await session('new');
    expect(notes.find((note) => note.startsWith('WARNING'))).toBe(
      'WARNING: only this session says: "Migrated the billing database to PostgreSQL"',
    );
    expect(statusOf('old')).toBe('retired');
  });

  it('does not warn of what other records say too', async () => {
    recordStore.rules.categories.session_summary.max_retained = 1;
    await session('old', { completed: ['Sign sessions into a cookie'], next_actions: ['of the'] });
    recordStore.time += HOUR;
    await recordStore.create('decisions/cookie', sampleInput('decision'));
    const { notes } = await session('new');
    expect(notes.filter((note) => note.startsWith('WARNING'))).toEqual([]);
  });
});

describe('the limit of a category', () => {
  const decision = (slug: string) =>
    recordStore.create(`decisions/${slug}`, sampleInput('decision', { title: `T ${slug}` }));

  it('refuses one more, and says what to do', async () => {
    recordStore.rules.max_memories_per_category = 2;
    await decision('a');
    recordStore.time += DAY;
    await decision('b');
    const error = await failure(decision('c'));
    expect(error.code).toBe('LIMIT_ERROR');
    expect(error.message).toContain('holds 2 active records');
    expect(detail(error, 'least recently updated')?.split(', ')[0]).toBe(recordStore.indexPath('decisions/a'));
    expect(error.fix).toContain('max_memories_per_category');
    expect(recordStore.has('decisions/c')).toBe(false);
  });

  it('names first what was updated longest ago, not what was made first', async () => {
    recordStore.rules.max_memories_per_category = 2;
    await decision('a');
    recordStore.time += DAY;
    await decision('b');
    recordStore.time += DAY;
    await recordStore.edit('decisions/a', {});
    const error = await failure(decision('c'));
    expect(detail(error, 'least recently updated')?.split(', ')[0]).toBe(recordStore.indexPath('decisions/b'));
  });

  it('counts active records of that category only', async () => {
    recordStore.rules.max_memories_per_category = 1;
    await decision('a');
    await recordStore.archive('decisions/a');
    await decision('b');
    await recordStore.create('runbooks/r', sampleInput('runbook'));
    expect((await failure(decision('c'))).code).toBe('LIMIT_ERROR');
  });

  it('cannot be passed by taking the name of a retired record', async () => {
    recordStore.rules.max_memories_per_category = 1;
    await decision('old');
    await recordStore.retire('decisions/old');
    await decision('a');
    recordStore.time += 2 * DAY;
    expect((await failure(decision('old'))).code).toBe('LIMIT_ERROR');
    expect(recordStore.read('decisions/old').record_status).toBe('retired');
  });

  it('cannot be passed by bringing back what was archived or retired', async () => {
    recordStore.rules.max_memories_per_category = 1;
    await decision('shelved');
    await recordStore.archive('decisions/shelved');
    await decision('old');
    await recordStore.retire('decisions/old');
    await decision('a');
    expect((await failure(recordStore.unarchive('decisions/shelved'))).code).toBe('LIMIT_ERROR');
    expect((await failure(recordStore.restore('decisions/old'))).code).toBe('LIMIT_ERROR');
    expect(recordStore.read('decisions/shelved').record_status).toBe('archived');
    await recordStore.archive('decisions/a');
    await recordStore.restore('decisions/old');
    expect(recordStore.lines).toHaveLength(1);
  });

  it('does not stop updates, and 0 is none; sessions have their window instead', async () => {
    recordStore.rules.max_memories_per_category = 1;
    await decision('a');
    await recordStore.edit('decisions/a', {});
    await session('one');
    await session('two');
    recordStore.rules.max_memories_per_category = 0;
    await decision('b');
    expect(recordStore.lines).toHaveLength(4);
  });
});
