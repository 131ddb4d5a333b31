// Reads the lines of a file from its end, block by block, so that the last messages of a huge transcript cost no more
// than those of a small one. Lines are cut at the byte `\n`, which no multi-byte character contains. One block is held
// at a time: of a longer line only its place is known, and it is read again by those who want it.

import fs from 'node:fs';

/** Good until the next line is asked for. */
export type TailLine = {
  /** Where the line begins in the file. */
  readonly offset: number;
  /** In bytes, without the line break. */
  readonly length: number;
  /** Its first bytes, at most `max`. */
  head(max: number): Buffer;
  /** The whole line without its line break. */
  bytes(): Buffer;
};

export type TailOptions = {
  readonly blockSize?: number;
  /** Longer lines are left out. */
  readonly maxLineBytes?: number;
};

const BLOCK_SIZE = 64 * 1024;
const MAX_LINE_BYTES = 8 * 1024 * 1024;
const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const NOTHING = Buffer.alloc(0);

/** The last line first. A file that ends with a line break yields an empty line first, as `split('\n')` would. */
export function* tailLines(descriptor: number, options: TailOptions = {}): Generator<TailLine, void, undefined> {
  const maxLineBytes = options.maxLineBytes ?? MAX_LINE_BYTES;
  const size = fs.fstatSync(descriptor).size;
  const block = Buffer.allocUnsafe(Math.min(Math.max(1, options.blockSize ?? BLOCK_SIZE), Math.max(1, size)));
  let blockStart = size;
  let blockEnd = size;
  let lineEnd = size;
  /** From the block if it is there, else from the file; a file that became shorter has nothing to give. */
  const read = (start: number, end: number): Buffer => {
    if (start >= blockStart && end <= blockEnd) return block.subarray(start - blockStart, end - blockStart);
    const bytes = Buffer.allocUnsafe(end - start);
    return fill(descriptor, bytes, start) ? bytes : NOTHING;
  };
  const lineFrom = (offset: number): TailLine => {
    const broken = lineEnd < size; // by a line break, and not by the end of the file
    const returns = broken && lineEnd > offset && read(lineEnd - 1, lineEnd)[0] === CARRIAGE_RETURN;
    const end = returns ? lineEnd - 1 : lineEnd;
    return {
      offset,
      length: end - offset,
      head: (max) => read(offset, Math.min(end, offset + max)),
      bytes: () => read(offset, end),
    };
  };
  while (blockStart > 0) {
    blockEnd = blockStart;
    blockStart = Math.max(0, blockEnd - block.length);
    if (!fill(descriptor, block.subarray(0, blockEnd - blockStart), blockStart)) return;
    for (let at = blockEnd; at > blockStart; ) {
      const found = block.lastIndexOf(NEWLINE, at - blockStart - 1);
      if (found === -1) break;
      at = blockStart + found;
      if (lineEnd - at - 1 <= maxLineBytes) yield lineFrom(at + 1);
      lineEnd = at;
    }
  }
  if (lineEnd <= maxLineBytes) yield lineFrom(0);
}

function fill(descriptor: number, bytes: Buffer, position: number): boolean {
  for (let filled = 0; filled < bytes.length; ) {
    const count = fs.readSync(descriptor, bytes, filled, bytes.length - filled, position + filled);
    if (count === 0) return false;
    filled += count;
  }
  return true;
}
