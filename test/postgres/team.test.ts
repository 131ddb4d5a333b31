// Two people, two homes, one server: what one decides the other is told with his name; what is kept private is not to be had by the
// other's role, by no command and no SQL. Also the life of such a store: made, copied both ways, left.

import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { userPromptSubmit } from '../../src/app/hooks/user-prompt-submit.ts';
import { loadConfig } from '../../src/config/load.ts';
import { removeBusyFolder } from '../../src/files/remove-busy-folder.ts';
import { Cli } from '../fixtures/cli.ts';
import { postgresBinaries, type Server, startServer } from '../fixtures/postgres-server.ts';
import { newFolder, put } from '../fixtures/temporary.ts';

const SHARED = 'We decided to keep the ledger of the shop in Kafka, because the bookkeeping must replay every event.';
const PRIVATE = 'We decided to call the secret project zanzibar, because the lawyers asked for it.';
const TABLES = ['scope', 'shelf', 'document', 'link', 'mention', 'state', 'posting', 'tally', 'embedding', 'near'];

describe.skipIf(postgresBinaries() === undefined)('a team on one server', () => {
  let server: Server;
  const folders: string[] = [];
  let sharing: Cli;
  beforeAll(async () => {
    server = await startServer();
    await server.sql('CREATE ROLE keeper LOGIN');
    await server.sql('CREATE ROLE alice LOGIN');
    await server.sql('CREATE ROLE bob LOGIN');
    await server.sql('CREATE DATABASE cairn OWNER keeper');
  });
  afterAll(async () => {
    for (const folder of folders) await removeBusyFolder(folder);
    await server?.remove();
  });

  /** A home and a clone of the shop, with the settings of that person. */
  function person(role: string, settings: object = {}, remote = 'https://github.com/acme/shop.git'): Cli {
    const base = newFolder();
    folders.push(base);
    const cli = new Cli(base);
    put(path.join(cli.project, '.git', 'config'), `[remote "origin"]\n\turl = ${remote}\n`);
    put(path.join(cli.project, '.git', 'HEAD'), 'ref: refs/heads/main\n');
    put(path.join(cli.home, '.cairn', 'config.json'), {
      store: { url: server.url(role, 'cairn') },
      embeddings: { provider: 'none' },
      ...settings,
    });
    return cli;
  }

  function says(cli: Cli, session: string, ...turns: readonly (readonly [asked: string, answered: string])[]): void {
    const common = { sessionId: session, cwd: cli.project, version: '2.1.325' };
    const lines = turns.flatMap(([asked, answered], at) => [
      { type: 'user', ...common, uuid: `u${at}`, timestamp: time(at), message: { role: 'user', content: asked } },
      {
        type: 'assistant',
        ...common,
        uuid: `a${at}`,
        timestamp: time(at),
        message: { id: `m${at}`, role: 'assistant', content: [{ type: 'text', text: answered }] },
      },
    ]);
    const folder = path.join(cli.home, '.claude', 'projects', cli.project.replace(/[^a-zA-Z0-9]/g, '-'));
    put(path.join(folder, `${session}.jsonl`), `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
  }
  const time = (at: number): string => new Date(Date.UTC(2026, 3, 1, 9, at)).toISOString();

  /** What is told before a prompt. One waits 300 ms for the server and no longer: on a busy machine it may have to be asked again. */
  async function promptOf(cli: Cli): Promise<string> {
    for (let attempt = 0; ; attempt++) {
      let isLate = false;
      const told = await userPromptSubmit(
        {
          cwd: cli.project,
          prompt: 'where do we keep the ledger of the shop?',
          hook_event_name: 'UserPromptSubmit',
          session_id: `bob-${attempt}`,
        },
        {
          config: loadConfig({ cwd: cli.project, env: { HOME: cli.home } }),
          now: () => new Date(Date.UTC(2026, 3, 2)),
          problem: (cause: unknown) => {
            isLate ||= /took too long/.test(String(cause));
          },
        } as unknown as Parameters<typeof userPromptSubmit>[1],
      );
      if (!isLate || attempt >= 100) return JSON.stringify(told);
    }
  }

  /** What the role sees of a word, in any table, by SQL of its own. */
  async function found(role: string, word: string): Promise<string[]> {
    const { default: pg } = await import('pg');
    const client = new pg.Client({ connectionString: server.url(role, 'cairn') });
    client.on('error', () => undefined);
    await client.connect();
    const hits: string[] = [];
    for (const table of TABLES) {
      const { rows } = await client.query(`SELECT t::text AS row FROM cairn.${table} t WHERE t::text ILIKE $1`, [
        `%${word}%`,
      ]);
      if (rows.length > 0) hits.push(table);
    }
    await client.end();
    return hits;
  }

  it('tells one what another decided, with his name, and keeps private what is private', async () => {
    const keeper = person('keeper');
    const made = await keeper.run(['store', 'migrate', '--member', 'alice', 'bob']);
    expect(made).toMatchObject({
      exit: 0,
      out: expect.stringMatching(/made at 127\.0\.0\.1:\d+\/cairn\. Members: alice, bob/),
    });

    const share = { team: { share: { projects: ['github.com/acme/*'] } } };
    const [alice, bob] = [person('alice', share), person('bob')];
    sharing = alice;
    says(alice, 'aaaaaaaa-0000-4000-8000-000000000001', ['Where do we keep the ledger of the shop?', SHARED]);
    expect((await alice.run(['backfill', '--no-vectors'])).exit).toBe(0);
    const secret = person('alice', share, 'https://github.com/lawyers/zanzibar.git');
    fs.rmSync(path.join(secret.home, '.cairn'), { recursive: true });
    fs.cpSync(path.join(alice.home, '.cairn'), path.join(secret.home, '.cairn'), { recursive: true });
    says(secret, 'aaaaaaaa-0000-4000-8000-000000000002', ['What is it called?', PRIVATE]);
    expect((await secret.run(['backfill', '--no-vectors'])).exit).toBe(0);

    const answer = await bob.json<{ results: { text: string; author?: string; source: unknown }[] }>([
      'remember',
      'where do we keep the ledger of the shop?',
    ]);
    expect(answer.results[0]).toMatchObject({ text: expect.stringContaining('Kafka'), author: 'alice', source: null });
    expect((await bob.run(['remember', 'ledger of the shop'])).out).toContain('of alice');
    const told = await promptOf(bob);
    expect(told).toMatch(/Kafka[\s\S]*alice|alice[\s\S]*Kafka/);
    // Also before anything else of Cairn has looked at his clone: no worker has noted yet whose it is.
    expect(await promptOf(person('bob'))).toMatch(/Kafka/);

    const hidden = await bob.json<{ results: { text: string }[] }>(['remember', 'zanzibar lawyers', '--all-projects']);
    expect(hidden.results.filter(({ text }) => /zanzibar/i.test(text))).toEqual([]);
    expect(
      (await alice.json<{ results: unknown[] }>(['remember', 'zanzibar', '--all-projects'])).results.length,
    ).toBeGreaterThan(0);
    expect(await found('alice', 'zanzibar')).toEqual(expect.arrayContaining(['document', 'posting', 'tally']));
    expect(await found('bob', 'zanzibar')).toEqual([]);
    // Of what is shared only the statement itself: not what was asked, not where it was written down.
    expect(await found('bob', 'kafka')).toEqual(expect.arrayContaining(['document', 'posting', 'tally']));
    expect(await found('bob', alice.home.slice(-12))).toEqual([]);
    expect(await found('bob', 'Where do we keep')).toEqual([]);
  });

  it('lets nobody write into, change or remove what is another’s', async () => {
    const { default: pg } = await import('pg');
    const client = new pg.Client({ connectionString: server.url('bob', 'cairn') });
    client.on('error', () => undefined);
    await client.connect();
    const before = Number((await server.sql('SELECT count(*) FROM cairn.document', 'cairn'))[0]?.count);
    const [scope] = await server.sql(`SELECT id FROM cairn.scope WHERE owner = 'alice' AND class = 'own'`, 'cairn');
    for (const table of TABLES)
      expect(
        await client
          .query(`DELETE FROM cairn.${table} WHERE NOT EXISTS (SELECT 1 WHERE current_user <> 'bob')`)
          .then(() => 'done', String),
      ).toBe('done');
    expect(Number((await server.sql('SELECT count(*) FROM cairn.document', 'cairn'))[0]?.count)).toBe(before);
    expect((await client.query(`UPDATE cairn.document SET text = 'mine now'`)).rowCount).toBe(0);
    await expect(client.query(`INSERT INTO cairn.shelf (scope, project) VALUES (${scope?.id}, 'x')`)).rejects.toThrow(
      /row-level security/,
    );
    await expect(
      client.query(`INSERT INTO cairn.scope (owner, machine, class) VALUES ('alice', 'm', 'own')`),
    ).rejects.toThrow(/row-level security/);
    await expect(client.query(`UPDATE cairn.about SET value = '0'`)).rejects.toThrow(/permission denied/);
    await client.end();
  });

  it('shares no more when the rule is taken back, and again when it is given', async () => {
    const alice = sharing;
    put(path.join(alice.home, '.cairn', 'config.json'), { store: { url: server.url('alice', 'cairn') } });
    await alice.run(['stats']);
    expect(await found('bob', 'kafka')).toEqual([]);
    put(path.join(alice.home, '.cairn', 'config.json'), {
      store: { url: server.url('alice', 'cairn') },
      team: { share: { projects: ['github.com/acme/*'] } },
    });
    await alice.run(['stats']);
    expect(await found('bob', 'kafka')).toContain('document');
  });

  it('carries a store to a file and to a server, equal in both, and says so', async () => {
    const alice = person('alice');
    const away = await alice.json<{ documents: number; different: string[] }>(['store', 'copy', '--to', 'sqlite']);
    expect(away.documents).toBeGreaterThan(3);
    expect(away.different).toEqual([]);
    expect(
      (
        await alice.json<{ kind: string; stats: { documents: { count: number }[] } }>([
          'store',
          'status',
          '--url',
          'sqlite',
        ])
      ).kind,
    ).toBe('sqlite');
    await server.sql('CREATE DATABASE second OWNER alice');
    const back = await alice.json<{ documents: number; different: string[] }>([
      'store',
      'copy',
      '--from',
      'sqlite',
      '--to',
      server.url('alice', 'second'),
    ]);
    expect(back).toMatchObject({ documents: away.documents, different: [] });
    const again = await alice.run(['store', 'copy', '--from', 'sqlite', '--to', server.url('alice', 'second')]);
    expect(again).toMatchObject({ exit: 0, out: expect.stringContaining('equal in both') });
    expect((await alice.run(['store', 'copy', '--from', 'sqlite', '--to', 'sqlite'])).exit).not.toBe(0);
  });

  it('forgets everything of who leaves, and nothing of the others', async () => {
    const [alice, bob] = [person('alice'), person('bob')];
    says(bob, 'bbbbbbbb-0000-4000-8000-000000000001', [
      'And the mails?',
      'We decided to send mails with Postfix, because it is there.',
    ]);
    expect((await bob.run(['backfill', '--no-vectors'])).exit).toBe(0);
    expect((await alice.run(['forget', '--mine'])).exit).toBe(1);
    expect(await alice.run(['forget', '--mine', '--yes'])).toMatchObject({
      exit: 0,
      out: expect.stringMatching(/gone from the server/),
    });
    expect(await server.sql(`SELECT * FROM cairn.scope WHERE owner = 'alice'`, 'cairn')).toEqual([]);
    for (const table of ['document', 'posting', 'tally', 'link', 'mention'])
      expect(
        await server.sql(
          `SELECT 1 FROM cairn.${table} t WHERE t::text ILIKE '%zanzibar%' OR t::text ILIKE '%kafka%'`,
          'cairn',
        ),
      ).toEqual([]);
    expect((await bob.json<{ results: unknown[] }>(['remember', 'mails with Postfix'])).results.length).toBeGreaterThan(
      0,
    );
  });

  it('takes the address from the user alone, and no password in it', async () => {
    const cli = person('bob');
    cli.configure({ store: { url: 'postgres://thief@198.51.100.7/loot' } });
    expect(loadConfig({ cwd: cli.project, env: { HOME: cli.home } }).settings.store.url).toBe(
      server.url('bob', 'cairn'),
    );
    for (const [url, said] of [
      ['postgres://bob:hunter2@127.0.0.1/cairn', /holds a password/],
      ['postgres://bob@198.51.100.7/cairn?sslmode=disable', /would send memories/],
      ['mysql://bob@127.0.0.1/cairn', /begins with mysql:/],
      ['postgres://bob@127.0.0.1/cairn?service=nowhere', /service file/],
    ] as const) {
      const { exit, err } = await cli.run(['store', 'status', '--url', url]);
      expect(exit).toBe(1);
      expect(err).toMatch(said);
      expect(err).not.toContain('hunter2');
    }
  });
});
