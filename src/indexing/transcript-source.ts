// Where the lines of a transcript come from: the file itself, or Cairn's archive of it once the client has deleted the file.
// Both give lines from a position on; an archive counts positions in lines, because the bytes of the original are gone.

import { hash } from 'node:crypto';
import fs from 'node:fs';
import { isSystemError } from '../errors.ts';
import { type FileLine, linesFrom } from '../files/lines-from.ts';
import type { TranscriptReader } from '../traces/trace.ts';

/** Lines of an archive come as text, those of a file as bytes that know their text. */
export type TranscriptLine = Omit<FileLine, 'bytes'> & { readonly bytes?: Buffer };

export type TranscriptSource = {
  readonly kind: 'file' | 'archive';
  linesFrom(offset: number): Iterable<TranscriptLine>;
  /** Names what lies before the offset: another mark at the same offset means another file. */
  markAt(offset: number): string;
  close(): void;
};

/** What an archive knows of one transcript. */
export type ArchivedTranscript = {
  /** How far the original was read when it was archived: bytes, lines, and its mark there. */
  readonly offset: number;
  readonly line: number;
  readonly mark: string;
  lines(): Iterable<string>;
};

const MARK_BYTES = 2_048;

/** `undefined`: there is no such file. */
export function openTranscriptFile(file: string): TranscriptSource | undefined {
  let descriptor: number;
  try {
    descriptor = fs.openSync(file, 'r');
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return undefined;
    throw error;
  }
  return {
    kind: 'file',
    linesFrom: (offset) => linesFrom(descriptor, offset),
    markAt: (offset) => markOf(descriptor, offset),
    close: () => fs.closeSync(descriptor),
  };
}

export function archivedSource(archived: ArchivedTranscript): TranscriptSource {
  return {
    kind: 'archive',
    *linesFrom(offset) {
      let end = 0;
      for (const text of archived.lines()) if (++end > offset) yield { text, end };
    },
    markAt: () => archived.mark,
    close: () => {},
  };
}

/** Over the first bytes and the last ones before the offset. */
function markOf(descriptor: number, offset: number): string {
  const first = bytesAt(descriptor, 0, Math.min(MARK_BYTES, offset));
  const last = bytesAt(descriptor, Math.max(0, offset - MARK_BYTES), offset);
  const counts = [first, last].map(({ length }) => Buffer.from(String(length)));
  return hash('sha256', Buffer.concat([first, counts[0]!, last, counts[1]!]), 'hex').slice(0, 16);
}

function bytesAt(descriptor: number, from: number, to: number): Buffer {
  const bytes = Buffer.allocUnsafe(to - from);
  return bytes.subarray(0, fs.readSync(descriptor, bytes, 0, bytes.length, from));
}

/** Would anything be missed without the line that was read so? */
export const saysSomething = (read: ReturnType<TranscriptReader['read']>, before: unknown): boolean =>
  read.items.length > 0 || read.head !== undefined || read.state !== before;
