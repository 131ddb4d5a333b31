import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TailOptions, tailLines } from './tail-lines.ts';

let folder: string;
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cairn-tail-'));
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

function linesOf(content: string | Buffer, options?: TailOptions, limit = Number.POSITIVE_INFINITY) {
  const file = path.join(folder, 'lines');
  fs.writeFileSync(file, content);
  const descriptor = fs.openSync(file, 'r');
  try {
    const lines: { text: string; offset: number }[] = [];
    for (const line of tailLines(descriptor, options)) {
      const bytes = line.bytes();
      expect(line.length).toBe(bytes.length);
      expect(bytes.subarray(0, line.head(5).length)).toEqual(line.head(5));
      lines.push({ text: bytes.toString('utf8'), offset: line.offset });
      if (lines.length >= limit) break;
    }
    return lines;
  } finally {
    fs.closeSync(descriptor);
  }
}
const textsOf = (content: string | Buffer, options?: TailOptions) => linesOf(content, options).map(({ text }) => text);

describe('tailLines', () => {
  it('equals splitting the whole file, whatever the block size and the characters', () => {
    const piece = fc.oneof(
      fc.constant('\n'),
      fc.constant('\r\n'),
      fc.constant('\r'),
      fc.constant('日本語🙂'),
      fc.string({ maxLength: 9 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.integer({ min: 1, max: 40 }), (pieces, blockSize) => {
        const content = Buffer.from(pieces.join(''), 'utf8').toString('utf8');
        expect(textsOf(content, { blockSize })).toEqual(content.split(/\r?\n/).reverse());
      }),
      { numRuns: 500 },
    );
  });

  it('says where each line begins', () => {
    const content = 'é\r\n\nzwei\nthree';
    const bytes = Buffer.from(content);
    for (const { text, offset } of linesOf(content, { blockSize: 3 }))
      expect(bytes.subarray(offset, offset + Buffer.byteLength(text)).toString()).toBe(text);
    expect(linesOf(content).map(({ offset }) => offset)).toEqual([10, 5, 4, 0]);
  });

  it('has one empty line for an empty file', () => {
    expect(textsOf('')).toEqual(['']);
  });

  it('keeps a carriage return that ends no line', () => {
    expect(textsOf('a\rb\r')).toEqual(['a\rb\r']);
  });

  it('leaves out lines that are too long and goes on before them', () => {
    const long = 'x'.repeat(1_000);
    for (const blockSize of [1, 7, 64, 5_000])
      expect(textsOf(`first\n${long}\nlast\n`, { blockSize, maxLineBytes: 100 })).toEqual(['', 'last', 'first']);
    expect(textsOf(long, { blockSize: 64, maxLineBytes: 100 })).toEqual([]);
    expect(textsOf(`${long}\nlast`, { blockSize: 64, maxLineBytes: 1_000 })).toEqual(['last', long]);
  });

  it('reads only the end of a large file when only the end is asked for', () => {
    const file = path.join(folder, 'large');
    const descriptor = fs.openSync(file, 'w+');
    try {
      // A sparse file of 60 MB: one line of NULs, never looked at.
      fs.writeSync(descriptor, '\nlast but one\nlast', 60 * 1024 * 1024);
      const reader = tailLines(descriptor);
      expect(reader.next().value?.bytes().toString()).toBe('last');
      expect(reader.next().value?.bytes().toString()).toBe('last but one');
    } finally {
      fs.closeSync(descriptor);
    }
  });

  it('ends when the file becomes shorter while it is read', () => {
    const file = path.join(folder, 'shrinking');
    fs.writeFileSync(file, 'abc\n'.repeat(100));
    const descriptor = fs.openSync(file, 'r+');
    try {
      const reader = tailLines(descriptor, { blockSize: 8 });
      reader.next();
      fs.ftruncateSync(descriptor, 0);
      expect([...reader].length).toBeLessThan(3);
    } finally {
      fs.closeSync(descriptor);
    }
  });
});
