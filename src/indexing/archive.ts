// The archive: compressed copies of indexed transcripts, because clients delete theirs after a month and the database is only
// derived. Parts are appended as they are indexed; lines that nobody needs are kept as empty lines, so line numbers hold. The lines of
// single turns wait in a plain file, the tail, until there are enough of them to be packed.
// What is in it was redacted by the caller. docs/ARCHIVE.md describes the files.

import fs from 'node:fs';
import path from 'node:path';
import { CairnError } from '../errors.ts';
import type { Lock } from '../files/lock.ts';
import {
  type ArchiveEntry,
  type EntryPlace,
  filesOf,
  placeOf,
  readEntry,
  underLock,
  writeEntry,
} from './archive-entry.ts';
import { type ArchiveProblem, enforceLimit, listArchive, sizeOf, tailPlaces } from './archive-limit.ts';
import { archivedLines, readArchivedLines } from './archive-read.ts';
import { removeEntry } from './archive-remove.ts';
import { appended, nothingHeld, packed } from './archive-write.ts';

export { type ArchiveEntry, MEND_ARCHIVE } from './archive-entry.ts';
export type { ArchiveProblem } from './archive-limit.ts';

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
  /** The transcript was rewritten: this part replaces what is archived, in one step. */
  readonly restart?: boolean;
  /** It is one turn, and more will follow: packing may wait. */
  readonly waits?: boolean;
};

export type Archive = {
  /**
   * Appends what is new in the part; lines that are there already are skipped, a gap is INDEX_ERROR (`entryFor` tells from
   * where to go on). What a kill interrupts does not count; what a power cut takes is READ_ERROR at the next part.
   */
  add(source: string, part: ArchivePart): Promise<void>;
  entryFor(source: string): ArchiveEntry | undefined;
  /** By source. Entries that cannot be read are left out; `problems` names them. */
  entries(): ArchiveEntry[];
  problems(): ArchiveProblem[];
  /** Both at one look: what is not among the entries is among the problems. */
  survey(): { entries: ArchiveEntry[]; problems: ArchiveProblem[] };
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
  /** Bytes on disk. */
  size(): number;
};

/** `root` is the archive's own folder; it is made when something is added. */
export function openArchive(root: string, options: { readonly maxBytes: number; readonly now: () => Date }): Archive {
  const top = path.join(path.resolve(root), 'transcripts');
  return {
    add: (source, part) => add(placeOf(top, source), source, part, options),
    entryFor: (source) => readEntry(placeOf(top, source)),
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
    size: () => sizeOf(top),
  };
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
    const before = entryOrNothing(place);
    const restarts = part.restart === true || before === undefined;
    const known = restarts ? 0 : before.line;
    if (part.fromLine > known + 1) throw gap(source, known, part.fromLine);
    if (part.line <= known && !restarts) return;
    const generation = before === undefined ? 1 : before.generation + (restarts ? 1 : 0);
    const held = restarts ? nothingHeld(place, generation) : before;
    const fresh = { firstLine: known + 1, lines: part.lines.slice(known + 1 - part.fromLine) };
    const now = (part.waits ? appended(place, held, fresh) : undefined) ?? packed(held, fresh);
    const at = options.now().toISOString();
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
      updatedAt: at,
      ...now,
    };
    replaceEntry(place, { before, entry }, lock);
  });
}

/** A kill before the entry is replaced leaves what it was, one behind it files that do not count. */
function replaceEntry(
  place: EntryPlace,
  { before, entry }: { before: ArchiveEntry | undefined; entry: ArchiveEntry },
  lock: Lock,
): void {
  writeEntry(place, entry, () => lock.assertHeld());
  const kept = filesOf(entry);
  for (const file of before ? filesOf(before) : []) if (!kept.includes(file)) fs.rmSync(file, { force: true });
}

async function packTail(place: EntryPlace): Promise<void> {
  await underLock(place, (lock) => {
    try {
      const before = readEntry(place);
      if (before?.tail) replaceEntry(place, { before, entry: { ...before, ...packed(before) } }, lock);
    } catch (error) {
      if (!isDamage(error)) throw error;
    }
  });
}

/** An entry that cannot be read is as good as none for a writer: it can only begin anew. */
function entryOrNothing(place: EntryPlace): ArchiveEntry | undefined {
  try {
    return readEntry(place);
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
