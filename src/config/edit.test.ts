import { execFile, execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CairnError } from '../errors.ts';
import { nearestSetting, setConfig, unsetConfig } from './edit.ts';
import { loadConfig } from './load.ts';

let base: string;
let home: string;
let project: string;
let projectFile: string;
let userFile: string;

beforeEach(() => {
  base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'cairn-config-edit-')));
  home = path.join(base, 'home');
  project = path.join(base, 'project');
  projectFile = path.join(project, '.claude/memory/memory-config.json');
  userFile = path.join(home, '.cairn/config.json');
  fs.mkdirSync(home);
  fs.mkdirSync(path.join(project, '.git'), { recursive: true });
});

afterEach(() => fs.rmSync(base, { recursive: true, force: true }));

const load = () => loadConfig({ cwd: project, env: { HOME: home } });
const set = (key: string, value: string, scope: 'project' | 'user' = 'project') =>
  setConfig(load(), key, value, { scope });
const unset = (key: string, scope: 'project' | 'user' = 'project') => unsetConfig(load(), key, { scope });
const text = (file: string) => fs.readFileSync(file, 'utf8');

function write(file: string, content: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, content);
}

async function refusal(work: Promise<unknown>): Promise<CairnError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(CairnError);
  return error as CairnError;
}

describe('setting a value', () => {
  it('makes the file, and says what was and is there', async () => {
    expect(await set('retrieval.max_inject', '7')).toEqual({ file: projectFile, old: undefined, now: 7 });
    expect(text(projectFile)).toBe('{\n  "retrieval": {\n    "max_inject": 7\n  }\n}\n');
    expect(await set('retrieval.max_inject', '8')).toEqual({ file: projectFile, old: 7, now: 8 });
    expect(load().settings.retrieval.max_inject).toBe(8);
    expect(fs.readdirSync(path.dirname(projectFile))).toEqual(['memory-config.json']);
  });

  it('leaves everything else in the file as it is', async () => {
    const before =
      '{\n\t"mine": {"deep": [1e999]},\n\t"retrieval" : {"max_inject":3, "later": null},\n\t"z": 12345678901234567890\n}';
    write(projectFile, before);
    await set('retrieval.max_inject', '4');
    expect(text(projectFile)).toBe(before.replace(':3', ':4'));
  });

  it('leaves a byte order mark and the line ends as they are', async () => {
    const before = '\uFEFF{\r\n\t"big": 12345678901234567890,\r\n\t"retrieval": {"u": "\\u00e9"}\r\n}\r\n';
    write(projectFile, before);
    await set('retrieval.max_inject', '7');
    expect(text(projectFile)).toBe(before.replace('"}', '", "max_inject": 7}'));
    await unset('retrieval.max_inject');
    expect(text(projectFile)).toBe(before);
  });

  it('changes the spelling of a category that is there', async () => {
    write(projectFile, '{"triage": {"thresholds": {"decision": 0.9, "DECISION": 0.8}}}');
    expect(await set('triage.thresholds.Decision', '0.2')).toMatchObject({ old: 0.8, now: 0.2 });
    expect(text(projectFile)).toBe('{"triage": {"thresholds": {"decision": 0.9, "DECISION": 0.2}}}');
    expect(load().settings.triage.thresholds.decision).toBe(0.2);
  });

  it('does not take a key of another case for the setting', async () => {
    write(projectFile, '{"retrieval": {"Enabled": "mine"}}');
    await set('retrieval.enabled', 'false');
    expect(JSON.parse(text(projectFile))).toEqual({ retrieval: { Enabled: 'mine', enabled: false } });
  });

  it('keeps the file of the user private, and writes through its link', async () => {
    await set('auto_commit', 'yes', 'user');
    expect(fs.statSync(userFile).mode & 0o777).toBe(0o600);
    expect(fs.statSync(path.dirname(userFile)).mode & 0o777).toBe(0o700);
    const dotfile = path.join(home, 'dotfiles', 'cairn.json');
    write(dotfile, '{}');
    fs.rmSync(userFile);
    fs.symlinkSync(dotfile, userFile);
    await set('auto_commit', 'no', 'user');
    expect(fs.lstatSync(userFile).isSymbolicLink()).toBe(true);
    expect(JSON.parse(text(dotfile))).toEqual({ auto_commit: false });
  });

  it('does not write through a link that leads out of the memory root', async () => {
    const outside = path.join(base, 'outside.json');
    write(outside, '{}');
    fs.mkdirSync(path.dirname(projectFile), { recursive: true });
    fs.symlinkSync(outside, projectFile);
    expect((await refusal(set('auto_commit', 'yes'))).code).toBe('PATH_ERROR');
    expect(text(outside)).toBe('{}');
  });

  it.each([
    ['retrieval.max_inject', '100', 'a whole number from 0 to 20'],
    ['retrieval.max_inject', '7.9', 'a whole number from 0 to 20'],
    ['triage.thresholds.decision', 'NaN', 'a number from 0 to 1'],
    ['retrieval.match_strategy', 'magic', 'one of title_tags, hybrid'],
    ['triage.enabled', 'perhaps', 'true or false'],
    ['categories.decision.folder', '../up', 'a folder name'],
  ])('refuses %s = %s and says what it takes', async (key, value, takes) => {
    const error = await refusal(set(key, value));
    expect(error.code).toBe('CONFIG_ERROR');
    expect(error.fix).toContain(takes);
    expect(fs.existsSync(projectFile)).toBe(false);
  });

  it.each([
    ['retrieval.max_injekt', 'Did you mean retrieval.max_inject?'],
    ['max_inject', 'Did you mean retrieval.max_inject?'],
    ['grace_period_days', 'Did you mean delete.grace_period_days?'],
    ['categories.decison.enabled', 'Did you mean categories.decision.enabled?'],
    ['categories.decision.folders', 'Did you mean categories.decision.folder?'],
    ['poem', 'cairn config list'],
    ['__proto__.x', 'cairn config list'],
    ['', 'cairn config list'],
  ])('does not know %j, and helps: %s', async (key, help) => {
    expect((await refusal(set(key, 'true'))).fix).toContain(help);
    expect(fs.existsSync(projectFile)).toBe(false);
  });

  it('refuses a folder that another category has', async () => {
    expect((await refusal(set('categories.decision.folder', 'runbooks'))).message).toContain('runbook');
  });

  it('refuses what only the user may set', async () => {
    expect((await refusal(set('allowed_roots', '/x'))).fix).toContain('--user');
    await set('allowed_roots', '/x, ~/y', 'user');
    expect(load().settings.allowed_roots).toEqual(['/x', '~/y']);
  });

  it.each(['{"a": ', '[]', '{"retrieval": "off"}', '{"a": NaN}'])(
    'does not touch a file that holds %s',
    async (bad) => {
      write(projectFile, bad);
      expect((await refusal(set('retrieval.max_inject', '7'))).code).toBe('CONFIG_ERROR');
      expect(text(projectFile)).toBe(bad);
    },
  );

  it('loses nothing when several processes set values at once', async () => {
    const options = [
      '--bundle',
      '--splitting',
      '--format=esm',
      '--platform=node',
      '--main-fields=module,main',
      '--out-extension:.js=.mjs',
    ];
    const out = path.join(base, 'bundle');
    execFileSync('node_modules/.bin/esbuild', [
      'src/config/load.ts',
      'src/config/edit.ts',
      `--outdir=${out}`,
      '--log-level=error',
      ...options,
    ]);
    // Nobody else sets the key of a process, so each change must start from what the change before it left.
    const script = `
      const [folder, cwd, key] = process.argv.slice(1);
      const { loadConfig } = await import(folder + '/load.mjs');
      const { setConfig } = await import(folder + '/edit.mjs');
      for (let n = 1; n <= 15; n++) {
        const { old } = await setConfig(loadConfig({ cwd }), key, String(n), { scope: 'project' });
        if (n > 1 && old !== n - 1) throw new Error(key + ' was ' + old + ', not ' + (n - 1));
      }`;
    const keys = [
      'retrieval.max_inject',
      'graph.cache_ttl_seconds',
      'retention.max_nodes',
      'max_memories_per_category',
    ];
    const run = promisify(execFile);
    await Promise.all(
      keys.map((key) =>
        run(process.execPath, ['--input-type=module', '-e', script, out, project, key], {
          env: { HOME: home },
        }),
      ),
    );
    expect(JSON.parse(text(projectFile))).toEqual({
      retrieval: { max_inject: 15 },
      graph: { cache_ttl_seconds: 15 },
      retention: { max_nodes: 15 },
      max_memories_per_category: 15,
    });
  });
});

