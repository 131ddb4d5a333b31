import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { Cli } from '../fixtures/cli.ts';
import { put } from '../fixtures/temporary.ts';

let cli: Cli;
beforeEach(() => {
  cli = new Cli();
});
const projectFile = (): string => path.join(cli.root, 'memory-config.json');
const userFile = (): string => path.join(cli.home, '.cairn', 'config.json');

describe('a memory that is moved', () => {
  it('leaves behind what was saved, and says so', async () => {
    expect((await cli.run(['config', 'set', 'memory_root', 'docs/a'])).err).toBe('');
    await cli.run(['config', 'unset', 'memory_root']);
    await cli.run(['save', 'decision', 'Use SQLite because it needs no server']);
    const { exit, err } = await cli.run(['config', 'set', 'memory_root', 'docs/b']);
    expect(exit).toBe(0);
    expect(err).toContain(`NOTE: what was saved stays in ${cli.root}. `);
    expect(err).toContain(path.join(cli.project, 'docs/b'));
  });

  it('says where its settings stay when it moves back or on', async () => {
    await cli.run(['config', 'set', 'capture.enabled', 'false']);
    expect((await cli.run(['config', 'set', 'memory_root', 'docs/a'])).err).not.toContain('settings'); // they go along
    const stays = `the settings of the project stay in ${path.join(cli.project, 'docs/a/memory-config.json')}`;
    expect((await cli.run(['config', 'set', 'memory_root', 'docs/b'])).err).toContain(stays);
    await cli.run(['config', 'set', 'memory_root', 'docs/a']);
    expect((await cli.run(['config', 'unset', 'memory_root'])).err).toContain(stays);
  });

  it('is named when a category gets another folder, and by every check until it is moved', async () => {
    await cli.run(['save', 'decision', 'Use SQLite because it needs no server']);
    const said = `${path.join(cli.root, 'decisions')}/ holds a record that is not used`;
    const set = await cli.run(['config', 'set', 'categories.decision.folder', 'choices']);
    expect({ exit: set.exit, err: set.err }).toEqual({ exit: 0, err: expect.stringContaining(said) });
    for (const check of ['--validate', '--rebuild']) expect((await cli.run(['index', check])).err).toContain(said);
    expect((await cli.run(['index', '--health'])).out).toContain(said);
    fs.renameSync(path.join(cli.root, 'decisions'), path.join(cli.root, 'choices'));
    const moved = await cli.run(['index', '--rebuild']);
    expect([moved.out, moved.err]).toEqual(['Rebuilt index.md with 1 entries', '']);
  });
});

describe('cairn config get', () => {
  it('prints a value, and with --json where it comes from', async () => {
    expect(await cli.run(['config', 'get', 'retrieval.max_inject'])).toEqual({ exit: 0, out: '5', err: '' });
    cli.configure({ retrieval: { max_inject: 9 } });
    expect((await cli.run(['config', 'get', 'retrieval.max_inject'])).out).toBe('9');
    expect(await cli.json(['config', 'get', 'retrieval.max_inject'])).toEqual({
      key: 'retrieval.max_inject',
      value: 9,
      source: 'project',
    });
  });

  it.each(['nonsense', 'retrieval.nonsense', 'constructor', '__proto__', 'retrieval.max_inject.x', ''])(
    'refuses %j',
    async (key) => {
      const { exit, out, err } = await cli.run(['config', 'get', key]);
      expect({ exit, out }).toEqual({ exit: 1, out: '' });
      expect(err).toContain('There is no setting');
    },
  );
});

