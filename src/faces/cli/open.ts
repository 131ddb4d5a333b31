// Opens the memory that a command works on and tells, once, what is wrong with its configuration.

import { type Memory, openMemory } from '../../memory.ts';
import type { Io } from './io.ts';

export function open(io: Io, options: { root?: string } = {}): Memory {
  const memory = openMemory({
    cwd: io.cwd,
    env: io.env,
    ...(options.root === undefined ? {} : { memoryRoot: options.root }),
  });
  for (const { file, key, value, message } of memory.config.warnings) {
    io.err(`WARNING: ${file}: ${key}${value === '' ? '' : ` = ${value}`}: ${message}`);
  }
  return memory;
}

/** A path of ours, as short as it can be said from where the person stands. */
export const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
