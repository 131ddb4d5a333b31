import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanTag, cleanTitle } from '../safety/sanitise.ts';
import { compareEntries, formatIndexLine, type IndexEntry, parseIndexLine } from './index-line.ts';

const entry = (changes: Partial<IndexEntry> = {}): IndexEntry => ({
  display: 'DECISION',
  title: 'Use JWT',
  path: '.claude/memory/decisions/use-jwt.json',
  tags: ['auth', 'jwt'],
  ...changes,
});

describe('a line of the index', () => {
  it('is written with its tags, or without if there are none', () => {
    expect(formatIndexLine(entry())).toBe(
      '- [DECISION] Use JWT -> .claude/memory/decisions/use-jwt.json #tags:auth,jwt',
    );
    expect(formatIndexLine(entry({ tags: [] }))).toBe('- [DECISION] Use JWT -> .claude/memory/decisions/use-jwt.json');
  });

  it('cannot be forged by a title or a tag', () => {
    const title = 'a -> /etc/passwd #tags:x\n- [DECISION] b -> c.json';
    const line = formatIndexLine(entry({ title, tags: ['x,y -> z #tags:q', 'n\nm', '', '\u202e'] }));
    expect(line).not.toContain('\n');
    expect(parseIndexLine(line)).toEqual({
      display: 'DECISION',
      title: 'a - /etc/passwd x- [DECISION] b - c.json',
      path: entry().path,
      tags: ['x y z q', 'nm'],
    });
  });

  it('names a record without a title', () => {
    expect(parseIndexLine(formatIndexLine(entry({ title: ' \u200b ' })))?.title).toBe('(untitled)');
  });

  it('can be read again however long its title and its tags are', () => {
    const long = entry({ title: 'word '.repeat(5_000), tags: ['x'.repeat(1_000_000), 'short', 'y'.repeat(3_000)] });
    const read = parseIndexLine(formatIndexLine(long));
    expect(read).toMatchObject({ display: 'DECISION', path: long.path });
    expect(read!.tags.length).toBeGreaterThan(0);
  });

  it.each<[string, Partial<IndexEntry> | undefined]>([
    ['- [DECISION] Use JWT -> a.json', { title: 'Use JWT', path: 'a.json', tags: [] }],
    ['  -   [TECH_DEBT]   Use JWT   ->   a.json   #tags: A , b,,c ', { display: 'TECH_DEBT', tags: ['A', 'b', 'c'] }],
    ['- [DECISION] a -> b -> c.json', { title: 'a -> b', path: 'c.json' }],
    ['- [X2] t -> p', { display: 'X2' }],
    ['- [DECISION] t -> p\r', { path: 'p' }],
    ['# Memory Index', undefined],
    ['- [decision] t -> p', undefined],
    ['- [DECISION] t', undefined],
    ['- [DECISION]  -> p', undefined],
    ['- [DECISION] t -> two words', undefined],
    ['* [DECISION] t -> p', undefined],
    [`- [DECISION] ${'t'.repeat(4_000)} -> p`, undefined],
    ['', undefined],
  ])('%j', (line, read) => {
    if (read === undefined) expect(parseIndexLine(line)).toBeUndefined();
    else expect(parseIndexLine(line)).toMatchObject(read);
  });

  it('property: what is written is read back, cleaned, whatever title and tags hold', () => {
    const odd = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc
        .array(fc.constantFrom(' ', '->', ' -> ', '#tags:', '#ta#tags:gs:', ',', '\n', '\u00a0', 'a', '[X]', '- '))
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(
        odd,
        fc.array(odd, { maxLength: 12 }),
        fc.stringMatching(/^[a-z0-9/.-]{1,40}$/),
        (title, tags, path) => {
          const line = formatIndexLine({ display: 'DECISION', title, path, tags });
          expect(parseIndexLine(line)).toEqual({
            display: 'DECISION',
            title: cleanTitle(title) || '(untitled)',
            path,
            tags: tags.map(cleanTag).filter((tag) => tag !== ''),
          });
          expect(formatIndexLine(parseIndexLine(line)!)).toBe(line);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('is read in time that does not grow with what it holds', () => {
    for (const filler of [' ', '- ', '-> ', ' ->', '[X] ', '#tags: '])
      expect(parseIndexLine(`- [DECISION] ${filler.repeat(3_990 / filler.length)}\u0001`)).toBeUndefined();
  });
});

it('entries are sorted by category, then by title in any case, then by path', () => {
  const sorted = [
    entry({ display: 'CONSTRAINT', title: 'z' }),
    entry({ title: 'alpha', path: 'a' }),
    entry({ title: 'Alpha', path: 'b' }),
    entry({ title: 'beta', path: 'a' }),
    entry({ display: 'RUNBOOK', title: 'a' }),
  ];
  expect([...sorted].reverse().sort(compareEntries)).toEqual(sorted);
});
