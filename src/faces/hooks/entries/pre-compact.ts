// The bundle of one event: a conversation before it is compacted. Each event is a file of its own, because a hook pays for every line it opens.

import { preCompact } from '../../../app/hooks/pre-compact.ts';
import { type HookRun, runEvent } from '../run-hook.ts';

export const run = (): Promise<HookRun> => runEvent('pre-compact', preCompact);
