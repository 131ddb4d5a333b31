// The bundle of one helper: makes vectors of the texts that the process which started it sends. It is no event: nobody else may call it.

import { helpEmbedding } from '../../../app/embed-helper.ts';
import type { HookRun } from '../run-hook.ts';

export async function run(): Promise<HookRun> {
  if (process.send) await helpEmbedding(process.env);
  return { exit: 0, worked: process.send !== undefined };
}
