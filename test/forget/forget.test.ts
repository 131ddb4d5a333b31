// Forgetting on request: what was planted in everything that Cairn keeps is in no byte of any file afterwards, the rest is untouched, and
// nothing brings it back.

import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { Cli } from '../fixtures/cli.ts';
import { put } from '../fixtures/temporary.ts';
import {
  allBytes,
  fillEverything,
  GONE,
  NO_VECTORS,
  PLANTED,
  SAID_GONE,
  STAYS,
  stringsOf,
  transcript,
  triageFolder,
} from './everything.ts';

type Plan = {
  goes: { name: string; title: string }[];
  would_remove: { [place: string]: number };
  stays: string[];
  token: string;
};
type Topic = { ref: string; session: string };
type Found = { results: { ref: string; text: string; session?: string }[] };

let cli: Cli;
beforeEach(() => {
  cli = new Cli();
});

const remember = async (...words: string[]): Promise<Found['results']> =>
  (await cli.json<Found>(['remember', ...words, '--all-projects'], NO_VECTORS)).results;

describe('cairn forget SESSION', () => {
  it('shows first, refuses without a person, and does nothing when it is told so', async () => {
    await fillEverything(cli);
    const before = stringsOf(cli, PLANTED);
    expect(before.length).toBeGreaterThan(5);
    const plan = await cli.json<Plan>(['forget', GONE.slice(0, 8), '--dry-run']);
    expect(plan.would_remove).toMatchObject({
      conversations: 1,
      'archived transcripts': 1,
      'notes of sessions': 1,
      'summaries of sessions': 1,
      'injection log': 1,
    });
    expect(plan.goes).toMatchObject([{ name: GONE }]);
    const refused = await cli.run(['forget', GONE]);
    expect(refused.exit).toBe(1);
    expect(refused.err).toMatch(/nobody is there to be asked/);
    expect((await cli.run(['forget', GONE], { answers: ['n'] })).exit).toBe(1);
    expect(stringsOf(cli, PLANTED)).toEqual(before);
  });

  it('leaves no byte of it in any file, and everything of the others', async () => {
    await fillEverything(cli);
    const rowsBefore = await remember('ledger', 'Postgres');
    expect((await cli.run(['forget', GONE], { answers: ['y'] })).exit).toBe(0);
    expect(stringsOf(cli, [...PLANTED, GONE])).toEqual([]);
    expect(fs.existsSync(triageFolder(GONE))).toBe(false);
    expect(
      stringsOf(cli, ['ledger']).map((each) => each.split(':')[0]!.replace(/^\d{4}-\d\d\.jsonl$/, 'injections')),
    ).toEqual(
      expect.arrayContaining([
        'memory.db',
        'injections',
        'hooks.log',
        'graph.json',
        'session-2026-05-10-22222222.md',
        'summary-2026-05-10-22222222.json',
      ]),
    );
    expect((await remember('ledger', 'Postgres')).map(({ ref }) => ref)).toEqual(rowsBefore.map(({ ref }) => ref));
    expect(await remember('quibblefax')).toEqual([]);
  });

  it('stays out after a backfill, a reindex and a worker, until it is allowed again', async () => {
    const { gone } = await fillEverything(cli);
    await cli.run(['forget', GONE, '--yes']);
    const out = await cli.run(['backfill', '--no-vectors'], NO_VECTORS);
    expect(out.out).toMatch(/1 conversation left out: forgotten on request/);
    await cli.run(['backfill', gone, '--no-vectors'], NO_VECTORS);
    await cli.run(['reindex', '--no-vectors'], NO_VECTORS);
    expect(stringsOf(cli, PLANTED)).toEqual([]);
    expect(await cli.json(['forget', '--list'])).toMatchObject({
      forgotten: [{ what: 'conversations', finished: true }],
    });
    await cli.run(['backfill', gone, '--again', '--no-vectors'], NO_VECTORS);
    expect((await remember('quibblefax')).length).toBeGreaterThan(0);
    expect(await cli.json(['forget', '--list'])).toEqual({ forgotten: [] });
  });

  it('stays out when the conversation goes on', async () => {
    const { gone } = await fillEverything(cli);
    await cli.run(['forget', GONE, '--yes']);
    fs.appendFileSync(gone, fs.readFileSync(gone, 'utf8').replaceAll('quibblefax', 'quibblefax two'));
    await cli.run(['backfill', '--no-vectors'], NO_VECTORS);
    expect(stringsOf(cli, PLANTED)).toEqual([]);
  });

  it("removes the client's own transcript only when asked", async () => {
    const { gone } = await fillEverything(cli);
    await cli.run(['forget', GONE, '--yes']);
    expect(fs.existsSync(gone)).toBe(true);
    const { stays } = { stays: path.join(path.dirname(gone), `${STAYS}.jsonl`) };
    await cli.run(['forget', STAYS, '--yes', '--transcript']);
    expect(fs.existsSync(stays)).toBe(false);
    expect(fs.existsSync(gone)).toBe(true);
    // Also later, when nothing else of it is left.
    expect(await cli.run(['forget', GONE.slice(0, 8), '--yes', '--transcript'])).toMatchObject({ exit: 0 });
    expect(fs.existsSync(gone)).toBe(false);
  });

  it('counts in words that fit: one conversation, and an order that is carried out is no would-be', async () => {
    await fillEverything(cli);
    const { out } = await cli.run(['forget', GONE, '--yes']);
    expect(out).toMatch(/^This goes for good:\n {2}11111111-/);
    expect(out).toMatch(/Forgotten: 1 conversation, \d+ ideas, \d topics?, 1 archived transcript, 1 note of a session/);
    expect(out).toContain("the client's own transcript: --transcript removes it too");
    expect(out).not.toMatch(/\b1 (?:conversations|topics|what|injection log|notes of)|would/);
    expect((await cli.run(['forget', '--list'])).out).toMatch(/ {2}conversations {2}1 conversation, \d+ ideas/);
  });

  it('lists nothing where there is nothing', async () => {
    await fillEverything(cli);
    for (const how of ['--dry-run', '--yes'])
      expect(await cli.run(['forget', '--before', '2001-01-01', how])).toMatchObject({
        exit: 0,
        out: expect.stringMatching(/^There is nothing to forget\.\n?$/),
      });
  });

  it('is nothing that doctor waits for', async () => {
    await fillEverything(cli);
    await cli.run(['forget', '--project', '--yes']);
    const { out } = await cli.run(['doctor'], { env: { PATH: '', ...NO_VECTORS.env } });
    expect(out).toContain('up to date: 0 conversations of this project');
    expect(out).not.toMatch(/to be indexed/);
  });

  it('says so where a beginning may be several, or nothing', async () => {
    await fillEverything(cli);
    transcript(cli, '11111111-cccc-4ccc-8ccc-333333333333', SAID_GONE);
    expect(await cli.run(['forget', '11111111', '--yes'])).toMatchObject({
      exit: 1,
      err: expect.stringMatching(/any of 2/),
    });
    expect(await cli.run(['forget', 'nothing-here', '--yes'])).toMatchObject({
      exit: 1,
      err: expect.stringMatching(/There is no conversation/),
    });
    expect(await cli.run(['forget'])).toMatchObject({ exit: 2 });
    expect(await cli.run(['forget', GONE, '--project'])).toMatchObject({ exit: 2 });
  });

  it('refuses a name beside what takes none, instead of ignoring it', async () => {
    await fillEverything(cli);
    await cli.run(['forget', GONE, '--yes']);
    const [{ id }] = (await cli.json<{ forgotten: [{ id: string }] }>(['forget', '--list'])).forgotten;
    for (const argv of [
      [STAYS, '--undo', id],
      ['--undo', id, '--project'],
      ['--undo', id, '--list'],
      [STAYS, '--list'],
      ['--finish', '--before', '90d'],
    ])
      expect(await cli.run(['forget', ...argv, '--yes']), argv.join(' ')).toMatchObject({
        exit: 2,
        err: expect.stringMatching(/takes nothing else: .* would be ignored/),
      });
    expect(await cli.json(['forget', '--list'])).toMatchObject({ forgotten: [{ id }] });
  });
});

