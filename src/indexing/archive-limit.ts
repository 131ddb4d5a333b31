// What is in the archive, and keeping it below its size limit: the oldest transcripts go first.

import fs from 'node:fs';
import path from 'node:path';
import { isSystemError, messageOf } from '../errors.ts';
import {
  type ArchiveEntry,
  DATA_SUFFIX,
  ENTRY_SUFFIX,
  type EntryPlace,
  entryFile,
  filesOf,
  placeOfData,
  readEntry,
  TAIL_SUFFIX,
  underLock,
} from './archive-entry.ts';

export type ArchiveProblem = { readonly file: string; readonly why: string };

const RECENT_MS = 24 * 60 * 60 * 1000;

export function listArchive(top: string): { entries: ArchiveEntry[]; problems: ArchiveProblem[] } {
  const entries: ArchiveEntry[] = [];
  const problems: ArchiveProblem[] = [];
  for (const file of archiveFiles(top)) {
    if (!file.endsWith(ENTRY_SUFFIX)) continue;
    try {
      const entry = readEntry({ folder: path.dirname(file), stem: path.basename(file, ENTRY_SUFFIX) });
      if (entry) entries.push(entry);
      for (const { file: lines, bytes } of entry ? counted(entry) : [])
        if (bytesOf(lines) < bytes) problems.push({ file: lines, why: 'it is shorter than it should be' });
    } catch (error) {
      problems.push({ file, why: messageOf(error) });
    }
  }
  entries.sort((a, b) => (a.source < b.source ? -1 : a.source > b.source ? 1 : 0));
  return { entries, problems };
}

const counted = ({ file, gzBytes, tail }: ArchiveEntry): { file: string; bytes: number }[] =>
  tail ? [{ file, bytes: gzBytes }, tail] : [{ file, bytes: gzBytes }];

/** The files of the archive; its folders are one deep. */
function archiveFiles(top: string): string[] {
  return namesIn(top).flatMap((folder) =>
    namesIn(path.join(top, folder))
      .filter((name) => name.endsWith(ENTRY_SUFFIX) || holdsLines(name))
      .map((name) => path.join(top, folder, name)),
  );
}

/** Where lines wait to be packed, by the names of their files: reading all entries would take a while. */
export const tailPlaces = (top: string): EntryPlace[] =>
  archiveFiles(top)
    .filter((file) => file.endsWith(TAIL_SUFFIX))
    .map(placeOfData);

const holdsLines = (name: string): boolean => name.endsWith(DATA_SUFFIX) || name.endsWith(TAIL_SUFFIX);

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder).sort();
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  }
}

export const sizeOf = (top: string): number => archiveFiles(top).reduce((sum, file) => sum + bytesOf(file), 0);

const bytesOf = (file: string): number => fs.lstatSync(file, { throwIfNoEntry: false })?.size ?? 0;

/** Removes the oldest until the limit holds; what was added to within a day only if nothing else is left. */
export async function enforceLimit(top: string, maxBytes: number, now: number): Promise<ArchiveEntry[]> {
  const { entries, problems } = listArchive(top);
  removeOrphans(top, { entries, problems, now });
  let size = sizeOf(top);
  const isRecent = (entry: ArchiveEntry): boolean => now - Date.parse(entry.updatedAt) < RECENT_MS;
  const oldestFirst = entries.toSorted(
    (a, b) => Number(isRecent(a)) - Number(isRecent(b)) || Date.parse(a.updatedAt) - Date.parse(b.updatedAt),
  );
  const gone: ArchiveEntry[] = [];
  for (const entry of oldestFirst) {
    if (size <= maxBytes) break;
    const place = placeOfData(entry.file);
    await underLock(place, () => {
      if (readEntry(place)?.updatedAt !== entry.updatedAt) return; // somebody has just added to it
      // The entry first: data without an entry is an orphan and goes next time, an entry without data would be damage.
      for (const file of [entryFile(place), ...filesOf(entry)]) {
        size -= bytesOf(file);
        fs.rmSync(file, { force: true });
      }
      gone.push(entry);
    });
  }
  return gone;
}

type Listed = { entries: readonly ArchiveEntry[]; problems: readonly ArchiveProblem[]; now: number };

/** Lines that no entry counts, from killed writers. Behind an entry that cannot be read may be the only copy: it stays. */
function removeOrphans(top: string, { entries, problems, now }: Listed): void {
  const kept = new Set(entries.flatMap(filesOf));
  const unreadable = new Set(problems.map((problem) => problem.file));
  for (const file of archiveFiles(top)) {
    if (!holdsLines(file) || kept.has(file) || unreadable.has(entryFile(placeOfData(file)))) continue;
    const stat = fs.lstatSync(file, { throwIfNoEntry: false });
    if (stat && now - stat.mtimeMs > RECENT_MS) fs.rmSync(file, { force: true });
  }
}
