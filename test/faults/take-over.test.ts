// What a dead owner of a lock left half done is put right by whoever takes the lock next, whatever he wants with it: a writer of records
// is killed at each of its calls, then somebody comes who writes something else. Real processes, really killed.

import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { owesRepair } from '../../src/files/lock.ts';
import { type Bundle, bundle } from '../fixtures/bundle.ts';
import { newFolder } from '../fixtures/temporary.ts';
import { type Calm, calmRun } from './calm-run.ts';
import { type Struck, startStruck } from './struck-process.ts';
import { Tally } from './tally.ts';
import { isIndexTrue } from './truth.ts';
import {
  cairn,
  memoryRoot,
  nextSessionEnds,
  nextTurnIsIndexed,
  type Said,
  type Site,
  siteAt,
  WRITING_PATHS,
  type WritingPath,
} from './writing-paths.ts';

const PATHS = WRITING_PATHS.filter(({ name }) =>
  /^(?:record: (?:create|update with another name|retire|restore|collect garbage)|note: rm|config: set$)/.test(name),
);
/** Who comes next. Settings know nothing of records: what is owed then stays owed until the background has settled it. */
const NEXT: { readonly [who: string]: (site: Site) => Promise<Said> } = {
  'a note': (site) => cairn(site, ['note', 'new', 'discovery', 'Somebody else', '--id', 'discovery-somebody']),
  'another record': (site) => cairn(site, ['save', 'preference', 'Boats are counted by colour', '--json']),
  'the end of a session': nextSessionEnds,
  'settings, then a turn': async (site) => {
    const said = await cairn(site, ['config', 'set', 'retention.max_nodes', '400']);
    await nextTurnIsIndexed(site);
    return said;
  },
};

const tally = new Tally('taken over from the dead');
let program: Bundle;
let folder: string;
beforeAll(async () => {
  program = await bundle('test/faults/struck-writer.ts');
  folder = newFolder();
});
afterAll(() => {
  program?.remove();
  if (folder) fs.rmSync(folder, { recursive: true, force: true });
});

async function wrongAfter(calm: Calm, dead: string, who: string): Promise<string[]> {
  const { site } = calm;
  fs.rmSync(site.base, { recursive: true, force: true });
  fs.cpSync(dead, site.base, { recursive: true, preserveTimestamps: true });
  const { exit, text } = await NEXT[who]!(site);
  const wrong: string[] = [];
  if (exit !== 0) wrong.push(`${who} failed: ${text.slice(0, 300)}`);
  if (!isIndexTrue(site)) wrong.push(`after ${who} index.md is out of step, or a record is invalid`);
  if (owesRepair(path.join(memoryRoot(site), '.index.lockdir'))) wrong.push(`after ${who} a repair is still owed`);
  return wrong;
}

/** What is there after the kill; `undefined` if there was no such call any more. */
async function killedAt(calm: Calm, at: number, waiting: Struck): Promise<string | undefined> {
  await waiting.ready;
  calm.restore();
  waiting.strike('KILL', at);
  if ((await waiting.ended).signal !== 'SIGKILL') return undefined;
  const dead = `${calm.site.base}.dead`;
  fs.rmSync(dead, { recursive: true, force: true });
  fs.cpSync(calm.site.base, dead, { recursive: true, preserveTimestamps: true });
  return dead;
}

describe.each(PATHS)('$name', { timeout: 600_000 }, (writingPath: WritingPath) => {
  it('killed at any of its calls, is put right by whoever takes the lock next', async () => {
    const calm = await calmRun(writingPath, siteAt(path.join(folder, 'site')));
    const wrong: string[] = [];
    let held = 0;
    let next = startStruck(program, writingPath, calm.site);
    for (let at = 1; ; at++) {
      const waiting = next;
      next = startStruck(program, writingPath, calm.site);
      const dead = await killedAt(calm, at, waiting);
      if (dead === undefined) break;
      const lock = path.join(dead, 'project/.claude/memory/.index.lockdir');
      if (!fs.existsSync(lock)) continue; // nothing was taken, or all is done: there is nothing to take over
      held++;
      for (const who of Object.keys(NEXT))
        wrong.push(...tally.count(`then ${who}`, `killed at call ${at}`, await wrongAfter(calm, dead, who)));
    }
    next.child.kill('SIGKILL');
    expect(held).toBeGreaterThan(0);
    expect(wrong.slice(0, 12)).toEqual([]);
  });
});
