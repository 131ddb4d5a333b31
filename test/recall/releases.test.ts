import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recall } from '../../src/recall/recall.ts';
import { type Release, readRelease } from '../../src/recall/releases.ts';
import type { Store } from '../../src/store/store.ts';
import { DAY, idea, NOW, openStore, PROJECT, record } from './memories.ts';

let store: Store;
let end: () => Promise<void>;
beforeEach(async () => {
  ({ store, end } = await openStore());
});
afterEach(() => end());

const TAGS: readonly Release[] = [
  { name: 'v1.0.0', time: NOW - 90 * DAY },
  { name: 'nightly', time: NOW - 2 * DAY },
  { name: 'app@2.0.0', time: NOW - 30 * DAY },
  { name: 'v2.0.1', time: NOW - 20 * DAY },
  { name: 'v3.0.0', time: NOW + DAY },
];
const read = (text: string, tags: readonly Release[] = TAGS) =>
  readRelease(text, { store, projects: [PROJECT], now: NOW, tags: async () => tags });
/** Days before now: [since, until]. */
const days = async (text: string, tags?: readonly Release[]): Promise<(number | undefined)[]> => {
  const { since, until } = await read(text, tags);
  return [since, until].map((time) => (time === undefined ? undefined : (NOW - time) / DAY));
};

describe('times that a release names', () => {
  it.each([
    ['what did we change before the release', undefined, 20],
    ['bugs since the last release', 20, undefined],
    ['bugs after the previous release', 30, undefined],
    ['since the first release', 90, undefined],
    ['open questions before v2.0', undefined, 30],
    ['before version 2.0.0', undefined, 30],
    ['until release 1.0', undefined, 90],
    ['since the v1 release', 90, undefined],
    ['since v2.0.1', 20, undefined],
  ])('reads "%s"', async (text, since, until) => {
    expect(await days(text)).toEqual([since, until]);
  });

  it.each([
    'the release process',
    'how do we release',
    'before the release notes are written',
    'since versioning is hard',
    'before v',
  ])('leaves "%s" alone', async (text) => {
    expect(await read(text)).toEqual({ since: undefined, until: undefined, rest: text, named: undefined });
  });

  it('takes what it understood out of the query, and says which release it was', async () => {
    expect(await read('why did we drop Redis before v2.0 in the shop')).toMatchObject({
      rest: expect.stringMatching(/^why did we drop Redis {2}?in the shop$|^why did we drop Redis\s+in the shop$/),
      named: { phrase: 'before v2.0', release: { name: 'app@2.0.0' } },
    });
  });

  it('knows a release by the commit or the record that names it, where there are no tags', async () => {
    await store.apply([
      idea('c1', 'Committed: chore(release): 1.4.0', { createdAt: NOW - 50 * DAY }),
      idea('c2', 'Committed: Fix the version check of 1.4.0 logs', { createdAt: NOW - 40 * DAY, status: 'retired' }),
      idea('talk', 'We should release 1.5.0 soon', { createdAt: NOW - 5 * DAY }),
      record('launch', 'Released 1.5.0 to everybody', 'At last', { createdAt: NOW - 3 * DAY }),
    ]);
    expect(await days('before 1.4', [])).toEqual([undefined, undefined]); // a number alone may be anything
    expect(await days('before v1.4', [])).toEqual([undefined, 50]);
    expect(await days('since the release', [])).toEqual([3, undefined]);
    expect(await days('since release 1.5.0', [])).toEqual([3, undefined]);
  });

  it('searches for the words of a release that nobody knows, and says so', async () => {
    await store.apply([idea('plan', 'Before v9 we must drop the old login')]);
    const answer = await recall(
      { store, now: NOW, tags: async () => TAGS },
      { query: 'login before v9', projects: [PROJECT] },
    );
    expect(answer.analysis).toMatchObject({
      since: null,
      until: null,
      release: { phrase: 'before v9', name: null, at: null },
    });
    expect(answer.analysis.terms).toContain('v9');
    expect(answer.results[0]?.ref).toBe('idea:plan');
  });

  it('prefers what was said in that time, and keeps the rest', async () => {
    await store.apply([
      idea('old', 'Redis keeps the sessions of the shop', { createdAt: NOW - 60 * DAY }),
      idea('new', 'Redis keeps the sessions of the shop, still', { createdAt: NOW - 5 * DAY }),
    ]);
    const ask = async (query: string): Promise<unknown> => {
      const answer = await recall({ store, now: NOW, tags: async () => TAGS }, { query, projects: [PROJECT] });
      return [answer.analysis.release?.name, answer.results[0]?.ref];
    };
    expect(await ask('redis sessions before v2.0')).toEqual(['app@2.0.0', 'idea:old']);
    expect(await ask('redis sessions since v2.0')).toEqual(['app@2.0.0', 'idea:new']);
  });

  it('stays quick on text made to be slow', async () => {
    const text = `before ${'the last release of version v1.1.1.1-a.a.a.a '.repeat(60)}${'1.'.repeat(500)}`;
    expect((await read(text)).named?.phrase).toContain('before');
  });
});
