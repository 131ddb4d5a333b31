// The archive makes room and is stopped before each of its calls, as a kill would: nothing that is left is taken for damage, what stays can be
// read, and the next one ends where an undisturbed one does.

import fs from 'node:fs';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Archive, openArchive } from '../../src/transcripts/archive/archive.ts';
import { newFolder } from '../fixtures/temporary.ts';
import { partOf } from './transcript-part.ts';

const SOURCES = ['old', 'older', 'new'].map((name) => `/home/u/.claude/projects/-work-app/${name}.jsonl`);
const TIMES = ['2026-02-10', '2026-02-01', '2026-03-01'];
let root: string;
let archive: Archive;

beforeEach(() => {
  root = newFolder();
});
afterEach(() => {
  vi.restoreAllMocks();
  fs.rmSync(root, { recursive: true, force: true });
});

async function fill(): Promise<void> {
  fs.rmSync(root, { recursive: true, force: true });
  for (const [at, source] of SOURCES.entries()) {
    archive = openArchive(root, { maxBytes: 1, now: () => new Date(TIMES[at]!) });
    await archive.add(source, partOf(1, 30));
    await archive.add(source, { ...partOf(31, 40), waits: true });
    if (at === 0) await archive.add(source, { ...partOf(1, 50), forks: [{ from: 10, generation: 2 }] });
  }
}

/** The n-th time that a file of the archive is to be changed, nothing happens any more. */
function stopAt(call: number): () => number {
  let count = 0;
  const stop = (file: unknown): void => {
    if (/\.(?:gz|jsonl|json)$/.test(String(file)) && ++count >= call) throw new Error('stopped');
  };
  const [remove, rename] = [fs.rmSync.bind(fs), fs.renameSync.bind(fs)];
  vi.spyOn(fs, 'rmSync').mockImplementation((file, options) => {
    stop(file);
    remove(file, options);
  });
  vi.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
    stop(to);
    rename(from, to);
  });
  return () => count;
}

it('stopped anywhere, the size limit leaves nothing that looks like damage, and the next one goes on', async () => {
  let stops = 0;
  for (let call = 1; ; call++) {
    await fill();
    const whole = archive.survey();
    expect(whole.problems).toEqual([]);
    expect([whole.entries.length, whole.older.length]).toEqual([3, 1]);
    stopAt(call);
    const outcome = await archive.enforceLimit().then(
      () => 'done',
      (error: Error) => error.message,
    );
    vi.restoreAllMocks();
    if (outcome === 'done') break;
    expect(outcome).toBe('stopped');
    stops++;
    const { entries, older, problems } = archive.survey();
    expect({ call, problems }).toEqual({ call, problems: [] });
    for (const entry of [...entries, ...older]) expect(() => archive.verify(entry)).not.toThrow();
    await archive.enforceLimit();
    expect(archive.size()).toBe(0);
  }
  expect(stops).toBeGreaterThan(8);
  expect(archive.size()).toBe(0);
});

it('a conversation that goes on while its copy goes is archived anew beside it', async () => {
  await fill();
  stopAt(2); // renamed, and nothing else
  await archive.enforceLimit().catch(() => undefined);
  vi.restoreAllMocks();
  const gone = SOURCES.find((source) => archive.entryFor(source) === undefined)!;
  expect(gone).toBe(SOURCES[1]);
  await archive.add(gone, partOf(1, 60));
  const roomy = openArchive(root, { maxBytes: 1e9, now: () => new Date(TIMES[2]!) });
  await roomy.enforceLimit();
  const entry = roomy.entryFor(gone)!;
  expect([...roomy.lines(entry)]).toHaveLength(60);
  expect(() => roomy.verify(entry)).not.toThrow();
  expect(roomy.problems()).toEqual([]);
});
