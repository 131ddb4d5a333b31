// What is in the archive: its entries, the generations before them, and everything that is not as it should be.

import fs from 'node:fs';
import path from 'node:path';
import { isSystemError, messageOf } from '../../errors.ts';
import {
  type ArchiveEntry,
  DATA_SUFFIX,
  ENTRY_SUFFIX,
  type EntryPlace,
  entryFile,
  filesOf,
  nameOfGeneration,
  olderFile,
  placeOfData,
  readEntry,
  TAIL_SUFFIX,
} from './entry.ts';

export type ArchiveProblem = { readonly file: string; readonly why: string };

export type ArchiveListing = {
  /** By source. */
  readonly entries: ArchiveEntry[];
  /** Generations before those. */
  readonly older: ArchiveEntry[];
  /** Being removed by somebody, or left so by a kill. */
  readonly going: ArchiveEntry[];
  /** Copies that are being made anew. */
  readonly next: ArchiveEntry[];
  readonly problems: ArchiveProblem[];
  /** Lines that no entry names. */
  readonly orphans: string[];
};

/** `stem.json`, `stem.2.json`, `stem.next.json`, `stem.damaged.json`, `stem.2.going.json`. */
const SIDE = /^([^.]+)(?:\.(\d+|next|damaged|\d+\.going))?\.json$/;
const NO_ENTRY = 'the .json that says where these lines came from is gone';

export function listArchive(top: string): ArchiveListing {
  const files = archiveFiles(top);
  const found: ArchiveListing = { entries: [], older: [], going: [], next: [], problems: [], orphans: [] };
  for (const side of files) {
    const [, stem, which] = SIDE.exec(path.basename(side)) ?? [];
    if (stem === undefined) continue;
    if (which === 'damaged') {
      found.problems.push({ file: side, why: 'it could not be read; its transcript was archived anew' });
      continue;
    }
    try {
      const entry = readEntry({ folder: path.dirname(side), stem }, side);
      if (!entry) continue;
      if (which?.endsWith('going')) {
        found.going.push(entry);
        continue;
      }
      (which === undefined ? found.entries : which === 'next' ? found.next : found.older).push(entry);
      for (const { file, bytes } of counted(entry))
        if (bytesOf(file) < bytes) found.problems.push({ file, why: 'it is shorter than it should be' });
    } catch (error) {
      found.problems.push({ file: side, why: messageOf(error) });
    }
  }
  found.entries.sort((a, b) => (a.source < b.source ? -1 : a.source > b.source ? 1 : 0));
  found.older.sort((a, b) => nameOfGeneration(a) - nameOfGeneration(b));
  const named = new Set([...found.entries, ...found.older, ...found.next, ...found.going].flatMap(filesOf));
  found.orphans.push(...files.filter((file) => holdsLines(file) && !named.has(file)));
  const there = new Set(files);
  const described = new Set([...found.entries.map(({ side }) => side), ...found.problems.map(({ file }) => file)]);
  for (const file of found.orphans)
    if (!described.has(entryFile(placeOfData(file)))) found.problems.push({ file, why: NO_ENTRY });
  for (const entry of found.entries)
    for (const side of entry.older.map((generation) => olderFile(placeOfData(entry.file), generation)))
      if (!there.has(side))
        found.problems.push({ file: side, why: 'it is gone: an older generation of its transcript' });
  return found;
}

/** Of one transcript, the oldest first, without those that cannot be read. */
export function olderEntries(place: EntryPlace): ArchiveEntry[] {
  const current = readOr(place, entryFile(place));
  return namesIn(place.folder)
    .filter((name) => /^\d+$/.test(SIDE.exec(name)?.[2] ?? '') && SIDE.exec(name)?.[1] === place.stem)
    .flatMap((name) => readOr(place, path.join(place.folder, name)) ?? [])
    .filter((entry) => !current || nameOfGeneration(entry) !== nameOfGeneration(current))
    .sort((a, b) => nameOfGeneration(a) - nameOfGeneration(b));
}

function readOr(place: EntryPlace, side: string): ArchiveEntry | undefined {
  try {
    return readEntry(place, side);
  } catch {
    return undefined; // named by whoever lists all
  }
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

export const bytesOf = (file: string): number => fs.lstatSync(file, { throwIfNoEntry: false })?.size ?? 0;