describe('cairn forget --project and --before', () => {
  it('takes the conversations of this project, and of no other', async () => {
    await fillEverything(cli);
    const other = path.join(cli.base, 'other');
    fs.mkdirSync(path.join(other, '.git'), { recursive: true });
    transcript(
      cli,
      '33333333-dddd-4ddd-8ddd-333333333333',
      [{ user: 'What of the zebra page?', assistant: 'We decided to use Nginx for the zebra page.' }],
      { cwd: other },
    );
    await cli.json(['backfill', '--all'], NO_VECTORS);
    await cli.run(['forget', '--project', '--yes']);
    expect(stringsOf(cli, [...PLANTED, 'ledger'])).toEqual([]);
    expect((await remember('zebra')).length).toBeGreaterThan(0);
    await cli.run(['backfill', '--all', '--no-vectors'], NO_VECTORS);
    expect(stringsOf(cli, [...PLANTED, 'ledger'])).toEqual([]);
  });

  it('takes those whose last word is older', async () => {
    await fillEverything(cli);
    const plan = await cli.json<Plan>(['forget', '--before', '2026-05-15', '--dry-run']);
    expect(plan.goes.map(({ name }) => name)).toEqual([GONE]);
    await cli.run(['forget', '--before', '2026-05-15', '--yes']);
    expect(stringsOf(cli, PLANTED)).toEqual([]);
    expect((await remember('ledger')).length).toBeGreaterThan(0);
  });
});

