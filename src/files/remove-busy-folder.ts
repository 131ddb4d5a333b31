// A folder into which a process that ends by itself may still be writing. Node's own `maxRetries` only tries to remove the folder
// again, not what was put into it meanwhile, so each try here begins anew.

import fs from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { isSystemError } from '../errors.ts';

const PAUSE_MS = 100;
const BUSY = ['ENOTEMPTY', 'EEXIST', 'EBUSY', 'EPERM'];

/** Throws what the last try threw if it is still being written to after that time. */
export async function removeBusyFolder(folder: string, mostMs = 30_000): Promise<void> {
  for (const until = Date.now() + mostMs; ; await wait(PAUSE_MS))
    try {
      return fs.rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      if (!isSystemError(error, ...BUSY) || Date.now() >= until) throw error;
    }
}
