// What was forgotten on request, so that nothing brings it back: ~/.cairn/forgotten.json. It holds no content: keyed hashes of
// conversations, files and lines, numbers of lines, and hashes of texts. What is not finished yet is noted in it before anything is
// removed; whoever finds such a note finishes it. docs/FORGET.md describes the file. The names of the lines of whole conversations, by
// which copies in forks are known, are in a file beside it.

import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { CairnError, isSystemError } from '../errors.ts';
import { contentHash } from '../model/hash.ts';
import { isObject, type JsonObject } from '../model/json.ts';
import { atomicWrite } from './atomic-write.ts';
import { addLineNames, dropLineNames, type LineNames, readLineNames, shortName } from './forgotten-line-names.ts';
import { parseJsonObject, readText } from './json-file.ts';
import { withLock } from './lock.ts';

export type ForgottenText = {
  readonly length: number;
  readonly roll: number;
  readonly hash: string;
  readonly as: 'remove' | 'mask';
  /** Of another machine, whose hashes have another key. */
  readonly key?: string;
};

/** Lines of one conversation, by number and, where the client gives each a name, by that too: forks copy lines. */
export type ForgottenLines = {
  readonly thread: string;
  readonly ranges: readonly (readonly [from: number, to: number])[];
  readonly names: readonly string[];
};

export type Tombstone = {
  readonly id: string;
  readonly at: string;
  readonly what: 'conversations' | 'lines' | 'text' | 'file';
  readonly why: 'request' | 'age';
  /** Of conversations, or of the files of plain exports. */
  readonly keys: readonly string[];
  readonly lines: readonly ForgottenLines[];
  readonly texts: readonly ForgottenText[];
  /** Other conversations with copies of these lines, which were stored then and stay whole: keys of sessions. */
  readonly forks?: readonly string[];
  /** How much went. */
  readonly counts: { readonly [place: string]: number };
  /** What is still to be removed: names and places, until it is done. */
  readonly unfinished?: JsonObject;
  /** It was forgotten on another machine of the same person, whose name and key these are; its hashes were made with that key. */
  readonly from?: { readonly machine: string; readonly key: string };
};

const NAME = 'forgotten.json';
const MAX_BYTES = 256 * 1024 * 1024;
const KEY_BYTES = 32;
const HASH_LENGTH = 32;

export const forgottenFile = (userRoot: string): string => path.join(userRoot, NAME);

type Data = { readonly key: string; readonly tombstones: readonly Tombstone[] };

type NameSet = Pick<LineNames, 'size' | 'has'>;
const NO_NAMES: NameSet = { size: 0, has: () => false };

/** What may not come back; empty where nothing was ever forgotten. */
export class Forgotten {
  readonly #data: Data;
  /** One for each key: this machine's own first, then those of others that something came from. */
  readonly #rings: readonly KeyRing[];
  readonly #userRoot: string | undefined;
  #copied: NameSet | undefined;

  /** `userRoot`: where the names of copied lines are, which are read when somebody asks for a line. */
  constructor(data: Data, userRoot?: string) {
    this.#data = data;
    this.#userRoot = userRoot;
    const keys = new Set([data.key, ...data.tombstones.flatMap(({ from }) => from?.key ?? [])]);
    this.#rings = [...keys].map((key) => {
      const own = data.tombstones.filter(({ from }) => (from?.key ?? data.key) === key);
      return new KeyRing(key, own);
    });
  }

  get key(): string {
    return this.#data.key;
  }

  get tombstones(): readonly Tombstone[] {
    return this.#data.tombstones;
  }

  get texts(): readonly ForgottenText[] {
    return this.#data.tombstones.flatMap(({ texts, from }) =>
      from ? texts.map((each) => ({ ...each, key: from.key })) : texts,
    );
  }

  get unfinished(): readonly Tombstone[] {
    return this.#data.tombstones.filter((each) => each.unfinished !== undefined);
  }

  holdsSession(session: string): boolean {
    return this.#rings.some((ring) => ring.keys.size > 0 && ring.keys.has(ring.keyed('session', session)));
  }

  holdsFile(file: string): boolean {
    return this.#rings.some((ring) => ring.keys.size > 0 && ring.keys.has(ring.keyed('file', file)));
  }

  /** Why a conversation is kept out that was forgotten. */
  whyOf(session: string, file: string): Tombstone['why'] {
    const keys = this.#rings.flatMap((ring) => [ring.keyed('session', session), ring.keyed('file', file)]);
    const own = this.#data.tombstones.filter((each) => keys.some((key) => each.keys.includes(key)));
    return own.length > 0 && own.every(({ why }) => why === 'age') ? 'age' : 'request';
  }

  /** `names`: what the client may call the line. */
  holdsLine(thread: string, number: number, names: readonly string[]): boolean {
    if (!this.holdsLines) return false;
    if (this.#rings.some((ring) => ring.holdsNumber(thread, number) || ring.holdsName(names))) return true;
    if (names.length === 0 || this.#copies.size === 0) return false;
    return names.some((name) => this.#copies.has(shortName(this.nameKey(name)))) && !this.#staysWhole(thread);
  }

  get holdsLines(): boolean {
    return this.#rings.some(({ threads }) => threads.size > 0) || this.#copies.size > 0;
  }

  /** Names of the lines of whole conversations. */
  get #copies(): NameSet {
    this.#copied ??= this.#readCopied();
    return this.#copied;
  }

  #readCopied(): NameSet {
    const ids = this.#data.tombstones.filter(({ what }) => what === 'conversations').map(({ id }) => id);
    return this.#userRoot === undefined || ids.length === 0 ? NO_NAMES : readLineNames(this.#userRoot, new Set(ids));
  }

  #staysWhole(thread: string): boolean {
    const session = thread.split(/[ @]/, 1)[0]!;
    return this.#rings.some((ring) => ring.forks.size > 0 && ring.forks.has(ring.keyed('session', session)));
  }

  sessionKey = (session: string): string => this.#keyed('session', session);
  fileKey = (file: string): string => this.#keyed('file', file);
  threadKey = (thread: string): string => this.#keyed('thread', thread);
  nameKey = (name: string): string => this.#keyed('line', name);

  #keyed(kind: KeyedKind, value: string): string {
    return keyed(this.#data.key, kind, value);
  }
}

