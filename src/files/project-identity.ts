// Which project a directory belongs to, for what is remembered of its conversations. The main work tree of the repository
// names it, so that all worktrees share one memory and two projects of the same name do not; the remote, without its
// credentials, tells which other clones on this machine are the same project. Reads git's files itself: no process is started.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export type ProjectIdentity = {
  /** An absolute path. */
  readonly id: string;
  /** `github.com/owner/name` */
  readonly remote?: string;
};

const HEADS = 'refs/heads/';
const MAX_GIT_FILE = 256 * 1024;
/** Where the client keeps the worktrees that it makes, and removes again. */
const CLIENT_WORKTREE = /^(.+?)[\\/]\.claude[\\/]worktrees[\\/][^\\/]+/;

export function projectIdentity(directory: string): ProjectIdentity {
  const wanted = path.resolve(directory);
  const real = realDirectory(wanted);
  const found = findGit(real ?? nearestDirectory(CLIENT_WORKTREE.exec(wanted)?.[1] ?? wanted));
  // A folder that is gone may have belonged to the repository around it, but not to one that keeps the whole home.
  if (!found || (real === undefined && found.top === realDirectory(os.homedir())))
    return { id: real ?? CLIENT_WORKTREE.exec(wanted)?.[1] ?? wanted };
  const common = commonDirectory(found.git);
  const remote = remoteOf(common);
  const isMainTree = path.basename(common) === '.git';
  return { id: isMainTree ? path.dirname(common) : found.top, ...(remote ? { remote } : {}) };
}

export type GitFolders = {
  /** Of this work tree. */
  readonly git: string;
  /** Of the repository: the same but for worktrees. */
  readonly common: string;
};

/** Where git keeps what belongs to a directory; undefined outside of repositories. */
export function gitFolders(directory: string): GitFolders | undefined {
  const real = realDirectory(path.resolve(directory));
  const found = real === undefined ? undefined : findGit(real);
  return found && { git: found.git, common: commonDirectory(found.git) };
}

/** Undefined outside a repository, and where no branch is checked out. */
export function currentBranch(directory: string): string | undefined {
  const folders = gitFolders(directory);
  const named = folders && /^ref: *(\S+)\s*$/.exec(readGitFile(path.join(folders.git, 'HEAD')))?.[1];
  return named?.startsWith(HEADS) ? named.slice(HEADS.length) : undefined;
}

function nearestDirectory(directory: string): string {
  const real = realDirectory(directory);
  const above = path.dirname(directory);
  return real ?? (above === directory ? directory : nearestDirectory(above));
}

function realDirectory(directory: string | undefined): string | undefined {
  try {
    return directory !== undefined && fs.statSync(directory).isDirectory() ? fs.realpathSync(directory) : undefined;
  } catch {
    return undefined; // not here, or not for us
  }
}

function findGit(start: string): { top: string; git: string } | undefined {
  for (let directory = start; ; directory = path.dirname(directory)) {
    const git = gitDirectory(path.join(directory, '.git'));
    if (git !== undefined) return { top: directory, git };
    if (path.dirname(directory) === directory) return undefined;
  }
}

/** `.git` is the repository, or a file that says where it is. */
function gitDirectory(entry: string): string | undefined {
  const stats = fs.statSync(entry, { throwIfNoEntry: false });
  if (stats?.isDirectory()) return entry;
  if (!stats?.isFile()) return undefined;
  const named = /^gitdir: *(.+?)\s*$/m.exec(readGitFile(entry))?.[1];
  return named === undefined ? undefined : realDirectory(path.resolve(path.dirname(entry), named));
}

/** A worktree has a folder of its own that names the one it shares with the others. */
function commonDirectory(git: string): string {
  const named = readGitFile(path.join(git, 'commondir')).trim();
  return (named && realDirectory(path.resolve(git, named))) || git;
}

function remoteOf(common: string): string | undefined {
  let inOrigin = false;
  for (const line of readGitFile(path.join(common, 'config')).split('\n')) {
    if (/^\s*\[/.test(line)) inOrigin = /^\s*\[remote "origin"\]/.test(line);
    const url = inOrigin ? /^\s*url\s*=\s*(\S+)/.exec(line)?.[1] : undefined;
    if (url !== undefined) return normaliseRemote(url);
  }
  return undefined;
}

/** `git@github.com:Owner/Name.git` and `https://user:secret@github.com/owner/name` are the same. */
export function normaliseRemote(url: string): string | undefined {
  const scp = /^(?:[^@/\\]+@)?([\w.-]+):(?![\\/])(.+)$/.exec(url);
  const full = /^[a-z][a-z0-9+.-]*:\/\/(?:[^@/]*@)?([^/:]+)(?::\d+)?\/+(.+)$/i.exec(url);
  const [, host, rest] = full ?? (url.includes('://') ? null : scp) ?? [];
  if (host === undefined || rest === undefined || host.length === 1) return undefined; // a folder, or a drive
  return `${host}/${rest.replace(/\/+$/, '').replace(/\.git$/, '')}`.toLowerCase();
}

/** Empty where there is none, or none that we may read. */
export function readGitFile(file: string): string {
  try {
    if ((fs.statSync(file, { throwIfNoEntry: false })?.size ?? Number.POSITIVE_INFINITY) > MAX_GIT_FILE) return '';
    return fs.readFileSync(file, 'utf8');
  } catch {
    return ''; // git would not know more without it, either
  }
}
