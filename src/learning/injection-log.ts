// What was put into prompts, when and why: one line of JSON for each injection, one file for each month, in the user's own
// folder. It is no derived data (nothing else knows it), so it does not live in the store.

import fs from 'node:fs';
import path from 'node:path';
import { isSystemError } from '../errors.ts';
import { rewriteLog } from '../files/rewrite-log.ts';
import { tailLines } from '../files/tail-lines.ts';
import { isObject, parseJson } from '../model/json.ts';
import { localDay } from '../model/timestamp.ts';

export type InjectedEntry = {
  readonly ref: string;
  readonly project: string;
  readonly score: number;
  readonly relevance: number;
  readonly why: readonly { readonly strategy: string; readonly rank: number }[];
  readonly tokens: number;
  /** As the model saw it; lines of an older Cairn have none. */
  readonly line?: string;
};

export type Injection = {
  /** ISO, UTC. */
  readonly time: string;
  readonly event: string;
  /** Of the client; null where it sent none. */
  readonly session: string | null;
  /** The directory that the prompt was about. */
  readonly project: string;
  /** `start` is its beginning, redacted: enough to know it again. */
  readonly prompt: { readonly hash: string; readonly start: string };
  readonly entries: readonly InjectedEntry[];
  readonly tokens: number;
};

export type DayOfTokens = { readonly day: string; readonly tokens: number; readonly injections: number };

/** A line is some hundred bytes; what is longer is not ours. */
const MAX_LINE_BYTES = 256 * 1024;
const MAX_READ_BYTES = 64 * 1024 * 1024;
const FILE = /^\d{4}-\d\d\.jsonl$/;
const KEPT_MONTHS = 12;
const NEWLINE = 0x0a;

export const injectionsFolder = (userRoot: string): string => path.join(userRoot, 'injections');

/** One write at the end of the file: a process killed at any moment leaves whole lines, or one that readers leave out. */
export function appendInjection(userRoot: string, injection: Injection): void {
  const folder = injectionsFolder(userRoot);
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const descriptor = fs.openSync(path.join(folder, `${injection.time.slice(0, 7)}.jsonl`), 'a+', 0o600);
  try {
    const broken = endsInside(descriptor) ? '\n' : '';
    fs.writeFileSync(descriptor, `${broken}${JSON.stringify(injection)}\n`); // goes on where a disk took only a part
  } finally {
    fs.closeSync(descriptor);
  }
}

/** A writer was killed in the middle of a line: what follows must not become part of it. */
function endsInside(descriptor: number): boolean {
  const { size } = fs.fstatSync(descriptor);
  if (size === 0) return false;
  const last = Buffer.alloc(1);
  return fs.readSync(descriptor, last, 0, 1, size - 1) === 1 && last[0] !== NEWLINE;
}

/** The newest first. Lines that are no injections are left out; of a huge log only its end is read. */
export function* readInjections(
  userRoot: string,
  { maxBytes = MAX_READ_BYTES }: { maxBytes?: number } = {},
): Generator<Injection, void, undefined> {
  let left = maxBytes;
  for (const name of monthsOf(userRoot).reverse()) {
    const descriptor = openRegular(path.join(injectionsFolder(userRoot), name));
    if (descriptor === undefined) continue;
    try {
      for (const line of tailLines(descriptor, { maxLineBytes: MAX_LINE_BYTES })) {
        left -= line.length + 1;
        if (left < 0) return;
        const injection = line.length === 0 ? undefined : parse(line.bytes().toString('utf8'));
        if (injection) yield injection;
      }
    } finally {
      fs.closeSync(descriptor);
    }
  }
}

/** The days of the last `days` on which something was injected, in local time, oldest first. */
export function tokensByDay(userRoot: string, now: Date, days: number): DayOfTokens[] {
  const first = new Date(now.getFullYear(), now.getMonth(), now.getDate() - days + 1);
  const sums = new Map<string, { tokens: number; injections: number }>();
  for (const { time, tokens } of readInjections(userRoot)) {
    const at = new Date(time);
    // Two processes may write a moment out of order; a day further back nothing new can come.
    if (at.getTime() < first.getTime() - 86_400_000) break;
    if (at < first) continue;
    const day = localDay(at);
    const sum = sums.get(day) ?? { tokens: 0, injections: 0 };
    sums.set(day, { tokens: sum.tokens + tokens, injections: sum.injections + 1 });
  }
  return [...sums].map(([day, sum]) => ({ day, ...sum })).sort((a, b) => (a.day < b.day ? -1 : 1));
}

