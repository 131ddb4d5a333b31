// What both ways of triage need of a stop: the transcript that may be read, a folder of the user's own for what is handed on, and a mask for
// what the conversation gave away.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Config } from '../../config/load.ts';
import { isSystemError } from '../../errors.ts';
import { isInside } from '../../files/paths.ts';
import { nameHash } from '../../model/hash.ts';
import { isObject, type JsonObject } from '../../model/json.ts';
import type { HookContext } from './hook.ts';

/** However long the messages are, no more of the transcript is read. */
export const MAX_TAIL_BYTES = 16 * 1024 * 1024;
/** Context files hold parts of conversations; those of earlier sessions are not kept around. */
const CONTEXT_LIFE_MS = 24 * 3_600_000;
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants;

/**
 * A turn that waits for a subagent is not over: the client stops again when it has come back. And in plan mode nothing
 * may be written, so asking for it would only cost a turn. Either way the words are still there at the next stop.
 */
export function isUnfinished({ background_tasks: tasks, permission_mode: mode }: JsonObject): boolean {
  const isRunning = (task: unknown) => isObject(task) && task.type === 'subagent' && task.status === 'running';
  return mode === 'plan' || (Array.isArray(tasks) && tasks.some(isRunning));
}

/** Masks what the conversation gave away anywhere in the part that is read, not only beside its name. */
export async function maskFor(file: string, folder: string | undefined): Promise<(text: string) => string> {
  const { maskOfTranscript } = await import('./mask-transcript.ts');
  const descriptor = openTranscript(file);
  try {
    return maskOfTranscript(descriptor, { folder, most: MAX_TAIL_BYTES });
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor);
  }
}

/** So much is looked through for secrets in a moment; more is done by the worker, before the next stop. */
const LOOKED_AHEAD = 256 * 1024;

/** For the worker: a stop that asks for something masks it by all that the transcript gave away. */
export async function lookThrough(payload: JsonObject, context: HookContext): Promise<void> {
  if (!context.config.settings.triage.enabled || context.config.trust.state === 'untrusted') return;
  const file = allowedTranscript(payload.transcript_path, context);
  const size = file === undefined ? 0 : (fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0);
  if (file === undefined || size < LOOKED_AHEAD) return;
  const descriptor = openTranscript(file);
  const folder = openFolder(contextFolder(payload, context.config), context);
  if (descriptor === undefined) return;
  try {
    const { lookAhead } = await import('./mask-transcript.ts');
    if (folder !== undefined) lookAhead(descriptor, { folder, most: MAX_TAIL_BYTES, least: LOOKED_AHEAD });
  } finally {
    fs.closeSync(descriptor);
  }
}

/**
 * Transcripts live in the user's home or, in tests and containers, in a temporary directory; nothing else is read. One
 * that is not there yet counts by its name.
 */
export function allowedTranscript(file: unknown, { config, env }: HookContext): string | undefined {
  if (typeof file !== 'string' || file === '' || file.includes('\0')) return undefined;
  const real = realPathOf(file);
  const roots = [config.paths.home, '/tmp', os.tmpdir(), env.CLAUDE_CONFIG_DIR];
  const holds = (root: string | undefined, place: string): boolean => !!root && root !== place && isInside(root, place);
  if (real === undefined) return roots.some((root) => holds(root, path.resolve(file))) ? file : undefined;
  return roots.some((root) => holds(root && realPathOf(root), real)) ? real : undefined;
}

/** The links were followed before. A pipe under this name must not hang us. */
export function openTranscript(file: string): number | undefined {
  let descriptor: number;
  try {
    descriptor = fs.openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return undefined; // nothing is written yet
    throw error;
  }
  if (fs.fstatSync(descriptor).isFile()) return descriptor;
  fs.closeSync(descriptor);
  return undefined;
}

function realPathOf(file: string): string | undefined {
  try {
    return fs.realpathSync.native(file);
  } catch {
    return undefined;
  }
}

/** One folder for each project and session, below one that is the user's alone. */
export function contextFolder({ session_id: session }: JsonObject, { paths }: Config): string[] {
  const owner = process.getuid?.() ?? 'user';
  const name = typeof session === 'string' && /^[\w-]{1,64}$/.test(session) ? session : nameHash(String(session ?? ''));
  return [path.join(os.tmpdir(), `cairn-triage-${owner}`), `${nameHash(paths.projectRoot)}-${name}`];
}

/** Without one nothing is written: the conversation still holds what the files would say. */
export function openFolder([parent = '', name = '']: string[], context: HookContext): string | undefined {
  try {
    ownFolder(parent);
    const folder = path.join(parent, name);
    if (ownFolder(folder)) removeOld(parent, name, context.now().getTime() - CONTEXT_LIFE_MS);
    return folder;
  } catch (error) {
    context.problem(error);
    return undefined;
  }
}

/**
 * Makes the folder, or makes sure that the one that is there is a real folder of ours that nobody else can enter.
 * True if it is new.
 */
function ownFolder(folder: string): boolean {
  try {
    fs.mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    if (!isSystemError(error, 'EEXIST')) throw error;
  }
  const stat = fs.lstatSync(folder);
  if (!stat.isDirectory()) throw new Error(`${folder} is not a folder`);
  if (process.getuid && stat.uid !== process.getuid()) throw new Error(`${folder} belongs to somebody else`);
  if (process.getuid && (stat.mode & 0o077) !== 0) fs.chmodSync(folder, 0o700);
  return false;
}

function removeOld(parent: string, own: string, before: number): void {
  for (const name of fs.readdirSync(parent)) {
    const folder = path.join(parent, name);
    const stat = name === own ? undefined : fs.lstatSync(folder, { throwIfNoEntry: false });
    if (stat && stat.mtimeMs < before) fs.rmSync(folder, { recursive: true, force: true });
  }
}
