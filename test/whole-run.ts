// Around a whole run of tests: one seed, printed, and one temporary folder for all that they make. Whatever still lies in it at the
// end was left behind by a test, so the run fails and says what.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { seedOfRun } from './fixtures/seed.ts';

const NAME = 'cairn-run-';
/**
 * A file system in memory, where there is one with room: what is written there does not wait for the disk. Tests that write and sync
 * thousands of times take half as long there (`memoryFolder`).
 */
const IN_MEMORY = '/dev/shm';
const ROOM = 4 * 2 ** 30;
/** Node, and what tests start, ask these for the place of temporary files. */
const VARIABLES = ['TMPDIR', 'TEMP', 'TMP'];

export default function setUp(): () => void {
  process.stderr.write(`Seed of this run: ${seedOfRun()} (CAIRN_TEST_SEED=… takes the same chances again)\n`);
  removeOfDeadRuns();
  const folder = fs.realpathSync.native(fs.mkdtempSync(path.join(os.tmpdir(), `${NAME}${process.pid}-`)));
  const before = VARIABLES.map((name) => [name, process.env[name]] as const);
  for (const name of VARIABLES) process.env[name] = folder;
  const memory = hasRoom(IN_MEMORY) ? fs.mkdtempSync(path.join(IN_MEMORY, `${NAME}${process.pid}-`)) : undefined;
  if (memory) process.env.CAIRN_TEST_MEMORY = memory;
  return () => {
    delete process.env.CAIRN_TEST_MEMORY;
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    const left = [folder, ...(memory ? [memory] : [])].flatMap((place) => {
      const entries = fs
        .readdirSync(place)
        .filter((entry) => entry.startsWith('cairn-') && !isOfCairn(place, entry))
        .map((entry) => `${entry} (${namesBelow(path.join(place, entry)).slice(0, 5).join(', ')})`);
      fs.rmSync(place, { recursive: true, force: true, maxRetries: 5 });
      return entries;
    });
    if (left.length === 0) return;
    process.exitCode = 1; // an error thrown here would be printed, and the run still called good
    process.stderr.write(
      `\nTests left ${left.length} temporary folders behind: ${left.slice(0, 20).join(', ')}\n` +
        'Use temporaryFolder() of test/fixtures/temporary.ts, or remove them when the test ends.\n',
    );
  };
}

const namesBelow = (folder: string): string[] =>
  fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((each) => path.join(path.relative(folder, each.parentPath), each.name));

/**
 * What the stop hook keeps there by itself; a home that was removed, in which a worker of the last hook wrote its last lines; and the
 * places of the real client, which ends when it likes: its tests remove them, and what it writes afterwards goes with the run.
 */
function isOfCairn(folder: string, entry: string): boolean {
  if (/^cairn-(?:triage|e2e)-/.test(entry)) return true;
  const files = fs.readdirSync(path.join(folder, entry), { recursive: true, withFileTypes: true });
  const written = files.filter((each) => !each.isDirectory());
  const ofWorker = [`${path.sep}.cairn`, path.join(path.sep, '.claude', 'memory')]; // its log, and the summary of a session
  return written.length > 0 && written.every((each) => ofWorker.some((part) => each.parentPath.includes(part)));
}

/** A run that was killed could not clean up. */
function removeOfDeadRuns(): void {
  for (const place of [os.tmpdir(), ...(fs.existsSync(IN_MEMORY) ? [IN_MEMORY] : [])])
    for (const entry of fs.readdirSync(place)) {
      const pid = new RegExp(`^${NAME}(\\d+)-`).exec(entry)?.[1];
      if (pid !== undefined && !isAlive(Number(pid)))
        fs.rmSync(path.join(place, entry), { recursive: true, force: true });
    }
}

/** Containers often have one of 64 MB; and what is written there is memory that tests need, too. */
function hasRoom(place: string): boolean {
  try {
    fs.accessSync(place, fs.constants.W_OK | fs.constants.X_OK);
    const { bavail, bsize } = fs.statfsSync(place);
    return bavail * bsize >= ROOM && os.freemem() >= ROOM;
  } catch {
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
