// The bundle of the thread that reads conversations ahead of a backfill. It is no event: nobody else may call it.

import { parentPort, workerData } from 'node:worker_threads';
import { type ReadAheadJob, readInThread } from '../../../app/read-ahead-thread.ts';
import type { HookRun } from '../run-hook.ts';

export async function run(): Promise<HookRun> {
  if (parentPort) await readInThread(parentPort, workerData as ReadAheadJob);
  return { exit: 0, worked: parentPort !== null };
}
