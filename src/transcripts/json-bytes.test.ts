import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BROKEN, beginsWith, overBlanks, overList, overObject, overValue, shortString } from './json-bytes.ts';

const over = (text: string): number => overValue(Buffer.from(text), 0);

describe('walking over JSON', () => {
  it('comes out behind any value that JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
        const bytes = Buffer.from(JSON.stringify(value, null, indent));
        expect(overValue(bytes, 0)).toBe(bytes.length);
      }),
      { numRuns: 500 },
    );
  });

  it('finds the end of strings, short and long, whatever is escaped in them', () => {
    const piece = fc.constantFrom('a', '\\', '"', 'é', '\n', '\\"', 'x'.repeat(30));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = JSON.stringify(pieces.join(''));
        const bytes = Buffer.from(`${text},"next"`);
        expect(overValue(bytes, 0)).toBe(Buffer.byteLength(text));
      }),
      { numRuns: 500 },
    );
  });

  it('visits the fields that were asked for, in order, and no others', () => {
    const bytes = Buffer.from(' { "a" : [1, {"b": 2}] , "b":{"a":3},"ä":"x", "a":null } ');
    const visited: [number, string][] = [];
    const end = overObject(bytes, overBlanks(bytes, 0), ['a', 'b'], (field, at) => {
      const after = overValue(bytes, at);
      visited.push([field, bytes.toString('utf8', at, after)]);
      return after;
    });
    expect(visited).toEqual([
      [0, '[1, {"b": 2}]'],
      [1, '{"a":3}'],
      [0, 'null'],
    ]);
    expect(overBlanks(bytes, end)).toBe(bytes.length);
  });

  it('visits the elements of a list', () => {
    const bytes = Buffer.from('[ 1 , "two" ,[3] ]');
    const seen: string[] = [];
    const end = overList(bytes, 0, (at) => {
      const after = overValue(bytes, at);
      seen.push(bytes.toString('utf8', at, after));
      return after;
    });
    expect([seen, end]).toEqual([['1', '"two"', '[3]'], bytes.length]);
    expect(overList(Buffer.from('[]'), 0, () => BROKEN)).toBe(2);
  });

  it('says that it is broken where it is broken', () => {
    for (const text of ['"open', '{"a":1', '[1,2', '', ',', '"ends in an escape\\'])
      expect(over(text), text).toBe(BROKEN);
    const visit = (text: string): number => {
      const bytes = Buffer.from(text);
      return overObject(bytes, 0, ['a'], (_, at) => overValue(bytes, at));
    };
    for (const text of ['{', '{"a"}', '{"a" 1}', '{"a":}', '{"a":1,}', '{a:1}', '{"a":1 "b":2}', '{"\\u0061":1}', '[]'])
      expect(visit(text), text).toBe(BROKEN);
    expect(visit('{}')).toBe(2);
  });

  it('gives short plain strings and leaves the rest open', () => {
    const short = (text: string): string | undefined => shortString(Buffer.from(text), 0);
    expect(short('"user"')).toBe('user');
    expect(short('""')).toBe('');
    for (const text of ['"us\\u0065r"', '"é"', '12', '"open', JSON.stringify('x'.repeat(65))])
      expect(short(text), text).toBeUndefined();
  });

  it('tells how a string begins, unless an escape hides it', () => {
    expect(beginsWith(Buffer.from('"The end"'), 0, 'The')).toBe(true);
    expect(beginsWith(Buffer.from('"Then"'), 0, 'The ')).toBe(false);
    expect(beginsWith(Buffer.from('"Th'), 0, 'The')).toBe(false);
    expect(beginsWith(Buffer.from('"Th\\u0065"'), 0, 'The')).toBeUndefined();
  });

  it('never throws, and never comes out behind the end', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('"', '\\', '{', '}', '[', ']', ',', ':', 'a', ' '), maxLength: 60 }),
        (text) => {
          const bytes = Buffer.from(text);
          expect(overValue(bytes, 0)).toBeLessThanOrEqual(bytes.length);
          expect(overObject(bytes, 0, ['a'], (_, at) => overValue(bytes, at))).toBeLessThanOrEqual(bytes.length);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
