// What a session is told about failures of Cairn itself: how many there were since this was last told, and where. Hooks
// never stop the user, so this is where a broken Cairn is noticed. Each failure is told once.

import fs from 'node:fs';
import path from 'node:path';
import { isSystemError } from '../../errors.ts';
import { failureLog } from '../failure-log.ts';
import { type LoggedFailure, loggedFailures } from '../logged-failures.ts';

/** Failures that are older are not news, even if nobody was told. */
const MAX_AGE_MS = 7 * 86_400_000;
const MAX_LINES = 200;
const MAX_EVENTS = 4;
const TOLD_NAME = 'hooks.told';

/** One line, or nothing. Remembers that it was told. */
export function recentFailures(userRoot: string, now: Date): string | undefined {
  const log = failureLog(userRoot);
  const told = path.join(path.dirname(log), TOLD_NAME);
  const size = fs.statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return undefined;
  const since = Math.max(now.getTime() - MAX_AGE_MS, toldUntil(told));
  const failures = failuresSince(userRoot, since);
  const [newest] = failures;
  if (!newest) return undefined;
  remember(told, new Date(newest.at).toISOString());
  const events = [...new Set(failures.map(({ event }) => event))];
  const named = `${events.slice(0, MAX_EVENTS).join(', ')}${events.length > MAX_EVENTS ? ', …' : ''}`;
  const times =
    failures.length === 1 ? 'once' : `${failures.length}${failures.length === MAX_LINES ? ' or more' : ''} times`;
  return `Cairn itself failed ${times} since the last session (${named}); ${log} says how.`;
}

/** The newest first. */
function failuresSince(userRoot: string, since: number): LoggedFailure[] {
  const found: LoggedFailure[] = [];
  for (const failure of loggedFailures(userRoot)) {
    if (!/^[a-z-]{1,40}$/.test(failure.event)) continue;
    if (failure.at <= since || found.length >= MAX_LINES) break;
    found.push(failure);
  }
  return found;
}

function remember(file: string, time: string): void {
  try {
    fs.writeFileSync(file, `${time}\n`, { mode: 0o600 });
  } catch (error) {
    if (!isSystemError(error)) throw error; // a full disk, a home that may only be read: it is told again
  }
}

function toldUntil(file: string): number {
  try {
    return Date.parse(fs.readFileSync(file, 'utf8').trim()) || 0;
  } catch {
    return 0; // never told, or not ours to read: told again is better than never
  }
}
