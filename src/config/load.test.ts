import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ConfigOptions, loadConfig } from './load.ts';
import { defaultSettings } from './settings/settings.ts';

let base: string;
let home: string;
let project: string;

beforeEach(() => {
  base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'cairn-config-')));
  home = path.join(base, 'home');
  project = path.join(base, 'project');
  fs.mkdirSync(home);
  fs.mkdirSync(path.join(project, '.git'), { recursive: true });
});

afterEach(() => fs.rmSync(base, { recursive: true, force: true }));

function load(options: ConfigOptions = {}) {
  const { env, ...rest } = options;
  return loadConfig({ cwd: project, ...rest, env: { HOME: home, ...env } });
}

function write(file: string, content: unknown): string {
  const target = path.resolve(base, file);
  fs.mkdirSync(path.dirname(target), { recursive: true });
  fs.writeFileSync(
    target,
    typeof content === 'string' || content instanceof Buffer ? content : JSON.stringify(content),
  );
  return target;
}

const PROJECT_FILE = 'project/.claude/memory/memory-config.json';
const USER_FILE = 'home/.cairn/config.json';

describe('without any configuration', () => {
  it('everything has its default, and nothing is written', () => {
    const before = listing();
    const config = load();
    expect(config.settings).toEqual(defaultSettings());
    expect(config.warnings).toEqual([]);
    expect(config.disabled).toBe(false);
    expect(config.sourceOf('retrieval.max_inject')).toBe('default');
    expect(config.paths).toEqual({
      projectRoot: project,
      memoryRoot: path.join(project, '.claude/memory'),
      userRoot: path.join(home, '.cairn'),
      userConfig: path.join(home, '.cairn/config.json'),
      projectConfig: path.join(project, '.claude/memory/memory-config.json'),
      home,
      clientRoot: path.join(home, '.claude'),
      codexRoot: path.join(home, '.codex'),
    });
    expect(listing()).toEqual(before);
  });

  it('directories that do not exist are not an error', () => {
    const nowhere = path.join(base, 'gone', 'deeper');
    expect(load({ cwd: nowhere }).paths.projectRoot).toBe(nowhere);
    expect(load({ env: { HOME: path.join(base, 'no-home') } }).warnings).toEqual([]);
  });

  it('a working directory that was deleted is not an error', () => {
    const script = `
      const fs = require('node:fs');
      const gone = fs.mkdtempSync(${JSON.stringify(path.join(base, 'gone-'))});
      process.chdir(gone); fs.rmdirSync(gone);
      import(${JSON.stringify(bundle())}).then(({ loadConfig }) => console.log(loadConfig().paths.projectRoot));`;
    const out = execFileSync(process.execPath, ['-e', script], { env: { HOME: home }, encoding: 'utf8' });
    expect(out.trim()).toBe(home);
  });
});

describe('layers', () => {
  it('are the defaults, the user, the project, the environment', () => {
    write(USER_FILE, { retrieval: { max_inject: 7 }, triage: { max_messages: 70 }, auto_commit: true });
    write(PROJECT_FILE, { retrieval: { max_inject: 8 }, triage: { max_messages: 80 } });
    const config = load({ env: { CAIRN_RETRIEVAL_MAX_INJECT: '9', CAIRN_RETRIEVAL_MATCH_STRATEGY: 'title_tags' } });
    expect(config.settings.retrieval).toEqual({ enabled: true, max_inject: 9, match_strategy: 'title_tags' });
    expect(config.settings.triage.max_messages).toBe(80);
    expect(config.settings.auto_commit).toBe(true);
    expect(
      ['retrieval.max_inject', 'triage.max_messages', 'auto_commit', 'retrieval.enabled'].map(config.sourceOf),
    ).toEqual(['env', 'project', 'user', 'default']);
  });

  it('count an empty variable as unset', () => {
    expect(load({ env: { CAIRN_RETRIEVAL_MAX_INJECT: '' } }).warnings).toEqual([]);
  });

  it('include the notes settings of an older config.json, below those of the project file', () => {
    write('project/.claude/memory/config.json', {
      version: '1.0.0',
      capture: { capture_todos: false, auto_summarize_threshold_kb: 10 },
      retrieval: { enabled: false },
    });
    write(PROJECT_FILE, { capture: { auto_summarize_threshold_kb: 20 } });
    const { settings, unknown, warnings } = load();
    expect(settings.capture.capture_todos).toBe(false);
    expect(settings.capture.auto_summarize_threshold_kb).toBe(20);
    expect(settings.retrieval.enabled).toBe(true);
    expect([unknown, warnings]).toEqual([[], []]);
  });

  it('tell where an unknown key is', () => {
    const file = write(PROJECT_FILE, { retrieval: { max_injekt: 3 } });
    expect(load().unknown).toEqual([{ file, key: 'retrieval.max_injekt' }]);
    expect(load().warnings).toEqual([]);
  });
});