describe('cairn forget REF', () => {
  it('takes the line of a statement out of rows and archive, and does not read it from the transcript again', async () => {
    await fillEverything(cli);
    const [hit] = await remember('snorbeldick');
    await cli.run(['forget', hit!.ref, '--yes']);
    expect(stringsOf(cli, ['snorbeldick'])).toEqual([]);
    expect(stringsOf(cli, ['drozzelmint']).length).toBeGreaterThan(0);
    await cli.run(['reindex', '--no-vectors'], NO_VECTORS);
    expect(stringsOf(cli, ['snorbeldick'])).toEqual([]);
    expect(await remember('snorbeldick')).toEqual([]);
  });

  it('takes the lines of a topic', async () => {
    await fillEverything(cli);
    const { topics } = await cli.json<{ topics: Topic[] }>(['topics', GONE]);
    for (const { ref } of topics) await cli.run(['forget', ref, '--yes']);
    await cli.run(['reindex', '--no-vectors'], NO_VECTORS);
    expect(stringsOf(cli, ['drozzelmint', 'vantrickle', 'snorbeldick'])).toEqual([]);
  });

  it('takes them where neither the transcript nor an archive is left', async () => {
    const { gone } = await fillEverything(cli);
    fs.rmSync(gone);
    fs.rmSync(path.join(cli.home, '.cairn', 'archive'), { recursive: true });
    const [hit] = await remember('snorbeldick');
    await cli.run(['forget', hit!.ref, '--yes']);
    expect(stringsOf(cli, ['snorbeldick'])).toEqual([]);
    expect(stringsOf(cli, ['drozzelmint']).length).toBeGreaterThan(0);
  });

  it('takes a record and its earlier copies, without keeping one', async () => {
    await cli.run(['save', 'decision', 'Use frobnicator for the mail', 'queue']);
    const [record] = await cli
      .json<{ path: string }[]>(['list'])
      .then((listed) => (Array.isArray(listed) ? listed : (listed as { records: { path: string }[] }).records));
    const slug = path.basename(record!.path, '.json');
    await cli.run(['remember', 'frobnicator'], NO_VECTORS);
    expect(stringsOf(cli, ['frobnicator']).length).toBeGreaterThan(1);
    const done = await cli.run(['forget', `record:decisions/${slug}`, '--yes']);
    expect(done).toMatchObject({ exit: 0 });
    expect(stringsOf(cli, ['frobnicator'])).toEqual([]);
  });
});

describe('cairn forget --text', () => {
  it('takes every mention out of everything, masks it in records and notes, and keeps it out', async () => {
    await fillEverything(cli);
    await cli.run(['save', 'decision', 'Ship quibblefax on Friday with the quibblefax team']);
    await cli.run(['note', 'new', 'decision', 'Keep the quibblefax small']);
    await cli.run(['remember', 'quibblefax'], NO_VECTORS);
    expect(stringsOf(cli, ['quibblefax']).length).toBeGreaterThan(8);
    const plan = await cli.json<Plan>(['forget', '--text', 'quibblefax', '--dry-run']);
    expect(plan.would_remove).toMatchObject({
      conversations: 1,
      'archived transcripts': 1,
      'records and notes': expect.any(Number),
    });
    const done = await cli.run(['forget', '--text', '-', '--yes'], { stdin: 'Quibblefax\n' });
    expect(done.out).not.toMatch(/still found/);
    expect(done).toMatchObject({ exit: 0, err: '' });
    expect(stringsOf(cli, ['quibblefax'])).toEqual([]);
    expect([...allBytes(cli).keys()].filter((file) => /quibblefax/i.test(path.basename(file)))).toEqual([]);
    // Other statements of the same conversation stay.
    expect((await remember('vantrickle')).length).toBeGreaterThan(0);
    expect(await remember('ship', 'team')).not.toEqual([]);
    expect((await cli.run(['index', '--validate'])).exit).toBe(0);
    await cli.run(['backfill', '--no-vectors'], NO_VECTORS);
    await cli.run(['reindex', '--no-vectors'], NO_VECTORS);
    transcript(cli, '44444444-eeee-4eee-8eee-444444444444', [
      { user: 'And the quibblefax again?', assistant: 'We decided to drop the Quibblefax for good. Then we sleep.' },
    ]);
    await cli.run(['backfill', '--no-vectors'], NO_VECTORS);
    expect(stringsOf(cli, ['quibblefax'])).toEqual([]);
    const { id } = (await cli.json<{ forgotten: { id: string }[] }>(['forget', '--list'])).forgotten[0]!;
    await cli.run(['forget', '--undo', id]);
    await cli.run(['reindex', '--no-vectors'], NO_VECTORS);
    expect((await remember('quibblefax')).length).toBeGreaterThan(0);
  });

  it('says that mentions went, not the conversations that hold them', async () => {
    await fillEverything(cli);
    const looked = await cli.run(['forget', '--text', 'quibblefax', '--dry-run']);
    expect(looked.out).toMatch(/It is mentioned in:\n {7}1 {2}conversation\n/);
    const { out } = await cli.run(['forget', '--text', 'quibblefax', '--yes']);
    expect(out).toMatch(/Every mention is forgotten, in 1 conversation, /);
    const unknown = await cli.run(['forget', '--text', 'never-said-anywhere', '--yes']);
    expect(unknown.out).toMatch(/^Nothing that is stored mentions it/);
    expect((await cli.run(['forget', '--list'])).out).toMatch(/ {2}text {2}nothing was stored of it/);
  });

  it('refuses what is in every second line', async () => {
    expect(await cli.run(['forget', '--text', 'ab', '--yes'])).toMatchObject({ exit: 2 });
  });
});

