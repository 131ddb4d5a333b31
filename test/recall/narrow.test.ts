// A time and a kind that a query names are limits; where they leave nothing that is about the rest, the answer says so and has the
// nearest outside.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RecallAnswer, RecallQuery } from '../../src/recall/answer.ts';
import { recall } from '../../src/recall/recall.ts';
import type { Store } from '../../src/store/store.ts';
import { DAY, idea, NOW, openStore, PROJECT } from './memories.ts';

let store: Store;
let end: () => Promise<void>;

/** NOW is a Monday: last week was from 9 to 15 November. */
const at = (days: number) => ({ createdAt: NOW - days * DAY, updatedAt: NOW - days * DAY });

beforeAll(async () => {
  ({ store, end } = await openStore());
  await store.apply([
    idea('auth-week', 'We decided that the auth gateway signs tokens with Ed25519', { kind: 'decision', ...at(4) }),
    idea('auth-talk', 'The auth gateway tokens are signed in the gateway module', { ...at(4.1) }),
    idea('auth-old', 'We decided that the auth gateway tokens live for ten minutes', { kind: 'decision', ...at(40) }),
    idea('walrus-old', 'The walrus importer skips empty rows of the ledger', { kind: 'decision', ...at(50) }),
    idea('todo-week', 'Rotate the certificates of the staging cluster', { kind: 'todo', ...at(3) }),
    idea('bug-week', 'The nightly export crashes on umlauts', { kind: 'problem', ...at(5) }),
    idea('bug-old', 'The import crashes on empty files', { kind: 'problem', ...at(60) }),
    idea('chat-week', 'Sure, sounds good', { ...at(2) }),
  ]);
}, 60_000);
afterAll(() => end());

const ask = (query: string, more: Partial<RecallQuery> = {}): Promise<RecallAnswer> =>
  recall({ store, now: NOW, timeZone: 'UTC' }, { query, projects: [PROJECT], ...more });
const refs = ({ results }: RecallAnswer): string[] => results.map(({ ref }) => ref.slice('idea:'.length));

describe('what a query names', () => {
  it('limits by time and kind', async () => {
    const answer = await ask('decisions from last week about the auth gateway');
    expect(refs(answer)).toEqual(['auth-week']);
    expect(answer.outside).toBeUndefined();
    expect(answer.analysis).toMatchObject({ since: '2026-11-09T00:00:00.000Z', until: '2026-11-16T00:00:00.000Z' });
  });

  it('limits by time alone', async () => {
    expect(refs(await ask('auth gateway tokens last week')).sort()).toEqual(['auth-talk', 'auth-week']);
  });

  it('limits by kind alone', async () => {
    expect(refs(await ask('decisions about the auth gateway tokens')).sort()).toEqual(['auth-old', 'auth-week']);
  });

  it('is not a kind where it is only asked in passing: what answers may be of any', async () => {
    expect(refs(await ask('what did we decide about the auth gateway tokens'))).toContain('auth-talk');
    expect(refs(await ask('who signs tokens of the auth gateway in the decisions module'))).toContain('auth-talk');
  });

  it('says so where nothing of it is about the rest, and shows the nearest outside', async () => {
    const answer = await ask('decisions from last week about the walrus importer');
    expect(refs(answer)[0]).toBe('walrus-old');
    expect(answer.outside).toEqual({
      since: '2026-11-09T00:00:00.000Z',
      until: '2026-11-16T00:00:00.000Z',
      kinds: ['decision', 'constraint', 'preference'],
    });
  });

  it('keeps the kind before the time, and the time before neither', async () => {
    const answer = await ask('problems last week with the import of empty files');
    expect(refs(answer)).toEqual(['bug-old']);
    expect(answer.outside).toBeDefined();
  });

  it('lists where it is all that is asked', async () => {
    expect(refs(await ask('problems last week'))).toEqual(['bug-week']);
    expect(refs(await ask('todos'))).toEqual(['todo-week']);
    expect((await ask('decisions yesterday')).outside).toBeDefined();
  });

  it('limits nothing in a prompt, which mentions times', async () => {
    expect(refs(await ask('auth gateway tokens last week', { narrow: false }))).toContain('auth-old');
  });

  it('yields to an option', async () => {
    const answer = await ask('auth gateway tokens last week', { since: NOW - 100 * DAY, until: NOW - 20 * DAY });
    expect(refs(answer)).toEqual(['auth-old']);
  });
});

describe('a time without a question', () => {
  it('lists what there is in it, the newest first, without idle talk', async () => {
    const answer = await ask('', { since: NOW - 7 * DAY });
    expect(refs(answer)).toEqual(['todo-week', 'auth-week', 'bug-week']);
    expect(answer.outside).toBeUndefined();
  });
});
