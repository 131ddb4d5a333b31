// The bundle of one event: what indexes a conversation. Each event is a file of its own, because a hook pays for every line it opens.

import { indexWorker } from '../../../app/hooks/index-worker.ts';
import { type HookRun, runEvent } from '../run-hook.ts';

export const run = (): Promise<HookRun> => runEvent('index-worker', indexWorker);
