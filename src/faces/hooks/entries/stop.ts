// The bundle of one event: triage at the end of a turn. Each event is a file of its own, because a hook pays for every line it opens.

import { type HookRun, runEvent } from '../run-hook.ts';
import { stop } from '../stop.ts';

export const run = (): Promise<HookRun> => runEvent('stop', stop);
