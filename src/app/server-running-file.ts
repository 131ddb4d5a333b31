// A server that dies says nothing. So a running one leaves a mark in the user's folder and takes it away when it ends; whoever
// starts next and finds the mark of a process that is gone writes that to the log, which `cairn doctor` and the next session read.

import fs from 'node:fs';
import path from 'node:path';
import { logFailure } from './failure-log.ts';

const FOLDER = 'run';
const NAME = /^mcp-(\d{1,10})$/;
/** What is older is not news: the machine may have lost power long ago. */
const MAX_AGE_MS = 7 * 86_400_000;
const MAX_TOLD = 3;

/** Returns what takes the mark away. Never fails: a home that may only be read has no marks. */
export function markRunning(userRoot: string, pid: number): () => void {
  const file = path.join(userRoot, FOLDER, `mcp-${pid}`);
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    fs.writeFileSync(file, '', { mode: 0o600 });
  } catch {
    return () => undefined;
  }
  return () => {
    try {
      fs.rmSync(file, { force: true });
    } catch {
      // The folder is no longer ours to write: the next one tells a death that was none, which is the better mistake.
    }
  };
}

/** Tells of those that ended without taking their mark away. */
export function reportDeadServers(userRoot: string, now: Date): void {
  const folder = path.join(userRoot, FOLDER);
  let names: string[];
  try {
    names = fs.readdirSync(folder);
  } catch {
    return; // none was ever left
  }
  let told = 0;
  for (const name of names) {
    const pid = Number(NAME.exec(name)?.[1] ?? 0);
    if (pid === 0 || isAlive(pid)) continue;
    const file = path.join(folder, name);
    const since = fs.statSync(file, { throwIfNoEntry: false })?.mtime;
    if (!since) continue;
    try {
      fs.rmSync(file, { force: true });
    } catch {
      continue; // told again is worse than told later
    }
    if (now.getTime() - since.getTime() > MAX_AGE_MS || ++told > MAX_TOLD) continue;
    const what = `The memory server that started at ${since.toISOString()} (process ${pid}) was ended by something else than its client; hooks of that moment were missed.`;
    void logFailure(userRoot, 'mcp-server', new Error(what));
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
