// The server of a team gone, silent, out of connections, read-only or out of room, under the binary as it is shipped: no hook gets in the
// user's way, each failure is told with what to do, nothing is lost, and what was said meanwhile is there once the server is well.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { removeBusyFolder } from '../../src/files/remove-busy-folder.ts';
import { Cli } from '../fixtures/cli.ts';
import { postgresBinaries, type Server, startServer, whyNoSmallDisk } from '../fixtures/postgres-server.ts';
import { newFolder, put } from '../fixtures/temporary.ts';
import { Way } from '../fixtures/way-to-server.ts';
import { sayLoudly } from './mount-space.ts';

const binary = path.resolve(import.meta.dirname, '../../dist/faces/cli/main.js');
const noDisk = sayLoudly(whyNoSmallDisk(), 'tests with a server whose disk is really full');
/** So much that no free corner of a table takes it. */
const MUCH = Array.from(
  { length: 150 },
  (_, n) => `Invoice w${n}a of customer w${n}b goes to printer w${n}c on day ${n}.`,
);
const SAID = [
  ['Where do we keep the ledger?', 'We decided to keep the ledger in Kafka, because the bookkeeping replays events.'],
  [
    'And where do the invoices go?',
    `We decided to print the invoices with Typst, because LaTeX was too slow for us.\n\n${MUCH.join('\n\n')}`,
  ],
] as const;

const SILENCE = 'that does not answer';

type Fault = {
  readonly name: string;
  /** What the user is told. */
  readonly told: RegExp;
  readonly fix: RegExp;
  /** Whether what is known can be read meanwhile. */
  readonly reads: boolean;
  begin(role: string): Promise<void>;
  end(role: string): Promise<void>;
};

