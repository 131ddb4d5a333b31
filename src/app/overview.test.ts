// What an overview is made of: exchanges where there are some, the statements of a topic where there are none yet.

import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/fixtures/temporary.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { Document, Store } from '../store/store.ts';
import { type Overview, overviewOf } from './overview.ts';
import { overviewText } from './overview-text.ts';

const PROJECT = '/projects/shop';
const NOW = new Date(2026, 1, 22, 12);
const at = (day: number, hour: number): number => new Date(2026, 1, day, hour).getTime();

let store: Store;
beforeEach(async () => {
  store = await openSqliteStore(path.join(temporaryFolder(), 'memory.db'));
});
afterEach(() => store.close());

type Row = Partial<Document> & Pick<Document, 'ref' | 'createdAt'>;
const put = (...rows: Row[]): Promise<void> =>
  store.apply(
    rows.map((row, place) => ({
      op: 'put' as const,
      document: {
        project: PROJECT,
        layer: 'trace',
        kind: 'span',
        status: 'active',
        title: row.ref,
        text: '',
        tags: [],
        confidence: 0.9,
        updatedAt: row.createdAt + 60_000,
        session: 's1',
        hash: row.ref,
        source: { file: '/t/s1.jsonl', line: 10 * place + 1 },
        ...row,
      },
    })),
  );
const overview = (
  query: { kind?: Overview['kind']; since?: number; until?: number; limit?: number } = {},
): Promise<Overview> => overviewOf(store, { kind: 'done', projects: [PROJECT], now: NOW, ...query });
const text = async (query = {}, width = 80): Promise<string> =>
  overviewText(await overview(query), { width, now: NOW });

