// What git's own files say about a directory, read without starting git, because hooks ask: which repository it belongs to, the
// branch, the remotes, the ids of commits that branches and tags stand at. A folder that only claims to belong to a repository
// elsewhere does not: whoever writes a `.git` could name anybody's.

import fs from 'node:fs';
import path from 'node:path';

const HEADS = 'refs/heads/';
const MAX_GIT_FILE = 256 * 1024;
const MOST_REFS = 300;
const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
const QUIET = { throwIfNoEntry: false } as const;

export type GitFolders = {
  /** Of this work tree. */
  readonly git: string;
  /** Of the repository: the same but for worktrees. */
  readonly common: string;
};

export type WorkTree = GitFolders & {
  readonly top: string;
  /**
   * Whether the repository knows of this work tree: it lies in it, is one of its worktrees, or its submodule. Not so for a `.git`
   * that leads elsewhere on its own word.
   */
  readonly isMutual: boolean;
};

/** The work tree around a directory, which must be a real path; undefined outside of repositories. */
export function workTreeAround(start: string): WorkTree | undefined {
  for (let top = start; ; top = path.dirname(top)) {
    const found = workTreeAt(top);
    if (found) return found;
    if (path.dirname(top) === top) return undefined;
  }
}

/** Where git keeps what belongs to a directory; undefined outside of repositories. */
export function gitFolders(directory: string): GitFolders | undefined {
  const real = realDirectory(path.resolve(directory));
  return real === undefined ? undefined : workTreeAround(real);
}

/** Undefined outside a repository, and where no branch is checked out. */
export function currentBranch(directory: string): string | undefined {
  const folders = gitFolders(directory);
  const named = folders && symbolicRef(readGitFile(path.join(folders.git, 'HEAD')));
  return named?.startsWith(HEADS) ? named.slice(HEADS.length) : undefined;
}

/** The real path of a directory that exists and may be looked at. */
export function realDirectory(directory: string | undefined): string | undefined {
  try {
    return directory !== undefined && fs.statSync(directory).isDirectory() ? fs.realpathSync(directory) : undefined;
  } catch {
    return undefined; // not here, or not for us
  }
}

/** Empty where there is none, or none that we may read. */
export function readGitFile(file: string): string {
  try {
    if ((fs.statSync(file, QUIET)?.size ?? Number.POSITIVE_INFINITY) > MAX_GIT_FILE) return '';
    return fs.readFileSync(file, 'utf8');
  } catch {
    return ''; // git would not know more without it, either
  }
}

const symbolicRef = (head: string): string | undefined => /^ref: *(\S+)\s*$/.exec(head)?.[1];

function workTreeAt(top: string): WorkTree | undefined {
  const entry = path.join(top, '.git');
  let stats: fs.Stats | undefined;
  try {
    stats = fs.lstatSync(entry, QUIET);
  } catch {
    return undefined;
  }
  if (stats?.isDirectory()) return { top, git: entry, common: entry, isMutual: !isLinked(entry) };
  if (!stats?.isFile()) {
    const led = stats?.isSymbolicLink() ? realDirectory(entry) : undefined;
    return led === undefined ? undefined : { top, git: led, common: commonDirectory(led), isMutual: false };
  }
  const named = /^gitdir: *(.+?)\s*$/m.exec(readGitFile(entry))?.[1];
  const git = named === undefined ? undefined : realDirectory(path.resolve(top, named));
  if (git === undefined) return undefined;
  const common = commonDirectory(git);
  return { top, git, common, isMutual: common === git ? isSubmodule(top, git) : isWorktree(entry, git, common) };
}

/** A repository that has another one's files for its own. */
const isLinked = (git: string): boolean => fs.existsSync(path.join(git, 'commondir'));

/** A worktree has a folder of its own that names the one it shares with the others. */
function commonDirectory(git: string): string {
  const named = readGitFile(path.join(git, 'commondir')).trim();
  return (named && realDirectory(path.resolve(git, named))) || git;
}

/** The repository keeps a folder for each worktree, and in it the path of the worktree. */
function isWorktree(entry: string, git: string, common: string): boolean {
  const back = readGitFile(path.join(git, 'gitdir')).trim();
  return (
    back !== '' && path.dirname(git) === path.join(common, 'worktrees') && sameFile(path.resolve(git, back), entry)
  );
}

/** The repository around it keeps it, and names this folder as its work tree. */
function isSubmodule(top: string, git: string): boolean {
  const named = valueIn(readGitFile(path.join(git, 'config')), /^\s*\[core\]/i, 'worktree');
  if (named === undefined || realDirectory(path.resolve(git, named)) !== top) return false;
  const outer = workTreeAround(path.dirname(top));
  return outer !== undefined && isBelow(path.join(outer.common, 'modules'), git);
}

