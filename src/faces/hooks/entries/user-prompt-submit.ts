// The bundle of one event: recall for a prompt. Each event is a file of its own, because a hook pays for every line it opens.

import { userPromptSubmit } from '../../../app/hooks/user-prompt-submit.ts';
import { type HookRun, runEvent } from '../run-hook.ts';

export const run = (): Promise<HookRun> => runEvent('user-prompt-submit', userPromptSubmit);
