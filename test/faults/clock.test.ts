// Clocks that jump: a year back, a day ahead, between two actions and in the middle of one. What is written is whole and valid; at most
// an action is refused because a time limit has passed.

import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { withLock } from '../../src/files/lock.ts';
import { removeBusyFolder } from '../../src/files/remove-busy-folder.ts';
import { newFolder } from '../fixtures/temporary.ts';
import { attempt, type Calm, calmRun } from './calm-run.ts';
import { Tally } from './tally.ts';
import { halfWritten, isIndexTrue, litterIn, truthOf } from './truth.ts';
import { cairn, siteAt, WRITING_PATHS, type WritingPath } from './writing-paths.ts';

const [MINUTE, DAY] = [60_000, 86_400_000];
const JUMPS = [-365 * DAY, -DAY, -2 * MINUTE, 2 * MINUTE, DAY, 365 * DAY];

const tally = new Tally('clock');
const base = newFolder();
const RealDate = Date;
afterAll(() => removeBusyFolder(base));
afterEach(() => {
  globalThis.Date = RealDate;
});

/** From now on the clock is off by what `offset` says, each time it is asked. */
function bend(offset: () => number): void {
  globalThis.Date = class extends RealDate {
    constructor(...args: readonly unknown[]) {
      if (args.length === 0) super(RealDate.now() + offset());
      else super(...(args as [number]));
    }
    static override now(): number {
      return RealDate.now() + offset();
    }
  } as DateConstructor;
}

async function wrongUnder(offset: () => number, calm: Calm, writingPath: WritingPath): Promise<string[]> {
  const { site, before, after } = calm;
  calm.restore();
  bend(offset);
  const said = await attempt(writingPath, site);
  globalThis.Date = RealDate;
  const wrong: string[] = [];
  if (said.exit < 0 || /TypeError|RangeError/.test(said.text)) wrong.push(`it fell over: ${said.text.slice(0, 300)}`);
  const varying = /index\.md|injections\/|sessions\/|retired_at/;
  const lost = halfWritten(truthOf(site), before, after).filter(
    (name) => !varying.test(name) && !writingPath.varies?.test(name),
  );
  if (lost.length > 0) wrong.push(`neither old nor new: ${lost}`);
  if (!isIndexTrue(site) && (await cairn(site, ['index', '--rebuild'])).exit !== 0)
    wrong.push('index.md is out of step');
  if (!isIndexTrue(site)) wrong.push('a record is invalid');
  if (litterIn(site).length > 0) wrong.push(`litter: ${litterIn(site)}`);
  return wrong;
}

describe.each(WRITING_PATHS)('$name', { timeout: 300_000 }, (writingPath) => {
  it('writes what is valid, whatever the clock says', async () => {
    const calm = await calmRun(writingPath, siteAt(path.join(base, 'site')));
    const wrong: string[] = [];
    for (const jump of JUMPS)
      wrong.push(
        ...tally.count('clock jumps before', `${jump / MINUTE} min`, await wrongUnder(() => jump, calm, writingPath)),
      );
    for (const jump of [2 * MINUTE, DAY]) {
      let asked = 0;
      const offset = (): number => (++asked % 2 === 0 ? jump : -jump);
      wrong.push(
        ...tally.count('clock jumps to and fro', `${jump / MINUTE} min`, await wrongUnder(offset, calm, writingPath)),
      );
    }
    expect(wrong).toEqual([]);
  });
});

describe('a lock', () => {
  it('of a dead process from the future does not keep anybody waiting', async () => {
    const lock = path.join(base, 'x.lock');
    for (const jump of JUMPS) {
      fs.mkdirSync(lock, { recursive: true });
      fs.writeFileSync(
        path.join(lock, 'owner.json'),
        JSON.stringify({ token: 't', pid: 1, host: 'another', space: 'another' }),
      );
      const then = new Date(Date.now() + jump);
      fs.utimesSync(lock, then, then);
      const got = await withLock(lock, ({ tookOver }) => tookOver, { waitMs: 2_000 });
      expect(
        tally.count('lock from another time', `${jump / MINUTE} min`, got ? [] : ['it was not taken over']),
      ).toEqual([]);
    }
  });
});
