// Which committed line a line on disk is.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { committedLine, linesOf } from './line-mapping.ts';

const then = ['a', 'b', 'c', 'd'];

it.each([
  ['the same file', ['a', 'b', 'c', 'd'], [1, 2, 3, 4]],
  ['a line more above', ['x', 'a', 'b', 'c', 'd'], [undefined, 1, 2, 3, 4]],
  ['a line changed', ['a', 'B', 'c', 'd'], [1, undefined, 3, 4]],
  ['a line gone', ['a', 'c', 'd'], [1, 3, 4]],
  ['changed above and below', ['x', 'b', 'c', 'y'], [undefined, 2, 3, undefined]],
  ['nothing of it left', ['x'], [undefined]],
])('%s', (_, now, expected) => {
  expect(now.map((__, at) => committedLine(now, then, at + 1))).toEqual(expected);
});

it('finds a line with the same words, in order, whatever was changed', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 });
  fc.assert(
    fc.property(text, text, (now, before) => {
      const found = now.map((_, at) => committedLine(now, before, at + 1));
      const places = found.filter((line) => line !== undefined);
      expect(places).toEqual([...new Set(places)].sort((a, b) => a - b));
      for (const [at, line] of found.entries()) if (line !== undefined) expect(before[line - 1]).toBe(now[at]);
    }),
  );
});

it('splits lines as editors count them', () => {
  expect(linesOf('a\r\nb\n')).toEqual(['a', 'b']);
  expect(linesOf('a\n\n')).toEqual(['a', '']);
  expect(linesOf('')).toEqual([]);
});
