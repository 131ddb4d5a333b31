// The worker that brings the machines of a person in step when a conversation begins or ends. It is started by the worker that indexes,
// so that hooks pay nothing for it; it ends after five minutes, and the next goes on.

import { CairnError } from '../../errors.ts';
import { syncBoth } from '../sync.ts';
import { isAutomatic } from '../sync-setup.ts';
import { type HookHandler, SILENT } from './hook.ts';

const WORKER_SECONDS = 300;

export const syncWorker: HookHandler = async (_, { config, env, now, problem }) => {
  if (!isAutomatic(config)) return SILENT;
  const deadline = process.uptime() + WORKER_SECONDS;
  try {
    const problems = await syncBoth(config, { env, now, stopped: () => process.uptime() > deadline });
    for (const each of problems) problem(new Error(`sync: ${each}`));
  } catch (error) {
    if (error instanceof CairnError && error.code === 'LOCK_ERROR') return SILENT; // another one is at it
    throw error;
  }
  return SILENT;
};
