import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { detail, failure, HOUR, TestShelf } from '../../test/fixtures/record-store.ts';
import { sampleContent, sampleInput, sampleRecord } from '../../test/fixtures/sample-records.ts';
import { put, snapshot } from '../../test/fixtures/temporary.ts';
import { updateRecord } from './update-record.ts';

const NAME = 'decisions/sign-cookies';
const CREATED = '2026-03-01T12:00:00Z';
const LATER = '2026-03-01T13:00:00Z';
const change = { date: LATER, summary: 'Because' };
let recordStore: TestShelf;

beforeEach(async () => {
  recordStore = new TestShelf();
  await recordStore.create(NAME, sampleInput('decision'));
  recordStore.time += HOUR;
});

describe('an update', () => {
  it('changes content, counts itself and sets the time', async () => {
    const content = sampleContent('decision', { rationale: ['Another reason'] });
    const { result, touched } = await recordStore.edit(NAME, { content, tags: ['sample', 'auth'] });
    expect(result).toEqual({
      status: 'updated',
      target: recordStore.indexPath(NAME),
      id: 'sign-cookies',
      title: 'Sign sessions into a cookie',
      times_updated: 1,
    });
    expect(recordStore.read(NAME)).toMatchObject({
      created_at: CREATED,
      updated_at: LATER,
      times_updated: 1,
      content,
      tags: ['auth', 'sample'],
      changes: [{ summary: 'Edited' }],
    });
    expect(recordStore.lines[0]).toContain('#tags:auth,sample');
    expect(touched).toEqual([recordStore.file(NAME), path.join(recordStore.root, 'index.md')]);
    await recordStore.edit(NAME, {});
    expect(recordStore.read(NAME).times_updated).toBe(2);
  });

  it('of a record that was written by hand keeps its values, and brings its fields into order', async () => {
    const { title, content, ...rest } = recordStore.read(NAME) as { title: string; content: object };
    const written = { content, ...rest, title: 'Sign sessions — é 🙂' };
    const text = `\uFEFF${JSON.stringify(written, null, '\t').replace('é', '\\u00e9').replaceAll('\n', '\r\n')}\r\n`;
    fs.writeFileSync(recordStore.file(NAME), text);
    await recordStore.edit(NAME, { title: written.title });
    const now = recordStore.read(NAME);
    expect(now).toMatchObject({ content, title: written.title, tags: (rest as { tags?: unknown }).tags });
    expect(Object.keys(now).slice(0, 4)).toEqual(['schema_version', 'category', 'id', 'title']);
    expect(fs.readFileSync(recordStore.file(NAME), 'utf8')).toMatch(
      /^\{\n {2}"schema_version"[^\r\uFEFF]*é 🙂[^\r]*\}\n$/,
    );
  });

  it('of a record with a field that nobody knows is refused, and the file stays', async () => {
    const text = JSON.stringify({ ...recordStore.read(NAME), reviewer: 'Ada', count: 1 }).replace(
      '1}',
      '12345678901234567890}',
    );
    fs.writeFileSync(recordStore.file(NAME), text);
    const error = await failure(recordStore.edit(NAME, {}));
    expect(error.message).toContain('reviewer');
    expect(fs.readFileSync(recordStore.file(NAME), 'utf8')).toBe(text);
  });

  it('does not touch the index if the line stays the same', async () => {
    const { touched } = await recordStore.edit(NAME, {});
    expect(touched).toEqual([recordStore.file(NAME)]);
  });

  it('cannot bring another identity, status or version', async () => {
    await recordStore.edit(NAME, {
      id: 'other',
      created_at: '2001-01-01T00:00:00Z',
      category: 'preference',
      schema_version: '9',
      record_status: 'retired',
      retired_at: LATER,
      retired_reason: 'x',
      archived_at: LATER,
      archived_reason: 'x',
      times_updated: 99,
    });
    const record = recordStore.read(NAME);
    expect(record).toMatchObject({
      id: 'sign-cookies',
      created_at: CREATED,
      category: 'decision',
      schema_version: '1.0',
      record_status: 'active',
      times_updated: 1,
    });
    expect(Object.keys(record).filter((field) => /^(?:retired|archived)_/.test(field))).toEqual([]);
  });

  it('adds the line if the index was lost', async () => {
    fs.rmSync(path.join(recordStore.root, 'index.md'));
    await recordStore.edit(NAME, {});
    expect(recordStore.lines).toHaveLength(1);
  });

  it('of a file from before there was a counter starts to count', async () => {
    const { record_status: _, ...legacy } = sampleRecord('runbook', { id: 'old' });
    recordStore.plant('runbooks/old', legacy);
    await recordStore.edit('runbooks/old', {});
    expect(recordStore.read('runbooks/old')).toMatchObject({ times_updated: 1, record_status: 'active' });
  });

  it('keeps the newest 50 entries of the history', async () => {
    const changes = Array.from({ length: 50 }, (_, at) => ({ date: '2026-01-01', summary: `${at}` }));
    recordStore.plant('runbooks/full', sampleRecord('runbook', { id: 'full', changes }));
    await recordStore.edit('runbooks/full', {}, 'the newest');
    const after = recordStore.read('runbooks/full').changes as { summary: string }[];
    expect(after).toHaveLength(50);
    expect(after[0]?.summary).toBe('1');
    expect(after[49]?.summary).toBe('the newest');
  });

  it('looks for related files in the project', async () => {
    put(path.join(recordStore.projectRoot, 'src/there.ts'), '');
    await recordStore.edit(NAME, { related_files: ['src/there.ts', 'src/gone.ts', 'a\0b'] });
    await recordStore.edit(NAME, { related_files: ['src/there.ts'] });
    const error = await failure(recordStore.edit(NAME, { related_files: [] }));
    expect(error.code).toBe('MERGE_ERROR');
    expect(detail(error, 'removed')).toBe('src/there.ts');
  });
});

