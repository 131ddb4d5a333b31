// The words that tell a topic: which count, in which form, and that the table of them stays small.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyWords } from '../../test/fixtures/conversation.ts';
import { asWritten, countWords, familiarity, NO_WORDS, topicWords, topWords } from './topic-words.ts';

describe('the telling words of a text', () => {
  it('are those that do not stand in every text, and no numbers', () => {
    expect(topicWords('Please add the gateway to it, 42 of my 7 tokens are in an UI')).toEqual(['gateway', 'token']);
  });

  it.each([
    ['queries', 'query'],
    ['flies', 'flie'],
    ['loading', 'load'],
    ['string', 'string'],
    ['rotated', 'rotat'],
    ['speed', 'speed'],
    ['tokens', 'token'],
    ['class', 'class'],
    ['bus', 'bus'],
    ['buss', 'buss'],
  ])('have one rough form: %s is %s', (word, form) => {
    expect(topicWords(word)).toEqual([form]);
  });

  it('are found in other scripts, and no more than are asked for', () => {
    expect(topicWords('Überprüfung der Größe')).toEqual(['überprüfung', 'größe']);
    expect(topicWords('ビルド')).toHaveLength(1);
    expect(topicWords('gateway token middleware', 2)).toEqual(['gateway', 'token']);
  });

  it('are known as they were written first', () => {
    expect([...asWritten('Tokens and token, Queries', ['token', 'query', 'tree'])]).toEqual([
      ['token', 'tokens'],
      ['query', 'queries'],
    ]);
    expect([...asWritten('Queries and tokens', ['token'])]).toEqual([['token', 'tokens']]);
  });
});

describe('the words of a topic', () => {
  it('are counted: those that came most often first, by name where they came as often', () => {
    const words = countWords(countWords(NO_WORDS, ['b', 'a', 'c']), ['c', 'b', 'b']);
    expect(topWords(words, 9)).toEqual(['b', 'c', 'a']);
    expect(topWords(words, 2)).toEqual(['b', 'c']);
  });

  it('are the same whether they were put into the table or still wait, and the table stays small', () => {
    const waiting = Array.from({ length: 300 }, (_, at) => `w${at % 100}`);
    const before = countWords(NO_WORDS, waiting);
    expect(before).toEqual({ counts: {}, fresh: waiting });
    const after = countWords(before, ['w7']);
    expect(after.fresh).toEqual([]);
    expect(topWords(after, 3)).toEqual(['w7', 'w0', 'w1']);
    const many = countWords(
      NO_WORDS,
      Array.from({ length: 900 }, (_, at) => `w${at}`),
    );
    expect(Object.keys(many.counts)).toHaveLength(160);
  });

  it('make a text familiar by the share that is known; too few words tell nothing', () => {
    const known = countWords({ counts: { a: 2 }, fresh: [] }, ['b']);
    expect(familiarity(known, ['a', 'b', 'c', 'd', 'd'])).toBe(0.5);
    expect(familiarity(known, ['a', 'b', 'c', 'c'])).toBeUndefined();
    expect(familiarity(known, ['constructor', 'x', 'y', 'z'])).toBe(0);
  });

  it('are never more than can be kept, whatever is said', () => {
    fc.assert(
      fc.property(fc.array(anyWords), (texts) => {
        const words = texts.reduce((sum, text) => countWords(sum, topicWords(text)), NO_WORDS);
        expect(Object.keys(words.counts).length).toBeLessThanOrEqual(160);
        expect(words.fresh.length).toBeLessThanOrEqual(300);
      }),
    );
  });
});
