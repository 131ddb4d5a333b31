// What a session is told about failures of Cairn itself: how many there were since this was last told, and where. Hooks
// never stop the user, so this is where a broken Cairn is noticed. Each failure is told once.

import fs from 'node:fs';
import path from 'node:path';
import { isSystemError } from '../../errors.ts';
import { tailLines } from '../../files/tail-lines.ts';
import { failureLog } from '../failure-log.ts';

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
  const failures = failuresSince(log, since);
  if (failures.length === 0) return undefined;
  remember(told, failures[0]!.time);
  const events = [...new Set(failures.map(({ event }) => event))];
  const named = `${events.slice(0, MAX_EVENTS).join(', ')}${events.length > MAX_EVENTS ? ', …' : ''}`;
  const times =
    failures.length === 1 ? 'once' : `${failures.length}${failures.length === MAX_LINES ? ' or more' : ''} times`;
  return `Cairn itself failed ${times} since the last session (${named}); ${log} says how.`;
}

type Failure = { time: string; event: string };

/** The newest first. */
function failuresSince(log: string, since: number): Failure[] {
  const found: Failure[] = [];
  const descriptor = fs.openSync(log, 'r');
  try {
    for (const line of tailLines(descriptor)) {
      const failure = parseFailure(line.bytes().toString('utf8'));
      if (!failure) continue;
      if (Date.parse(failure.time) <= since || found.length >= MAX_LINES) break;
      found.push(failure);
    }
  } finally {
    fs.closeSync(descriptor);
  }
  return found;
}

function parseFailure(line: string): Failure | undefined {
  try {
    const { time, event } = JSON.parse(line) as Partial<Failure>;
    const sound = typeof time === 'string' && Number.isFinite(Date.parse(time)) && /^[a-z-]{1,40}$/.test(event ?? '');
    return sound ? { time, event: event! } : undefined;
  } catch {
    return undefined; // half a line of a killed process
  }
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
