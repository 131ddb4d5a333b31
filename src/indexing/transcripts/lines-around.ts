// The part of a conversation around one line, as people can read it.

import type { Archive } from '../../transcripts/archive/archive.ts';
import type { LineFilter } from '../../transcripts/forgotten-lines.ts';
import { type MeantLine, type SaidLines, saidLines } from './span-lines.ts';

export type LinesAround = SaidLines;

/** So many lines of a transcript are looked through on each side for something to show. */
const REACH = 60;

/** What was said last before the line, in it, and next after it. `undefined`: the transcript is nowhere. */
export function linesAround(
  archive: Archive,
  { file, line, generation = 1, forks }: Partial<MeantLine> & { file: string; line: number },
  { before, after, filter }: { before: number; after: number; filter?: LineFilter | undefined },
): LinesAround | undefined {
  const range = { start: Math.max(1, line - REACH), end: line + REACH };
  const read = saidLines(archive, filter)(file, range, { line, generation, forks });
  if (!read) return undefined;
  const earlier = read.lines.filter((each) => each.line < line);
  const later = read.lines.filter((each) => each.line > line);
  const own = read.lines.filter((each) => each.line === line);
  return {
    from: read.from,
    lines: [...earlier.slice(Math.max(0, earlier.length - before)), ...own, ...later.slice(0, after)],
  };
}
