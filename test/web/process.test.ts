// `cairn ui` as a process: it tells its address, serves the page that lies beside it, reports what other processes change, and ends
// with a signal, leaving nothing behind.

import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type ChangeEvent, TOKEN_HEADER } from '../../src/viewer-api/protocol.ts';
import { type Bundle, bundle } from '../fixtures/bundle.ts';
import { Cli } from '../fixtures/cli.ts';
import { put } from '../fixtures/temporary.ts';
import { envOf, inject } from './served.ts';

let program: Bundle;
beforeAll(async () => {
  program = await bundle('src/faces/launcher/main.ts');
  // A package of its own, so that it finds this page and no other.
  put(path.join(program.folder, 'plugin/.claude-plugin/plugin.json'), { name: 'cairn' });
  put(path.join(program.folder, 'dist/viewer/index.html'), '<!doctype html><title>Cairn</title>');
  put(path.join(program.folder, 'dist/viewer/assets/index-1.js'), 'export {};');
});
afterAll(() => program.remove());

type Running = {
  child: ChildProcess;
  address: URL;
  token: string;
  said: { out: string; err: string };
  ended: Promise<number | NodeJS.Signals | null>;
};

const noting = (cli: Cli): string => `printf '%s\\n' "$@" > '${path.join(cli.base, 'opened')}'`;

/** Started with an opener of the browser that only notes what it is asked to open. */
async function start(cli: Cli, argv: readonly string[] = ['--no-open'], opener = noting(cli)): Promise<Running> {
  const bin = path.join(cli.base, 'bin');
  put(path.join(bin, 'xdg-open'), `#!/bin/sh\n${opener}\n`);
  fs.chmodSync(path.join(bin, 'xdg-open'), 0o755);
  const child = spawn(process.execPath, [program.file, 'ui', '--json', ...argv], {
    cwd: cli.project,
    env: { ...envOf(cli), PATH: `${bin}${path.delimiter}${process.env.PATH ?? ''}` },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const said = { out: '', err: '' };
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) =>
    child.on('close', (code, signal) => resolve(code ?? signal)),
  );
  child.stderr!.on('data', (chunk) => (said.err += String(chunk)));
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout!.on('data', (chunk) => {
      said.out += String(chunk);
      if (said.out.includes('\n')) resolve(said.out.split('\n')[0]!);
    });
    void ended.then((code) => reject(new Error(`it ended with ${code}: ${said.err}`)));
  });
  const { address, error } = JSON.parse(line) as { address: string; error?: { message: string; fix: string } };
  if (error) throw new Error(`it ended with ${await ended}: ${error.message} ${error.fix}`);
  return { child, address: new URL(address), token: address.split('#token=')[1]!, said, ended };
}

/** The events of the stream, as they come. */
function listen({ address, token }: Running): {
  events: ChangeEvent[];
  until(test: (event: ChangeEvent) => boolean): Promise<void>;
} {
  const events: ChangeEvent[] = [];
  const waiting = new Set<() => void>();
  const request = http.get(new URL('/api/changes', address), { headers: { [TOKEN_HEADER]: token } }, (response) => {
    let rest = '';
    response.setEncoding('utf8').on('data', (chunk: string) => {
      const parts = (rest + chunk).split('\n\n');
      rest = parts.pop()!;
      for (const part of parts) {
        const data = /^data: (.*)$/m.exec(part)?.[1];
        if (data !== undefined) events.push(JSON.parse(data) as ChangeEvent);
      }
      for (const look of waiting) look();
    });
    response.on('error', () => undefined);
  });
  request.on('error', () => undefined);
  onTestFinished(() => void request.destroy());
  const until = (test: (event: ChangeEvent) => boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!events.some(test)) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });
  return { events, until };
}

const save = (cli: Cli, title: string): Promise<number | null> =>
  new Promise((resolve) => {
    spawn(process.execPath, [program.file, 'save', 'decision', title], {
      cwd: cli.project,
      env: envOf(cli),
      stdio: 'ignore',
    }).on('close', resolve);
  });

const get = (running: Running, at: string): Promise<Response> =>
  fetch(new URL(at, running.address), { headers: { [TOKEN_HEADER]: running.token } });

