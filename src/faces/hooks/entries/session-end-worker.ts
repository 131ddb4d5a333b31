// The bundle of one event: what takes longer than the end of a session may. Each event is a file of its own, because a hook pays for every line it opens.

import { sessionEndWorker } from '../../../app/hooks/session-end.ts';
import { type HookRun, runEvent } from '../run-hook.ts';

export const run = (): Promise<HookRun> => runEvent('session-end-worker', sessionEndWorker);
