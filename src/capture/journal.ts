// What happened in a session, as far as a later event needs it: commands that failed and that ran, files that were
// edited, which task has which note. Lines of JSON in the user's own folder, appended without a lock: it is a help, not
// truth, and a line that two processes lose costs one note. Bounded, and swept away after two weeks.

import fs from 'node:fs';
import path from 'node:path';
import { isSystemError } from '../errors.ts';
import { atomicWrite } from '../files/atomic-write.ts';
import { realPath } from '../files/paths.ts';
import { contentHash } from '../model/hash.ts';
import { isObject, parseJson } from '../model/json.ts';

type Common = {
  /** ISO 8601. */
  time: string;
  /** The tool call; the same call is noted once. */
  use?: string;
  /** The subagent in which it happened. */
  agent?: string;
  /** How much of the transcript was looked through for secrets by then. */
  read?: number;
};

export type JournalEntry = Common &
  (
    | {
        kind: 'edit';
        /** From the project's root; absolute if it lies outside. */
        path: string;
        /** The first line that changed, before and after. */
        before?: string;
        after?: string;
        /** How often, where older entries were put together. */
        count?: number;
      }
    | { kind: 'command'; key: string; command: string }
    | { kind: 'failure'; key: string; command: string; error: string; exit?: number }
    /** The failures of this command so far became notes, or need none. */
    | { kind: 'fixed'; key: string }
    /** The client's number of a task, and its note. */
    | { kind: 'task'; task: string; note: string }
    /** A subagent that works in the background. */
    | { kind: 'started'; started: string; title: string }
    /** A subagent that ended before anybody noted where it worked, and what it found. */
    | { kind: 'ended'; ended: string; text: string; type: string }
    /** A note that capture made or changed. */
    | { kind: 'note'; note: string; type: string }
    /** A value that the conversation gave away, as a keyed hash: session-secrets.ts. */
    | { kind: 'secret'; digest: string; secret: string; length: number; trace: number }
    /** The transcript was looked through up to `read`, though nothing else was to be noted. */
    | { kind: 'looked' }
  );

export type JournalPlace = { readonly userRoot: string; readonly projectRoot: string; readonly sessionId: string };

const NEWLINE = 0x0a;
const FOLDER = 'sessions';
const MAX_ENTRIES = 200;
const MAX_BYTES = 256 * 1024;
/** These are left as they are when older ones are put together. */
const RECENT = 100;
const MAX_AGE_MS = 14 * 24 * 3_600_000;
const REQUIRED: { readonly [kind: string]: readonly string[] } = {
  edit: ['path'],
  command: ['key', 'command'],
  failure: ['key', 'command', 'error'],
  fixed: ['key'],
  task: ['task', 'note'],
  started: ['started', 'title'],
  ended: ['ended', 'text', 'type'],
  note: ['note', 'type'],
  secret: ['digest', 'secret'],
  looked: [],
};

/** `<user root>/sessions/<project>/<session>.jsonl` */
export function journalFile({ userRoot, projectRoot, sessionId }: JournalPlace): string {
  const project = digest(realOrNamed(projectRoot), 16);
  const plain = /^[\w-]{1,80}$/.test(sessionId);
  const name = plain ? sessionId : `${sessionId.replace(/[^\w-]/g, '').slice(0, 40)}-${digest(sessionId, 12)}`;
  return path.join(userRoot, FOLDER, project, `${name}.jsonl`);
}

/** Of a session, in every project that it worked in. */
export function journalsOf(userRoot: string, sessionId: string): string[] {
  const folder = path.join(userRoot, FOLDER);
  const name = path.basename(journalFile({ userRoot, projectRoot: userRoot, sessionId }));
  return namesIn(folder)
    .map((project) => path.join(folder, project, name))
    .filter((file) => fs.existsSync(file));
}

/** The oldest first; lines that are no entries are left out. Nothing if there is no journal. */
export function readJournal(userRoot: string, projectRoot: string, sessionId: string): JournalEntry[] {
  return entriesOf(readTail(journalFile({ userRoot, projectRoot, sessionId })));
}

export function appendJournal(place: JournalPlace, ...entries: readonly JournalEntry[]): void {
  if (entries.length === 0) return;
  const file = journalFile(place);
  const folder = path.dirname(file);
  const isNew = !fs.existsSync(file);
  if (isNew) {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    sweep(path.join(place.userRoot, FOLDER));
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  }
  const broken = !isNew && endsInside(file) ? '\n' : '';
  fs.appendFileSync(file, broken + entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''), { mode: 0o600 });
  if (!isNew) shorten(file);
}

/** What was noted before a secret in it was known is noted again without it. */
export function rewriteJournal(place: JournalPlace, change: (entry: JournalEntry) => JournalEntry): void {
  const file = journalFile(place);
  const text = readTail(file);
  const lines = entriesOf(text).map((entry) => `${JSON.stringify(change(entry))}\n`);
  if (lines.length > 0 && lines.join('') !== text) atomicWrite(file, lines.join(''), { mode: 0o600 });
}

