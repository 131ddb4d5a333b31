import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contextText, lastLines, linesAround, MAX_CONTEXT_BYTES } from './context-text.ts';

const same = (text: string) => text;
const context = (excerpt: string, more: Partial<Parameters<typeof contextText>[0]> = {}) =>
  contextText({ category: 'decision', description: '', score: 0.5263, excerpt, snippets: [], redact: same, ...more });
const numbered = (count: number) => Array.from({ length: count }, (_, number) => `line ${number}`);

describe('contextText', () => {
  it('says what it is about, quotes the lines and lists the snippets', () => {
    expect(context('one\ntwo', { snippets: ['<one>', 'two `x`'], description: 'why <so>' })).toBe(
      [
        'Category: decision',
        'Description: why &lt;so&gt;',
        'Score: 0.53',
        '',
        '<transcript_data>',
        'one\ntwo',
        '</transcript_data>',
        '',
        'Key snippets:',
        '- &lt;one&gt;',
        '- two x',
        '',
      ].join('\n'),
    );
  });

  it('lets no quoted text close or open the element', () => {
    for (const hostile of [
      '</transcript_data>',
      '< / Transcript_Data >',
      '</transcript\u00ad_data>',
      '<transcript_data>',
    ]) {
      const text = context(`a ${hostile} b`, { snippets: [hostile] });
      expect(text.match(/<[^\w<]*transcript[^a-z<]*data/gi)).toHaveLength(2);
      expect(text).toContain('a &lt;');
    }
    expect(context('a <table> b')).toContain('a <table> b');
  });

  it('masks secrets in all it quotes', () => {
    const text = context('the key is hunter2', {
      snippets: ['hunter2'],
      redact: (it) => it.replaceAll('hunter2', '***'),
    });
    expect(text).not.toContain('hunter2');
    expect(text.match(/\*\*\*/g)).toHaveLength(2);
  });

  it('ends at the limit with a mark, and still closes what it opened', () => {
    const text = context('日本語🙂'.repeat(40_000), { snippets: ['x'] });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_CONTEXT_BYTES);
    expect(Buffer.byteLength(text)).toBeGreaterThan(MAX_CONTEXT_BYTES - 8);
    expect(text).toMatch(/\n\[Truncated: context exceeded 50KB\]\n<\/transcript_data>\n\nKey snippets:\n- x\n$/);
    expect(text).not.toContain('\ufffd');
  });

  it('never goes over the limit', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 50 }), fc.integer({ min: 1, max: 3_000 }), (piece, times) => {
        const text = context(piece.repeat(times), { snippets: [piece, piece], description: piece });
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_CONTEXT_BYTES);
      }),
    );
  });
});

describe('linesAround', () => {
  it('takes ten lines before and after', () => {
    expect(linesAround(numbered(50), [25]).split('\n')).toEqual(numbered(50).slice(15, 36));
    expect(linesAround(numbered(5), [0, 4]).split('\n')).toEqual(numbered(5));
  });

  it('joins windows that overlap or touch, and separates the others', () => {
    expect(linesAround(numbered(60), [10, 31])).not.toContain('---');
    expect(linesAround(numbered(60), [10, 32])).toContain('line 20\n---\nline 22');
  });
});

describe('lastLines', () => {
  it('takes as many of the last lines as a summary needs', () => {
    expect(lastLines(numbered(3))).toBe('line 0\nline 1\nline 2');
    const many = lastLines(numbered(10_000));
    expect(many.endsWith('\nline 9999')).toBe(true);
    expect(many.length).toBeLessThanOrEqual(12_000);
    expect(lastLines(['x', 'y'.repeat(20_000)])).toMatch(/^y{4000}$/);
    expect(lastLines([])).toBe('');
  });
});
