// Where a hook's failures go: one line of JSON each, in the user's own folder. A hook must not stop the user because
// Cairn is broken, and must not be silent about it either; `cairn doctor` and the session start read this.

import fs from 'node:fs';
import path from 'node:path';
import { messageOf } from '../../errors.ts';

const MAX_BYTES = 1024 * 1024;

export const failureLog = (userRoot: string): string => path.join(userRoot, 'log', 'hooks.log');

export function logFailure(userRoot: string, event: string, cause: unknown): void {
  append(failureLog(userRoot), { event, cause: messageOf(cause).slice(0, 2_000), stack: stackOf(cause) });
}

/** Not a failure, and nothing for the user to do: a log of its own, so that nobody is alarmed. */
export function logBrokenLock(userRoot: string, event: string, text: string): void {
  append(path.join(userRoot, 'log', 'locks.log'), { event, text });
}

function append(file: string, entry: object): void {
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    if ((fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES) fs.renameSync(file, `${file}.1`);
    fs.appendFileSync(file, `${JSON.stringify({ time: new Date().toISOString(), ...entry })}\n`, { mode: 0o600 });
  } catch {
    // The log itself cannot be written (full disk, read-only home): there is nowhere left to say so.
  }
}

/** The frames of ours, for a report; never the values that were at hand. */
function stackOf(cause: unknown): string[] | undefined {
  if (!(cause instanceof Error) || !cause.stack) return undefined;
  return cause.stack
    .split('\n')
    .slice(1, 6)
    .map((line) => line.trim());
}
