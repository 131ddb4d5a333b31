// Whether the memory of a project may speak to the model. Records, notes and settings come with a clone, from anybody: until the
// user has agreed (`cairn trust`), or where Cairn itself founded the memory, nothing of them is injected and no setting of
// theirs makes Cairn do more. Asked before every prompt, so it opens one small file and looks at a few names.

import fs from 'node:fs';
import path from 'node:path';
import type { Settings } from '../config/settings/settings.ts';
import { isSystemError } from '../errors.ts';
import { workTreeAround } from '../files/git-files.ts';
import { isInside, realPath } from '../files/paths.ts';
import { hasMark, markOf, movedMark, type TrustKey, writeMark } from './trust-mark.ts';

export type Trust = {
  /**
   * `agreed`: there is a mark. `own`: nobody is asked here, because it is no repository or the user does not want to be.
   * `new`: there is nothing yet. `untrusted`: somebody's memory, and the user has not agreed.
   */
  readonly state: 'agreed' | 'own' | 'new' | 'untrusted';
  /** The project leads its memory out of itself, by a link or by its settings. */
  readonly leadsOut: boolean;
  /** The user named the memory root, not the project. */
  readonly byUser: boolean;
  readonly key: TrustKey;
};

export type TrustPlace = {
  readonly userRoot: string;
  readonly projectRoot: string;
  readonly memoryRoot: string;
  readonly byUser: boolean;
};

/** Made by Cairn from the files, whenever it reads: it says nothing about whose they are. */
const DERIVED = 'graph.json';

export function trustOf(place: TrustPlace, setting: Settings['trust']): Trust {
  const { byUser, userRoot } = place;
  let found: Omit<Trust, 'state'> | undefined;
  try {
    const real = { root: realPath(place.memoryRoot), project: realPath(place.projectRoot) };
    const leadsOut = !byUser && !isInside(real.project, real.root);
    found = { leadsOut, byUser, key: leadsOut ? real : { root: real.root } };
    if (setting === 'never') return { ...found, state: 'own' };
    if (!fs.existsSync(real.root)) return { ...found, state: 'new' };
    if (hasMark(userRoot, found.key)) return { ...found, state: 'agreed' };
    const isRevoked = markOf(userRoot, found.key)?.by === 'revoked';
    const tops = [
      isInside(real.project, real.root) ? real.project : real.root,
      ...(leadsOut ? [real.project] : []),
    ].map(workTreeOf);
    if (setting !== 'always' && tops.every((top) => top === undefined)) return { ...found, state: 'own' };
    if (!leadsOut && !isRevoked && isKnownElsewhere(userRoot, tops[0], real.root)) return { ...found, state: 'agreed' };
    return { ...found, state: holdsMemory(real.root) ? 'untrusted' : 'new' };
  } catch (error) {
    if (!isSystemError(error)) throw error;
    // A loop of links, a folder that we may not look into: nothing to rely on.
    return { ...(found ?? { leadsOut: true, byUser, key: { root: place.memoryRoot } }), state: 'untrusted' };
  }
}

/** Of a memory root that a search came across: its project is where it usually is. */
export function trustOfRoot(userRoot: string, root: string, setting: Settings['trust']): Trust {
  const usual = path.join('.claude', 'memory');
  const projectRoot = root.endsWith(path.sep + usual) ? root.slice(0, -usual.length - 1) : path.dirname(root);
  return trustOf({ userRoot, projectRoot, memoryRoot: root, byUser: false }, setting);
}

/** Whether what is there may be injected, and its settings count. */
export const isTrusted = ({ state }: Trust): boolean => state !== 'untrusted';

/**
 * Before a writer writes: a memory that does not exist yet is founded here, by this user, and needs no asking later. A mark that
 * cannot be made must not cost the memory: then the user is asked.
 */
export function markFounded(userRoot: string, { key }: Pick<Trust, 'key'>, now: Date): void {
  try {
    if (hasMark(userRoot, key) || (fs.existsSync(key.root) && holdsMemory(key.root))) return;
    fs.rmSync(path.join(key.root, DERIVED), { force: true }); // whoever brought it: it is made anew
    writeMark(userRoot, key, { by: 'founded', now });
  } catch (error) {
    if (!isSystemError(error)) throw error;
  }
}

/** Anything but what Cairn makes for itself. */
function holdsMemory(root: string): boolean {
  return fs
    .readdirSync(root, { withFileTypes: true })
    .some(
      (entry) =>
        !entry.name.startsWith('.') &&
        entry.name !== DERIVED &&
        (!entry.isDirectory() || fs.readdirSync(path.join(root, entry.name)).length > 0),
    );
}

/** The top of the git work tree around a directory. An empty `.git` is none, as for git itself. */
function workTreeOf(directory: string): string | undefined {
  for (let top = directory; ; top = path.dirname(top)) {
    const git = path.join(top, '.git');
    const stat = fs.statSync(git, { throwIfNoEntry: false });
    if (stat?.isFile() || (stat && fs.existsSync(path.join(git, 'HEAD')))) return top;
    if (path.dirname(top) === top) return undefined;
  }
}

/** The folder that was moved here was agreed to, or all work trees of this repository are: they are the user's as much as the first. */
function isKnownElsewhere(userRoot: string, top: string | undefined, root: string): boolean {
  const main = top === undefined ? undefined : mainTreeOf(top);
  if (top === undefined || main === undefined) return movedMark(userRoot, { root }) !== undefined;
  const inMain = { root: path.join(main, path.relative(top, root)) };
  return hasMark(userRoot, inMain) || movedMark(userRoot, inMain) !== undefined;
}

/** Of a worktree. The repository must know it as well: anybody can write a `.git` file that names one. */
function mainTreeOf(top: string): string | undefined {
  const tree = workTreeAround(realPath(top));
  if (!tree?.isMutual || tree.common === tree.git) return undefined;
  return path.basename(tree.common) === '.git' ? path.dirname(tree.common) : undefined;
}
