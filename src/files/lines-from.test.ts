import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linesFrom } from './lines-from.ts';

let base: string;
beforeAll(() => {
  base = fs.mkdtempSync(path.join(os.tmpdir(), 'cairn-lines-'));
});
afterAll(() => fs.rmSync(base, { recursive: true, force: true }));

function read(text: string | Buffer, offset = 0, options = {}): { text: string; end: number; tooLong?: true }[] {
  const file = path.join(base, 'f');
  fs.writeFileSync(file, text);
  const descriptor = fs.openSync(file, 'r');
  try {
    return [...linesFrom(descriptor, offset, options)];
  } finally {
    fs.closeSync(descriptor);
  }
}

describe('reading lines', () => {
  it('gives whole lines and leaves the last one that has no end', () => {
    expect(read('a\nbb\r\nc').map((line) => [line.text, line.end])).toEqual([
      ['a', 2],
      ['bb', 6],
    ]);
  });

  it('equals splitting the text, whatever the size of the blocks', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '\n', 'é', '日', '😀', ' '), maxLength: 200 }),
        fc.integer({ min: 1, max: 17 }),
        (text, blockBytes) => {
          expect(read(text, 0, { blockBytes }).map((line) => line.text)).toEqual(text.split('\n').slice(0, -1));
        },
      ),
      { numRuns: 400 },
    );
  });

  it('goes on where it stopped', () => {
    const text = 'one\ntwo\nthree\n';
    const [first] = read(text);
    expect(read(text, first!.end).map((line) => line.text)).toEqual(['two', 'three']);
  });

  it('passes over a line that is too long, and knows it', () => {
    expect(read(`${'x'.repeat(50)}\nok\n`, 0, { blockBytes: 8, maxLineBytes: 20 })).toEqual([
      { text: '', end: 51, tooLong: true },
      { text: 'ok', end: 54 },
    ]);
  });
});
