// Real processes at one archive: killed at any moment, or two at once.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openArchive } from '../../src/transcripts/archive/archive.ts';
import { type Bundle, bundle } from '../fixtures/bundle.ts';
import { seededRandom } from '../fixtures/seed.ts';
import { memoryFolder } from '../fixtures/temporary.ts';
import { lineAt } from './transcript-part.ts';

const random = seededRandom();

const SOURCE = '/home/u/.claude/projects/-work-app/killed.jsonl';
const KILLS = 50;

let program: Bundle;
beforeAll(async () => {
  program = await bundle('test/indexing/archiver.ts');
});
afterAll(() => program.remove());

/** Resolves when it ended: by itself, or by a kill this many milliseconds after it began to work. */
function archiveLines(root: string, last: number, killAfter?: number): Promise<NodeJS.Signals | number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program.file, root, SOURCE, String(last)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(signal ?? code));
    child.stdout.once('data', () => {
      if (killAfter !== undefined) setTimeout(() => child.kill('SIGKILL'), killAfter);
    });
  });
}

const contentOf = (root: string): string[] => {
  const archive = openArchive(root, { maxBytes: 1e12, now: () => new Date() });
  const entry = archive.entryFor(SOURCE);
  return entry ? [...archive.lines(entry)] : [];
};
const linesTo = (last: number): string[] => Array.from({ length: last }, (_, index) => lineAt(index + 1));

it('killed in the middle of an add, again and again, an archive is whole and goes on from where it was', async () => {
  const root = memoryFolder();
  let killed = 0;
  for (let round = 0; round < KILLS; round++) {
    if ((await archiveLines(root, 1_000_000, random() * 40)) === 'SIGKILL') killed++;
    const content = contentOf(root);
    expect(content).toEqual(linesTo(content.length));
  }
  expect(killed).toBe(KILLS);
  const last = contentOf(root).length + 20;
  expect(await archiveLines(root, last)).toBe(0);
  expect(contentOf(root)).toEqual(linesTo(last));
  // What the killed ones left is in nobody's way: the lock is free.
  expect(fs.readdirSync(root)).toEqual(['transcripts']);
}, 120_000);

it('two writers at once double nothing and lose nothing', async () => {
  const root = memoryFolder();
  expect(await Promise.all([archiveLines(root, 700), archiveLines(root, 700)])).toEqual([0, 0]);
  expect(contentOf(root)).toEqual(linesTo(700));
}, 60_000);
