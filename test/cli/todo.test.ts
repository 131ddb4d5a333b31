// `cairn todo`, `cairn done`, `cairn drop`: what is open, and settling it by hand, whatever happens to the database.

import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openItems } from '../../src/app/open-items.ts';
import { loadConfig } from '../../src/config/load.ts';
import { removeBusyFolder } from '../../src/files/remove-busy-folder.ts';
import { Cli } from '../fixtures/cli.ts';
import { newFolder } from '../fixtures/temporary.ts';

type Item = { ref: string; kind: string; text: string; layer: string; status: string; session: string | null };

const NO_VECTORS = { env: { CAIRN_EMBEDDINGS_PROVIDER: 'none' } };
const DAY = 86_400_000;
const LIMIT = 'Add a rate limit to the upload endpoint of the gateway';
const MIGRATION = 'Write the missing migration for the invoices table';
let cli: Cli;

/** One prompt and its answer, so many days ago. */
function talk(session: string, daysAgo: number, prompt: string, answer: string): void {
  const folder = path.join(cli.home, '.claude', 'projects', 'p');
  fs.mkdirSync(folder, { recursive: true });
  const line = (type: string, text: string, minute: number): string =>
    JSON.stringify({
      type,
      uuid: `${session}${minute}`,
      sessionId: session,
      cwd: cli.project,
      timestamp: new Date(Date.now() - daysAgo * DAY + minute * 60_000).toISOString(),
      message: { role: type, content: type === 'user' ? text : [{ type: 'text', text }] },
    });
  fs.writeFileSync(
    path.join(folder, `${session}.jsonl`),
    `${line('user', prompt, 1)}\n${line('assistant', answer, 2)}\n`,
  );
}

const out = async (...argv: string[]): Promise<string> => (await cli.run(argv, NO_VECTORS)).out;
const items = async (...argv: string[]): Promise<readonly Item[]> =>
  (await cli.json<{ items: Item[] }>(['todo', ...argv], NO_VECTORS)).items;
const texts = async (): Promise<string[]> => (await items()).map(({ text }) => text.replace(/, (?:api|db)$/, ''));
const refOf = async (part: string): Promise<string> =>
  (await items()).find(({ text }) => text.includes(part))?.ref ?? `nothing is open about ${part}`;

beforeAll(async () => {
  cli = new Cli(newFolder());
  talk(
    'upload-talk',
    3,
    'Please make the uploads of the gateway resumable',
    `Uploads can be resumed now.\n\n**Pending todos:**\n\n| # | Todo | Area |\n|---|---|---|\n| 1 | ${LIMIT} | api |\n| 2 | ${MIGRATION} | db |\n`,
  );
  await cli.run(['backfill'], NO_VECTORS);
  await cli.run(['note', 'new', 'task', 'Sweep the attic']);
  await cli.run(['save', 'tech_debt', 'The price cache is never emptied because nobody had time']);
});
afterAll(() => removeBusyFolder(cli.base));

describe('cairn todo', () => {
  it('lists what was left in conversations, task notes and debts, with ref, day, speaker and place', async () => {
    expect(await texts()).toEqual(expect.arrayContaining([LIMIT, MIGRATION, 'Sweep the attic']));
    const text = await out('todo');
    expect(text).toMatch(/^4 open items:/);
    expect(text).toContain(`todo: ${LIMIT}`);
    expect(text).toMatch(/idea:\w+ {2}\d{4}-\d\d-\d\d {2}assistant said/);
    expect(text).toContain('(session upload-t, line 2)');
    expect(text).toContain('note:task-sweep-the-attic');
  });

  it('shows as many as asked for, and says how many there are', async () => {
    expect(await out('todo', '--limit', '1')).toMatch(
      /^4 open items, the newest 1:[\s\S]*… and 3 more: cairn todo --limit 4/,
    );
  });

  it('says so where nothing is open, and looks at other projects when asked', async () => {
    const elsewhere = path.join(cli.base, 'elsewhere');
    fs.mkdirSync(path.join(elsewhere, '.git'), { recursive: true });
    const there = { ...NO_VECTORS, cwd: elsewhere };
    expect((await cli.run(['todo'], there)).out).toContain('Nothing is known to be open in this project');
    expect((await cli.run(['todo', '--all-projects'], there)).out).toContain(LIMIT);
  });
});

