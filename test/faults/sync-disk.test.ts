// The place of sync, or the home of the machine that pulls, may only be read or is on a full disk. It is said what is wrong, nothing falls
// over, and once there is room the same command does the rest. Real mounts, the real binary.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { Cli } from '../fixtures/cli.ts';
import { temporaryFolder } from '../fixtures/temporary.ts';
import { SAID_STAYS, STAYS, transcript } from '../forget/everything.ts';
import { type Mount, MountSpace, sayLoudly, whyNoMounts } from './mount-space.ts';

const PROGRAM = path.resolve(import.meta.dirname, '../../dist/faces/cli/main.js');
type Said = { exit: number; text: string };

const none = sayLoudly(whyNoMounts(), 'tests with a place of sync that cannot be written');

function run(words: readonly string[], cli: Cli): Said {
  const [file, ...rest] = words;
  const env = { PATH: process.env.PATH, HOME: cli.home, CAIRN_EMBEDDINGS_PROVIDER: 'none' };
  const own = { ...env, CAIRN_SYNC_PASSPHRASE: 'correct horse battery' };
  try {
    return {
      exit: 0,
      text: execFileSync(file!, rest, { cwd: cli.project, encoding: 'utf8', stdio: 'pipe', env: own }),
    };
  } catch (error) {
    const { status, stdout, stderr } = error as { status: number; stdout: string; stderr: string };
    return { exit: status, text: `${stdout}${stderr}` };
  }
}

const cairn = (cli: Cli, ...argv: string[]): Said => run([process.execPath, PROGRAM, ...argv], cli);

const KINDS: readonly (readonly [string, (place: string) => Mount])[] = [
  ['may only be read', (place) => ({ kind: 'read-only', place })],
  ['is on a full disk', (place) => ({ kind: 'small-disk', place, kilobytes: 256, full: true })],
];

function world(): { a: Cli; b: Cli; place: string } {
  const [a, b] = [new Cli(), new Cli()];
  const place = path.join(temporaryFolder(), 'place');
  transcript(a, STAYS, SAID_STAYS);
  expect(cairn(a, 'backfill')).toMatchObject({ exit: 0 });
  expect(cairn(a, 'sync', 'init', place)).toMatchObject({ exit: 0 });
  expect(cairn(b, 'sync', 'init', place)).toMatchObject({ exit: 0 });
  return { a, b, place };
}

async function inside(mount: Mount, cli: Cli, argv: readonly string[]): Promise<Said> {
  const space = await MountSpace.make([mount]);
  try {
    return run(space.inside(cli.project, [process.execPath, PROGRAM, ...argv]), cli);
  } finally {
    space.close();
  }
}

describe.skipIf(none).each(KINDS)('sync', { timeout: 240_000 }, (kind, mount) => {
  it(`says that a place ${kind}, and goes on when it is not so any more`, async () => {
    const { a, b, place } = world();
    const said = await inside(mount(place), a, ['sync', 'push']);
    expect(said.exit).toBe(1);
    expect(said.text).toMatch(/cannot be written: .*(?:EROFS|ENOSPC)/);
    expect(said.text).toContain('it goes on where it stopped');
    expect(said.text).not.toMatch(/\n\s+at /);
    expect(cairn(a, 'sync', 'push')).toMatchObject({ exit: 0 });
    expect(cairn(b, 'sync', 'pull').text).toContain('1 of them new or longer here');
  });

  it(`says that the archive of the one who pulls ${kind}, and goes on when it is not so any more`, async () => {
    const { a, b } = world();
    expect(cairn(a, 'sync', 'push')).toMatchObject({ exit: 0 });
    const archive = path.join(b.home, '.cairn', 'archive');
    fs.mkdirSync(archive, { recursive: true });
    const said = await inside(mount(archive), b, ['sync', 'pull']);
    expect(said.exit).toBe(1);
    expect(said.text).toContain('Nothing can be added to the archive');
    expect(said.text).toContain('then run it again');
    expect(said.text).not.toMatch(/\n\s+at /);
    expect(cairn(b, 'sync', 'pull')).toMatchObject({ exit: 0 });
    expect(fs.readdirSync(path.join(archive, 'transcripts'))).toHaveLength(1);
  });
});
