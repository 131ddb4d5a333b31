import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../../test/fixtures/temporary.ts';
import { startWorker, takePayload } from './start-worker.ts';

let folder: string;
let answer: string;
beforeEach(() => {
  folder = temporaryFolder();
  answer = path.join(folder, 'answer');
});

/** A binary that writes down what it was told, and by which way. */
function binary(): string {
  const file = path.join(folder, 'worker.cjs');
  const inEnvironment = 'process.env.CAIRN_WORKER_PAYLOAD';
  fs.writeFileSync(
    file,
    `const fs = require('node:fs');
     const text = ${inEnvironment} ?? fs.readFileSync(0, 'utf8');
     const said = { event: process.argv[3], inEnvironment: ${inEnvironment} !== undefined, payload: JSON.parse(text) };
     fs.writeFileSync(process.env.ANSWER + '.new', JSON.stringify(said));
     fs.renameSync(process.env.ANSWER + '.new', process.env.ANSWER);`,
  );
  return file;
}

async function start(payload: { [field: string]: unknown }): Promise<unknown> {
  const argv = vi.spyOn(process, 'argv', 'get').mockReturnValue([process.execPath, binary()]);
  await startWorker('some-worker', payload, { ...process.env, ANSWER: answer });
  argv.mockRestore();
  await vi.waitUntil(() => fs.existsSync(answer), { timeout: 20_000, interval: 20 });
  return JSON.parse(fs.readFileSync(answer, 'utf8'));
}

it('tells a worker by its environment what it has to do', async () => {
  const payload = { cwd: '/ä b"c', odd: '\u0000\ud800\n', flag: true, list: [1, null] };
  expect(await start(payload)).toEqual({ event: 'some-worker', inEnvironment: true, payload });
});

it('tells it by standard input where that is long', async () => {
  const payload = { files: Array.from({ length: 20_000 }, (_, at) => `folder/file-${at}.ts`) };
  expect(await start(payload)).toEqual({ event: 'some-worker', inEnvironment: false, payload });
});

it('fails if there is nothing to start', async () => {
  const execPath = process.execPath;
  process.execPath = path.join(folder, 'no-node');
  try {
    for (const length of [1, 100_000])
      await expect(startWorker('some-worker', { text: 'x'.repeat(length) }, process.env)).rejects.toThrow(/ENOENT/);
  } finally {
    process.execPath = execPath;
  }
});

it('is told once: what a worker starts itself does not inherit it', () => {
  const env: NodeJS.ProcessEnv = { CAIRN_WORKER_PAYLOAD: '{"a":1}' };
  expect(takePayload(env)?.toString()).toBe('{"a":1}');
  expect(env).toEqual({});
  expect(takePayload(env)).toBeUndefined();
});