/**
 * Takes out what conversations were told, and what they asked, and names of memories that are gone from the others. Returns how many
 * lines that concerns. Without `apply` it only counts.
 */
export function forgetInjections(
  userRoot: string,
  gone: { readonly sessions: ReadonlySet<string>; readonly refs: ReadonlySet<string> },
  apply: boolean,
): number {
  let count = 0;
  for (const name of monthsOf(userRoot)) {
    const file = path.join(injectionsFolder(userRoot), name);
    const changes = (text: string): number =>
      text.split('\n').filter((line) => line !== '' && withoutGone(line, gone)[0] !== line).length;
    const left = (text: string): string => {
      count += changes(text);
      return text
        .split('\n')
        .flatMap((line) => withoutGone(line, gone))
        .join('\n');
    };
    if (apply) rewriteLog(file, left);
    else count += changes(fs.readFileSync(file, 'utf8'));
  }
  return count;
}

/** Half a line of a killed writer may hold anything: it goes too. */
function withoutGone(
  line: string,
  { sessions, refs }: { readonly sessions: ReadonlySet<string>; readonly refs: ReadonlySet<string> },
): string[] {
  if (line === '') return [line];
  const injection = parse(line);
  if (!injection || (injection.session !== null && sessions.has(injection.session))) return [];
  const entries = injection.entries.filter(({ ref }) => !refs.has(ref));
  if (entries.length === injection.entries.length) return [line];
  return [JSON.stringify({ ...injection, entries })];
}

/** Removes the months that are more than a year old. */
export function pruneInjections(userRoot: string, now: Date): void {
  const oldest = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - KEPT_MONTHS, 1)).toISOString().slice(0, 7);
  for (const name of monthsOf(userRoot))
    if (name.slice(0, 7) < oldest) fs.rmSync(path.join(injectionsFolder(userRoot), name), { force: true });
}

function monthsOf(userRoot: string): string[] {
  try {
    return fs
      .readdirSync(injectionsFolder(userRoot))
      .filter((name) => FILE.test(name))
      .sort();
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  }
}

function openRegular(file: string): number | undefined {
  const descriptor = fs.openSync(file, fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0));
  if (fs.fstatSync(descriptor).isFile()) return descriptor;
  fs.closeSync(descriptor);
  return undefined;
}

function parse(text: string): Injection | undefined {
  const value = parseJson(text); // or half a line
  if (!isObject(value) || typeof value.time !== 'string' || Number.isNaN(Date.parse(value.time))) return undefined;
  const { time, event, session, project, prompt, entries, tokens } = value;
  return {
    time,
    event: textOf(event),
    session: typeof session === 'string' ? session : null,
    project: textOf(project),
    prompt: isObject(prompt) ? { hash: textOf(prompt.hash), start: textOf(prompt.start) } : { hash: '', start: '' },
    entries: Array.isArray(entries) ? entries.flatMap(entryOf) : [],
    tokens: numberOf(tokens),
  };
}

function entryOf(value: unknown): InjectedEntry[] {
  if (!isObject(value) || typeof value.ref !== 'string') return [];
  const why = Array.isArray(value.why) ? value.why : [];
  return [
    {
      ref: value.ref,
      project: textOf(value.project),
      score: numberOf(value.score),
      relevance: numberOf(value.relevance),
      why: why.flatMap((each: unknown) =>
        isObject(each) && typeof each.strategy === 'string'
          ? [{ strategy: each.strategy, rank: numberOf(each.rank) }]
          : [],
      ),
      tokens: numberOf(value.tokens),
      ...(typeof value.line === 'string' ? { line: value.line } : {}),
    },
  ];
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const numberOf = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0);
