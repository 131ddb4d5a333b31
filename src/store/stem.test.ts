// Checked against the porter tokenizer of SQLite itself, an independent implementation of the same algorithm.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openDriver } from './sqlite/driver.ts';
import { stem } from './stem.ts';

it('brings the forms of a word together', () => {
  const families = [
    ['deploy', 'deploys', 'deployed', 'deploying'],
    ['migration', 'migrations', 'migrate', 'migrated', 'migrating'],
    ['configure', 'configured', 'configuration', 'configuring'],
    ['cache', 'caches', 'cached', 'caching'],
    ['query', 'queries', 'queried'],
  ];
  for (const family of families) expect(new Set(family.map(stem)).size, family.join(' ')).toBe(1);
});

it('leaves alone what is short or has no English letters', () => {
  for (const word of ['ci', 'db', 'is', 'k8s', 'données', '数据', 'v2s', '']) expect(stem(word)).toBe(word);
});

it('agrees with the porter tokenizer of SQLite', () => {
  const endings =
    'ational tional enci anci izer bli alli entli eli ousli ization ation ator alism iveness fulness ousness aliti iviti biliti logi icate ative alize iciti ical ful ness al ance ence er ic able ible ant ement ment ent ion sion ou ism ate iti ous ive ize ed ing ies sses s es y e ee eed ll l zz ss tt'.split(
      ' ',
    );
  // Syllables as words have them: the two differ about letters in an order that no language writes, such as `yying`.
  const syllable = fc
    .tuple(
      fc.constantFrom('', ...'bcdfglmnprstvwx', 'st', 'pr'),
      fc.constantFrom(...'aeiou'),
      fc.constantFrom('', ...'bdlmnrstwxz', 'll', 'tt'),
    )
    .map((parts) => parts.join(''));
  const stemOf = fc.array(syllable, { minLength: 1, maxLength: 3 }).map((syllables) => syllables.join(''));
  const words = fc.array(
    fc.tuple(stemOf, fc.subarray(endings, { maxLength: 2 })).map(([first, rest]) => first + rest.join('')),
    {
      minLength: 50,
      maxLength: 200,
    },
  );
  const driver = openDriver(':memory:');
  driver.exec(`CREATE VIRTUAL TABLE t USING fts5 (word, tokenize = 'porter ascii');
    CREATE VIRTUAL TABLE v USING fts5vocab (t, instance)`);
  fc.assert(
    fc.property(words, (all) => {
      // A word that is nothing but an ending: the algorithm's paper and SQLite disagree about these two.
      const asked = [...new Set(all)].filter((word) => word !== 'eed' && word !== 'ies');
      driver.exec('DELETE FROM t');
      asked.forEach((word, n) => {
        driver.prepare('INSERT INTO t (rowid, word) VALUES (?, ?)').run(n + 1, word);
      });
      for (const { term, doc } of driver.prepare('SELECT term, doc FROM v').all()) {
        const word = asked[Number(doc) - 1]!;
        expect(stem(word), word).toBe(term);
      }
    }),
    { numRuns: 50 },
  );
  driver.close();
});