describe('a category of your own', () => {
  it('is declared with an object, or with its first setting', async () => {
    await set('categories.glossary', '{"description": "words", "fields": {"term": "text"}, "required": ["term"]}');
    await set('categories.api_note.folder', 'api');
    const { categories } = load().settings;
    expect(categories.glossary).toMatchObject({ folder: 'glossary', fields: { term: 'text' }, required: ['term'] });
    expect(categories.api_note).toMatchObject({ folder: 'api', enabled: true });
    await set('categories.glossary.required', '');
    expect(load().settings.categories.glossary?.required).toEqual([]);
  });

  it.each([
    ['categories.glossary', 'true'],
    ['categories.glossary', '{"colour": "red"}'],
    ['categories.glossary', '{"folder": "sessions"}'],
    ['categories.glossary', '{"fields": {"term": "number"}}'],
    ['categories.glossary', '{"fields": {"term": "text"}, "required": ["meaning"]}'],
    ['categories.glossary.required', 'meaning'],
    ['categories.nodes', '{}'],
    ['categories.decision', '{"enabled": false}'],
    ['categories.Has Space.enabled', 'true'],
  ])('is refused as %s = %s', async (key, value) => {
    expect((await refusal(set(key, value))).code).toBe('CONFIG_ERROR');
    expect(fs.existsSync(projectFile)).toBe(false);
  });

  it('may be called almost like one of the six, if that is said on purpose', async () => {
    await set('categories.precision', '{}');
    await set('categories.precision.enabled', 'no');
    expect(load().settings.categories.precision?.enabled).toBe(false);
  });
});

