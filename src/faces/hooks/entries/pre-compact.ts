// The bundle of one event: a conversation before it is compacted. Each event is a file of its own, because a hook pays for every line it opens.

import { preCompact } from '../pre-compact.ts';
import { runHook } from '../run-hook.ts';

export const run = (): Promise<number> => runHook('pre-compact', preCompact);
