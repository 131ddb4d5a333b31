// The bundle of one event: what brings the machines of a person in step. A file of its own, which nothing else loads.

import { syncWorker } from '../../../app/hooks/sync-worker.ts';
import { type HookRun, runEvent } from '../run-hook.ts';

export const run = (): Promise<HookRun> => runEvent('sync-worker', syncWorker);
