// Keeping the archive below its size limit: the oldest goes first, whether it is a conversation, a generation of one, or lines that
// nobody can say the origin of.

import fs from 'node:fs';
import {
  type ArchiveEntry,
  entryFile,
  filesOf,
  goingFile,
  nameOfGeneration,
  placeOfData,
  readEntry,
  underLock,
  writeEntry,
} from './entry.ts';
import { type ArchiveListing, listArchive, sizeOf } from './list.ts';

const RECENT_MS = 24 * 60 * 60 * 1000;

type Candidate = {
  readonly at: number;
  readonly isRecent: boolean;
  readonly remove: () => Promise<ArchiveEntry | undefined>;
};

/** Removes the oldest until the limit holds; what was added to within a day only if nothing else is left. */
export async function enforceLimit(top: string, maxBytes: number, now: number): Promise<ArchiveEntry[]> {
  const listing = listArchive(top);
  removeOrphans(listing, now);
  for (const entry of listing.going) await underLock(placeOfData(entry.file), () => removeFiles(entry));
  const gone: ArchiveEntry[] = [];
  if (sizeOf(top) <= maxBytes) return gone;
  const oldestFirst = candidatesIn(listing, now).sort((a, b) => Number(a.isRecent) - Number(b.isRecent) || a.at - b.at);
  for (const { remove } of oldestFirst) {
    if (sizeOf(top) <= maxBytes) break;
    const entry = await remove();
    if (entry) gone.push(entry);
  }
  return gone;
}

function candidatesIn({ entries, older, problems }: ArchiveListing, now: number): Candidate[] {
  const described = [...older, ...entries].map((entry): Candidate => {
    const at = Date.parse(entry.updatedAt);
    return { at, isRecent: now - at < RECENT_MS, remove: () => removeEntry(entry) };
  });
  // What cannot be read takes as much room as what can.
  const unclear = problems.flatMap(({ file }): Candidate[] => {
    const at = fs.lstatSync(file, { throwIfNoEntry: false })?.mtimeMs;
    if (at === undefined || entries.some((entry) => filesOf(entry).includes(file))) return [];
    const remove = async (): Promise<undefined> => fs.rmSync(file, { force: true }) as undefined;
    return [{ at, isRecent: now - at < RECENT_MS, remove }];
  });
  return [...described, ...unclear];
}

function removeEntry(entry: ArchiveEntry): Promise<ArchiveEntry | undefined> {
  const place = placeOfData(entry.file);
  return underLock(place, (lock) => {
    if (readEntry(place, entry.side)?.updatedAt !== entry.updatedAt) return undefined; // somebody has just added to it
    const current = entry.side === entryFile(place) ? undefined : readOr(place);
    if (current)
      writeEntry({ ...current, older: current.older.filter((each) => each !== nameOfGeneration(entry)) }, () =>
        lock.assertHeld(),
      );
    // Lines without an entry are kept, because they may be all that is left of one; an entry without lines is a damaged one. So it is
    // renamed first, in one step, to what says that both go: a kill behind it leaves what the next one removes.
    lock.assertHeld();
    const side = goingFile(place, entry);
    fs.renameSync(entry.side, side);
    removeFiles({ ...entry, side });
    return entry;
  });
}

function removeFiles(entry: ArchiveEntry): void {
  for (const file of [...filesOf(entry), entry.side]) fs.rmSync(file, { force: true });
}

function readOr(place: ReturnType<typeof placeOfData>): ArchiveEntry | undefined {
  try {
    return readEntry(place);
  } catch {
    return undefined; // it is named as a problem
  }
}

/** Lines that no entry counts, from killed writers. Where an entry is gone or cannot be read they may be the only copy: they stay. */
function removeOrphans({ orphans, problems, entries }: ArchiveListing, now: number): void {
  const unclear = new Set(problems.map(({ file }) => placeOfData(file).stem));
  const described = new Set(entries.map(({ side }) => side));
  for (const file of orphans) {
    const place = placeOfData(file);
    if (!described.has(entryFile(place)) || unclear.has(place.stem)) continue;
    const stat = fs.lstatSync(file, { throwIfNoEntry: false });
    if (stat && now - stat.mtimeMs > RECENT_MS) fs.rmSync(file, { force: true });
  }
}
