// The readers, in the order in which they are asked whether a file is theirs.

import type { TranscriptReader } from '../model/trace.ts';
import { claudeCode } from './claude-code/reader.ts';
import { isRollout } from './codex/line.ts';
import { codex } from './codex/reader.ts';
import { markdown } from './markdown/reader.ts';

/** Each reader is given its own state back and no other's: whoever keeps a state keeps the name of its reader with it. */
export const READERS = [codex, claudeCode, markdown] as unknown as readonly TranscriptReader[];

export function readerFor(file: string, firstLines: readonly string[]): TranscriptReader | undefined {
  return READERS.find((reader) => reader.recognises(file, firstLines));
}

/** Of a transcript whose lines are read one by one, by its name alone. */
export const readerOf = (file: string): TranscriptReader =>
  (isRollout(file) ? codex : claudeCode) as unknown as TranscriptReader;

/** The session that a transcript seems to be of, by its name alone. */
export const sessionByName = (file: string): string => (isRollout(file) ? codex : claudeCode).start(file).session;

export function readerNamed(name: string): TranscriptReader | undefined {
  return READERS.find((reader) => reader.name === name);
}