describe('an overview', () => {
  it('takes from exchanges what was asked, came out, was decided, committed and left', async () => {
    await put(
      {
        ref: 'span:t',
        title: 'Rotate the keys',
        createdAt: at(20, 9),
        updatedAt: at(20, 11),
        meta: { level: 'topic', turns: 6 },
      },
      {
        ref: 'span:e1',
        span: 'span:t',
        createdAt: at(20, 9),
        meta: {
          level: 'exchange',
          asked: 'Rotate the keys',
          outcome: 'A plan',
          decided: ['Keys live for a week'],
          commits: ['feat: rotate keys'],
          files: ['src/keys.ts'],
          left: ['Write the runbook'],
        },
      },
      {
        ref: 'span:e2',
        span: 'span:t',
        createdAt: at(20, 10),
        meta: {
          level: 'exchange',
          outcome: 'Keys rotate every night',
          decided: ['Keys live for a week'],
          fixed: ['The clock skew'],
          commits: [{ hash: 'abc', subject: 'fix: clock skew' }],
          files: ['src/keys.ts', 'src/clock.ts'],
          left: ['Alert when it fails'],
        },
      },
      {
        ref: 'idea:x',
        span: 'span:e2',
        kind: 'decision',
        text: 'Chatter that looks like a decision',
        createdAt: at(20, 10),
        meta: { role: 'user' },
      },
    );
    const { days, totals } = await overview();
    expect(days.map(({ day }) => day)).toEqual(['2026-02-20']);
    expect(days[0]?.sessions[0]?.topics).toEqual([
      expect.objectContaining({
        ref: 'span:t',
        title: 'Rotate the keys',
        outcome: 'Keys rotate every night',
        decided: [{ text: 'Keys live for a week', ref: 'span:e1' }],
        fixed: [{ text: 'The clock skew', ref: 'span:e2' }],
        commits: [
          { text: 'feat: rotate keys', ref: 'span:e1' },
          { text: 'fix: clock skew', ref: 'span:e2' },
        ],
        left: [{ text: 'Alert when it fails', ref: 'span:e2' }],
        files: ['src/keys.ts', 'src/clock.ts'],
      }),
    ]);
    expect(totals).toEqual({ sessions: 1, topics: 1, decisions: 1, commits: 2 });
  });

  it('falls back on the statements of a topic and of its parts', async () => {
    await put(
      { ref: 'span:t', title: 'Move to Redis', createdAt: at(20, 9), meta: { depth: 0, turns: 8, start: 1, end: 50 } },
      { ref: 'span:p', span: 'span:t', createdAt: at(20, 10), meta: { depth: 1, turns: 3 } },
      {
        ref: 'idea:1',
        span: 'span:t',
        kind: 'decision',
        text: 'Where? — Redis',
        createdAt: at(20, 9),
        meta: { role: 'user', branch: 'redis' },
      },
      {
        ref: 'idea:2',
        span: 'span:t',
        kind: 'decision',
        text: 'More questions? — Next area',
        createdAt: at(20, 9),
        meta: { role: 'user' },
      },
      {
        ref: 'idea:3',
        span: 'span:p',
        kind: 'solution',
        text: 'Sessions are in Redis now.',
        createdAt: at(20, 10),
        meta: { role: 'assistant' },
      },
      {
        ref: 'idea:4',
        span: 'span:p',
        kind: 'conclusion',
        text: 'Committed: feat: sessions in redis\n\nbody',
        createdAt: at(20, 10),
        meta: { role: 'assistant' },
      },
      {
        ref: 'idea:5',
        span: 'span:t',
        kind: 'decision',
        text: 'Worthless',
        createdAt: at(20, 10),
        meta: { role: 'user', worth: 0.1 },
      },
      {
        ref: 'idea:6',
        span: 'span:t',
        kind: 'solution',
        text: 'Only to be found',
        createdAt: at(20, 11),
        meta: { role: 'assistant', search_only: true },
      },
    );
    const { days } = await overview();
    const [session] = days[0]?.sessions ?? [];
    expect(session).toMatchObject({ session: 's1', branch: 'redis', more_topics: 0 });
    expect(session?.topics).toEqual([
      expect.objectContaining({
        outcome: 'Sessions are in Redis now.',
        decided: [{ text: 'Where? — Redis', ref: 'idea:1' }],
        commits: [{ text: 'feat: sessions in redis', ref: 'idea:4' }],
        left: [],
      }),
    ]);
  });

  it('has the days of the time, the newest first, also of what began before it and went on', async () => {
    await put(
      { ref: 'span:a', session: 'a', title: 'Long ago', createdAt: at(10, 9) },
      { ref: 'span:b', session: 'b', title: 'Over midnight', createdAt: at(15, 23), updatedAt: at(16, 1) },
      { ref: 'span:c', session: 'c', title: 'In it', createdAt: at(18, 9) },
      { ref: 'span:d', session: 'd', title: 'After it', createdAt: at(21, 9) },
      {
        ref: 'span:sub',
        session: 'c',
        title: 'Of a subagent',
        createdAt: at(18, 9),
        source: { file: '/t/agent-1.jsonl', line: 1 },
      },
    );
    const { days } = await overview({ since: at(16, 0), until: at(20, 0) });
    expect(
      days.map(({ day, sessions }) => [day, sessions.flatMap(({ topics }) => topics.map(({ title }) => title))]),
    ).toEqual([
      ['2026-02-18', ['In it']],
      ['2026-02-16', ['Over midnight']],
    ]);
  });

  it('says where the last day is, if the time is empty', async () => {
    await put({ ref: 'span:a', title: 'Before', createdAt: at(10, 9) });
    expect(await overview({ since: at(16, 0), until: at(17, 0) })).toMatchObject({
      days: [],
      nearest_day: '2026-02-10',
    });
    expect(await text({ since: at(16, 0), until: at(17, 0) })).toBe(
      'No conversation is known on 2026-02-16. The nearest is of 2026-02-10: cairn log --day 2026-02-10',
    );
  });

  it('leaves short topics of which nothing came to a number, and what is too much too', async () => {
    await put(
      { ref: 'span:a', title: 'Work', createdAt: at(20, 9), meta: { turns: 20 } },
      { ref: 'span:b', title: 'Thanks', createdAt: at(20, 10), meta: { turns: 2 } },
      { ref: 'span:c', session: 's2', title: 'Earlier', createdAt: at(19, 9), meta: { turns: 20 } },
    );
    expect((await overview()).days[0]?.sessions[0]).toMatchObject({ topics: [{ title: 'Work' }], more_topics: 1 });
    expect(await overview({ limit: 2 })).toMatchObject({ omitted: 1, totals: { topics: 3 } });
    expect(await text({ limit: 2 })).toContain('… and 1 earlier topic: cairn log --limit 3');
  });

  it('tells what is open, and where things stand', async () => {
    await put(
      { ref: 'span:a', title: 'Work', createdAt: at(20, 9), meta: { turns: 20 } },
      { ref: 'span:old', session: 's0', title: 'Old work', createdAt: at(2, 9), meta: { turns: 20 } },
      { ref: 'span:mid', session: 's9', title: 'Before that', createdAt: at(18, 9), meta: { turns: 20 } },
      {
        ref: 'idea:q',
        span: 'span:a',
        kind: 'question',
        text: 'Who signs the release?',
        status: 'open',
        createdAt: at(20, 9),
        meta: { role: 'user' },
      },
      {
        ref: 'idea:t',
        span: 'span:a',
        kind: 'todo',
        text: 'Rotate the keys',
        status: 'open',
        createdAt: at(20, 10),
        meta: { role: 'assistant', worth: 0.9 },
      },
      {
        ref: 'idea:d',
        span: 'span:a',
        kind: 'todo',
        text: 'Done already',
        status: 'done',
        createdAt: at(20, 10),
        meta: { role: 'user', worth: 0.9 },
      },
      {
        ref: 'idea:w',
        span: 'span:a',
        kind: 'todo',
        text: 'I will look at it now',
        status: 'open',
        createdAt: at(20, 10),
        meta: { role: 'assistant', worth: 0.1 },
      },
      { ref: 'record:tech-debt/x', layer: 'record', kind: 'tech_debt', title: 'Old importer', createdAt: at(1, 9) },
    );
    const open = await overview({ kind: 'open' });
    expect(open.open.map(({ text: said }) => said)).toEqual([
      'Rotate the keys',
      'Who signs the release?',
      'Old importer',
    ]);
    expect(open.days).toEqual([]);
    const status = await overview({ kind: 'status' });
    expect(status.days.map(({ day }) => day)).toEqual(['2026-02-20', '2026-02-18']);
    expect(status.open).toHaveLength(3);
    expect(await text({ kind: 'status' })).toMatch(
      /Friday, 2026-02-20[\s\S]*Still open\n {2}2026-02-20 todo: Rotate the keys {2}idea:t/,
    );
  });
});

