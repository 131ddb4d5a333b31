// `cairn store copy` as a process that is killed at any moment, both ways: the next run goes on, says that both are equal, and they are,
// row by row, as somebody else reads them. The moment is so many bytes from the server, not a time.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeBusyFolder } from '../../src/files/remove-busy-folder.ts';
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { Change, Store } from '../../src/store/store.ts';
import { Cli } from '../fixtures/cli.ts';
import { postgresBinaries, type Server, startServer } from '../fixtures/postgres-server.ts';
import { newFolder, put } from '../fixtures/temporary.ts';
import { Way } from '../fixtures/way-to-server.ts';
import { sample } from '../store/contract/sample.ts';

const binary = path.resolve(import.meta.dirname, '../../dist/faces/cli/main.js');
/** More than two pages of a copy. */
const DOCUMENTS = 1_150;
const MOMENTS = [0.02, 0.3, 0.6, 0.95];
type Ended = { exit: number | null; signal: string | null; out: string; err: string };
type Report = {
  documents: number;
  links: number;
  mentions: number;
  vectors: number;
  states: number;
  different: string[];
};

describe.skipIf(postgresBinaries() === undefined || !fs.existsSync(binary))('a copy', { timeout: 600_000 }, () => {
  let server: Server;
  let way: Way;
  let full: Cli;
  const homes: Cli[] = [];
  beforeAll(async () => {
    server = await startServer();
    way = await Way.to(server.port);
    full = home();
    const store = await openSqliteStore(fileOf(full));
    await store.apply(changes());
    await store.close();
  }, 240_000);
  afterAll(async () => {
    await way?.close();
    for (const { base } of homes) await removeBusyFolder(base);
    await server?.remove();
  });

  function home(settings: object = {}): Cli {
    const cli = new Cli(newFolder());
    homes.push(cli);
    put(path.join(cli.home, '.cairn/config.json'), { embeddings: { provider: 'none' }, ...settings });
    return cli;
  }
  const fileOf = (cli: Cli): string => path.join(cli.home, '.cairn', 'memory.db');
  const urlOf = (database: string): string => `postgres://postgres@127.0.0.1:${way.port}/${database}`;

  function changes(): Change[] {
    const documents = Array.from({ length: DOCUMENTS }, (_, n): Change => {
      const document = sample(`d${n}`, { text: `walrus w${n} ${'meets a seal '.repeat(n % 9)}` });
      const links = n === 0 ? [] : [{ to: `d${n - 1}`, relation: 'builds_on', confidence: 1 }];
      return { op: 'put', document, links, mentions: [{ entity: `name ${n % 50}`, kind: 'tool', count: 1 + (n % 3) }] };
    });
    const vectors = Array.from({ length: DOCUMENTS }, (_, n) => ({
      hash: `hash of d${n}`,
      model: 'made up',
      vector: Float32Array.from({ length: 24 }, (_, at) => Math.sin(n * 24 + at)),
    }));
    const states = Array.from(
      { length: 20 },
      (_, n): Change => ({ op: 'state', key: `key ${n}`, value: `value ${n}` }),
    );
    return [...documents, { op: 'vectors', vectors }, ...states];
  }

  /** `after`: killed once so many bytes have come from the server. */
  function copy(cli: Cli, argv: readonly string[], kill?: { after: number; by: NodeJS.Signals }): Promise<Ended> {
    const { CAIRN_DISABLE: _, CAIRN_HOME: __, CLAUDE_PROJECT_DIR: ___, ...inherited } = process.env;
    const env = { ...inherited, HOME: cli.home, USERPROFILE: cli.home };
    return new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [binary, 'store', 'copy', ...argv, '--json'], {
        cwd: cli.project,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const from = way.carried;
      way.onCarried = () => {
        if (!kill || way.carried - from < kill.after) return;
        way.onCarried = undefined; // a second Ctrl-C would end it at once
        child.kill(kill.by);
      };
      const said = { out: '', err: '' };
      child.stdout.on('data', (chunk: Buffer) => (said.out += chunk));
      child.stderr.on('data', (chunk: Buffer) => (said.err += chunk));
      child.on('error', reject);
      child.on('close', (exit, signal) => {
        way.onCarried = undefined;
        resolve({ exit, signal, ...said });
      });
    });
  }

  const report = ({ out }: Ended): Report => JSON.parse(out) as Report;
  const WHOLE = { documents: DOCUMENTS, links: DOCUMENTS - 1, mentions: DOCUMENTS, vectors: DOCUMENTS, states: 20 };

  /** Everything that a store holds, as anybody reads it. */
  async function contents(store: Store): Promise<object> {
    try {
      const { documents } = await store.list({ order: 'ref', limit: 10_000 });
      const refs = documents.map(({ ref }) => ref);
      const byText = (rows: readonly object[]): string[] => rows.map((row) => JSON.stringify(row)).sort();
      const vectors = await store.vectors({ model: 'made up', hashes: documents.map(({ hash }) => hash) });
      return {
        documents,
        links: byText(await store.links({ refs, direction: 'out' })),
        mentions: byText(await store.mentions({ refs })),
        vectors: byText(vectors.map(({ hash, vector }) => ({ hash, vector: [...vector] }))),
        states: byText((await store.state({})).map(({ key, value }) => ({ key, value }))),
        found: (await store.search({ terms: [{ text: 'seal' }], limit: 50 })).map(({ ref, score }) => [
          ref,
          score.toFixed(6),
        ]),
      };
    } finally {
      await store.close();
    }
  }
  const atServer = async (cli: Cli, database: string): Promise<object> => {
    const machine = fs.readFileSync(path.join(cli.home, '.cairn', 'machine'), 'utf8').trim();
    const place = { connection: { connectionString: urlOf(database) }, where: 'the server', schema: 'cairn', machine };
    return contents(await openPostgresStore(place));
  };
  const inFile = async (cli: Cli): Promise<object> => contents(await openSqliteStore(fileOf(cli)));

  it('to a server is whole after it was killed at any moment and run again', async () => {
    await server.sql('CREATE DATABASE calm');
    const before = way.carried;
    const calm = await copy(full, ['--from', 'sqlite', '--to', urlOf('calm')]);
    expect(report(calm)).toMatchObject({ ...WHOLE, different: [] });
    const bytes = way.carried - before;
    const expected = await inFile(full);
    expect(await atServer(full, 'calm')).toEqual(expected);
    let killed = 0;
    for (const [at, moment] of MOMENTS.entries()) {
      const database = `to${at}`;
      await server.sql(`CREATE DATABASE ${database}`);
      const argv = ['--from', 'sqlite', '--to', urlOf(database)];
      for (let twice = 0; twice < 2; twice++) {
        const { signal, exit } = await copy(full, argv, { after: bytes * moment, by: 'SIGKILL' });
        if (signal === 'SIGKILL') killed++;
        else expect(exit).toBe(0); // what was left took less than that
      }
      const done = await copy(full, argv);
      expect(done).toMatchObject({ exit: 0, err: '' });
      expect(report(done)).toMatchObject({ ...WHOLE, different: [] });
      expect(await atServer(full, database)).toEqual(expected);
    }
    expect(killed).toBeGreaterThanOrEqual(MOMENTS.length);
  });

  it('to a file is whole after it was killed at any moment and run again', async () => {
    const expected = await inFile(full);
    const settings = { store: { url: urlOf('calm') } };
    // The rows of a machine are that machine's: the other homes are the same machine's.
    const other = (): Cli => {
      const cli = home(settings);
      fs.copyFileSync(path.join(full.home, '.cairn', 'machine'), path.join(cli.home, '.cairn', 'machine'));
      return cli;
    };
    const first = other();
    const before = way.carried;
    expect(report(await copy(first, ['--to', 'sqlite']))).toMatchObject({ ...WHOLE, different: [] });
    const bytes = way.carried - before;
    expect(await inFile(first)).toEqual(expected);
    let killed = 0;
    for (const moment of MOMENTS) {
      const cli = other();
      for (let twice = 0; twice < 2; twice++) {
        const { signal, exit } = await copy(cli, ['--to', 'sqlite'], { after: bytes * moment, by: 'SIGKILL' });
        if (signal === 'SIGKILL') killed++;
        else expect(exit).toBe(0);
      }
      const done = await copy(cli, ['--to', 'sqlite']);
      expect(done).toMatchObject({ exit: 0, err: '' });
      expect(report(done)).toMatchObject({ ...WHOLE, different: [] });
      expect(await inFile(cli)).toEqual(expected);
    }
    expect(killed).toBeGreaterThanOrEqual(MOMENTS.length);
  });

  it.skipIf(process.platform === 'win32')('that is interrupted says so, and goes on', async () => {
    await server.sql('CREATE DATABASE stopped');
    const argv = ['--from', 'sqlite', '--to', urlOf('stopped')];
    const first = await copy(full, argv, { after: 10_000, by: 'SIGINT' });
    expect(first.exit).toBe(130);
    expect(first.err).toContain('Stopping after this step');
    expect(JSON.parse(first.out)).toMatchObject({ stopped: true });
    expect(report(await copy(full, argv))).toMatchObject({ ...WHOLE, different: [] });
    expect(await atServer(full, 'stopped')).toEqual(await inFile(full));
  });

  it('says what differs when somebody changed it in between', async () => {
    await server.sql(`UPDATE cairn.document SET text = 'another' WHERE ref = 'd7'`, 'calm');
    const { stdout } = await changed();
    expect(stdout).toContain('d7');

    async function changed(): Promise<{ stdout: string }> {
      // Nothing is copied (the cursor is at the end), everything is compared.
      const cursor = await lastCursor();
      await server.sql(
        `INSERT INTO cairn.state (scope, key, value) SELECT id, 'copy:cursor', '${cursor}' FROM cairn.scope WHERE class = 'local'`,
        'calm',
      );
      const ended = await copy(full, ['--from', 'sqlite', '--to', urlOf('calm')]);
      expect(ended.exit).toBe(1);
      return { stdout: ended.out };
    }
    async function lastCursor(): Promise<string> {
      const store = await openSqliteStore(fileOf(full));
      try {
        return (await store.list({ order: 'ref', limit: DOCUMENTS - 1 })).next ?? '';
      } finally {
        await store.close();
      }
    }
  });
});
