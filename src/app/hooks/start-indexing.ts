// Starts the worker that indexes a conversation, and notes that there is something to index: a worker that never comes to it is
// noticed by the note it leaves behind.

import type { JsonObject } from '../../model/json.ts';
import { notePending } from '../pending-conversations.ts';
import type { HookContext } from './hook.ts';

const INDEX_EVENT = 'index-worker';

/** Never fails: what it could not do reaches the log. */
export async function startIndexing(payload: JsonObject, context: HookContext): Promise<void> {
  if (!context.config.settings.traces.enabled) return;
  try {
    const { session_id, transcript_path, cwd, hook_event_name } = payload;
    if (hook_event_name !== 'SessionStart') noteUnindexed(payload, context);
    const told = { session_id, transcript_path, cwd, hook_event_name };
    await context.start(INDEX_EVENT, JSON.parse(JSON.stringify(told)) as JsonObject);
  } catch (error) {
    context.problem(error);
  }
}

/** Notes what has to be indexed, without doing so yet. */
export function noteUnindexed({ transcript_path: transcript }: JsonObject, { config, problem }: HookContext): void {
  const { settings, paths } = config;
  if (!settings.traces.enabled || typeof transcript !== 'string') return;
  try {
    notePending(paths.userRoot, paths.projectRoot);
  } catch (error) {
    problem(error);
  }
}
