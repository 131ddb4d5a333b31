// Ways in which Cairn can be broken, each on a memory that worked a moment ago: a decision is saved, a conversation is indexed.

import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { openDriver } from '../../src/store/sqlite/driver.ts';
import { Cli } from '../fixtures/cli.ts';
import { put } from '../fixtures/temporary.ts';
import { type Mount, MountSpace, whyNoMounts } from './mount-space.ts';

export const PACKAGE: string = path.resolve(import.meta.dirname, '../..');
export const SESSION = 'f0f0f0f0-0000-4000-8000-000000000001';
export const PROMPT = 'how does the gateway check who is calling it';
const DECISION = 'The gateway checks callers with signed tokens because sessions must be stateless';

export type Place = {
  readonly base: string;
  readonly home: string;
  readonly project: string;
  readonly transcript: string;
};

/** What a fault did to the place, and how to work in it from now on. */
export type Broken = {
  /** The package to run, if not the one that was built. */
  readonly root?: string;
  inside?(cwd: string, words: readonly string[]): string[];
  undo?(): void;
};

export type Fault = {
  readonly name: string;
  /** Not the database: recall works as ever, and is expected to. */
  readonly recalls?: boolean;
  /** The user's folder or the memory cannot be written: nothing can be kept, the log neither. */
  readonly silent?: boolean;
  /** Settings that are not used are told on standard error, which the client keeps in its debug log. */
  readonly warns?: boolean;
  /** What `cairn doctor` says: where, and what. */
  readonly cause: { readonly area: string; readonly text: RegExp; readonly fix?: RegExp };
  /** Why it cannot be tried here. */
  readonly impossible?: string | undefined;
  break(place: Place): Broken | Promise<Broken>;
};

/** Made by the sources, in this process. */
export async function makeMemory(base: string): Promise<Place> {
  const cli = new Cli(base);
  const { home, project } = cli;
  put(path.join(home, '.cairn/config.json'), { embeddings: { provider: 'none' } });
  fs.chmodSync(path.join(home, '.cairn'), 0o700);
  const transcript = path.join(home, '.claude/projects/p', `${SESSION}.jsonl`);
  const said = [
    'which queue should we take?',
    'We decided to use one queue per tenant because a slow one must not block others.',
  ];
  const lines = said.map((content, at) => {
    const type = at % 2 === 0 ? 'user' : 'assistant';
    const message =
      type === 'user' ? { role: type, content } : { id: 'm1', role: type, content: [{ type: 'text', text: content }] };
    const timestamp = new Date(Date.now() - 7_200_000 + at * 1_000).toISOString();
    return `${JSON.stringify({ type, message, uuid: `u${at}`, sessionId: SESSION, cwd: project, timestamp })}\n`;
  });
  put(transcript, lines.join(''));
  for (const words of [['save', 'decision', DECISION, '--tags', 'auth,gateway'], ['backfill']]) {
    const { exit, out, err } = await cli.run(words);
    if (exit !== 0) throw new Error(`cairn ${words[0]} failed: ${out}${err}`);
  }
  for (const folder of [home, path.join(home, '.cairn')]) fs.chmodSync(folder, 0o700);
  return { base, home, project, transcript };
}

const database = ({ home }: Place): string => path.join(home, '.cairn/memory.db');

/** The file alone, without what SQLite keeps beside it. */
function damage(place: Place, change: (bytes: Buffer) => Buffer): Broken {
  const file = database(place);
  const driver = openDriver(file);
  driver.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  driver.close();
  for (const suffix of ['-wal', '-shm']) fs.rmSync(file + suffix, { force: true });
  fs.writeFileSync(file, change(fs.readFileSync(file)));
  return {};
}

const PAGE = 8_192;

/** Every byte of the heads of all pages but the first: the tree leads nowhere. */
function flipBits(bytes: Buffer): Buffer {
  for (let page = PAGE; page < bytes.length; page += PAGE) for (let at = page; at < page + 24; at++) bytes[at]! ^= 0x55;
  return bytes;
}

async function mounted(mounts: readonly Mount[]): Promise<Broken> {
  const space = await MountSpace.make(mounts);
  return { inside: (cwd, words) => space.inside(cwd, words), undo: () => space.close() };
}

/** Held by this process, which is not the one that asks. */
function lock(place: Place, sql: readonly string[]): Broken {
  const driver = openDriver(database(place));
  for (const each of sql) driver.exec(each);
  return { undo: () => driver.close() };
}

/** The package without the database that it brings along, as where none was made for the platform. */
function withoutNative({ base }: Place): Broken {
  const root = path.join(base, 'package');
  for (const name of ['dist', 'plugin', '.claude-plugin', 'package.json'])
    fs.cpSync(path.join(PACKAGE, name), path.join(root, name), { recursive: true });
  fs.rmSync(path.join(root, 'dist/native'), { recursive: true });
  return { root };
}

