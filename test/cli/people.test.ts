// The commands for people: search, list, status, retire, archive, unarchive, restore.

import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { Cli } from '../fixtures/cli.ts';
import { sampleInput, sampleRecord } from '../fixtures/sample-records.ts';
import { put } from '../fixtures/temporary.ts';

let cli: Cli;
beforeEach(async () => {
  cli = new Cli();
  await cli.write('create', 'decisions/cookie', sampleInput('decision', { tags: ['auth'] }), [
    '--category',
    'decision',
  ]);
  await cli.write('create', 'runbooks/disk', sampleInput('runbook', { tags: ['ops'] }), ['--category', 'runbook']);
});

describe('cairn retire, archive, unarchive, restore', () => {
  it('find a record by its name and say what they did', async () => {
    expect((await cli.run(['archive', 'cookie', '--reason', 'done'])).out).toBe(
      'Archived: .claude/memory/decisions/cookie.json (Sign sessions into a cookie)',
    );
    expect((await cli.run(['archive', 'cookie'])).out).toMatch(/^Already archived: /);
    expect((await cli.run(['unarchive', 'decisions/cookie'])).out).toMatch(/^Unarchived: /);
    expect((await cli.run(['retire', 'record:decisions/cookie', '--reason', 'old'])).out).toMatch(/^Retired: /);
    expect(cli.read('decisions/cookie')).toMatchObject({ record_status: 'retired', retired_reason: 'old' });
    expect(await cli.json(['restore', 'cookie.json'])).toEqual({
      status: 'restored',
      target: '.claude/memory/decisions/cookie.json',
    });
    expect(cli.lines).toHaveLength(2);
  });

  it('retire asks on a terminal, unless told not to', async () => {
    const no = await cli.run(['retire', 'cookie'], { answers: ['n'] });
    expect({ exit: no.exit, out: no.out }).toEqual({ exit: 0, out: '' });
    expect(cli.asked).toEqual(['Retire .claude/memory/decisions/cookie.json (Sign sessions into a cookie)? [y/N] ']);
    expect(cli.read('decisions/cookie').record_status).toBe('active');
    await cli.run(['retire', 'cookie'], { answers: [] });
    expect(cli.read('decisions/cookie').record_status).toBe('active');
    await cli.run(['retire', 'cookie'], { answers: ['Yes'] });
    expect(cli.read('decisions/cookie').record_status).toBe('retired');
    await cli.run(['retire', 'disk', '-y'], { answers: [] });
    expect(cli.read('runbooks/disk').record_status).toBe('retired');
    expect(cli.asked).toHaveLength(3);
  });

  it('say which, if a name means several or none', async () => {
    await cli.write('create', 'runbooks/cookie', sampleInput('runbook'), ['--category', 'runbook']);
    const several = await cli.run(['archive', 'cookie']);
    expect(several.exit).toBe(1);
    expect(several.err).toMatch(/What to do: .*decisions\/cookie.*runbooks\/cookie/);
    const none = await cli.run(['archive', 'nothing']);
    expect(none).toMatchObject({ exit: 1, out: '' });
    expect(none.err).toMatch(/^cairn: .*"nothing".*\nWhat to do: /);
    expect(JSON.parse((await cli.run(['archive', '../x', '--json'])).out).error.code).toBe('NOT_FOUND');
  });

  it('say that a record cannot be read, instead of that there is none', async () => {
    put(cli.file('decisions/torn'), '{"title":');
    for (const argv of [
      ['retire', 'torn'],
      ['show', 'record:decisions/torn'],
    ]) {
      const { exit, err } = await cli.run(argv);
      expect([exit, err]).toEqual([
        1,
        expect.stringMatching(/torn\.json cannot be read: it is not JSON.*\nWhat to do: /),
      ]);
    }
  });

  it('refuse what the record’s state does not allow, and change nothing', async () => {
    await cli.run(['archive', 'cookie']);
    for (const verb of ['retire', 'restore']) {
      const { exit, err } = await cli.run([verb, 'cookie']);
      expect(exit).toBe(1);
      expect(err).toContain('The record is archived.');
    }
    expect((await cli.run(['unarchive', 'disk'])).exit).toBe(1);
  });

  it('restore warns that an old record may be out of date', async () => {
    const retired_at = new Date(Date.now() - 10 * 86_400_000).toISOString();
    put(cli.file('decisions/cookie'), sampleRecord('decision', { id: 'cookie', record_status: 'retired', retired_at }));
    expect((await cli.run(['restore', 'cookie'])).err).toContain('WARNING: it was retired 10 days ago');
  });
});

