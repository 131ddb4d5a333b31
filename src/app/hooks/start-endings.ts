// Starts the worker for the endings of earlier sessions of this project that nobody has come to yet.

import type { HookContext } from './hook.ts';
import { dueEndings } from './pending-endings.ts';

export const SESSION_END_WORKER = 'session-end-worker';

/** Never fails: what it could not do reaches the log. */
export async function startEndings(context: HookContext): Promise<void> {
  try {
    const { userRoot, projectRoot } = context.config.paths;
    const [oldest] = dueEndings(userRoot, projectRoot, context.now());
    // The worker works where the project is now, not where it was when that session ended.
    if (oldest) await context.start(SESSION_END_WORKER, { ...oldest.payload, cwd: projectRoot });
  } catch (error) {
    context.problem(error);
  }
}
