// The parts of the page that read texts: Markdown from an allow-list, differences, three-way merges, marked words and quotations.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeDraft } from '../../viewer/src/memory/drafts.ts';
import { wordDiff } from '../../viewer/src/memory/word-diff.ts';
import { blocksOf, type MarkdownBlock } from '../../viewer/src/parts/markdown-blocks.ts';
import { isMatch, pieces, snippet } from '../../viewer/src/parts/match-words.ts';
import { placeOf } from '../../viewer/src/timeline/quotation.ts';

const lines = fc.array(
  fc.oneof(
    fc.constantFrom(
      '# Head',
      '- one',
      '  - two',
      '1. first',
      '> said',
      '```',
      '| a | b |',
      '|---|---|',
      '',
      'plain *text*',
      '    deep',
    ),
    fc.string({ maxLength: 30 }),
  ),
  { maxLength: 30 },
);

const saidIn = (block: MarkdownBlock): string => {
  if (block.type === 'list') return block.items.flat().map(saidIn).join(' ');
  if (block.type === 'quote') return block.blocks.map(saidIn).join(' ');
  if (block.type === 'table') return block.rows.flat().join(' ');
  return block.text;
};
const letters = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '');

describe('Markdown', () => {
  it('loses no word, whatever stands in it', () => {
    fc.assert(
      fc.property(lines, (text) => {
        const shown = letters(blocksOf(text).map(saidIn).join(' '));
        // The number of an item, and the language behind a fence, are signs and no words.
        const said = letters(
          text
            .filter((line) => !/^\s{0,3}(?:```|~~~)/.test(line))
            .map((line) => line.replace(/^\s*(?:>\s?)*\s*(?:\d{1,4}[.)]\s)?/, ''))
            .join(' '),
        );
        for (const letter of new Set(said)) expect(shown.includes(letter) || /\d/.test(letter)).toBe(true);
      }),
    );
  });

  it('knows headings, lists in lists, quotations, code and tables', () => {
    const blocks = blocksOf([
      '## Why',
      'because',
      '',
      '- one',
      '  - inner',
      '- two',
      '',
      '> said',
      '',
      '```ts',
      'let a;',
      '```',
      '',
      '| a | b |',
      '|---|---|',
      '| 1 | 2 |',
    ]);
    expect(blocks.map(({ type }) => type)).toEqual(['heading', 'text', 'list', 'quote', 'code', 'table']);
    expect(blocks[2]).toMatchObject({ items: [[{ type: 'text' }, { type: 'list' }], [{ type: 'text' }]] });
    expect(blocks[5]).toMatchObject({
      rows: [
        ['a', 'b'],
        ['1', '2'],
      ],
    });
  });
});

describe('a difference', () => {
  it('has both texts in it', () => {
    fc.assert(
      fc.property(fc.lorem({ maxCount: 12 }), fc.lorem({ maxCount: 12 }), (before, after) => {
        const found = wordDiff(before, after);
        const side = (not: string) =>
          found
            .filter(({ how }) => how !== not)
            .map(({ text }) => text)
            .join('');
        expect(side('new')).toBe(before);
        expect(side('gone')).toBe(after);
      }),
    );
  });

  it('names the one word that changed', () => {
    expect(wordDiff('It lasts five minutes.', 'It lasts ten minutes.')).toEqual([
      { how: 'same', text: 'It lasts ' },
      { how: 'gone', text: 'five' },
      { how: 'new', text: 'ten' },
      { how: 'same', text: ' minutes.' },
    ]);
  });
});

describe('an edit of a file that changed', () => {
  const start = { title: 'A', tags: ['x'], content: { why: 'old', how: 'old' } };
  const draft = (values: typeof start) => ({ version: '1', start, values });
  const now = (values: typeof start) => ({ version: '2', start: values, values });

  it('takes what only one side changed, and asks for what both did', () => {
    const { draft: merged, conflicts } = mergeDraft(
      draft({ ...start, content: { why: 'mine', how: 'old' } }),
      now({ ...start, title: 'B', content: { why: 'theirs', how: 'new' } }),
    );
    expect(merged).toMatchObject({ version: '2', values: { title: 'B', content: { why: 'mine', how: 'new' } } });
    expect(conflicts).toEqual([{ path: 'content.why', base: 'old', mine: 'mine', theirs: 'theirs' }]);
  });

  it('has no conflict where nobody else changed the same', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (mine, theirs) => {
        const { draft: merged, conflicts } = mergeDraft(
          draft({ ...start, title: mine }),
          now({ ...start, content: { why: theirs, how: 'old' } }),
        );
        expect(conflicts).toEqual([]);
        expect(merged.values).toMatchObject({ title: mine, content: { why: theirs } });
      }),
    );
  });
});

describe('the words of a question', () => {
  it('are found in other forms, and not in other words', () => {
    expect(['decided', 'decides', 'decide'].every((word) => isMatch(word, ['decide']))).toBe(true);
    expect(['deep', 'decimal', 'in'].some((word) => isMatch(word, ['decide', 'in the']))).toBe(false);
    expect(isMatch('Redis', ['redis'])).toBe(true);
  });

  it('leave the text as it is', () => {
    fc.assert(
      fc.property(fc.lorem({ maxCount: 20 }), fc.lorem({ maxCount: 3 }), (text, terms) => {
        expect(
          pieces(text, terms.split(' '))
            .map(({ text: piece }) => piece)
            .join(''),
        ).toBe(text);
      }),
    );
  });

  it('stand in the part of a long text that is shown', () => {
    const text = `${'filler words here '.repeat(60)}the lamp is xenon ${'more filler '.repeat(60)}`;
    expect(snippet(text, ['xenon', 'lamp'], 200)).toContain('lamp is xenon');
    expect(snippet(text, ['xenon'], 200).length).toBeLessThan(220);
  });
});

describe('a quotation', () => {
  it('is found across signs of Markdown, also where it was cut', () => {
    const line = 'Well. **The root cause** is that `Kubo` is away. Next.';
    const at = (quote: string) => {
      const place = placeOf(line, quote);
      return place && line.slice(place.from, place.to);
    };
    expect(at('The root cause is that Kubo is away')).toBe('The root cause** is that `Kubo` is away');
    expect(at('The root cause is that Kubo…')).toBe('The root cause** is that `Kubo');
    expect(at('Something else')).toBeUndefined();
  });
});
