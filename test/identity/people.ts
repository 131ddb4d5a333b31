// A person with projects: real repositories, conversations as the client writes them, the built program and its hooks as processes of
// their own, all below one temporary folder.

import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { clientFolderName } from '../../src/files/project-identity.ts';
import { removeBusyFolder } from '../../src/files/remove-busy-folder.ts';
import type { JsonObject } from '../../src/model/json.ts';
import { openDriver } from '../../src/store/sqlite/driver.ts';
import { seededRandom } from '../fixtures/seed.ts';
import { newFolder } from '../fixtures/temporary.ts';

const random = seededRandom();

const BINARY = path.resolve(import.meta.dirname, '../../dist/faces/cli/main.js');

export const REMOTE = 'https://me:sesame@git.example.com/Team/App.git';
export const SAID = 'We decided to keep the ledger in Postgres, because the bookkeeping needs transactions.';
export const ASKED = 'Where do we keep the ledger of the bookkeeping?';

export const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], {
    cwd,
    stdio: 'pipe',
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
  }).toString();

export class Person {
  readonly base = newFolder();
  readonly home = path.join(this.base, 'home');
  #binary = BINARY;
  #sessions = 0;

  constructor() {
    fs.mkdirSync(this.home);
    onTestFinished(() => removeBusyFolder(this.base));
  }

  at(...parts: string[]): string {
    return path.join(this.base, 'work', ...parts);
  }

  /** A repository with one commit. */
  repository(name: string, remote?: string): string {
    const top = this.at(name);
    fs.mkdirSync(top, { recursive: true });
    git(top, 'init', '-q', '-b', 'main');
    fs.writeFileSync(path.join(top, 'README.md'), `${name}\n`);
    git(top, 'add', '.');
    git(top, 'commit', '-q', '-m', `first of ${name}`);
    if (remote !== undefined) git(top, 'remote', 'add', 'origin', remote);
    return top;
  }

  /** A clone as if it came from the remote of the first. */
  clone(from: string, name: string, remote?: string): string {
    git(this.base, 'clone', '-q', '--no-hardlinks', from, this.at(name));
    if (remote !== undefined) git(this.at(name), 'remote', 'set-url', 'origin', remote);
    return this.at(name);
  }

  /** The client writes down a conversation. */
  talk(cwd: string, texts: readonly string[] = [SAID], folder = clientFolderName(cwd)): string {
    const session = `00000000-0000-4000-8000-${String(++this.#sessions).padStart(12, '0')}`;
    const file = path.join(this.home, '.claude', 'projects', folder, `${session}.jsonl`);
    const lines = texts.flatMap((text, at) => [
      { type: 'user', message: { role: 'user', content: text } },
      {
        type: 'assistant',
        message: { id: `m${at}`, role: 'assistant', content: [{ type: 'text', text: `This was part ${at} of it.` }] },
      },
    ]);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    const common = { sessionId: session, cwd, version: '2.1.325' };
    fs.writeFileSync(
      file,
      lines
        .map((line, at) => {
          const timestamp = new Date(Date.now() - 3_600_000 + at * 1_000 + this.#sessions * 60_000).toISOString();
          return `${JSON.stringify({ ...line, ...common, uuid: `u${at}`, timestamp })}\n`;
        })
        .join(''),
    );
    return file;
  }

  get #env(): NodeJS.ProcessEnv {
    const { PATH, SystemRoot } = process.env;
    return { PATH, SystemRoot, HOME: this.home, USERPROFILE: this.home, CAIRN_EMBEDDINGS_PROVIDER: 'none' };
  }