describe('a file that cannot be used', () => {
  it.each([
    ['broken JSON', '{"triage": {', 'it is not JSON (line 1, column 13)'],
    ['nothing', '', 'it is not JSON'],
    ['a list', '[]', 'it holds [] where an object is expected'],
    ['null', 'null', 'it holds null where an object is expected'],
    ['a text', '"x"', 'it holds "x" where an object is expected'],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 'it is not valid UTF-8'],
    ['more than a megabyte', `{"x": "${'x'.repeat(1024 * 1024)}"}`, 'it is larger than 1048576 bytes'],
    ['nesting without end', '['.repeat(200_000), 'it is not JSON'],
  ])('because it holds %s means defaults and a warning with its name', (_what, content, why) => {
    const file = write(PROJECT_FILE, content);
    const { settings, warnings } = load();
    expect(settings).toEqual(defaultSettings());
    expect(warnings).toEqual([{ file, key: '', value: '', message: `the file is not used: ${why}` }]);
  });

  it('because it is a directory, a pipe or a device is not opened for long', () => {
    fs.mkdirSync(path.join(base, PROJECT_FILE), { recursive: true });
    expect(load().warnings[0]?.message).toContain('is not used');
    fs.rmdirSync(path.join(base, PROJECT_FILE));
    execFileSync('mkfifo', [path.join(base, PROJECT_FILE)]);
    expect(load().warnings[0]?.message).toContain('not a regular file');
    fs.rmSync(path.join(base, PROJECT_FILE));
    fs.symlinkSync('/dev/zero', path.join(base, PROJECT_FILE));
    expect(load().warnings[0]?.message).toContain('not a regular file');
  });

  it('does not have its text quoted, for it may be a link to something private', () => {
    const secret = write('home/secret', 'token: hunter2');
    fs.mkdirSync(path.dirname(path.join(base, PROJECT_FILE)), { recursive: true });
    fs.symlinkSync(secret, path.join(base, PROJECT_FILE));
    const { warnings } = load();
    expect(warnings).toHaveLength(1);
    expect(JSON.stringify(warnings)).not.toContain('hunter');
  });

  it('only in single values keeps the others', () => {
    write(
      PROJECT_FILE,
      '\ufeff{"triage": {"max_messages": NaN, "thresholds": {"decision": 1e999, "runbook": -Infinity}}, "auto_commit": true}',
    );
    const { settings, warnings } = load();
    expect(settings.triage).toEqual(defaultSettings().triage);
    expect(settings.auto_commit).toBe(true);
    expect(warnings.map(({ key, value }) => [key, value])).toEqual([
      ['triage.max_messages', 'NaN'],
      ['triage.thresholds.decision', 'Infinity'],
      ['triage.thresholds.runbook', '-Infinity'],
    ]);
  });

  it('never stops loading, whatever JSON it holds', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (mine, theirs) => {
        write(USER_FILE, JSON.stringify(mine));
        write(PROJECT_FILE, JSON.stringify(theirs));
        const { settings, paths } = load();
        expect(settings.retrieval.max_inject).toBeLessThanOrEqual(20);
        expect(paths.memoryRoot).toBe(path.join(project, '.claude/memory'));
      }),
      { numRuns: 60 },
    );
  });
});

