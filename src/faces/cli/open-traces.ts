// Opens the memory of conversations for a command and tells, once, what is wrong with the configuration.

import { loadConfig, warningText } from '../../config.ts';
import { CairnError } from '../../errors.ts';
import { removeStore, TraceMemory } from '../../memory-traces.ts';
import type { Io } from './io.ts';

/** `repair`: a store that cannot be opened is removed, because it will be made anew anyway. */
export async function openTracesFor(io: Io, options: { repair?: boolean } = {}): Promise<TraceMemory> {
  const config = loadConfig({ cwd: io.cwd, env: io.env });
  for (const each of config.warnings) io.err(`WARNING: ${warningText(each)}`);
  try {
    return await TraceMemory.open(config);
  } catch (error) {
    if (!options.repair || !(error instanceof CairnError && error.code === 'STORE_ERROR')) throw error;
    io.err(`WARNING: ${error.message} It is made anew.`);
    removeStore(config);
    return TraceMemory.open(config);
  }
}
