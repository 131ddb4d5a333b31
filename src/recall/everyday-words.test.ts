import { describe, expect, it } from 'vitest';
import { indexWords } from '../store/index-words.ts';
import { isEveryday, PLAIN_EVERYDAY } from './everyday-words.ts';
import { isQuestionWord } from './question-words.ts';

describe('everyday words', () => {
  it('are those that are written, as the index has them', () => {
    for (const word of PLAIN_EVERYDAY.split(' ').flatMap((each) => indexWords(each)))
      expect([word, isEveryday(word) || isQuestionWord(word)]).toEqual([word, true]);
  });

  it.each(['migration', 'playwright', 'token', 'cursor', 'version', 'prompt'])('%s is none', (word) => {
    expect(indexWords(word).some(isEveryday)).toBe(false);
  });
});
