// The archive: compressed copies of indexed transcripts, because clients delete theirs after a month and the database is only
// derived. Parts are appended as they are indexed; lines that nobody needs are kept as empty lines, so line numbers hold. The lines of
// single turns wait in a plain file, the tail, until there are enough of them to be packed.
// What is in it was redacted by the caller. docs/ARCHIVE.md describes the files.

import fs from 'node:fs';
import path from 'node:path';
import { CairnError, isSystemError, messageOf } from '../../errors.ts';
import { TEMPORARY_SUFFIX } from '../../files/atomic-write.ts';
import type { Lock } from '../../files/lock.ts';
import { type Fork, generationOf } from '../../model/forks.ts';
import {
  type ArchiveEntry,
  type ArchiveOrigin,
  damagedFile,
  type EntryPlace,
  entryFile,
  filesOf,
  freshGeneration,
  nameOfGeneration,
  nextFile,
  olderFile,
  placeOf,
  readEntry,
  underLock,
  writeEntry,
} from './entry.ts';
import { enforceLimit } from './limit.ts';
import { type ArchiveProblem, listArchive, olderEntries, sizeOf, tailPlaces } from './list.ts';
import { archivedLines, readArchivedLines, verifyEntry } from './read.ts';
import { removeEntry } from './remove.ts';
import { appended, nothingHeld, packed, withSums } from './write.ts';

export { type ArchiveEntry, type ArchiveOrigin, mendingOf } from './entry.ts';
export type { ArchiveProblem } from './list.ts';

export type ArchivePart = {
  /** Number of its first line, from 1. */
  readonly fromLine: number;
  /** Already redacted; empty where the reader needs nothing. */
  readonly lines: readonly string[];
  /** What is archived with this part: the transcript's bytes and lines, and the indexer's mark of them. */
  readonly offset: number;
  readonly line: number;
  readonly mark: string;
  readonly head: {
    readonly session: string;
    readonly cwd?: string | undefined;
    readonly branch?: string | undefined;
  } | null;
  readonly reader: string;
  readonly project: string;
  /** The copy is made anew from the first line; it takes the place of the one that is there when it is as long. */
  readonly restart?: boolean;
  /** Of a transcript that was rewritten. If its generation is another than that of the copy, this part begins it, and the copy is kept. */
  readonly forks?: readonly Fork[];
  /** It is one turn, and more will follow: packing may wait. */
  readonly waits?: boolean;
  /** Of a conversation that was held on another machine. */
  readonly origin?: ArchiveOrigin;
  /** When it was last added to there; now, where this is not said. */
  readonly updatedAt?: string;
};

export type Archive = {
  /**
   * Appends what is new in the part; lines that are there already are skipped, a gap is INDEX_ERROR (`entryFor` tells from
   * where to go on). What a kill interrupts does not count; what a power cut takes is READ_ERROR at the next part.
   */
  add(source: string, part: ArchivePart): Promise<void>;
  entryFor(source: string): ArchiveEntry | undefined;
  /** Generations before the current one, the oldest first; without those that cannot be read. */
  olderFor(source: string): ArchiveEntry[];
  /** A number for the next generation of it. */
  nextGeneration(source: string): number;
  /** Reads all of it, counts the lines and compares the checksums; throws READ_ERROR where it is not what was archived. */
  verify(entry: ArchiveEntry): void;
  /** By source. Entries that cannot be read are left out; `problems` names them. */
  entries(): ArchiveEntry[];
  problems(): ArchiveProblem[];
  /** All at one look: what is not among the entries, or the older generations, is among the problems. */
  survey(): { entries: ArchiveEntry[]; older: ArchiveEntry[]; problems: ArchiveProblem[] };
  /** All lines from the first on, a part in memory at a time. */
  lines(entry: ArchiveEntry): Generator<string>;
  /** Lines `from` to `to`, both included; fewer where the archive ends. */
  readLines(entry: ArchiveEntry, from: number, to: number): string[];
  /** Everything that was ever archived of a transcript: all generations, tails and what killed writers left. */
  remove(source: string): Promise<void>;
  /** Packs the lines that wait for it. Those that cannot be read stay; `problems` names them. */
  packTails(): Promise<void>;
  /** Removes the oldest until the limit holds; what was added to within a day only if nothing else is left. */
  enforceLimit(): Promise<ArchiveEntry[]>;
  /** Throws IO_ERROR where nothing can be added: it may only be read, or the disk is full. */
  assertWritable(): void;
  /** Bytes on disk. */
  size(): number;
};

