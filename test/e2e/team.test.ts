// Two people on the real client, two homes, one server: what one decides in a conversation is before the other's next prompt, with his name.
// What he kept to himself the other does not get: not by any command, not by any tool, not by SQL of the other's own.

import fs from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startServer as startViewer } from '../../src/faces/web/server.ts';
import { ROUTES, TOKEN_HEADER } from '../../src/viewer-api/protocol.ts';
import { Cli } from '../fixtures/cli.ts';
import { postgresBinaries, type Server, startServer } from '../fixtures/postgres-server.ts';
import { put } from '../fixtures/temporary.ts';
import { BINARY, CLIENT_VERSION, findClient, makePlace, type Place, removePlace, runClient } from './client.ts';
import { seenByModel } from './loopback-api.ts';

const DECISION = 'We decided to keep the ledger of the shop in Kafka, because the bookkeeping must replay every event.';
/** Each has a word that is nowhere else, and one to ask for it by. */
const KEPT = {
  otherProject: 'We decided to call the merger zanzibar, because the lawyers asked for a name.',
  prompt: 'My colleague quokka says the ledger of the shop is slow on mondays, please decide where to keep it.',
  notShared: 'Should the ledger of the shop also hold the wombat vouchers on mondays?',
} as const;
const SECRET = /zanzibar|quokka|wombat/i;
const client = findClient();

