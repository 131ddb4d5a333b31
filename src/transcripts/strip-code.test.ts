import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stripCode } from './strip-code.ts';

const fenced = (code: string, mark = '```') => `${mark}ts\n${code}\n${mark}`;

describe('stripCode', () => {
  it('takes fenced blocks out, whatever they are marked with', () => {
    expect(stripCode(`before\n${fenced('decided')}\nafter`)).toBe('before\n\nafter');
    expect(stripCode(`before\n${fenced(`x\n${fenced('inner')}\ny`, '`````')}\nafter`)).toBe('before\n\nafter');
    expect(stripCode('- step:\n  ```\n  decided\n  ```\n- next')).toBe('- step:\n\n- next');
    expect(stripCode('> ```\n> decided\n> ```\nsaid')).toBe('\nsaid');
    expect(stripCode('1. ```sh\n   decided\n   ```')).toBe('');
  });

  it('takes inline code out, within its paragraph', () => {
    expect(stripCode('use `decided` here')).toBe('use  here');
    expect(stripCode('use ``a ` decided`` here')).toBe('use  here');
    expect(stripCode('use ```decided``` here')).toBe('use  here');
    expect(stripCode('use `decided\nbecause` here')).toBe('use  here');
  });

  it('lets a stray backtick or fence hide nothing', () => {
    expect(stripCode("it's 5` long\n\nwe decided\n\n6` wide")).toBe("it's 5` long\n\nwe decided\n\n6` wide");
    expect(stripCode('```\nwe decided')).toBe('```\nwe decided');
    expect(stripCode('a `b and ``c and ```d decided')).toBe('a `b and ``c and ```d decided');
  });

  it('is not confused by a backtick inside a block', () => {
    expect(stripCode(`it's a tick \` here\n${fenced('echo `date')}\nwe decided`)).toBe(
      "it's a tick ` here\n\nwe decided",
    );
  });

  it('closes a block only with a fence that is long enough and names no language', () => {
    expect(stripCode('````\n```\nx\n```\n````\nsaid')).toBe('\nsaid');
    expect(stripCode('```\none\n```js\ntwo\n```\nsaid')).toBe('\nsaid');
  });

  it('keeps a text without backticks as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const plain = text.replaceAll('`', '');
        expect(stripCode(plain)).toBe(plain);
      }),
    );
  });

  it('never makes a text longer, and keeps what stands outside of code', () => {
    const piece = fc.constantFrom('`', '``', '```', '````', '\n', '\n\n', 'word', ' ', '```js\n', '- ', '> ');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = pieces.join('');
        expect(stripCode(text).length).toBeLessThanOrEqual(text.length);
        expect(stripCode(`KEPT\n\n${text}\n\n`).startsWith('KEPT\n\n')).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('needs no more than a moment for texts made of backticks', () => {
    for (const text of [
      '`'.repeat(1_000_000),
      '` '.repeat(500_000),
      Array.from({ length: 1_400 }, (_, i) => `${'`'.repeat(i + 3)}js`).join('\n'),
      Array.from({ length: 1_400 }, (_, i) => '`'.repeat(i + 1)).join(' '),
      '```\n'.repeat(300_000),
      `${'- '.repeat(300_000)}\`\`\``,
      `${' '.repeat(600_000)}\`\`\`x\``,
    ])
      expect(stripCode(text).length).toBeLessThanOrEqual(text.length);
  });
});
