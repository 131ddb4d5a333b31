// The lock around truth: a directory, because mkdir is atomic on every file system. It knows its owner, so a lock left
// by a dead process is taken over at once and a live one is respected. A writer that cannot get it fails: it never goes on without.

import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { CairnError, isSystemError } from '../errors.ts';

export const LOCK_WAIT_MS = 5_000;
export const LOCK_STALE_MS = 60_000;
const POLL_MS = 25;
const OWNER_FILE = 'owner.json';
const BREAK = '.break';
const GONE = '.gone';

type Owner = { token: string; pid: number; host: string; space: string };

export type Lock = {
  /** A lock was taken over from a dead or expired owner: what it was doing may be half done. */
  readonly tookOver: boolean;
  /** Throws if the lock was lost meanwhile; also tells others that its owner is still at work. */
  assertHeld(): void;
};

export type LockOptions = { waitMs?: number; staleMs?: number };

export async function withLock<T>(
  lockDir: string,
  work: (lock: Lock) => T | Promise<T>,
  options: LockOptions = {},
): Promise<T> {
  const owner: Owner = {
    token: randomBytes(8).toString('hex'),
    pid: process.pid,
    host: os.hostname(),
    space: processSpace(),
  };
  const tookOver = await acquire(lockDir, owner, options);
  try {
    return await work({ tookOver, assertHeld: () => assertHeld(lockDir, owner) });
  } finally {
    if (readOwner(lockDir)?.token === owner.token) remove(lockDir);
  }
}

async function acquire(lockDir: string, owner: Owner, options: LockOptions): Promise<boolean> {
  const deadline = Date.now() + (options.waitMs ?? LOCK_WAIT_MS);
  let tookOver = false;
  for (;;) {
    if (tryMake(lockDir, owner)) return tookOver;
    if (isStale(lockDir, options.staleMs ?? LOCK_STALE_MS) && breakLock(lockDir, options.staleMs ?? LOCK_STALE_MS)) {
      tookOver = true;
      continue;
    }
    if (Date.now() >= deadline) throw timedOut(lockDir, options.waitMs ?? LOCK_WAIT_MS);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

function tryMake(lockDir: string, owner: Owner): boolean {
  try {
    fs.mkdirSync(lockDir, { mode: 0o700 });
  } catch (error) {
    if (isSystemError(error, 'EEXIST')) return false;
    throw new CairnError('LOCK_ERROR', `The lock ${lockDir} cannot be made: ${(error as Error).message}`, {
      cause: error,
      fix: 'Check that the memory root exists and that you may write in it.',
    });
  }
  fs.writeFileSync(path.join(lockDir, OWNER_FILE), JSON.stringify(owner), { mode: 0o600 });
  return true;
}

function isStale(lockDir: string, staleMs: number): boolean {
  const stat = fs.lstatSync(lockDir, { throwIfNoEntry: false });
  if (!stat) return false; // just released
  const owner = readOwner(lockDir);
  if (owner && owner.host === os.hostname() && owner.space === processSpace() && !isAlive(owner.pid)) return true;
  return Date.now() - stat.mtimeMs > staleMs;
}

/**
 * Takes a stale lock away. Of several processes that see the same stale lock only the one that holds the breaker
 * directory may act, and it looks again under it: otherwise a slow one would take away the fresh lock of a quick one.
 */
function breakLock(lockDir: string, staleMs: number): boolean {
  const breaker = `${lockDir}${BREAK}`;
  try {
    fs.mkdirSync(breaker, { mode: 0o700 });
  } catch (error) {
    if (!isSystemError(error, 'EEXIST')) return false;
    const stat = fs.lstatSync(breaker, { throwIfNoEntry: false });
    if (stat && Date.now() - stat.mtimeMs > staleMs) remove(breaker); // its owner was killed in the next three lines
    return false;
  }
  try {
    return isStale(lockDir, staleMs) && remove(lockDir);
  } finally {
    remove(breaker);
  }
}

/** Renames first, so that a half-removed lock never looks like a held one without an owner. */
function remove(directory: string): boolean {
  const grave = `${directory}.${randomBytes(4).toString('hex')}${GONE}`;
  try {
    fs.renameSync(directory, grave);
    fs.rmSync(grave, { recursive: true, force: true });
    return true;
  } catch {
    return false; // gone already, or not ours to remove: the caller waits and reports
  }
}

/** Clears what processes left that were killed while they released or broke a lock. Call it under the lock. */
export function removeLockRemains(lockDir: string, now = Date.now()): number {
  const [directory, name] = [path.dirname(lockDir), path.basename(lockDir)];
  const isRemains = (each: string): boolean =>
    each.startsWith(`${name}.`) && (each.endsWith(GONE) || each === `${name}${BREAK}`);
  let removed = 0;
  for (const each of fs.readdirSync(directory).filter(isRemains)) {
    const stat = fs.lstatSync(path.join(directory, each), { throwIfNoEntry: false });
    if (!stat || now - stat.mtimeMs <= LOCK_STALE_MS) continue;
    fs.rmSync(path.join(directory, each), { recursive: true, force: true });
    removed++;
  }
  return removed;
}

function assertHeld(lockDir: string, owner: Owner): void {
  if (readOwner(lockDir)?.token !== owner.token) {
    throw new CairnError(
      'LOCK_ERROR',
      `The lock ${lockDir} was taken over by another process while this one was at work.`,
      {
        fix: 'Nothing was written. Run the command again.',
      },
    );
  }
  const now = new Date();
  fs.utimesSync(lockDir, now, now);
}

function readOwner(lockDir: string): Owner | undefined {
  try {
    const value: unknown = JSON.parse(fs.readFileSync(path.join(lockDir, OWNER_FILE), 'utf8'));
    const owner = value as Partial<Owner> | null;
    return typeof owner?.token === 'string' &&
      typeof owner.pid === 'number' &&
      typeof owner.host === 'string' &&
      typeof owner.space === 'string'
      ? (owner as Owner)
      : undefined;
  } catch {
    return undefined; // not written yet, or not ours: only its age counts
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isSystemError(error, 'EPERM');
  }
}

/** Process numbers mean something only inside one PID namespace: a container may share the project and the host name. */
function processSpace(): string {
  try {
    return fs.readlinkSync('/proc/self/ns/pid');
  } catch {
    return process.platform;
  }
}

function timedOut(lockDir: string, waitedMs: number): CairnError {
  const owner = readOwner(lockDir);
  const who = owner ? `process ${owner.pid} on ${owner.host}` : 'an unknown process';
  return new CairnError(
    'LOCK_ERROR',
    `The memory is locked by ${who}; it was not released within ${waitedMs / 1000} s.`,
    {
      details: [['lock', lockDir]],
      fix: `Nothing was written. Try again; a lock older than ${LOCK_STALE_MS / 1000} s is taken over by itself.`,
    },
  );
}