describe('cairn ui', () => {
  it('prints one line, serves the page beside it, and listens on the loopback address', async () => {
    const running = await start(new Cli());
    expect(running.address.hostname).toBe('127.0.0.1');
    expect(running.token).toMatch(/^[\w-]{43}$/);
    expect(await (await fetch(running.address)).text()).toContain('<title>Cairn</title>');
    expect((await fetch(new URL('/assets/index-1.js', running.address))).headers.get('content-type')).toContain(
      'javascript',
    );
    expect((await get(running, '/api/overview')).status).toBe(200);
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('ends with %s, open pages and all', async (signal) => {
    const cli = new Cli();
    const running = await start(cli);
    const { until } = listen(running);
    await until(({ what }) => what.length === 0);
    running.child.kill(signal);
    expect(await running.ended).toBe(0);
    expect(running.said.err).toBe('');
    await expect(fetch(running.address)).rejects.toThrow();
    const left = fs.readdirSync(path.join(cli.home, '.cairn')).filter((name) => /lock|\.tmp|-wal$|-shm$/.test(name));
    expect(left).toEqual([]);
  });

  it.skipIf(process.platform !== 'linux')('gives the browser an address that is good once', async () => {
    const cli = new Cli();
    const running = await start(cli, []);
    const file = path.join(cli.base, 'opened');
    while (!fs.existsSync(file) || !fs.readFileSync(file, 'utf8').endsWith('\n'))
      await new Promise((resolve) => setTimeout(resolve, 20));
    const opened = new URL(fs.readFileSync(file, 'utf8').trim());
    expect(opened.host).toBe(running.address.host);
    expect(opened.href).not.toContain(running.token);
    const enter = (): Promise<Response> =>
      fetch(new URL('/api/enter', running.address), {
        method: 'POST',
        headers: { origin: running.address.origin, 'content-type': 'application/json' },
        body: JSON.stringify({ code: opened.hash.replace('#code=', '') }),
      });
    expect(await (await enter()).json()).toEqual({ token: running.token });
    expect((await enter()).status).toBe(403);
  });

  it.skipIf(process.platform !== 'linux')('ends though the browser goes on, and leaves it alone', async () => {
    const cli = new Cli();
    const mark = path.join(cli.base, 'browser');
    const running = await start(cli, [], `echo $$ > '${mark}'; exec sleep 60`);
    while (!fs.existsSync(mark) || !fs.readFileSync(mark, 'utf8').endsWith('\n'))
      await new Promise((resolve) => setTimeout(resolve, 20));
    const browser = Number(fs.readFileSync(mark, 'utf8'));
    running.child.kill('SIGINT');
    expect(await running.ended).toBe(0);
    expect(process.kill(browser, 0)).toBe(true);
    process.kill(browser, 'SIGKILL');
  });

  it('says so where the browser cannot be opened, and goes on', async () => {
    const cli = new Cli();
    put(path.join(cli.base, 'empty/nothing'), '');
    const child = spawn(process.execPath, [program.file, 'ui'], {
      cwd: cli.project,
      env: { ...envOf(cli), PATH: path.join(cli.base, 'empty') },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const said = await new Promise<string>((resolve) => child.stderr.once('data', (chunk) => resolve(String(chunk))));
    expect(said).toContain('use the address above');
    child.kill('SIGINT');
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0);
  });

  it('refuses a port that is taken, or none, with what to do', async () => {
    const running = await start(new Cli());
    const cli = new Cli();
    await expect(start(cli, ['--no-open', '--port', running.address.port])).rejects.toThrow(/ended with 1: .*--port/);
    await expect(start(cli, ['--no-open', '--port', '70000'])).rejects.toThrow('ended with 2');
  });
});

describe('the stream of changes', () => {
  it('reports what another process writes: a memory, and what was injected', async () => {
    const cli = new Cli();
    expect(await save(cli, 'Use SQLite for the queue')).toBe(0);
    const running = await start(cli);
    await get(running, '/api/overview'); // what is there is indexed
    const { events, until } = listen(running);
    await until(({ what }) => what.length === 0);
    expect(await save(cli, 'Keep the words of the user as they are')).toBe(0);
    await until(({ what }) => what.includes('memory'));
    const { hits } = (await (await get(running, '/api/search?q=words+of+the+user')).json()) as {
      hits: { ref: string }[];
    };
    expect(hits.map(({ ref }) => ref)).toContain('record:decisions/keep-the-words-of-the-user-as-they-are');
    inject(cli, 'What about the words?');
    await until(({ what }) => what.includes('injections'));
    expect(events.every(({ at }) => at > 0)).toBe(true);
  });
});
