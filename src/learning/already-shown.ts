// What a conversation has been told already, and what that cost: one small file for each conversation, because every prompt
// reads it. Lost or damaged, it costs a line that is told twice.

import fs from 'node:fs';
import path from 'node:path';
import { CairnError, isSystemError } from '../errors.ts';
import { atomicWrite } from '../files/atomic-write.ts';
import { parseJsonObject, readText } from '../files/json-file.ts';
import { shortHash } from '../model/hash.ts';
import { isObject } from '../model/json.ts';
import { injectionsFolder } from './injection-log.ts';

export type Shown = {
  /** Injected in all. */
  readonly tokens: number;
  /** Memory (by project and ref) → what its line was, as a hash. */
  readonly lines: { readonly [memory: string]: string };
  /** When the conversation was last summed up: what was said before that is no longer in it. Milliseconds. */
  readonly compactedAt?: number;
  /** Lines of the context that the session began with, as hashes: a resumed conversation still holds them. */
  readonly start?: readonly string[];
};

const NOTHING: Shown = { tokens: 0, lines: {} };
const MAX_LINES = 1_000;
const MAX_BYTES = 512 * 1024;
const KEPT_MS = 30 * 86_400_000;

const folderOf = (userRoot: string): string => path.join(injectionsFolder(userRoot), 'sessions');
const fileOf = (userRoot: string, session: string): string =>
  path.join(folderOf(userRoot), `${shortHash(session)}.json`);

export const memoryKey = ({ project, ref }: { readonly project: string; readonly ref: string }): string =>
  `${project}\0${ref}`;

export function readShown(userRoot: string, session: string): Shown {
  const file = fileOf(userRoot, session);
  try {
    const text = readText(file, MAX_BYTES);
    if (text === undefined) return NOTHING;
    const { tokens, lines, compactedAt, start } = parseJsonObject(text, file);
    return {
      tokens: typeof tokens === 'number' && tokens >= 0 ? tokens : 0,
      lines: isObject(lines) ? (lines as Shown['lines']) : {},
      ...(typeof compactedAt === 'number' ? { compactedAt } : {}),
      ...(Array.isArray(start) ? { start: start.filter((each) => typeof each === 'string') } : {}),
    };
  } catch (error) {
    if (error instanceof CairnError) return NOTHING;
    throw error;
  }
}

/** Not synced to disk: a crash of the machine ends the conversation too. */
export function writeShown(userRoot: string, session: string, shown: Shown): void {
  const entries = Object.entries(shown.lines);
  const lines = entries.length > MAX_LINES ? Object.fromEntries(entries.slice(-MAX_LINES)) : shown.lines;
  fs.mkdirSync(folderOf(userRoot), { recursive: true, mode: 0o700 });
  const text = JSON.stringify({ ...shown, lines });
  atomicWrite(fileOf(userRoot, session), text, { mode: 0o600, durable: false });
}

/** The conversation was compacted or cleared: what it was told is gone from it, what that cost is not. */
export function forgetLines(userRoot: string, session: string, now: Date): void {
  const { tokens } = readShown(userRoot, session);
  writeShown(userRoot, session, { tokens, lines: {}, compactedAt: now.getTime() });
}

/** Whether a line is one that the session began with. */
export function toldAtStart(userRoot: string, session: string): (line: string) => boolean {
  const start = new Set(readShown(userRoot, session).start);
  return (line) => start.has(shortHash(line));
}

/** Besides those that it was told before. */
export function rememberStart(userRoot: string, session: string, lines: readonly string[]): void {
  const shown = readShown(userRoot, session);
  const start = [...new Set([...(shown.start ?? []), ...lines.map(shortHash)])];
  writeShown(userRoot, session, { ...shown, start: start.slice(-MAX_LINES) });
}

/** Returns whether there was anything. */
export function forgetShown(userRoot: string, session: string, apply: boolean): boolean {
  const file = fileOf(userRoot, session);
  if (!fs.existsSync(file)) return false;
  if (apply) fs.rmSync(file, { force: true });
  return true;
}

/** Removes what belongs to conversations of more than a month ago. */
export function pruneShown(userRoot: string, now: Date): void {
  for (const name of namesIn(folderOf(userRoot))) {
    const file = path.join(folderOf(userRoot), name);
    const stat = fs.lstatSync(file, { throwIfNoEntry: false });
    if (stat?.isFile() && now.getTime() - stat.mtimeMs > KEPT_MS) fs.rmSync(file, { force: true });
  }
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  }
}
