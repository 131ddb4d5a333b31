// `cairn blame`: a repository with a history that agents and people made, and the conversations behind it.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BlameAnswer, BlamedCommit } from '../../src/app/blame.ts';
import { removeBusyFolder } from '../../src/files/remove-busy-folder.ts';
import { Cli } from '../fixtures/cli.ts';
import { newFolder, put, temporaryFolder } from '../fixtures/temporary.ts';
import { WorkedRepository } from '../fixtures/worked-repository.ts';

const NO_VECTORS = { env: { CAIRN_EMBEDDINGS_PROVIDER: 'none' } };
const at = (day: number, time: string): string => `2026-03-${String(day).padStart(2, '0')}T${time}:00Z`;
const [TOKENS, CACHE, LOGS] = [
  '5e55a000-0000-4000-8000-000000000001',
  '5e55a000-0000-4000-8000-000000000002',
  '5e55a000-0000-4000-8000-000000000003',
];

let cli: Cli;
let work: WorkedRepository;
const made: { [name: string]: string } = {};

beforeAll(async () => {
  cli = new Cli(newFolder());
  work = new WorkedRepository(cli);
  work.write('README.md', '# Shop\n');
  work.commitByHand(at(1, '08:00'), 'A beginning');
  // Committed in the conversation, in an exchange of its own.
  work.ask(TOKENS, at(2, '09:00'), 'Sessions end too early. Make the tokens of a session live for an hour.');
  work.edit(TOKENS, at(2, '09:05'), 'src/session.ts', 'export const ttl = 3600;\nexport const name = "sid";\n');
  work.answer(TOKENS, at(2, '09:06'), 'Tokens of a session live for an hour now, in src/session.ts.');
  work.ask(TOKENS, at(2, '09:10'), 'commit this');
  made.tokens = work.commit(TOKENS, at(2, '09:11'), 'Let tokens live for an hour');
  work.answer(TOKENS, at(2, '09:12'), 'Committed.');
  // Committed by hand afterwards.
  work.ask(CACHE, at(3, '10:00'), 'Cache the price list of the shop, please.');
  work.edit(CACHE, at(3, '10:05'), 'src/prices.ts', 'export const prices = cached(load);\n');
  work.edit(CACHE, at(3, '10:06'), 'src/cache.ts', 'export const cached = memo;\n');
  work.answer(CACHE, at(3, '10:07'), 'Added a cache for the price list: it is kept for ten minutes.');
  made.cache = work.commitByHand(at(3, '10:19'), 'prices: cache');
  // Two conversations at the same time in the same tree; then a rename by hand.
  work.ask(CACHE, at(4, '10:00'), 'Empty the cache when a price changes.');
  work.ask(LOGS, at(4, '10:01'), 'Log every order as JSON.');
  work.edit(CACHE, at(4, '10:04'), 'src/cache.ts', 'export const cached = memo;\nexport const empty = drop;\n');
  work.edit(LOGS, at(4, '10:05'), 'src/log.ts', 'export const log = JSON.stringify;\n');
  made.empty = work.commit(CACHE, at(4, '10:06'), 'Empty the cache when a price changes', { files: ['src/cache.ts'] });
  made.log = work.commit(LOGS, at(4, '10:07'), 'Log orders as JSON', { silent: true });
  work.answer(CACHE, at(4, '10:08'), 'A changed price empties the cache.');
  work.answer(LOGS, at(4, '10:09'), 'Every order is logged as one line of JSON.');
  work.git('mv', 'src/log.ts', 'src/order-log.ts');
  made.rename = work.commitByHand(at(5, '08:00'), 'Name the log by what it logs', { author: 'Bob' });
  // Another subject, another hash: amended by hand.
  work.ask(LOGS, at(6, '11:00'), 'Orders of tests must not be logged.');
  work.edit(
    LOGS,
    at(6, '11:02'),
    'src/order-log.ts',
    'export const log = JSON.stringify;\nexport const skip = isTest;\n',
  );
  work.commit(LOGS, at(6, '11:04'), 'Skip tests');
  work.answer(LOGS, at(6, '11:05'), 'Orders of tests are left out of the log.');
  work.git('commit', '-q', '--amend', '-m', 'Leave orders of tests out of the log');
  made.amended = work.head();
  // By a stranger to all conversations.
  work.write('LICENSE', 'MIT\n');
  made.license = work.commitByHand(at(20, '12:00'), 'Add a license');
  // Changed, and not committed.
  work.ask(TOKENS, at(21, '09:00'), 'Rename the cookie of the session.');
  work.edit(TOKENS, at(21, '09:01'), 'src/session.ts', 'export const ttl = 3600;\nexport const name = "shop";\n');
  work.answer(TOKENS, at(21, '09:02'), 'The cookie is called shop.');
  work.write('notes.txt', 'mine\n');
  work.save();
  await cli.run(['backfill'], NO_VECTORS);
}, 120_000);
afterAll(() => removeBusyFolder(cli.base));

