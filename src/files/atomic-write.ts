// The only function that writes truth. A reader, or a crash at any instant, sees the old file or the new one:
// the bytes go to a temporary file beside the target, are synced, and take the target's name in one rename.

import fs from 'node:fs';
import path from 'node:path';

/** Ending of the temporary files; a killed writer may leave one, `removeStaleTemporaries` clears it. */
export const TEMPORARY_SUFFIX = '.cairn-tmp';
const STALE_AFTER_MS = 60_000;

export type AtomicWriteOptions = {
  /** Mode of a new file. An existing file keeps its own mode. */
  mode?: number;
  /** False for derived files only: a crash of the machine may then leave a damaged file, which the reader must notice. */
  durable?: boolean;
  /** Last look before the rename; throwing here leaves the old file untouched. */
  beforeCommit?: () => void;
};

/** Several pieces of data are written one behind the other. */
export function atomicWrite(
  target: string,
  data: string | Uint8Array | readonly Uint8Array[],
  options: AtomicWriteOptions = {},
): void {
  const directory = path.dirname(target);
  const temporary = path.join(directory, `.${path.basename(target)}.${uniqueName()}${TEMPORARY_SUFFIX}`);
  let descriptor: number | undefined;
  try {
    // 'wx' = O_CREAT | O_EXCL: a planted link of that name is an error, never followed.
    descriptor = fs.openSync(temporary, 'wx', modeFor(target, options.mode ?? 0o644));
    for (const piece of Array.isArray(data) ? (data as readonly Uint8Array[]) : [data as string | Uint8Array])
      fs.writeFileSync(descriptor, piece);
    if (options.durable !== false) fs.fsyncSync(descriptor);
    fs.closeSync(descriptor);
    descriptor = undefined;
    options.beforeCommit?.();
    fs.renameSync(temporary, target);
  } catch (error) {
    discard(temporary, descriptor);
    throw error;
  }
  if (options.durable !== false) syncDirectory(directory);
}

/** What went wrong first is what counts: a disk that may no longer be written to refuses this too. */
function discard(temporary: string, descriptor: number | undefined): void {
  try {
    if (descriptor !== undefined) fs.closeSync(descriptor);
    fs.rmSync(temporary, { force: true });
  } catch {
    // it stays until somebody sweeps (remove-leftovers.ts)
  }
}

/** It need not be hard to guess, because it must not exist; node:crypto would cost small commands as much as their work. */
const uniqueName = (): string => process.pid.toString(36) + Math.random().toString(36).slice(2, 10);

/** Moves a file under the same promises: the entry is durable when this returns. */
export function atomicRename(from: string, to: string): void {
  fs.renameSync(from, to);
  syncDirectory(path.dirname(to));
  if (path.dirname(from) !== path.dirname(to)) syncDirectory(path.dirname(from));
}

/** Clears what killed writers left in a folder. Call it under the lock. */
export function removeStaleTemporaries(directory: string, now = Date.now()): number {
  let removed = 0;
  for (const name of listNames(directory)) {
    if (!name.endsWith(TEMPORARY_SUFFIX)) continue;
    const file = path.join(directory, name);
    const stat = fs.lstatSync(file, { throwIfNoEntry: false });
    if (!stat?.isFile() || Math.abs(now - stat.mtimeMs) < STALE_AFTER_MS) continue; // also if the clock went back
    fs.rmSync(file, { force: true });
    removed++;
  }
  return removed;
}

function listNames(directory: string): string[] {
  return fs.existsSync(directory) ? fs.readdirSync(directory) : [];
}

function modeFor(target: string, otherwise: number): number {
  const stat = fs.statSync(target, { throwIfNoEntry: false });
  return stat?.isFile() ? stat.mode & 0o777 : otherwise;
}

/** Makes a rename survive power loss. Some file systems and Windows cannot open a directory: then the rename stands alone. */
function syncDirectory(directory: string): void {
  let descriptor: number | undefined;
  try {
    descriptor = fs.openSync(directory, 'r');
    fs.fsyncSync(descriptor);
  } catch {
    // not supported here
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor);
  }
}
