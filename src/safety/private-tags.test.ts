// What `<private>` promises: its content is gone in every spelling, and text outside is untouched.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { removePrivate } from './private-tags.ts';

describe('removePrivate', () => {
  it('removes the element with its content and keeps what is around it', () => {
    expect(removePrivate('a <private>b</private> c')).toBe('a  c');
    expect(removePrivate('one<private>x</private>two<private>y</private>three')).toBe('onetwothree');
    expect(removePrivate('<private>\nline\nline\n</private>rest')).toBe('rest');
  });

  it('accepts any case, attributes and blanks', () => {
    expect(removePrivate('a<PRIVATE>b</Private>c')).toBe('ac');
    expect(removePrivate('a<private reason="x > y">b</private >c')).toBe('ac');
    expect(removePrivate('a<private\n>b< / private\n>c')).toBe('ac');
  });

  it('counts nested elements', () => {
    expect(removePrivate('a<private>b<private>c</private>d</private>e')).toBe('ae');
    expect(removePrivate('a<private>b<private>c</private>d')).toBe('a');
  });

  it('removes to the end when an element, or its tag, is never closed', () => {
    expect(removePrivate('keep <private>secret until the end')).toBe('keep ');
    expect(removePrivate('keep <private reason="cut')).toBe('keep ');
  });

  it('treats <private/> as empty and drops a closing tag that closes nothing', () => {
    expect(removePrivate('a<private/>b<private />c')).toBe('abc');
    expect(removePrivate('a</private>b')).toBe('ab');
  });

  it('takes an attribute that ends in a slash for an opening tag', () => {
    expect(removePrivate('a<private see=http://x/>b</private>c')).toBe('ac');
  });

  it('leaves other tags and plain text alone', () => {
    const text = 'class A { private x = 1 } <privateKey>1</privateKey> a < private && b > c <b>private</b>';
    expect(removePrivate(text)).toBe(text);
  });

  it('does not let a removed element uncover another one', () => {
    expect(removePrivate('a<pri<private>x</private>vate>b')).toBe('a');
  });

  it('never lets a marked word through, and is a fixpoint', () => {
    const piece = fc.constantFrom(
      '<private>',
      '</private>',
      '<PRIVATE a="b">',
      '</private >',
      '<pri',
      'vate>',
      '<',
      '>',
      'x',
      ' ',
      '/',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.string({ maxLength: 5 }), (pieces, tail) => {
        const clean = removePrivate(pieces.join('') + tail);
        expect(clean).not.toMatch(/<private[\s>]/i);
        expect(removePrivate(clean)).toBe(clean);
        expect(removePrivate(`${clean}<private>HIDDEN${pieces.join('').replace(/<[^>]*>/g, '')}`)).not.toContain(
          'HIDDEN',
        );
      }),
    );
  });

  it('leaves text without a tag byte-identical', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }).filter((text) => !text.includes('<')),
        (text) => {
          expect(removePrivate(text)).toBe(text);
        },
      ),
    );
  });

  it('finishes on a megabyte of openings, of blanks and of half tags', () => {
    expect(removePrivate('<private>'.repeat(120_000))).toBe('');
    expect(removePrivate(`<${' '.repeat(1_000_000)}`)).toHaveLength(1_000_001);
    expect(removePrivate('<private '.repeat(120_000))).toBe('');
    expect(removePrivate('<pri'.repeat(250_000) + 'vate>'.repeat(200_000))).toContain('<pri<pri');
  });
});
