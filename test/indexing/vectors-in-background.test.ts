// `cairn backfill` as it is installed: words at once, vectors by a worker in the background that may be killed at any time.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { put, temporaryFolder } from '../fixtures/temporary.ts';
import { conversation } from '../traces/conversation.ts';

const binary = path.resolve(import.meta.dirname, '../../dist/faces/cli/main.js');

type Stats = { making?: { left: number; total: number }; store: { vectors: { count: number }[] } };

it('finds by words at once, goes on in the background, and after a kill with the next backfill', async () => {
  const base = temporaryFolder();
  const userRoot = path.join(base, '.cairn');
  for (let number = 0; number < 3; number++) {
    const { session, lines } = conversation(number, 110, base);
    put(path.join(base, 'talk', `${session}.jsonl`), `${lines.join('\n')}\n`);
  }
  const cairn = (...words: string[]): string => {
    const env = { PATH: process.env.PATH, HOME: base, CAIRN_HOME: userRoot };
    const { status, stdout } = spawnSync(process.execPath, [binary, ...words], {
      ...{ cwd: base, env, encoding: 'utf8' },
    });
    expect(status).toBe(0);
    return stdout;
  };
  const stats = (): Stats => JSON.parse(cairn('stats', '--json')) as Stats;
  const vectors = (): number => stats().store.vectors[0]?.count ?? 0;

  const said = cairn('backfill', 'talk', '--no-wait');
  expect(said).toContain('all to be found by words now\n');
  expect(said).toMatch(/\d{3} vectors are made in the background/);
  expect(cairn('remember', 'missing retry')).toContain('retry');

  const owner = path.join(userRoot, 'locks', 'vectors.lock', 'owner.json');
  const until = async (what: () => boolean): Promise<void> => {
    while (!what()) await new Promise((resolve) => setTimeout(resolve, 50));
  };
  await until(() => fs.existsSync(owner));
  const { pid } = JSON.parse(fs.readFileSync(owner, 'utf8')) as { pid: number };
  await until(() => vectors() > 0);
  expect(stats().making).toMatchObject({ total: expect.any(Number) });
  process.kill(pid, 'SIGKILL');

  // Elsewhere than on a terminal it stays until all is done.
  const [, made] = /(\d+) vectors? made in/.exec(cairn('backfill', 'talk')) ?? [];
  expect(Number(made)).toBeGreaterThan(0);
  expect(stats().making).toBeUndefined();
  expect(cairn('backfill', 'talk')).toContain('0 vectors made');
}, 120_000);
