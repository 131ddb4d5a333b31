// A memory for one command, brought up to date first: its warnings go to standard error, and it is closed whatever happens.

import { RecallMemory } from '../../app/recall-memory.ts';
import { warningsOf, warningText } from '../../config/load.ts';
import type { Io } from './io.ts';

export async function withFreshMemory(io: Io, work: (memory: RecallMemory) => Promise<void>): Promise<void> {
  const memory = await RecallMemory.open({ cwd: io.cwd, env: io.env });
  try {
    for (const each of warningsOf(memory.config)) io.err(`WARNING: ${warningText(each)}`);
    await memory.refresh();
    await work(memory);
    for (const problem of memory.problems) io.err(`WARNING: ${problem}`);
  } finally {
    await memory.close();
  }
}
