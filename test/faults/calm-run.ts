// A writing path without faults, which is the measure, and what is wrong after one with a fault: truth that is lost or half written,
// a success that was none, a crash, litter, or something that does not recover by itself or by the command that the error named.

import fs from 'node:fs';
import { expect } from 'vitest';
import { removeLeftovers } from '../../src/files/remove-leftovers.ts';
import {
  differing,
  halfWritten,
  isIndexTrue,
  letOwnersDie,
  letTimePass,
  litterIn,
  recalled,
  type Truth,
  truthOf,
} from './truth.ts';
import {
  cairn,
  found,
  memoryRoot,
  nextSessionEnds,
  type Said,
  type Site,
  userRoot,
  type WritingPath,
} from './writing-paths.ts';

export type Calm = {
  readonly site: Site;
  readonly before: Truth;
  readonly after: Truth;
  /** What can be recalled afterwards. */
  readonly told: string;
  /** Puts everything back to how it was before. */
  restore(): void;
};

/** A success that says what it could not do, or that it found nothing to do, promises no more than that. */
const HONEST = /WARNING|There are no conversations to read here|[1-9]\d* skipped/;

/** The path without faults: what was there before, what is there after. */
export async function calmRun(path: WritingPath, site: Site): Promise<Calm> {
  fs.rmSync(site.base, { recursive: true, force: true });
  found(site);
  await path.prepare?.(site);
  const kept = `${site.base}.kept`;
  fs.rmSync(kept, { recursive: true, force: true });
  fs.cpSync(site.base, kept, { recursive: true, preserveTimestamps: true });
  const restore = (): void => {
    fs.rmSync(site.base, { recursive: true, force: true });
    fs.cpSync(kept, site.base, { recursive: true, preserveTimestamps: true });
  };
  const before = truthOf(site);
  const { exit, text } = await path.act(site);
  if (exit !== 0) throw new Error(`${path.name} fails without any fault: ${text}`);
  const after = truthOf(site);
  expect(isIndexTrue(site)).toBe(true);
  return { site, before, after, told: await recalled(site), restore };
}

export async function attempt(path: WritingPath, site: Site): Promise<Said> {
  try {
    return await path.act(site);
  } catch (error) {
    return { exit: -1, text: `it threw: ${(error as Error).stack}`, out: '' };
  }
}

/** What the fault did that no fault may do. */
export async function wrongAfter(path: WritingPath, calm: Calm, fault: string, said: Said): Promise<string[]> {
  const { site, before, after } = calm;
  const wrong: string[] = [];
  const now = truthOf(site);
  // index.md is made from the rest: it may be behind, never unreadable.
  const lost = halfWritten(now, before, after).filter(
    (name) => !path.varies?.test(name) && !(name.endsWith('index.md') && now[name]?.startsWith('# Memory Index')),
  );
  if (lost.length > 0)
    wrong.push(`neither old nor new: ${lost.map((name) => `${name} = ${String(now[name]).slice(0, 200)}`).join(', ')}`);
  if (said.exit < 0 || /TypeError|ReferenceError|\n\s+at /.test(said.text))
    wrong.push(`it fell over: ${said.text.slice(0, 400)}`);
  const counts = (name: string): boolean => !name.endsWith('index.md') && !path.varies?.test(name);
  const missing = differing(now, after).filter(counts);
  if (said.exit === 0 && !path.isHook && missing.length > 0 && !HONEST.test(said.text))
    wrong.push(`it said that all is well, without ${missing}: ${said.text.slice(0, 300)}`);
  if (said.exit > 0 && said.text.trim() === '') wrong.push('it failed without a word');
  if (fault === 'ENOSPC' && litterIn(site).length > 0) wrong.push(`it left ${litterIn(site)}`);
  return [...wrong, ...(await wrongAfterRecovery(path, calm, said))];
}

/** By itself when the same is done again, or by the command that the error named. */
async function wrongAfterRecovery(path: WritingPath, { site, after, told }: Calm, said: Said): Promise<string[]> {
  letOwnersDie(site);
  const again = await attempt(path, site);
  const wrong: string[] = [];
  if (again.exit !== 0 && !path.again?.test(again.text))
    wrong.push(`done again it failed: ${again.text.slice(0, 300)} (first: ${said.text.slice(0, 300)})`);
  const others = (): string[] =>
    differing(truthOf(site), after).filter((name) => !path.varies?.test(name) || isBroken(truthOf(site), name));
  let left = others();
  if (!isIndexTrue(site)) await nextSessionEnds(site);
  if (left.length > 0 || !isIndexTrue(site)) {
    const named = /`?cairn ((?:index|graph|reindex|backfill)(?: --\w+)*)/.exec(said.text)?.[1];
    if (named !== undefined) await cairn(site, named.split(' '));
    left = others();
    if (left.length > 0) wrong.push(`not recovered: ${left.join(', ')} (${said.text.slice(0, 300)})`);
    if (!isIndexTrue(site)) wrong.push(`index.md is out of step (${said.text.slice(0, 300)})`);
  }
  if (path.store && (await recalled(site)) !== told) wrong.push('other memories are recalled');
  // A lock of the dead, and what is owed after it, is nobody's litter: whoever writes next takes it over.
  if (litterIn(site).some((name) => /\.index\.lockdir(?:\.unrepaired)?$/.test(name)))
    await cairn(site, ['index', '--rebuild']);
  letTimePass(site);
  for (const root of [memoryRoot(site), userRoot(site), site.project, site.home])
    removeLeftovers(root, { now: Date.now() });
  const litter = litterIn(site);
  if (litter.length > 0) wrong.push(`litter stays: ${litter.join(', ')}`);
  return wrong;
}

/** What varies must still be what its name says. */
function isBroken(now: Truth, name: string): boolean {
  const text = now[name];
  if (text === undefined || !name.endsWith('.json')) return false;
  try {
    JSON.parse(text);
    return false;
  } catch {
    return true;
  }
}
