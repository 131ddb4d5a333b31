// One line of index.md: `- [DECISION] title -> path #tags:a,b`. The one parser and the one writer of it.

import { cleanTag, cleanTitle } from '../safety/sanitise.ts';

export type IndexEntry = { display: string; title: string; path: string; tags: string[] };

/** A line longer than this was not written by Cairn; reading it would only cost time. */
const MAX_LINE = 4_000;
const LINE = /^-\s+\[([A-Z][A-Z0-9_]*)\]\s+(.+?)\s+->\s+(\S+)(?:\s+#tags:(.+))?$/;

/** The title runs to the last arrow that leaves a path behind it: an arrow in an old title does not cut it. */
export function parseIndexLine(line: string): IndexEntry | undefined {
  if (line.length > MAX_LINE || !line.trimStart().startsWith('-')) return undefined;
  const match = LINE.exec(line.trim());
  if (!match) return undefined;
  const tags = (match[4] ?? '').split(',').flatMap((tag) => (tag.trim() === '' ? [] : [tag.trim()]));
  return { display: match[1]!, title: match[2]!.trim(), path: match[3]!, tags };
}

/** Titles and tags are cleaned here too: a record edited by hand must not be able to forge a line. */
export function formatIndexLine(entry: IndexEntry): string {
  const tags = entry.tags.map(cleanTag).filter((tag) => tag !== '');
  const title = cleanTitle(entry.title) || '(untitled)';
  return `- [${entry.display}] ${title} -> ${entry.path}${tags.length > 0 ? ` #tags:${tags.join(',')}` : ''}`;
}

/** By category, then by title without regard to case, then by path, so that equal stores give equal files. */
export function compareEntries(a: IndexEntry, b: IndexEntry): number {
  return (
    compareText(a.display, b.display) ||
    compareText(a.title.toLowerCase(), b.title.toLowerCase()) ||
    compareText(a.path, b.path)
  );
}

export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
