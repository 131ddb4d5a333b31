// The bundle of one event: the note of a session. Each event is a file of its own, because a hook pays for every line it opens.

import { sessionEnd } from '../../../app/hooks/session-end.ts';
import { type HookRun, runEvent } from '../run-hook.ts';

export const run = (): Promise<HookRun> => runEvent('session-end', sessionEnd);
