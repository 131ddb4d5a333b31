// Every call of the file system on a writing path fails once: with no space left, an error of the device, no permission, too many
// open files, a file system that became read-only, a write that took only a part. Each call in turn, not a sample of them.

import { createRequire } from 'node:module';
import { afterAll, describe, expect, it } from 'vitest';
import { removeBusyFolder } from '../../src/files/remove-busy-folder.ts';
import { newMemoryFolder } from '../fixtures/temporary.ts';
import { attempt, calmRun, wrongAfter } from './calm-run.ts';
import type * as FailingFs from './failing-fs.cjs';
import { FULL, Tally } from './tally.ts';
import { siteAt, type WritingPath } from './writing-paths.ts';

const { arm, disarm, lastStruck } = createRequire(import.meta.url)('./failing-fs.cjs') as typeof FailingFs;
type Sweep = {
  readonly fault: FailingFs.Fault;
  readonly only?: 'reads' | 'changes' /** Every how many-th call, except in the long run. */;
  readonly step?: number;
};
const SWEEPS: readonly Sweep[] = [
  { fault: 'EIO', only: 'changes' },
  { fault: 'EIO', only: 'reads', step: 4 },
  { fault: 'ENOSPC' },
  { fault: 'EROFS' },
  { fault: 'EACCES', step: 2 },
  { fault: 'EMFILE', step: 2 },
  { fault: 'SHORT' },
];

const base = newMemoryFolder();

export function eachCallFails(paths: readonly WritingPath[], title: string): void {
  const tally = new Tally(title);
  afterAll(() => removeBusyFolder(base));
  describe.each(paths)('$name', { timeout: 600_000 }, (path) => {
    it('survives the failure of each of its calls', async () => {
      const calm = await calmRun(path, siteAt(`${base}/site`));
      const wrong: string[] = [];
      for (const { step = 1, ...sweep } of SWEEPS) {
        calm.restore();
        arm({ under: calm.site.base, at: 0, ...sweep });
        await path.act(calm.site);
        const calls = disarm();
        for (let at = 1; at <= calls; at += FULL ? 1 : step) {
          calm.restore();
          arm({ under: calm.site.base, at, ...sweep });
          const said = await attempt(path, calm.site);
          disarm();
          const bad = await wrongAfter(path, calm, sweep.fault, said);
          wrong.push(...tally.count(sweep.fault, `at call ${at} of ${calls} (${lastStruck()})`, bad));
        }
      }
      expect(wrong.slice(0, 12)).toEqual([]);
    });
  });
}
