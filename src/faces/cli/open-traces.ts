// Opens the memory of conversations for a command and tells, once, what is wrong with the configuration.

import { damageOfStore, putStoreAside, repairStore } from '../../app/damaged-store.ts';
import { TraceMemory } from '../../app/trace-memory.ts';
import { type Config, loadConfig, warningsOf, warningText } from '../../config/load.ts';
import type { Io } from './io.ts';

/**
 * `repair`: a store that is damaged is put aside, because it will be made anew anyway. One that is held by another process, belongs to
 * another program or cannot be opened for want of a driver is none of that.
 */
export async function openTracesFor(io: Io, options: { repair?: boolean } = {}): Promise<TraceMemory> {
  const config = loadConfig({ cwd: io.cwd, env: io.env });
  for (const each of warningsOf(config)) io.err(`WARNING: ${warningText(each)}`);
  if (options.repair && (await repairStore(config)))
    io.err('WARNING: The tables at the server were damaged. They are made anew.');
  const damage = options.repair ? damageOfStore(config) : undefined;
  if (damage === undefined) return TraceMemory.open(config);
  return openAnew(io, config, { damage, isStill: () => damageOfStore(config) !== undefined });
}

/** `isStill`: whether it is still that database; another process may have put it aside meanwhile. */
export async function openAnew(
  io: Io,
  config: Config,
  { damage, isStill }: { damage: string; isStill: () => boolean },
): Promise<TraceMemory> {
  io.err(`WARNING: ${damage} It is made anew.`);
  await putStoreAside(config, isStill);
  return TraceMemory.open(config);
}
