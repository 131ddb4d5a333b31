// The bundle of one event: the note of a session. Each event is a file of its own, because a hook pays for every line it opens.

import { runHook } from '../run-hook.ts';
import { sessionEnd } from '../session-end.ts';

export const run = (): Promise<number> => runHook('session-end', sessionEnd);
