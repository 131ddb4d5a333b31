// The bundle of one event: recall for a prompt. Each event is a file of its own, because a hook pays for every line it opens.

import { runHook } from '../run-hook.ts';
import { userPromptSubmit } from '../user-prompt-submit.ts';

export const run = (): Promise<number> => runHook('user-prompt-submit', userPromptSubmit);
