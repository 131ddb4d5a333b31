// Forks of conversations that are to be forgotten: the client copies their lines, with their names, into the transcript of another session.
// The names of the lines are gathered before they go, so that copies are known again; forks that are stored already are told.

import fs from 'node:fs';
import { CairnError, isSystemError } from '../errors.ts';
import type { Conversation } from '../indexing/transcripts/conversations.ts';
import type { ArchiveEntry } from '../transcripts/archive/entry.ts';
import { lineName, lineNames } from '../transcripts/forgotten-lines.ts';
import { openTranscriptFile } from '../transcripts/source.ts';
import type { TraceMemory } from './trace-memory.ts';

/** A fork begins with copies; the first lines of a transcript may have no names. */
const FIRST_NAMES = 8;
const FIRST_LINES = 200;
const MAX_SEARCHED = 512 * 1024 * 1024;

/** What the client calls the lines of these transcripts, as far as anybody still has them. */
export function namesOfLines(memory: TraceMemory, files: readonly string[]): Set<string> {
  const names = new Set<string>();
  for (const file of files)
    for (const text of linesOf(memory, file)) {
      const name = text === '' ? undefined : lineName(text);
      if (name !== undefined) names.add(name);
    }
  return names;
}

/** Of the file, and of all copies of it: one may have lines that the others have lost. */
function* linesOf({ archive }: TraceMemory, file: string): Generator<string> {
  const source = openTranscriptFile(file);
  try {
    if (source) for (const { text, tooLong } of source.readLinesFrom(0)) if (!tooLong) yield text;
  } finally {
    source?.close();
  }
  const copies = quietly(() => [archive.entryFor(file), ...archive.olderFor(file)]) ?? [];
  for (const entry of copies) if (entry) yield* quietLines(() => archive.lines(entry));
}

/** A damaged copy must not keep anything from being forgotten. */
function* quietLines(open: () => Iterable<string>): Generator<string> {
  try {
    yield* open();
  } catch (error) {
    if (!(error instanceof CairnError || isSystemError(error))) throw error;
  }
}

function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof CairnError || isSystemError(error))) throw error;
    return undefined;
  }
}

/** Stored conversations that begin with lines of a chosen one, or have the lines that a chosen one begins with. Those stay. */
export function forksOf(
  memory: TraceMemory,
  chosen: readonly Conversation[],
  all: readonly Conversation[],
): Conversation[] {
  const going = chosen.filter(({ isExport }) => !isExport);
  const isChosen = new Set(chosen);
  const others = all.filter((each) => each.isStored && !each.isExport && !isChosen.has(each));
  const near = others.filter((other) => going.some((each) => mayShare(each, other)));
  if (near.length === 0) return [];
  const names = new Map(going.map((each) => [each, namesOfLines(memory, each.files)]));
  return near.filter((other) => {
    const related = going.filter((each) => mayShare(each, other));
    const first = other.files.flatMap((file) => firstNames(memory, file));
    if (related.some((each) => first.some((name) => names.get(each)?.has(name)))) return true;
    return related
      .filter((each) => isDuring(each, other))
      .some((each) =>
        holdsAny(
          other.files,
          each.files.flatMap((file) => firstNames(memory, file)),
        ),
      );
  });
}

const mayShare = (a: Conversation, b: Conversation): boolean =>
  a.projects.some((project) => b.projects.includes(project)) && overlap(a, b);

/** Copied lines keep their times. Where nobody knows them, they may. */
const overlap = (a: Conversation, b: Conversation): boolean =>
  (a.began === 0 || b.ended === 0 || b.ended >= a.began) && (b.began === 0 || a.ended === 0 || a.ended >= b.began);

const isDuring = (a: Conversation, b: Conversation): boolean => a.began > 0 && b.began > 0 && a.began >= b.began;

function firstNames({ archive }: TraceMemory, file: string): string[] {
  const source = openTranscriptFile(file);
  try {
    const lines = source
      ? textsOf(source.readLinesFrom(0))
      : (quietly(() => withEntry(archive.entryFor(file), (entry) => archive.readLines(entry, 1, FIRST_LINES))) ?? []);
    return namesIn(lines);
  } finally {
    source?.close();
  }
}

const withEntry = <T>(entry: ArchiveEntry | undefined, work: (entry: ArchiveEntry) => T): T | undefined =>
  entry && work(entry);

function* textsOf(lines: Iterable<{ text: string; tooLong?: boolean }>): Generator<string> {
  for (const { text, tooLong } of lines) yield tooLong ? '' : text;
}

function namesIn(lines: Iterable<string>): string[] {
  const names: string[] = [];
  let count = 0;
  for (const text of lines) {
    names.push(...lineNames(text));
    if (names.length >= FIRST_NAMES || ++count >= FIRST_LINES) break;
  }
  return names;
}

/** Looked for in the bytes: what a long conversation was forked from need not be read line by line. */
function holdsAny(files: readonly string[], names: readonly string[]): boolean {
  return files.some((file) => {
    const size = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    if (size === 0 || size > MAX_SEARCHED || names.length === 0) return false;
    const bytes = quietly(() => fs.readFileSync(file));
    return bytes !== undefined && names.some((name) => bytes.includes(name));
  });
}
