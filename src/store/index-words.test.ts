import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indexWords, MAX_WORDS, queryWords } from './index-words.ts';

describe('the words of a text', () => {
  it.each([
    ['Use the CI db', 'us the ci db'],
    ['getUserName()', 'getusernam get user name'],
    ['get_user_name', 'getusernam get user name'],
    ['HTTPServer', 'httpserver http server'],
    ['IDs', 'id'],
    ['src/auth/token-store.ts', 'src auth tokenstoret tokenstor token store ts'],
    ['Node.js', 'nodej node js'],
    ['k8s v1.2', 'k8s v12 v1 2'],
    ['C++ and C#', 'cplusplu and csharp'],
    ['Café', 'cafe'],
    ['ΜΝΉΜΗ', 'μνημη'],
    ['数据库', '数据 据库 库'],
    ['使用Redis缓存', '使用 用 redi 缓存 存'],
    ['__init__', 'init'],
    ['HTTPServer userID v2Beta IDs', 'httpserver http server userid user id v2beta v2 beta id'],
    ["a..b it's-_x", 'ab a b itsx it s x'],
    ['', ''],
    ['… — !?', ''],
  ])('%j gives %j', (text, words) => {
    expect(indexWords(text).join(' ')).toBe(words);
  });

  it('are bounded, in length and in number', () => {
    expect(indexWords('x'.repeat(1_000_000))).toEqual(['x'.repeat(64)]);
    expect(indexWords('a1 '.repeat(MAX_WORDS + 5))).toHaveLength(MAX_WORDS);
  });

  it('hold nothing that a query language could read, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        for (const word of indexWords(text)) expect(word).toMatch(/^[\p{L}\p{N}\p{M}]{1,128}$/u);
      }),
    );
  });
});

const pieces = fc.oneof(
  fc.constantFrom(
    'walrus',
    'getUserName',
    'a_b',
    'src/x.ts',
    '数据库',
    '库',
    'c++',
    "don't",
    'Ünï',
    '日本語text',
    '.',
    '-',
    '1.5',
  ),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
);
const text = fc.array(pieces, { maxLength: 5 }).map((all) => all.join(' '));

it('a text is found by itself: the words of a query stand side by side in any text that holds it', () => {
  fc.assert(
    fc.property(text, text, text, (before, query, after) => {
      const { words, open } = queryWords(query);
      if (words.length === 0) return;
      const all = indexWords(`${before} \n ${query} \n ${after}`);
      const matches = (word: string, at: number): boolean =>
        open && at === words.length - 1 ? word.startsWith(words[at]!) : word === words[at];
      const found = all.some((_, start) => words.every((_, at) => matches(all[start + at] ?? '', at)));
      expect(found, JSON.stringify({ words, all })).toBe(true);
    }),
    { numRuns: 500 },
  );
});
