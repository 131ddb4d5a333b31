// `auto_commit`: commits the files that a write touched, and nothing else that may be staged. Never a reason to fail.

import { execFile } from 'node:child_process';
import { messageOf } from '../errors.ts';

const ATTEMPTS = 5;
const GIT_TIMEOUT_MS = 10_000;

/** Returns a warning, or `undefined` if the commit was made or there was nothing to commit. */
export async function commitFiles(
  directory: string,
  files: readonly string[],
  message: string,
): Promise<string | undefined> {
  const paths = [...new Set(files)];
  if (paths.length === 0) return undefined;
  for (let attempt = 1; ; attempt++) {
    try {
      // -A names deletions too; the pathspec on commit leaves everything else that is staged where it is.
      await git(directory, ['add', '-A', '--', ...paths]);
      const staged = await git(directory, ['diff', '--cached', '--name-only', '--', ...paths]);
      if (staged.trim() === '') return undefined;
      await git(directory, ['commit', '--quiet', '--no-verify', '-m', message, '--', ...paths]);
      return undefined;
    } catch (error) {
      const why = messageOf(error);
      if (/index\.lock/.test(why) && attempt < ATTEMPTS) {
        await new Promise((resolve) => setTimeout(resolve, 100 * attempt)); // another git is at work
        continue;
      }
      return `WARNING: auto_commit did not commit: ${why.trim().split('\n').at(-1)}`;
    }
  }
}

function git(directory: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { cwd: directory, timeout: GIT_TIMEOUT_MS, windowsHide: true };
    execFile(
      'git',
      ['-c', 'core.fsmonitor=false', '-c', 'core.quotePath=false', ...args],
      options,
      (error, stdout, stderr) => {
        if (error) reject(new Error(stderr.trim() || error.message));
        else resolve(stdout);
      },
    );
  });
}
