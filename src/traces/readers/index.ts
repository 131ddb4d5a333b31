// The readers, in the order in which they are asked whether a file is theirs.

import type { TranscriptReader } from '../trace.ts';
import { claudeCode } from './claude-code.ts';
import { codex } from './codex.ts';
import { markdown } from './markdown.ts';

export const READERS: readonly TranscriptReader<never>[] = [
  codex,
  claudeCode,
  markdown,
] as unknown as TranscriptReader<never>[];

export function readerFor(file: string, firstLines: readonly string[]): TranscriptReader | undefined {
  return (READERS as unknown as TranscriptReader[]).find((reader) => reader.recognises(file, firstLines));
}

export function readerNamed(name: string): TranscriptReader | undefined {
  return (READERS as unknown as TranscriptReader[]).find((reader) => reader.name === name);
}
