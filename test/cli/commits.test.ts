// The repository's own log beside the conversations: found by words and by hash, with the exchange that each commit comes from.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCairn } from '../../src/app/cairn.ts';
import type { Overview } from '../../src/app/overview.ts';
import type { RecallAnswer, RecallResult } from '../../src/app/recall-memory.ts';
import { storeFile } from '../../src/app/user-files.ts';
import { loadConfig } from '../../src/config/load.ts';
import { removeBusyFolder } from '../../src/files/remove-busy-folder.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { Document } from '../../src/store/store.ts';
import { Cli } from '../fixtures/cli.ts';
import { newFolder } from '../fixtures/temporary.ts';
import { WorkedRepository } from '../fixtures/worked-repository.ts';

const NO_VECTORS = { env: { CAIRN_EMBEDDINGS_PROVIDER: 'none' } };
const at = (day: number, time: string): string => `2026-03-${String(day).padStart(2, '0')}T${time}:00Z`;
const [TOKENS, CACHE] = ['5e55b000-0000-4000-8000-000000000001', '5e55b000-0000-4000-8000-000000000002'];
const SECRET = ['ghp', '1234567890abcdefghijklmnopqrstuvwxyz'].join('_');

let cli: Cli;
let work: WorkedRepository;
const made: { [name: string]: string } = {};

beforeAll(async () => {
  cli = new Cli(newFolder());
  work = new WorkedRepository(cli);
  work.ask(TOKENS, at(2, '09:00'), 'Make the tokens of a session live for an hour.');
  work.edit(TOKENS, at(2, '09:05'), 'src/session.ts', 'export const ttl = 3600;\n');
  made.tokens = work.commit(TOKENS, at(2, '09:06'), 'Let tokens live for an hour');
  work.answer(TOKENS, at(2, '09:07'), 'Tokens live for an hour now.');
  work.ask(CACHE, at(3, '10:00'), 'Loading the shop takes seconds.');
  work.edit(CACHE, at(3, '10:05'), 'src/prices.ts', 'export const prices = cached(load);\n');
  work.answer(CACHE, at(3, '10:07'), 'It is quick now.');
  made.prices = work.commitByHand(
    at(3, '10:19'),
    'Memoise the price catalogue\n\nThe supplier throttles us to ten requests a minute.\n\nSigned-off-by: Ann <a@b.c>',
  );
  work.write('docs/typo.md', 'fixed\n');
  made.typo = work.commitByHand(at(4, '12:00'), `Correct a typographical error ${SECRET}`);
  work.save();
  await cli.run(['backfill'], NO_VECTORS);
}, 120_000);
afterAll(() => removeBusyFolder(cli.base));

const remember = async (...argv: string[]): Promise<readonly RecallResult[]> =>
  (await cli.json<RecallAnswer>(['remember', ...argv], NO_VECTORS)).results;
const ref = (hash: string | undefined): string => `commit:${hash?.slice(0, 12)}`;

async function commitRows(): Promise<readonly Document[]> {
  const store = await openSqliteStore(storeFile(loadConfig({ cwd: cli.project, env: { HOME: cli.home } })));
  try {
    return (await store.list({ filter: { layers: ['commit'] }, order: 'ref', limit: 100 })).documents;
  } finally {
    await store.close();
  }
}

