// What killed writers leave behind, cleared away: temporary files, their locks, and locks that were being made or taken away. The next writer
// clears what is in his way; this is for the rest, in folders where nobody may write again. For the background.

import fs from 'node:fs';
import path from 'node:path';
import { CairnError, isSystemError } from '../errors.ts';
import { TEMPORARY_SUFFIX } from './atomic-write.ts';
import { clearStaleLock } from './lock.ts';

/** No write takes so long, and no lock is held so long without its owner saying that he is at work. */
const OLD_MS = 3_600_000;
const MAX_DEPTH = 5;
/** The names that files/lock.ts gives them, and none that a person would. */
const LOCK_REMAINS = /\.[0-9a-f]{16}\.new$|\.[0-9a-f]{8}\.gone$|\.break$/;
const OWNER_FILE = 'owner.json';

/** Looks through a folder and those in it, except those named in `not`; links are not followed. Returns how much was cleared. */
export function removeLeftovers(folder: string, options: { now: number; not?: readonly string[] }): number {
  return sweep(folder, { ...options, depth: MAX_DEPTH });
}

function sweep(folder: string, options: { now: number; not?: readonly string[]; depth: number }): number {
  const { now, not = [], depth } = options;
  const entries = entriesOf(folder);
  if (entries.length === 1 && entries[0]!.name === OWNER_FILE) return clearLock(folder) ? 1 : 0;
  let cleared = 0;
  for (const entry of entries) {
    const place = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      if (LOCK_REMAINS.test(entry.name)) cleared += isOld(place, now) && isLock(place) && removed(place) ? 1 : 0;
      else if (depth > 0 && !not.includes(entry.name)) cleared += sweep(place, { ...options, depth: depth - 1 });
    } else if (entry.isFile() && entry.name.endsWith(TEMPORARY_SUFFIX))
      cleared += isOld(place, now) && removed(place) ? 1 : 0;
  }
  return cleared;
}

function clearLock(place: string): boolean {
  try {
    return clearStaleLock(place, OLD_MS);
  } catch (error) {
    if (error instanceof CairnError) return false; // a disk that may only be read
    throw error;
  }
}

/** Also what comes from the future: the clock was wrong then, or is now. */
function isOld(place: string, now: number): boolean {
  const stat = fs.lstatSync(place, { throwIfNoEntry: false });
  return stat !== undefined && Math.abs(now - stat.mtimeMs) > OLD_MS;
}

const isLock = (place: string): boolean => entriesOf(place).every(({ name }) => name === OWNER_FILE);

function removed(place: string): boolean {
  try {
    fs.rmSync(place, { recursive: true, force: true });
    return true;
  } catch (error) {
    if (isSystemError(error)) return false; // not ours to remove, or a disk that may only be read
    throw error;
  }
}

function entriesOf(folder: string): fs.Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (isSystemError(error)) return [];
    throw error;
  }
}
