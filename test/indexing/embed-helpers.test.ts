// Vectors by real helper processes, as they are installed.

import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openHelpers } from '../../src/app/embed-helpers.ts';
import { loadConfig } from '../../src/config/load.ts';
import { openMinilm } from '../../src/embed/local-embedder.ts';
import { temporaryFolder } from '../fixtures/temporary.ts';

const binary = path.resolve(import.meta.dirname, '../../dist/faces/cli/main.js');
const started: ChildProcess[] = [];
function start(): ChildProcess {
  const helper = spawn(process.execPath, [binary, 'hook', 'embed-worker'], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    serialization: 'advanced',
    env: { PATH: process.env.PATH },
  });
  started.push(helper);
  return helper;
}
afterEach(() => {
  for (const helper of started.splice(0)) helper.kill('SIGKILL');
});

const texts = Array.from({ length: 40 }, (_, at) => `The ${at}th job waits for ${at % 3 ? 'a lock' : 'the queue'}.`);
const modelIn = (home: string, model = '') => ({
  settings: { ...loadConfig({ cwd: home, env: { HOME: home } }).settings.embeddings, model },
  cacheDir: path.join(home, 'cache'),
});
const isOver = (helper: ChildProcess): Promise<unknown> | undefined =>
  helper.exitCode === null && helper.signalCode === null
    ? new Promise((resolve) => helper.once('exit', resolve))
    : undefined;

describe('helpers', () => {
  it('make the very vectors that one process makes, in their order, and end when they are told to', async () => {
    const home = temporaryFolder();
    const alone = await openMinilm({ cacheDir: path.join(home, 'cache') });
    const helped = await openHelpers(start, 2, modelIn(home));
    expect([helped.model, helped.dimensions]).toEqual([alone.model, alone.dimensions]);
    expect(await helped.embed(texts)).toEqual(await alone.embed(texts));
    expect(await helped.embedTokens!(texts)).toEqual(await alone.embedTokens!(texts));
    expect(await helped.embed([])).toEqual([]);
    await alone.close();
    await helped.close();
    await Promise.all(started.map(isOver));
    expect(started.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    await expect(helped.embed(['more'])).rejects.toMatchObject({ code: 'IO_ERROR' });
  });

  it('take over from one that was killed, and fail when none is left', async () => {
    const home = temporaryFolder();
    const helped = await openHelpers(start, 2, modelIn(home));
    const vectors = await helped.embed(texts);
    const again = helped.embed(texts);
    started[0]?.kill('SIGKILL');
    expect(await again).toEqual(vectors);
    const last = helped.embed(texts);
    started[1]?.kill('SIGKILL');
    await expect(last).rejects.toMatchObject({ code: 'IO_ERROR' });
  });

  it('say why a model cannot be opened', async () => {
    const home = temporaryFolder();
    const opening = openHelpers(start, 2, modelIn(home, path.join(home, 'nowhere')));
    await expect(opening).rejects.toMatchObject({ code: 'CONFIG_ERROR', message: expect.stringContaining('nowhere') });
  });
});
