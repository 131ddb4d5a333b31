// Opens the memory of conversations for a command and tells, once, what is wrong with the configuration.

import { type Config, loadConfig, warningsOf, warningText } from '../../config.ts';
import { damageOfStore, removeStore, TraceMemory } from '../../memory-traces.ts';
import type { Io } from './io.ts';

/**
 * `repair`: a store that is damaged is removed, because it will be made anew anyway. One that is held by another process, belongs to
 * another program or cannot be opened for want of a driver is none of that.
 */
export async function openTracesFor(io: Io, options: { repair?: boolean } = {}): Promise<TraceMemory> {
  const config = loadConfig({ cwd: io.cwd, env: io.env });
  for (const each of warningsOf(config)) io.err(`WARNING: ${warningText(each)}`);
  const damage = options.repair ? damageOfStore(config) : undefined;
  return damage === undefined ? TraceMemory.open(config) : openAnew(io, config, damage);
}

export function openAnew(io: Io, config: Config, damage: string): Promise<TraceMemory> {
  io.err(`WARNING: ${damage} It is made anew.`);
  removeStore(config);
  return TraceMemory.open(config);
}
