// index.md: sections for people on top (index-sections.ts), then the list of active records that retrieval scans. But for
// what people wrote there it is derived: the files are the truth, and every function here is a pure edit of its text, so
// that an update and a rebuild can be compared.

import fs from 'node:fs';
import { CairnError } from '../errors.ts';
import { atomicWrite } from '../files/atomic-write.ts';
import { readBytes, readText } from '../files/json-file.ts';
import { compareEntries, formatIndexLine, type IndexEntry, listedTitle, parseIndexLine } from './index-line.ts';
import {
  ALL_MEMORIES,
  type DrawnSections,
  drawnLines,
  hasSections,
  type IndexParts,
  splitIndex,
  upperPart,
} from './index-sections.ts';

const HEADER =
  '# Memory Index\n\n<!-- Auto-generated from the files beside it: `cairn index --rebuild` makes it anew. -->\n\n';
const MAX_INDEX_BYTES = 64 * 1024 * 1024;

/** What a rebuild does not make from the records: the text that was there, and the lines of the notes if they are known. */
export type Upper = { before?: string | undefined; drawn?: DrawnSections | undefined };

/** The whole text. What people wrote in sections is taken over, and so is what was drawn from notes unless it is given. */
export function renderIndex(entries: readonly IndexEntry[], upper: Upper = {}): string {
  const before = splitIndex(upper.before ?? '');
  const entryLines = entries.map(asListed).sort(compareEntries).map(formatIndexLine);
  return join({ ...before, stray: [], entryLines, ...(upper.drawn ? { drawn: drawnLines(upper.drawn) } : {}) });
}

/** The text with other lines from the notes; its entries stay. */
export function redrawIndex(text: string, drawn: DrawnSections): string {
  const lines = drawnLines(drawn);
  return lines.size === 0 && !hasSections(text) ? text : join({ ...splitIndex(text), drawn: lines });
}

function join(parts: IndexParts): string {
  const entries = parts.entryLines.flatMap((line) => parseIndexLine(line) ?? []);
  const upper = upperPart(parts, entries);
  const stray = parts.stray.length === 0 ? '' : `${parts.stray.join('\n')}\n\n`;
  const heading = upper === '' || parts.entryLines.length === 0 ? '' : `## ${ALL_MEMORIES}\n`;
  const text = HEADER + stray + upper + heading + parts.entryLines.map((line) => `${line}\n`).join('');
  return upper !== '' && heading === '' ? text.replace(/\n+$/, '\n') : text;
}

export function entriesOf(text: string): IndexEntry[] {
  return text.split('\n').flatMap((line) => parseIndexLine(line) ?? []);
}

/** The text without the entries of these paths, and with `entry` at its sorted place. Other lines are kept as they are. */
export function editIndex(text: string, removePaths: readonly string[], entry?: IndexEntry): string {
  if (hasSections(text)) {
    const parts = splitIndex(text);
    return join({ ...parts, entryLines: editLines(parts.entryLines, removePaths, entry) });
  }
  return editLines((text === '' ? HEADER : text).split('\n'), removePaths, entry).join('\n');
}

function editLines(lines: readonly string[], removePaths: readonly string[], entry: IndexEntry | undefined): string[] {
  const kept = lines.filter((line) => {
    const parsed = parseIndexLine(line);
    return !parsed || !(removePaths.includes(parsed.path) || parsed.path === entry?.path);
  });
  if (entry) kept.splice(placeFor(kept, asListed(entry)), 0, formatIndexLine(entry));
  return kept;
}

const asListed = (entry: IndexEntry): IndexEntry => ({ ...entry, title: listedTitle(entry.title) });

function placeFor(lines: readonly string[], entry: IndexEntry): number {
  let afterLast: number | undefined;
  for (const [at, line] of lines.entries()) {
    const parsed = parseIndexLine(line);
    if (!parsed) continue;
    if (compareEntries(entry, parsed) < 0) return at;
    afterLast = at + 1;
  }
  if (afterLast !== undefined) return afterLast;
  return lines.at(-1) === '' ? lines.length - 1 : lines.length;
}

/** A link is no index: it may lead to anybody's file, whose text would be copied into the memory. It is replaced by the next write. */
export function readIndex(file: string): string | undefined {
  return isLink(file) ? undefined : readText(file, MAX_INDEX_BYTES);
}

const isLink = (file: string): boolean => fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;

/**
 * What can be read of it, for a rebuild that takes over what people wrote: a byte that is not UTF-8 spoils a letter, not
 * all. A link is not followed: what it leads to may be anybody's file.
 */
export function salvageIndex(file: string): string | undefined {
  try {
    return isLink(file) ? undefined : readBytes(file, MAX_INDEX_BYTES)?.toString('utf8');
  } catch (error) {
    if (error instanceof CairnError) return undefined; // too large, or not ours to read: there is nothing to save in it
    throw error;
  }
}

/** Writes only what changed, so that an update that does not touch the line does not touch the file. */
export function writeIndex(file: string, text: string, before: string | undefined, beforeCommit?: () => void): boolean {
  if (text === before) return false;
  atomicWrite(file, text, beforeCommit ? { beforeCommit } : {});
  return true;
}