describe('a commit', () => {
  it('is found by what its message says, and leads to the conversation that wrote its files', async () => {
    const [first] = await remember('why did the supplier throttle us');
    expect(first).toMatchObject({
      ref: ref(made.prices),
      layer: 'commit',
      kind: 'commit',
      title: 'Memoise the price catalogue',
      session: CACHE,
      exchange: { asked: 'Loading the shop takes seconds.' },
      commit: {
        hash: made.prices,
        author: 'Ann',
        files: ['src/prices.ts'],
        tie: { how: 'by its files, 14 minutes later', certainty: 'likely' },
      },
    });
    expect(first?.text).not.toContain('Signed-off-by');
    const { out } = await cli.run(['remember', 'supplier throttles'], NO_VECTORS);
    for (const part of [
      'Commits',
      'Memoise the price catalogue',
      'asked: Loading the shop takes seconds.',
      `${made.prices?.slice(0, 10)} by Ann; from session 5e55b000`,
    ])
      expect(out).toContain(part);
  });

  it.each([7, 10, 12, 40])('is the first thing for %i characters of its hash', async (length) => {
    const results = await remember(made.tokens?.slice(0, length) ?? '');
    expect(results[0]).toMatchObject({ ref: ref(made.tokens), session: TOKENS, commit: { tie: { how: 'by hash' } } });
    expect(results[0]?.relevance).toBeGreaterThan(0.5);
  });

  it('can be asked for alone, and shown', async () => {
    const only = await remember('tokens', '--layer', 'commit');
    expect(only[0]?.ref).toBe(ref(made.tokens));
    expect(new Set(only.map(({ layer }) => layer))).toEqual(new Set(['commit']));
    const { out } = await cli.run(['show', ref(made.prices).slice(0, 16)], NO_VECTORS);
    for (const part of [
      'Memoise the price catalogue',
      'The supplier throttles us',
      made.prices ?? '',
      'Loading the shop takes seconds.',
      'by its files, 14 minutes later (likely)',
    ])
      expect(out).toContain(part);
  });

  it('can be had by programs', async () => {
    const cairn = openCairn({ directory: cli.project, env: { HOME: cli.home, ...NO_VECTORS.env } });
    const got = await cairn.get(ref(made.prices));
    expect(got).toMatchObject({ layer: 'commit', title: 'Memoise the price catalogue', untrusted: false });
    await cairn.close();
  });

  it('is masked like everything', async () => {
    expect(JSON.stringify(await commitRows())).not.toContain(SECRET);
    expect((await remember('typographical error'))[0]?.title).toContain('[redacted:');
  });

  it('is told on its day where somebody made it by hand', async () => {
    const log = await cli.json<Overview>(['log', '--since', '2026-03-01'], NO_VECTORS);
    expect(
      log.days.map(({ day, committed, sessions }) => [day, committed.map((each) => each.ref), sessions.length]),
    ).toEqual([
      ['2026-03-04', [ref(made.typo)], 0],
      ['2026-03-03', [ref(made.prices)], 1],
      ['2026-03-02', [], 1],
    ]);
    expect(log.totals.commits).toBe(3);
    const { out } = await cli.run(['log', '--day', '2026-03-03'], NO_VECTORS);
    expect(out).toContain('committed by hand: Memoise the price catalogue');
  });

  it('is no part of an export', async () => {
    const { memories } = await cli.json<{ memories: { layer: string }[] }>(['export'], NO_VECTORS);
    expect(new Set(memories.map(({ layer }) => layer))).toEqual(new Set(['trace']));
  });
});

describe('the rows', () => {
  it('are the same when everything is made anew', async () => {
    const before = await commitRows();
    expect(before).toHaveLength(3);
    await cli.run(['reindex'], NO_VECTORS);
    expect(await commitRows()).toEqual(before);
  });

  it('follow the log: what was amended goes, what another branch has stays', async () => {
    work.git('branch', 'aside');
    work.write('docs/typo.md', 'corrected\n');
    work.git('add', '-A');
    work.git('commit', '-q', '-m', 'Another try');
    const replaced = work.head();
    await cli.run(['backfill'], NO_VECTORS);
    expect((await commitRows()).map((row) => row.ref)).toContain(ref(replaced));
    work.git('commit', '-q', '--amend', '-m', 'A better try');
    await cli.run(['backfill'], NO_VECTORS);
    const now = (await commitRows()).map((row) => row.ref);
    expect(now).toHaveLength(4);
    expect(now).not.toContain(ref(replaced));
    work.git('reset', '-q', '--hard', 'aside');
    work.git('branch', '-D', 'aside');
    await cli.run(['backfill'], NO_VECTORS);
    expect(await commitRows()).toHaveLength(3);
  });

  it('are as many as are wanted, the newest, and none without', async () => {
    const keeping = (commits: number) => ({ env: { ...NO_VECTORS.env, CAIRN_TRACES_COMMITS: String(commits) } });
    await cli.run(['backfill'], keeping(1));
    expect((await commitRows()).map((row) => row.ref)).toEqual([ref(made.typo)]);
    await cli.run(['backfill'], keeping(0));
    expect(await commitRows()).toEqual([]);
    await cli.run(['backfill'], NO_VECTORS);
    expect(await commitRows()).toHaveLength(3);
  });

  it('hold no text that was forgotten, and a commit by itself is git’s', async () => {
    expect((await cli.run(['forget', '--text', 'ten requests a minute', '--yes'], NO_VECTORS)).exit).toBe(0);
    const masked = await commitRows();
    expect(JSON.stringify(masked)).not.toContain('ten requests a minute');
    await cli.run(['reindex'], NO_VECTORS);
    expect(JSON.stringify(await commitRows())).not.toContain('ten requests a minute');
    const { exit, err } = await cli.run(['forget', ref(made.typo), '--yes'], NO_VECTORS);
    expect([exit, err]).toEqual([2, expect.stringContaining("A commit is git's")]);
  });

  it('go with the project, and do not come back', async () => {
    expect((await cli.run(['forget', '--project', '--yes'], NO_VECTORS)).exit).toBe(0);
    expect(await commitRows()).toEqual([]);
    await cli.run(['backfill'], NO_VECTORS);
    expect(await commitRows()).toEqual([]);
  });
});
