// What was said later about what was said before, from the lines of conversations to the order of results: each talk is indexed as
// a client wrote it, the relations that were found are named, and a question shows what they do to an order.

import path from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { indexTranscript } from '../../src/indexing/transcripts/index-transcript.ts';
import { recall } from '../../src/recall/recall.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../src/store/store.ts';
import { put, temporaryFolder } from '../fixtures/temporary.ts';
import { DAY, NOW, PROJECT } from '../recall/memories.ts';

let folder: string;
let store: Store;
beforeEach(async () => {
  folder = temporaryFolder();
  store = await openSqliteStore(path.join(folder, 'memory.db'));
  onTestFinished(() => store.close());
});

type Turn = readonly ['user' | 'assistant', string];

/** A conversation of so many days ago, indexed. */
async function talk(name: string, days: number, turns: readonly Turn[]): Promise<void> {
  const lines = turns.map(([role, text], at) =>
    JSON.stringify({
      type: role,
      uuid: `${name}-${at}`,
      sessionId: name,
      cwd: PROJECT,
      timestamp: new Date(NOW - days * DAY + at * 60_000).toISOString(),
      message: role === 'user' ? { role, content: text } : { role, id: `m${at}`, content: [{ type: 'text', text }] },
    }),
  );
  await indexTranscript(store, put(path.join(folder, `${name}.jsonl`), `${lines.join('\n')}\n`), {
    projectOf: () => PROJECT,
  });
}

/** Every relation in the store: "beginning of the later text > relation > beginning of the earlier one". */
async function relations(): Promise<string[]> {
  const { documents } = await store.list({ filter: { layers: ['trace'] }, order: 'ref', limit: 200 });
  const named = new Map(documents.map(({ ref, text }) => [ref, text.split(' ').slice(0, 3).join(' ')]));
  const links = await store.links({ refs: [...named.keys()], direction: 'out' });
  return links
    .filter(({ to }) => named.has(to))
    .map(({ from, to, relation, rule }) => `${named.get(from)} > ${relation} (${rule}) > ${named.get(to)}`)
    .sort();
}

const texts = async (query: string): Promise<string[]> =>
  (await recall({ store, now: NOW, timeZone: 'UTC' }, { query, projects: [PROJECT] })).results
    .filter(({ kind }) => kind !== 'span')
    .map(({ text }) => text);

describe('what replaces a decision', () => {
  const FIRST = "Let's keep the berth bookings of the harbour service in PostgreSQL.";
  const THEN = 'We no longer use PostgreSQL for the berth bookings of the harbour service, we switched to SQLite.';

  it('is known across conversations, and stands above it', async () => {
    await talk('one', 30, [['user', FIRST]]);
    await talk('two', 3, [['user', THEN]]);
    expect(await relations()).toContain("We no longer > supersedes (replaces-words) > Let's keep the");
    const found = await texts('PostgreSQL berth bookings of the harbour service');
    expect(found.indexOf(THEN)).toBeGreaterThanOrEqual(0);
    expect(found.indexOf(THEN)).toBeLessThan(found.indexOf(FIRST));
  });

  it('replaces nothing that came after it, and no other matter', async () => {
    await talk('two', 3, [['user', FIRST]]);
    await talk('one', 30, [['user', THEN]]);
    await talk('three', 40, [['user', "Let's paint the fuel dock of the PostgreSQL ferry in yellow."]]);
    expect((await relations()).filter((each) => each.includes('supersedes'))).toEqual([]);
  });

  it('may be a change that names what it removes', async () => {
    await talk('one', 30, [['user', "Let's merge both tide tables in `readTideTables()` of the harbour."]]);
    await talk('two', 3, [['user', "Let's drop the merge: remove `readTideTables()` for good."]]);
    expect((await relations()).filter((each) => each.includes('supersedes'))).toEqual([
      "Let's drop the > supersedes (replaces-name) > Let's merge both",
    ]);
  });

  it('may be a number that the user says anew', async () => {
    await talk('one', 30, [['user', 'I have 14 berths with power on my west quay.']]);
    await talk('two', 3, [['user', 'My west quay now has 17 berths with power.']]);
    expect(await relations()).toContain('My west quay > supersedes (newer-value) > I have 14');
    expect((await texts('how many berths with power on the west quay'))[0]).toBe(
      'My west quay now has 17 berths with power.',
    );
  });

  it('is not the same decision, taken once more', async () => {
    await talk('one', 30, [['user', "Let's use the ferry ticket scanner of Halyard at the main gate."]]);
    await talk('two', 3, [['user', "Let's use the ferry ticket scanner of Halyard at the main gate and the pier."]]);
    expect(await relations()).toEqual([]);
  });
});

describe('an answer', () => {
  it('of the agent stands at the end of its exchange, however much it said before', async () => {
    const between: Turn[] = Array.from({ length: 6 }, (_, at) => ['assistant', `Reading part ${at} of the log now.`]);
    await talk('one', 30, [
      ['user', 'How long may a guest of the harbour keep a berth?'],
      ...between,
      [
        'assistant',
        'The root cause is clear: a guest of the harbour may keep a berth for three weeks, because the contract says so.',
      ],
    ]);
    expect(await relations()).toContain('The root cause > answers (answered) > How long may');
  });

  it('of the user follows the question of the agent, in whatever words', async () => {
    await talk('one', 30, [
      ['user', 'Where are the tides of the harbour kept?'],
      ['assistant', 'They are in PostgreSQL today. Want me to move the tide table of the harbour to SQLite?'],
      ['user', 'yes, go ahead'],
    ]);
    expect(await relations()).toContain('Want me to > answers (replies) > Want me to');
  });

  it('of a problem is what mends it', async () => {
    await talk('one', 30, [
      ['user', 'The ticket scanner at the gate fails with a timeout on the barcode port.'],
      ['assistant', 'Fixed by opening the barcode port of the ticket scanner at the gate, the timeout is gone.'],
    ]);
    expect((await relations()).filter((each) => each.includes('mends'))).toHaveLength(1);
  });
});

describe('what is contradicted', () => {
  it('is what somebody says they never did', async () => {
    await talk('one', 30, [
      ['user', 'I rotated the signing keys of the booking gateway in May.'],
      ['assistant', 'Good to know.'],
      ['user', "I've never rotated any signing keys of the booking gateway, so where do I start?"],
    ]);
    expect(await relations()).toContain("I've never rotated > contradicts (never-and-yet) > I rotated the");
  });

  it('is a guess that did not help', async () => {
    await talk('one', 30, [
      ['assistant', 'Maybe the tide cache of the harbour returns stale values.'],
      ['assistant', 'Clearing the tide cache of the harbour did not help.'],
    ]);
    expect(await relations()).toContain('Clearing the tide > contradicts (refutes-guess) > Maybe the tide');
  });
});