type KeyedKind = 'session' | 'file' | 'thread' | 'line';

const keyed = (key: string, kind: KeyedKind, value: string): string =>
  contentHash(`${kind}\0${key}\0${value}`).slice(0, HASH_LENGTH);

/** What was forgotten under one key. */
class KeyRing {
  readonly keys: ReadonlySet<string>;
  readonly forks: ReadonlySet<string>;
  readonly threads = new Map<string, ForgottenLines['ranges'][number][]>();
  readonly #names: ReadonlySet<string>;
  readonly #key: string;

  constructor(key: string, tombstones: readonly Tombstone[]) {
    this.#key = key;
    this.keys = new Set(tombstones.flatMap(({ keys }) => keys));
    this.forks = new Set(tombstones.flatMap(({ forks = [] }) => forks));
    this.#names = new Set(tombstones.flatMap(({ lines }) => lines.flatMap(({ names }) => names)));
    for (const { thread, ranges } of tombstones.flatMap(({ lines }) => lines))
      this.threads.set(thread, [...(this.threads.get(thread) ?? []), ...ranges]);
  }

  keyed(kind: KeyedKind, value: string): string {
    return keyed(this.#key, kind, value);
  }

  holdsNumber(thread: string, number: number): boolean {
    const ranges = this.threads.size > 0 ? this.threads.get(this.keyed('thread', thread)) : undefined;
    return ranges?.some(([from, to]) => number >= from && number <= to) === true;
  }

  holdsName(names: readonly string[]): boolean {
    return this.#names.size > 0 && names.some((name) => this.#names.has(this.keyed('line', name)));
  }
}

const NOTHING: Forgotten = new Forgotten({ key: '', tombstones: [] });
let last = { file: '', mark: '', forgotten: NOTHING };

/** As the file is now. A file that cannot be read is an error: without it, what was forgotten would come back. */
export function readForgotten(userRoot: string): Forgotten {
  const file = forgottenFile(userRoot);
  const stat = statOf(file);
  if (!stat) return NOTHING;
  const mark = `${stat.ino} ${stat.size} ${stat.mtimeMs}`;
  if (last.file !== file || last.mark !== mark) last = { file, mark, forgotten: new Forgotten(read(file), userRoot) };
  return last.forgotten;
}

/** Where the user's folder is no folder, there is no such file either. */
function statOf(file: string): fs.Stats | undefined {
  try {
    return fs.statSync(file);
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}

function read(file: string): Data {
  const text = readText(file, MAX_BYTES);
  if (text === undefined) return { key: '', tombstones: [] };
  const { key, tombstones } = parseJsonObject(text, file);
  if (typeof key !== 'string' || !Array.isArray(tombstones) || !tombstones.every(isTombstone))
    throw new CairnError('READ_ERROR', `${file} is not a list of what was forgotten.`, {
      details: [['target', file]],
      fix: 'Put back an older copy of it. Without it, what was forgotten may be read in again.',
    });
  return { key, tombstones };
}

function isTombstone(value: unknown): value is Tombstone {
  return (
    isObject(value) &&
    typeof value.id === 'string' &&
    typeof value.at === 'string' &&
    [value.keys, value.lines, value.texts].every(Array.isArray)
  );
}

export type LineChange = {
  /** Names of lines of the conversations of a tombstone, before they go. */
  readonly add?: { readonly id: string; readonly names: ReadonlySet<string> };
  /** Of tombstones, and of lines, that may be read again. */
  readonly drop?: { readonly ids?: readonly string[]; readonly names?: ReadonlySet<string> };
};

/** One change at a time; `change` gets the list as it is and returns what it is to be. */
export async function changeForgotten(
  userRoot: string,
  change: (forgotten: Forgotten) => readonly Tombstone[],
  { add, drop }: LineChange = {},
): Promise<Forgotten> {
  const file = forgottenFile(userRoot);
  fs.mkdirSync(userRoot, { recursive: true, mode: 0o700 });
  await withLock(`${file}.lock`, (lock) => {
    const before = read(file);
    const data = { ...before, key: before.key || randomBytes(KEY_BYTES).toString('hex') };
    const known = new Forgotten(data);
    const tombstones = change(known);
    const short = (names: Iterable<string>): Set<number> =>
      new Set([...names].map((name) => shortName(known.nameKey(name))));
    if (add) addLineNames(userRoot, add.id, short(add.names));
    for (const id of drop?.ids ?? []) dropLineNames(userRoot, { id });
    if (drop?.names) dropLineNames(userRoot, { names: short(drop.names) });
    const text = `${JSON.stringify({ version: 1, key: data.key, tombstones }, null, 1)}\n`;
    atomicWrite(file, text, { mode: 0o600, beforeCommit: () => lock.assertHeld() });
  });
  return readForgotten(userRoot);
}

export const newTombstoneId = (): string => randomBytes(4).toString('hex');

/** What the commits of a project are forgotten by, beside its conversations. */
export const commitsName = (project: string): string => `commits of ${project}`;
