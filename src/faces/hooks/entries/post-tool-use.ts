// The bundle of one event: validation after a write. Each event is a file of its own, because a hook pays for every line it opens.

import { postToolUse } from '../post-tool-use.ts';
import { runHook } from '../run-hook.ts';

export const run = (): Promise<number> => runHook('post-tool-use', postToolUse);
