// Where the lines of a transcript come from: the file itself, or Cairn's archive of it once the client has deleted the file.
// Both give lines from a position on; an archive counts positions in lines, because the bytes of the original are gone.

import fs from 'node:fs';
import { isSystemError } from '../errors.ts';
import { type FileLine, readLinesFrom } from '../files/read-lines.ts';
import type { Fork } from '../model/forks.ts';
import { contentHash, shortHash } from '../model/hash.ts';
import type { TranscriptReader } from '../model/trace.ts';

export type TranscriptLine = Omit<FileLine, 'bytes'>;

export type TranscriptSource = {
  readonly kind: 'file' | 'archive';
  readLinesFrom(offset: number): Iterable<TranscriptLine>;
  /** Names what lies before the offset: another mark at the same offset means another file. */
  markAt(offset: number): string;
  hasMark(mark: string, offset: number): boolean;
  /** Bytes of a file. */
  size(): number;
  close(): void;
};

/** What an archive knows of one transcript. */
export type ArchivedTranscript = {
  /** How far the original was read when it was archived: bytes, lines, and its mark there. */
  readonly offset: number;
  readonly line: number;
  readonly mark: string;
  /** Where it was rewritten. */
  readonly forks: readonly Fork[];
  lines(): Iterable<string>;
};

/** Enough for the name and the time of a line, which stand at its ends; the cost of a mark is that of looking at each byte. */
const MARK_BYTES = 512;
/** Of the marks in stores that were made before. */
const OLDER_MARK_BYTES = 2_048;

/** `undefined`: there is no such file. What is in its place and is none (a folder, a pipe, whose opening waits for good) is no transcript. */
export function openTranscriptFile(file: string): TranscriptSource | undefined {
  let descriptor: number;
  try {
    if (!fs.statSync(file).isFile()) return undefined;
    descriptor = fs.openSync(file, 'r');
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return undefined;
    throw error;
  }
  return {
    kind: 'file',
    readLinesFrom: (offset) => readLinesFrom(descriptor, offset),
    markAt: (offset) => markOf(descriptor, offset),
    hasMark: (mark, offset) => mark === markOf(descriptor, offset) || mark === olderMarkOf(descriptor, offset),
    size: () => fs.fstatSync(descriptor).size,
    close: () => fs.closeSync(descriptor),
  };
}

export function archivedSource(archived: ArchivedTranscript): TranscriptSource {
  return {
    kind: 'archive',
    *readLinesFrom(offset) {
      let end = 0;
      for (const text of archived.lines()) if (++end > offset) yield { text, end };
    },
    markAt: () => archived.mark,
    hasMark: (mark) => mark === archived.mark,
    size: () => archived.offset,
    close: () => {},
  };
}

/** Over the first bytes and the last ones before the offset. Whoever rewrites a file does not try to go unnoticed. */
function markOf(descriptor: number, offset: number): string {
  return shortHash(endsOf(descriptor, offset, MARK_BYTES).toString('latin1'));
}

/** A cryptographic digest of more bytes: a transcript that was read by an older Cairn is not read anew. */
function olderMarkOf(descriptor: number, offset: number): string {
  return contentHash(endsOf(descriptor, offset, OLDER_MARK_BYTES)).slice(0, 16);
}

function endsOf(descriptor: number, offset: number, most: number): Buffer {
  const first = bytesAt(descriptor, 0, Math.min(most, offset));
  const last = bytesAt(descriptor, Math.max(0, offset - most), offset);
  const counts = [first, last].map(({ length }) => Buffer.from(String(length)));
  return Buffer.concat([first, counts[0]!, last, counts[1]!]);
}

function bytesAt(descriptor: number, from: number, to: number): Buffer {
  const bytes = Buffer.allocUnsafe(to - from);
  return bytes.subarray(0, fs.readSync(descriptor, bytes, 0, bytes.length, from));
}

const FIRST_LINES = 8;
const FIRST_LINE_LENGTH = 8_192;

/** What a reader knows its transcripts by. */
export function firstLinesOf(source: TranscriptSource): string[] {
  const firstLines: string[] = [];
  for (const { text } of source.readLinesFrom(0)) {
    firstLines.push(text.slice(0, FIRST_LINE_LENGTH));
    if (firstLines.length >= FIRST_LINES) break;
  }
  return firstLines;
}

/** Would anything be missed without the line that was read so? */
export const saysSomething = (read: ReturnType<TranscriptReader['read']>, before: unknown): boolean =>
  read.items.length > 0 || read.head !== undefined || read.state !== before;
