import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indexWords } from '../store/index-words.ts';
import { Bm25Scorer } from './bm25.ts';
import { WEIGHTS } from './weights.ts';

const scorer = (...queries: string[]): Bm25Scorer =>
  new Bm25Scorer(
    queries.map((surface) => ({ word: indexWords(surface)[0]!, surface, documents: 1, weight: 1 })),
    WEIGHTS.words,
  );
const coverage = (query: string[], text: string): number => scorer(...query).score([{ text, weight: 1 }]).coverage;

describe('the score of words', () => {
  it.each([
    ['studies', 'we study it'],
    ['hoping', 'I hope so'],
    ['user', 'call getUserName()'],
    ['getUserName', 'call get_user_name()'],
    ['ci', 'the CI is red'],
    ['IProjectContext', 'the type IProjectContext is new'],
    ['i', 'i am'],
    ['cafe', 'Café Zürich'],
    ['数据', '迁移了数据库'],
    ['deployed', 'Deploying now'],
  ])('finds %s in "%s"', (query, text) => {
    expect(coverage([query], text)).toBe(1);
  });

  it.each([
    ['cat', 'a category'],
    ['ci', 'facing it'],
    ['test', 'the greatest'],
  ])('does not find %s in "%s"', (query, text) => {
    expect(coverage([query], text)).toBe(0);
  });

  it('counts a word that was said before less than one that was said', () => {
    const redis = scorer('redis');
    const said = redis.score([{ text: 'use redis', weight: 1 }]).score;
    const before = redis.score([
      { text: 'use it', weight: 1 },
      { text: 'redis?', weight: 0.35, borrowed: true },
    ]);
    expect(before.score).toBeLessThan(said);
    expect(before.own).toBe(0);
  });

  it('finds exactly what the index would find', () => {
    const word = fc.constantFrom(
      'deploy',
      'tokenStore',
      'studies',
      'happy',
      'relational',
      'api',
      'running',
      'x1',
      'IProject',
      'i',
      'xI',
    );
    const text = fc.array(
      fc.oneof(
        word,
        fc.constantFrom('deployed', 'token-store.ts', 'study', 'happiness', 'relate', 'APIs', 'ran', 'x12', '—', 'é'),
        // A word in the middle of another is none, one that begins a part is.
        fc.constantFrom('redeploy', 'reDeploy', 'mytokenStore', 're.deploy', 'XMLApi', 'rapid', 'x1Running', 'RUNNING'),
      ),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(word, text, (sought, words) => {
        const written = words.join(' ');
        const indexed = new Set(indexWords(written)).has(indexWords(sought)[0]!);
        expect(coverage([sought], written) > 0).toBe(indexed);
      }),
    );
  });

  it('knows where a word ends, whatever stands beside it', () => {
    const word = fc.constantFrom('alpha', 'zulu', 'x0', 'y9', 'Ada', 'Zed', '0a', '9z', 'a', 'z');
    const between = fc.constantFrom(
      ' ',
      '`',
      '{',
      '/',
      ':',
      '@',
      '[',
      '_',
      '.',
      '-',
      '’',
      "'",
      '~',
      '(',
      ')',
      '\n',
      '',
    );
    fc.assert(
      fc.property(word, fc.array(fc.tuple(word, between), { maxLength: 8 }), (sought, parts) => {
        const written = parts.flat().join('');
        const indexed = indexWords(written).includes(indexWords(sought)[0]!);
        expect(coverage([sought], written) > 0).toBe(indexed);
      }),
      { numRuns: 500 },
    );
  });
});
