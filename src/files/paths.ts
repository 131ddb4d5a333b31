// Where a path really leads. Every path that comes from outside (arguments, index lines, links in the memory root)
// is checked here, after links are followed, before anything is read or written through it.

import fs from 'node:fs';
import path from 'node:path';
import { CairnError, isSystemError } from '../errors.ts';

const MAX_PATH_LENGTH = 4096;
/** As many as Linux follows. */
const MAX_LINKS = 40;

/** True if `child` is `parent` or lies below it. Both absolute; no link is followed. */
export function isInside(parent: string, child: string): boolean {
  const relative = path.relative(parent, child);
  return relative === '' || (relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative));
}

/** The path with every link of its existing part followed; what does not exist yet is kept as written. */
export function realPath(file: string): string {
  const missing: string[] = [];
  let current = path.resolve(file);
  let links = 0;
  for (;;) {
    try {
      return path.join(fs.realpathSync.native(current), ...missing.reverse());
    } catch (error) {
      if (!isSystemError(error, 'ENOENT', 'ENOTDIR')) throw error;
      // A dangling link must not pass for a missing file: writing through it would create its target.
      const link = danglingTarget(current);
      if (link !== undefined) {
        // `a -> missing/../a` leads to itself, but not for the system: it stops at what is missing.
        if (++links > MAX_LINKS) throw error;
        current = link;
        continue;
      }
      const parent = path.dirname(current);
      if (parent === current) throw error;
      missing.push(path.basename(current));
      current = parent;
    }
  }
}

function danglingTarget(file: string): string | undefined {
  const stat = lstat(file);
  // `..` in a link starts from the folder that the link is really in.
  return stat?.isSymbolicLink()
    ? path.resolve(fs.realpathSync.native(path.dirname(file)), fs.readlinkSync(file))
    : undefined;
}

/** `throwIfNoEntry` is silent about what is missing only, not about a name below a file. */
function lstat(file: string): fs.Stats | undefined {
  try {
    return fs.lstatSync(file);
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}

/** Resolves `candidate` against `base` and refuses it unless it really lies inside `root`. Returns the real path. */
export function resolveInside(root: string, base: string, candidate: string): string {
  assertPlainPath(candidate);
  let real: string;
  try {
    real = realPath(path.resolve(base, candidate));
  } catch (error) {
    throw outside(candidate, `it cannot be resolved (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`, error);
  }
  if (!isInside(realPath(root), real)) throw outside(candidate, 'it leads outside the memory root');
  return real;
}

export function assertPlainPath(candidate: string): void {
  if (candidate === '') throw outside(candidate, 'it is empty');
  if (candidate.includes('\0')) throw outside(candidate.replaceAll('\0', '\\0'), 'it contains a NUL character');
  if (candidate.length > MAX_PATH_LENGTH)
    throw outside(`${candidate.slice(0, 60)}…`, `it is longer than ${MAX_PATH_LENGTH} characters`);
}

function outside(candidate: string, why: string, cause?: unknown): CairnError {
  return new CairnError('PATH_ERROR', `The path cannot be used: ${why}.`, {
    details: [['target', candidate]],
    fix: 'Name a file below the memory root, such as .claude/memory/decisions/<slug>.json.',
    ...(cause === undefined ? {} : { cause }),
  });
}

/** The path with forward slashes, as it is written into files on every system. */
export function toPosix(file: string): string {
  return path.sep === '/' ? file : file.replaceAll(path.sep, '/');
}
