import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { phraseMatcher } from './phrase-matcher.ts';

const finds = (phrases: string[], text: string): boolean => phraseMatcher(phrases)(text) !== -1;

describe('phraseMatcher', () => {
  it('finds whole words in any case', () => {
    for (const text of ['decided', 'We DECIDED.', '(decided)', 'a\ndecided\nb', '"decided"', 'decided,', '-decided-'])
      expect(finds(['decided'], text), text).toBe(true);
    for (const text of ['undecided', 'decidedly', 'decided2', '_decided', 'décided', 'decidedé', 'decide'])
      expect(finds(['decided'], text), text).toBe(false);
  });

  it('takes letters of every script for letters', () => {
    for (const text of ['errorß', 'иerror', 'error語', '𝐚error', 'error𝐚'])
      expect(finds(['error'], text), text).toBe(false);
    expect(finds(['error'], '🙂error🙂')).toBe(true);
    expect(finds(['Lösung'], 'die LÖSUNG ist')).toBe(true);
  });

  it('lets any blanks stand between the words of a phrase, but no line break', () => {
    expect(finds(['went with'], 'went \t  with')).toBe(true);
    expect(finds(['went with'], 'went\u00a0with')).toBe(true);
    expect(finds(['went with'], 'went\nwith')).toBe(false);
    expect(finds(['went with'], 'wentwith')).toBe(false);
  });

  it('finds phrases of scripts without blanks anywhere', () => {
    expect(finds(['決めました'], 'それに決めましたよ')).toBe(true);
    expect(finds(['无法'], '我们无法连接')).toBe(true);
    expect(finds(['エラー'], 'このエラーは')).toBe(true);
    expect(finds(['ไม่ได้'], 'ทำไม่ได้ครับ')).toBe(true);
  });

  it('does not let a longer phrase hide a shorter one that begins alike', () => {
    expect(finds(['decided', 'decided on'], 'we decided once')).toBe(true);
    expect(finds(['decided on', 'decided'], 'we decided once')).toBe(true);
    expect(finds(['a', 'a b'], 'a bc')).toBe(true);
  });

  it('goes on after a place where the phrase was only part of a word', () => {
    expect(phraseMatcher(['hack'])('hacker shack hack')).toBe(13);
  });

  it('says where the first one after a given place begins', () => {
    const find = phraseMatcher(['todo']);
    expect([find('todo and todo'), find('todo and todo', 1), find('todo and todo', 10)]).toEqual([0, 9, -1]);
  });

  it('takes phrases as they are, not as patterns', () => {
    expect(finds(['c++ (all) [x] .*|'], 'in C++ (ALL) [x] .*| we trust')).toBe(true);
    expect(finds(['.*'], 'anything')).toBe(false);
    expect(finds(['', '   ', '\n'], 'anything at all')).toBe(false);
    expect(finds([], 'anything')).toBe(false);
  });

  it('finds each phrase in itself, between blanks and in a sentence', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 12 }), { maxLength: 5 }), (phrases) => {
        for (const phrase of phrases) {
          const clean = phrase.split(/\s+/).filter(Boolean).join(' ');
          if (clean !== '') expect(finds(phrases, `x ${clean} y`)).toBe(true);
        }
      }),
    );
  });

  it('needs no more than a moment for a text made to make it stumble', () => {
    const text = `${'went '.repeat(200_000)}went${' '.repeat(400_000)}\n${'decided'.repeat(100_000)}`;
    expect(finds(['went with', 'decided', 'went went with'], text)).toBe(false);
  });
});
