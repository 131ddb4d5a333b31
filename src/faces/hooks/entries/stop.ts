// The bundle of one event: triage at the end of a turn. Each event is a file of its own, because a hook pays for every line it opens.

import { stop } from '../../../app/hooks/stop.ts';
import { type HookRun, runEvent } from '../run-hook.ts';

export const run = (): Promise<HookRun> => runEvent('stop', stop);
