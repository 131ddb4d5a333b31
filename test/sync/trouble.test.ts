// What can be wrong with a place: somebody else's folder, another passphrase, a newer Cairn, a drive that is not connected, a disk that is
// full. It is said what happened and what to do, and nothing is changed.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { Cli, type Printed } from '../fixtures/cli.ts';
import { memoryFolder, put, snapshot } from '../fixtures/temporary.ts';

const PASSPHRASE = { CAIRN_SYNC_PASSPHRASE: 'correct horse battery' };
const OTHER = { CAIRN_SYNC_PASSPHRASE: 'another horse battery' };

let cli: Cli;
let place: string;
beforeEach(() => {
  cli = new Cli();
  place = path.join(cli.base, 'place');
});

const init = (env: { [name: string]: string } = PASSPHRASE, ...more: string[]): Promise<Printed> =>
  cli.run(['sync', 'init', place, ...more], { env });
const push = (): Promise<Printed> => cli.run(['sync', 'push']);

describe('setting up', () => {
  it('refuses a folder with other things in it, and changes nothing there', async () => {
    put(path.join(place, 'thesis.txt'), 'mine');
    const before = snapshot(place);
    const { exit, err } = await init();
    expect(exit).toBe(1);
    expect(err).toContain('holds other things');
    expect(err).toContain(path.join(place, 'cairn-sync'));
    expect(snapshot(place)).toEqual(before);
  });

  it('refuses a repository with other branches', async () => {
    execFileSync('git', ['init', '--quiet', '--bare', place]);
    const tree = execFileSync('git', ['--git-dir', place, 'hash-object', '-t', 'tree', '-w', '--stdin'], { input: '' });
    const who = ['-c', 'user.name=x', '-c', 'user.email=x@example.org'];
    const commit = execFileSync('git', ['--git-dir', place, ...who, 'commit-tree', String(tree).trim(), '-m', 'x']);
    execFileSync('git', ['--git-dir', place, 'update-ref', 'refs/heads/main', String(commit).trim()]);
    const { exit, err } = await init();
    expect(exit).toBe(1);
    expect(err).toContain('empty repository of its own');
  });

  it('says that a passphrase is too short, missing, or another one', async () => {
    expect((await init({ CAIRN_SYNC_PASSPHRASE: 'short' })).err).toContain('at least 12 characters');
    expect((await init({})).err).toContain('CAIRN_SYNC_PASSPHRASE');
    expect((await init()).exit).toBe(0);
    const before = snapshot(place);
    const other = new Cli(memoryFolder());
    const { exit, err } = await other.run(['sync', 'init', place], { env: OTHER });
    expect(exit).toBe(1);
    expect(err).toContain('The passphrase does not open');
    expect(snapshot(place)).toEqual(before);
    expect((await other.run(['sync', 'status'])).out).toContain('not set up');
  });

  it('takes a key file in the place of a passphrase, and refuses one that holds no key', async () => {
    const { generateX25519Identity } = await import('age-encryption');
    const file = put(path.join(cli.base, 'key.txt'), `# created today\n${await generateX25519Identity()}\n`);
    const empty = put(path.join(cli.base, 'empty.txt'), 'nothing');
    expect((await init({}, '--key-file', empty)).err).toContain('holds no age key');
    expect((await init({}, '--key-file', file)).exit).toBe(0);
    const other = new Cli(memoryFolder());
    expect((await other.run(['sync', 'init', place, '--key-file', file])).out).toContain('Joined');
    expect((await other.run(['sync', 'init', place], { env: PASSPHRASE })).exit).toBe(1);
  });

  it('keeps what opens the place in a file of the user alone, and in no other', async () => {
    await init();
    const folder = path.join(cli.home, '.cairn', 'sync');
    if (process.platform !== 'win32') {
      expect(fs.statSync(folder).mode & 0o777).toBe(0o700);
      expect(fs.statSync(path.join(folder, 'key.json')).mode & 0o777).toBe(0o600);
    }
    const files = Object.entries({ ...snapshot(cli.project), ...snapshot(cli.home), ...snapshot(place) });
    expect(files.filter(([, text]) => text.includes(PASSPHRASE.CAIRN_SYNC_PASSPHRASE))).toEqual([]);
    expect(files.filter(([, text]) => text.includes('AGE-SECRET-KEY')).map(([file]) => path.basename(file))).toEqual([
      'key.json',
    ]);
  });

  it('refuses a place inside what is to be carried', async () => {
    place = path.join(cli.home, '.cairn', 'here');
    expect((await init()).err).toContain('which is what is to be carried');
  });
});

describe('a place', () => {
  it('that a newer Cairn has set up is left alone', async () => {
    await init();
    put(path.join(place, 'cairn-sync.json'), { format: 'cairn-sync', version: 2 });
    const before = snapshot(place);
    const { exit, err } = await push();
    expect(exit).toBe(1);
    expect(err).toContain('Update Cairn on this machine');
    expect(snapshot(place)).toEqual(before);
  });

  it('that is not connected, or was emptied, is not taken for a new one', async () => {
    await init();
    fs.renameSync(place, `${place}-away`);
    expect((await push()).err).toContain('There is no folder');
    const { out, exit } = await cli.run(['sync', 'status']);
    expect(out).toContain('There is no folder');
    expect(exit).toBe(1);
    fs.mkdirSync(place);
    expect((await push()).err).toContain('is empty, and was not');
    expect(fs.readdirSync(place)).toEqual([]);
  });

  it('whose key is gone says so', async () => {
    await init();
    fs.rmSync(path.join(place, 'key.age'));
    const other = new Cli(memoryFolder());
    const { err } = await other.run(['sync', 'init', place], { env: PASSPHRASE });
    expect(err).toContain('has no key.age');
  });

  it('is asked for before anything is pushed', async () => {
    const { exit, err } = await push();
    expect(exit).toBe(1);
    expect(err).toContain('cairn sync init FOLDER|GIT-URL');
  });

  it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
    'that may not be written to is named',
    async () => {
      await init();
      fs.chmodSync(place, 0o500);
      try {
        expect((await push()).err).toContain('cannot be written');
      } finally {
        fs.chmodSync(place, 0o700);
      }
    },
  );
});

describe('a home that was copied', () => {
  it('gets a name of its own, and neither of the two loses anything', async () => {
    await init(PASSPHRASE, '--name', 'first');
    expect((await push()).exit).toBe(0);
    const folder = path.join(cli.home, '.cairn', 'sync');
    const copy = path.join(cli.base, 'copy');
    fs.cpSync(folder, copy, { recursive: true });
    await cli.run(['config', 'set', '--user', 'retrieval.max_inject', '2']);
    await push();
    // As the copy sees it: somebody has pushed under its name.
    fs.rmSync(folder, { recursive: true });
    fs.cpSync(copy, folder, { recursive: true });
    expect((await push()).exit).toBe(0);
    expect(fs.readdirSync(place).filter((name) => /^[0-9a-f]{32}$/.test(name))).toHaveLength(2);
  });
});
