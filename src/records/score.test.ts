import { describe, expect, it } from 'vitest';
import { scoreEntry, tokenise } from './score.ts';

const score = (prompt: string, title: string, tags: string[] = []): number =>
  scoreEntry(tokenise(prompt), { title, tags });

describe('the words of a text', () => {
  it('are lower case, of letters and digits, three or longer, and no stop words', () => {
    expect([...tokenise('How to FIX the JWT2-token, please? It is in db')]).toEqual(['fix', 'jwt2', 'token']);
    expect(tokenise('the is of to').size).toBe(0);
  });
});

describe('a score', () => {
  it.each([
    ['a word of the title', 'jwt', 'JWT sessions', [], 2],
    ['a tag', 'auth', 'Something', ['auth'], 3],
    ['a tag in any case', 'auth', 'Something', ['AUTH'], 3],
    ['title and tag', 'auth', 'Auth', ['auth'], 5],
    ['the beginning of a word, from four letters on', 'sess', 'Sessions', [], 1],
    ['the beginning of a tag', 'sess', 'Something', ['sessions'], 1],
    ['the beginning of both, once', 'sess', 'Sessions', ['sessions'], 1],
    ['three letters are no beginning', 'ses', 'Sessions', [], 0],
    ['the end of a word is nothing', 'sions', 'Sessions', [], 0],
    ['several words add up', 'auth sessions', 'Sessions', ['auth'], 5],
    ['a word counts once', 'auth auth auth', 'Something', ['auth'], 3],
    ['a tag of two words is no word', 'code', 'Something', ['code style'], 1],
  ])('%s', (_, prompt, title, tags, points) => {
    expect(score(prompt, title, tags)).toBe(points);
  });
});
