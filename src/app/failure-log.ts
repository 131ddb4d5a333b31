// Where a hook's failures go: one line of JSON each, in the user's own folder. A hook must not stop the user because
// Cairn is broken, and must not be silent about it either; `cairn doctor` and the session start read this. The messages of errors quote
// files and arguments, so they are masked like everything that is kept; what masks is loaded when there is something to tell.

import fs from 'node:fs';
import path from 'node:path';
import { messageOf } from '../errors.ts';

const MAX_BYTES = 1024 * 1024;

export const failureLog = (userRoot: string): string => path.join(userRoot, 'log', 'hooks.log');

/** Never fails. Wait for it before the process ends. */
export async function logFailure(userRoot: string, event: string, cause: unknown): Promise<void> {
  append(failureLog(userRoot), { event, cause: await toldOf(userRoot, messageOf(cause)), stack: stackOf(cause) });
}

async function toldOf(userRoot: string, message: string): Promise<string> {
  try {
    const { maskMessage } = await import('./hooks/mask-message.ts');
    return maskMessage(userRoot, message);
  } catch {
    return 'the message cannot be masked, so it is not kept';
  }
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

/** The frames of ours, for a report; never the values that were at hand, nor the other lines of the message. */
function stackOf(cause: unknown): string[] | undefined {
  if (!(cause instanceof Error) || !cause.stack) return undefined;
  return cause.stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 5)
    .map((line) => line.trim());
}
