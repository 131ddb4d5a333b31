// One line of index.md: `- [DECISION] title -> path #tags:a,b`. The one parser and the one writer of it.

import { TITLE_MAX } from '../model/record.ts';
import { cutCodePoints } from '../model/text.ts';
import { cleanTag, cleanTitle } from '../safety/sanitise.ts';

export type IndexEntry = { display: string; title: string; path: string; tags: string[] };

/** A line longer than this was not written by Cairn; reading it would only cost time. */
export const MAX_LINE = 4_000;
// Each blank can be matched in one way only: with `\s+(.+?)\s+->` a line of blanks took a minute.
const LINE = /^-\s+\[([A-Z][A-Z0-9_]*)\]\s+(\S.*?)\s->\s+(\S+)(?:\s+#tags:(.+))?$/;
const TAGS = ' #tags:';

/** The title runs to the last arrow that leaves a path behind it: an arrow in an old title does not cut it. */
export function parseIndexLine(line: string): IndexEntry | undefined {
  if (line.length > MAX_LINE || !line.trimStart().startsWith('-')) return undefined;
  const match = LINE.exec(line.trim());
  if (!match) return undefined;
  const [, display = '', title = '', path = '', written = ''] = match;
  const tags = written.split(',').flatMap((tag) => (tag.trim() === '' ? [] : [tag.trim()]));
  return { display, title: title.trim(), path, tags };
}

/** Titles and tags are cleaned here too: a record edited by hand must not be able to forge a line, or to make one that is too long to be read. */
export function formatIndexLine(entry: IndexEntry): string {
  const head = `- [${entry.display}] ${listedTitle(entry.title)} -> ${entry.path}`;
  let room = MAX_LINE - head.length - TAGS.length;
  const fits = (tag: string): boolean => {
    if (tag.length >= room) return false;
    room -= tag.length + 1;
    return true;
  };
  const tags = entry.tags.map(cleanTag).filter((tag) => tag !== '' && fits(tag));
  return tags.length > 0 ? `${head}${TAGS}${tags.join(',')}` : head;
}

/** A title as its line shows it. Sorting goes by this too, so that a line finds the same place in an edit and in a rebuild. */
export function listedTitle(title: string): string {
  const clean = cleanTitle(title);
  // The cut can leave a bare arrow at the end, hence the second cleaning.
  return (clean.length > TITLE_MAX ? cleanTitle(cutCodePoints(clean, TITLE_MAX)) : clean) || '(untitled)';
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
