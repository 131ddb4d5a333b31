// The note that a conversation waits to be indexed: an empty file in the user's folder, made by the hook that saw the turn end,
// removed by the worker that has indexed it. How old it is tells for how long capture has not worked.

import fs from 'node:fs';
import path from 'node:path';
import { isSystemError } from '../errors.ts';
import { projectHash } from '../model/hash.ts';

/** From when on a user must be told. */
const OVERDUE_MS = 86_400_000;

export const pendingFile = (userRoot: string, projectRoot: string): string =>
  path.join(userRoot, 'pending', `${nameOf(projectRoot)}.index`);

/** An older note stays as it is: it says since when there is something to do. */
export function notePending(userRoot: string, projectRoot: string): void {
  const file = pendingFile(userRoot, projectRoot);
  for (let attempt = 0; ; attempt++) {
    try {
      fs.closeSync(fs.openSync(file, 'wx', 0o600));
      return;
    } catch (error) {
      if (isSystemError(error, 'EEXIST')) return;
      if (attempt > 0 || !isSystemError(error, 'ENOENT')) throw error;
      fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    }
  }
}

/** Takes the note away and says since when it was there; `undefined` if there is none. */
export function takePending(userRoot: string, projectRoot: string): Date | undefined {
  const file = pendingFile(userRoot, projectRoot);
  const since = fs.statSync(file, { throwIfNoEntry: false })?.mtime;
  if (since) fs.rmSync(file, { force: true }); // rarely there, and removing is a module of its own in Node
  return since;
}

/** The work failed: the note is there again, as old as it was. */
export function putBackPending(userRoot: string, projectRoot: string, since: Date): void {
  notePending(userRoot, projectRoot);
  fs.utimesSync(pendingFile(userRoot, projectRoot), since, since);
}

/** One line for the user, or nothing. */
export function overdueCapture(userRoot: string, projectRoot: string, now: Date): string | undefined {
  const since = fs.statSync(pendingFile(userRoot, projectRoot), { throwIfNoEntry: false })?.mtime;
  if (!since || now.getTime() - since.getTime() < OVERDUE_MS) return undefined;
  const day = since.toISOString().slice(0, 10);
  return `Cairn has not captured conversations of this project since ${day}; \`cairn backfill\` catches up and says what is wrong.`;
}

/** A worker asks for it again and again, with code that is not warm. */
let last = { projectRoot: '', name: '' };
function nameOf(projectRoot: string): string {
  if (last.projectRoot !== projectRoot) last = { projectRoot, name: projectHash(projectRoot) };
  return last.name;
}