describe('its text', () => {
  it('fits in the width, is cleaned, and keeps the refs', async () => {
    const long = 'a rather long sentence that goes on and on '.repeat(12);
    await put(
      {
        ref: 'span:t',
        title: `**Bold** \u001b[31mtitle ${long}`,
        createdAt: at(22, 9),
        meta: { level: 'topic', turns: 9 },
      },
      {
        ref: 'span:e',
        span: 'span:t',
        createdAt: at(22, 9),
        meta: {
          level: 'exchange',
          outcome: long,
          decided: [long, 'b', 'c', 'd'],
          commits: ['fix: x'],
          left: ['later'],
        },
      },
    );
    for (const width of [50, 80, 120]) {
      const lines = (await text({}, width)).split('\n');
      expect(Math.max(...lines.map((each) => [...each].length))).toBeLessThanOrEqual(width);
      expect(lines.filter((each) => each.includes('span:e')).length).toBeGreaterThanOrEqual(3);
    }
    const shown = await text();
    expect(shown).not.toMatch(/\*\*|\u001b/);
    expect(shown).toContain('Sunday, 2026-02-22, today');
    expect(shown).toContain('      decided: … 1 more');
    expect(shown).toContain('      committed: fix: x  span:e');
    expect(shown).toContain('      left: later  span:e');
  });
});
