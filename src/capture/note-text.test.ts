import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linksOf, tagsOf } from '../notes/links.ts';
import { sectionOf } from '../notes/note.ts';
import { cleanLine, cleanSection, codeBlock, insideSection, withoutColours } from './note-text.ts';
import { plainProse } from './summarise/prose.ts';

const pieces = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '[[',
        ']]',
        'a',
        '#',
        '#tag',
        ' ',
        '\n',
        '# ',
        '## ',
        '### ',
        '```',
        '~~~',
        '`',
        'related:: ',
        'supersedes::',
        '- ',
        '(',
        '\\',
        '|',
        'x::',
      ),
      fc.string({ maxLength: 5 }),
    ),
    { maxLength: 40 },
  )
  .map((all) => all.join(''));

describe('text of others in a note', () => {
  it('makes no links and no tags', () => {
    expect(plainProse('see [[x]] and #tag\nrelated:: y\n`[[code]]`')).toBe(
      'see \\[[x]] and \\#tag\nrelated\\:: y\n`\\[[code]]`',
    );
    expect(plainProse('[[[x]]')).toBe('\\[\\[[x]]');
    fc.assert(
      fc.property(pieces, (text) => {
        const plain = plainProse(text);
        expect({ links: linksOf(plain), tags: tagsOf(plain) }).toEqual({ links: [], tags: [] });
      }),
      { numRuns: 500 },
    );
  });

  it('stays inside its section, whatever headings it has', () => {
    expect(insideSection('# A\ntext\n## B\n```\n# code\n```')).toBe('### A\ntext\n### B\n```\n # code\n```');
    fc.assert(
      fc.property(pieces, (text) => {
        const inside = cleanSection(insideSection(text));
        const body = `\n# Title\n\n## Insight\n${inside}\n\n## Other\nend\n`;
        expect(sectionOf(body, 'Insight') ?? '').toBe(inside);
        expect(sectionOf(body, 'Other')).toBe('end');
      }),
      { numRuns: 500 },
    );
  });

  it('is not cleaned any further by cleaning it again', () => {
    fc.assert(
      fc.property(pieces, (text) => {
        expect(cleanSection(cleanSection(text))).toBe(cleanSection(text));
      }),
    );
  });

  it('cannot end a block of code that it stands in', () => {
    expect(codeBlock('a')).toBe('```\na\n```');
    expect(codeBlock('a\n```\n````\nb')).toBe('`````\na\n```\n````\nb\n`````');
  });

  it('loses secrets, private parts, colours and line breaks in a line', () => {
    expect(cleanLine('a\tb\n  c <private>d</private>', 50)).toBe('a b c');
    expect(cleanLine('x'.repeat(60), 10)).toBe(`${'x'.repeat(9)}…`);
    expect(cleanLine(`token ghp_${'a1B2'.repeat(9)}`, 100)).not.toContain('a1B2a1B2a1B2');
    expect(withoutColours('\u001b[31mred\u001b[0m \u001b]8;;http://x\u0007link\u001b]8;;\u0007')).toBe('red link');
  });
});