/** `root` is the archive's own folder; it is made when something is added. */
export function openArchive(root: string, options: { readonly maxBytes: number; readonly now: () => Date }): Archive {
  const top = path.join(path.resolve(root), 'transcripts');
  return {
    add: (source, part) => add(placeOf(top, source), source, part, options),
    entryFor: (source) => readEntry(placeOf(top, source)),
    olderFor: (source) => olderEntries(placeOf(top, source)),
    nextGeneration: (source) => {
      const place = placeOf(top, source);
      return fs.existsSync(place.folder) ? Math.max(2, freshGeneration(place)) : 2;
    },
    verify: verifyEntry,
    entries: () => listArchive(top).entries,
    problems: () => listArchive(top).problems,
    survey: () => listArchive(top),
    lines: archivedLines,
    readLines: readArchivedLines,
    remove: (source) => removeEntry(placeOf(top, source)),
    packTails: async () => {
      for (const place of tailPlaces(top)) await packTail(place);
    },
    enforceLimit: () => enforceLimit(top, options.maxBytes, options.now().getTime()),
    assertWritable: () => assertWritable(top),
    size: () => sizeOf(top),
  };
}

/** As much as a conversation takes, packed. */
const PROBE_BYTES = 128 * 1024;

function assertWritable(top: string): void {
  const probe = path.join(top, `.probe.${process.pid}${TEMPORARY_SUFFIX}`);
  try {
    fs.mkdirSync(top, { recursive: true, mode: 0o700 });
    fs.writeFileSync(probe, Buffer.alloc(PROBE_BYTES), { mode: 0o600 });
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new CairnError('IO_ERROR', `Nothing can be added to the archive ${top}: ${messageOf(error)}`, {
      cause: error,
      details: [['target', top]],
      fix: 'Check that you may write there and that there is room on the disk, then run it again.',
    });
  } finally {
    removeQuietly(probe);
  }
}

function removeQuietly(file: string): void {
  try {
    fs.rmSync(file, { force: true });
  } catch (error) {
    if (!isSystemError(error)) throw error; // on a file system that may only be read, even of what is not there
  }
}

async function add(
  place: EntryPlace,
  source: string,
  part: ArchivePart,
  options: { readonly now: () => Date },
): Promise<void> {
  checkPart(source, part);
  fs.mkdirSync(place.folder, { recursive: true, mode: 0o700 });
  await underLock(place, (lock) => {
    const before = currentEntry(place);
    const { base, side, kept } = whereTo(place, before, part);
    const known = base?.line ?? 0;
    if (part.fromLine > known + 1) throw gap(source, known, part.fromLine);
    if (part.line <= known && base) return;
    const held = base ? withSums(base) : nothingHeld(place, freshGeneration(place));
    const fresh = { firstLine: known + 1, lines: part.lines.slice(known + 1 - part.fromLine) };
    const now = (part.waits ? appended(place, held, fresh) : undefined) ?? packed(held, fresh);
    const at = options.now().toISOString();
    if (kept)
      writeEntry({ ...kept, older: [], side: olderFile(place, nameOfGeneration(kept)) }, () => lock.assertHeld());
    const entry: ArchiveEntry = {
      source,
      session: part.head?.session ?? before?.session ?? path.basename(source).replace(/\.\w+$/, ''),
      project: part.project,
      cwd: part.head ? part.head.cwd : before?.cwd,
      branch: part.head ? part.head.branch : before?.branch,
      reader: part.reader,
      offset: part.offset,
      line: part.line,
      mark: part.mark,
      createdAt: before?.createdAt ?? at,
      updatedAt: part.updatedAt ?? at,
      origin: part.origin,
      forks: part.forks ?? before?.forks ?? [],
      older: [...(before?.older ?? []), ...(kept ? [nameOfGeneration(kept)] : [])],
      ...now,
      side,
    };
    // A copy that is made anew counts when nothing is missing in it that the one before it had.
    const isWhole = side !== nextFile(place) || entry.line >= (before?.line ?? 0);
    if (!isWhole) return writeEntry(entry, () => lock.assertHeld());
    replaceEntry({ ...entry, side: entryFile(place) }, kept ? undefined : before, lock);
    if (side === nextFile(place)) fs.rmSync(side, { force: true });
  });
}

