// index.md: the list of active records that people read and retrieval scans. It is derived: the record files are the
// truth, and every function here is a pure edit of its text, so that an update and a rebuild can be compared.

import fs from 'node:fs';
import { atomicWrite } from '../files/atomic-write.ts';
import { readText } from '../files/json-file.ts';
import { compareEntries, formatIndexLine, type IndexEntry, listedTitle, parseIndexLine } from './index-line.ts';

const HEADER =
  '# Memory Index\n\n<!-- Auto-generated from the files beside it: `cairn index --rebuild` makes it anew. -->\n\n';
const MAX_INDEX_BYTES = 64 * 1024 * 1024;

export function renderIndex(entries: readonly IndexEntry[]): string {
  const lines = entries.map(asListed).sort(compareEntries).map(formatIndexLine);
  return HEADER + lines.map((line) => `${line}\n`).join('');
}

export function entriesOf(text: string): IndexEntry[] {
  return text.split('\n').flatMap((line) => parseIndexLine(line) ?? []);
}

/** The text without the entries of these paths, and with `entry` at its sorted place. Other lines are kept as they are. */
export function editIndex(text: string, removePaths: readonly string[], entry?: IndexEntry): string {
  const lines = (text === '' ? HEADER : text).split('\n');
  const kept = lines.filter((line) => {
    const parsed = parseIndexLine(line);
    return !parsed || !(removePaths.includes(parsed.path) || parsed.path === entry?.path);
  });
  if (entry) kept.splice(placeFor(kept, asListed(entry)), 0, formatIndexLine(entry));
  return kept.join('\n');
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

/** Writes only what changed, so that an update that does not touch the line does not touch the file. */
export function writeIndex(file: string, text: string, before: string | undefined, beforeCommit?: () => void): boolean {
  if (text === before) return false;
  atomicWrite(file, text, beforeCommit ? { beforeCommit } : {});
  return true;
}

export function indexExists(file: string): boolean {
  return fs.existsSync(file);
}
