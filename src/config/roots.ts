// Where things are: the home directory, the project that a directory belongs to, and what a project may point at.
// Pure questions about the disk; load.ts asks them with the environment it has read.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isInside } from '../files/paths.ts';

type Environment = { readonly [name: string]: string | undefined };

export const PROJECT_FILE = 'memory-config.json';
export const DEFAULT_ROOT = path.join('.claude', 'memory');
export const MAX_CONFIG_BYTES = 1024 * 1024;

export function homeOf(env: Environment): string {
  const home = env.HOME || env.USERPROFILE;
  return home && path.isAbsolute(home) ? home : os.homedir();
}

/** The working directory may have been deleted under us. */
export function currentDirectory(otherwise: string): string {
  try {
    return process.cwd();
  } catch {
    return otherwise;
  }
}

export function expandHome(file: string, home: string): string {
  return file === '~' || /^~[\\/]/.test(file) ? path.join(home, file.slice(1)) : file;
}

export function findProjectRoot(cwd: string, env: Environment, explicit: string | undefined): string {
  // `--root /elsewhere/.claude/memory` names the project too.
  const above = explicit && path.dirname(path.dirname(explicit));
  if (above && path.join(above, DEFAULT_ROOT) === explicit) return above;
  const given = env.CLAUDE_PROJECT_DIR;
  if (given && path.isAbsolute(given) && isDirectory(given)) return path.normalize(given);
  const home = homeOf(env);
  for (let directory = cwd; ; directory = path.dirname(directory)) {
    if (isProject(directory, cwd, home)) return directory;
    if (path.dirname(directory) === directory) return cwd;
  }
}

function isProject(directory: string, cwd: string, home: string): boolean {
  const hasMemory = isDirectory(path.join(directory, DEFAULT_ROOT));
  if (directory === cwd && hasMemory) return true;
  const hasGit = fs.existsSync(path.join(directory, '.git'));
  // What somebody left in /tmp must not become the memory of all that happens below it; and the memory
  // of the home directory is for work in it, not for every folder without a repository.
  if (directory !== cwd && (hasMemory || hasGit) && isSharedByAll(directory)) return false;
  return hasGit || (hasMemory && directory !== home);
}

const QUIET = { throwIfNoEntry: false } as const;

function isSharedByAll(directory: string): boolean {
  const STICKY_AND_WRITABLE = 0o1002;
  return (
    process.platform !== 'win32' &&
    ((fs.statSync(directory, QUIET)?.mode ?? 0) & STICKY_AND_WRITABLE) === STICKY_AND_WRITABLE
  );
}

function isDirectory(directory: string): boolean {
  try {
    return fs.statSync(directory, QUIET)?.isDirectory() ?? false;
  } catch {
    return false; // no permission, or a name that no file system takes
  }
}

/** Both real paths. A memory in the project's own root would mix with its files, one in `.git` with its repository. */
export function mayHoldMemory(project: string, root: string): boolean {
  return root !== project && isInside(project, root) && !path.relative(project, root).split(path.sep).includes('.git');
}
