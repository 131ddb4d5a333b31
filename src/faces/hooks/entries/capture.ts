// The bundle of one event: notes from what tools did. Each event is a file of its own, because a hook pays for every line it opens.

import { capture } from '../capture.ts';
import { runHook } from '../run-hook.ts';

export const run = (): Promise<number> => runHook('capture', capture);