describe('removing a value', () => {
  it('brings back what lies below', async () => {
    await set('retrieval.max_inject', '3', 'user');
    await set('retrieval.max_inject', '7');
    expect(await unset('retrieval.max_inject')).toEqual({ file: projectFile, old: 7, now: undefined });
    expect(load().settings.retrieval.max_inject).toBe(3);
  });

  it('works for whole sections and for keys that nobody knows', async () => {
    write(projectFile, '{"retrieval": "off", "poem": 1, "auto_commit": true}');
    await unset('retrieval');
    await unset('poem');
    expect(text(projectFile)).toBe('{"auto_commit": true}');
  });

  it('does nothing where there is nothing', async () => {
    expect(await unset('retrieval.max_inject')).toEqual({ file: projectFile, old: undefined, now: undefined });
    expect(fs.existsSync(path.dirname(projectFile))).toBe(false);
  });
});

describe('moving the memory root', () => {
  it('leaves a pointer at the usual place and takes the settings along', async () => {
    write(projectFile, '{\n  "auto_commit": true,\n  "mine": 1\n}\n');
    await set('memory_root', 'docs/memory');
    expect(JSON.parse(text(projectFile))).toEqual({ memory_root: 'docs/memory' });
    const { paths, settings, warnings } = load();
    expect(paths.memoryRoot).toBe(path.join(project, 'docs/memory'));
    expect(settings.auto_commit).toBe(true);
    expect(text(paths.projectConfig)).toBe('{\n  "auto_commit": true,\n  "mine": 1\n}\n');
    expect(warnings).toEqual([]);
    await set('retrieval.max_inject', '2');
    expect(JSON.parse(text(paths.projectConfig)).retrieval).toEqual({ max_inject: 2 });
  });

  it('can be taken back', async () => {
    await set('memory_root', 'docs/memory');
    await unset('memory_root');
    expect(load().paths.memoryRoot).toBe(path.join(project, '.claude/memory'));
    await set('memory_root', 'docs/memory');
    await set('memory_root', '.claude/memory');
    expect(load().paths.memoryRoot).toBe(path.join(project, '.claude/memory'));
  });

  it('out of the project enters it in the list of what this user allows', async () => {
    await set('memory_root', '~/memories/project');
    expect(load().paths.memoryRoot).toBe(path.join(home, 'memories/project'));
    expect(JSON.parse(text(userFile))).toEqual({ allowed_roots: [path.join(home, 'memories/project')] });
    await set('memory_root', '~/memories/project');
    expect(load().settings.allowed_roots).toHaveLength(1);
    expect(load().warnings).toEqual([]);
  });

  it.each(['.', '.git/memory', ''])('refuses %j', async (root) => {
    expect((await refusal(set('memory_root', root))).code).toBe('CONFIG_ERROR');
  });

  it('for the user is only written down', async () => {
    await set('memory_root', '~/all', 'user');
    expect(JSON.parse(text(userFile))).toEqual({ memory_root: '~/all' });
    expect(load().paths.memoryRoot).toBe(path.join(home, 'all'));
  });
});

it('suggests the setting that was meant, and nothing for nonsense', () => {
  expect(nearestSetting(load(), 'triage.max_mesages')).toBe('triage.max_messages');
  expect(nearestSetting(load(), 'zzz.zzz')).toBeUndefined();
});
