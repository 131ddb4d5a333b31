// What Markdown, and text that is none, is cut into.
import { describe, expect, it } from 'vitest';
import { blocksOf } from './blocks.ts';

function read(text: string): string[] {
  return blocksOf(text, 0, text.length).map(({ kind, start, end, lead }) => {
    const above = lead ? ` < ${text.slice(lead.start, lead.end)}` : '';
    return `${kind}: ${text.slice(start, end)}${above}`;
  });
}

describe('blocksOf', () => {
  it('tells headings, paragraphs, items, rows and code apart', () => {
    const text = [
      '# Title',
      'One.',
      '',
      '- item',
      '  goes on',
      '2) second',
      '| a | b |',
      '|---|---|',
      '```js',
      'x()',
      '```',
      'End',
    ];
    expect(read(text.join('\n'))).toEqual([
      'heading: Title',
      'prose: One. < Title',
      'item: item\n  goes on < Title',
      'item: second < Title',
      'row: a | b | < Title'.replace('a', '| a'),
      'code: x()\n < Title',
      'prose: End < Title',
    ]);
  });

  it('lets a sentence that ends in a colon stand above the list behind it, and no further', () => {
    expect(read('All is well. Two things are open:\n- one\n- two\n\nThat is all.\n- three')).toEqual([
      'prose: All is well. Two things are open:',
      'item: one < Two things are open:',
      'item: two < Two things are open:',
      'prose: That is all.',
      'item: three',
    ]);
  });

  it('takes a line in bold for a heading, until something else begins in bold', () => {
    expect(read('**Step 1**\n\nDo it.\n\n**Step 2**: do more.')).toEqual([
      'heading: Step 1',
      'prose: Do it. < Step 1',
      'prose: **Step 2**: do more.',
    ]);
  });

  it('does not take emphasis, hyphens, years and hashes for marks', () => {
    for (const text of [
      '*very* good',
      '-5 degrees',
      '2024 was long',
      '#1 on the list',
      '1.5 times more',
      '3 times',
      '7.',
    ]) {
      expect(read(text)).toEqual([`prose: ${text}`]);
    }
  });

  it('reads boxes', () => {
    const text = '- [ ] open\n- [x] done\n- [X] done too\n- [link](x)';
    expect(blocksOf(text, 0, text.length).map(({ box }) => box)).toEqual(['open', 'ticked', 'ticked', undefined]);
  });

  it('reads through the marks of a quote', () => {
    expect(read('> - quoted item\n> said so')).toEqual(['item: quoted item\n> said so']);
  });

  it('hides nothing behind a fence that is never closed', () => {
    expect(read('Before.\n\n```ts\nconst a = 1;\n\nAfter.')).toEqual([
      'prose: Before.',
      'prose: ```ts\nconst a = 1;',
      'prose: After.',
    ]);
  });

  it('closes a fence only by one of its kind that is as long', () => {
    expect(read('````\n```\ninner\n```\n````\nOutside')).toEqual(['code: ```\ninner\n```\n', 'prose: Outside']);
    expect(read('~~~\n```\n~~~\nOutside')).toEqual(['code: ```\n', 'prose: Outside']);
  });
});