/** A writer was killed, or the disk was full, in the middle of a line: what follows must not become part of it. */
function endsInside(file: string): boolean {
  const descriptor = fs.openSync(file, 'r');
  try {
    const { size } = fs.fstatSync(descriptor);
    const last = Buffer.alloc(1);
    return size > 0 && fs.readSync(descriptor, last, 0, 1, size - 1) === 1 && last[0] !== NEWLINE;
  } finally {
    fs.closeSync(descriptor);
  }
}

function shorten(file: string): void {
  const text = readTail(file);
  const size = fs.statSync(file).size;
  if (size <= MAX_BYTES && text.split('\n').length - 1 <= MAX_ENTRIES) return;
  let kept = compact(entriesOf(text));
  let lines = kept.map((entry) => `${JSON.stringify(entry)}\n`);
  while (lines.length > 1 && lines.join('').length > MAX_BYTES / 2) {
    kept = kept.slice(Math.ceil(kept.length / 4));
    lines = kept.map((entry) => `${JSON.stringify(entry)}\n`);
  }
  atomicWrite(file, lines.join(''), { mode: 0o600 });
}

/** Of what is older, the files that were edited and the tasks are worth keeping; commands are not. */
function compact(entries: readonly JournalEntry[]): JournalEntry[] {
  const recent = entries.slice(-RECENT);
  const edits = new Map<string, JournalEntry & { kind: 'edit' }>();
  const tasks = new Map<string, JournalEntry>();
  for (const entry of entries.slice(0, -RECENT)) {
    if (entry.kind === 'edit') {
      const { time, path: edited, count = 1 } = entry;
      const known = edits.get(edited);
      edits.set(edited, { kind: 'edit', time: known?.time ?? time, path: edited, count: (known?.count ?? 0) + count });
    } else if (entry.kind === 'task') tasks.set(entry.task, entry);
    else if (entry.kind === 'started') tasks.set(`started ${entry.started}`, entry);
    else if (entry.kind === 'secret') tasks.set(`secret ${entry.digest}`, entry);
  }
  const older = [...edits.values(), ...tasks.values()].slice(-(MAX_ENTRIES - RECENT - 20));
  return [...older.sort((a, b) => (a.time < b.time ? -1 : 1)), ...recent];
}

function readTail(file: string): string {
  let descriptor: number;
  try {
    descriptor = fs.openSync(file, fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return '';
    throw error;
  }
  try {
    const stat = fs.fstatSync(descriptor);
    if (!stat.isFile()) return '';
    const length = Math.min(stat.size, 2 * MAX_BYTES);
    const bytes = Buffer.alloc(length);
    const count = fs.readSync(descriptor, bytes, 0, length, stat.size - length);
    return bytes.subarray(0, count).toString('utf8');
  } finally {
    fs.closeSync(descriptor);
  }
}

function entriesOf(text: string): JournalEntry[] {
  return text.split('\n').flatMap((line) => {
    const value = parseJson(line);
    return isEntry(value) ? [value] : []; // or half a line, of a process that was killed
  });
}

function isEntry(value: unknown): value is JournalEntry {
  if (!isObject(value) || typeof value.kind !== 'string' || typeof value.time !== 'string') return false;
  const required = Object.hasOwn(REQUIRED, value.kind) ? REQUIRED[value.kind] : undefined;
  return required?.every((key) => typeof value[key] === 'string') ?? false;
}

/** Removes what no session will come back for. */
function sweep(sessions: string): void {
  const oldest = Date.now() - MAX_AGE_MS;
  for (const project of namesIn(sessions).slice(0, 500)) {
    const folder = path.join(sessions, project);
    const names = namesIn(folder).slice(0, 1_000);
    let left = names.length;
    for (const name of names.filter((each) => each.endsWith('.jsonl'))) {
      const file = path.join(folder, name);
      const stat = fs.lstatSync(file, { throwIfNoEntry: false });
      if (!stat?.isFile() || stat.mtimeMs >= oldest) continue;
      fs.rmSync(file, { force: true });
      left--;
    }
    if (left === 0 && names.length > 0) removeEmpty(folder);
  }
}

function removeEmpty(folder: string): void {
  try {
    fs.rmdirSync(folder);
  } catch (error) {
    if (!isSystemError(error)) throw error; // another session has just begun in it
  }
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch (error) {
    if (isSystemError(error)) return [];
    throw error;
  }
}

function realOrNamed(file: string): string {
  try {
    return realPath(file);
  } catch (error) {
    if (isSystemError(error)) return path.resolve(file);
    throw error;
  }
}

const digest = (text: string, length: number): string => contentHash(text).slice(0, length);
