// Starts work that is too long for a hook: a process of its own that the client neither waits for nor can kill with it.
// It is this same binary with another event; its payload comes on standard input, as every hook's does. A worker must end
// by itself.

import { spawn } from 'node:child_process';
import type { JsonObject } from '../../files/json-file.ts';

/** Returns when the worker has its payload. Fails if it cannot be started. */
export function startWorker(event: string, payload: JsonObject, env: NodeJS.ProcessEnv): Promise<void> {
  const binary = process.argv[1];
  if (binary === undefined) return Promise.reject(new Error('a worker cannot be started: the binary is not known'));
  return new Promise((resolve, reject) => {
    const worker = spawn(process.execPath, [binary, 'hook', event], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      windowsHide: true,
      env,
    });
    worker.once('error', reject);
    worker.stdin.once('error', reject);
    worker.stdin.end(JSON.stringify(payload), () => {
      worker.unref();
      resolve();
    });
  });
}
