// The bundle of one event: what makes vectors in the background.

import { vectorWorker } from '../../../app/hooks/vector-worker.ts';
import { type HookRun, runEvent } from '../run-hook.ts';

export const run = (): Promise<HookRun> => runEvent('vector-worker', vectorWorker);
