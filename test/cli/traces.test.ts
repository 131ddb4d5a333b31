// Conversations on the command line: read in, listed, counted, shown, made anew.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { notePending, pendingFile } from '../../src/app/pending-conversations.ts';
import { loadConfig } from '../../src/config/load.ts';
import { openDriver } from '../../src/store/sqlite/driver.ts';
import type * as FailingFs from '../faults/failing-fs.cjs';
import { type Bundle, bundle } from '../fixtures/bundle.ts';
import { Cli } from '../fixtures/cli.ts';
import { newFolder, put } from '../fixtures/temporary.ts';
import { conversation } from '../traces/conversation.ts';

const { arm, disarm } = createRequire(import.meta.url)('../faults/failing-fs.cjs') as typeof FailingFs;

type Report = {
  transcripts: number;
  unchanged: number;
  unknown: string[];
  failed: { file: string }[];
  prompts: number;
  ideas: number;
  finished: boolean;
};
type Topic = { ref: string; name: string; session: string; project: string };
const topicsOf = async (...argv: string[]): Promise<Topic[]> =>
  (await cli.json<{ topics: Topic[] }>(['topics', ...argv])).topics;

const NO_VECTORS = { env: { CAIRN_EMBEDDINGS_PROVIDER: 'none' } };
let cli: Cli;
beforeEach(() => {
  cli = new Cli();
});

function talk(number: number, options: { turns?: number; cwd?: string; folder?: string } = {}): string {
  const { session, lines } = conversation(number, options.turns ?? 20, options.cwd ?? cli.project);
  const folder = options.folder ?? path.join(cli.home, '.claude', 'projects', 'p');
  fs.mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `${session}.jsonl`);
  fs.writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
  return file;
}

const backfill = (...argv: string[]): Promise<Report> => cli.json<Report>(['backfill', ...argv], NO_VECTORS);

