import { beforeEach, describe, expect, it } from 'vitest';
import { DAY, TestShelf } from '../../test/fixtures/record-store.ts';
import { sampleContent, sampleInput } from '../../test/fixtures/sample-records.ts';
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
});