const blame = (what: string): Promise<BlameAnswer> => cli.json<BlameAnswer>(['blame', what], NO_VECTORS);
const ofLine = async (what: string): Promise<BlamedCommit> => {
  const [line] = (await blame(what)).lines;
  if (!line?.commit) throw new Error(`${what} is not committed`);
  return line.commit;
};

describe('a line', () => {
  it('leads by hash to the exchange that committed it, and to the one that wrote it', async () => {
    const commit = await ofLine('src/session.ts:1');
    expect(commit).toMatchObject({
      hash: made.tokens,
      subject: 'Let tokens live for an hour',
      tie: { way: 'hash', certainty: 'certain', how: 'by hash' },
      exchange: { session: TOKENS, asked: 'commit this', resume: `claude --resume ${TOKENS}` },
    });
    expect(commit.changed_in).toMatchObject(
      [{ asked: /Sessions end too early/, outcome: /live for an hour/ }].map(({ asked, outcome }) => ({
        asked: expect.stringMatching(asked),
        outcome: expect.stringMatching(outcome),
      })),
    );
  });

  it('leads by the files to whoever wrote them, where it was committed by hand', async () => {
    const commit = await ofLine('src/prices.ts:1');
    expect(commit).toMatchObject({
      hash: made.cache,
      tie: { way: 'files', certainty: 'likely', how: 'by its files, 13 minutes later' },
      exchange: { session: CACHE, asked: 'Cache the price list of the shop, please.' },
    });
  });

  it('is told from those of another conversation that worked at the same time', async () => {
    expect(await ofLine('src/cache.ts:2')).toMatchObject({ hash: made.empty, exchange: { session: CACHE } });
    const log = await ofLine('src/order-log.ts:1');
    expect(log).toMatchObject({
      hash: made.log,
      file: 'src/log.ts',
      tie: { way: 'subject', certainty: 'certain' },
      exchange: { session: LOGS },
    });
  });

  it('leads to its conversation though its commit was amended', async () => {
    expect(await ofLine('src/order-log.ts:2')).toMatchObject({
      hash: made.amended,
      tie: { way: 'time', certainty: 'likely' },
      exchange: { session: LOGS, asked: 'Orders of tests must not be logged.' },
    });
  });

  it('says that nothing is known where nothing is', async () => {
    expect(await ofLine('README.md:1')).toMatchObject({
      subject: 'A beginning',
      tie: null,
      exchange: null,
      nearest: [],
    });
    const license = await ofLine('LICENSE:1');
    expect(license).toMatchObject({ hash: made.license, tie: null });
    expect((await cli.run(['blame', 'LICENSE:1'], NO_VECTORS)).out).toContain('No conversation is known');
  });

  it('that is not committed names who changed the file since; the lines around it count as they stand', async () => {
    const answer = await blame('src/session.ts:1-2');
    expect(answer.lines).toMatchObject([
      { from: 1, to: 1, commit: { hash: made.tokens } },
      { from: 2, to: 2, text: 'export const name = "shop";', commit: null },
    ]);
    expect(answer.uncommitted).toMatchObject([{ session: TOKENS, asked: 'Rename the cookie of the session.' }]);
  });

  it('is told in words', async () => {
    const { out } = await cli.run(['blame', 'src/prices.ts:1'], NO_VECTORS);
    for (const part of [
      'src/prices.ts:1',
      'export const prices = cached(load);',
      'prices: cache (Ann)',
      'by its files, 13 minutes later (likely)',
      'asked: Cache the price list of the shop, please.',
      '→ Added a cache for the price list: it is kept for ten minutes.',
      `resume: claude --resume ${CACHE}`,
    ])
      expect(out).toContain(part);
  });
});

