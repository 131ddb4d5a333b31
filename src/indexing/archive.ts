// The archive: compressed copies of indexed transcripts, because clients delete theirs after a month and the database is only
// derived. Parts are appended as they are indexed; lines that nobody needs are kept as empty lines, so line numbers hold.
// What is in it was redacted by the caller. docs/ARCHIVE.md describes the files.

import fs from 'node:fs';
import path from 'node:path';
import { CairnError } from '../errors.ts';
import {
  type ArchiveEntry,
  damaged,
  dataFile,
  type EntryPlace,
  placeOf,
  readEntry,
  underLock,
  writeEntry,
} from './archive-entry.ts';
import { type ArchiveProblem, enforceLimit, listArchive, sizeOf } from './archive-limit.ts';
import { packMember } from './archive-member.ts';
import { archivedLines, readArchivedLines } from './archive-read.ts';

export type { ArchiveEntry } from './archive-entry.ts';
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
  /** Removes the oldest until the limit holds; what was added to within a day only if nothing else is left. */
  enforceLimit(): Promise<ArchiveEntry[]>;
  /** Bytes on disk. */
  size(): number;
};

/** How much text is packed at once: enough to pack well, little enough to unpack one without a thought. */
const MEMBER_CHARACTERS = 1024 * 1024;

/** `root` is the archive's own folder; it is made when something is added. */
export function openArchive(root: string, options: { readonly maxBytes: number; readonly now: () => Date }): Archive {
  const top = path.join(path.resolve(root), 'transcripts');
  return {
    add: (source, part) => add(placeOf(top, source), source, part, options.now),
    entryFor: (source) => readEntry(placeOf(top, source)),
    entries: () => listArchive(top).entries,
    problems: () => listArchive(top).problems,
    survey: () => listArchive(top),
    lines: archivedLines,
    readLines: readArchivedLines,
    enforceLimit: () => enforceLimit(top, options.maxBytes, options.now().getTime()),
    size: () => sizeOf(top),
  };
}

async function add(place: EntryPlace, source: string, part: ArchivePart, now: () => Date): Promise<void> {
  checkPart(source, part);
  fs.mkdirSync(place.folder, { recursive: true, mode: 0o700 });
  await underLock(place, (lock) => {
    const before = entryOrNothing(place);
    const restarts = part.restart === true || before === undefined;
    const known = restarts ? 0 : before.line;
    if (part.fromLine > known + 1) throw gap(source, known, part.fromLine);
    if (part.line <= known && !restarts) return;
    const generation = before === undefined ? 1 : before.generation + (restarts ? 1 : 0);
    const file = dataFile(place, generation);
    const start = restarts ? 0 : before.gzBytes;
    const written = append(file, start, membersOf(part, known));
    const at = now().toISOString();
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
      generation,
      gzBytes: start + written,
      createdAt: before?.createdAt ?? at,
      updatedAt: at,
      file,
    };
    writeEntry(place, entry, () => lock.assertHeld());
    if (before && before.file !== file) fs.rmSync(before.file, { force: true });
  });
}

/** An entry that cannot be read is as good as none for a writer: it can only begin anew. */
function entryOrNothing(place: EntryPlace): ArchiveEntry | undefined {
  try {
    return readEntry(place);
  } catch (error) {
    if (error instanceof CairnError && error.code === 'READ_ERROR') return undefined;
    throw error;
  }
}

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

function membersOf({ fromLine, lines }: ArchivePart, known: number): Buffer[] {
  const members: Buffer[] = [];
  for (let from = known + 1 - fromLine; from < lines.length; ) {
    let to = from;
    let length = 0;
    while (to < lines.length && (to === from || length + lines[to]!.length <= MEMBER_CHARACTERS))
      length += lines[to++]!.length + 1;
    members.push(packMember(fromLine + from, lines.slice(from, to)));
    from = to;
  }
  return members;
}

/**
 * Behind what counts: bytes that a killed writer left there are cut off. Returns how many bytes came in. Nothing is synced,
 * which would take longer than indexing: the transcript itself is there for weeks yet, and what the machine loses with its
 * power is noticed by its length, or by the zeros in its place, and archived anew.
 */
function append(file: string, at: number, members: readonly Buffer[]): number {
  const { O_RDWR, O_CREAT, O_NOFOLLOW } = fs.constants;
  const descriptor = fs.openSync(file, O_RDWR | O_CREAT | (O_NOFOLLOW ?? 0), 0o600);
  try {
    const { size } = fs.fstatSync(descriptor);
    if (size < at) throw damaged(file, `it has ${size} bytes, and should have ${at}`);
    if (at > 0 && endsInNothing(descriptor, at)) throw damaged(file, 'its last part was never written');
    if (size > at) fs.ftruncateSync(descriptor, at);
    let position = at;
    for (const member of members) {
      for (let done = 0; done < member.length; )
        done += fs.writeSync(descriptor, member, done, member.length - done, position + done);
      position += member.length;
    }
    return position - at;
  } finally {
    fs.closeSync(descriptor);
  }
}

/** The last four bytes of a part are the length of its text, which is never zero. */
function endsInNothing(descriptor: number, end: number): boolean {
  const length = Buffer.alloc(4);
  fs.readSync(descriptor, length, 0, length.length, end - length.length);
  return length.readUInt32LE(0) === 0;
}
