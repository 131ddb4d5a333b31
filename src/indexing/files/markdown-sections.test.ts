import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sectionsOf } from './markdown-sections.ts';

const brief = (markdown: string): unknown[] =>
  sectionsOf(markdown).map(({ slug, title, above, text, line }) => [slug, title, above.join('/'), text, line]);

it('a file is cut at its headings, each with what it stands under', () => {
  expect(brief('before\n# One\n\ntext\n## Two ##\nmore\n# Three\n\n## Two\nlast\n')).toEqual([
    ['top', '', '', 'before', 1],
    ['one', 'One', '', 'text', 2],
    ['two', 'Two', 'One', 'more', 5],
    ['two-2', 'Two', 'Three', 'last', 9],
  ]);
});

it('headings in code are code, and sections without words are left out', () => {
  expect(brief('# A\n```sh\n# not a heading\n```\n~~~\n# nor this\n```\n~~~\n# B\n\n#no heading')).toEqual([
    ['a', 'A', '', '```sh\n# not a heading\n```\n~~~\n# nor this\n```\n~~~', 1],
    ['b', 'B', '', '#no heading', 9],
  ]);
  expect(brief('')).toEqual([]);
  expect(brief('# Only\n\n')).toEqual([]);
});

it('a long section is cut at a blank line', () => {
  const paragraph = 'word '.repeat(800);
  const parts = sectionsOf(`# Long\n${[paragraph, paragraph, paragraph].join('\n\n')}`);
  expect(parts.map((part) => part.slug)).toEqual(['long', 'long-2']);
  expect(parts[1]!.line).toBe(6);
});

it('whatever the text is, slugs are unique and no word outside headings is lost', () => {
  const line = fc.oneof(fc.constantFrom('# a', '## b', '```', '~~~', '', '####'), fc.string({ maxLength: 20 }));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 60 }), (lines) => {
      const sections = sectionsOf(lines.join('\n'));
      expect(new Set(sections.map((section) => section.slug)).size).toBe(sections.length);
      expect(sections.every((section) => section.text.trim() !== '')).toBe(true);
    }),
  );
});
