// A writer is killed at a random moment, two hundred times. What it had finished is there; what it had begun is there
// whole or not at all; and one rebuild puts the index right.

import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { type Memory, openMemory } from '../../src/app/memory.ts';
import type { JsonObject } from '../../src/model/json.ts';
import { rebuildIndex, validateIndex } from '../../src/records/index-upkeep.ts';
import type { RecordStore } from '../../src/records/record-store.ts';
import { lockDir } from '../../src/records/record-store.ts';
import { recordProblems } from '../../src/records/validate.ts';
import { type Bundle, bundle } from '../fixtures/bundle.ts';
import { seededRandom } from '../fixtures/seed.ts';
import { newMemoryFolder, put } from '../fixtures/temporary.ts';

const random = seededRandom();

const KILLS = 200;
/** A kill comes so many finished actions, and then so many milliseconds, after the start: anywhere, on any machine. */
const MOST_ACTIONS = 6;
const LONGEST_MS = 15;

let program: Bundle;
let folder: string;
beforeAll(async () => {
  program = await bundle('test/records/writer.ts');
  folder = newMemoryFolder();
});
afterAll(() => {
  program?.remove();
  if (folder) fs.rmSync(folder, { recursive: true, force: true });
});

type Finished = { marker: string; times: number; status: string };

/** A writer that has loaded its code and waits for the word: starting costs more than all that follows. */
const waitingWriter = (project: string, round: number): ChildProcess =>
  spawn(process.execPath, [program.file, 'crash', project, String(round)], { stdio: ['pipe', 'pipe', 'pipe'] });

/** Lets a writer work for a while and kills it. Returns what it said it had finished. */
async function killedWriter(child: ChildProcess): Promise<Finished[]> {
  const said: (Finished | { ready: true })[] = [];
  let complaint = '';
  child.stderr!.on('data', (chunk: Buffer) => {
    complaint += String(chunk);
  });
  const patience = Math.ceil(random() * MOST_ACTIONS);
  createInterface(child.stdout!).on('line', (line) => {
    said.push(JSON.parse(line));
    if (said.length === 1) child.stdin!.write('go\n');
    if (said.length === patience) setTimeout(() => child.kill('SIGKILL'), random() * LONGEST_MS);
  });
  const signal = await new Promise((resolve) => child.on('close', (_, ended) => resolve(ended)));
  expect({ signal, complaint }).toEqual({ signal: 'SIGKILL', complaint: '' });
  return said.filter((each) => 'marker' in each);
}

function recordsOf(recordStore: RecordStore): { slug: string; record: JsonObject }[] {
  const decisions = path.join(recordStore.root, 'decisions');
  if (!fs.existsSync(decisions)) return [];
  return fs
    .readdirSync(decisions)
    .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
    .map((name) => ({
      slug: name.slice(0, -'.json'.length),
      record: JSON.parse(fs.readFileSync(path.join(decisions, name), 'utf8')) as JsonObject,
    }));
}

const litter = (recordStore: RecordStore): string[] =>
  fs
    .readdirSync(recordStore.root, { recursive: true })
    .map(String)
    .filter((name) => /lockdir|cairn-tmp/.test(name));

/** Lets time pass for everything that only time can clear: a lock without an owner, temporary files, remains. */
function letTimePass(recordStore: RecordStore, what: readonly string[]): void {
  for (const name of what) fs.utimesSync(path.join(recordStore.root, name), 0, 0);
}

function checkFiles(recordStore: RecordStore, finished: readonly Finished[]): void {
  const records = recordsOf(recordStore);
  const decision = recordStore.kinds.byName('decision')!;
  const markers = records.map(({ record }) => (record.content as { context: string }).context);
  expect(new Set(markers).size).toBe(markers.length); // no record is there twice, under its old and its new name
  for (const { record } of records) expect(recordProblems(decision, record)).toEqual([]);
  const last = finished.at(-1);
  if (!last) return;
  const at = records.find(({ record }) => (record.content as { context: string }).context === last.marker);
  if (!at)
    expect(last.status).toBe('retired'); // collected
  else expect(at.record.times_updated ?? 0).toBeGreaterThanOrEqual(last.times);
}

/** Killed between the two halves of a rename, a record has its new id and still its old name. Whoever takes the lock puts that right. */
async function checkNames(memory: Memory): Promise<void> {
  const between = recordsOf(memory.recordStore).filter(({ record, slug }) => record.id !== slug);
  expect(between.length).toBeLessThanOrEqual(1);
  for (const { record, slug } of between) {
    expect(recordsOf(memory.recordStore).some((each) => each.slug === record.id)).toBe(false);
    await rebuildIndex(memory.recordStore);
    expect(recordsOf(memory.recordStore).find((each) => each.slug === record.id)?.record).toEqual(record);
    expect(recordsOf(memory.recordStore).some((each) => each.slug === slug)).toBe(false);
  }
}

async function checkIndex(recordStore: RecordStore): Promise<void> {
  const lock = lockDir(recordStore);
  if (fs.existsSync(lock) && !fs.existsSync(path.join(lock, 'owner.json')))
    letTimePass(recordStore, [path.basename(lock)]);
  const isClean = (): boolean => {
    const { indexFound, missing, stale, problems } = validateIndex(recordStore);
    return indexFound && missing.length + stale.length + problems.length === 0;
  };
  if (!isClean()) await rebuildIndex(recordStore);
  expect(isClean()).toBe(true);
}

/** Half-done work that no later writer takes up would only make the rest slower. */
function tidyUp(recordStore: RecordStore): void {
  for (const { slug } of recordsOf(recordStore)) {
    if (!slug.startsWith('slot-')) fs.rmSync(path.join(recordStore.root, 'decisions', `${slug}.json`));
  }
}

it(`a writer killed ${KILLS} times leaves whole records and an index that one rebuild puts right`, {
  timeout: 300_000,
}, async () => {
  const project = path.join(folder, 'project');
  put(path.join(project, '.claude/memory/memory-config.json'), {
    delete: { archive_retired: false, grace_period_days: 1 },
  });
  const memory = openMemory({ cwd: project, projectRoot: project, env: { HOME: path.join(folder, 'home') } });
  const { recordStore } = memory;
  let interrupted = 0;
  let next = waitingWriter(project, 1);
  onTestFinished(() => void next.kill('SIGKILL'));
  for (let round = 1; round <= KILLS; round++) {
    const current = next;
    next = waitingWriter(project, round + 1);
    const finished = await killedWriter(current);
    if (litter(recordStore).length > 0) interrupted++;
    checkFiles(recordStore, finished);
    await checkIndex(recordStore);
    await checkNames(memory);
    if (round % 10 === 0) tidyUp(recordStore);
  }
  expect(interrupted).toBeGreaterThan(KILLS / 10); // the kills did hit writers at work
  letTimePass(recordStore, litter(recordStore).sort().reverse());
  await rebuildIndex(recordStore);
  expect(litter(recordStore)).toEqual([]);
});