describe('cairn done and cairn drop', () => {
  it('settle an item, which then is told nowhere as open, until that is taken back', async () => {
    const ref = await refOf('rate limit');
    expect(await out('remember', 'what is still open?')).toContain('rate limit');
    expect(await out('log')).toContain('rate limit');
    expect(await out('done', ref, '--because', 'it was in the proxy')).toContain(`Done: ${ref}`);
    expect(await texts()).not.toContain(LIMIT);
    expect(await texts()).toContain(MIGRATION);
    expect(await out('remember', 'what is still open?')).not.toContain('rate limit');
    expect(await out('log')).not.toMatch(/left: .*rate limit/);
    const { results } = await cli.json<{ results: { ref: string; status: string }[] }>(
      ['remember', 'rate limit of the upload endpoint'],
      NO_VECTORS,
    );
    expect(results.find((each) => each.ref === ref)).toMatchObject({ status: 'done' });
    expect(await out('todo', '--settled')).toMatch(/done \(it was in the proxy\): Add a rate limit/);
    expect(await out('done', ref)).toContain(`Done already: ${ref}`);
    expect(await out('done', ref, '--undo')).toContain(`Open again: ${ref}`);
    expect(await texts()).toContain(LIMIT);
    expect((await cli.run(['done', ref, '--undo'], NO_VECTORS)).err).toContain('is not settled');
  });

  it('keep an item from the start of a session', async () => {
    const config = loadConfig({ cwd: cli.project, env: { HOME: cli.home } });
    const ref = await refOf('migration');
    const isTold = async (): Promise<boolean> =>
      (await openItems(config, new Date())).open.some((each) => each.ref === ref);
    expect(await isTold()).toBe(true);
    await out('done', ref);
    expect(await isTold()).toBe(false);
    await out('done', ref, '--undo');
    expect(await isTold()).toBe(true);
  });

  it('hold when the database is made anew', async () => {
    const ref = await refOf('migration');
    await out('drop', ref.slice(0, 10));
    fs.rmSync(path.join(cli.home, '.cairn', 'memory.db'), { force: true });
    await cli.run(['reindex'], NO_VECTORS);
    expect(await texts()).not.toContain(MIGRATION);
    expect(await texts()).toContain(LIMIT);
    await out('drop', ref, '--undo');
    expect(await texts()).toContain(MIGRATION);
  });

  it('give a task note and a debt their status, and back', async () => {
    await out('done', 'task-sweep', '--because', 'swept on Monday');
    expect(await out('note', 'show', 'task-sweep-the-attic')).toMatch(/status: completed[\s\S]*swept on Monday/);
    expect(await texts()).not.toContain('Sweep the attic');
    await out('done', 'task-sweep', '--undo');
    expect(await out('note', 'show', 'task-sweep-the-attic')).toContain('status: pending');
    const debt = (await items()).find(({ kind }) => kind === 'tech_debt')!.ref;
    await out('drop', debt, '--because', 'it is small');
    const name = debt.replace('record:', '');
    expect(cli.read(name)).toMatchObject({ content: { status: 'wont_fix' }, record_status: 'active' });
    expect((await items()).some(({ ref }) => ref === debt)).toBe(false);
    await out('drop', debt, '--undo');
    expect(cli.read(name)).toMatchObject({ content: { status: 'open' } });
  });

  it('take an exchange for all that it left', async () => {
    const { topics } = await cli.json<{ topics: { exchanges: { ref: string; left: string[] }[] }[] }>([
      'topics',
      'upload-talk',
    ]);
    const exchange = topics[0]!.exchanges.find(({ left }) => left.length > 0)!;
    const { settled } = await cli.json<{ settled: { texts: string[] }[] }>(['done', exchange.ref], NO_VECTORS);
    expect(settled[0]!.texts).toHaveLength(2);
    expect(await out('log')).not.toMatch(/left: .*rate limit/);
    await out('done', exchange.ref, '--undo');
  });

  it('what was done and is said anew later is open again, what was dropped is not', async () => {
    await out('done', await refOf('rate limit'));
    await out('drop', await refOf('migration'));
    talk(
      'later-talk',
      -1,
      'And what is left of it?',
      `Two things.\n\n**Pending todos:**\n\n| # | Todo | Area |\n|---|---|---|\n| 1 | ${LIMIT} | api |\n| 2 | ${MIGRATION} | db |\n`,
    );
    await cli.run(['backfill'], NO_VECTORS);
    expect(await texts()).toContain(LIMIT);
    expect(await texts()).not.toContain(MIGRATION);
    for (const { ref } of (await cli.json<{ settled: Item[] }>(['todo', '--settled'])).settled)
      await out('drop', ref, '--undo');
  });

  it('refuse what cannot be open', async () => {
    await cli.run(['save', 'decision', 'Use SQLite because it needs no server']);
    for (const [argv, words] of [
      [['done', 'use-sqlite'], /is nothing that can be open/],
      [['done', 'idea:nothing'], /There is no memory "idea:nothing"/],
    ] as const) {
      const { exit, err } = await cli.run(argv, NO_VECTORS);
      expect(exit).toBe(1);
      expect(err).toMatch(words);
    }
  });

  it('are exported, and forgotten with their conversation', async () => {
    const ref = await refOf('rate limit');
    await out('drop', ref);
    const { settled } = JSON.parse(await out('export', '--json')) as { settled: { ref: string }[] };
    expect(settled).toMatchObject([{ ref, state: 'dropped' }]);
    for (const session of ['upload-talk', 'later-talk']) await out('forget', session, '--yes');
    expect(fs.readFileSync(path.join(cli.home, '.cairn', 'settled.json'), 'utf8')).not.toContain('rate limit');
  });
});