describe('the project root', () => {
  it('is CLAUDE_PROJECT_DIR if that is an absolute path of a directory', () => {
    const other = path.join(base, 'other');
    fs.mkdirSync(other);
    expect(load({ env: { CLAUDE_PROJECT_DIR: other } }).paths.projectRoot).toBe(other);
    for (const wrong of ['relative', path.join(base, 'missing'), write('file', ''), 'a\0b', ''])
      expect(load({ env: { CLAUDE_PROJECT_DIR: wrong } }).paths.projectRoot).toBe(project);
  });

  it('is the nearest directory above with .git, which is a file in a worktree', () => {
    const deep = path.join(project, 'src', 'deep');
    fs.mkdirSync(deep, { recursive: true });
    expect(load({ cwd: deep }).paths.projectRoot).toBe(project);
    write('project/src/.git', 'gitdir: elsewhere');
    expect(load({ cwd: deep }).paths.projectRoot).toBe(path.join(project, 'src'));
  });

  it('is a directory with a memory before a repository further up', () => {
    const part = path.join(project, 'packages', 'part');
    fs.mkdirSync(path.join(part, '.claude', 'memory'), { recursive: true });
    fs.mkdirSync(path.join(part, 'src'));
    expect(load({ cwd: part }).paths.projectRoot).toBe(part);
    expect(load({ cwd: path.join(part, 'src') }).paths.projectRoot).toBe(part);
    expect(load({ cwd: path.join(part, '.claude') }).paths.projectRoot).toBe(part);
  });

  it('is the working directory if there is nothing above', () => {
    const lonely = path.join(base, 'lonely', 'sub');
    fs.mkdirSync(lonely, { recursive: true });
    expect(load({ cwd: lonely }).paths.projectRoot).toBe(lonely);
  });

  it('is the home directory only for work in it', () => {
    const below = path.join(home, 'scratch');
    fs.mkdirSync(below);
    fs.mkdirSync(path.join(home, '.claude', 'memory'), { recursive: true });
    expect(load({ cwd: home }).paths.projectRoot).toBe(home);
    expect(load({ cwd: below }).paths.projectRoot).toBe(below);
  });

  it('is not what somebody left in a directory that everybody may write to', () => {
    const shared = path.join(base, 'tmp');
    fs.mkdirSync(path.join(shared, '.claude', 'memory'), { recursive: true });
    fs.mkdirSync(path.join(shared, 'work'));
    fs.chmodSync(shared, 0o1777);
    expect(load({ cwd: path.join(shared, 'work') }).paths.projectRoot).toBe(path.join(shared, 'work'));
  });

  it('can be given', () => {
    expect(load({ projectRoot: '../elsewhere' }).paths.projectRoot).toBe(path.join(base, 'elsewhere'));
  });
});

describe('the memory root', () => {
  const at = (options: ConfigOptions = {}) => load(options).paths.memoryRoot;

  it('is what --root says before everything else, relative to the working directory', () => {
    write(PROJECT_FILE, { memory_root: 'docs/memory' });
    const cwd = path.join(project, '.claude');
    expect(at({ cwd, memoryRoot: 'memory', env: { CAIRN_MEMORY_ROOT: '/x' } })).toBe(
      path.join(project, '.claude/memory'),
    );
    expect(load({ memoryRoot: '.claude/memory' }).warnings).toEqual([]);
  });

  it('names the project too when --root ends in .claude/memory', () => {
    const other = path.join(base, 'other');
    const { paths } = load({ memoryRoot: path.join(other, '.claude/memory'), env: { CLAUDE_PROJECT_DIR: project } });
    expect(paths.projectRoot).toBe(other);
    expect(load({ memoryRoot: path.join(other, 'store') }).paths.projectRoot).toBe(project);
  });

  it('is CAIRN_MEMORY_ROOT before the project file before the user file', () => {
    expect(at()).toBe(path.join(project, '.claude/memory'));
    write(USER_FILE, { memory_root: '~/memories' });
    expect(at()).toBe(path.join(home, 'memories'));
    write(PROJECT_FILE, { memory_root: 'docs/memory' });
    expect(at()).toBe(path.join(project, 'docs/memory'));
    expect(at({ env: { CAIRN_MEMORY_ROOT: 'env-memory' } })).toBe(path.join(project, 'env-memory'));
  });

  it('stays at the usual place if the project file names that', () => {
    write(USER_FILE, { memory_root: '~/memories' });
    write(PROJECT_FILE, { memory_root: '.claude/memory', auto_commit: true });
    const { paths, settings, sourceOf } = load();
    expect(paths.memoryRoot).toBe(path.join(project, '.claude/memory'));
    expect(settings.auto_commit).toBe(true);
    expect(sourceOf('memory_root')).toBe('project');
  });

  it('has its settings in the new place when it was moved; the old file is a pointer', () => {
    const pointer = write(PROJECT_FILE, { memory_root: 'docs/memory', auto_commit: true });
    write('project/docs/memory/memory-config.json', { retrieval: { max_inject: 3 }, memory_root: '../away' });
    const { paths, settings, warnings } = load();
    expect(paths.projectConfig).toBe(path.join(project, 'docs/memory/memory-config.json'));
    expect(settings.retrieval.max_inject).toBe(3);
    expect(settings.auto_commit).toBe(false);
    expect(settings.memory_root).toBe('docs/memory');
    expect(warnings.map(({ file, key }) => [file, key])).toEqual([
      [pointer, 'auto_commit'],
      [paths.projectConfig, 'memory_root'],
    ]);
  });

  it.each(['/etc', '../other', '~/stolen', '.', '..', '.git/x', '.claude/../..'])(
    'is not moved to %s by a project file',
    (wanted) => {
      const file = write(PROJECT_FILE, { memory_root: wanted, retrieval: { max_inject: 3 } });
      const { paths, settings, warnings, sourceOf } = load();
      expect(paths.memoryRoot).toBe(path.join(project, '.claude/memory'));
      expect(settings.memory_root).toBe('.claude/memory');
      expect(sourceOf('memory_root')).toBe('default');
      expect(settings.retrieval.max_inject).toBe(3);
      expect(warnings.map(({ file, key, value }) => [file, key, value])).toEqual([
        [file, 'memory_root', JSON.stringify(wanted)],
      ]);
    },
  );

  it('is not moved out by a project file through a link, not even one that leads nowhere yet', () => {
    fs.symlinkSync(path.join(base, 'outside'), path.join(project, 'link'));
    write(PROJECT_FILE, { memory_root: 'link/memory' });
    expect(at()).toBe(path.join(project, '.claude/memory'));
    fs.mkdirSync(path.join(base, 'outside'));
    expect(at()).toBe(path.join(project, '.claude/memory'));
    fs.symlinkSync('loop', path.join(project, 'loop'));
    write(PROJECT_FILE, { memory_root: 'loop/memory' });
    expect(at()).toBe(path.join(project, '.claude/memory'));
  });

  it('may be where the user allows it', () => {
    write(PROJECT_FILE, { memory_root: '../shared/team' });
    write(USER_FILE, { allowed_roots: ['relative', path.join(base, 'shared')] });
    expect(at()).toBe(path.join(base, 'shared/team'));
    write(PROJECT_FILE, { memory_root: '~/mem/x', allowed_roots: ['~/mem'] });
    expect(at()).toBe(path.join(project, '.claude/memory'));
    expect(at({ env: { CAIRN_ALLOWED_ROOTS: '~/mem' } })).toBe(path.join(home, 'mem/x'));
  });

  it('cannot be something that is no path', () => {
    write(PROJECT_FILE, { memory_root: 42 });
    expect(load().warnings[0]).toMatchObject({ key: 'memory_root', value: '42' });
    expect(at()).toBe(path.join(project, '.claude/memory'));
  });

  it('may be the user root, whose config.json is then not taken for one of the older layout', () => {
    write(USER_FILE, { memory_root: '~/.cairn', capture: { capture_todos: 'x' } });
    expect(load().warnings).toHaveLength(1);
  });
});

