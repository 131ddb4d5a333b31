// The bundle of one event: what takes longer than the end of a session may. Each event is a file of its own, because a hook pays for every line it opens.

import { runHook } from '../run-hook.ts';
import { sessionEndWorker } from '../session-end.ts';

export const run = (): Promise<number> => runHook('session-end-worker', sessionEndWorker);
