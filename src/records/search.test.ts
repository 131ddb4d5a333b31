import fs from 'node:fs';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { DAY, TestShelf } from '../../test/fixtures/record-store.ts';
import { sampleContent, sampleInput } from '../../test/fixtures/sample-records.ts';
import { type ScannedRecord, scanRecords } from './scan.ts';
import { type SearchOptions, searchRecords } from './search.ts';

let recordStore: TestShelf;
beforeEach(async () => {
  recordStore = new TestShelf();
  await recordStore.create('decisions/cookie', sampleInput('decision', { tags: ['auth', 'ci'] }));
  await recordStore.create('runbooks/disk', sampleInput('runbook', { tags: ['ops'] }));
  await recordStore.create('preferences/commit', sampleInput('preference', { tags: ['git'] }));
});

const found = (query: string, options: SearchOptions = {}): [string, number][] =>
  searchRecords(recordStore, query, options).hits.map(({ scanned, score }) => [scanned.slug, score]);

describe('a search', () => {
  it('gives 3 for a tag, 2 for a title, 1 for the content, 1 more for what is recent', () => {
    expect(found('auth')).toEqual([['cookie', 4]]);
    expect(found('sign')).toEqual([['cookie', 3]]);
    expect(found('balancer')).toEqual([['cookie', 2]]);
    recordStore.time += 31 * DAY;
    expect(found('auth')).toEqual([['cookie', 3]]);
  });

  it('adds up words, counts each once, and tells what made the score', () => {
    const [hit] = searchRecords(recordStore, 'auth AUTH cookie balancer nothing').hits;
    expect(hit!.score).toBe(7);
    expect(hit!.why).toEqual([
      'tag "auth" +3',
      'title "cookie" +2',
      'content "balancer" +1',
      'changed in the last 30 days +1',
    ]);
  });

  it('finds short words exactly, longer ones by their beginning', () => {
    expect(found('ci')).toEqual([['cookie', 4]]);
    expect(found('comm')).toEqual([['commit', 3]]);
    expect(found('com')).toEqual([]);
  });

  it('finds words of every script', async () => {
    const content = sampleContent('decision', { context: '認証サーバーは再起動する' });
    await recordStore.create('decisions/jp', sampleInput('decision', { title: 'Über Größe', tags: ['認証'], content }));
    expect(found('認証')).toEqual([['jp', 4]]);
    expect(found('再起動')).toEqual([['jp', 2]]);
    expect(found('größe')).toEqual([['jp', 3]]);
  });

  it('puts the better first, then the more important category, then the path', async () => {
    await recordStore.create('decisions/aaa', sampleInput('decision', { title: 'Other', tags: ['git'] }));
    expect(found('git')).toEqual([
      ['aaa', 4],
      ['commit', 4],
    ]);
    expect(found('git imperative')[0]?.[0]).toBe('commit');
  });

  it('leaves out retired and archived records unless told otherwise', async () => {
    await recordStore.retire('decisions/cookie');
    await recordStore.archive('runbooks/disk');
    expect(found('auth ops')).toEqual([]);
    expect(found('auth ops', { includeRetired: true }).map(([slug]) => slug)).toEqual(['cookie', 'disk']);
  });

  it('may be held to a category and a number, and knows categories that are off', () => {
    expect(found('auth ops git', { category: 'runbook' }).map(([slug]) => slug)).toEqual(['disk']);
    expect(found('auth ops git', { limit: 2 })).toHaveLength(2);
    recordStore.rules.categories.runbook.enabled = false;
    expect(found('ops')).toEqual([]);
  });

  it('for nothing, or for what nobody wrote, finds nothing', () => {
    for (const query of ['', '   ', '!?', 'zeppelin', '.*']) expect(found(query)).toEqual([]);
  });

  it('works without an index, and is not stopped by a broken file', () => {
    recordStore.plant('decisions/broken', '{');
    expect(found('auth')).toHaveLength(1);
  });

  it('finds what taking every text apart into its words finds', () => {
    const text = fc.array(fc.constantFrom(...WORDS), { maxLength: 6 }).map((words) => words.join(' '));
    const record = fc.record({ title: text, tags: fc.array(text, { maxLength: 3 }), steps: fc.array(text) });
    fc.assert(
      fc.property(fc.array(record, { minLength: 1, maxLength: 6 }), text, fc.nat(4), (records, query, most) => {
        const shelf = new TestShelf();
        for (const [at, { title, tags, steps }] of records.entries())
          shelf.plant(`runbooks/r${at}`, JSON.stringify({ title, tags, content: { steps } }));
        const hits = searchRecords(shelf, query, { limit: most + 1 }).hits;
        const expected = scanRecords(shelf).records.map((each) => [each.slug, pointsOf(each, query)] as const);
        const wanted = expected.filter(([, points]) => points > 0).sort(([, a], [, b]) => b - a);
        expect(hits.map(({ scanned, score }) => [scanned.slug, score])).toEqual(wanted.slice(0, most + 1));
        fs.rmSync(shelf.base, { recursive: true });
      }),
      { numRuns: 60 },
    );
  });
});

const WORDS = [
  'migrat',
  'Migration',
  'ci',
  'ci/cd',
  'K8S',
  '認証',
  '認証システム',
  'İstanbul',
  'ΟΔΟΣ',
  'οδοσ',
  'naïve',
  '42',
  'a\nb',
  '"x',
];

/** The same by the rule alone: words of three or fewer letters whole, longer ones by their beginning, other scripts anywhere in a word. */
function pointsOf({ title, tags, record }: ScannedRecord, query: string): number {
  const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const has = (text: string, word: string): boolean =>
    wordsOf(text).some((each) => {
      if (each === word) return true;
      return /[^\x00-\x7f]/.test(word) ? each.includes(word) : word.length > 3 && each.startsWith(word);
    });
  return [...new Set(wordsOf(query))].reduce((sum, word) => {
    if (tags.some((tag) => tag.toLowerCase() === word || wordsOf(tag).includes(word))) return sum + 3;
    return sum + (has(title, word) ? 2 : has(JSON.stringify(record.content), word) ? 1 : 0);
  }, 0);
}
