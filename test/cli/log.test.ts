// `cairn log`, `cairn today`, and the questions that ask for the same.

import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeBusyFolder } from '../../src/files/remove-busy-folder.ts';
import { localDay } from '../../src/model/timestamp.ts';
import { Cli } from '../fixtures/cli.ts';
import { newFolder } from '../fixtures/temporary.ts';

const NO_VECTORS = { env: { CAIRN_EMBEDDINGS_PROVIDER: 'none' } };
const DAY = 86_400_000;
let cli: Cli;
const today = localDay(new Date());
const yesterday = localDay(new Date(Date.now() - DAY));

beforeAll(async () => {
  cli = new Cli(newFolder());
  const folder = path.join(cli.home, '.claude', 'projects', 'p');
  fs.mkdirSync(folder, { recursive: true });
  for (const [session, day, prompt, answer] of [
    ['today-talk', today, 'Please cache the price list of the shop', 'The price list is cached for an hour now.'],
    ['old-talk', yesterday, 'Why does the invoice importer crash?', 'The cause was an empty header row.'],
  ] as const) {
    const line = (type: string, text: string, minute: number): string =>
      JSON.stringify({
        type,
        uuid: `${session}${minute}`,
        sessionId: session,
        cwd: cli.project,
        timestamp: new Date(`${day}T00:0${minute}:00`).toISOString(),
        message: { role: type, content: type === 'user' ? text : [{ type: 'text', text }] },
      });
    fs.writeFileSync(
      path.join(folder, `${session}.jsonl`),
      `${line('user', prompt, 1)}\n${line('assistant', answer, 2)}\n`,
    );
  }
  await cli.run(['backfill'], NO_VECTORS);
});
afterAll(() => removeBusyFolder(cli.base));

const out = async (...argv: string[]): Promise<string> => (await cli.run(argv, NO_VECTORS)).out;

describe('cairn log', () => {
  it('tells the days, the newest first', async () => {
    const text = await out('log');
    expect(text).toMatch(new RegExp(`^${yesterday} to ${today}: 2 conversations, 2 topics`));
    expect(text.indexOf('price list')).toBeLessThan(text.indexOf('invoice importer'));
    expect(text).toContain(`${today}, today`);
    expect(text).toContain(`${yesterday}, yesterday`);
    expect(text).toMatch(/span:\w+/);
  });

  it('tells one day', async () => {
    for (const argv of [['today'], ['log', '--day', 'today'], ['log', '--since', 'today']]) {
      expect(await out(...argv)).toContain('price list');
      expect(await out(...argv)).not.toContain('invoice importer');
    }
    expect(await out('log', '--day', 'yesterday')).not.toContain('price list');
    expect(await out('log', '--until', 'yesterday')).toContain('invoice importer');
    expect(await out('log', '--day', '2020-02-03')).toContain('No conversation is known on 2020-02-03');
  });

  it('is data with --json', async () => {
    const log = await cli.json<{ kind: string; days: { day: string; sessions: { topics: { ref: string }[] }[] }[] }>(
      ['log'],
      NO_VECTORS,
    );
    expect(log).toMatchObject({ kind: 'done', days: [{ day: today }, { day: yesterday }], omitted: 0, open: [] });
    const none = await cli.json<{ days: unknown[] }>(['log', '--day', '2020-02-03'], NO_VECTORS);
    expect(none).toMatchObject({ days: [], nearest_day: yesterday });
  });

  it.each([
    [['log', '--day', 'last week'], /--day "last week" is no time: It is more than one day/],
    [['log', '--day', '31 February'], /February has 29 days/],
    [['log', '--since', '2026-13-01'], /A year has no month 13/],
    [['log', '--since', 'soon'], /--since "soon" is no time/],
    [['log', '--day', 'today', '--since', 'monday'], /--day is one whole day/],
    [['log', '--since', 'today', '--until', '3 days ago'], /--since is after --until/],
    [['log', 'today'], /too many arguments/],
  ])('refuses %j', async (argv, message) => {
    const { exit, err } = await cli.run(argv, NO_VECTORS);
    expect(exit).toBe(2);
    expect(err).toMatch(message);
  });
});

describe('cairn remember', () => {
  it.each([
    'what did we do yesterday',
    'Was haben wir gestern gemacht?',
    "qu'avons-nous fait hier ?",
    'qué hicimos ayer',
  ])('answers "%s" with the same', async (question) => {
    expect(await out('remember', question)).toBe(await out('log', '--day', 'yesterday'));
  });

  it('tells where things stand and what is open', async () => {
    expect(await out('remember', 'where were we')).toMatch(/price list[\s\S]*invoice importer/);
    expect(await out('remember', 'what is still open')).toMatch(/Nothing is known to be open|Still open/);
  });

  it('has the overview in its data', async () => {
    const answer = await cli.json<{ analysis: object; overview: object }>(
      ['remember', 'what did we do yesterday'],
      NO_VECTORS,
    );
    expect(answer.analysis).toMatchObject({
      overview: { kind: 'done', since: expect.any(String), until: expect.any(String) },
    });
    expect(answer.overview).toMatchObject({ days: [{ day: yesterday }] });
    const search = await cli.json<object>(['remember', 'price list yesterday'], NO_VECTORS);
    expect(search).not.toHaveProperty('overview');
  });

  it('lists a time without a question, the newest first', async () => {
    const { results } = await cli.json<{ results: { created_at: string }[] }>(
      ['remember', '--since', 'yesterday'],
      NO_VECTORS,
    );
    expect(results.length).toBeGreaterThan(1);
    const times = results.map(({ created_at: time }) => time);
    expect(times).toEqual([...times].sort().reverse());
  });

  it('says so where nothing of the time is about it', async () => {
    expect(await out('remember', 'price list of the shop in March 2020')).toContain(
      'Nothing from 2020-03-01 to 2020-03-31 is plainly about this. The nearest outside:',
    );
  });
});
