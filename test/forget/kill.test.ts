// Forgetting is killed at random moments. Either nothing had begun, or the next run finishes it, and no byte is left; a backfill in between
// brings nothing back.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Bundle, bundle } from '../fixtures/bundle.ts';
import { Cli } from '../fixtures/cli.ts';
import { seededRandom } from '../fixtures/seed.ts';
import { newMemoryFolder } from '../fixtures/temporary.ts';
import { fillEverything, GONE, NO_VECTORS, PLANTED, stringsOf } from './everything.ts';

const random = seededRandom();

const KILLS = 24;
let program: Bundle;
let kept: string;
let cli: Cli;
beforeAll(async () => {
  program = await bundle('test/forget/forgetter.ts');
  cli = new Cli(newMemoryFolder());
  await fillEverything(cli);
  kept = newMemoryFolder();
  fs.cpSync(cli.base, kept, { recursive: true });
});
afterAll(() => {
  program?.remove();
  for (const folder of [kept, cli?.base]) if (folder) fs.rmSync(folder, { recursive: true, force: true });
});

function restore(): void {
  for (const name of fs.readdirSync(cli.base)) fs.rmSync(path.join(cli.base, name), { recursive: true, force: true });
  fs.cpSync(kept, cli.base, { recursive: true });
}

/** Milliseconds that it took, or nothing if it was killed. */
function run(argv: readonly string[], killAfter?: number): Promise<number | undefined> {
  const child = spawn(process.execPath, [program.file, cli.home, cli.project, ...argv], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let begun = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    if (!String(chunk).includes('ready')) return;
    begun = performance.now();
    child.stdin.write('go\n');
    if (killAfter !== undefined) setTimeout(() => child.kill('SIGKILL'), killAfter);
  });
  return new Promise((resolve) => {
    child.on('close', (code) => resolve(code === 0 ? performance.now() - begun : undefined));
  });
}

it.each([
  ['a conversation', [GONE], PLANTED],
  ['a text', ['text', 'quibblefax'], ['quibblefax']],
] as const)(
  '%s: a kill at any moment leaves what the next run finishes',
  { timeout: 240_000 },
  async (_, argv, words) => {
    const whole = (await run(argv))!;
    expect(stringsOf(cli, words)).toEqual([]);
    let [interrupted, notBegun] = [0, 0];
    for (let count = 0; count < KILLS / 2; count++) {
      restore();
      if ((await run(argv, (whole * (count + random())) / (KILLS / 2))) === undefined) interrupted++;
      const [entry] = (await cli.json<{ forgotten: { finished: boolean }[] }>(['forget', '--list'])).forgotten;
      if (!entry) {
        notBegun++;
        expect(stringsOf(cli, words).length).toBeGreaterThan(5);
        continue;
      }
      await cli.run(['backfill', '--no-vectors'], NO_VECTORS);
      await cli.run(['forget', '--finish']);
      expect(stringsOf(cli, words)).toEqual([]);
      expect(await cli.json(['forget', '--list'])).toMatchObject({ forgotten: [{ finished: true }] });
    }
    expect(interrupted).toBeGreaterThan(0);
    expect(notBegun).toBeLessThan(KILLS / 2);
  },
);
