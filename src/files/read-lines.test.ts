import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FileLine, readLinesFrom } from './read-lines.ts';

let base: string;
beforeAll(() => {
  base = fs.mkdtempSync(path.join(os.tmpdir(), 'cairn-lines-'));
});
afterAll(() => fs.rmSync(base, { recursive: true, force: true }));

type Options = { blockBytes?: number; maxLineBytes?: number };

function read(text: string | Buffer, offset = 0, options: Options = {}): FileLine[] {
  const file = path.join(base, 'f');
  fs.writeFileSync(file, text);
  const descriptor = fs.openSync(file, 'r');
  try {
    return [...readLinesFrom(descriptor, offset, options)];
  } finally {
    fs.closeSync(descriptor);
  }
}

const texts = (lines: readonly FileLine[]): string[] => lines.map((line) => line.text);

describe('reading lines', () => {
  it('gives whole lines and leaves the last one that has no end', () => {
    expect(read('a\nbb\r\nc').map((line) => [line.text, line.end])).toEqual([
      ['a', 2],
      ['bb', 6],
    ]);
  });

  it('gives nothing of an empty file, of a file without a line break, and behind the end', () => {
    expect(read('')).toEqual([]);
    expect(read('half a line')).toEqual([]);
    expect(read('one\n', 4)).toEqual([]);
    expect(read('one\n', 400)).toEqual([]);
  });

  it('keeps empty lines', () => {
    expect(texts(read('\n\r\n\na\n'))).toEqual(['', '', '', 'a']);
  });

  it('equals splitting the text, whatever the size of the blocks', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '\n', '\r', '\r\n', 'é', '日', '😀', ' ', '\u2028'), maxLength: 200 }),
        fc.integer({ min: 1, max: 17 }),
        (text, blockBytes) => {
          const expected = text
            .split('\n')
            .slice(0, -1)
            .map((line) => line.replace(/\r$/, ''));
          expect(texts(read(text, 0, { blockBytes }))).toEqual(expected);
        },
      ),
      { numRuns: 400 },
    );
  });

  it('gives the bytes of the text, and ends that lead on from line to line', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 120 }).map((bytes) => bytes.map((byte) => (byte % 5 === 0 ? 10 : byte))),
        fc.integer({ min: 1, max: 9 }),
        (bytes, blockBytes) => {
          const whole = Buffer.from(bytes);
          const lines = read(whole, 0, { blockBytes });
          for (const [index, line] of lines.entries()) {
            const start = index === 0 ? 0 : lines[index - 1]!.end;
            expect(line.text).toBe(line.bytes.toString('utf8'));
            expect(whole[line.end - 1]).toBe(10);
            expect(whole.subarray(start, line.end - 1).includes(10)).toBe(false);
          }
          expect(whole.subarray(lines.at(-1)?.end ?? 0).includes(10)).toBe(false);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('goes on where it stopped, at every line', () => {
    const text = 'one\nzwei – 二\r\n\nthree\nhalf';
    const lines = read(text);
    for (const [index, line] of lines.entries())
      expect(texts(read(text, line.end, { blockBytes: 3 }))).toEqual(texts(lines.slice(index + 1)));
  });

  it('gives the half line once it is written to its end', () => {
    expect(texts(read('one\ntw'))).toEqual(['one']);
    expect(texts(read('one\ntwo\n', 4))).toEqual(['two']);
  });

  it('keeps a character that lies across two blocks', () => {
    for (let blockBytes = 1; blockBytes < 12; blockBytes++)
      expect(texts(read('aé日😀z\n', 0, { blockBytes }))).toEqual(['aé日😀z']);
  });

  it('leaves a line what it was while others are read', () => {
    const lines = read('first\nsecond\nthird\n', 0, { blockBytes: 4 });
    expect(lines.map((line) => line.bytes.toString())).toEqual(['first', 'second', 'third']);
  });

  it('passes over a line that is too long, and knows it', () => {
    const lines = read(`${'x'.repeat(50)}\nok\n${'y'.repeat(21)}\n${'z'.repeat(20)}\n`, 0, {
      blockBytes: 8,
      maxLineBytes: 20,
    });
    expect(lines.map(({ text, end, tooLong }) => ({ text, end, tooLong }))).toEqual([
      { text: '', end: 51, tooLong: true },
      { text: 'ok', end: 54, tooLong: undefined },
      { text: '', end: 76, tooLong: true },
      { text: 'z'.repeat(20), end: 97, tooLong: undefined },
    ]);
  });

  it('leaves out the mark at the start of a file, and only there', () => {
    const mark = '\ufeff';
    expect(texts(read(`${mark}a\r\n${mark}b\n`, 0, { blockBytes: 2 }))).toEqual(['a', `${mark}b`]);
    expect(texts(read(`${mark}\n`))).toEqual(['']);
    expect(texts(read(`x${mark}a\n`, 1))).toEqual([`${mark}a`]);
  });

  it('reads bytes that are no text, too', () => {
    expect(texts(read(Buffer.from([0xff, 0xfe, 0x0a, 0xc3, 0x0a])))).toEqual(['\ufffd\ufffd', '\ufffd']);
  });
});
