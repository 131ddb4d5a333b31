import { describe, expect, it } from 'vitest';
import { indexWords } from '../store/index-words.ts';
import { otherForms, PLAIN_FAMILIES } from './word-families.ts';

const wordOf = (text: string): string => indexWords(text)[0]!;

describe('word families', () => {
  it('are those that are written, as the index has them', () => {
    for (const family of PLAIN_FAMILIES) {
      const words = [...new Set(family.map(wordOf))];
      for (const word of words) expect([...otherForms(word), word].sort()).toEqual([...words].sort());
    }
  });

  it('join short and long, and no others', () => {
    expect(otherForms(wordOf('databases'))).toEqual(['db']);
    expect(otherForms(wordOf('db'))).toEqual([wordOf('database')]);
    expect(otherForms(wordOf('author'))).toEqual([]);
    expect(otherForms('constructor')).toEqual([]);
  });
});