type Destination = {
  /** What the part goes behind; nothing where a copy begins. */
  readonly base: ArchiveEntry | undefined;
  readonly side: string;
  /** The generation that is kept because another one begins. */
  readonly kept?: ArchiveEntry;
};

function whereTo(place: EntryPlace, before: ArchiveEntry | undefined, part: ArchivePart): Destination {
  const current = entryFile(place);
  if (!before) return { base: undefined, side: current };
  if (part.forks && generationOf(part.forks) !== nameOfGeneration(before))
    return { base: undefined, side: current, kept: before };
  if (part.restart) return { base: undefined, side: nextFile(place) };
  const next = entryOrNothing(place, nextFile(place));
  if (next && part.fromLine <= next.line + 1) return { base: next, side: nextFile(place) };
  return { base: before, side: current };
}

/** A kill before the entry is replaced leaves what it was, one behind it files that do not count. */
function replaceEntry(entry: ArchiveEntry, before: ArchiveEntry | undefined, lock: Lock): void {
  writeEntry(entry, () => lock.assertHeld());
  const kept = filesOf(entry);
  for (const file of before ? filesOf(before) : []) if (!kept.includes(file)) fs.rmSync(file, { force: true });
}

async function packTail(place: EntryPlace): Promise<void> {
  await underLock(place, (lock) => {
    try {
      const before = readEntry(place);
      if (before?.tail) replaceEntry({ ...before, ...packed(withSums(before)) }, before, lock);
    } catch (error) {
      if (!isDamage(error)) throw error;
    }
  });
}

/** An entry that cannot be read is as good as none for a writer: it can only begin anew. What lies beside it may be of use yet. */
function currentEntry(place: EntryPlace): ArchiveEntry | undefined {
  try {
    return readEntry(place);
  } catch (error) {
    if (!isDamage(error)) throw error;
    fs.renameSync(entryFile(place), damagedFile(place));
    return undefined;
  }
}

function entryOrNothing(place: EntryPlace, side: string): ArchiveEntry | undefined {
  try {
    return readEntry(place, side);
  } catch (error) {
    if (isDamage(error)) return undefined;
    throw error;
  }
}

const isDamage = (error: unknown): boolean => error instanceof CairnError && error.code === 'READ_ERROR';

function checkPart(source: string, { fromLine, lines, line }: ArchivePart): void {
  const wrong =
    fromLine < 1 || fromLine + lines.length - 1 !== line
      ? `lines ${fromLine} to ${line} cannot be ${lines.length} lines`
      : lines.some((text) => text.includes('\n'))
        ? 'a line has a line break in it'
        : undefined;
  if (wrong !== undefined)
    throw new CairnError('INDEX_ERROR', `A part of ${source} cannot be archived: ${wrong}.`, {
      details: [['target', source]],
    });
}

function gap(source: string, known: number, fromLine: number): CairnError {
  return new CairnError(
    'INDEX_ERROR',
    `A part of ${source} cannot be archived: it starts at line ${fromLine}, and the archive ends at line ${known}.`,
    {
      details: [['target', source]],
      fix: 'Archive the lines between them first; `cairn backfill` reads the transcript from there.',
    },
  );
}
