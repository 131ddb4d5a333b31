import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Statement } from '../../extraction/relations/relations-of.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import type { Change, Store } from '../../store/store.ts';
import { EarlierStatements } from './earlier-statements.ts';

let folder: string;
let store: Store;
beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cairn-earlier-'));
  store = await openSqliteStore(path.join(folder, 'memory.db'));
});
afterEach(async () => {
  await store.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

const idea = (ref: string, session: string, text: string, kind = 'decision', status = 'active'): Change => ({
  op: 'put',
  document: {
    ref,
    project: 'p',
    layer: 'trace',
    kind,
    status,
    title: text,
    text,
    tags: [],
    confidence: 0.8,
    createdAt: 1,
    updatedAt: 1,
    session,
    hash: text,
    meta: { role: 'user', stance: 'confirmed' },
  },
});
const topic = (ref: string, session: string): Change => idea(ref, session, `About ${ref}`, 'span');
const said: Statement = {
  ref: 'idea:new',
  text: 'We replaced the gateway cache with the scheduler table',
  intent: 'decision',
  stance: 'stated',
  role: 'user',
  session: 'now',
  span: undefined,
  line: 9,
  time: 5,
  entities: [],
  exchange: 0,
  topic: undefined,
  worth: 0.5,
};
const place = { project: 'p', session: 'now', thread: 'now', file: '/t.jsonl' };
const texts = (found: readonly Statement[]): string[] => found.map(({ text }) => text);

describe('earlier statements', () => {
  it('are those of other conversations that share telling words, as they were said', async () => {
    await store.apply([
      topic('span:a', 'then'),
      idea('idea:a', 'then', 'The gateway cache goes into the scheduler table'),
      idea('idea:b', 'now', 'The gateway cache stays out of the scheduler table'),
      idea('idea:c', 'then', 'Invoices are printed on Mondays'),
    ]);
    const found = await new EarlierStatements(store).for(said, place);
    expect(found).toMatchObject([{ ref: 'idea:a', session: 'then', role: 'user', stance: 'confirmed', time: 1 }]);
  });

  it('are not looked for where nothing can be meant', async () => {
    await store.apply([
      topic('span:a', 'then'),
      idea('idea:a', 'then', 'The gateway cache goes into the scheduler table'),
    ]);
    const earlier = new EarlierStatements(store);
    expect(await earlier.for({ ...said, intent: 'context', role: 'assistant' }, place)).toEqual([]);
    expect(await earlier.for({ ...said, text: 'We replaced it' }, place)).toEqual([]);
    expect(await earlier.for({ ...said, text: 'The gateway cache is a scheduler table' }, place)).toEqual([]);
  });

  it('are the same objects when they are found again, until they are to be forgotten', async () => {
    await store.apply([
      topic('span:a', 'then'),
      idea('idea:a', 'then', 'The gateway cache goes into the scheduler table'),
    ]);
    const earlier = new EarlierStatements(store);
    const [first] = await earlier.for(said, place);
    expect((await earlier.for(said, place))[0]).toBe(first);
    await store.apply([idea('idea:a', 'then', 'The gateway cache leaves the scheduler table')]);
    earlier.forget();
    expect(texts(await earlier.for(said, place))).toEqual(['The gateway cache leaves the scheduler table']);
  });

  it('are there from the second conversation on, however many topics the first one has', async () => {
    const own = Array.from({ length: 12 }, (_, at) => topic(`span:own-${at}`, 'now'));
    await store.apply([...own.slice(0, 3), idea('idea:b', 'now', 'The gateway cache is no scheduler table')]);
    expect(await new EarlierStatements(store).for(said, place)).toEqual([]);
    await store.apply([
      ...own,
      topic('span:a', 'then'),
      idea('idea:a', 'then', 'A gateway cache for the scheduler table'),
    ]);
    expect(texts(await new EarlierStatements(store).for(said, place))).toEqual([
      'A gateway cache for the scheduler table',
    ]);
  });

  it('are looked up by the name of what is gone', async () => {
    await store.apply([
      topic('span:a', 'then'),
      idea('idea:a', 'then', '`readTides()` merges both tables', 'solution'),
      idea('idea:b', 'then', 'Nothing calls anything there', 'solution'),
      idea('idea:c', 'then', 'The cause is readTides()', 'conclusion'),
    ]);
    const removed = {
      ...said,
      intent: 'solution',
      role: 'assistant',
      text: 'Removed `readTides()`, nothing calls it',
    } as const;
    expect(texts(await new EarlierStatements(store).at(place).for(removed))).toEqual([
      '`readTides()` merges both tables',
    ]);
  });
});

describe('what other conversations left open', () => {
  it('is what is open there, as long as this one is read', async () => {
    await store.apply([
      idea('idea:a', 'then', 'Rotate the tokens', 'todo', 'open'),
      idea('idea:b', 'then', 'Write a test', 'todo', 'done'),
      idea('idea:c', 'now', 'Paint the dock', 'todo', 'open'),
      idea('idea:d', 'then', 'Keep the cache', 'decision', 'open'),
    ]);
    const earlier = new EarlierStatements(store);
    const left = await earlier.at(place).open();
    expect(left).toMatchObject([{ ref: 'idea:a', text: 'Rotate the tokens', session: 'then' }]);
    await store.apply([idea('idea:e', 'then', 'Close the pier', 'todo', 'open')]);
    expect(await earlier.at(place).open()).toBe(left);
    expect(texts(await earlier.at({ ...place, session: 'then' }).open())).toEqual(['Paint the dock']);
    earlier.forget();
    expect(texts(await earlier.at(place).open()).sort()).toEqual(['Close the pier', 'Rotate the tokens']);
  });

  it('is nothing that somebody only pasted', async () => {
    const pasted = idea('idea:a', 'then', 'Rotate the tokens', 'todo', 'open');
    if (pasted.op === 'put')
      await store.apply([
        { ...pasted, document: { ...pasted.document, meta: { role: 'user', speaker: 'user', provenance: 'pasted' } } },
      ]);
    expect(await new EarlierStatements(store).at(place).open()).toEqual([]);
  });
});
