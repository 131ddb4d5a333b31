// Two homes of one person, with the same project at different places, and a place between them: a folder, and a bare git repository.
// The command line does all of it; what is at the place is read as a stranger would.

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Decrypter } from 'age-encryption';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeConversation } from '../../scripts/demo-conversation.mjs';
import { removeBusyFolder } from '../../src/files/remove-busy-folder.ts';
import { newMemoryFolder } from '../fixtures/temporary.ts';

const binary = path.resolve(import.meta.dirname, '../../dist/faces/cli/main.js');
const PASSPHRASE = 'correct horse battery staple';
const SESSION = '0b1d6f0e-5c1f-4d0c-9d0f-1c6a6c1d2e3f';
/** The program itself, where it is installed. */
const AGE: string = 'age';
const QUESTION = 'where do we keep the sessions';

type Ran = { status: number | null; out: string; err: string };

class Home {
  readonly home: string;
  readonly project: string;
  readonly env: NodeJS.ProcessEnv;

  constructor(base: string, name: string, project: string) {
    this.home = path.join(base, name);
    this.project = path.join(this.home, project);
    fs.mkdirSync(this.project, { recursive: true });
    const { CAIRN_DISABLE: _, CAIRN_HOME: __, ...inherited } = process.env;
    this.env = {
      ...inherited,
      ...{ HOME: this.home, USERPROFILE: this.home, CLAUDE_PROJECT_DIR: '', CAIRN_SYNC_PASSPHRASE: PASSPHRASE },
      ...{ GIT_CONFIG_GLOBAL: path.join(base, 'none'), GIT_CONFIG_NOSYSTEM: '1' },
      CAIRN_EMBEDDINGS_PROVIDER: 'none', // no vectors are made here, and each question would open the model
    };
  }

  run(argv: readonly string[], more: NodeJS.ProcessEnv = {}): Ran {
    const { status, stdout, stderr } = spawnSync(process.execPath, [binary, ...argv], {
      ...{ cwd: this.project, env: { ...this.env, ...more }, encoding: 'utf8', input: '' },
    });
    return { status, out: stdout, err: stderr };
  }

  json<T>(...argv: string[]): T {
    const { status, out, err } = this.run([...argv, '--json']);
    if (status !== 0) throw new Error(`cairn ${argv.join(' ')} (${status}): ${out}${err}`);
    return JSON.parse(out) as T;
  }

  git(...argv: string[]): void {
    const who = ['-c', 'user.name=x', '-c', 'user.email=x@example.org'];
    execFileSync('git', [...who, ...argv], { cwd: this.project, env: this.env, stdio: 'ignore' });
  }

  /** Without what tells one run from another. */
  answers(): unknown {
    const { took_ms: _, ...rest } = this.json<{ took_ms: number }>('remember', QUESTION);
    return rest;
  }

  get transcript(): string {
    return path.join(this.home, '.claude', 'projects', this.project.replace(/[^A-Za-z0-9]/g, '-'), `${SESSION}.jsonl`);
  }

  say(text: string): void {
    const at = new Date().toISOString();
    const line = { type: 'user', uuid: `late-${text.length}`, sessionId: SESSION, cwd: this.project, timestamp: at };
    fs.appendFileSync(this.transcript, `${JSON.stringify({ ...line, message: { role: 'user', content: text } })}\n`);
  }
}

/** Every byte at the place, with what a stranger could unpack. */
function readableAt(folder: string): string {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      return `${file.slice(folder.length)}\n${fs.readFileSync(file, 'latin1')}`;
    })
    .join('\n');
}

const WORDS = ['Redis', 'session', 'mobile team', SESSION, 'acme', 'shop', 'decided'];

