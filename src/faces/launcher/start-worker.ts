// Starts work that is too long for a hook: a process of its own that the client neither waits for nor can kill with it.
// It is this same binary with another event. Its payload is in its environment, because the hook would have to load all of
// Node's streams for a pipe; one too long for that comes on standard input, as every hook's does. A worker must end by itself.

import { type ChildProcess, spawn } from 'node:child_process';
import { OPTIMISING_LESS } from './optimise-less.ts';

const PAYLOAD = 'CAIRN_WORKER_PAYLOAD';
/** Windows has room for 32,767 characters in all. */
const MAX_IN_ENVIRONMENT = 8_000;

/** Returns when the worker has its payload. Fails if it cannot be started. */
export async function startWorker(event: string, payload: object, env: NodeJS.ProcessEnv): Promise<void> {
  const binary = process.argv[1];
  if (binary === undefined) throw new Error('a worker cannot be started: the binary is not known');
  const text = JSON.stringify(payload);
  const fits = text.length <= MAX_IN_ENVIRONMENT;
  const worker = spawn(process.execPath, [...OPTIMISING_LESS, binary, 'hook', event], {
    detached: true,
    stdio: [fits ? 'ignore' : 'pipe', 'ignore', 'ignore'],
    windowsHide: true,
    env: fits ? { ...env, [PAYLOAD]: text } : env,
  });
  await told(worker, text);
  worker.unref();
}

/** A process that makes vectors for this one, for as long as there is a channel between them (app/embed-helper.ts). */
export function startHelper(env: NodeJS.ProcessEnv): ChildProcess {
  const binary = process.argv[1];
  if (binary === undefined) throw new Error('a helper cannot be started: the binary is not known');
  return spawn(process.execPath, [binary, 'hook', 'embed-worker'], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced', // vectors as they are
    windowsHide: true,
    env,
  });
}

function told(worker: ChildProcess, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.once('error', reject);
    worker.stdin?.once('error', reject);
    if (worker.stdin) worker.stdin.end(text, resolve);
    else if (worker.pid !== undefined) resolve();
  });
}

/** What this worker was told, if it was told by its environment; what it starts itself does not inherit it. */
export function takePayload(env: NodeJS.ProcessEnv): Buffer | undefined {
  const text = env[PAYLOAD];
  delete env[PAYLOAD];
  return text === undefined ? undefined : Buffer.from(text);
}
