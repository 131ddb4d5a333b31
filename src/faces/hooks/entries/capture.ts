// The bundle of one event: notes from what tools did. Each event is a file of its own, because a hook pays for every line it opens.

import { capture } from '../../../app/hooks/capture.ts';
import { type HookRun, runEvent } from '../run-hook.ts';

export const run = (): Promise<HookRun> => runEvent('capture', capture);
