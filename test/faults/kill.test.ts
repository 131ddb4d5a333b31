// SIGKILL before each call that changes something, and in the middle of each write, on every writing path: the process really dies
// there. Kills at random moments of records, indexing and the archive are in test/records/crash.test.ts, test/traces/kill.test.ts
// and test/indexing/*-kill.test.ts.

import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bundle, bundle } from '../fixtures/bundle.ts';
import { seededRandom } from '../fixtures/seed.ts';
import { newMemoryFolder } from '../fixtures/temporary.ts';
import { type Calm, calmRun, wrongAfter } from './calm-run.ts';
import { type Struck, startStruck } from './struck-process.ts';
import { FULL, Tally } from './tally.ts';
import { siteAt, WRITING_PATHS, type WritingPath } from './writing-paths.ts';

/** Every how many-th call, from one that the seed of the run chooses; in the long run each. */
const STEP = 2;
const random = seededRandom();
/** Processes that start while others are killed. */
const AT_ONCE = 3;

const tally = new Tally('killed at each call');
let program: Bundle;
let folder: string;
beforeAll(async () => {
  program = await bundle('test/faults/struck-writer.ts');
  folder = newMemoryFolder();
});
afterAll(() => {
  program?.remove();
  if (folder) fs.rmSync(folder, { recursive: true, force: true });
});

async function killAt(
  calm: Calm,
  writingPath: WritingPath,
  strike: { fault: string; at: number; waiting: Struck },
): Promise<string[] | undefined> {
  const { fault, at, waiting } = strike;
  await waiting.ready;
  calm.restore();
  waiting.strike(fault, at);
  const { signal, said } = await waiting.ended;
  if (signal !== 'SIGKILL') {
    expect(said).toMatch(/^ready\n\d+\n$/); // there was no such call any more
    return undefined;
  }
  return wrongAfter(writingPath, calm, fault, { exit: 1, text: 'killed', out: '' });
}

describe.each(WRITING_PATHS)('$name', { timeout: 600_000 }, (writingPath) => {
  it('is whole after a kill at any of its calls', async () => {
    const calm = await calmRun(writingPath, siteAt(path.join(folder, 'site')));
    const wrong: string[] = [];
    const waiting: Struck[] = [];
    const next = (): Struck => {
      while (waiting.length < AT_ONCE) waiting.push(startStruck(program, writingPath, calm.site));
      return waiting.shift()!;
    };
    for (const fault of ['KILL', 'TORN'])
      for (let at = FULL ? 1 : 1 + Math.floor(random() * STEP); ; at += FULL ? 1 : STEP) {
        const outcome = await killAt(calm, writingPath, { fault, at, waiting: next() });
        if (outcome === undefined) break;
        wrong.push(
          ...tally.count(
            fault === 'KILL' ? 'SIGKILL before a call' : 'SIGKILL inside a write',
            `at call ${at}`,
            outcome,
          ),
        );
      }
    for (const { child } of waiting) child.kill('SIGKILL');
    expect(wrong.slice(0, 12)).toEqual([]);
  });
});
