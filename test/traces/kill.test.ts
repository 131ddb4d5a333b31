// An indexer is killed at a hundred random moments of a backfill. Whoever goes on afterwards ends with the rows, and the
// archive, of an undisturbed run.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { BackfillReport } from '../../src/indexing/transcripts/backfill.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { openArchive } from '../../src/transcripts/archive/archive.ts';
import { type Bundle, bundle } from '../fixtures/bundle.ts';
import { seededRandom } from '../fixtures/seed.ts';
import { newMemoryFolder } from '../fixtures/temporary.ts';
import { conversation } from './conversation.ts';
import { forkOf, type Kind, named } from './fork.ts';
import { differences, SAME } from './store-rows.ts';

const random = seededRandom();

const KILLS = 100;
const CONVERSATIONS = 60;
const TURNS = 60;
/** One of each kind, and a fork of each of them. */
const FORKED: readonly Kind[] = ['print', 'interactive', 'branch'];
/** A kill comes so many finished steps, and then so many milliseconds, after the start. */
const MOST_STEPS = 3;
const LONGEST_MS = 40;

let program: Bundle;
let folder: string;
let transcripts: string;
beforeAll(async () => {
  program = await bundle('test/traces/indexer.ts');
  folder = newMemoryFolder();
  transcripts = path.join(folder, 'transcripts');
  fs.mkdirSync(transcripts);
  for (let number = 0; number < CONVERSATIONS; number++) {
    const { session, lines } = conversation(number, TURNS);
    write(session, lines);
  }
  for (const [at, kind] of FORKED.entries()) {
    const parent = named(100 + at, TURNS);
    const fork = forkOf(parent.lines, { number: 200 + at, at: 90, turns: 10, kind });
    const second = forkOf(fork.lines, { number: 300 + at, at: fork.lines.length - 10, turns: 10, kind });
    for (const { session, lines } of [parent, fork, second]) write(session, lines);
  }
});

function write(session: string, lines: readonly string[]): void {
  fs.writeFileSync(path.join(transcripts, `${session}.jsonl`), lines.map((line) => `${line}\n`).join(''));
}

afterAll(() => {
  program?.remove();
  if (folder) fs.rmSync(folder, { recursive: true, force: true });
});

type Ended = { signal: NodeJS.Signals | null; report: BackfillReport | undefined; complaint: string };

/** `patience`: how many steps until the kill; without one the indexer may finish. */
function index(home: string, patience?: number): Promise<Ended> {
  fs.mkdirSync(home, { recursive: true });
  const child = spawn(process.execPath, [program.file, home, transcripts], { stdio: ['pipe', 'pipe', 'pipe'] });
  let [steps, complaint] = [0, ''];
  let report: BackfillReport | undefined;
  const kill = (): void => void setTimeout(() => child.kill('SIGKILL'), random() * LONGEST_MS);
  child.stderr.on('data', (chunk: Buffer) => {
    complaint += String(chunk);
  });
  createInterface(child.stdout).on('line', (line) => {
    if (line === 'ready') child.stdin.write('go\n');
    else if (line.startsWith('done ')) report = JSON.parse(line.slice(5)) as BackfillReport;
    else steps++;
    if (steps === patience) kill();
  });
  if (patience === 0) child.stdout.once('data', kill);
  return new Promise((resolve) => child.on('close', (_, signal) => resolve({ signal, report, complaint })));
}

it('killed at a hundred moments, and then let finish, an indexer leaves what an undisturbed one does', async () => {
  const [disturbed, calm] = [path.join(folder, 'disturbed'), path.join(folder, 'calm')];
  let kills = 0;
  for (let round = 0; kills < KILLS; round++) {
    // A store that was finished is begun again: the kills shall fall into work.
    const { signal, report, complaint } = await index(disturbed, Math.floor(random() * (MOST_STEPS + 1)));
    expect(complaint).toBe('');
    if (signal === 'SIGKILL') kills++;
    if (report && kills < KILLS) fs.rmSync(disturbed, { recursive: true, force: true });
    expect(round).toBeLessThan(10 * KILLS);
  }
  expect((await index(disturbed)).report).toMatchObject({ failed: [], finished: true });
  expect((await index(calm)).report).toMatchObject({ failed: [], transcripts: CONVERSATIONS + 3 * FORKED.length });
  const stores = await Promise.all([disturbed, calm].map((home) => openSqliteStore(path.join(home, 'memory.db'))));
  try {
    expect(await differences(stores[0]!, stores[1]!)).toEqual(SAME);
  } finally {
    for (const store of stores) await store.close();
  }
  expect(archived(disturbed)).toEqual(archived(calm));
}, 300_000);

function archived(home: string): { [source: string]: string[] } {
  const archive = openArchive(path.join(home, 'archive'), { maxBytes: 1e9, now: () => new Date() });
  return Object.fromEntries(archive.entries().map((entry) => [entry.source, [...archive.lines(entry)]]));
}
