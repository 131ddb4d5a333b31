// The bundle of one event: the write guard. Each event is a file of its own, because a hook pays for every line it opens.

import { preToolUse } from '../../../app/hooks/pre-tool-use.ts';
import { type HookRun, runEvent } from '../run-hook.ts';

export const run = (): Promise<HookRun> => runEvent('pre-tool-use', preToolUse);
