// A stale lock that is broken is said: on standard error by commands, with the answer on standard output untouched; in a log by hooks,
// whose streams belong to the client's protocol.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../fixtures/temporary.ts';

const BINARY = path.resolve(import.meta.dirname, '../../dist/faces/cli/main.js');

function place() {
  const home = temporaryFolder();
  const root = path.join(home, 'project/.claude/memory');
  const run = (argv: readonly string[], input = '') =>
    spawnSync(process.execPath, [BINARY, ...argv], {
      cwd: path.join(home, 'project'),
      env: { PATH: process.env.PATH, HOME: home, CAIRN_EMBEDDINGS_PROVIDER: 'none' },
      input,
      encoding: 'utf8',
    });
  fs.mkdirSync(path.join(home, 'project'));
  expect(run(['save', 'preference', 'Boats are counted by colour']).status).toBe(0);
  return { home, root, run };
}

/** Of a machine that is switched off, two minutes ago. */
function plantLock(root: string): void {
  const lock = path.join(root, '.index.lockdir');
  fs.mkdirSync(lock);
  fs.writeFileSync(
    path.join(lock, 'owner.json'),
    JSON.stringify({ token: 'x', pid: 77, host: `not-${os.hostname()}`, space: 'elsewhere' }),
  );
  const then = new Date(Date.now() - 120_000);
  fs.utimesSync(lock, then, then);
}

describe('a stale lock', () => {
  it.each([
    ['a record', ['save', 'preference', 'Herons sleep on the island', '--json']],
    ['a note', ['note', 'new', 'discovery', 'Reeds', '--json']],
    ['a setting', ['config', 'set', 'retention.max_nodes', '400', '--json']],
  ])('is broken with a warning by whoever writes %s', (_, argv) => {
    const { root, run } = place();
    plantLock(root);
    const { status, stdout, stderr } = run(argv);
    expect(status).toBe(0);
    expect(() => JSON.parse(stdout)).not.toThrow();
    expect(stderr).toMatch(
      /^WARNING: the stale lock \S+\.index\.lockdir was broken: process 77 on not-\S+ has not been heard of for 12\d s$/m,
    );
    expect(run(argv.with(-2, '401')).stderr).not.toContain('stale lock');
  });

  it('is broken by a hook without a word to the client', () => {
    const { home, root, run } = place();
    plantLock(root);
    const payload = {
      ...{ session_id: 's', cwd: path.join(home, 'project'), hook_event_name: 'PostToolUse', tool_name: 'TodoWrite' },
      ...{
        tool_use_id: 't',
        tool_input: { todos: [{ content: 'Count the boats', status: 'pending', activeForm: 'x' }] },
      },
    };
    const { status, stdout, stderr } = run(['hook', 'capture'], JSON.stringify(payload));
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(fs.readdirSync(path.join(root, 'nodes/tasks'))).toHaveLength(1);
    const log = fs.readFileSync(path.join(home, '.cairn/log/locks.log'), 'utf8').trim().split('\n');
    expect(log.map((line) => JSON.parse(line))).toMatchObject([
      { event: 'capture', text: expect.stringContaining('stale') },
    ]);
    expect(fs.existsSync(path.join(home, '.cairn/log/hooks.log'))).toBe(false);
    expect(fs.existsSync(path.join(root, '.index.lockdir.unrepaired'))).toBe(true); // a tool call waits: not for this
    expect(run(['note', 'new', 'discovery', 'Reeds']).status).toBe(0);
    expect(fs.existsSync(path.join(root, '.index.lockdir.unrepaired'))).toBe(false);
  });
});