describe('cairn list', () => {
  it('shows active records with their names, and how many', async () => {
    const { exit, out } = await cli.run(['list']);
    expect(exit).toBe(0);
    const today = new Date().toISOString().slice(0, 10);
    expect(out.split('\n')).toEqual([
      `decisions/cookie  ${today}  Sign sessions into a cookie`,
      `runbooks/disk     ${today}  Free the disk of a build machine`,
      '',
      '2 records',
    ]);
  });

  it('shows archived and retired ones, with their reasons', async () => {
    await cli.run(['archive', 'cookie', '--reason', 'done']);
    await cli.run(['retire', 'disk']);
    expect((await cli.run(['list'])).out).toBe('No active records.');
    expect((await cli.run(['list', '--archived'])).out).toMatch(
      /^decisions\/cookie .* archived {2}Sign .* \(done\)\n\n1 record$/,
    );
    expect((await cli.run(['list', '--retired'])).out).toContain('runbooks/disk');
    expect((await cli.run(['list', '--all'])).out).toContain('2 records');
    expect((await cli.run(['list', '--all', '--category', 'runbook'])).out).toContain('1 record');
    expect((await cli.run(['list', '--all', '--category', 'Runbook'])).out).toContain('1 record');
    expect((await cli.run(['list', '--all', '--category', 'tech-debt'])).out).toBe('No records.');
  });

  it('gives data', async () => {
    const { count, records } = await cli.json<{ count: number; records: object[] }>(['list', '--category', 'decision']);
    expect(count).toBe(1);
    expect(records).toEqual([
      {
        ref: 'record:decisions/cookie',
        category: 'decision',
        title: 'Sign sessions into a cookie',
        status: 'active',
        path: '.claude/memory/decisions/cookie.json',
        tags: ['auth'],
        updated_at: cli.read('decisions/cookie').updated_at,
        reason: null,
      },
    ]);
  });

  it('refuses a category that does not exist, warns of broken files, and prints no codes for the terminal', async () => {
    const unknown = await cli.run(['list', '--category', 'idea']);
    expect(unknown).toMatchObject({ exit: 1, out: '' });
    expect(unknown.err).toContain('There is no category "idea"');
    put(cli.file('decisions/broken'), '{');
    put(
      cli.file('decisions/evil'),
      sampleRecord('decision', {
        title: 'x\u001b[2Jy',
        record_status: 'archived',
        archived_reason: '\u001b]0;z',
        archived_at: '\u001b[1m',
      }),
    );
    const { exit, out, err } = await cli.run(['list', '--all']);
    expect(exit).toBe(0);
    expect(out + err).not.toContain('\u001b');
    expect(err).toContain('decisions/broken.json');
  });
});

describe('cairn search', () => {
  it('shows hits by category, with their scores', async () => {
    const { exit, out } = await cli.run(['search', 'auth', 'disk']);
    expect(exit).toBe(0);
    expect(out.split('\n')).toEqual([
      'DECISION (1 match)',
      '  4  Sign sessions into a cookie',
      '     .claude/memory/decisions/cookie.json  #auth',
      '',
      'RUNBOOK (1 match)',
      '  3  Free the disk of a build machine',
      '     .claude/memory/runbooks/disk.json  #ops',
    ]);
    expect((await cli.run(['search', 'auth', '--explain'])).out).toContain('tag "auth" +3');
  });

  it('names the files that it could not search', async () => {
    put(cli.file('decisions/torn'), '{"title":');
    const { exit, out, err } = await cli.run(['search', 'auth']);
    expect([exit, out]).toEqual([0, expect.stringContaining('DECISION (1 match)')]);
    expect(err).toContain('WARNING: .claude/memory/decisions/torn.json cannot be read: it is not JSON');
  });

  it('finds retired records only when asked, and says so when nothing was found', async () => {
    await cli.run(['retire', 'cookie']);
    expect((await cli.run(['search', 'auth'])).out).toContain('--include-retired');
    const { out } = await cli.run(['search', 'auth', '--include-retired']);
    expect(out).toContain('Sign sessions into a cookie [retired]');
    expect((await cli.run(['search', 'zeppelin', '--include-retired'])).out).not.toContain('--include-retired');
  });

  it('gives data, held to a category and a number', async () => {
    expect(await cli.json(['search', 'auth ops', '--limit', '1'])).toMatchObject({
      query: 'auth ops',
      count: 1,
      results: [{ ref: 'record:decisions/cookie', score: 4, status: 'active', why: expect.any(Array) }],
    });
    expect(await cli.json(['search', 'auth ops', '--category', 'runbook'])).toMatchObject({ count: 1 });
    for (const limit of ['0', '-1', 'x', '1.5', '']) {
      const { exit, err } = await cli.run(['search', 'auth', `--limit=${limit}`]);
      expect(exit).toBe(2);
      expect(err).toContain('--limit');
    }
    expect((await cli.run(['search', 'auth', '--category', 'idea'])).err).toContain('There is no category "idea"');
  });

  it('works before there is a memory', async () => {
    fs.rmSync(cli.root, { recursive: true });
    expect(await cli.run(['search', 'auth'])).toMatchObject({ exit: 0 });
    expect((await cli.run(['list'])).out).toBe('No active records.');
    expect(fs.existsSync(cli.root)).toBe(false);
  });
});

describe('cairn status', () => {
  it('shows where the memory is, what it holds and how it is', async () => {
    await cli.run(['retire', 'disk']);
    cli.configure({ auto_commit: false, categories: { preference: { enabled: false } } });
    const { exit, out } = await cli.run(['status']);
    expect(exit).toBe(0);
    expect(out).toContain(`Memory   ${cli.root}`);
    expect(out).toContain(`Config   ${path.join(cli.root, 'memory-config.json')}`);
    expect(out).toMatch(/decision +1 active\n/);
    expect(out).toMatch(/runbook +0 active, 1 retired/);
    expect(out).toMatch(/preference +0 active {2}\(switched off\)/);
    expect(out).toContain('Health   GOOD');
    expect(await cli.json(['status'])).toMatchObject({
      exists: true,
      memoryRoot: cli.root,
      totals: { active: 1, retired: 1 },
    });
  });

  it('invites to the first memory', async () => {
    fs.rmSync(cli.root, { recursive: true });
    const { exit, out } = await cli.run(['status']);
    expect(exit).toBe(0);
    expect(out).toContain('cairn save decision');
    expect(await cli.json(['status'])).toMatchObject({ exists: false, memoryRoot: cli.root });
  });
});
