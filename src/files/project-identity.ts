// Which project a directory belongs to, by what the disk says: the main work tree of its repository, which folder that is whatever it
// is called, the remote without its credentials. What these make of it over time (moves, clones, remotes that change) is kept in
// project-registry.ts. Reads git's files itself: no process is started.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { chosenRemote, realDirectory, type WorkTree, workTreeAround } from './git-files.ts';
import { normaliseRemote } from './remote-url.ts';

export type ProjectFacts = {
  /** The main work tree, the repository if it has none, else the folder itself. An absolute path, maybe of another system. */
  readonly place: string;
  /** What the place was called before projects had names of their own; not always the same. */
  readonly oldName: string;
  /** Which folder the place is, whatever its path: it goes along with `mv`, and no copy has it. */
  readonly stamp?: string;
  /** Git's folder of the repository. */
  readonly common?: string;
  /** `github.com/owner/name` */
  readonly remote?: string;
  /** Whether the directory, or the repository it was in, is on this machine. */
  readonly isHere: boolean;
};

/** Where the client keeps the worktrees that it makes, and removes again. */
const CLIENT_WORKTREE = /^(.+?)[\\/]\.claude[\\/]worktrees[\\/][^\\/]+/;
const OF_WINDOWS = /^(?:[A-Za-z]:[\\/]|\\\\[^\\]+\\[^\\]+)/;

/** An absolute path that means nothing on this system: `D:\work` on Linux, `/home/me` on Windows. */
export function isForeignPath(file: string, platform: NodeJS.Platform = process.platform): boolean {
  return platform === 'win32' ? /^\/(?!\/)/.test(file) : OF_WINDOWS.test(file);
}

export function projectFacts(directory: string): ProjectFacts {
  if (isForeignPath(directory)) return factsOfForeign(directory);
  const wanted = path.resolve(directory);
  const real = realDirectory(wanted);
  const outlived = CLIENT_WORKTREE.exec(wanted)?.[1];
  const tree = workTreeAround(real ?? nearestDirectory(outlived ?? wanted));
  // A folder that is gone may have belonged to the repository around it, but not to one that keeps the whole home.
  const isOfTree = tree?.isMutual && (real !== undefined || tree.top !== realDirectory(os.homedir()));
  if (!isOfTree) {
    const place = (tree && real !== undefined ? tree.top : real) ?? outlived ?? wanted;
    const isHere = realDirectory(place) !== undefined;
    return { place, oldName: place, isHere, ...stampOf(place) };
  }
  const place = placeOf(tree);
  const remote = chosenRemote(tree.common);
  const named = remote && normaliseRemote(remote.url);
  return {
    place,
    oldName: path.basename(tree.common) === '.git' ? path.dirname(tree.common) : tree.top,
    isHere: true,
    common: tree.common,
    ...stampOf(place),
    ...(named === undefined ? {} : { remote: named }),
  };
}

function placeOf({ top, git, common }: WorkTree): string {
  if (path.basename(common) === '.git') return path.dirname(common);
  return git === common ? top : common; // worktrees of a repository without a work tree of its own share it
}

function nearestDirectory(directory: string): string {
  const real = realDirectory(directory);
  const above = path.dirname(directory);
  return real ?? (above === directory ? directory : nearestDirectory(above));
}

/** Inodes are used again, so the moment of birth belongs to it; without one nothing is certain. */
function stampOf(folder: string): { stamp?: string } {
  try {
    const { ino, birthtimeNs } = fs.statSync(folder, { bigint: true });
    return birthtimeNs > 0n && ino > 0n ? { stamp: `${ino}-${birthtimeNs}` } : {};
  } catch {
    return {};
  }
}

function factsOfForeign(directory: string): ProjectFacts {
  const tidy = OF_WINDOWS.test(directory) ? path.win32.normalize(directory) : path.posix.normalize(directory);
  const plain = tidy.replace(/(?<=[^:\\/])[\\/]+$/, '').replace(/^[a-z](?=:)/, (drive) => drive.toUpperCase());
  const place = CLIENT_WORKTREE.exec(plain)?.[1] ?? plain;
  return { place, oldName: place, isHere: false };
}

/**
 * The folder that a conversation was started in, by the name of the folder that the client keeps its transcript in: the working
 * directory moves with `cd`, and of one that is not on this machine nothing else says where its project begins.
 */
export function startFolder(cwd: string, transcript: string): string | undefined {
  const folders = new Set(path.dirname(transcript).split(/[\\/]/));
  const above = (OF_WINDOWS.test(cwd) ? path.win32 : path.posix).dirname;
  for (let folder = cwd; ; folder = above(folder)) {
    if (folders.has(clientFolderName(folder))) return folder;
    if (above(folder) === folder) return undefined;
  }
}

/** How the client names the folder of a project. */
export const clientFolderName = (directory: string): string => directory.replace(/[^A-Za-z0-9]/g, '-');

/** The moment of a move is written to the folder and to the one it was taken from, by the same call. */
const MOVE_MS = 10;

/**
 * Whether a folder that is gone was moved to `place`, as far as the disk still says so: only while nothing else has changed in either.
 * A folder that was made just then is another one: to make it is written to the folder above in the same way.
 */
export function wasMovedFrom(gone: string, place: string): boolean {
  try {
    if (fs.existsSync(gone)) return false;
    const { ctimeMs, birthtimeMs } = fs.statSync(place);
    if (ctimeMs - birthtimeMs <= MOVE_MS) return false;
    return Math.abs(ctimeMs - fs.statSync(path.dirname(gone)).mtimeMs) <= MOVE_MS;
  } catch {
    return false;
  }
}