describe.each(['folder', 'git'] as const)('through a %s', (kind) => {
  let base: string;
  let a: Home;
  let b: Home;
  let place: string;

  beforeAll(() => {
    base = newMemoryFolder();
    a = new Home(base, 'laptop', 'shop');
    b = new Home(base, 'desktop', path.join('work', 'the-shop'));
    place = path.join(base, kind === 'git' ? 'place.git' : 'place');
    if (kind === 'git') execFileSync('git', ['init', '--quiet', '--bare', place]);
    a.git('init', '--quiet');
    a.git('commit', '--quiet', '--allow-empty', '-m', 'first');
    a.git('remote', 'add', 'origin', 'https://github.com/acme/shop.git');
    execFileSync('git', ['clone', '--quiet', a.project, b.project], { env: b.env, stdio: 'ignore' });
    b.git('remote', 'set-url', 'origin', 'git@github.com:acme/shop.git');
    writeConversation(a.home, a.project);
    a.json('backfill', '--no-vectors');
  });
  afterAll(() => removeBusyFolder(base));

  it('is set up by one machine and joined by another', () => {
    expect(a.json('sync', 'init', place, '--name', 'laptop')).toMatchObject({ joined: false, kind, machine: 'laptop' });
    expect(b.json('sync', 'init', place, '--name', 'desktop')).toMatchObject({ joined: true });
    expect(a.json('sync', 'status')).toMatchObject({
      configured: true,
      toPush: 1,
      others: [],
      pushedAt: null,
      trouble: null,
    });
  });

  it('gives the other machine the same answers, though the project lies elsewhere there', () => {
    a.json('config', 'set', '--user', 'retrieval.max_inject', '3');
    const [first] = (a.answers() as { results: { ref: string }[] }).results;
    a.json('feedback', first!.ref, 'useful');
    expect(a.json('sync', 'push')).toMatchObject({ conversations: 1, changed: 1, problems: [], finished: true });
    expect(b.json('sync', 'pull', '--no-vectors')).toMatchObject({
      conversations: 1,
      machines: ['laptop'],
      problems: [],
    });
    expect(b.answers()).toEqual(a.answers());
    expect(b.json<{ value: unknown }>('config', 'get', 'retrieval.max_inject')).toMatchObject({ value: 3 });
    expect(fs.readFileSync(path.join(b.home, '.cairn', 'feedback.json'), 'utf8')).toContain('"useful"');
    expect(b.run(['show', first!.ref]).out).toContain('Then let us keep the sessions in Redis');
  });

  it('shows a stranger no word of it', () => {
    const seen = readableAt(place);
    for (const word of WORDS) expect(seen.toLowerCase()).not.toContain(word.toLowerCase());
  });

  it('is encrypted in the age format, which anybody can open who has the key', async () => {
    const read = (name: string): Buffer =>
      kind === 'git'
        ? execFileSync('git', ['--git-dir', place, 'cat-file', 'blob', `cairn-sync:${name}`])
        : fs.readFileSync(path.join(place, name));
    const opener = new Decrypter();
    opener.addPassphrase(PASSPHRASE);
    const { identity } = JSON.parse(await opener.decrypt(read('key.age'), 'text')) as { identity: string };
    const names =
      kind === 'git'
        ? execFileSync('git', ['--git-dir', place, 'ls-tree', '-r', '--name-only', 'cairn-sync'], { encoding: 'utf8' })
            .trim()
            .split('\n')
        : fs.readdirSync(place, { recursive: true, encoding: 'utf8' });
    const sealed = names.filter((name) => name.endsWith('.age') && name !== 'key.age').map(read);
    expect(sealed.length).toBeGreaterThan(2);
    const hasAge = spawnSync(AGE, ['--version']).status === 0;
    const keyFile = path.join(base, `identity-${kind}.txt`);
    fs.writeFileSync(keyFile, `${identity}\n`, { mode: 0o600 });
    let said = '';
    for (const bytes of sealed) {
      const by = new Decrypter();
      by.addIdentity(identity);
      const plain = await by.decrypt(bytes);
      if (hasAge) expect(execFileSync(AGE, ['-d', '-i', keyFile], { input: bytes })).toEqual(Buffer.from(plain));
      said += gunzipSync(plain).toString('utf8');
    }
    expect(said).toContain('keep the sessions in Redis');
  });

  it('goes both ways, and conversations go on', () => {
    a.say('We decided to rotate the keys of the gateway every month, because an auditor asked for it.');
    a.json('backfill', '--no-vectors');
    a.json('sync', 'push');
    b.json('sync', 'pull', '--no-vectors');
    expect(b.run(['remember', 'rotate the keys of the gateway']).out).toContain('an auditor asked for it');
    fs.mkdirSync(path.dirname(b.transcript), { recursive: true });
    const other = b.transcript.replace(SESSION, '7c1d6f0e-5c1f-4d0c-9d0f-1c6a6c1d2e3f');
    const line = { type: 'user', uuid: 'b-1', sessionId: path.basename(other, '.jsonl'), cwd: b.project };
    const text = 'We decided to send invoices as PDF from the billing service only.';
    fs.writeFileSync(
      other,
      `${JSON.stringify({ ...line, timestamp: new Date().toISOString(), message: { role: 'user', content: text } })}\n`,
    );
    b.json('backfill', '--no-vectors');
    expect(b.json('sync', 'push')).toMatchObject({ conversations: 1 });
    a.json('sync', 'pull', '--no-vectors');
    expect(a.run(['remember', 'invoices as PDF']).out).toContain('from the billing service only');
  });

  it('goes on after a push and a pull that were killed', async () => {
    a.say('Remember that the staging cluster is rebuilt on Mondays.');
    a.json('backfill', '--no-vectors');
    for (const [home, command] of [
      [a, 'push'],
      [b, 'pull'],
    ] as const)
      for (const wait of [60, 200, 400]) {
        const child = spawn(process.execPath, [binary, 'sync', command], {
          cwd: home.project,
          env: home.env,
          stdio: 'ignore',
        });
        setTimeout(() => child.kill('SIGKILL'), wait);
        await new Promise((resolve) => child.once('close', resolve));
      }
    expect(a.json('sync', 'push')).toMatchObject({ problems: [], finished: true });
    expect(b.json('sync', 'pull', '--no-vectors')).toMatchObject({ problems: [], finished: true });
    expect(b.run(['remember', 'staging cluster']).out).toContain('rebuilt on Mondays');
    expect(b.answers()).toEqual(a.answers());
  }, 120_000);

  it('forgets a text and a statement on the other machine too', () => {
    b.json('forget', '--text', 'an auditor asked for it', '--yes');
    b.json('sync', 'push');
    expect(a.json('sync', 'pull', '--no-vectors')).toMatchObject({ forgotten: 1 });
    a.json('sync', 'push');
    const kept = execFileSync(process.execPath, [binary, 'remember', 'rotate the keys of the gateway'], {
      cwd: a.project,
      env: a.env,
      encoding: 'utf8',
    });
    expect(kept).not.toContain('auditor');
    const answers = a.json<{ results: { ref: string; text: string }[] }>(
      'remember',
      'staging cluster rebuilt on Mondays',
    );
    const { ref } = answers.results.find(
      ({ text, ref: each }) => each.startsWith('idea:') && text.includes('Mondays'),
    )!;
    a.json('forget', ref, '--yes');
    a.json('sync', 'push');
    b.json('sync', 'pull', '--no-vectors');
    expect(b.run(['remember', 'staging cluster']).out).not.toContain('Mondays');
    expect(archiveOf(b)).not.toContain('Mondays');
    expect(archiveOf(b)).not.toContain('auditor');
  }, 120_000);

  it('forgets a conversation everywhere, and at the place', () => {
    b.json('forget', SESSION, '--yes');
    b.json('sync', 'push');
    expect(a.json('sync', 'pull', '--no-vectors')).toMatchObject({ forgotten: 1 });
    a.json('sync', 'push');
    expect(a.run(['remember', QUESTION]).out).toContain('Nothing found');
    expect(archiveOf(a)).not.toContain('Redis');
    a.json('backfill', '--no-vectors');
    expect(a.run(['remember', QUESTION]).out).toContain('Nothing found');
    expect(a.json('sync', 'push')).toMatchObject({ conversations: 0 });
    const undo = a.run([
      'forget',
      '--undo',
      a.json<{ forgotten: { id: string }[] }>('forget', '--list').forgotten.at(-1)!.id,
    ]);
    expect(undo.err).toContain('was forgotten on another machine');
    // Let in again where it was forgotten, it comes back from where it still is.
    const own = b
      .json<{ forgotten: { id: string; what: string }[] }>('forget', '--list')
      .forgotten.findLast(({ what }) => what === 'conversations')!;
    b.json('forget', '--undo', own.id);
    b.json('sync', 'push');
    a.json('sync', 'pull', '--no-vectors');
    a.json('backfill', '--no-vectors');
    expect(a.run(['remember', QUESTION]).out).toContain('Redis');
  }, 120_000);

  function archiveOf({ home }: Home): string {
    const folder = path.join(home, '.cairn', 'archive', 'transcripts');
    return fs
      .readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const bytes = fs.readFileSync(path.join(entry.parentPath, entry.name));
        return entry.name.endsWith('.gz') ? gunzipSync(bytes).toString('utf8') : bytes.toString('utf8');
      })
      .join('\n');
  }
});
