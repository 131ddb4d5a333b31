import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { Cli } from '../fixtures/cli.ts';
import { sampleInput, sampleRecord } from '../fixtures/sample-records.ts';
import { put } from '../fixtures/temporary.ts';

let cli: Cli;
beforeEach(() => {
  cli = new Cli();
});

const decision = (slug: string, changes = {}) =>
  cli.write('create', `decisions/${slug}`, sampleInput('decision', changes), ['--category', 'decision']);
const plant = (name: string, record: unknown): string => put(cli.file(name), record);
const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

describe('cairn index --rebuild', () => {
  it('says how many entries it made, and warns of files that cannot be read', async () => {
    plant('decisions/a', sampleRecord('decision', { id: 'a' }));
    plant('decisions/broken', '{');
    const { exit, out, err } = await cli.run(['index', '--rebuild']);
    expect({ exit, out }).toEqual({ exit: 0, out: 'Rebuilt index.md with 1 entries' });
    expect(err).toMatch(/^WARNING: .*decisions\/broken\.json/);
    expect(await cli.json(['index', '--rebuild'])).toMatchObject({ entries: 1 });
  });

  it('works on the memory that --root names, from anywhere', async () => {
    const other = path.join(cli.base, 'other/.claude/memory');
    put(path.join(other, 'decisions/a.json'), sampleRecord('decision', { id: 'a' }));
    await cli.run(['index', '--rebuild', '--root', other]);
    expect(fs.readFileSync(path.join(other, 'index.md'), 'utf8')).toContain('-> .claude/memory/decisions/a.json');
  });

  it('fails without a memory', async () => {
    for (const argv of [
      ['index', '--rebuild'],
      ['index', '--validate'],
      ['index', '--health'],
      ['index', '--gc'],
      ['index', '--query', 'x'],
    ]) {
      const { exit, out, err } = await cli.run([...argv, '--root', 'nowhere']);
      expect({ exit, out }).toEqual({ exit: 1, out: '' });
      expect(err).toMatch(/^cairn: .*nowhere is not a directory\./);
      expect(err).toContain('What to do:');
    }
    expect(fs.existsSync(path.join(cli.project, 'nowhere'))).toBe(false);
  });
});

describe('cairn index --validate', () => {
  it('says that all is well', async () => {
    await decision('a');
    expect(await cli.run(['index', '--validate'])).toEqual({ exit: 0, out: 'Index is valid (1 entries)', err: '' });
    expect(await cli.json(['index', '--validate'])).toMatchObject({ valid: true, entries: 1, missing: [], stale: [] });
  });

  it('ends with 1 and names what is missing and what is stale', async () => {
    await decision('a');
    plant('decisions/b', sampleRecord('decision', { id: 'b' }));
    fs.rmSync(cli.file('decisions/a'));
    const { exit, out } = await cli.run(['index', '--validate']);
    expect(exit).toBe(1);
    expect(out.split('\n')).toEqual([
      'Files NOT in index.md:',
      '  - .claude/memory/decisions/b.json',
      'Index entries with NO matching file:',
      '  - .claude/memory/decisions/a.json',
    ]);
  });

  it('ends with 1 without an index, and names records that people broke', async () => {
    plant('decisions/a', sampleRecord('decision', { id: 'a', extra: 1 }));
    const { exit, out } = await cli.run(['index', '--validate']);
    expect(exit).toBe(1);
    expect(out).toContain('index.md does not exist');
    expect(out).toContain('Files that are not valid records:\n  - .claude/memory/decisions/a.json\n      extra:');
  });
});

describe('cairn index --query', () => {
  it('counts and shows the lines', async () => {
    await decision('a', { title: 'Use JWT', tags: ['auth'] });
    const { exit, out } = await cli.run(['index', '--query', 'JWT']);
    expect(exit).toBe(0);
    expect(out.split('\n')).toEqual([
      'Found 1 matching entries for "JWT"',
      '- [DECISION] Use JWT -> .claude/memory/decisions/a.json #tags:auth',
    ]);
    expect((await cli.run(['index', '--query', 'nothing'])).out).toBe('Found 0 matching entries for "nothing"');
    expect(await cli.json(['index', '--query', 'auth'])).toMatchObject({ query: 'auth', count: 1 });
  });
});

describe('cairn index --health', () => {
  it('is one page with five sections', async () => {
    await decision('a');
    const { exit, out } = await cli.run(['index', '--health']);
    expect(exit).toBe(0);
    expect(out.split('\n')).toEqual([
      'Memory Health Report',
      '',
      'Entries by Category (active):',
      '  DECISION: 1',
      '',
      'Heavily Updated (more than 5 times):',
      '  (none)',
      '',
      'Recent Retirements (last 7 days):',
      '  (none)',
      '',
      'Index Sync Status:',
      '  In step',
      '',
      'Summary:',
      '  Total (active): 1',
      '  Retired: 0',
      '  Archived: 0',
      '  Health: GOOD',
    ]);
  });

  it('needs attention, and says why', async () => {
    plant('decisions/a', sampleRecord('decision', { id: 'a', times_updated: 9 }));
    plant(
      'decisions/b',
      sampleRecord('decision', {
        id: 'b',
        record_status: 'retired',
        retired_at: daysAgo(2),
        retired_reason: 'Old\u001b[2J',
      }),
    );
    const { exit, out } = await cli.run(['index', '--health']);
    expect(exit).toBe(0);
    expect(out).toContain('  - Sign sessions into a cookie (9 updates) .claude/memory/decisions/a.json');
    expect(out).toContain('(2 days ago: Old[2J) .claude/memory/decisions/b.json');
    expect(out).toContain('  Health: NEEDS ATTENTION\n  - ');
    expect(out).toContain('index.md is missing');
    const health = await cli.json<{ issues: string[] }>(['index', '--health']);
    expect(health.issues.length).toBeGreaterThan(1);
  });
});