describe('cairn backfill', () => {
  it('reads the conversations of this project, those in its folders and worktrees included, and no others', async () => {
    talk(1);
    talk(2, { cwd: path.join(cli.project, 'packages', 'a') });
    talk(3, { cwd: path.join(cli.project, '.claude', 'worktrees', 'gone') });
    talk(4, { cwd: path.join(cli.base, 'other') });
    expect(await backfill()).toMatchObject({ transcripts: 3, failed: [] });
    expect(await backfill()).toMatchObject({ transcripts: 3, unchanged: 3, ideas: 0 });
  });

  it('knows projects by their names, as folders, remotes and manifests have them', async () => {
    fs.writeFileSync(path.join(cli.project, 'package.json'), '{"name": "@harbour/tide-table"}');
    const session = '0f0e0d0c-1111-4222-8333-444455556666';
    const line = (uuid: string, text: string) =>
      JSON.stringify({
        type: 'user',
        uuid,
        sessionId: session,
        cwd: cli.project,
        timestamp: '2026-05-01T10:00:00.000Z',
        message: { role: 'user', content: text },
      });
    const folder = path.join(cli.home, '.claude', 'projects', 'p');
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(
      path.join(folder, `${session}.jsonl`),
      `${line('a', 'We decided that TideTable stays in one repository with Harbour.')}\n`,
    );
    await backfill();
    const { entities } = await cli.json<{ entities: { name: string; kind: string }[] }>(['stats']);
    expect(entities.map(({ name, kind }) => `${kind} ${name}`).sort()).toEqual([
      'project harbour',
      'project tidetable',
    ]);
  });

  it('reads all, a file, or what lies below a directory', async () => {
    const one = talk(1);
    talk(2, { cwd: path.join(cli.base, 'other') });
    const folder = path.join(cli.base, 'exports');
    talk(3, { folder: path.join(folder, 'deep', 'down') });
    fs.writeFileSync(path.join(folder, 'noise.jsonl'), '{"nothing":"known"}\n');
    expect(await backfill(one)).toMatchObject({ transcripts: 1 });
    expect(await backfill('--all')).toMatchObject({ transcripts: 2, unchanged: 1 });
    expect(await backfill(folder)).toMatchObject({ transcripts: 1, unknown: [path.join(folder, 'noise.jsonl')] });
  });

  it('takes exports of conversations from a folder, and no other text', async () => {
    const folder = path.join(cli.base, 'notes');
    fs.mkdirSync(folder);
    fs.writeFileSync(
      path.join(folder, 'talk.md'),
      '## User\n\nWe decided to use Redis for the queue.\n\n## Assistant\n\nDone.\n',
    );
    fs.writeFileSync(path.join(folder, 'README.md'), '# A program\n\nIt counts user requests: many of them.\n');
    expect(await backfill(folder)).toMatchObject({ transcripts: 1, unknown: [], prompts: 1 });
  });

  it('catches up: what hooks could not capture does not wait any more', async () => {
    const file = talk(1);
    const { userRoot, projectRoot } = loadConfig({ cwd: cli.project, env: { HOME: cli.home } }).paths;
    notePending(userRoot, projectRoot);
    await backfill(file);
    expect(fs.existsSync(pendingFile(userRoot, projectRoot))).toBe(true); // there may be others
    await backfill();
    expect(fs.existsSync(pendingFile(userRoot, projectRoot))).toBe(false);
  });

  it('takes an export into the project that it is read in, where it stays', async () => {
    const file = put(
      path.join(cli.base, 'downloads', 'talk.md'),
      '## User\n\nWe decided to use Redis for the queue.\n',
    );
    await backfill(file);
    const topics = await topicsOf();
    expect(topics).toMatchObject([{ session: 'talk', started_at: null, ended_at: null }]);
    expect((await cli.run(['topics'])).out).toMatch(/^undated {2}talk\n/);
    expect((await cli.run(['remember', 'redis', 'queue'], NO_VECTORS)).out).toContain('Redis for the queue');
    const elsewhere = { ...NO_VECTORS, cwd: path.dirname(file) };
    await cli.run(['reindex'], elsewhere);
    expect(await topicsOf()).toEqual(topics);
    fs.rmSync(path.join(cli.home, '.cairn', 'archive'), { recursive: true });
    await cli.run(['reindex'], elsewhere);
    expect(await topicsOf()).toEqual(topics);
  });

  it('takes only conversations that went on since a date', async () => {
    talk(1); // April 2nd
    talk(25); // April 26th
    expect(await backfill('--since', '2026-04-20')).toMatchObject({ transcripts: 1 });
    const { exit, err } = await cli.run(['backfill', '--since', 'someday'], NO_VECTORS);
    expect([exit, err]).toEqual([2, expect.stringContaining('is no time')]);
  });

  it('says what it did, what it could not read, and when there is nothing', async () => {
    expect((await cli.run(['backfill'], NO_VECTORS)).out).toContain('no conversations to read here');
    const anew = (await cli.run(['reindex'], NO_VECTORS)).out;
    expect(anew).toContain('no conversations to read on this machine');
    expect(anew).not.toContain('--all'); // which it does not have
    talk(7, { turns: 80 });
    const { exit, out } = await cli.run(['backfill'], NO_VECTORS);
    expect(exit).toBe(0);
    expect(out).toMatch(/1 conversation: 1 with something new\n\d+ prompts and \d+ ideas from \d+ lines/);
    expect(out).toMatch(/WARNING: \d+ lines? could not be read in /);
  });

  it('goes on after a transcript that cannot be read, and fails in the end', async () => {
    const [good, bad] = [talk(1), talk(2)];
    const place = path.dirname(good);
    arm({ under: bad, at: 1, fault: 'EACCES' }); // root reads everything
    const { exit, out } = await cli.run(['backfill', place], NO_VECTORS);
    disarm();
    expect([exit, out]).toEqual([1, expect.stringMatching(/^1 conversation: 1 with something new\n/)]);
    expect(out).toContain(`FAILED: ${bad}: EACCES`);
    expect(out).toContain('What to do: ');
    const missing = await cli.run(['backfill', path.join(place, 'none.jsonl')], NO_VECTORS);
    expect([missing.exit, missing.err]).toEqual([1, expect.stringContaining('There is no')]);
  });

  it('says that a folder cannot be read, instead of that there is nothing in it', async () => {
    const folder = path.dirname(talk(1));
    arm({ under: folder, at: 1, fault: 'EACCES', only: 'reads' });
    const { exit, out } = await cli.run(['backfill', folder], NO_VECTORS);
    disarm();
    expect([exit, out]).toEqual([1, expect.stringContaining(`FAILED: ${folder}: EACCES`)]);
    expect(out).not.toContain('no conversations');
  });

  it('names the records that it could not index', async () => {
    put(cli.file('decisions/torn'), '{"title":');
    expect((await cli.run(['backfill'], NO_VECTORS)).out).toContain('WARNING: decisions/torn.json: it is not JSON');
  });

  it('keeps no copies where the user wants none', async () => {
    talk(1);
    const archive = path.join(cli.home, '.cairn', 'archive');
    const none = { env: { ...NO_VECTORS.env, CAIRN_TRACES_ARCHIVE_MAX_MB: '0' } };
    expect((await cli.run(['backfill'], none)).exit).toBe(0);
    expect(fs.existsSync(archive) ? fs.readdirSync(archive, { recursive: true }) : []).toEqual([]);
    expect((await topicsOf()).length).toBeGreaterThan(0);
  });

  it('does not take a path and --all', async () => {
    expect((await cli.run(['backfill', 'x', '--all'], NO_VECTORS)).exit).toBe(2);
  });
});