describe.skipIf(postgresBinaries() === undefined || !fs.existsSync(binary))('a server', { timeout: 600_000 }, () => {
  let server: Server;
  let way: Way;
  const homes: Cli[] = [];
  beforeAll(async () => {
    server = await startServer();
    way = await Way.to(server.port);
  }, 120_000);
  afterAll(async () => {
    await way?.close();
    for (const { base } of homes) await removeBusyFolder(base);
    await server?.remove();
  });

  /** A person with a database of his own: what is done to his role or his tables is done to nobody else. */
  async function person(role: string, at: Place): Promise<Cli> {
    await at.server.sql(`CREATE ROLE ${role} LOGIN`);
    await at.server.sql(`CREATE DATABASE ${role} OWNER ${role} TABLESPACE ${at.tablespace ?? 'pg_default'}`);
    const cli = new Cli(newFolder());
    homes.push(cli);
    put(path.join(cli.project, '.git/config'), '[remote "origin"]\n\turl = https://github.com/acme/shop.git\n');
    put(path.join(cli.home, '.cairn/config.json'), {
      store: { url: `postgres://${role}@127.0.0.1:${at.port ?? at.server.port}/${role}` },
      embeddings: { provider: 'none' },
    });
    expect(await cairn(cli, ['store', 'migrate'])).toMatchObject({ status: 0, err: '' });
    return cli;
  }

  /** The n-th thing that was said, and the event at its end. */
  function says(cli: Cli, n: number): object {
    const session = `dddddddd-0000-4000-8000-00000000000${n}`;
    const [asked, answered] = SAID[n]!;
    const common = {
      sessionId: session,
      cwd: cli.project,
      timestamp: `2026-04-0${n + 1}T09:00:00Z`,
      version: '2.1.325',
    };
    const lines = [
      { type: 'user', ...common, uuid: 'u', message: { role: 'user', content: asked } },
      {
        type: 'assistant',
        ...common,
        uuid: 'a',
        message: { id: 'm', role: 'assistant', content: [{ type: 'text', text: answered }] },
      },
    ];
    const file = path.join(cli.home, '.claude/projects/shop', `${session}.jsonl`);
    put(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    return { hook_event_name: 'SessionEnd', session_id: session, transcript_path: file, cwd: cli.project };
  }

  const worker = (cli: Cli, event: object): Promise<Said> =>
    cairn(cli, ['hook', 'index-worker'], JSON.stringify(event));
  const failures = (cli: Cli): string => {
    const file = path.join(cli.home, '.cairn/log/hooks.log');
    return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
  };
  /** All that the server has of that person's conversations, but for where they lie on his machine. */
  const rowsOf = async (role: string, at: Server): Promise<string[]> =>
    (
      await at.sql(
        `SELECT concat_ws(' | ', o.class, s.project, d.ref, d.kind, d.text,
           (SELECT count(*) FROM cairn.posting p WHERE p.document = d.id)) AS row
         FROM cairn.document d JOIN cairn.shelf s ON s.id = d.shelf JOIN cairn.scope o ON o.id = s.scope ORDER BY 1`,
        role,
      )
    ).map(({ row }) => String(row));

  /** What there is when nothing went wrong. */
  let calm: readonly string[];
  beforeAll(async () => {
    const cli = await person('calm', { server });
    for (const n of SAID.keys()) expect(await worker(cli, says(cli, n))).toEqual(SILENT);
    calm = await rowsOf('calm', server);
    expect(calm.join('\n')).toMatch(/Kafka[\s\S]*Typst/);
    expect(failures(cli)).toBe('');
  }, 240_000);

  const faults: readonly Fault[] = [
    {
      name: 'that is gone',
      told: /cannot be reached/,
      fix: /Check that it runs/,
      reads: false,
      begin: () => server.kill(),
      end: () => server.start(),
    },
    {
      name: SILENCE,
      told: /took too long/,
      fix: /cairn store status/,
      reads: false,
      begin: async () => way.stall(),
      end: async () => way.flow(),
    },
    {
      name: 'that has no connection left',
      told: /no connection left/,
      fix: /max_connections|pooler/,
      reads: false,
      begin: async (role) => void (await server.sql(`ALTER ROLE ${role} CONNECTION LIMIT 0`)),
      end: async (role) => void (await server.sql(`ALTER ROLE ${role} CONNECTION LIMIT -1`)),
    },
    {
      name: 'that takes no writes',
      told: /takes no writes \(read-only\)/,
      fix: /name the primary/,
      reads: true,
      begin: async (role) => void (await server.sql(`ALTER ROLE ${role} SET default_transaction_read_only = on`)),
      end: async (role) => void (await server.sql(`ALTER ROLE ${role} RESET default_transaction_read_only`)),
    },
    {
      name: 'that says that its disk is full',
      told: /disk of the database server .* is full/,
      fix: /Free some space there/,
      reads: true,
      begin: async (role) => {
        await server.sql(
          `CREATE FUNCTION cairn.no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
             RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
           CREATE TRIGGER no_room BEFORE INSERT ON cairn.posting EXECUTE FUNCTION cairn.no_room()`,
          role,
        );
      },
      end: async (role) => void (await server.sql('DROP FUNCTION cairn.no_room() CASCADE', role)),
    },
  ];

  it.each(faults)('$name harms nothing and is told', (fault) =>
    suffer(`p${faults.indexOf(fault)}`, fault, { server, port: fault.name === SILENCE ? way.port : server.port }),
  );

  it.skipIf(noDisk)('whose disk is really full harms nothing and is told', async () => {
    const packed = await startServer([], { smallDisk: 64 * 1024 });
    onTestFinished(() => packed.remove());
    await packed.sql(`CREATE TABLESPACE small LOCATION '${packed.small}'`);
    await suffer(
      'packed',
      {
        name: '',
        told: /disk of the database server .* is full.*No space left on device/,
        fix: /Free some space there/,
        reads: true,
        begin: async () => {
          await packed.sql('CREATE TABLE ballast (x text); ALTER TABLE ballast ALTER x SET STORAGE EXTERNAL', 'packed');
          // Ever smaller pieces, until not one page is left.
          for (const size of [1_000_000, 100_000, 5_000, 5_000])
            await expect(async () => {
              for (;;) await packed.sql(`INSERT INTO ballast SELECT repeat(random()::text, ${size} / 20)`, 'packed');
            }).rejects.toMatchObject({ code: '53100' });
        },
        end: async () => void (await packed.sql('DROP TABLE ballast', 'packed')),
      },
      { server: packed, tablespace: 'small' },
    );
  });

  async function suffer(role: string, fault: Fault, at: Place): Promise<void> {
    const cli = await person(role, at);
    expect(await worker(cli, says(cli, 0))).toEqual(SILENT);
    await fault.begin(role);
    try {
      await isBorne(cli, fault);
    } finally {
      await fault.end(role);
    }
    // The conversation is over: the next ones of the project bring what it left. (A worker that another is before leaves it to that one.)
    const caughtUp = async (): Promise<string[]> => {
      expect(await worker(cli, nextStart(cli))).toEqual(SILENT);
      return rowsOf(role, at.server);
    };
    await expect.poll(caughtUp, { timeout: 240_000, interval: 500 }).toEqual(calm);
    expect((await cairn(cli, ['remember', 'invoices'])).out).toContain('Typst');
  }

  async function isBorne(cli: Cli, fault: Fault): Promise<void> {
    const prompt = await cairn(cli, ['hook', 'user-prompt-submit'], JSON.stringify(question(cli)));
    expect(prompt).toMatchObject({ status: 0, err: '' });
    if (!fault.reads) {
      expect(prompt.out).toBe('');
      expect(failures(cli)).toMatch(fault.told);
    }
    const said = says(cli, 1);
    expect(await worker(cli, said)).toEqual(SILENT);
    expect(failures(cli)).toMatch(fault.told);
    const asked = await cairn(cli, ['backfill', '--no-vectors']);
    expect(asked.status).toBe(1);
    expect(asked.out + asked.err).toMatch(fault.told);
    expect(asked.out + asked.err).toMatch(fault.fix);
    if (fault.reads) expect((await cairn(cli, ['remember', 'ledger'])).out).toContain('Kafka');
    expect((await cairn(cli, ['doctor'])).out).toMatch(fault.told);
    const greeted = await cairn(cli, ['hook', 'session-start'], JSON.stringify(nextStart(cli)));
    expect(greeted).toMatchObject({ status: 0, err: '' });
    expect(greeted.out).toMatch(/Cairn itself failed|cairn doctor/);
  }
});

/** `port`: another way there than its own. */
type Place = { readonly server: Server; readonly port?: number; readonly tablespace?: string };
type Said = { status: number | null; out: string; err: string };
const SILENT: Said = { status: 0, out: '', err: '' };

const nextStart = ({ project }: Cli): object => ({
  hook_event_name: 'SessionStart',
  source: 'startup',
  session_id: 'next',
  cwd: project,
});
const question = (cli: Cli): object => ({
  hook_event_name: 'UserPromptSubmit',
  session_id: 'now',
  cwd: cli.project,
  prompt: 'where do we keep the ledger of the bookkeeping?',
});

/** Not waited for by standing still: the way to the server is in this process. */
function cairn(cli: Cli, argv: readonly string[], input = ''): Promise<Said> {
  const { CAIRN_DISABLE: _, CAIRN_HOME: __, CLAUDE_PROJECT_DIR: ___, ...inherited } = process.env;
  const env = { ...inherited, HOME: cli.home, USERPROFILE: cli.home, CLAUDE_PROJECT_DIR: cli.project };
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [binary, ...argv], { cwd: cli.project, env });
    const said = { out: '', err: '' };
    child.stdout.on('data', (chunk: Buffer) => (said.out += chunk));
    child.stderr.on('data', (chunk: Buffer) => (said.err += chunk));
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, ...said }));
    child.stdin.on('error', () => undefined); // it may end without having read
    child.stdin.end(input);
  });
}
