// The Stop hook: looks at what the turn that ends has shown and, if something in it is worth keeping, asks the model once to save it. In
// every other case it is silent. What was said is indexed by a worker meanwhile.

import { type HookHandler, SILENT } from './hook.ts';
import { noteUnindexed, startIndexing } from './start-indexing.ts';

export const stop: HookHandler = async (payload, context) => {
  const answer = await judge(payload, context);
  // A turn that goes on stops again, and is indexed then; until then it is noted that there is something to index.
  if (answer.exit === 2 || answer.stdout !== undefined) noteUnindexed(payload, context);
  else await startIndexing(payload, context);
  return answer;
};

const judge: HookHandler = async (payload, context) => {
  const { mode } = context.config.settings.triage;
  if (mode === 'keywords') return (await import('./keyword-triage.ts')).keywordTriage(payload, context);
  // The client says so itself when this stop follows what a hook said.
  if (payload.stop_hook_active === true) return SILENT;
  return (await import('./evidence-triage.ts')).evidenceTriage(payload, context);
};
