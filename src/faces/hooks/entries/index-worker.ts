// The bundle of one event: what indexes a conversation. Each event is a file of its own, because a hook pays for every line it opens.

import { hasIndexed, indexWorker } from '../index-worker.ts';
import { type HookRun, runEvent } from '../run-hook.ts';

/** It never speaks; that it had work is told by what it indexed. */
export const run = async (): Promise<HookRun> => {
  const done = await runEvent('index-worker', indexWorker);
  return { ...done, spoke: done.spoke || hasIndexed() };
};