describe('the hash', () => {
  it('of the file as it is lets the update through, without a warning', async () => {
    const { notes } = await recordStore.edit(NAME, {});
    expect(notes).toEqual([]);
  });

  it('that is missing is a warning', async () => {
    const { notes } = await recordStore.update(NAME, { ...recordStore.read(NAME), changes: [change] });
    expect(notes.join('\n')).toContain('no --hash given');
  });

  it('of another state is a conflict, and is told before any other rule', async () => {
    const old = recordStore.read(NAME);
    const hash = recordStore.hash(NAME);
    await recordStore.edit(NAME, {});
    const before = snapshot(recordStore.root);
    for (const record of [{ ...old, changes: [change] }, { ...old, tags: ['new'] }, { title: 5 }]) {
      const error = await failure(recordStore.update(NAME, record, hash));
      expect(error.code).toBe('OCC_CONFLICT');
      expect(error.details.map(([name]) => name)).toEqual(['target', 'expected_hash', 'current_hash']);
      expect(detail(error, 'expected_hash')).toBe(hash);
      expect(detail(error, 'current_hash')).toBe(recordStore.hash(NAME));
      expect(error.fix).toContain('Read the file again');
    }
    expect(snapshot(recordStore.root)).toEqual(before);
  });
});

describe('an update is refused', () => {
  it('without a record', async () => {
    const error = await failure(recordStore.update('decisions/none', sampleInput('decision')));
    expect(error.code).toBe('UPDATE_ERROR');
    expect(error.fix).toBe('Use --action create instead.');
  });

  it('of a record that is not active', async () => {
    await recordStore.archive(NAME);
    expect(await failure(recordStore.edit(NAME, {}))).toMatchObject({
      code: 'UPDATE_ERROR',
      fix: 'Use --action unarchive first.',
    });
    await recordStore.unarchive(NAME);
    await recordStore.retire(NAME);
    expect(await failure(recordStore.edit(NAME, {}))).toMatchObject({
      code: 'UPDATE_ERROR',
      fix: 'Use --action restore first.',
    });
    expect(recordStore.lines).toEqual([]);
  });

  it('of a file that cannot be read', async () => {
    recordStore.plant('decisions/broken', '{"a": ');
    expect((await failure(recordStore.update('decisions/broken', sampleInput('decision')))).code).toBe('READ_ERROR');
  });

  it('with an invalid record', async () => {
    const error = await failure(recordStore.edit(NAME, { content: sampleContent('decision', { status: 'maybe' }) }));
    expect(error.code).toBe('VALIDATION_ERROR');
    expect(detail(error, 'field')).toBe('content.status');
  });

  it('outside the memory, and in a folder of another category', async () => {
    const record = sampleInput('decision');
    expect((await failure(recordStore.update('../../x', record))).code).toBe('PATH_ERROR');
    const request = { category: 'preference', target: recordStore.file(NAME), cwd: recordStore.root, record };
    expect((await failure(updateRecord(recordStore, request))).code).toBe('PATH_ERROR');
  });
});

