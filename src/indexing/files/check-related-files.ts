// Whether the files that a memory is about are still what they were: each is remembered by its git blob id, which is made from
// its content alone, so no git is needed. Paths come from memories, that is from anybody: none is followed out of the project.

import fs from 'node:fs';
import path from 'node:path';
import { CairnError, isSystemError } from '../../errors.ts';
import { readWithStat } from '../../files/json-file.ts';
import { resolveInside, toPosix } from '../../files/paths.ts';
import { gitBlobId } from '../../model/hash.ts';

/** A file as it was when the memory was written. Without a blob (too large, a folder, not there) nothing can be said later. */
export type FileVersion = {
  /** From the project root, with forward slashes. */
  readonly path: string;
  readonly blob?: string | null;
  /** Bytes. */
  readonly size?: number | null;
};

export type FileCheck = 'unchanged' | 'changed' | 'gone' | 'unknown';

/** Larger files are data rather than code, and a prompt must not wait for them. */
const MAX_BYTES = 4 * 1024 * 1024;

/** What the files together say: one that is gone tells most, then one that changed; `unchanged` only if it holds for all. */
export function checkFiles(projectRoot: string, files: readonly FileVersion[]): FileCheck {
  const checks = files.map((file) => checkFile(projectRoot, file));
  for (const check of ['gone', 'changed'] as const) if (checks.includes(check)) return check;
  return checks.length > 0 && checks.every((check) => check === 'unchanged') ? 'unchanged' : 'unknown';
}

export function checkFile(projectRoot: string, { path: named, blob, size }: FileVersion): FileCheck {
  const file = insideProject(projectRoot, named);
  if (file === undefined) return 'unknown';
  const stat = statOf(file);
  if (stat === undefined) return 'gone';
  if (stat === 'hidden' || blob == null || !stat.isFile()) return 'unknown';
  if (size != null && stat.size !== size) return 'changed';
  const now = blobOf(file);
  return now === undefined ? 'unknown' : now.blob === blob ? 'unchanged' : 'changed';
}

/** The file as it is now. */
export function fileVersion(projectRoot: string, named: string): FileVersion {
  const file = insideProject(projectRoot, named);
  const seen = file === undefined ? undefined : blobOf(file);
  return { path: named, blob: seen?.blob ?? null, size: seen?.size ?? null };
}

/** From the project root; a path out of it stays as it is written, and is never opened. */
export function pathInProject(projectRoot: string, named: string): string {
  if (!path.isAbsolute(named)) return named;
  const relative = path.relative(projectRoot, named);
  return relative === '' || relative.startsWith('..') || path.isAbsolute(relative) ? named : toPosix(relative);
}

function insideProject(projectRoot: string, named: string): string | undefined {
  try {
    return resolveInside(projectRoot, projectRoot, named);
  } catch (error) {
    if (error instanceof CairnError || isSystemError(error)) return undefined;
    throw error;
  }
}

function statOf(file: string): fs.Stats | 'hidden' | undefined {
  try {
    return fs.statSync(file);
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return undefined;
    if (isSystemError(error)) return 'hidden'; // no permission: it may well be there
    throw error;
  }
}

function blobOf(file: string): { blob: string; size: number } | undefined {
  try {
    const read = readWithStat(file, MAX_BYTES);
    if (!read) return undefined;
    const { bytes } = read;
    return { blob: gitBlobId(bytes, 'sha1'), size: bytes.length };
  } catch (error) {
    if (error instanceof CairnError) return undefined;
    throw error;
  }
}
