// A path in a question brings what is known about that file first: its summary, what was written down about it, decisions, what changed it.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RecallQuery, RecallResult } from '../../src/recall/answer.ts';
import { recall } from '../../src/recall/recall.ts';
import type { Change, Store } from '../../src/store/store.ts';
import { idea, NOW, openStore, record } from '../recall/memories.ts';
import { daysAgo, hashEmbedder } from './scene.ts';

let store: Store;
let end: () => Promise<void>;
beforeEach(async () => {
  ({ store, end } = await openStore());
});
afterEach(() => end());

const FILE = 'src/auth/session.ts';
const about = (change: Change, ...files: string[]): Change =>
  change.op === 'put' ? { ...change, mentions: files.map((entity) => ({ entity, kind: 'file', count: 1 })) } : change;
const exchange = (name: string, asked: string, files: string[], days: number): Change =>
  about(
    idea(name, `Asked: ${asked}\nFiles: ${files.join(', ')}`, {
      ref: `span:${name}`,
      kind: 'span',
      title: asked,
      meta: { level: 'exchange', asked, files },
      ...daysAgo(days),
    }),
    ...files,
  );
const note = (name: string, file: string): Change =>
  about(
    idea(name, 'Keeps who is signed in; exports open and close.', {
      ref: `note:${name}`,
      layer: 'note',
      kind: 'file-summary',
      title: file,
      context: file,
      meta: { files: [{ path: file }] },
    }),
    file,
  );
const commit = (name: string, subject: string, file: string): Change =>
  about(
    idea(name, `Files: ${file}`, {
      ref: `commit:${name}`,
      layer: 'commit',
      kind: 'commit',
      title: subject,
      meta: { changed: [file] },
    }),
    file,
  );

/** Talk that has all words of the path, more often than anything else. */
const chatter = Array.from({ length: 12 }, (_, at) =>
  idea(`talk${at}`, `src auth session ts: the auth session in src, session ${at}, ts session, ${FILE}`),
);
const known: Change[] = [
  ...chatter,
  note('file-src-auth-session-ts', FILE),
  about(record('cookie', 'Sessions live in a cookie', 'Because the shop has no database for them.'), FILE),
  about(idea('ttl', 'We decided that a session lives for an hour.', { kind: 'decision' }), FILE),
  exchange('older', 'Sign people out when they close the tab.', [FILE], 20),
  exchange('newer', 'Let people stay signed in.', [FILE, 'src/auth/login.ts'], 5),
  exchange('other', 'Print invoices.', ['src/invoice.ts'], 5),
  commit('abc', 'Stay signed in', FILE),
];

const ask = async (
  query: string,
  more: Partial<RecallQuery> = {},
  vectors = false,
): Promise<readonly RecallResult[]> => {
  const deps = { store, now: NOW, timeZone: 'UTC', ...(vectors ? { embedder: hashEmbedder } : {}) };
  return (await recall(deps, { query, limit: 10, ...more })).results;
};
const refs = async (query: string, more: Partial<RecallQuery> = {}): Promise<string[]> =>
  (await ask(query, more)).map(({ ref }) => ref);

const ORDER = [
  'note:file-src-auth-session-ts',
  'record:decisions/cookie',
  'idea:ttl',
  'span:newer',
  'span:older',
  'commit:abc',
];

describe('a path', () => {
  it.each([
    FILE,
    'session.ts',
    'auth/session.ts',
    `./${FILE}`,
    'what do we know about session.ts?',
    `tell me about ${FILE}`,
  ])('brings what is known about its file, in this order, before all words: %s', async (query) => {
    await store.apply(known);
    const results = await ask(query);
    expect(results.slice(0, ORDER.length).map(({ ref }) => ref)).toEqual(ORDER);
    expect(results[0]?.relevance).toBeGreaterThan(0.5);
    expect(results[0]?.why.map(({ strategy }) => strategy)).toContain('path');
  });

  it('leads to nothing about another file of a like name', async () => {
    await store.apply([...known, note('file-other-session-ts', 'src/shop/my-session.ts')]);
    expect((await refs('session.ts')).slice(0, ORDER.length)).toEqual(ORDER);
    expect(await refs('src/invoice.ts')).not.toContain('note:file-src-auth-session-ts');
  });

  it('of a name in humps is one, too', async () => {
    const file = 'src/ui/ShareDialog.tsx';
    const talk = Array.from({ length: 5 }, (_, at) =>
      idea(`share${at}`, `Share dialog ${at}: the ShareDialog.tsx shares`),
    );
    await store.apply([...talk, exchange('share', 'Let people share a cart.', [file], 5)]);
    await store.apply([about(exchange('shared', 'Make the button larger.', [file], 9), file.toLowerCase())]);
    expect((await refs('what do we know about ShareDialog.tsx'))[0]).toBe('span:shared');
  });

  it('brings six of each, whatever else names the file', async () => {
    const topics = Array.from({ length: 9 }, (_, at) =>
      about(idea(`t${at}`, `Topic ${at}`, { kind: 'span', meta: { level: 'topic' }, ...daysAgo(1) }), FILE),
    );
    const work = Array.from({ length: 8 }, (_, at) =>
      exchange(`e${at}`, `Asked for thing number ${at}.`, [FILE], 10 + at),
    );
    await store.apply([...topics, ...work]);
    const found = await ask(FILE, { limit: 50 });
    const byPath = found.filter(({ why }) => why.some(({ strategy }) => strategy === 'path')).map(({ ref }) => ref);
    expect(byPath.sort()).toEqual(['span:e0', 'span:e1', 'span:e2', 'span:e3', 'span:e4', 'span:e5']);
  });

  it('beside other words only helps: what answers them stays first', async () => {
    await store.apply([...known, idea('answer', `The scheduler crashed because ${FILE} leaks timers.`)]);
    expect((await refs(`why did the scheduler crash with leaking timers in ${FILE}?`))[0]).toBe('idea:answer');
  });

  it('is looked for within what was asked for', async () => {
    await store.apply(known);
    expect(await refs(FILE, { layers: ['note'] })).toEqual(['note:file-src-auth-session-ts']);
    expect((await refs(FILE, { layers: ['trace'] }))[0]).toBe('idea:ttl');
    expect((await refs(FILE, { since: NOW - 6 * 86_400_000 }))[0]).toBe('span:newer');
  });

  it('in a prompt changes nothing of what may be told', async () => {
    await store.apply(known);
    const told = await ask(FILE, { unasked: { isTelling: () => true } });
    expect(told.flatMap(({ why }) => why.map(({ strategy }) => strategy))).not.toContain('path');
    expect(told.map(({ layer }) => layer)).not.toContain('commit');
  });
});