describe('the environment', () => {
  it('moves the user root with CAIRN_HOME, which must be absolute', () => {
    expect(load({ env: { CAIRN_HOME: '/srv/cairn/' } }).paths.userRoot).toMatch(/^\/srv\/cairn\/?$/);
    expect(load({ env: { CAIRN_HOME: '~/c' } }).paths.userConfig).toBe(path.join(home, 'c/config.json'));
    const { paths, warnings } = load({ env: { CAIRN_HOME: 'c' } });
    expect(paths.userRoot).toBe(path.join(home, '.cairn'));
    expect(warnings[0]).toMatchObject({ file: 'the environment', key: 'CAIRN_HOME', value: '"c"' });
  });

  it.each([
    [{ CAIRN_DISABLE: '1' }, true],
    [{ CAIRN_DISABLE: 'true' }, true],
    [{ CAIRN_DISABLE: '0' }, false],
    [{ CAIRN_DISABLE: '' }, false],
    [{ CAIRN_DISABLE: 'off' }, false],
    [{ CAIRN_CHILD: '1' }, true],
    [{}, false],
  ])('%j disables hooks: %s', (env, disabled) => {
    expect(load({ env }).disabled).toBe(disabled);
  });
});

it('loads without the code that writes', () => {
  const file = bundle();
  for (const name of fs.readdirSync(path.dirname(file)))
    if (name.startsWith('edit')) fs.rmSync(path.join(path.dirname(file), name));
  const script = `import(${JSON.stringify(file)}).then(({ loadConfig }) => console.log(loadConfig().warnings.length))`;
  const out = execFileSync(process.execPath, ['-e', script], { env: { HOME: home }, cwd: project, encoding: 'utf8' });
  expect(out.trim()).toBe('0');
});

/** This Node cannot run TypeScript, and some questions need a process of their own. */
function bundle(): string {
  const out = path.join(base, 'bundle');
  const esbuild = path.resolve('node_modules/.bin/esbuild');
  const options = ['--bundle', '--splitting', '--format=esm', '--platform=node', '--out-extension:.js=.mjs'];
  execFileSync(esbuild, [path.resolve('src/config/load.ts'), `--outdir=${out}`, '--log-level=error', ...options]);
  return path.join(out, 'load.mjs');
}

function listing(): string[] {
  return fs.readdirSync(base, { recursive: true }).map(String).sort();
}
