// The worker that makes many vectors in the background: started when conversations were read in, at the lowest priority, and at an end
// by itself. What it does not come to, the next one does.

import os from 'node:os';
import { roundVectors } from '../../indexing/vectors/round-vectors.ts';
import { makeVectors, modelName } from '../make-vectors.ts';
import { usesServer } from '../open-store.ts';
import { TraceMemory } from '../trace-memory.ts';
import { type HookContext, type HookHandler, SILENT } from './hook.ts';

const WORKER_SECONDS = 3_600;

export const vectorWorker: HookHandler = async (_payload, context) => {
  beModest();
  const deadline = process.uptime() + WORKER_SECONDS;
  const memory = await TraceMemory.open(context.config, context.now);
  try {
    if (memory.store.readOnly) return SILENT;
    const { startHelper } = context;
    const report = await makeVectors(memory, {
      env: context.env,
      stopped: () => process.uptime() > deadline,
      ...(startHelper ? { startHelper } : {}),
    });
    if (report && report.embedded > 0) context.worked?.();
    await roundOlder(memory, context, () => process.uptime() > deadline);
  } finally {
    await memory.close();
  }
  return SILENT;
};

/** On a server the rows of others are none of ours to write anew. */
async function roundOlder({ store, config }: TraceMemory, { env }: HookContext, stopped: () => boolean): Promise<void> {
  const model = usesServer(config) ? undefined : await modelName(config, env);
  if (model !== undefined) await roundVectors(store, model, stopped);
}

/** Helpers inherit it. Where the system does not let us, we are as important as everybody. */
function beModest(): void {
  try {
    os.setPriority(os.constants.priority.PRIORITY_LOW);
  } catch {}
}