const mounts = whyNoMounts();
const hasBuiltIn = process.getBuiltinModule?.('node:sqlite') !== undefined;
const DAMAGED = { area: 'database', text: /damaged|malformed|not a database/, fix: /cairn reindex/ } as const;

export const FAULTS: readonly Fault[] = [
  {
    name: 'the database is garbage',
    cause: DAMAGED,
    break: (place) => damage(place, () => Buffer.alloc(65_536, 'no database ')),
  },
  {
    name: 'the database is cut off',
    cause: DAMAGED,
    break: (place) => damage(place, (bytes) => bytes.subarray(0, bytes.length / 2)),
  },
  { name: 'bits of the database are flipped', cause: DAMAGED, break: (place) => damage(place, flipBits) },
  {
    name: 'the database may only be read',
    cause: { area: 'database', text: /cannot be opened for writing/, fix: /permissions/ },
    impossible: mounts,
    break: (place) => mounted([{ kind: 'read-only', place: database(place) }]),
  },
  {
    name: 'the folders may only be read',
    silent: true,
    cause: { area: 'user folder', text: /cannot be written/, fix: /owner|mode/ },
    impossible: mounts,
    break: ({ home, project }) =>
      mounted([
        { kind: 'read-only', place: path.join(home, '.cairn') },
        { kind: 'read-only', place: path.join(project, '.claude/memory') },
      ]),
  },
  {
    name: 'another process writes to the database for a minute',
    recalls: true,
    cause: { area: 'database', text: /in use by another process/, fix: /[Tt]ry again/ },
    break: (place) => lock(place, ['BEGIN EXCLUSIVE']),
  },
  {
    name: 'another process keeps the database to itself for a minute',
    cause: { area: 'database', text: /in use by another process/, fix: /[Tt]ry again/ },
    break: (place) => lock(place, ['PRAGMA locking_mode = EXCLUSIVE', 'BEGIN EXCLUSIVE']),
  },
  {
    name: 'the disk is full',
    silent: true,
    cause: { area: 'disk', text: /free/, fix: /[Ff]ree/ },
    impossible: mounts,
    break: ({ home, project }) =>
      mounted([
        { kind: 'small-disk', place: path.join(home, '.cairn'), kilobytes: 2_048, full: true },
        { kind: 'small-disk', place: path.join(project, '.claude/memory'), kilobytes: 1_024, full: true },
      ]),
  },
  {
    name: 'the settings are garbage',
    recalls: true,
    warns: true,
    cause: { area: 'settings', text: /config\.json.*not used/ },
    break: ({ home, project }) => {
      put(path.join(home, '.cairn/config.json'), '{ "embeddings": \u0000');
      put(path.join(project, '.claude/memory/memory-config.json'), Buffer.from([0xff, 0xfe, 0x00, 0x7b]));
      return {};
    },
  },
  {
    name: 'the native module is missing',
    cause: { area: 'database', text: /no built-in SQLite.*does not load/, fix: /Node 22\.13/ },
    impossible: hasBuiltIn ? 'this Node has SQLite built in and needs no native module' : undefined,
    break: withoutNative,
  },
];

export type Ran = {
  readonly exit: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
};

/** Runs the program in a broken place. A run that takes longer than `limit` seconds is ended, and says so by its signal. */
export function cairn(
  place: Place,
  broken: Broken,
  words: readonly string[],
  { input = '', limit = 60 }: { input?: string; limit?: number } = {},
): Promise<Ran> {
  const child = start(place, broken, words, { timeout: limit * 1_000, killSignal: 'SIGKILL' });
  const ran = { out: '', err: '' };
  child.stdout!.on('data', (chunk: Buffer) => (ran.out += String(chunk)));
  child.stderr!.on('data', (chunk: Buffer) => (ran.err += String(chunk)));
  child.stdin!.on('error', () => undefined);
  child.stdin!.end(input);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exit, signal) => resolve({ exit, signal, ...ran }));
  });
}

export function start(place: Place, broken: Broken, words: readonly string[], more: object = {}): ChildProcess {
  const program = path.join(broken.root ?? PACKAGE, 'dist/faces/cli/main.js');
  const line = [process.execPath, program, ...words];
  const [file, ...rest] = broken.inside?.(place.project, line) ?? line;
  const env = { PATH: process.env.PATH, HOME: place.home, CAIRN_EMBEDDINGS_PROVIDER: 'none' };
  return spawn(file!, rest, { cwd: place.project, env, stdio: 'pipe', ...more });
}