describe.skipIf(!client || postgresBinaries() === undefined)(
  `a team on Claude Code ${CLIENT_VERSION}`,
  { timeout: 600_000 },
  () => {
    let server: Server;
    let alice: Place;
    let bob: Place;
    let kept: { refs: string[]; sessions: string[]; files: string[] };

    beforeAll(async () => {
      server = await startServer();
      for (const role of ['keeper', 'alice', 'bob']) await server.sql(`CREATE ROLE ${role} LOGIN`);
      await server.sql('CREATE DATABASE cairn OWNER keeper');
      const keeper = person('keeper');
      const made = await new Cli(keeper.base).run(['store', 'migrate', '--member', 'alice', 'bob']);
      await removePlace(keeper);
      expect(made).toMatchObject({ exit: 0, err: '' });
      alice = person('alice', { team: { share: { projects: ['github.com/acme/*'] } } });
      bob = person('bob');
      await runClient({ place: alice, prompt: KEPT.prompt, turns: [{ text: `${DECISION}\n\n${KEPT.notShared}` }] });
      const lawyers = { ...alice, project: path.join(alice.base, 'lawyers') };
      clone(lawyers.project, 'https://github.com/lawyers/merger.git');
      await runClient({
        place: lawyers,
        prompt: 'What shall we call it in the papers of the merger?',
        turns: [{ text: KEPT.otherProject }],
      });
      // The workers of the hooks bring it to the server after the conversation.
      const rows = (words: string, classes: string) => `SELECT d.ref, d.session, d.file FROM cairn.document d
        JOIN cairn.shelf s ON s.id = d.shelf JOIN cairn.scope o ON o.id = s.scope
        WHERE o.owner = 'alice' AND o.class = '${classes}' AND d.text ~* '${words}'`;
      for (const [words, classes] of [
        ['kafka', 'shared'],
        ['zanzibar', 'own'],
        ['quokka', 'own'],
        ['wombat', 'own'],
      ] as const)
        await vi.waitFor(async () => expect(await server.sql(rows(words, classes), 'cairn')).not.toEqual([]), {
          timeout: 300_000,
          interval: 300,
        });
      const own = await server.sql(rows('zanzibar|quokka|wombat', 'own'), 'cairn');
      const all = (column: string) => [...new Set(own.flatMap((row) => (row[column] ? [String(row[column])] : [])))];
      kept = { refs: all('ref'), sessions: all('session'), files: all('file') };
    }, 600_000);

    afterAll(async () => {
      await removePlace(alice);
      await removePlace(bob);
      await server?.remove();
    });

    function clone(project: string, remote: string): void {
      put(path.join(project, '.git/HEAD'), 'ref: refs/heads/main\n');
      put(path.join(project, '.git/config'), `[remote "origin"]\n\turl = ${remote}\n`);
    }

    /** A home with its settings, and a clone of the shop. */
    function person(role: string, settings: object = {}): Place {
      const place = makePlace();
      clone(place.project, 'https://github.com/acme/shop.git');
      put(path.join(place.home, '.cairn/config.json'), {
        store: { url: server.url(role, 'cairn') },
        embeddings: { provider: 'none' },
        ...settings,
      });
      return place;
    }

    it('has what one decided before the other’s next prompt, with his name', async () => {
      const log = path.join(bob.home, '.cairn/log/hooks.log');
      const logged = (): string => (fs.existsSync(log) ? fs.readFileSync(log, 'utf8') : '');
      let seen = '';
      // A prompt waits 300 ms for the server and no longer. On a machine that is busy it goes on without, and says so in the log; nothing else is an excuse.
      for (let attempt = 1; attempt <= 10 && !seen.includes('Kafka'); attempt++) {
        const before = logged().length;
        const { requests } = await runClient({
          place: bob,
          prompt: 'Where did we decide to keep the ledger of the shop?',
          turns: [{ text: 'In the place that was decided.' }],
        });
        seen = seenByModel(requests[0]);
        if (!seen.includes('Kafka')) expect(logged().slice(before)).toContain('took too long');
      }
      const told = /<memory-context[\s\S]*<\/memory-context>/.exec(seen)?.[0] ?? '';
      expect(told).toContain('We decided to keep the ledger of the shop in Kafka');
      expect(told).toContain('alice');
      expect(seen).not.toMatch(SECRET);
    });

    it('gives nothing of what he kept to himself by any command', async () => {
      const [own, other] = [new Cli(alice.base), new Cli(bob.base)];
      const asked = ['lawyers merger', 'ledger of the shop on mondays', 'colleague vouchers'];
      // The same question shows it to whom it belongs: what follows could fail.
      for (const query of asked)
        expect((await own.run(['remember', query, '--all-projects', '--limit', '50'])).out).toMatch(SECRET);
      const [ref] = kept.refs;
      const commands: string[][] = [
        ...asked.flatMap((query) => [
          ['remember', query, '--all-projects', '--limit', '200'],
          ['remember', query, '--all-projects', '--explain', '--json'],
          ['remember', query, '--exact', '--all-projects'],
          ['topics', '--all', '--full', '--about', query, '--json'],
          ['search', query, '--include-retired'],
          ['export', query, '--all-projects', '--json'],
          ['query', '--search', query],
          ['candidate', '--category', 'decision', '--new-info', query],
        ]),
        ...kept.sessions.flatMap((session) => [
          ['remember', 'merger ledger', '--session', session, '--all-projects'],
          ['topics', session, '--full'],
          ['forget', session, '--dry-run'],
          ['why', '--session', session, '--all-projects'],
        ]),
        ...kept.refs.flatMap((each) => [
          ['show', each, '--full', '--lines', '50', '--explain'],
          ['query', '--id', each],
          ['query', '--related', each],
          ['feedback', each, 'useful'],
          ['done', each],
          ['drop', each],
          ['why', each],
        ]),
        ...kept.files.map((file) => ['blame', file]),
        ['remember', '--all-projects', '--since', '2000-01-01', '--limit', '200'],
        ['remember', '--all-projects', '--since', '2000-01-01', '--session', kept.sessions[0]!],
        ['export', '--all-projects', '--json'],
        ['export', '--all-projects', '--markdown'],
        ['list', '--all', '--json'],
        ['log', '--all-projects', '--since', '2000-01-01', '--json'],
        ['today', '--all-projects', '--json'],
        ['todo', '--all-projects', '--limit', '500', '--json'],
        ['todo', '--all-projects', '--settled', '--json'],
        ['inbox', '--json'],
        ['graph', '--rebuild', '--json'],
        ['index', '--health', '--json'],
        ['stats', '--json'],
        ['status', '--json'],
        ['doctor', '--json'],
        ['store', 'status', '--json'],
        ['store', 'copy', '--to', 'sqlite', '--json'],
        ['forget', '--list', '--json'],
        ['redact', '--json'],
        ['save', 'decision', `${ref} is what I would like to read`],
      ];
      for (const argv of commands) {
        const { out, err } = await other.run(argv);
        expect([argv.join(' '), SECRET.exec(out + err)?.[0]]).toEqual([argv.join(' '), undefined]);
      }
      // Every command that prints what is remembered is among them; `ui`, `mcp` and `hook` have tests of their own here.
      const untold = ['ui', 'hook', 'mcp', 'config', 'install', 'uninstall', 'sync', 'trust', 'import', 'help'];
      const onesOwnFiles = ['retire', 'archive', 'unarchive', 'restore', 'note', 'write', 'backfill', 'reindex'];
      const help = (await other.run(['--help'])).out;
      const known = [...help.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name!);
      const tried = new Set([...commands.map(([name]) => name!), ...untold, ...onesOwnFiles]);
      expect(known.length).toBeGreaterThan(30);
      expect(known.filter((name) => !tried.has(name))).toEqual([]);
      const file = path.join(bob.home, '.cairn/memory.db');
      if (fs.existsSync(file)) expect(fs.readFileSync(file, 'latin1')).not.toMatch(SECRET); // what `store copy` brought
    });

    it('gives nothing of it by any tool of the server for models', async () => {
      const official = new Client({ name: 'official', version: '1' });
      const env = { PATH: process.env.PATH ?? '', HOME: bob.home, CLAUDE_PROJECT_DIR: bob.project };
      const transport = new StdioClientTransport({
        command: process.execPath,
        args: [BINARY, 'mcp'],
        cwd: bob.project,
        env,
        stderr: 'ignore',
      });
      await official.connect(transport);
      try {
        const { tools } = await official.listTools();
        expect(tools.length).toBeGreaterThan(15);
        let answers = 0;
        for (const { name, inputSchema } of tools) {
          const properties = Object.entries(inputSchema.properties ?? {}) as [string, Property][];
          const needed = new Set(inputSchema.required ?? []);
          for (const text of ['lawyers merger', 'ledger of the shop mondays', ...kept.refs, ...kept.sessions]) {
            // All that may be given, and only what must be.
            for (const every of [true, false]) {
              const given = properties.filter(([key]) => every || needed.has(key));
              const argument = Object.fromEntries(given.map(([key, property]) => [key, valueFor(property, text)]));
              const answer = await official.callTool({ name, arguments: argument }).catch(String);
              answers++;
              expect([name, argument, SECRET.exec(JSON.stringify(answer))?.[0]]).toEqual([name, argument, undefined]);
            }
          }
        }
        expect(answers).toBeGreaterThan(tools.length);
        const found = await official.callTool({ name: 'recall', arguments: { query: 'ledger of the shop' } });
        expect(JSON.stringify(found)).toMatch(/Kafka/); // they do answer
      } finally {
        await official.close();
      }
    });

    it('gives nothing of it by any page of the viewer', async () => {
      const env = { HOME: bob.home, PATH: process.env.PATH ?? '', CAIRN_EMBEDDINGS_PROVIDER: 'none' };
      const viewer = await startViewer({ cwd: bob.project, env, page: new Map() });
      try {
        const token = viewer.address.split('#token=')[1] ?? '';
        const ask = async (route: string, query: Record<string, string>): Promise<string> => {
          const address = `http://127.0.0.1:${viewer.port}${route}?${new URLSearchParams(query)}`;
          return (await fetch(address, { headers: { [TOKEN_HEADER]: token } })).text();
        };
        const project = 'github.com/lawyers/merger';
        const of = (ref: string) => ({ ref, refs: ref, prompt: 'where do we keep the ledger of the shop on mondays?' });
        for (const { method, path: route } of Object.values(ROUTES)) {
          if (method !== 'GET' || route === ROUTES.changes.path) continue; // which says that something changed
          for (const query of [
            { q: 'lawyers merger' },
            { q: 'ledger of the shop mondays', limit: '200', archived: '1' },
            { project, q: 'merger', limit: '200' },
            { entity: 'merger', limit: '200' },
            ...kept.refs.flatMap((ref) => [of(ref), { ...of(ref), project }]),
            ...kept.sessions.map((session) => ({ session, limit: '200' })),
          ]) {
            const answer = await ask(route, query as Record<string, string>);
            expect([route, query, SECRET.exec(answer)?.[0]]).toEqual([route, query, undefined]);
          }
        }
        expect(await ask(ROUTES.search.path, { q: 'ledger of the shop' })).toMatch(/Kafka/);
      } finally {
        await viewer.close();
      }
    });

    it('gives nothing of it to SQL of the other’s role', async () => {
      const { default: pg } = await import('pg');
      const connection = new pg.Client({ connectionString: server.url('bob', 'cairn') });
      connection.on('error', () => undefined);
      const notices: string[] = [];
      connection.on('notice', ({ message }) => void notices.push(String(message)));
      await connection.connect();
      try {
        // Whatever has rows in this database, catalogues and statistics included.
        const { rows: relations } = await connection.query(
          `SELECT n.nspname AS schema, c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
           WHERE c.relkind IN ('r', 'v', 'm', 'p', 'f', 't') ORDER BY 1, 2`,
        );
        expect(relations.map(({ name }) => name)).toEqual(expect.arrayContaining(['document', 'posting', 'pg_stats']));
        await server.sql('ANALYZE', 'cairn'); // the commonest words of a column are in pg_statistic now
        const read: string[] = [];
        for (const { schema, name } of relations) {
          const text = `SELECT t::text AS row FROM "${schema}"."${name}" t`;
          const { rows } = await connection.query(text).catch(() => ({ rows: undefined as never }));
          if (rows === undefined) continue; // refused
          read.push(name);
          expect([name, rows.filter(({ row }) => SECRET.test(row))]).toEqual([name, []]);
        }
        expect(read).toEqual(expect.arrayContaining(['document', 'posting', 'tally', 'pg_stats']));
        // A cheap function of his own is not run on rows that he may not see.
        await connection.query(`CREATE FUNCTION pg_temp.spy(text) RETURNS boolean LANGUAGE plpgsql COST 0.0000001
          AS $$ BEGIN RAISE NOTICE '%', $1; RETURN true; END $$`);
        await connection.query('SELECT count(*) FROM cairn.document WHERE pg_temp.spy(text)');
        await connection.query('SELECT count(*) FROM cairn.posting WHERE pg_temp.spy(word)');
        await connection.query('SELECT count(*) FROM cairn.tally WHERE pg_temp.spy(word)');
        expect(notices.join('\n')).toMatch(/kafka/i);
        expect(notices.join('\n')).not.toMatch(SECRET);
        // Nor by another name than his own, nor by taking the rule away.
        for (const text of [
          'SET ROLE alice',
          'SET SESSION AUTHORIZATION alice',
          'ALTER TABLE cairn.document DISABLE ROW LEVEL SECURITY',
          'DROP POLICY seen ON cairn.document',
          'CREATE POLICY mine ON cairn.document USING (true)',
          'SET row_security = off; SELECT * FROM cairn.document',
          "COPY cairn.document TO PROGRAM 'cat'",
          'CREATE VIEW cairn.spy AS SELECT * FROM cairn.document',
          "SELECT pg_read_file('PG_VERSION')",
        ])
          expect([
            text,
            await connection.query(text).then(
              () => 'done',
              () => 'refused',
            ),
          ]).toEqual([text, 'refused']);
        await connection.query('RESET ALL');
        // He cannot find out which projects others have by trying to be in the way of their keys.
        const scopes = await server.sql(`SELECT id FROM cairn.scope WHERE owner = 'alice'`, 'cairn');
        for (const { id } of scopes)
          for (const project of ['github.com/lawyers/merger', 'github.com/nobody/nothing'])
            await expect(
              connection.query('INSERT INTO cairn.shelf (scope, project) VALUES ($1, $2)', [id, project]),
            ).rejects.toThrow(/row-level security/);
      } finally {
        await connection.end();
      }
    });
  },
);

type Property = { type?: string | string[]; enum?: unknown[]; minimum?: number; maximum?: number; items?: Property };

function valueFor(property: Property, text: string): unknown {
  if (property.enum) return property.enum[0];
  switch ([property.type ?? 'string'].flat()[0]) {
    case 'integer':
    case 'number':
      return property.maximum ?? 50;
    case 'boolean':
      return true;
    case 'array':
      return [valueFor(property.items ?? {}, text)];
    case 'object':
      return {};
    default:
      return text;
  }
}