describe('the file follows its title', () => {
  const rename = (title: string) => recordStore.edit(NAME, { title });

  it('when more than half of the words changed', async () => {
    const { result, touched, notes } = await rename('Keep sessions in Redis');
    expect(notes.join('\n')).toContain(`it was ${recordStore.indexPath(NAME)}`);
    expect(result).toMatchObject({
      target: recordStore.indexPath('decisions/keep-sessions-in-redis'),
      id: 'keep-sessions-in-redis',
      renamed_from: recordStore.indexPath(NAME),
    });
    expect(recordStore.has(NAME)).toBe(false);
    expect(recordStore.read('decisions/keep-sessions-in-redis')).toMatchObject({
      id: 'keep-sessions-in-redis',
      created_at: CREATED,
      times_updated: 1,
    });
    expect(recordStore.lines).toEqual([
      '- [DECISION] Keep sessions in Redis -> .claude/memory/decisions/keep-sessions-in-redis.json #tags:sample',
    ]);
    expect(touched).toEqual([
      recordStore.file(NAME),
      recordStore.file('decisions/keep-sessions-in-redis'),
      path.join(recordStore.root, 'index.md'),
    ]);
  });

  it('not at exactly half', async () => {
    await recordStore.create('decisions/half', sampleInput('decision', { title: 'one two three four five' }));
    const { result } = await recordStore.edit('decisions/half', { title: 'one two three four' });
    expect(result.renamed_from).toBeUndefined();
    await recordStore.create('decisions/half-again', sampleInput('decision', { title: 'a b c' }));
    expect((await recordStore.edit('decisions/half-again', { title: 'a b d' })).result.id).toBe('half-again'); // 2 of 4
    expect((await recordStore.edit('decisions/half-again', { title: 'a e f' })).result.id).toBe('a-e-f'); // 4 of 5
  });

  it('not onto another record: the file keeps its name, with a warning', async () => {
    await recordStore.create('decisions/keep-sessions-in-redis', sampleInput('decision', { title: 'Something else' }));
    const { result, notes } = await rename('Keep sessions in Redis');
    expect(result).toMatchObject({ id: 'sign-cookies', title: 'Keep sessions in Redis' });
    expect(result.renamed_from).toBeUndefined();
    expect(notes.join('\n')).toContain('keep-sessions-in-redis.json exists already');
    expect(recordStore.read('decisions/keep-sessions-in-redis').title).toBe('Something else');
    expect(recordStore.lines).toHaveLength(2);
  });

  it('not through a link that stands at the new name', async () => {
    const outside = path.join(recordStore.base, 'outside.json');
    fs.symlinkSync(outside, recordStore.file('decisions/keep-sessions-in-redis'));
    await rename('Keep sessions in Redis').catch(() => undefined);
    expect(fs.existsSync(outside)).toBe(false);
    expect(recordStore.has(NAME)).toBe(true);
    expect(recordStore.lines).toHaveLength(1);
  });

  it('not when the title makes no name', async () => {
    expect((await rename('認証の決定')).result.id).toBe('sign-cookies');
    expect(recordStore.lines[0]).toContain('認証の決定');
  });

  it('folds the name to ASCII and cuts it at 80', async () => {
    expect((await rename('Größe über alles — Crème')).result.id).toBe('groe-uber-alles-creme');
    const { result } = await recordStore.edit('decisions/groe-uber-alles-creme', { title: 'word '.repeat(24).trim() });
    expect(String(result.id)).toBe('word-'.repeat(16).slice(0, 79));
  });
});