describe('cairn index --gc', () => {
  it('says what it did, and keeps copies', async () => {
    plant('decisions/old', sampleRecord('decision', { record_status: 'retired', retired_at: daysAgo(31) }));
    plant('decisions/young', sampleRecord('decision', { record_status: 'retired', retired_at: daysAgo(2) }));
    plant('decisions/odd', sampleRecord('decision', { record_status: 'retired', retired_at: 'once' }));
    plant('sessions/s', sampleRecord('session_summary', { updated_at: daysAgo(100) }));
    const { exit, out, err } = await cli.run(['index', '--gc']);
    expect(exit).toBe(0);
    expect(out.split('\n')).toEqual([
      'Deleted: .claude/memory/decisions/old.json (retired 31 days ago)',
      'Retired: .claude/memory/sessions/s.json (last changed 100 days ago, past its retention)',
      'SKIP: .claude/memory/decisions/odd.json: its retired_at is not a time',
      '1 deleted, 1 retired, 1 skipped (grace period: 30 days)',
      'If index.md named them, run: cairn index --rebuild',
    ]);
    expect(err).toContain(path.join(cli.home, '.cairn/archive/records'));
    expect(fs.existsSync(cli.file('decisions/young'))).toBe(true);
  });

  it('obeys the settings, and says when there is nothing to do', async () => {
    cli.configure({ delete: { grace_period_days: 5, archive_retired: false } });
    plant('decisions/old', sampleRecord('decision', { record_status: 'retired', retired_at: daysAgo(6) }));
    expect(await cli.json(['index', '--gc'])).toMatchObject({ graceDays: 5, deleted: [{ days: 6 }] });
    expect(fs.existsSync(path.join(cli.home, '.cairn/archive'))).toBe(false);
    expect((await cli.run(['index', '--gc'])).out).toBe('Nothing to collect (grace period: 5 days)');
  });
});

describe('cairn candidate', () => {
  it('says CREATE in a project that has no memory yet, and makes nothing; a root that is named must be there', async () => {
    const fresh = new Cli();
    const argv = ['candidate', '--category', 'runbook', '--new-info', 'disk'];
    expect(JSON.parse((await fresh.run(argv)).out)).toMatchObject({ candidate: null, structural_cud: 'CREATE' });
    const event = await fresh.run([...argv, '--lifecycle-event', 'resolved']);
    expect(JSON.parse(event.out)).toMatchObject({ structural_cud: 'NOOP', delete_allowed: true });
    expect(fs.existsSync(fresh.root)).toBe(false);
    const wrong = await fresh.run([...argv, '--root', 'nowhere']);
    expect([wrong.exit, wrong.err]).toEqual([1, expect.stringContaining('the memory root does not exist')]);
  });

  it('always answers with JSON', async () => {
    await decision('a', { tags: ['auth'] });
    for (const more of [[], ['--json']]) {
      const { exit, out, err } = await cli.run(['candidate', '--category', 'decision', '--new-info', 'auth', ...more]);
      expect({ exit, err }).toEqual({ exit: 0, err: '' });
      expect(Object.keys(JSON.parse(out))).toEqual([
        'candidate',
        'lifecycle_event',
        'delete_allowed',
        'pre_action',
        'structural_cud',
        'vetoes',
        'hints',
      ]);
      expect(JSON.parse(out)).toMatchObject({
        structural_cud: 'UPDATE',
        candidate: { path: '.claude/memory/decisions/a.json' },
      });
    }
  });

  it('finds the same from another folder', async () => {
    await decision('a', { tags: ['auth'] });
    const argv = ['candidate', '--category', 'decision', '--new-info', 'auth', '--root', cli.root];
    const { out, err } = await cli.run(argv, { cwd: cli.home });
    expect(err).toBe('');
    expect(JSON.parse(out).candidate.excerpt.title).toBe('Sign sessions into a cookie');
  });

  it('refuses categories that do not exist or are off, and a memory that is not there', async () => {
    const ask = (category: string, ...more: string[]) =>
      cli.run(['candidate', '--category', category, '--new-info', 'x', ...more]);
    cli.configure({ categories: { runbook: { enabled: false } } });
    expect(await ask('idea')).toMatchObject({ exit: 1, out: '' });
    expect((await ask('runbook')).err).toContain('switched off');
    expect((await ask('decision', '--root', 'nowhere')).err).toContain('index.md');
    const json = await ask('idea', '--json');
    expect(JSON.parse(json.out).error.code).toBe('CATEGORY_ERROR');
  });

  it('warns of poisoned lines on standard error', async () => {
    put(path.join(cli.root, 'index.md'), '- [DECISION] Auth -> ../../../etc/passwd.json #tags:auth\n');
    const { out, err } = await cli.run(['candidate', '--category', 'decision', '--new-info', 'auth']);
    expect(JSON.parse(out).structural_cud).toBe('CREATE');
    expect(err).toMatch(/^WARNING: candidate path/);
  });
});