describe('what was read', () => {
  beforeEach(async () => {
    talk(1);
    talk(2);
    await backfill();
  });

  it('is listed by topics', async () => {
    const topics = await topicsOf();
    expect(new Set(topics.map(({ session }) => session)).size).toBe(2);
    const [{ session } = { session: '' }] = topics;
    const own = await topicsOf(session);
    expect(new Set(own.map((topic) => topic.session))).toEqual(new Set([session]));
    const nobody = await cli.run(['topics', 'nobody']);
    expect([nobody.exit, nobody.err]).toEqual([1, expect.stringContaining('No conversation "nobody" is known')]);
    expect((await cli.run(['topics'])).out).toContain(session);
  });

  it('is counted', async () => {
    const stats = await cli.json<{ sessions: number; ideas: { [intent: string]: number } }>(['stats']);
    expect(stats.sessions).toBe(2);
    expect(stats.ideas.decision).toBeGreaterThan(0);
    expect((await cli.run(['stats'])).out).toMatch(/2 conversations, \d+ topics?, \d+ exchanges, \d+ ideas/);
  });

  it('is shown with the lines around it, by a whole ref or its beginning', async () => {
    const [topic] = await topicsOf();
    type Shown = { inside: { ref: string; kind: string; text: string; meta: { asked: string } }[] };
    const [exchange] = (await cli.json<Shown>(['show', topic!.ref])).inside;
    expect((await cli.run(['show', exchange!.ref])).out).toContain(`asked: ${exchange!.meta.asked}`);
    const { ref, text } = (await cli.json<Shown>(['show', exchange!.ref])).inside[0]!;
    const { out } = await cli.run(['show', ref.slice(0, -3)]);
    expect(out).toContain(text.slice(0, 40));
    expect(out).toMatch(/source +\S+\.jsonl:\d+/);
    expect(out).toMatch(/In the conversation:\n +\d+ \w+: /);
  });

  it('is missed politely', async () => {
    const { exit, err } = await cli.run(['show', 'idea:nosuch']);
    expect([exit, err]).toEqual([1, expect.stringContaining('There is no memory "idea:nosuch"')]);
    expect((await cli.run(['show', 'what'])).err).toContain('There is no memory "what"');
  });

  it('comes back from the archive when transcripts and database are gone', async () => {
    const before = await topicsOf();
    fs.rmSync(path.join(cli.home, '.claude'), { recursive: true });
    fs.writeFileSync(path.join(cli.home, '.cairn', 'memory.db'), 'this is no database');
    const { exit, err } = await cli.run(['topics']);
    expect([exit, err]).toEqual([1, expect.stringContaining('reindex')]);
    expect((await cli.run(['reindex'], NO_VECTORS)).exit).toBe(0);
    expect(await topicsOf()).toEqual(before);
  });
});

