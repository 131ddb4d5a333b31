// The bundle of one event: the context of a session. Each event is a file of its own, because a hook pays for every line it opens.

import { sessionStart } from '../../../app/hooks/session-start.ts';
import { type HookRun, runEvent } from '../run-hook.ts';

export const run = (): Promise<HookRun> => runEvent('session-start', sessionStart);
