// Reads whole lines of a growing file from a byte offset on, block by block. A last line without its line break is left for
// next time: it may be half written.

import fs from 'node:fs';

export type FileLine = {
  readonly text: string;
  /** The byte behind its line break. */
  readonly end: number;
  /** It was too long, and is not in `text`. */
  readonly tooLong?: true;
};

const BLOCK_BYTES = 1024 * 1024;
const MAX_LINE_BYTES = 64 * 1024 * 1024;
const NEWLINE = 0x0a;

export function* linesFrom(
  descriptor: number,
  offset: number,
  options: { blockBytes?: number; maxLineBytes?: number } = {},
): Generator<FileLine> {
  const block = Buffer.allocUnsafe(options.blockBytes ?? BLOCK_BYTES);
  const most = options.maxLineBytes ?? MAX_LINE_BYTES;
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  for (let position = offset; ; ) {
    const count = fs.readSync(descriptor, block, 0, block.length, position);
    if (count === 0) return;
    let start = 0;
    for (let at = block.indexOf(NEWLINE); at !== -1 && at < count; at = block.indexOf(NEWLINE, start)) {
      const tooLong = pendingBytes + at - start > most;
      const bytes = tooLong
        ? undefined
        : pending.length > 0
          ? Buffer.concat([...pending, block.subarray(start, at)])
          : block.subarray(start, at);
      yield {
        text: bytes?.toString('utf8').replace(/\r$/, '') ?? '',
        end: position + at + 1,
        ...(tooLong ? { tooLong: true as const } : {}),
      };
      pending = [];
      pendingBytes = 0;
      start = at + 1;
      if (start >= count) break;
    }
    if (start < count) {
      pendingBytes += count - start;
      if (pendingBytes <= most) pending.push(Buffer.from(block.subarray(start, count)));
      else pending = [];
    }
    position += count;
  }
}
