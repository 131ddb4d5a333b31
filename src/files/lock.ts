// The lock around truth: a directory, because moving one to its place is atomic on every file system. It knows its owner,
// so a lock left by a dead process is taken over at once and a live one is respected. A writer that cannot get it fails:
// it never goes on without. What a dead owner may have left half done is owed until somebody has repaired it.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { CairnError, isSystemError } from '../errors.ts';
import { type Infer, integer, number, omittable, openObject, parseAs, text } from '../model/schema.ts';

export const LOCK_WAIT_MS = 5_000;
const LOCK_STALE_MS = 60_000;
const POLL_MS = 25;
const RELEASE_TRIES = 3;
const OWNER_FILE = 'owner.json';
const BREAK = '.break';
const GONE = '.gone';
const NEW = '.new';
const UNREPAIRED = '.unrepaired';

/** Whether a folder, by its name, is a lock or what is left of one: nobody else writes in there. */
export const isLockName = (name: string): boolean => /\.lock(?:dir)?(?:\.|$)/.test(name);

/** `started`: when the process began, as the system counts it; its number may have been given to another since. */
const OWNER = openObject({
  token: text(),
  pid: integer(),
  host: text(),
  space: text(),
  started: omittable(text()),
});
type Owner = Infer<typeof OWNER>;

export type Lock = {
  /** A lock was taken over from a dead or expired owner: what it was doing may be half done. */
  readonly tookOver: boolean;
  /** Throws if the lock was lost meanwhile; also tells others that its owner is still at work. */
  assertHeld(): void;
};

/** An owner that did not release its lock, and when it last said that it was at work (milliseconds since 1970). */
const LOST_OWNER = openObject({ pid: omittable(integer()), host: omittable(text()), at: number() });
export type LostOwner = Infer<typeof LOST_OWNER>;

/** Puts right what lost owners may have left half done, before the work of the new one begins. True if that is settled. */
export type Repair = (lock: Lock, lost: readonly LostOwner[]) => boolean;

export type LockOptions = {
  waitMs?: number;
  staleMs?: number;
  /** Left out where an owner can leave nothing half done. `later`: somebody else knows how; until then it stays owed. */
  repair?: Repair | 'later';
};

export async function withLock<T>(
  lockDir: string,
  work: (lock: Lock) => T | Promise<T>,
  options: LockOptions = {},
): Promise<T> {
  const owner = thisProcess();
  const tookOver = await acquire(lockDir, owner, options);
  try {
    const lost = options.repair === undefined ? undefined : lostOwners(lockDir);
    const lock: Lock = { tookOver: tookOver || lost !== undefined, assertHeld: () => assertHeld(lockDir, owner) };
    if (lost) repairAfter(lost, lock, { lockDir, repair: options.repair! });
    return await work(lock);
  } finally {
    release(lockDir, owner.token);
  }
}

/**
 * The debt is a file beside the lock. It is written before the lock of the lost owner is taken away, and goes when a repair has
 * succeeded: whoever dies in between, loses the race for the new lock or cannot repair does not take the knowledge with him.
 */
const debtOf = (lockDir: string): string => `${lockDir}${UNREPAIRED}`;

/** Those whose work nobody has repaired yet; `undefined` if there are none. */
function lostOwners(lockDir: string): LostOwner[] | undefined {
  const debt = debtOf(lockDir);
  if (!exists(debt)) return undefined;
  try {
    return fs
      .readFileSync(debt, 'utf8')
      .split('\n')
      .flatMap((line) => parseAs(LOST_OWNER, line) ?? []); // half a line, or the end
  } catch {
    return []; // whoever it was
  }
}

function repairAfter(
  lost: readonly LostOwner[],
  lock: Lock,
  { lockDir, repair }: { lockDir: string; repair: Repair | 'later' },
): void {
  removeLockRemains(lockDir);
  if (repair === 'later' || !repair(lock, lost)) return;
  lock.assertHeld();
  fs.rmSync(debtOf(lockDir), { force: true });
}

/** Whether somebody died with this lock, or may have, and nobody has repaired it: whoever can should take it once. */
export const owesRepair = (lockDir: string): boolean =>
  exists(debtOf(lockDir)) || stale(lockDir, LOCK_STALE_MS) !== undefined;

let tell: (text: string) => void = () => undefined;

/** Whoever runs the process hears of every stale lock that it breaks, and says so where its users look. */
export function onBrokenLock(listener: (text: string) => void): void {
  tell = listener;
}

/** What fails for a moment is tried again: a lock that its living owner leaves behind would keep everybody waiting. */
function release(lockDir: string, token: string): void {
  for (let tries = 0; tries < RELEASE_TRIES; tries++) {
    const held = readOwner(lockDir)?.token;
    if (held !== undefined && held !== token) return; // taken over
    if (takeAway(lockDir, token)) return;
  }
}