const isBelow = (folder: string, file: string): boolean => file.startsWith(folder + path.sep);

function sameFile(one: string, other: string): boolean {
  try {
    return fs.realpathSync(one) === fs.realpathSync(other);
  } catch {
    return false;
  }
}

function valueIn(config: string, section: RegExp, key: string): string | undefined {
  let isIn = false;
  for (const line of config.split('\n')) {
    if (/^\s*\[/.test(line)) isIn = section.test(line);
    const value = isIn
      ? new RegExp(`^\\s*(?:\\[[^\\]]*\\]\\s*)?${key}\\s*=\\s*(.*?)\\s*$`, 'i').exec(line)?.[1]
      : undefined;
    if (value !== undefined && value !== '') return unquoted(value);
  }
  return undefined;
}

const unquoted = (value: string): string =>
  value.startsWith('"') ? value.slice(1, value.lastIndexOf('"')).replace(/\\(.)/g, '$1') : value;

export type GitRemote = { readonly name: string; readonly url: string };

/** The remote that names the project: `origin`, else the first by name. With its address as it is written, credentials included. */
export function chosenRemote(common: string): GitRemote | undefined {
  const config = readGitFile(path.join(common, 'config'));
  const names = [...config.matchAll(/^\s*\[remote "((?:[^"\\]|\\.)+)"\]/gim)].map(([, name]) => name!);
  const ordered = [...new Set(names)].sort((a, b) =>
    a === 'origin' ? -1 : b === 'origin' ? 1 : a < b ? -1 : a > b ? 1 : 0,
  );
  for (const name of ordered) {
    const header = new RegExp(`^\\s*\\[remote "${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}"\\]`, 'i');
    const url = valueIn(config, header, 'url');
    if (url !== undefined) return { name: name.replace(/\\(.)/g, '$1'), url };
  }
  return undefined;
}

/** A clone that was cut off: its oldest commit is not the project's first. */
export const isShallow = (common: string): boolean => (fs.statSync(path.join(common, 'shallow'), QUIET)?.size ?? 0) > 0;

/**
 * Ids that HEAD, branches and tags of a repository stand at, the telling ones first. Links are not followed: they could lead into
 * another repository. Whoever has an id of a private repository has seen that repository.
 */
export function commitIds(common: string): string[] {
  const head = plainText(path.join(common, 'HEAD'));
  const refs = new Map([...packedRefs(common), ...looseRefs(common, 'refs')]);
  const named = symbolicRef(head);
  const current = named === undefined ? head.trim() : (refs.get(named) ?? '');
  return [...new Set([current, ...refs.values()])].filter((id) => COMMIT.test(id));
}

function packedRefs(common: string): [string, string][] {
  const lines = plainText(path.join(common, 'packed-refs')).matchAll(/^([0-9a-f]{40,64}) (refs\/\S+)$/gm);
  return [...lines].map(([, id, name]) => [name!, id!]);
}

function looseRefs(common: string, folder: string, left = { count: MOST_REFS }): [string, string][] {
  let entries: fs.Dirent[];
  try {
    if (!fs.lstatSync(path.join(common, folder)).isDirectory()) return [];
    entries = fs.readdirSync(path.join(common, folder), { withFileTypes: true });
  } catch {
    return [];
  }
  return entries.flatMap((entry): [string, string][] => {
    if (left.count-- <= 0) return [];
    const name = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return looseRefs(common, name, left);
    return entry.isFile() ? [[name, plainText(path.join(common, name)).trim()]] : [];
  });
}

/** Of a regular file that is no link. */
function plainText(file: string): string {
  try {
    return fs.lstatSync(file).isFile() ? readGitFile(file) : '';
  } catch {
    return '';
  }
}

/** Whether all objects are this repository's own: neither links nor borrowed ones could vouch for it. */
export function hasOwnObjects(common: string): boolean {
  const objects = path.join(common, 'objects');
  try {
    if (!fs.lstatSync(objects).isDirectory() || fs.existsSync(path.join(objects, 'info', 'alternates'))) return false;
    return ['.', 'pack', 'info'].every((name) => {
      const folder = path.join(objects, name);
      return (
        !fs.existsSync(folder) ||
        fs.readdirSync(folder, { withFileTypes: true }).every((each) => !each.isSymbolicLink())
      );
    });
  } catch {
    return false;
  }
}