  run(cwd: string, ...argv: string[]): { exit: number | null; out: string; err: string } {
    const done = spawnSync(process.execPath, [this.#binary, ...argv], { cwd, env: this.#env, encoding: 'utf8' });
    return { exit: done.status, out: done.stdout, err: done.stderr };
  }

  json<T = JsonObject>(cwd: string, ...argv: string[]): T {
    const { exit, out, err } = this.run(cwd, ...argv, '--json');
    if (exit !== 0) throw new Error(`cairn ${argv.join(' ')} failed (${exit}): ${out}${err}`);
    return JSON.parse(out) as T;
  }

  backfill(cwd: string, ...more: string[]): void {
    this.json(cwd, 'backfill', ...more);
  }

  /** What a question finds here. */
  remember(cwd: string, question = ASKED, ...more: string[]): { ref: string; text: string; project: string }[] {
    return this.json<{ results: { ref: string; text: string; project: string }[] }>(cwd, 'remember', question, ...more)
      .results;
  }

  hears(cwd: string, text = SAID, question = ASKED): boolean {
    return this.remember(cwd, question).some((each) => each.text.includes(text));
  }

  /** A hook as the client runs it; what it answers. */
  hook(event: string, cwd: string, payload: JsonObject = {}): string {
    const input = { session_id: 'now', cwd, transcript_path: '', ...payload };
    const done = spawnSync(process.execPath, [this.#binary, 'hook', event], {
      cwd,
      env: { ...this.#env, CLAUDE_PROJECT_DIR: cwd },
      encoding: 'utf8',
      input: JSON.stringify(input),
    });
    if (done.status !== 0) throw new Error(`${event} failed (${done.status}): ${done.stderr}`);
    return done.stdout;
  }

  prompt(cwd: string, prompt = ASKED): string {
    return this.hook('user-prompt-submit', cwd, {
      hook_event_name: 'UserPromptSubmit',
      prompt,
      session_id: `s${random()}`,
    });
  }

  /** What a session is told when it starts, without the worker that it would leave behind. */
  start(cwd: string): string {
    const settings = path.join(this.home, '.cairn', 'config.json');
    fs.writeFileSync(settings, '{"traces": {"enabled": false}}');
    const told = this.hook('session-start', cwd, { hook_event_name: 'SessionStart', source: 'startup' });
    fs.rmSync(settings);
    return told;
  }

  /** The worker that a session starts, waited for. */
  work(cwd: string, event = 'SessionStart', transcript = ''): void {
    this.hook('index-worker', cwd, { hook_event_name: event, transcript_path: transcript });
  }

  /**
   * What an older version would have done: conversations go by the path, marks of trust by the root, and there is no registry. With
   * CAIRN_OLDER_BINARY (the `main.js` of a build from before) that version itself does it.
   */
  inOlderVersion(top: string, work: () => void): void {
    const older = process.env.CAIRN_OLDER_BINARY;
    this.#binary = older ?? BINARY;
    try {
      work();
    } finally {
      this.#binary = BINARY;
    }
    if (older === undefined) asOlderVersion(path.join(this.home, '.cairn'), top);
  }

  registry(): string {
    return fs.readFileSync(path.join(this.home, '.cairn', 'projects.json'), 'utf8');
  }
}

function asOlderVersion(userRoot: string, top: string): void {
  const registry = path.join(userRoot, 'projects.json');
  const { id } = (JSON.parse(fs.readFileSync(registry, 'utf8')) as { projects: { id: string }[] }).projects[0]!;
  fs.rmSync(registry);
  const renamed = (text: string): string => text.replaceAll(JSON.stringify(id), JSON.stringify(top));
  const database = openDriver(path.join(userRoot, 'memory.db'));
  database.prepare("UPDATE facet SET value = ? WHERE field = 'project' AND value = ?").run(top, id);
  const rows = database.prepare('SELECT key, value FROM state').all() as unknown as { key: string; value: string }[];
  for (const { key, value } of rows)
    database.prepare('UPDATE state SET value = ? WHERE key = ?').run(renamed(value), key);
  database.close();
  for (const entry of fs.readdirSync(userRoot, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (!entry.isFile() || !entry.name.endsWith('.json')) continue;
    const text = renamed(fs.readFileSync(file, 'utf8'));
    const plain = file.includes(`${path.sep}trust${path.sep}`)
      ? text.replace(/,\s*"(?:stamp|remote|within)": "[^"]*"/g, '')
      : text;
    fs.writeFileSync(file, plain);
  }
}
