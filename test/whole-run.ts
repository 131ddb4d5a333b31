// Around a whole run of tests: one seed, printed, and one temporary folder for all that they make. Whatever still lies in it at the
// end was left behind by a test, so the run fails and says what.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { seedOfRun } from './fixtures/seed.ts';

const NAME = 'cairn-run-';
/** Node, and what tests start, ask these for the place of temporary files. */
const VARIABLES = ['TMPDIR', 'TEMP', 'TMP'];

export default function setUp(): () => void {
  process.stderr.write(`Seed of this run: ${seedOfRun()} (CAIRN_TEST_SEED=… takes the same chances again)\n`);
  removeOfDeadRuns();
  const folder = fs.realpathSync.native(fs.mkdtempSync(path.join(os.tmpdir(), `${NAME}${process.pid}-`)));
  const before = VARIABLES.map((name) => [name, process.env[name]] as const);
  for (const name of VARIABLES) process.env[name] = folder;
  return () => {
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    const left = fs
      .readdirSync(folder)
      .filter((entry) => entry.startsWith('cairn-') && !isOfCairn(folder, entry))
      .map((entry) => `${entry} (${namesBelow(path.join(folder, entry)).slice(0, 5).join(', ')})`);
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
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
  return written.length > 0 && written.every((each) => each.parentPath.includes(`${path.sep}.cairn`));
}

/** A run that was killed could not clean up. */
function removeOfDeadRuns(): void {
  for (const entry of fs.readdirSync(os.tmpdir())) {
    const pid = new RegExp(`^${NAME}(\\d+)-`).exec(entry)?.[1];
    if (pid !== undefined && !isAlive(Number(pid)))
      fs.rmSync(path.join(os.tmpdir(), entry), { recursive: true, force: true });
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
