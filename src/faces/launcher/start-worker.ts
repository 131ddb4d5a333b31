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
  const argv = [...OPTIMISING_LESS, binary, 'hook', event];
  if (fits && startQuickly(argv, { ...env, [PAYLOAD]: text })) return;
  const worker = spawn(process.execPath, argv, {
    detached: true,
    stdio: [fits ? 'ignore' : 'pipe', 'ignore', 'ignore'],
    windowsHide: true,
    env: fits ? { ...env, [PAYLOAD]: text } : env,
  });
  await told(worker, text);
  worker.unref();
}

/** What `node:child_process` is made of. Node documents neither. */
type ProcessHandle = { spawn(options: object): number; onexit: unknown; unref(): void; close(): void };
type Bindings = { binding(of: 'process_wrap'): { Process: new () => ProcessHandle } };

/**
 * Without `node:child_process`, which loads all that Node has for networks: 5 ms of a stop that takes 50. Only on Node 20, whose line is closed:
 * later ones take other arguments, and end the process if they are wrong. False where it did not work; who then asks Node learns why.
 */
function startQuickly(argv: readonly string[], env: NodeJS.ProcessEnv): boolean {
  if (!process.version.startsWith('v20.') || process.platform === 'win32') return false;
  try {
    const { Process } = (process as unknown as Bindings).binding('process_wrap');
    const handle = new Process();
    handle.onexit = () => handle.close();
    const failure = handle.spawn({
      file: process.execPath,
      args: [process.execPath, ...argv],
      envPairs: Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`])),
      detached: true,
      stdio: [{ type: 'ignore' }, { type: 'ignore' }, { type: 'ignore' }],
    });
    handle.unref();
    return failure === 0;
  } catch {
    return false;
  }
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
