// A made-up transcript of which every line is known by its number.

import type { ArchivePart } from '../../src/transcripts/archive/archive.ts';

export const lineAt = (number: number): string =>
  number % 3 === 0 ? '' : JSON.stringify({ line: number, text: `say ${number} `.repeat(number % 200) });

export function partOf(from: number, to: number, more: Partial<ArchivePart> = {}): ArchivePart {
  return {
    fromLine: from,
    lines: Array.from({ length: to - from + 1 }, (_, index) => lineAt(from + index)),
    offset: to * 100,
    line: to,
    mark: `mark-${to}`,
    head: { session: 'a-session', cwd: '/work/app', branch: 'main' },
    reader: 'claude-code',
    project: '/work/app/.git',
    ...more,
  };
}
