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
  const FIRST = 'We decided to keep the berth bookings in PostgreSQL for the harbour service.';
  const THEN = 'We switched the harbour service to SQLite instead of PostgreSQL for the berth bookings.';

  it('is known across conversations, and stands above it', async () => {
    await talk('one', 30, [
      ['user', 'Where do we keep the berth bookings?'],
      ['assistant', FIRST],
    ]);
    await talk('two', 3, [
      ['user', 'What changed for the berth bookings?'],
      ['assistant', THEN],
    ]);
    expect(await relations()).toContain('We switched the > supersedes (replacing-words) > We decided to');
    const found = await texts('PostgreSQL berth bookings of the harbour service');
    expect(found.indexOf(THEN)).toBeGreaterThanOrEqual(0);
    expect(found.indexOf(THEN)).toBeLessThan(found.indexOf(FIRST));
  });

  it('replaces nothing that came after it, and no other matter', async () => {
    await talk('two', 3, [['assistant', FIRST]]);
    await talk('one', 30, [['assistant', THEN]]);
    await talk('three', 40, [['assistant', 'We decided to paint the fuel dock in yellow for the summer season.']]);
    expect((await relations()).filter((each) => each.includes('supersedes'))).toEqual([]);
  });

  it('may be a number that the user says anew', async () => {
    await talk('one', 30, [['user', 'I have 14 berths with power on my west quay.']]);
    await talk('two', 3, [['user', 'My west quay now has 17 berths with power.']]);
    expect(await relations()).toContain('My west quay > supersedes (newer-value) > I have 14');
    expect((await texts('how many berths with power on the west quay'))[0]).toBe(
      'My west quay now has 17 berths with power.',
    );
  });

  it('may be the same decision, taken once more by the user', async () => {
    await talk('one', 30, [['user', "Let's use the ferry ticket scanner of Halyard at the main gate."]]);
    await talk('two', 3, [['user', "Let's use the ferry ticket scanner of Halyard at the main gate and the pier."]]);
    expect((await relations()).filter((each) => each.includes('supersedes'))).toEqual([
      "Let's use the > supersedes (decided-again) > Let's use the",
    ]);
  });
});

describe('an answer', () => {
  it('belongs to the question of the other side, soon after it', async () => {
    await talk('one', 30, [
      ['user', 'Which database should the tide table of the harbour use?'],
      ['assistant', 'We decided to use SQLite for the tide table of the harbour.'],
    ]);
    expect(await relations()).toContain('We decided to > answers (follows-question) > Which database should');
  });

  it('may come later in its words, but not when it leaves the matter open', async () => {
    const between: Turn[] = Array.from({ length: 3 }, (_, at) => ['assistant', `Reading part ${at} of the log now.`]);
    const asked: Turn = ['user', 'How long may a guest of the harbour keep a berth?'];
    await talk('one', 30, [
      asked,
      ...between,
      ['assistant', 'A guest may keep a berth of the harbour for three weeks.'],
    ]);
    await talk('two', 29, [
      asked,
      ...between,
      ['assistant', 'How long a guest may keep a berth of the harbour is still open.'],
    ]);
    const found = (await relations()).filter((each) => each.includes('answers'));
    expect(found).toEqual(['A guest may > answers (question-words) > How long may']);
  });

  it('of a problem is what mends it', async () => {
    await talk('one', 30, [
      ['user', 'The ticket scanner at the gate fails with a timeout on the barcode port.'],
      ['assistant', 'Fixed by opening the barcode port of the ticket scanner at the gate, the timeout is gone.'],
    ]);
    expect((await relations()).filter((each) => each.includes('solves-problem'))).toHaveLength(1);
  });
});

describe('what is opposed or added to', () => {
  it('is contradicted by who says that it never was', async () => {
    await talk('one', 30, [
      ['user', 'I rotated the signing keys of the booking gateway in May.'],
      ['assistant', 'Good to know.'],
      ['user', "I've never rotated any signing keys of the booking gateway, so where do I start?"],
    ]);
    expect(await relations()).toContain("I've never rotated > contradicts (never-and-yet) > I rotated the");
  });

  it('is contradicted where a guess did not help', async () => {
    await talk('one', 30, [
      ['assistant', 'Maybe the tide cache of the harbour returns stale values.'],
      ['assistant', 'Clearing the tide cache of the harbour did not help.'],
    ]);
    expect(await relations()).toContain('Clearing the tide > contradicts (hypothesis-failed) > Maybe the tide');
  });

  it('is built on by who adds to it', async () => {
    await talk('one', 30, [
      ['user', 'We decided that the berth map of the harbour is drawn as SVG.'],
      ['assistant', 'Additionally, the berth map of the harbour gets a print view as SVG.'],
    ]);
    expect(await relations()).toContain('Additionally, the berth > builds_on (adding-words) > We decided that');
  });
});
