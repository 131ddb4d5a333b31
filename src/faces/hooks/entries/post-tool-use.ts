// The bundle of one event: validation after a write. Each event is a file of its own, because a hook pays for every line it opens.

import { postToolUse } from '../../../app/hooks/post-tool-use.ts';
import { type HookRun, runEvent } from '../run-hook.ts';

export const run = (): Promise<HookRun> => runEvent('post-tool-use', postToolUse);
