// Questions about a folder as a whole: whether it can be used, how much lies in it, when something in it last changed.
// Bounded: a folder that somebody filled with a million files must not hang the one who asks.

import fs from 'node:fs';
import path from 'node:path';
import { isSystemError, messageOf } from '../errors.ts';

const MAX_ENTRIES = 200_000;

export function checkFolder(folder: string): { exists: boolean; mode: number | undefined; writable: boolean } {
  const stats = fs.statSync(folder, { throwIfNoEntry: false });
  if (!stats) return { exists: false, mode: undefined, writable: false };
  const mode = process.platform === 'win32' ? undefined : stats.mode & 0o7777;
  return { exists: true, mode, writable: isWritable(folder) };
}

function isWritable(folder: string): boolean {
  try {
    fs.accessSync(folder, fs.constants.W_OK | fs.constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export function bytesBelow(folder: string): number {
  let sum = 0;
  for (const { stats } of filesBelow(folder)) sum += stats.size;
  return sum;
}

/** `into` tells which folders are looked into. */
export function newestBelow(
  folder: string,
  names: RegExp,
  into: (name: string) => boolean = () => true,
): Date | undefined {
  let newest: Date | undefined;
  for (const { file, stats } of filesBelow(folder, into))
    if (names.test(file) && (!newest || stats.mtime > newest)) newest = stats.mtime;
  return newest;
}

/** `closed` hears of folders that may not be looked into; without it they count as empty. */
export function* filesBelow(
  folder: string,
  into: (name: string) => boolean = () => true,
  closed?: (folder: string, why: string) => void,
): Generator<{ file: string; stats: fs.Stats }> {
  const left = [folder];
  for (let seen = 0; left.length > 0 && seen < MAX_ENTRIES; ) {
    const place = left.pop()!;
    for (const entry of entriesOf(place, closed)) {
      seen++;
      const file = path.join(place, entry.name);
      if (entry.isDirectory() && into(entry.name)) left.push(file);
      const stats = entry.isFile() ? fs.lstatSync(file, { throwIfNoEntry: false }) : undefined;
      if (stats) yield { file, stats };
    }
  }
}

function entriesOf(folder: string, closed?: (folder: string, why: string) => void): fs.Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (isSystemError(error, 'EACCES')) closed?.(folder, messageOf(error));
    if (isSystemError(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return [];
    throw error;
  }
}
