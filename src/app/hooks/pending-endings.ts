// The endings of sessions that are not done yet: one small file each in the user's own folder, written by the hook before it begins,
// removed when everything that belongs to an ending is done. A hook that was killed, a worker that did not get a lock or failed leave
// it behind, and the next session of the project that begins or ends does what is left, wherever the project lies by then.

import fs from 'node:fs';
import path from 'node:path';
import { isSystemError } from '../../errors.ts';
import { atomicWrite } from '../../files/atomic-write.ts';
import { projectAt } from '../../files/project-registry.ts';
import { contentHash } from '../../model/hash.ts';
import type { JsonObject } from '../../model/json.ts';
import { type Infer, integer, omittable, openObject, parseAs, type Schema, text } from '../../model/schema.ts';

/** What a worker must be told to do it, and how often it was tried in vain. */
const ENDING = openObject({
  project: text(),
  payload: openObject({ session_id: text() }) as Schema<JsonObject>,
  attempts: integer({ min: 0 }),
  /** ISO 8601; when it was noted, and when it was last tried. */
  since: text(),
  triedAt: omittable(text()),
});
export type PendingEnding = Infer<typeof ENDING>;

const FOLDER = 'endings';
const SUFFIX = '.json';
const MAX_BYTES = 64 * 1024;
/** Tried at every occasion so many times, then once a day: what always fails must not cost every session a worker. */
const EAGER_ATTEMPTS = 5;
const DAY_MS = 86_400_000;
/** The journal of the session is gone by then, and mostly its transcript: there is nothing left to be done from. */
const MAX_AGE_MS = 30 * DAY_MS;
const MAX_ENDINGS = 500;

export const endingsFolder = (userRoot: string): string => path.join(userRoot, FOLDER);

/** One file for each session: when it ends again, the later ending takes the place of the earlier. */
const fileOf = (userRoot: string, session: unknown): string =>
  path.join(endingsFolder(userRoot), contentHash(String(session)).slice(0, 24) + SUFFIX);

export function noteEnding(userRoot: string, project: string, payload: JsonObject): void {
  const { session_id, transcript_path, cwd, ended_at } = payload;
  const told = { session_id, transcript_path, cwd, ended_at, hook_event_name: 'SessionEnd' };
  write(userRoot, {
    project,
    payload: JSON.parse(JSON.stringify(told)) as JsonObject,
    attempts: 0,
    since: String(ended_at),
  });
}

function write(userRoot: string, ending: PendingEnding): void {
  const file = fileOf(userRoot, ending.payload.session_id);
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  atomicWrite(file, `${JSON.stringify(ending)}\n`, { mode: 0o600, durable: false });
}

/** All of them, the oldest first. What is no ending is passed over. */
export function allEndings(userRoot: string): PendingEnding[] {
  const names = namesIn(endingsFolder(userRoot)).filter((name) => name.endsWith(SUFFIX));
  const endings = names.flatMap((name) => read(path.join(endingsFolder(userRoot), name)) ?? []);
  return endings.sort((a, b) => (a.since < b.since ? -1 : 1));
}

/** Those of a project that are to be tried now, also of the place that it was moved from. */
export function dueEndings(userRoot: string, project: string, now: Date): PendingEnding[] {
  const isMoved = movedTo(userRoot, project);
  return allEndings(userRoot).filter((each) => isDue(each, now) && (each.project === project || isMoved(each.project)));
}

/** Whether a folder that is gone was this project: asked only where there is such an ending, which is rare. */
function movedTo(userRoot: string, project: string): (gone: string) => boolean {
  let id: string | undefined;
  return (gone) => {
    if (fs.existsSync(gone)) return false;
    id ??= projectAt(userRoot, project).id;
    return projectAt(userRoot, gone).id === id;
  };
}

/** What was noted of an ending, by whomever: a worker is told no more than the payload. */
export const notedEnding = (userRoot: string, { session_id, ended_at }: JsonObject): PendingEnding | undefined => {
  const noted = read(fileOf(userRoot, session_id));
  return noted?.payload.ended_at === ended_at ? noted : undefined;
};

function isDue({ attempts, triedAt }: PendingEnding, now: Date): boolean {
  return attempts < EAGER_ATTEMPTS || !(Math.abs(now.getTime() - Date.parse(triedAt ?? '')) < DAY_MS);
}

/** Done. If the session has ended once more meanwhile, that ending stays. */
export function settleEnding(userRoot: string, { payload }: PendingEnding): void {
  const file = fileOf(userRoot, payload.session_id);
  if (read(file)?.payload.ended_at === payload.ended_at) fs.rmSync(file, { force: true });
}

/** Tried in vain. */
export function countAttempt(userRoot: string, ending: PendingEnding, now: Date): void {
  const file = fileOf(userRoot, ending.payload.session_id);
  const there = read(file);
  if (there && there.payload.ended_at === ending.payload.ended_at)
    write(userRoot, { ...there, attempts: there.attempts + 1, triedAt: now.toISOString() });
}

/** Lets go of what nobody can do any more; returns it, because somebody must be told. */
export function dropHopeless(userRoot: string, now: Date): PendingEnding[] {
  const all = allEndings(userRoot);
  const hopeless = all.filter(
    ({ since }, at) => now.getTime() - Date.parse(since) > MAX_AGE_MS || at < all.length - MAX_ENDINGS,
  );
  for (const each of hopeless) fs.rmSync(fileOf(userRoot, each.payload.session_id), { force: true });
  return hopeless;
}

function read(file: string): PendingEnding | undefined {
  try {
    if (fs.statSync(file).size > MAX_BYTES) return undefined;
    const ending = parseAs(ENDING, fs.readFileSync(file, 'utf8'));
    return ending && Number.isFinite(Date.parse(ending.since)) ? ending : undefined; // else none of ours
  } catch (error) {
    if (isSystemError(error)) return undefined; // done meanwhile
    throw error;
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
