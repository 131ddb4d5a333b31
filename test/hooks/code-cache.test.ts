// What a hook compiled is kept; what a run kept that had nothing to do gives way to what a run keeps that had.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { OPTIMISING_LESS } from '../../src/faces/launcher/optimise-less.ts';
import { removeBusyFolder } from '../../src/files/remove-busy-folder.ts';

const dist = path.resolve(import.meta.dirname, '../../dist');
let base: string;
beforeEach(() => {
  base = fs.mkdtempSync(path.join(os.tmpdir(), 'cairn-code-cache-'));
  fs.cpSync(path.join(dist, 'faces'), path.join(base, 'faces'), {
    recursive: true,
    filter: (file) => !file.endsWith('.cache'),
  });
  fs.mkdirSync(path.join(base, 'project/.claude/memory/decisions'), { recursive: true });
});
afterEach(() => removeBusyFolder(base));

/** A write into the memory is refused, any other passes in silence. */
function guard(file: string): string {
  const project = path.join(base, 'project');
  const payload = { session_id: 's', cwd: project, hook_event_name: 'PreToolUse', tool_name: 'Write' };
  const { stdout, status } = spawnSync(
    process.execPath,
    [path.join(base, 'faces/cli/main.js'), 'hook', 'pre-tool-use'],
    {
      input: JSON.stringify({ ...payload, tool_input: { file_path: path.join(project, file), content: '{}' } }),
      env: { ...process.env, CAIRN_HOME: path.join(base, 'home'), CLAUDE_PROJECT_DIR: '' },
      encoding: 'utf8',
    },
  );
  expect(status).toBe(0);
  return stdout;
}

const kept = (): string[] =>
  fs
    .readdirSync(path.join(base, 'faces/hooks'))
    .filter((name) => name.endsWith('.cache'))
    .map((name) => name.replace(/^(pre-tool-use)-.*?(\.part)?\.cache$/, '$1$2'));
const bytesKept = (): number =>
  fs.statSync(
    path.join(
      base,
      'faces/hooks',
      fs.readdirSync(path.join(base, 'faces/hooks')).find((name) => name.endsWith('.cache'))!,
    ),
  ).size;

it('is replaced once, by the first run that had something to say', () => {
  expect(guard('src/a.ts')).toBe('');
  expect(kept()).toEqual(['pre-tool-use.part']);
  const little = bytesKept();
  expect(guard('src/b.ts')).toBe('');
  expect(kept()).toEqual(['pre-tool-use.part']);
  expect(guard('.claude/memory/decisions/a.json')).toContain('deny');
  expect(kept()).toEqual(['pre-tool-use']);
  expect(bytesKept()).toBeGreaterThan(little);
  expect(guard('src/a.ts')).toBe('');
  expect(kept()).toEqual(['pre-tool-use']);
});

it('is made anew where it cannot be used', () => {
  guard('.claude/memory/decisions/a.json');
  const folder = path.join(base, 'faces/hooks');
  const file = path.join(folder, fs.readdirSync(folder).find((name) => name.endsWith('.cache'))!);
  const good = fs.statSync(file).size;
  fs.writeFileSync(file, 'no code', { mode: 0o600 });
  expect(guard('.claude/memory/decisions/a.json')).toContain('deny');
  expect(fs.statSync(file).size).toBeGreaterThan(good / 2);
});

it('never fails what the command has done, where the user folder cannot be entered', () => {
  fs.writeFileSync(path.join(base, 'home'), 'a file where a folder should be');
  const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(base, 'faces/cli/main.js'), 'list'], {
    cwd: path.join(base, 'project'),
    env: { ...process.env, CAIRN_HOME: path.join(base, 'home'), CLAUDE_PROJECT_DIR: '' },
    encoding: 'utf8',
  });
  expect({ status, stdout }).toEqual({ status: 0, stdout: 'No active records.\n' });
  expect(stderr).not.toMatch(/^cairn: /m);
});

it('of a worker grows when a later run has more to do than the first', () => {
  fs.symlinkSync(path.resolve(dist, '../node_modules'), path.join(base, 'node_modules')); // for the database
  const transcript = path.join(base, 'talk.jsonl');
  const payload = { session_id: 's', transcript_path: transcript, cwd: path.join(base, 'project') };
  const turn = (text: string): void => {
    const line = { type: 'user', sessionId: 's', cwd: payload.cwd, message: { role: 'user', content: text } };
    fs.appendFileSync(transcript, `${JSON.stringify(line)}\n`);
    const { stderr } = spawnSync(process.execPath, [path.join(base, 'faces/cli/main.js'), 'hook', 'index-worker'], {
      encoding: 'utf8',
      input: JSON.stringify({ ...payload, hook_event_name: 'PreCompact' }),
      env: { PATH: process.env.PATH, HOME: base, CAIRN_EMBEDDINGS_PROVIDER: 'none' },
    });
    expect(stderr).toBe('');
  };
  turn('ok');
  const little = bytesKept();
  // One run in eight looks.
  for (let number = 0; number < 150 && bytesKept() === little; number++)
    turn(
      `We decided to use queue ${number} in src/mail/queue-${number}.ts. But why did it fail? Maybe it is the cache.`,
    );
  expect(bytesKept()).toBeGreaterThan(little * 1.01);
}, 60_000);

it('is kept apart for processes that V8 is to optimise less in: it takes nothing from others', () => {
  const hook = (...flags: readonly string[]): void => {
    const argv = [...flags, path.join(base, 'faces/cli/main.js'), 'hook', 'pre-tool-use'];
    spawnSync(process.execPath, argv, { input: '{}', env: { ...process.env, CAIRN_HOME: path.join(base, 'home') } });
  };
  hook();
  hook(...OPTIMISING_LESS);
  const names = fs.readdirSync(path.join(base, 'faces/hooks')).filter((name) => name.endsWith('.cache'));
  expect(names).toHaveLength(1 + Math.min(1, OPTIMISING_LESS.length)); // one more, however many flags there are
});
