// Before the client sums a conversation up, all that was said in it is indexed: afterwards the model no longer knows it.

import { type HookHandler, SILENT } from './hook.ts';
import { startIndexing } from './start-indexing.ts';

export const preCompact: HookHandler = async (payload, context) => {
  await startIndexing(payload, context);
  return SILENT;
};
