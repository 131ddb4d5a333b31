// Bytes that are read when they are needed, a page at a time. A question needs a few pages of a graph of many megabytes, and reading
// all of them would take longer than answering it.

/** Fills the buffer from this position on; throws if the bytes are not there. */
export type ReadAt = (buffer: Uint8Array, position: number) => void;

const PAGE = 16 * 1024;
const NEWLINE = 10;

export class PagedBytes {
  readonly length: number;
  readonly #readAt: ReadAt;
  readonly #pages: Buffer[] = [];
  #whole: Buffer | undefined;

  private constructor(length: number, readAt: ReadAt, whole?: Buffer) {
    this.length = length;
    this.#readAt = readAt;
    this.#whole = whole;
  }

  static of(bytes: Buffer): PagedBytes {
    return new PagedBytes(bytes.length, () => undefined, bytes);
  }

  static from(length: number, readAt: ReadAt): PagedBytes {
    return new PagedBytes(length, readAt);
  }

  /** These pieces one behind the other, without joining them. */
  static joined(pieces: readonly Buffer[]): PagedBytes {
    const ends: number[] = [];
    let length = 0;
    for (const piece of pieces) {
      length += piece.length;
      ends.push(length);
    }
    return new PagedBytes(length, (buffer, position) => {
      let filled = 0;
      for (let at = firstBehind(ends, position); filled < buffer.length; at++) {
        const piece = pieces[at]!;
        const from = position + filled - (ends[at]! - piece.length);
        filled += piece.copy(buffer, filled, from);
      }
    });
  }

  /** All of them; they stay in memory from then on. */
  get whole(): Buffer {
    this.#whole ??= this.#read(0, this.length);
    return this.#whole;
  }

  slice(start: number, end: number): Buffer {
    if (this.#whole) return this.#whole.subarray(start, end);
    const page = Math.floor(start / PAGE);
    if (end <= (page + 1) * PAGE) return this.#page(page).subarray(start - page * PAGE, end - page * PAGE);
    return this.#read(start, end);
  }

  text(start: number, end: number): string {
    return this.slice(start, end).toString('utf8');
  }

  /** Where the line begins that holds this position, not before `low`. */
  lineStart(position: number, low: number): number {
    for (let at = position; at > low; ) {
      const { bytes, start } = this.#around(at - 1);
      const found = bytes.lastIndexOf(NEWLINE, at - 1 - start);
      if (found !== -1) return Math.max(low, start + found + 1);
      at = start;
    }
    return low;
  }

  /** Behind the end of the line that holds this position. */
  lineEnd(position: number): number {
    for (let at = position; at < this.length; ) {
      const { bytes, start } = this.#around(at);
      const found = bytes.indexOf(NEWLINE, at - start);
      if (found !== -1) return start + found + 1;
      at = start + bytes.length;
    }
    return this.length;
  }

  #around(position: number): { bytes: Buffer; start: number } {
    if (this.#whole) return { bytes: this.#whole, start: 0 };
    const page = Math.floor(position / PAGE);
    return { bytes: this.#page(page), start: page * PAGE };
  }

  #page(number: number): Buffer {
    const known = this.#pages[number];
    if (known) return known;
    const page = this.#read(number * PAGE, Math.min(this.length, (number + 1) * PAGE));
    this.#pages[number] = page;
    return page;
  }

  #read(start: number, end: number): Buffer {
    const bytes = Buffer.allocUnsafe(Math.max(0, end - start));
    this.#readAt(bytes, start);
    return bytes;
  }
}

/** The first of these ascending numbers that is greater. */
function firstBehind(ends: readonly number[], position: number): number {
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ends[middle]! <= position) low = middle + 1;
    else high = middle;
  }
  return low;
}