describe('cairn redact --text', () => {
  it('shows where it is, masks it there, and in what is read in later; the statements stay', async () => {
    await fillEverything(cli);
    const looked = await cli.run(['redact', '--text', 'drozzelmint']);
    expect(looked).toMatchObject({ exit: 1, out: expect.stringMatching(/^Found in 1 conversation,/) });
    expect(stringsOf(cli, ['drozzelmint']).length).toBeGreaterThan(1);
    expect(await cli.run(['redact', '--text', '-', '--apply'], { stdin: 'Drozzelmint' })).toMatchObject({ exit: 0 });
    expect(stringsOf(cli, ['drozzelmint'])).toEqual([]);
    expect((await remember('quibblefax', 'Redis'))[0]!.text).toMatch(/because \[redacted:text:…\] is too slow/);
    await cli.run(['reindex', '--no-vectors'], NO_VECTORS);
    expect(stringsOf(cli, ['drozzelmint'])).toEqual([]);
  });
});

describe('retention.conversation_days', () => {
  it('forgets conversations of that age in the background, and reads none in that is older', async () => {
    await fillEverything(cli);
    const age = Math.floor((Date.now() - Date.UTC(2026, 4, 15)) / 86_400_000);
    put(path.join(cli.home, '.cairn', 'config.json'), JSON.stringify({ retention: { conversation_days: age } }));
    transcript(cli, '55555555-ffff-4fff-8fff-555555555555', SAID_GONE, { day: 2 });
    const out = await cli.run(['backfill'], NO_VECTORS);
    expect(out.out).toMatch(/2 conversations left out: older than retention.conversation_days/);
    expect(stringsOf(cli, PLANTED)).toEqual([]);
    expect((await remember('ledger')).length).toBeGreaterThan(0);
    expect(await cli.json(['forget', '--list'])).toMatchObject({ forgotten: [{ why: 'age', what: 'conversations' }] });
  });
});

describe('what is kept out from the start', () => {
  it('leaves no trace of an excluded conversation', async () => {
    put(path.join(cli.home, '.cairn', 'config.json'), JSON.stringify({ traces: { exclude: ['secret-*'] } }));
    const cwd = path.join(cli.base, 'secret-client');
    transcript(cli, GONE, SAID_GONE, { cwd });
    const report = await cli.json<{ refused: object }>(['backfill', '--all'], NO_VECTORS);
    expect(report.refused).toEqual({ excluded: 1 });
    expect(stringsOf(cli, [...PLANTED, GONE])).toEqual([]);
  });

  it('refuses what is no conversation, unless it is told', async () => {
    const files = {
      'README.md': '# A program\n\nUser: somebody who runs it.\n\nIt counts.\n',
      'server.log': '2026-05-01 user: logged in\n',
      'app.ts': 'export const answer = 42;\n',
      'picture.txt': 'a\0b\0c',
    };
    for (const [name, text] of Object.entries(files)) {
      const printed = await cli.run(['backfill', put(path.join(cli.base, 'some', name), text)], NO_VECTORS);
      expect(printed, name).toMatchObject({ exit: 1, out: expect.stringMatching(/no conversation/) });
      expect(printed.out, name).toMatch(/What to do: Name transcripts/);
      expect(printed.out, name).not.toMatch(/^0 conversations/);
    }
    const readme = path.join(cli.base, 'some', 'README.md');
    expect(await cli.run(['backfill', readme, '--as-text'], NO_VECTORS)).toMatchObject({ exit: 0 });
  });
});
