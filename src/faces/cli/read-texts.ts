// Texts that a person names: from the command line, or from standard input, so that they stand in no history of a shell.

import type { Io } from './io.ts';

/** `-` stands for standard input. */
export async function textsOf(io: Io, given: readonly string[]): Promise<string[]> {
  const texts = await Promise.all(given.map(async (text) => (text === '-' ? (await io.readStdin()).trim() : text)));
  return [...new Set(texts)];
}
