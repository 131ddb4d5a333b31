// Starts the thread that reads conversations ahead of a backfill: this same binary, in this process.

import type { Worker } from 'node:worker_threads';

export async function startReader(job: object): Promise<Worker> {
  const binary = process.argv[1];
  if (binary === undefined) throw new Error('a thread cannot be started: the binary is not known');
  const { default: threads } = await import('node:worker_threads');
  return new threads.Worker(binary, { argv: ['hook', 'read-worker'], workerData: job });
}
