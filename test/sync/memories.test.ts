// Records and notes of a memory that lies in no repository, between two homes: both ways, removed, changed on both sides, interrupted, and
// where the folder is not connected. The command line does all of it, on a folder and on a bare git repository.

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeBusyFolder } from '../../src/files/remove-busy-folder.ts';
import { newMemoryFolder, snapshot } from '../fixtures/temporary.ts';

const binary = path.resolve(import.meta.dirname, '../../dist/faces/cli/main.js');
type Pulled = { memories: { files: number; conflicts: string[] }; problems: string[] };

class Home {
  readonly project: string;
  readonly memory: string;
  readonly env: NodeJS.ProcessEnv;

  constructor(base: string, name: string) {
    const home = path.join(base, name);
    this.project = path.join(home, `work-${name}`, 'shop');
    this.memory = path.join(home, 'notes', 'of-the-shop');
    fs.mkdirSync(this.project, { recursive: true });
    const { CAIRN_DISABLE: _, CAIRN_HOME: __, ...inherited } = process.env;
    this.env = {
      ...inherited,
      ...{ HOME: home, USERPROFILE: home, CLAUDE_PROJECT_DIR: '', CAIRN_SYNC_PASSPHRASE: 'correct horse battery' },
      ...{ GIT_CONFIG_GLOBAL: path.join(base, 'none'), GIT_CONFIG_NOSYSTEM: '1', CAIRN_EMBEDDINGS_PROVIDER: 'none' },
    };
  }

  run(...argv: string[]): { status: number | null; out: string; err: string } {
    const { status, stdout, stderr } = spawnSync(process.execPath, [binary, ...argv], {
      ...{ cwd: this.project, env: this.env, encoding: 'utf8', input: '' },
    });
    return { status, out: stdout, err: stderr };
  }

  json<T>(...argv: string[]): T {
    const { status, out, err } = this.run(...argv, '--json');
    if (status !== 0) throw new Error(`cairn ${argv.join(' ')} (${status}): ${out}${err}`);
    return JSON.parse(out) as T;
  }

  sync(): Pulled {
    const pulled = this.json<Pulled>('sync', 'pull');
    this.json('sync', 'push');
    return pulled;
  }

  file(name: string): string {
    return path.join(this.memory, name);
  }

  change(name: string, title: string): void {
    const record = JSON.parse(fs.readFileSync(this.file(name), 'utf8')) as object;
    fs.writeFileSync(this.file(name), `${JSON.stringify({ ...record, title }, null, 2)}\n`);
  }

  title(name: string): unknown {
    return (JSON.parse(fs.readFileSync(this.file(name), 'utf8')) as { title: unknown }).title;
  }

  /** Records and notes alone. */
  files(): { [name: string]: string } {
    const all = fs.existsSync(this.memory) ? Object.entries(snapshot(this.memory)) : [];
    return Object.fromEntries(all.filter(([name]) => /^(?:decisions|nodes)[\\/].*\.(?:json|md)$/.test(name)));
  }
}

const JWT = 'decisions/use-jwt-for-the-gateway.json';

