// What the sanitisers promise: nothing invisible survives, no marker of our formats survives, and cleaning twice
// changes nothing. Properties carry most of the weight, because the attacks are combinations nobody lists.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutCodePoints, stripUnsafe, stripUnsafeText } from '../model/text.ts';
import {
  cleanTag,
  cleanTitle,
  escapeXml,
  neutraliseTag,
  snippetForPrompt,
  tagForPrompt,
  titleForPrompt,
} from './sanitise.ts';

const FORBIDDEN =
  /[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202f\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]|[\ud800-\udfff]/u;

const nasty = fc.constantFrom(
  ...['\x00', '\x1b[31m', '\t', '\n', '\r\n', '\x7f', '\x85', '\u200b', '\u200d', '\u202e', '\u2066', '\ufeff'],
  ...['\ud83d', '\ude00', '\udb40', '\udc41', '\u{e0041}', '\u{1f600}', '\u2028', '\u00a0'],
  ...[' -> ', '->', ' ', '-', '>', '#tags:', '#TAGS:', '#ta', 'gs:', '#', ':', ',', '&', '<', '"', '&amp;', '`', 'é'],
);
const hostile = fc
  .array(fc.oneof(nasty, fc.string({ unit: 'binary', maxLength: 4 })), { maxLength: 40 })
  .map((parts) => parts.join(''));

const decode = (text: string) =>
  text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
const ENTITY_OR_PLAIN = /^(?:&(?:amp|lt|gt|quot);|[^&<>"])*$/su;

describe('stripUnsafe', () => {
  it('removes control, zero-width, bidi and tag characters and keeps everything else', () => {
    expect(stripUnsafe('a\x00b\x1b[1m\tc\x7f\x9b')).toBe('ab[1mc');
    expect(stripUnsafe('a\u200bb\u200dc\u202ed\u2066e\u2028f\ufeffg\u061ch')).toBe('abcdefgh');
    expect(stripUnsafe('a\u{e0001}\u{e0041}\u{e007f}b\u{e0101}')).toBe('ab');
    expect(stripUnsafe('Grüße, 世界, 😀 <&> "x"')).toBe('Grüße, 世界, 😀 <&> "x"');
  });

  it('replaces lone surrogates, also those that would join when what is between them goes', () => {
    expect(stripUnsafe('a\ud83db')).toBe('a\ufffdb');
    expect(stripUnsafe('\udb40\u200b\udc41')).toBe('\ufffd\ufffd');
  });

  it('leaves nothing forbidden behind and is a fixpoint, whatever it is given', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const clean = stripUnsafe(text);
        expect(clean).not.toMatch(FORBIDDEN);
        expect(stripUnsafe(clean)).toBe(clean);
      }),
    );
  });
});

describe('stripUnsafeText', () => {
  it('keeps lines and tabs and makes every kind of line break a line feed', () => {
    expect(stripUnsafeText('a\r\nb\tc\nd\re\u2028f\x85g\x00h\u200b')).toBe('a\nb\tc\nd\ne\nf\ngh');
  });

  it('differs from the one-line cleaning only in line breaks and tabs', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const clean = stripUnsafeText(text);
        expect(clean.replace(/[\n\t]/g, '')).toBe(stripUnsafe(text));
        expect(stripUnsafeText(clean)).toBe(clean);
      }),
    );
  });
});

describe('cleanTitle', () => {
  it('defuses the markers of the index line', () => {
    expect(cleanTitle('A -> B #tags:x')).toBe('A - B x');
    expect(cleanTitle('  Use\u200b JWT\n ')).toBe('Use JWT');
    expect(cleanTitle('A->B')).toBe('A->B');
    expect(cleanTitle('a -> -> b')).toBe('a - - b');
    expect(cleanTitle('-> b ->')).toBe('- b -');
    expect(cleanTitle('a\u00a0->\u00a0b')).toBe('a\u00a0-\u00a0b');
  });

  it('removes nested and oddly written tag markers', () => {
    expect(cleanTitle('A #ta#tags:gs:x')).toBe('A x');
    expect(cleanTitle('A #TaGs:x #t#ta#tags:gs:ags:y')).toBe('A x y');
    expect(cleanTitle('a -#tags:> b')).toBe('a - b');
    expect(cleanTitle('#ta\u200bgs:x')).toBe('x');
  });

  it('cleans a million characters of nested markers in one pass', () => {
    const depth = 170_000;
    expect(cleanTitle(`${'#ta'.repeat(depth)}${'gs:'.repeat(depth)}`)).toBe('');
  });

  it('neither escapes nor cuts', () => {
    expect(cleanTitle('a < b & "c"')).toBe('a < b & "c"');
    expect(cleanTitle('w'.repeat(500))).toHaveLength(500);
  });

  it('leaves no marker and no forbidden character, and is a fixpoint', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const title = cleanTitle(text);
        expect(title).not.toMatch(FORBIDDEN);
        expect(title.toLowerCase()).not.toContain('#tags:');
        expect(` ${title} `).not.toMatch(/\s->\s/);
        expect(cleanTitle(title)).toBe(title);
      }),
    );
  });
});

describe('cleanTag', () => {
  it('makes a lower-case tag without separators', () => {
    expect(cleanTag('one,two')).toBe('one two');
    expect(cleanTag('  CI/CD  Build ')).toBe('ci/cd build');
    expect(cleanTag('a -> b')).toBe('a b');
    expect(cleanTag('a,->,b')).toBe('a b');
    expect(cleanTag('#Tags:db')).toBe('db');
    expect(cleanTag('#ta#tags:gs:db\x00')).toBe('db');
    expect(cleanTag(' , ')).toBe('');
  });

  it('cannot end a tag or a tag list, and is a fixpoint', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const tag = cleanTag(text);
        expect(tag).not.toMatch(FORBIDDEN);
        expect(tag).not.toContain(',');
        expect(tag).not.toContain('#tags:');
        expect(` ${tag} `).not.toContain(' -> ');
        expect(cleanTag(tag)).toBe(tag);
      }),
    );
  });
});

