// Reads the lines of a file from its end, block by block, so that the last messages of a huge transcript cost no more
// than those of a small one. Lines are cut at the byte `\n`, which no multi-byte character contains.

import fs from 'node:fs';

export type TailLine = {
  /** Without its line break. It may share memory with the block that was read: use it before asking for the next. */
  readonly bytes: Buffer;
  /** Where the line begins in the file. */
  readonly offset: number;
};

export type TailOptions = {
  readonly blockSize?: number;
  /** Longer lines are left out, without ever being held in memory as a whole. */
  readonly maxLineBytes?: number;
};

const BLOCK_SIZE = 64 * 1024;
const MAX_LINE_BYTES = 8 * 1024 * 1024;
const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** The last line first. A file that ends with a line break yields an empty line first, as `split('\n')` would. */
export function* tailLines(descriptor: number, options: TailOptions = {}): Generator<TailLine, void, undefined> {
  const blockSize = Math.max(1, options.blockSize ?? BLOCK_SIZE);
  const maxLineBytes = options.maxLineBytes ?? MAX_LINE_BYTES;
  let end = fs.fstatSync(descriptor).size;
  let tail: Buffer[] = []; // what is known of the line that began in an earlier block, its last part first
  let tailSize = 0;
  let broken = false; // by a line break, which stands right behind `tail`
  const keep = (part: Buffer): void => {
    tailSize += part.length;
    if (tailSize > maxLineBytes) tail = [];
    else if (part.length > 0) tail.push(part);
  };
  const take = (offset: number): TailLine | undefined => {
    const bytes = tail.length === 1 ? tail[0]! : Buffer.concat(tail.reverse());
    const line = tailSize > maxLineBytes ? undefined : { bytes: broken ? withoutReturn(bytes) : bytes, offset };
    tail = [];
    tailSize = 0;
    broken = true;
    return line;
  };
  while (end > 0) {
    const start = Math.max(0, end - blockSize);
    const block = readBlock(descriptor, start, end - start);
    if (!block) return; // the file became shorter while it was read
    let lineEnd = block.length;
    for (let at = lastNewline(block, lineEnd); at !== -1; at = lastNewline(block, lineEnd)) {
      keep(block.subarray(at + 1, lineEnd));
      const line = take(start + at + 1);
      if (line) yield line;
      lineEnd = at;
    }
    keep(block.subarray(0, lineEnd));
    end = start;
  }
  const first = take(0);
  if (first) yield first;
}

function lastNewline(block: Buffer, end: number): number {
  return end === 0 ? -1 : block.lastIndexOf(NEWLINE, end - 1);
}

function withoutReturn(bytes: Buffer): Buffer {
  return bytes.at(-1) === CARRIAGE_RETURN ? bytes.subarray(0, -1) : bytes;
}

function readBlock(descriptor: number, position: number, length: number): Buffer | undefined {
  const block = Buffer.allocUnsafe(length);
  for (let filled = 0; filled < length; ) {
    const count = fs.readSync(descriptor, block, filled, length - filled, position + filled);
    if (count === 0) return undefined;
    filled += count;
  }
  return block;
}
