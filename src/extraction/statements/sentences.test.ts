// Where sentences end, and where they only look as if they did.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LONGEST, sentencesOf } from './sentences.ts';

function cut(text: string): string[] {
  return sentencesOf(text, 0, text.length).map(({ start, end }) => text.slice(start, end));
}

describe('sentencesOf', () => {
  it('ends sentences at marks that blanks follow', () => {
    expect(cut('It fails. Why? No idea! Let it be')).toEqual(['It fails.', 'Why?', 'No idea!', 'Let it be']);
  });

  it.each([
    'The file app.config.ts of v1.2.3 is at https://example.org/a.b?c=d for now',
    'Dr. Okafor measured approx. 3.5 ms vs. 9 ms, i.e. far less, etc. and so on',
    'Das Treffen am 3. Mai fällt aus, d.h. wir verschieben es',
    'See fig. 4 and no. 12 of J. Smith for the numbers',
    'The call `a.b(). c. d()` is one word here',
    'He said "it is done." and went home',
    'Wait... there is more of it',
  ])('cuts nothing in %j', (text) => {
    expect(cut(text)).toEqual([text]);
  });

  it('knows an abbreviation from the end of a sentence', () => {
    expect(cut('We need tests, docs etc. Then we ship. Say no. Then leave.')).toEqual([
      'We need tests, docs etc.',
      'Then we ship.',
      'Say no.',
      'Then leave.',
    ]);
  });

  it('knows an initial from the word I', () => {
    expect(cut('See J. Smith. It was I. Then it ended.')).toEqual(['See J. Smith.', 'It was I.', 'Then it ended.']);
  });

  it('takes quotes and brackets that close behind the mark along', () => {
    expect(cut('(It broke again.) "Restart it." **Done.** Next one')).toEqual([
      '(It broke again.)',
      '"Restart it."',
      '**Done.**',
      'Next one',
    ]);
  });

  it('ends Chinese and Japanese sentences without blanks', () => {
    expect(cut('构建失败。为什么?请看日志！「終わりました。」次は')).toEqual([
      '构建失败。',
      '为什么?',
      '请看日志！',
      '「終わりました。」',
      '次は',
    ]);
  });

  it('goes on over a line that was wrapped, and ends at a line that was not', () => {
    const wrapped = 'this line is about as long as people wrap their lines when they';
    expect(cut(`${wrapped}\nwrite to each other`)).toEqual([`${wrapped}\nwrite to each other`]);
    expect(cut('short line\nanother one')).toEqual(['short line', 'another one']);
  });

  it('cuts a very long sentence behind a comma', () => {
    const found = cut('the first clause of many is here, '.repeat(40));
    expect(found.length).toBeGreaterThan(1);
    for (const piece of found) {
      expect(piece.length).toBeLessThanOrEqual(LONGEST);
      expect(piece.endsWith(',')).toBe(true);
    }
  });

  it('loses no word and changes no order, whatever the text', () => {
    const marks = fc.constantFrom(
      '.',
      '! ',
      '? ',
      '\n',
      '`',
      ' ',
      'a',
      'e.g. ',
      '1. ',
      '。',
      ')',
      '"',
      '😀',
      'x'.repeat(90),
    );
    fc.assert(
      fc.property(fc.array(marks, { maxLength: 80 }), (parts) => {
        const text = parts.join('');
        expect(cut(text).join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
      }),
    );
  });
});