const thisProcess = (): Owner => ({
  token: eightDigits() + eightDigits(),
  pid: process.pid,
  host: hostName(),
  space: processSpace(),
  ...startOfSelf(),
});

/** What `os.hostname()` says; where the system keeps it in a file, reading that is a tenth of what loading node:os takes a hook. */
function hostName(): string {
  try {
    return fs.readFileSync('/proc/sys/kernel/hostname', 'utf8').trimEnd();
  } catch {
    return os.hostname();
  }
}

/** It must be unlike others, not hard to guess: whoever may write here needs no token. node:crypto would cost small commands as much as their work. */
const eightDigits = (): string =>
  Math.floor(Math.random() * 2 ** 32)
    .toString(16)
    .padStart(8, '0');

/** Takes away a lock that nobody has needed since its owner died, or for so long. False if it is no lock, or alive. */
export function clearStaleLock(lockDir: string, staleMs: number): boolean {
  if (!readOwner(lockDir) || !stale(lockDir, staleMs)) return false;
  return breakLock(lockDir, thisProcess(), { staleMs });
}

async function acquire(lockDir: string, owner: Owner, options: LockOptions): Promise<boolean> {
  const { waitMs = LOCK_WAIT_MS, staleMs = LOCK_STALE_MS, repair } = options;
  const deadline = Date.now() + waitMs;
  let tookOver = false;
  for (;;) {
    if (tryMake(lockDir, owner)) return tookOver;
    if (stale(lockDir, staleMs) && breakLock(lockDir, owner, { staleMs, isOwed: repair !== undefined })) {
      tookOver = true;
      continue;
    }
    if (Date.now() >= deadline) throw timedOut(lockDir, waitMs, staleMs);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/**
 * Made aside with its owner in it and moved to its place in one step, so that a process killed at any moment leaves no
 * lock or one that says whose it is. A directory that is there already, even an empty one, is somebody's lock.
 */
function tryMake(lockDir: string, owner: Owner): boolean {
  if (exists(lockDir)) return false;
  const made = `${lockDir}.${owner.token}${NEW}`;
  try {
    fs.mkdirSync(made, { mode: 0o700 });
    fs.writeFileSync(path.join(made, OWNER_FILE), JSON.stringify(owner), { mode: 0o600 });
    fs.renameSync(made, lockDir);
    return true;
  } catch (error) {
    discard(made);
    // Another process was quicker; it may even have released the lock since.
    if (isSystemError(error, 'ENOTEMPTY', 'EEXIST') || exists(lockDir)) return false;
    throw cannotMake(lockDir, error);
  }
}

const cannotMake = (lockDir: string, error: unknown): CairnError =>
  new CairnError('LOCK_ERROR', `The lock ${lockDir} cannot be made: ${(error as Error).message}`, {
    cause: error,
    fix: `Check that ${path.dirname(lockDir)} exists, that you may write in it, and that there is room on the disk.`,
  });

const exists = (file: string): boolean => fs.lstatSync(file, { throwIfNoEntry: false }) !== undefined;

type Stale = { owner: Owner | undefined; at: number; why: string };

/** Whose lock it is, if it may be taken over; `undefined` if it may not. */
function stale(lockDir: string, staleMs: number): Stale | undefined {
  const stat = fs.lstatSync(lockDir, { throwIfNoEntry: false });
  if (!stat) return undefined; // just released
  const owner = readOwner(lockDir);
  const at = stat.mtimeMs;
  if (owner && owner.host === hostName() && owner.space === processSpace() && !isAlive(owner))
    return { owner, at, why: `process ${owner.pid} no longer runs` };
  // A time in the future is as old as one in the past: the clock was wrong then, or is now, and nobody shall wait for it.
  const age = Math.abs(Date.now() - at);
  if (age <= staleMs) return undefined;
  return { owner, at, why: `${whoHolds(owner)} has not been heard of for ${Math.round(age / 1000)} s` };
}

const whoHolds = (owner: Owner | undefined): string =>
  owner ? `process ${owner.pid} on ${owner.host}` : 'an unknown process';

/**
 * Takes a stale lock away. Of several processes that see the same stale lock only the one that holds the breaker, a lock
 * like any other, may act, and it looks again under it: otherwise a slow one would take away the fresh lock of a quick one.
 */
function breakLock(lockDir: string, owner: Owner, how: { staleMs: number; isOwed?: boolean }): boolean {
  const breaker = `${lockDir}${BREAK}`;
  if (!tryMake(breaker, owner)) {
    const left = stale(breaker, how.staleMs);
    if (left) takeAway(breaker, left.owner?.token ?? null); // its owner was killed in the next lines
    return false;
  }
  try {
    const left = stale(lockDir, how.staleMs);
    if (!left) return false;
    if (how.isOwed) noteDebt(lockDir, left);
    if (!takeAway(lockDir, left.owner?.token ?? null)) return false;
    tell(`the stale lock ${lockDir} was broken: ${left.why}`);
    return true;
  } finally {
    takeAway(breaker, owner.token);
  }
}

/** One line for each: two may have died before anybody came to repair. */
function noteDebt(lockDir: string, { owner, at }: Stale): void {
  const lost: LostOwner = { ...(owner ? { pid: owner.pid, host: owner.host } : {}), at };
  try {
    fs.appendFileSync(debtOf(lockDir), `\n${JSON.stringify(lost)}\n`, { mode: 0o600 });
  } catch (error) {
    throw cannotMake(lockDir, error); // then the lock could not be taken away either
  }
}

/**
 * Removes the lock with this token and no other. It is moved aside first, so that a half-removed lock never looks like a
 * held one; if it turns out to be another, it goes back.
 */
function takeAway(directory: string, token: string | null): boolean {
  const grave = `${directory}.${eightDigits()}${GONE}`;
  try {
    fs.renameSync(directory, grave);
    const isIt = (readOwner(grave)?.token ?? null) === token;
    if (!isIt) fs.renameSync(grave, directory);
    return isIt;
  } catch {
    return false; // gone already, not ours to remove, or there is a new one: the caller waits and reports
  } finally {
    discard(grave);
  }
}

/** What cannot be removed is out of the way all the same, and no reason to fail. */
function discard(directory: string): boolean {
  return removeAsMade(directory) || removeWhatever(directory);
}

/** A lock holds one file. Removing a tree is a module of its own in Node, which looks at everything twice. */
function removeAsMade(directory: string): boolean {
  try {
    fs.unlinkSync(path.join(directory, OWNER_FILE));
    fs.rmdirSync(directory);
    return true;
  } catch {
    return false;
  }
}

function removeWhatever(directory: string): boolean {
  try {
    fs.rmSync(directory, { recursive: true, force: true });
    return true;
  } catch {
    return false;
  }
}

/** Clears what processes left that were killed while they made, broke or released a lock. Call it under the lock. */
export function removeLockRemains(lockDir: string, now = Date.now()): number {
  const [directory, name] = [path.dirname(lockDir), path.basename(lockDir)];
  const isRemains = (each: string): boolean =>
    each.startsWith(`${name}.`) && (each.endsWith(GONE) || each.endsWith(NEW) || each === `${name}${BREAK}`);
  let removed = 0;
  for (const each of fs.readdirSync(directory).filter(isRemains)) {
    const stat = fs.lstatSync(path.join(directory, each), { throwIfNoEntry: false });
    if (!stat || Math.abs(now - stat.mtimeMs) <= LOCK_STALE_MS) continue;
    if (discard(path.join(directory, each))) removed++;
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
    return parseAs(OWNER, fs.readFileSync(path.join(lockDir, OWNER_FILE), 'utf8'));
  } catch {
    return undefined; // not written yet, or not ours: only its age counts
  }
}

function isAlive({ pid, started }: Owner): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return isSystemError(error, 'EPERM');
  }
  const now = processFacts(pid);
  if (!now) return true;
  // Ended, though nobody took notice of it yet; or the number is another's by now, after a restart of the machine most of all.
  return now.state !== 'Z' && now.state !== 'X' && (started === undefined || now.started === started);
}

/** The state of a process, and when it began, in ticks since the machine did; `undefined` where the system does not tell. */
function processFacts(pid: number | 'self'): { state: string; started: string } | undefined {
  try {
    const text = fs.readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' '); // the name before may hold anything
    const [state, started] = [fields[0], fields[19]];
    return state && started ? { state, started } : undefined;
  } catch {
    return undefined;
  }
}

function startOfSelf(): { started?: string } {
  const facts = processFacts('self');
  return facts ? { started: facts.started } : {};
}

/** Process numbers mean something only inside one PID namespace: a container may share the project and the host name. */
function processSpace(): string {
  try {
    return fs.readlinkSync('/proc/self/ns/pid');
  } catch {
    return process.platform;
  }
}

function timedOut(lockDir: string, waitedMs: number, staleMs: number): CairnError {
  return new CairnError(
    'LOCK_ERROR',
    `The memory is locked by ${whoHolds(readOwner(lockDir))}; it was not released within ${waitedMs / 1000} s.`,
    {
      details: [['lock', lockDir]],
      fix: `Nothing was written. Try again; a lock older than ${staleMs / 1000} s is taken over by itself.`,
    },
  );
}
