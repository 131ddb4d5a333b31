// The little language that cues are written in.
import { describe, expect, it } from 'vitest';
import { packCues, unpackCues } from './cue-code.ts';
import { CueMatcher } from './cue-matcher.ts';
import { readCues } from './cue-reader.ts';
import { en } from './cues/en.ts';
import { enCode } from './cues/en-code.ts';
import { GROUPS as ALL_GROUPS } from './judge-groups.ts';
import { Words } from './words.ts';

const GROUPS = ['a', 'b', 'c'];
const CLASSES = { filler: 'so ok', pet: 'cat dog' };

function found(cues: { [group: string]: string }, text: string): string[] {
  const matcher = new CueMatcher(readCues({ classes: CLASSES, cues }, GROUPS));
  const words = new Words(matcher.vocabulary);
  words.read(text, 0, text.length);
  const { count, groups, at, to } = matcher.match(words);
  return Array.from({ length: count }, (_, i) => `${GROUPS[groups[i]!]} ${at[i]}-${to[i]}`);
}

describe('CueMatcher', () => {
  it('finds words in their order, in any case, and only as whole words', () => {
    expect(found({ a: 'go with' }, 'We GO with it, going with it, go to it')).toEqual(['a 1-3']);
  });

  it('finds one of several words, and words that may be missing', () => {
    expect(found({ a: 'use|keep really? it' }, 'use it keep really it drop it')).toEqual(['a 0-2', 'a 2-5']);
  });

  it('finds words of a class and words with an ending', () => {
    expect(found({ a: 'my @pet', b: 'by ~ing', c: '^~ed the' }, 'Moved the food of my dog by waiting')).toEqual([
      'c 0-2',
      'a 4-6',
      'b 6-8',
    ]);
  });

  it('bridges up to three words', () => {
    expect(found({ a: 'tried * but' }, 'tried it but, tried a b c but, tried a b c d but')).toEqual(['a 0-3', 'a 3-8']);
  });

  it('knows the beginning of a sentence, behind fillers, labels and dashes too', () => {
    const text = 'So why is it? He knows why. Note: why not — why';
    expect(found({ a: '^why' }, text)).toEqual(['a 1-2', 'a 8-9', 'a 10-11']);
  });

  it('takes code, paths and identifiers for names and not for words', () => {
    expect(found({ a: 'fix', b: 'see #' }, 'see `fix` and fix.ts and preFix and fix')).toEqual(['b 0-2', 'a 7-8']);
  });

  it('reads contractions as one word and elisions as two', () => {
    expect(found({ a: "didn't", b: "l'erreur" }, "it didn’t show L'erreur")).toEqual(['a 1-2', 'b 3-5']);
  });

  it('finds phrases anywhere in scripts without blanks', () => {
    expect(found({ a: '失敗し', b: 'エラー' }, 'ビルドが失敗しました。エラーです')).toEqual(['a 4-7', 'b 10-13']);
  });

  it.each([
    { cues: { d: 'x' }, why: /no group/ },
    { cues: { a: '@bird' }, why: /no class/ },
    { cues: { a: '~ly' }, why: /no ending/ },
    { cues: { a: 'maybe? so' }, why: /may be missing/ },
    { cues: { a: 'what|(is)' }, why: /cannot be read/ },
  ])('refuses what it cannot read: $why', ({ cues, why }) => {
    expect(() => found(cues, 'x')).toThrow(why);
  });

  it('has English read already, as it is written: `npm run cues` brings it in step', () => {
    const read = readCues(en, ALL_GROUPS);
    expect(enCode).toEqual(packCues(read));
    expect(unpackCues(packCues(read))).toEqual(read);
  });
});
