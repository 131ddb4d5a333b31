import { describe, expect, it } from 'vitest';
import { indexWords } from '../store/index-words.ts';
import { isQuestionWord, PLAIN, readAsking } from './question-words.ts';

describe('words that only ask', () => {
  it('are known in the form that the index gives them', () => {
    for (const word of PLAIN.split(' ').flatMap((each) => indexWords(each)))
      expect(isQuestionWord(word), word).toBe(true);
    for (const word of ['ledger', 'postgr', 'cach', '']) expect(isQuestionWord(word), word).toBe(false);
  });
});

describe('a query says what kind of statement it wants', () => {
  it.each([
    ['What did we decide about sessions', 'decision'],
    ['why did we go with redis', 'decision'],
    ['OUR DECISIONS ON caching', 'decision'],
    ['open questions', 'question'],
    ['problems with the build', 'problem'],
    ['what broke yesterday', 'problem'],
    ['how did we get around the limit', 'solution'],
    ['how do I resolve it', 'solution'],
    ['to-dos', 'todo'],
    ["what's left", 'todo'],
    ['next steps', 'todo'],
    ['what did we find out', 'conclusion'],
    ['insights about latency', 'conclusion'],
  ])('%s', (query, intent) => {
    expect(readAsking(query).intents).toContain(intent);
  });

  it('or says nothing about it', () => {
    expect(readAsking('ledger in postgres')).toMatchObject({ intents: [], speaker: undefined, request: false });
    expect(readAsking('what did you recommend')).toMatchObject({ speaker: 'assistant' });
  });
});
