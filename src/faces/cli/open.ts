// Opens the memory that a command works on and tells, once, what is wrong with its configuration.

import { type Memory, openMemory } from '../../app/memory.ts';
import { warningsOf, warningText } from '../../config/load.ts';
import type { Io } from './io.ts';

export function open(io: Io, options: { root?: string } = {}): Memory {
  const memory = openMemory({
    cwd: io.cwd,
    env: io.env,
    ...(options.root === undefined ? {} : { memoryRoot: options.root }),
  });
  for (const each of warningsOf(memory.config)) io.err(`WARNING: ${warningText(each)}`);
  return memory;
}

export const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** What is wrong with a file, named once. */
export const problemText = ({ path, message }: { path: string; message: string }): string =>
  `WARNING: ${message.includes(path) ? message : `${path}: ${message}`}`;
