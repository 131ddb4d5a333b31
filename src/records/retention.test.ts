import { beforeEach, describe, expect, it } from 'vitest';
import { DAY, detail, failure, HOUR, TestShelf } from '../../test/fixtures/record-store.ts';
import { sampleContent, sampleInput } from '../../test/fixtures/sample-records.ts';

let shelf: TestShelf;
beforeEach(() => {
  shelf = new TestShelf();
});

const session = (slug: string, content = {}) =>
  shelf.create(
    `sessions/${slug}`,
    sampleInput('session_summary', { title: `Session ${slug}`, content: sampleContent('session_summary', content) }),
  );
const statusOf = (slug: string) => shelf.read(`sessions/${slug}`).record_status;

describe('the rolling window of sessions', () => {
  it('keeps five active sessions and retires the oldest, with a note', async () => {
    for (const slug of ['e', 'd', 'c', 'b', 'a']) {
      await session(slug);
      shelf.time += HOUR;
    }
    expect(shelf.lines).toHaveLength(5);
    const { notes, touched, result } = await session('f');
    expect(result.status).toBe('created');
    expect(shelf.lines).toHaveLength(5);
    expect(shelf.read('sessions/e')).toMatchObject({
      record_status: 'retired',
      retired_reason: 'Left the rolling window of sessions',
    });
    expect(notes.join('\n')).toContain(`Retired the oldest session ${shelf.indexPath('sessions/e')}`);
    expect(touched).toContain(shelf.file('sessions/e'));
  });

  it('counts only active ones', async () => {
    shelf.rules.categories.session_summary.max_retained = 2;
    for (const slug of ['a', 'b']) {
      await session(slug);
      shelf.time += HOUR;
    }
    await shelf.archive('sessions/a');
    await session('c');
    expect(['a', 'b', 'c'].map(statusOf)).toEqual(['archived', 'active', 'active']);
  });

  it('narrows when the setting was lowered', async () => {
    for (const slug of ['a', 'b', 'c', 'd']) {
      await session(slug);
      shelf.time += HOUR;
    }
    shelf.rules.categories.session_summary.max_retained = 1;
    await session('e');
    expect(['a', 'b', 'c', 'd', 'e'].map(statusOf)).toEqual(['retired', 'retired', 'retired', 'retired', 'active']);
  });

  it('never retires the session that was just made, not even if its time or its name comes first', async () => {
    shelf.rules.categories.session_summary.max_retained = 2;
    await session('y');
    await session('z');
    await session('a'); // within the same second
    expect(statusOf('a')).toBe('active');
    const old = sampleInput('session_summary', { title: 'Imported', created_at: '2001-01-01T00:00:00Z' });
    await shelf.create('sessions/imported', old);
    expect(statusOf('imported')).toBe('active');
    expect(shelf.lines).toHaveLength(2);
  });

  it('of 0 keeps every session', async () => {
    shelf.rules.categories.session_summary.max_retained = 0;
    for (let at = 0; at < 7; at++) await session(`s${at}`);
    expect(shelf.lines).toHaveLength(7);
  });

  it('warns of what only the leaving session says, and retires it all the same', async () => {
    shelf.rules.categories.session_summary.max_retained = 1;
    await session('old', {
      completed: ['Migrated the billing database to PostgreSQL'],
      next_actions: ['Sign sessions into a cookie'],
    });
    shelf.time += HOUR;
    await shelf.create('decisions/cookie', sampleInput('decision'));
    const { notes } = await session('new');
    expect(notes.find((note) => note.startsWith('WARNING'))).toBe(
      'WARNING: only this session says: "Migrated the billing database to PostgreSQL"',
    );
    expect(statusOf('old')).toBe('retired');
  });

  it('does not warn of what other records say too', async () => {
    shelf.rules.categories.session_summary.max_retained = 1;
    await session('old', { completed: ['Sign sessions into a cookie'], next_actions: ['of the'] });
    shelf.time += HOUR;
    await shelf.create('decisions/cookie', sampleInput('decision'));
    const { notes } = await session('new');
    expect(notes.filter((note) => note.startsWith('WARNING'))).toEqual([]);
  });
});

describe('the limit of a category', () => {
  const decision = (slug: string) => shelf.create(`decisions/${slug}`, sampleInput('decision', { title: `T ${slug}` }));

  it('refuses one more, and says what to do', async () => {
    shelf.rules.max_memories_per_category = 2;
    await decision('a');
    shelf.time += DAY;
    await decision('b');
    const error = await failure(decision('c'));
    expect(error.code).toBe('LIMIT_ERROR');
    expect(error.message).toContain('holds 2 active records');
    expect(detail(error, 'least recently updated')?.split(', ')[0]).toBe(shelf.indexPath('decisions/a'));
    expect(error.fix).toContain('max_memories_per_category');
    expect(shelf.has('decisions/c')).toBe(false);
  });

  it('names first what was updated longest ago, not what was made first', async () => {
    shelf.rules.max_memories_per_category = 2;
    await decision('a');
    shelf.time += DAY;
    await decision('b');
    shelf.time += DAY;
    await shelf.edit('decisions/a', {});
    const error = await failure(decision('c'));
    expect(detail(error, 'least recently updated')?.split(', ')[0]).toBe(shelf.indexPath('decisions/b'));
  });

  it('counts active records of that category only', async () => {
    shelf.rules.max_memories_per_category = 1;
    await decision('a');
    await shelf.archive('decisions/a');
    await decision('b');
    await shelf.create('runbooks/r', sampleInput('runbook'));
    expect((await failure(decision('c'))).code).toBe('LIMIT_ERROR');
  });

  it('cannot be passed by taking the name of a retired record', async () => {
    shelf.rules.max_memories_per_category = 1;
    await decision('old');
    await shelf.retire('decisions/old');
    await decision('a');
    shelf.time += 2 * DAY;
    expect((await failure(decision('old'))).code).toBe('LIMIT_ERROR');
    expect(shelf.read('decisions/old').record_status).toBe('retired');
  });

  it('cannot be passed by bringing back what was archived or retired', async () => {
    shelf.rules.max_memories_per_category = 1;
    await decision('shelved');
    await shelf.archive('decisions/shelved');
    await decision('old');
    await shelf.retire('decisions/old');
    await decision('a');
    expect((await failure(shelf.unarchive('decisions/shelved'))).code).toBe('LIMIT_ERROR');
    expect((await failure(shelf.restore('decisions/old'))).code).toBe('LIMIT_ERROR');
    expect(shelf.read('decisions/shelved').record_status).toBe('archived');
    await shelf.archive('decisions/a');
    await shelf.restore('decisions/old');
    expect(shelf.lines).toHaveLength(1);
  });

  it('does not stop updates, and 0 is none; sessions have their window instead', async () => {
    shelf.rules.max_memories_per_category = 1;
    await decision('a');
    await shelf.edit('decisions/a', {});
    await session('one');
    await session('two');
    shelf.rules.max_memories_per_category = 0;
    await decision('b');
    expect(shelf.lines).toHaveLength(4);
  });
});