describe('a file', () => {
  it('tells its commits from conversations, the newest first, under its earlier name too, and what is not committed', async () => {
    const log = await blame('src/order-log.ts');
    expect(log.commits.map(({ hash, file }) => [hash, file])).toEqual([
      [made.amended, 'src/order-log.ts'],
      [made.log, 'src/log.ts'],
    ]);
    expect(log.without_conversation).toBe(1);
    expect(log.uncommitted).toEqual([]);
    const session = await blame('src/session.ts');
    expect(session.commits.map(({ hash }) => hash)).toEqual([made.tokens]);
    expect(session.uncommitted).toMatchObject([{ asked: 'Rename the cookie of the session.' }]);
  });

  it('counts from the folder that somebody is in', async () => {
    const cwd = path.join(work.top, 'src');
    const { exit, out } = await cli.run(['blame', 'cache.ts:1', '--json'], { ...NO_VECTORS, cwd });
    expect([exit, out]).toEqual([0, expect.stringContaining('cache.ts')]);
    expect(JSON.parse(out)).toMatchObject({ file: 'src/cache.ts', lines: [{ commit: { hash: made.cache } }] });
  });
});

describe('what cannot be told', () => {
  it.each([
    ['nowhere.ts', 1, 'There is no file nowhere.ts'],
    ['notes.txt', 1, 'notes.txt was never committed, and no conversation changed it'],
    ['src/cache.ts:3', 2, 'src/cache.ts has 2 lines'],
    ['src/cache.ts:2-1', 2, 'src/cache.ts has 2 lines'],
    ['src/cache.ts:0', 2, 'src/cache.ts has 2 lines'],
    ['src', 2, '"src" is no file of the repository'],
    ['.', 2, '"." is no file of the repository'],
  ])('%s', async (what, code, message) => {
    const { exit, err } = await cli.run(['blame', what], NO_VECTORS);
    expect(err).toContain(message);
    expect(exit).toBe(code);
  });

  it('a file outside of every repository', async () => {
    const file = put(path.join(temporaryFolder(), 'a.ts'), 'a\n');
    const { exit, err } = await cli.run(['blame', file], NO_VECTORS);
    expect([exit, err]).toEqual([1, expect.stringContaining('lies in no git repository')]);
  });

  it('says so in a shallow clone', async () => {
    const clone = path.join(temporaryFolder(), 'clone');
    execFileSync('git', ['clone', '-q', '--depth', '1', `file://${work.top}`, clone], { stdio: 'pipe' });
    const { out } = await cli.run(['blame', 'src/cache.ts:1'], { ...NO_VECTORS, cwd: clone });
    expect(out).toContain('This clone is shallow');
  });
});

describe('a repository of strangers', () => {
  it.runIf(process.platform !== 'win32')('starts nothing, whatever its settings and attributes name', async () => {
    const other = new Cli();
    const hostile = new WorkedRepository(other);
    const proof = path.join(other.base, 'started');
    const evil = put(path.join(other.base, 'evil.sh'), `#!/bin/sh\necho started >> '${proof}'\ncat\n`);
    fs.chmodSync(evil, 0o755);
    for (const name of ['-x.ts', 'a\nb.ts', '--output=c.ts', ':(top)d.ts']) hostile.write(name, 'one\ntwo\n');
    hostile.git('add', '-A', '--', '.');
    hostile.git('commit', '-q', '-m', 'Odd \u001b[31mnames');
    hostile.write('.gitattributes', '* diff=evil filter=evil merge=evil\n');
    for (const [key, value] of [
      ['diff.evil.textconv', evil],
      ['diff.evil.command', evil],
      ['diff.external', evil],
      ['filter.evil.clean', evil],
      ['filter.evil.smudge', evil],
      ['core.fsmonitor', evil],
      ['core.pager', evil],
      ['core.hooksPath', other.base],
      ['log.showSignature', 'true'],
      ['gpg.program', evil],
      ['diff.orderFile', '/nowhere'],
      ['color.ui', 'always'],
      ['alias.blame', `!${evil}`],
      ['alias.log', `!${evil}`],
    ] as const)
      hostile.git('config', key, value);
    for (const name of ['-x.ts', 'a\nb.ts', '--output=c.ts', ':(top)d.ts']) {
      hostile.write(name, 'one\nnew\ntwo\n');
      const { exit, out, err } = await other.run(['blame', '--json', '--', `${name}:3`], NO_VECTORS);
      expect([exit, err]).toEqual([0, '']);
      expect(JSON.parse(out)).toMatchObject({ file: name, lines: [{ from: 3, commit: { tie: null } }] });
      expect((await other.run(['blame', '--', name], NO_VECTORS)).out).not.toContain('\u001b');
    }
    expect(fs.existsSync(proof)).toBe(false);
    // The settings are such as would start it otherwise.
    hostile.git('blame', 'HEAD', '--', './-x.ts');
    expect(fs.existsSync(proof)).toBe(true);
  });
});
