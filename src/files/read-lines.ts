// Reads whole lines of a growing file from a byte offset on, block by block. A last line without its line break is left for
// next time: it may be half written. Lines are bytes until somebody asks for their text: of most lines of a transcript
// nobody does, and decoding them would cost more than reading them.

import fs from 'node:fs';

export type FileLine = {
  /** Without its line break; empty if the line was too long. Keeping it keeps the block it was read in. */
  readonly bytes: Buffer;
  /** The same as text, decoded when it is asked for. */
  readonly text: string;
  /** The byte behind its line break. */
  readonly end: number;
  /** It was too long, and is not in `text`. */
  readonly tooLong?: true;
};

const BLOCK_BYTES = 1024 * 1024;
/** Whoever looks at the first lines only, to see what a file is, reads no more than this. */
const FIRST_BLOCK_BYTES = 64 * 1024;
const MAX_LINE_BYTES = 64 * 1024 * 1024;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf] as const;
const NOTHING = Buffer.alloc(0);

class Line implements FileLine {
  readonly bytes: Buffer;
  readonly end: number;
  readonly tooLong?: true;
  #text: string | undefined;

  constructor(bytes: Buffer | undefined, end: number) {
    this.bytes = bytes ?? NOTHING;
    this.end = end;
    if (bytes === undefined) this.tooLong = true;
  }

  get text(): string {
    this.#text ??= this.bytes.toString('utf8');
    return this.#text;
  }
}

/**
 * A block is never used twice, so that lines stay what they are however long they are kept. A line that is longer than a
 * block is put together once, at its end; one that is longer than `maxLineBytes` is passed over and not held in memory.
 */
export function* readLinesFrom(
  descriptor: number,
  offset: number,
  options: { blockBytes?: number; maxLineBytes?: number } = {},
): Generator<FileLine> {
  const size = options.blockBytes ?? BLOCK_BYTES;
  const most = options.maxLineBytes ?? MAX_LINE_BYTES;
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let first = offset === 0;
  // As it is now: what comes later is for the next time. Most files are smaller than a block, and memory is dear too.
  const end = fs.fstatSync(descriptor).size;
  for (let position = offset; position < end; ) {
    const wanted = position === offset ? Math.min(FIRST_BLOCK_BYTES, size) : size;
    const memory = Buffer.allocUnsafeSlow(Math.min(wanted, end - position));
    const count = fs.readSync(descriptor, memory, 0, memory.length, position);
    if (count === 0) return;
    const block = memory.subarray(0, count);
    let start = 0;
    for (let at = block.indexOf(NEWLINE); at !== -1; at = block.indexOf(NEWLINE, start)) {
      const tooLong = pendingBytes + at - start > most;
      const rest = block.subarray(start, at);
      const bytes = tooLong ? undefined : pending.length > 0 ? Buffer.concat([...pending, rest]) : rest;
      yield new Line(bytes && trimmed(bytes, first), position + at + 1);
      pending = [];
      pendingBytes = 0;
      first = false;
      start = at + 1;
    }
    if (start < count) {
      pendingBytes += count - start;
      if (pendingBytes <= most) pending.push(block.subarray(start));
      else pending = [];
    }
    position += count;
  }
}

/** Without the second half of a Windows line break, and without the mark that some programs begin a file with. */
function trimmed(bytes: Buffer, first: boolean): Buffer {
  const marked = first && BYTE_ORDER_MARK.every((byte, index) => bytes[index] === byte);
  const to = bytes[bytes.length - 1] === RETURN ? bytes.length - 1 : bytes.length;
  return marked || to < bytes.length ? bytes.subarray(marked ? BYTE_ORDER_MARK.length : 0, to) : bytes;
}
