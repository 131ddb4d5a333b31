// Starts git for sync: without a shell, so that it never asks anybody anything, and so that nothing which the repository brings along
// (hooks, filters, monitors) is started. The user's own settings count: they say how to sign in.

import { spawn } from 'node:child_process';
import os from 'node:os';
import { CairnError, messageOf } from '../errors.ts';

export type GitOptions = {
  readonly input?: string | Uint8Array;
  readonly env?: { readonly [name: string]: string };
  /** Talking to another machine takes longer. */
  readonly timeoutMs?: number;
};

export type GitAnswer = { readonly code: number; readonly out: Buffer; readonly err: string };

const TIMEOUT_MS = 60_000;
export const NETWORK_MS = 600_000;
const MAX_ERROR = 4_000;

const SAFE = [
  ...['--no-pager', '--no-replace-objects', '--literal-pathspecs'],
  ...[
    `core.hooksPath=${os.devNull}`,
    'core.fsmonitor=false',
    'core.autocrlf=false',
    'gc.auto=0',
    'maintenance.auto=false',
    'commit.gpgSign=false',
    'protocol.ext.allow=never',
    'submodule.recurse=false',
    'advice.detachedHead=false',
  ].flatMap((setting) => ['-c', setting]),
];

/** `inherited`: the environment of the command, in which the user's ssh and credentials are found. */
export function runGit(
  gitDir: string,
  args: readonly string[],
  inherited: NodeJS.ProcessEnv,
  { input, env = {}, timeoutMs = TIMEOUT_MS }: GitOptions = {},
): Promise<GitAnswer> {
  const quiet = {
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    LC_ALL: 'C',
    ...(inherited.GIT_SSH_COMMAND || inherited.GIT_SSH ? {} : { GIT_SSH_COMMAND: 'ssh -oBatchMode=yes' }),
  };
  const { GIT_DIR: _, GIT_WORK_TREE: __, GIT_INDEX_FILE: ___, ...rest } = inherited;
  return new Promise((resolve, reject) => {
    const child = spawn('git', ['--git-dir', gitDir, ...SAFE, ...args], {
      env: { ...rest, ...quiet, ...env },
      windowsHide: true,
      timeout: timeoutMs,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const out: Buffer[] = [];
    let err = '';
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => (err = (err + chunk.toString('utf8')).slice(-MAX_ERROR)));
    child.on('error', (error) => reject(notThere(error)));
    child.on('close', (code) => resolve({ code: code ?? 1, out: Buffer.concat(out), err }));
    child.stdin.on('error', () => {}); // it ended early; its code says why
    child.stdin.end(input ?? '');
  });
}

const notThere = (error: unknown): CairnError =>
  new CairnError('IO_ERROR', `git cannot be started: ${messageOf(error)}`, {
    cause: error,
    fix: 'Install git, or sync through a folder.',
  });
