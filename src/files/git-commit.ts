// `auto_commit`: commits the files that a write touched, and nothing else that may be staged. Never a reason to fail.

import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { messageOf } from '../errors.ts';

const ATTEMPTS = 5;
const GIT_TIMEOUT_MS = 10_000;

/** Returns a warning, or `undefined` if the commit was made or there was nothing to commit. */
export async function commitFiles(
  directory: string,
  files: readonly string[],
  message: string,
): Promise<string | undefined> {
  for (let attempt = 1; ; attempt++) {
    try {
      const paths = await withoutIgnored(directory, await knownToGit(directory, [...new Set(files)]));
      if (paths.length === 0) return undefined;
      const busy = await underWay(directory);
      if (busy)
        return `WARNING: auto_commit did not commit, because a ${busy} is under way: commit it yourself afterwards`;
      // -A names deletions too; the pathspec on commit leaves everything else that is staged where it is.
      await git(directory, ['add', '-A', '--', ...paths]);
      const staged = await git(directory, ['diff', '--cached', '--name-only', '--', ...paths]);
      if (staged.trim() === '') return undefined;
      try {
        await git(directory, ['commit', '--quiet', '--no-verify', '-m', message, '--', ...paths]);
      } catch (error) {
        // What stays staged would slip into the user's next commit, and vanish with a reset.
        await git(directory, ['reset', '--quiet', '--', ...paths]).catch(() => undefined);
        throw error;
      }
      return undefined;
    } catch (error) {
      const why = messageOf(error);
      if (/index\.lock/.test(why) && attempt < ATTEMPTS) {
        await new Promise((resolve) => setTimeout(resolve, 100 * attempt)); // another git is at work
        continue;
      }
      const lines = why.trim().split('\n');
      return `WARNING: auto_commit did not commit: ${lines.filter((line) => !line.startsWith('hint: ')).at(-1) ?? why}`;
    }
  }
}

/** What git writes while it does several steps. A commit in between is undone with them (`--abort`), and its files with it. */
const STEPS: readonly [file: string, what: string][] = [
  ['MERGE_HEAD', 'merge'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
  ['rebase-merge', 'rebase'],
  ['rebase-apply', 'rebase'],
  ['BISECT_LOG', 'bisect'],
];

async function underWay(directory: string): Promise<string | undefined> {
  const folder = path.resolve(directory, (await git(directory, ['rev-parse', '--git-dir'])).trim());
  return STEPS.find(([file]) => fs.existsSync(path.join(folder, file)))?.[1];
}

/** Without the files that are gone and that git never had: naming one of them would fail the commit of all the others. */
async function knownToGit(directory: string, files: readonly string[]): Promise<string[]> {
  const gone = files.filter((file) => !fs.existsSync(file));
  if (gone.length === 0) return [...files];
  const listed = await git(directory, ['ls-files', '-z', '--', ...gone]);
  const tracked = new Set(listed.split('\0').map((file) => path.resolve(directory, file)));
  return files.filter((file) => !gone.includes(file) || tracked.has(file));
}

/** What git has below a folder; nothing where there is no repository. */
export async function trackedBelow(directory: string, folder: string): Promise<string[]> {
  if (!fs.existsSync(directory)) return [];
  const listed = await git(directory, ['ls-files', '-z', '--', folder]).catch(() => '');
  return listed.split('\0').filter((name) => name !== '');
}

/** Naming a file that is ignored, such as a private session note, would fail the commit of all the others too. */
async function withoutIgnored(directory: string, files: readonly string[]): Promise<string[]> {
  if (files.length === 0) return [];
  // It ends with 1 where none is ignored. What git has already is not among them.
  const listed = await git(directory, ['check-ignore', '-z', '--', ...files]).catch(() => '');
  const ignored = new Set(listed.split('\0'));
  return files.filter((file) => !ignored.has(file));
}

function git(directory: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { cwd: directory, timeout: GIT_TIMEOUT_MS, windowsHide: true };
    execFile(
      'git',
      ['--literal-pathspecs', '-c', 'core.fsmonitor=false', '-c', 'core.quotePath=false', ...args],
      options,
      (error, stdout, stderr) => {
        if (error) reject(new Error(stderr.trim() || error.message));
        else resolve(stdout);
      },
    );
  });
}
