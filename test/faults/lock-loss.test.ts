// A lock that is lost while it is held, as a network file system loses them: it vanishes, or somebody else's stands in its place. At each
// call in turn. The writer notices before it commits, or was done: never is there half a change, and never is a foreign lock removed.

import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { removeBusyFolder } from '../../src/files/remove-busy-folder.ts';
import { newFolder } from '../fixtures/temporary.ts';
import { attempt, type Calm, calmRun, wrongAfter } from './calm-run.ts';
import type * as FailingFs from './failing-fs.cjs';
import { Tally } from './tally.ts';
import { type Site, siteAt, WRITING_PATHS, type WritingPath } from './writing-paths.ts';

const { arm, disarm, lastStruck } = createRequire(import.meta.url)('./failing-fs.cjs') as typeof FailingFs;
/** One lock, taken once: a path that takes it again would wait for the foreign one, and rightly so. */
const PATHS = WRITING_PATHS.filter(({ name }) =>
  /^(?:record: (?:create|update$|retire|restore)|note: set|config: set|feedback)/.test(name),
);
const FOREIGN = JSON.stringify({ token: 'f'.repeat(16), pid: 1, host: 'another', space: 'another' });

const tally = new Tally('lock loss');
const base = newFolder();
afterAll(() => removeBusyFolder(base));

/** Locks that are held now. */
function locksOf(site: Site): string[] {
  const names = fs.readdirSync(site.base, { recursive: true }).map(String);
  return names.filter((name) => /(?:lockdir|\.lock)$/.test(name)).map((name) => path.join(site.base, name));
}

/** Returns the foreign locks that were put there. */
function lose(site: Site, replace: boolean): string[] {
  const locks = locksOf(site);
  for (const lock of locks) {
    fs.rmSync(lock, { recursive: true });
    if (!replace) continue;
    fs.mkdirSync(lock);
    fs.writeFileSync(path.join(lock, 'owner.json'), FOREIGN);
  }
  return replace ? locks : [];
}

async function losingAt(
  calm: Calm,
  writingPath: WritingPath,
  { at, replace }: { at: number; replace: boolean },
): Promise<string[]> {
  const { site } = calm;
  calm.restore();
  let foreign: string[] = [];
  arm({ under: site.base, at, fault: 'DO', act: () => (foreign = lose(site, replace)) });
  const said = await attempt(writingPath, site);
  disarm();
  const gone = foreign.filter((lock) => !fs.existsSync(path.join(lock, 'owner.json')));
  for (const lock of foreign) fs.rmSync(lock, { recursive: true, force: true });
  const wrong = await wrongAfter(writingPath, calm, 'LOCK', said);
  return gone.length > 0 ? [...wrong, `the lock of another was removed: ${gone}`] : wrong;
}

describe.each(PATHS)('$name', { timeout: 300_000 }, (writingPath) => {
  it('does all or nothing when its lock is lost', async () => {
    const calm = await calmRun(writingPath, siteAt(path.join(base, 'site')));
    calm.restore();
    arm({ under: calm.site.base, at: 0, fault: 'DO' });
    await writingPath.act(calm.site);
    const calls = disarm();
    const wrong: string[] = [];
    for (const replace of [false, true])
      for (let at = 1; at <= calls; at++) {
        const bad = await losingAt(calm, writingPath, { at, replace });
        wrong.push(...tally.count(replace ? 'lock replaced' : 'lock vanished', `at call ${at} (${lastStruck()})`, bad));
      }
    expect(wrong.slice(0, 12)).toEqual([]);
  });
});
