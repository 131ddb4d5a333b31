// When each hook last did its work: one empty file for each event in the user's folder, whose time is the answer. It is touched after
// every prompt and every tool call, so that is one call of the system; where it cannot be written, nothing is said, as with the log.

import fs from 'node:fs';
import path from 'node:path';

export type HookActivity = {
  /** As the client calls it. */
  readonly event: string;
  readonly at: Date;
  /** `warm`: the running server did it. */
  readonly way: 'warm' | 'command';
};

/** The server itself, when it starts and when it ends. */
export const SERVER_MARK = 'server';
const WARM = '.warm';
const NAME = /^[A-Za-z][A-Za-z-]{1,40}(?:\.warm)?$/;
/** A server comes up while the session starts, on a slow machine some seconds before that is done. */
const STARTS_TOGETHER_MS = 15_000;
/** In a shorter conversation it may not have come up yet. */
const LONG_ENOUGH_MS = 300;

const folderOf = (userRoot: string): string => path.join(userRoot, 'log', 'last');

export function recordHookRun(userRoot: string, event: string, way: HookActivity['way'] = 'command'): void {
  const name = way === 'warm' ? event + WARM : event;
  if (!NAME.test(name)) return; // it comes from outside
  const file = path.join(folderOf(userRoot), name);
  const now = Date.now() / 1_000;
  try {
    fs.utimesSync(file, now, now);
  } catch {
    makeMark(file);
  }
}

function makeMark(file: string): void {
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    fs.writeFileSync(file, '', { mode: 0o600 });
  } catch {
    // a full disk, a home that may only be read
  }
}

/** The newest of each event. */
export function lastHookRuns(userRoot: string): Map<string, HookActivity> {
  const marks = new Map<string, HookActivity>();
  for (const name of namesIn(folderOf(userRoot))) {
    if (!NAME.test(name)) continue;
    const at = fs.statSync(path.join(folderOf(userRoot), name), { throwIfNoEntry: false })?.mtime;
    const way = name.endsWith(WARM) ? 'warm' : 'command';
    const event = name.replace(WARM, '');
    const known = marks.get(event);
    if (at && !(known && known.at > at)) marks.set(event, { event, at, way });
  }
  return marks;
}

/** The beginning of the last conversation, if that went to its end without a sign of the server that hooks go to. */
export function conversationWithoutServer(userRoot: string): Date | undefined {
  const marks = lastHookRuns(userRoot);
  const [began, ended] = ['SessionStart', 'SessionEnd'].map((event) => marks.get(event)?.at.getTime());
  if (began === undefined || ended === undefined || ended - began < LONG_ENOUGH_MS) return undefined;
  const signs = [...marks.values()].filter(({ event, way }) => event === SERVER_MARK || way === 'warm');
  return signs.some(({ at }) => at.getTime() > began - STARTS_TOGETHER_MS) ? undefined : new Date(began);
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return []; // none was ever left, or not ours to read
  }
}
