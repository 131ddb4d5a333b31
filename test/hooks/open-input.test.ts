// A client may leave a hook's input open, with nothing, a part or all of a payload in it. The hook answers what is whole and gives up
// on the rest by itself: exit 0, no signal, a line in the log. As processes, on sockets (what Node and the client make) and on pipes.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../fixtures/temporary.ts';

const BINARY = path.resolve(import.meta.dirname, '../../dist/faces/cli/main.js');
/** Not a measurement: a hook that waits for its client would wait until the test is over. */
const STUCK_MS = 30_000;

type Ended = { code: number | null; signal: string | null; out: string; err: string; log: string };
type Running = { write(data: string | Buffer): void; ended: Promise<Ended> };

function start(event: string, way: 'socket' | 'pipe'): Running & { home: string } {
  const home = temporaryFolder();
  const env = { PATH: process.env.PATH, HOME: home, CAIRN_EMBEDDINGS_PROVIDER: 'none' };
  const fifo = path.join(home, 'input');
  if (way === 'pipe') expect(spawnSync('mkfifo', [fifo]).status).toBe(0);
  // Open for both, so that it is never at its end.
  const both = way === 'pipe' ? fs.openSync(fifo, 'r+') : undefined;
  const child: ChildProcess = spawn(process.execPath, [BINARY, 'hook', event], {
    cwd: home,
    env,
    timeout: STUCK_MS,
    stdio: [both ?? 'pipe', 'pipe', 'pipe'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
    if (both !== undefined) fs.closeSync(both);
  });
  child.stdin?.on('error', () => {});
  let [out, err] = ['', ''];
  child.stdout!.on('data', (chunk: Buffer) => {
    out += chunk;
  });
  child.stderr!.on('data', (chunk: Buffer) => {
    err += chunk;
  });
  const ended = new Promise<Ended>((resolve) =>
    child.on('close', (code, signal) => {
      const file = path.join(home, '.cairn/log/hooks.log');
      const log = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
      resolve({ code, signal, out, err, log });
    }),
  );
  const write = (data: string | Buffer): void => {
    const bytes = Buffer.from(data as Buffer);
    if (both === undefined) child.stdin!.write(bytes);
    else fs.writeSync(both, bytes);
  };
  return { home, write, ended };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
/** A write that the guard refuses, so that there is something to answer. */
const payload = (home: string): string =>
  JSON.stringify({
    session_id: 's',
    cwd: home,
    hook_event_name: 'PreToolUse',
    tool_name: 'Write',
    tool_input: { file_path: path.join(home, '.claude/memory/decisions/a.json'), content: 'ü€'.repeat(40_000) },
  });

describe.each(process.platform === 'win32' ? (['socket'] as const) : (['socket', 'pipe'] as const))(
  'a hook whose input is a %s that stays open',
  { timeout: 60_000 },
  (way) => {
    it.each(['pre-tool-use', 'stop', 'session-end'])('gives up where nothing comes (%s)', async (event) => {
      const { code, signal, out, log } = await start(event, way).ended;
      expect({ code, signal, out }).toEqual({ code: 0, signal: null, out: '' });
      expect(log).toContain('stayed open and nothing came');
    });

    it('gives up on half a payload', async () => {
      const hook = start('pre-tool-use', way);
      hook.write('{"session_id": "s", "prompt": "a secret of mine');
      const { code, signal, out, log } = await hook.ended;
      expect({ code, signal, out }).toEqual({ code: 0, signal: null, out: '' });
      expect(log).toContain('stayed open and is not whole');
      expect(log).not.toContain('secret of mine');
    });

    it('answers a whole payload without waiting for the end', async () => {
      const hook = start('pre-tool-use', way);
      await feed(hook, payload(hook.home), { pieces: 1, waitMs: 0 });
      const { code, signal, out, log } = await hook.ended;
      expect({ code, signal, log }).toEqual({ code: 0, signal: null, log: '' });
      expect(JSON.parse(out).hookSpecificOutput.permissionDecision).toBe('deny');
    });

    it('answers a payload that comes in pieces with pauses', async () => {
      const hook = start('pre-tool-use', way);
      await feed(hook, payload(hook.home), { pieces: 4, waitMs: 300 });
      const { code, signal, out } = await hook.ended;
      expect({ code, signal }).toEqual({ code: 0, signal: null });
      expect(JSON.parse(out).hookSpecificOutput.permissionDecision).toBe('deny');
    });

    it('does not wait for ever on an input that trickles', async () => {
      const hook = start('pre-tool-use', way);
      hook.write('{"prompt": "');
      const timer = setInterval(() => hook.write('drop '), 400);
      onTestFinished(() => clearInterval(timer));
      const { code, signal, log } = await hook.ended;
      clearInterval(timer);
      expect({ code, signal }).toEqual({ code: 0, signal: null });
      expect(log).toContain('stayed open and is not whole');
    });
  },
);

/** A pipe takes 64 KB at a time, and a writer in this thread must let the reader have them first. */
async function feed(
  hook: Running,
  text: string,
  { pieces, waitMs }: { pieces: number; waitMs: number },
): Promise<void> {
  const bytes = Buffer.from(text);
  const size = Math.ceil(bytes.length / Math.max(pieces, Math.ceil(bytes.length / 30_000)));
  for (let at = 0; at < bytes.length; at += size) {
    hook.write(bytes.subarray(at, at + size));
    await pause(Math.max(waitMs, 150));
  }
}

describe('a hook whose input is at its end', () => {
  it.each([
    ['a file', 'file'],
    ['nothing at all', 'ignore'],
  ])('reads it: %s', async (_, kind) => {
    const home = temporaryFolder();
    const file = path.join(home, 'payload.json');
    fs.writeFileSync(file, payload(home));
    const input = kind === 'file' ? fs.openSync(file, 'r') : 'ignore';
    const { status, signal, stdout } = spawnSync(process.execPath, [BINARY, 'hook', 'pre-tool-use'], {
      cwd: home,
      env: { PATH: process.env.PATH, HOME: home },
      stdio: [input, 'pipe', 'pipe'],
      encoding: 'utf8',
    });
    if (typeof input === 'number') fs.closeSync(input);
    expect({ status, signal }).toEqual({ status: 0, signal: null });
    expect(stdout.includes('deny')).toBe(kind === 'file');
  });

  it('takes the streams where Node does not hand out what they are made of', () => {
    const home = temporaryFolder();
    const without = path.join(home, 'without.cjs');
    fs.writeFileSync(without, "process.binding = () => { throw new Error('not here'); };");
    const { status, stdout } = spawnSync(process.execPath, ['--require', without, BINARY, 'hook', 'pre-tool-use'], {
      cwd: home,
      env: { PATH: process.env.PATH, HOME: home },
      input: payload(home),
      encoding: 'utf8',
    });
    expect(status).toBe(0);
    expect(stdout).toContain('deny');
  });
});