describe('cairn config set and unset', () => {
  it('change the project’s file and say so', async () => {
    const { exit, out } = await cli.run(['config', 'set', 'retrieval.max_inject', '7']);
    expect({ exit, out }).toEqual({ exit: 0, out: `retrieval.max_inject: (not set) -> 7  (${projectFile()})` });
    expect(JSON.parse(fs.readFileSync(projectFile(), 'utf8'))).toEqual({ retrieval: { max_inject: 7 } });
    expect((await cli.run(['config', 'unset', 'retrieval.max_inject'])).out).toContain('7 -> (not set)');
    expect((await cli.run(['config', 'get', 'retrieval.max_inject'])).out).toBe('5');
  });

  it('change the user’s file with --user', async () => {
    const change = await cli.json(['config', 'set', 'auto_commit', 'true', '--user']);
    expect(change).toMatchObject({ key: 'auto_commit', now: true, file: userFile() });
    expect(fs.existsSync(projectFile())).toBe(false);
    expect(await cli.json(['config', 'get', 'auto_commit'])).toMatchObject({ value: true, source: 'user' });
    await cli.run(['config', 'unset', 'auto_commit', '--user']);
    expect((await cli.run(['config', 'get', 'auto_commit'])).out).toBe('false');
  });

  it.each([
    ['retrieval.max_inject', 'many'],
    ['retrieval.max_inject', '99'],
    ['auto_commit', 'perhaps'],
    ['nonsense', '1'],
    ['__proto__.x', '1'],
    ['categories.decision.folder', '../x'],
  ])('refuse %s = %s and write nothing', async (key, value) => {
    const { exit, out, err } = await cli.run(['config', 'set', key, value]);
    expect({ exit, out }).toEqual({ exit: 1, out: '' });
    expect(err).toMatch(/^cairn: /);
    expect(fs.existsSync(cli.root)).toBe(false);
    const json = await cli.run(['config', 'set', key, value, '--json']);
    expect(JSON.parse(json.out).error.code).toBe('CONFIG_ERROR');
  });

  it('say when the environment wins', async () => {
    const env = { CAIRN_RETRIEVAL_MAX_INJECT: '3' };
    const { exit, err } = await cli.run(['config', 'set', 'retrieval.max_inject', '7'], { env });
    expect(exit).toBe(0);
    expect(err).toContain('the environment sets retrieval.max_inject too');
  });

  it('switch a category off: nothing can be saved in it', async () => {
    await cli.run(['config', 'set', 'categories.runbook.enabled', 'false']);
    const { exit, err } = await cli.run(['save', 'runbook', 'Disk is full\nPrune the images']);
    expect(exit).toBe(1);
    expect(err).toContain('cairn config set categories.runbook.enabled true');
  });

  it('declare a category: it can be used at once', async () => {
    await cli.run(['config', 'set', 'categories.incident', '{"fields": {"summary": "text"}, "required": ["summary"]}']);
    expect((await cli.run(['save', 'incident', 'The disk was full'])).exit).toBe(0);
    expect(cli.lines[0]).toContain('[INCIDENT] The disk was full -> .claude/memory/incident/');
    expect((await cli.run(['list', '--category', 'incident'])).out).toContain('1 record');
  });
});

describe('cairn config list and path', () => {
  it('list every setting with its value, and where it is not the default', async () => {
    cli.configure({ retrieval: { max_inject: 9 }, surprise: 1 });
    const { exit, out, err } = await cli.run(['config', 'list']);
    expect(exit).toBe(0);
    expect(out.split('\n')).toContain('retrieval.max_inject = 9  (project)');
    expect(out.split('\n')).toContain('auto_commit = false');
    expect(err).toContain('surprise means nothing to Cairn');
    const { settings } = await cli.json<{ settings: { key: string }[] }>(['config', 'list']);
    expect(settings.length).toBe(out.split('\n').length);
  });

  it('tell where things are', async () => {
    const { out } = await cli.run(['config', 'path']);
    expect(out).toContain(`project config  ${projectFile()}`);
    expect(out).toContain(`user config     ${userFile()}`);
    expect(await cli.json(['config', 'path'])).toMatchObject({ memoryRoot: cli.root, projectRoot: cli.project });
  });

  it('go on with defaults when a file is broken, and warn', async () => {
    put(projectFile(), '{ "retrieval": ');
    const { exit, out, err } = await cli.run(['config', 'get', 'retrieval.max_inject']);
    expect({ exit, out }).toEqual({ exit: 0, out: '5' });
    expect(err).toMatch(/^WARNING: .*memory-config\.json: .*not JSON/);
    const change = await cli.run(['config', 'set', 'retrieval.max_inject', '7']);
    expect(change.exit).toBe(1);
    expect(fs.readFileSync(projectFile(), 'utf8')).toBe('{ "retrieval": ');
  });
});