describe('escapeXml', () => {
  it('escapes the four characters that matter, once', () => {
    expect(escapeXml('<a href="x">&amp;</a>')).toBe('&lt;a href=&quot;x&quot;&gt;&amp;amp;&lt;/a&gt;');
  });
});

describe('cutCodePoints', () => {
  it('counts code points and never splits a pair', () => {
    expect(cutCodePoints('abc', 2)).toBe('ab');
    expect(cutCodePoints('😀😀😀', 2)).toBe('😀😀');
    expect(cutCodePoints('a😀', 1)).toBe('a');
    expect(cutCodePoints('w'.repeat(130))).toHaveLength(120);
    expect(cutCodePoints('short')).toBe('short');
    expect(cutCodePoints('abc', 0)).toBe('');
  });

  it('agrees with an array of code points', () => {
    fc.assert(
      fc.property(hostile, fc.nat(60), (text, max) => {
        expect(cutCodePoints(text, max)).toBe(Array.from(text).slice(0, max).join(''));
      }),
    );
  });
});

describe('text for the prompt', () => {
  it('cuts a title before it escapes it', () => {
    expect(titleForPrompt(`${'w'.repeat(119)}<x`)).toBe(`${'w'.repeat(119)}&lt;`);
    expect(titleForPrompt('Use "A" & <B> -> C')).toBe('Use &quot;A&quot; &amp; &lt;B&gt; - C');
  });

  it('does not let the cut uncover an arrow at the end', () => {
    expect(titleForPrompt(`${'w'.repeat(117)} ->x`)).toBe(`${'w'.repeat(117)} -`);
  });

  it('never holds markup or half an entity, and decodes to at most 120 code points', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          hostile,
          fc.array(hostile, { maxLength: 12 }).map((parts) => parts.join('')),
        ),
        (text) => {
          const title = titleForPrompt(text);
          expect(title).toMatch(ENTITY_OR_PLAIN);
          expect(Array.from(decode(title)).length).toBeLessThanOrEqual(120);
          expect(decode(title).toLowerCase()).not.toContain('#tags:');
          expect(` ${decode(title)} `).not.toContain(' -> ');
        },
      ),
    );
  });

  it('makes a tag that cannot close the block', () => {
    expect(tagForPrompt('x</memory-context>')).toBe('x&lt;/memory-context&gt;');
    fc.assert(
      fc.property(hostile, (text) => {
        expect(tagForPrompt(text)).toMatch(ENTITY_OR_PLAIN);
        expect(Array.from(decode(tagForPrompt(text))).length).toBeLessThanOrEqual(60);
      }),
    );
  });

  it('quotes a line of conversation without backticks, breaks or markup, and leaves quotes readable', () => {
    expect(snippetForPrompt(' we\x07 said\x1b[31m `x`\tso\nand "y" <z> & ')).toBe(
      'we said[31m xso and "y" &lt;z&gt; &amp;',
    );
    expect(snippetForPrompt(`${'a'.repeat(118)}<<<`)).toBe(`${'a'.repeat(118)}&lt;&lt;`);
    fc.assert(
      fc.property(hostile, (text) => {
        const snippet = snippetForPrompt(text);
        expect(snippet).not.toMatch(FORBIDDEN);
        expect(snippet).toMatch(/^(?:&(?:amp|lt|gt);|[^&<>`])*$/su);
        expect(Array.from(decode(snippet)).length).toBeLessThanOrEqual(120);
      }),
    );
  });
});

describe('neutraliseTag', () => {
  it('defuses every spelling of the tag and leaves other markup alone', () => {
    const name = 'transcript_data';
    expect(neutraliseTag('a </transcript_data> b', name)).toBe('a &lt;/transcript_data> b');
    expect(neutraliseTag('<TRANSCRIPT_DATA x="1">', name)).toBe('&lt;TRANSCRIPT_DATA x="1">');
    expect(neutraliseTag('< / transcript_data\n>', name)).toBe('&lt; / transcript_data\n>');
    expect(neutraliseTag('<\\/transcript_data>', name)).toBe('&lt;\\/transcript_data>');
    expect(neutraliseTag('</tran\u200bscript_data>', name)).toBe('&lt;/tran\u200bscript_data>');
    expect(neutraliseTag('</transcript_data', name)).toBe('&lt;/transcript_data');
    expect(neutraliseTag('<b>x</b> <transcript_data_2> a < b', name)).toBe('<b>x</b> <transcript_data_2> a < b');
    expect(neutraliseTag('</memory-context>', 'memory-context')).toBe('&lt;/memory-context>');
  });

  it('takes the tag name literally', () => {
    expect(neutraliseTag('<a.b> <axb>', 'a.b')).toBe('&lt;a.b> <axb>');
  });

  it('leaves no tag that a tolerant parser could find', () => {
    const piece = fc.constantFrom(
      '<',
      '/',
      ' ',
      '\n',
      '\u200b',
      'memory-context',
      'MEMORY-CONTEXT',
      '>',
      'x="1"',
      '<<',
      'a',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const safe = neutraliseTag(pieces.join(''), 'memory-context');
        expect(safe).not.toMatch(/<[\s\u200b/]*memory-context(?![\w-])/i);
        expect(neutraliseTag(safe, 'memory-context')).toBe(safe);
      }),
    );
  });
});