describe.each(['folder', 'git'] as const)('a memory in no repository, through a %s', { timeout: 300_000 }, (kind) => {
  let base: string;
  let a: Home;
  let b: Home;
  let place: string;

  beforeAll(() => {
    base = newMemoryFolder();
    [a, b] = [new Home(base, 'laptop'), new Home(base, 'desktop')];
    place = path.join(base, kind === 'git' ? 'place.git' : 'place');
    if (kind === 'git') execFileSync('git', ['init', '--quiet', '--bare', place]);
    for (const home of [a, b]) {
      const git = (...argv: string[]) =>
        execFileSync('git', argv, { cwd: home.project, env: home.env, stdio: 'ignore' });
      git('init', '--quiet');
      git('remote', 'add', 'origin', 'https://github.com/acme/shop.git');
      expect(home.run('config', 'set', 'memory_root', home.memory).status).toBe(0);
    }
    a.json('sync', 'init', place, '--name', 'laptop', '--no-auto');
    b.json('sync', 'init', place, '--name', 'desktop', '--no-auto');
  }, 120_000);
  afterAll(() => removeBusyFolder(base));

  it('is not carried until somebody says so', () => {
    expect(a.run('save', 'decision', 'Use JWT for the gateway because sessions must be stateless').status).toBe(0);
    expect(a.run('note', 'new', 'task', 'Rotate the keys').status).toBe(0);
    expect(Object.keys(a.files())).toHaveLength(2);
    expect(a.json('sync', 'status')).toMatchObject({ memories: null });
    a.json('sync', 'push');
    expect(b.json<Pulled>('sync', 'pull').memories).toEqual({ files: 0, conflicts: [] });
    expect(b.files()).toEqual({});
  });

  it('comes to the other machine, and is found there', () => {
    for (const home of [a, b])
      expect(home.json('sync', 'status', '--memories', 'on')).toMatchObject({ memories: [home.memory] });
    expect(a.json('sync', 'push')).toMatchObject({ files: 2 });
    expect(b.json<Pulled>('sync', 'pull')).toMatchObject({ memories: { files: 2, conflicts: [] }, problems: [] });
    expect(b.files()).toEqual(a.files());
    expect(b.run('remember', 'gateway tokens').out).toContain('Use JWT for the gateway');
    expect(b.run('index', '--validate').status).toBe(0);
    expect(b.json<Pulled>('sync', 'pull').memories.files).toBe(0);
  });

  it('shows a stranger no word of it', () => {
    const seen = Object.entries(snapshot(place)).flat().join('\n');
    for (const word of ['JWT', 'gateway', 'stateless', 'acme', 'decisions', 'Rotate']) expect(seen).not.toContain(word);
  });

  it('goes both ways: what is new, changed and removed', () => {
    expect(b.run('save', 'decision', 'Print invoices with Typst because LaTeX is slow').status).toBe(0);
    b.change(JWT, 'Use JWT for every gateway');
    b.sync();
    expect(a.sync().memories).toEqual({ files: 2, conflicts: [] });
    expect(a.title(JWT)).toBe('Use JWT for every gateway');
    const [task] = Object.keys(a.files()).filter((name) => name.endsWith('.md'));
    fs.rmSync(a.file(task!));
    a.sync();
    expect(b.sync().memories).toEqual({ files: 1, conflicts: [] });
    expect(b.files()).toEqual(a.files());
    expect(Object.keys(b.files())).toHaveLength(2);
  });

  it('keeps both where both were changed: the newer in place, the older beside it, on both machines', () => {
    a.change(JWT, 'The older title');
    const older = new Date(Date.now() - 3_600_000);
    fs.utimesSync(a.file(JWT), older, older);
    b.change(JWT, 'The newer title');
    a.json('sync', 'push');
    b.json('sync', 'push'); // without having looked
    const pulls = [a.sync(), b.sync(), a.sync(), b.sync()];
    expect(pulls.flatMap(({ memories }) => memories.conflicts).join('\n')).toContain('-other-');
    expect(b.files()).toEqual(a.files());
    for (const home of [a, b]) {
      expect(home.title(JWT)).toBe('The newer title');
      const [beside] = Object.keys(home.files()).filter((name) => name.includes('-other-'));
      expect(home.title(beside!)).toBe('The older title');
      expect(home.run('index', '--validate').status).toBe(0);
    }
    expect(a.sync().memories).toEqual({ files: 0, conflicts: [] }); // it is settled
  });

  it('keeps what one changed and the other removed', () => {
    a.change(JWT, 'Changed meanwhile');
    fs.rmSync(b.file(JWT));
    b.sync();
    a.sync();
    b.sync();
    expect(b.title(JWT)).toBe('Changed meanwhile');
    expect(b.files()).toEqual(a.files());
  });

  it('takes a folder that is gone for one that is not connected', () => {
    const before = b.files();
    fs.renameSync(a.memory, `${a.memory}-away`);
    const { status, err } = a.run('sync', 'pull');
    expect(status).toBe(1);
    expect(err).toContain('is left alone until its files are back');
    expect(a.run('sync', 'push').status).toBe(1);
    expect(b.sync().memories.files).toBe(0);
    expect(b.files()).toEqual(before);
    fs.rmSync(a.memory, { recursive: true, force: true });
    fs.renameSync(`${a.memory}-away`, a.memory);
    expect(a.sync().problems).toEqual([]);
    expect(a.files()).toEqual(before);
  });

  it('is whole after a push and a pull that were killed', async () => {
    for (let n = 0; n < 12; n++)
      expect(a.run('save', 'decision', `Shelf number ${n} holds boxes because of its width ${n}`, '--new').status).toBe(
        0,
      );
    for (const [home, command] of [
      [a, 'push'],
      [b, 'pull'],
    ] as const)
      for (const pause of [150, 300, 500]) {
        const child = spawn(process.execPath, [binary, 'sync', command], {
          ...{ cwd: home.project, env: home.env, stdio: 'ignore' as const },
        });
        const timer = setTimeout(() => child.kill('SIGKILL'), pause); // wherever that is
        await new Promise((resolve) => child.once('close', resolve));
        clearTimeout(timer);
      }
    a.sync();
    expect(b.sync().problems).toEqual([]);
    a.sync();
    expect(b.files()).toEqual(a.files());
    expect(Object.keys(b.files()).length).toBeGreaterThanOrEqual(14);
    expect(b.run('index', '--validate').status).toBe(0);
  });
});