describe('the archive', () => {
  const archived = (transcript: string): string => {
    const folder = path.join(cli.home, '.cairn', 'archive', 'transcripts');
    const name = path.basename(transcript, '.jsonl');
    const files = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' });
    return path.join(folder, files.find((file) => file.includes(name) && file.endsWith('.gz'))!);
  };

  it('gives back by itself what a new database lacks and no transcript holds any more', async () => {
    const gone = [talk(1), talk(2, { cwd: path.join(cli.base, 'other') })];
    talk(3);
    await backfill('--all');
    const before = await topicsOf('--all');
    for (const file of gone) fs.rmSync(file);
    const database = openDriver(path.join(cli.home, '.cairn', 'memory.db'));
    // What nobody could take over: the database is lost.
    database.exec(`DELETE FROM state`);
    database.close();
    expect((await cli.run(['doctor'], NO_VECTORS)).out).toContain('2 of 2 conversations of this project wait');
    expect(await backfill()).toMatchObject({ transcripts: 2, failed: [] });
    expect(await backfill()).toMatchObject({ transcripts: 1, unchanged: 1 });
    expect(await backfill('--all')).toMatchObject({ transcripts: 2, unchanged: 1 });
    const topics = await topicsOf('--all');
    expect(topics.map(({ ref }) => ref).sort()).toEqual(before.map(({ ref }) => ref).sort());
  });

  it('is not needed after an update with other tables: what was known comes over', async () => {
    const gone = [talk(1), talk(2, { cwd: path.join(cli.base, 'other') })];
    await backfill('--all');
    const before = await topicsOf('--all');
    for (const file of gone) fs.rmSync(file);
    fs.rmSync(path.join(cli.home, '.cairn', 'archive'), { recursive: true });
    const database = openDriver(path.join(cli.home, '.cairn', 'memory.db'));
    database.exec('PRAGMA user_version = 1');
    database.close();
    expect(await topicsOf('--all')).toEqual(before);
  });

  it('stands in for a transcript of which a power cut has left nothing', async () => {
    const files = [talk(1), talk(2)];
    await backfill();
    const before = await topicsOf();
    fs.writeFileSync(files[0]!, '');
    fs.writeFileSync(files[1]!, Buffer.alloc(4_096));
    expect(await cli.json<Report>(['reindex'], NO_VECTORS)).toMatchObject({ transcripts: 2, unknown: [], failed: [] });
    expect(await topicsOf()).toEqual(before);
    expect((await cli.run(['show', before[0]!.ref])).out).toContain('from the archive');
  });

  it('that has no copy of a conversation whose transcript is gone does not cost it, unless that is wanted', async () => {
    const gone = talk(1);
    talk(2);
    await backfill();
    fs.rmSync(gone);
    fs.rmSync(path.join(cli.home, '.cairn', 'archive'), { recursive: true });
    const rows = (): string[] => {
      const database = openDriver(path.join(cli.home, '.cairn', 'memory.db'), { readOnly: true });
      const all = ['document', 'link', 'mention'].map((table) =>
        database.prepare(`SELECT count(*) AS n FROM ${table}`).get(),
      );
      database.close();
      return all.map((each) => String((each as { n: number }).n));
    };
    const [before, counts] = [await topicsOf(), rows()];
    expect((await cli.run(['reindex'], NO_VECTORS)).out).toContain('1 conversation kept as known');
    expect(await topicsOf()).toEqual(before);
    expect(rows()).toEqual(counts);
    expect(await cli.json<Report>(['reindex', '--forget-gone'], NO_VECTORS)).toMatchObject({
      transcripts: 1,
      kept: [],
    });
    expect((await topicsOf()).map(({ session }) => session)).not.toContain(path.basename(gone, '.jsonl'));
  });

  it('that is damaged costs one conversation, and not the whole database', async () => {
    const [bad, good] = [talk(1), talk(2)];
    await backfill();
    fs.truncateSync(archived(bad), 20);
    for (const file of [bad, good]) fs.rmSync(file);
    const { exit, out } = await cli.run(['reindex'], NO_VECTORS);
    expect([exit, out]).toEqual([1, expect.stringContaining(`FAILED: ${bad}: `)]);
    expect(out).toContain('What to do: If the transcript itself still exists');
    expect((await topicsOf()).map(({ session }) => session)).toContain(path.basename(good, '.jsonl'));
  });
});

describe('Ctrl-C', () => {
  let program: Bundle;
  let folder: string;
  beforeAll(async () => {
    program = await bundle('src/faces/launcher/main.ts');
    folder = newFolder();
  });
  afterAll(() => {
    program.remove();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  it('ends a backfill without loss, and the next run goes on', async () => {
    for (let number = 0; number < 40; number++)
      talk(number, { turns: 60, cwd: '/work/x', folder: path.join(folder, 'talks') });
    const env = { PATH: process.env.PATH, HOME: folder, ...NO_VECTORS.env };
    const argv = [program.file, 'backfill', path.join(folder, 'talks'), '--json'];
    const run = (interrupt: boolean): Promise<{ code: number | null; out: string }> => {
      const child = spawn(process.execPath, argv, { env, cwd: folder });
      let out = '';
      child.stdout.on('data', (chunk: Buffer) => {
        out += String(chunk);
      });
      const store = path.join(folder, '.cairn', 'memory.db-wal');
      const watch = setInterval(() => {
        if (!interrupt || !fs.existsSync(store) || fs.statSync(store).size < 600_000) return;
        clearInterval(watch);
        child.kill('SIGINT');
      }, 5);
      return new Promise((resolve) =>
        child.on('close', (code) => {
          clearInterval(watch);
          resolve({ code, out });
        }),
      );
    };
    const first = await run(true);
    expect(first.code).toBe(130);
    expect(JSON.parse(first.out)).toMatchObject({ finished: false, failed: [] });
    const second = await run(false);
    expect(JSON.parse(second.out)).toMatchObject({ finished: true, failed: [], transcripts: 40 });
    const [one, two] = [first, second].map(({ out }) => (JSON.parse(out) as Report).ideas);
    const whole = await cli.json<Report>(['backfill', path.join(folder, 'talks')], NO_VECTORS);
    expect(one! + two!).toBe(whole.ideas);
  }, 120_000);
});
