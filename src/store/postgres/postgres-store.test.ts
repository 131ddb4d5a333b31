// The PostgreSQL store on a real server: the contract, and what only a server has: other people, lost connections, its refusals.

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Bundle, bundle } from '../../../test/fixtures/bundle.ts';
import { postgresBinaries, type Server, startServer } from '../../../test/fixtures/postgres-server.ts';
import { found, put } from '../../../test/store/contract/sample.ts';
import { type StoreHarness, storeContract } from '../../../test/store/contract.ts';
import { openPostgresStore, type PostgresPlace, removePostgresStore } from './postgres-store.ts';

describe.skipIf(postgresBinaries() === undefined)('PostgreSQL', () => {
  let server: Server;
  let other: Bundle;
  beforeAll(async () => {
    [server, other] = await Promise.all([startServer(), bundle('test/store/other-process.ts')]);
  });
  afterAll(async () => {
    other?.remove();
    await server?.remove();
  });

  const place = (schema = `t${randomBytes(6).toString('hex')}`, user = 'postgres'): PostgresPlace => ({
    connection: { connectionString: server.url(user) },
    where: `127.0.0.1:${server.port}/postgres`,
    schema,
    machine: 'test',
  });

  async function makeHarness(): Promise<StoreHarness> {
    const here = place();
    return {
      open: () => openPostgresStore(here),
      remove: async () => undefined, // it goes with the server
      outdate: async () => {
        await server.sql(`UPDATE ${here.schema}.about SET value = '0' WHERE key = 'schema'`);
      },
      outpace: async () => {
        await server.sql(`UPDATE ${here.schema}.about SET value = '9999' WHERE key = 'schema'`);
      },
      damage: async () => {
        await server.sql(`DROP TABLE ${here.schema}.document CASCADE`);
      },
      elsewhere: (task) => run(other.file, JSON.stringify(here), JSON.stringify(task)),
    };
  }

  storeContract('postgres', makeHarness, 25);

  it('takes tables of an earlier step to this one in place, with their rows', async () => {
    const here = place();
    const first = await openPostgresStore(here);
    await first.apply([put('a', { text: 'walrus' })]);
    await first.close();
    await server.sql(
      `ALTER TABLE ${here.schema}.embedding DROP COLUMN tokens; UPDATE ${here.schema}.about SET value = '1' WHERE key = 'schema'`,
    );
    const [one, two] = await Promise.all([openPostgresStore(here), openPostgresStore(here)]);
    expect([one.opened, two.opened]).toEqual(['existing', 'existing']);
    expect(await found(one, 'walrus')).toEqual(['a']);
    const tokens = new Uint8Array(16);
    await one.apply([
      { op: 'vectors', vectors: [{ hash: 'hash of a', model: 'm', vector: Float32Array.of(1), tokens }] },
    ]);
    await one.close();
    await two.close();
  });

  it('finds by tags of every kind exactly those that have them', async () => {
    const store = await openPostgresStore(place());
    const tags = [
      'standing',
      'use-jwt',
      'Über_Straße',
      '日本語',
      '日',
      'c++',
      'c',
      '!!',
      'a b',
      'getUserName',
      'user',
      '8080',
    ];
    const tagsOf = (n: number): string[] => tags.filter((_, at) => (n * 7 + at * 5) % 11 < 3);
    const refs = Array.from({ length: 60 }, (_, n) => n);
    await store.apply(refs.map((n) => put(`d${n}`, { tags: tagsOf(n), text: tags[n % tags.length]! })));
    for (const wanted of [...tags.map((tag) => [tag]), ['use-jwt', '!!'], ['日', 'user', 'c++'], ['nowhere']]) {
      const { documents } = await store.list({ filter: { tags: wanted }, order: 'ref', limit: 100 });
      const expected = refs.filter((n) => tagsOf(n).some((tag) => wanted.includes(tag))).map((n) => `d${n}`);
      expect([wanted, documents.map(({ ref }) => ref)]).toEqual([wanted, expected.sort()]);
    }
    await store.close();
  });

  it('goes on after its connections were cut, and after the server was away', async () => {
    const own = await startServer();
    const here = { ...place(), connection: { connectionString: own.url() } };
    const store = await openPostgresStore(here);
    try {
      await store.apply([put('a', { text: 'walrus' })]);
      await own.sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'cairn'`);
      expect(await found(store, 'walrus')).toEqual(['a']);
      await own.sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'cairn'`);
      await store.apply([put('b', { text: 'walrus' })]);
      await own.kill();
      await expect(found(store, 'walrus')).rejects.toMatchObject({
        code: 'STORE_ERROR',
        fix: expect.stringMatching(/Nothing is lost|try again/),
      });
      await expect(store.apply([put('c')])).rejects.toMatchObject({ code: 'STORE_ERROR' });
      await own.start();
      await store.apply([put('c', { text: 'walrus' })]);
      expect((await found(store, 'walrus')).sort()).toEqual(['a', 'b', 'c']);
    } finally {
      await store.close();
      await own.remove();
    }
  });

  it('says what is wrong: nobody there, no such database, no connection left, read-only', async () => {
    const free = { ...place(), connection: { host: '127.0.0.1', port: 1 }, where: '127.0.0.1:1/x' };
    await expect(openPostgresStore(free)).rejects.toThrow(/cannot be reached/);
    const none = { ...place(), connection: { connectionString: server.url('postgres', 'nowhere') } };
    await expect(openPostgresStore(none)).rejects.toThrow(/no such database/i);
    const here = place();
    const store = await openPostgresStore(here);
    await store.apply([put('a', { text: 'walrus' })]);
    await store.close();
    await server.sql('CREATE ROLE narrow LOGIN SUPERUSER; ALTER ROLE narrow SET default_transaction_read_only = on');
    const reader = await openPostgresStore({ ...here, connection: { connectionString: server.url('narrow') } });
    expect(await found(reader, 'walrus')).toEqual([]); // another's
    await expect(reader.apply([put('b')])).rejects.toThrow(/read-only/);
    await reader.close();
    await server.sql('CREATE ROLE single LOGIN CONNECTION LIMIT 0');
    await expect(
      openPostgresStore({ ...here, connection: { connectionString: server.url('single') } }),
    ).rejects.toThrow(/no connection left/);
  });

  it('keeps nobody waiting longer than he said, in all', async () => {
    const here = place();
    const writer = await openPostgresStore(here);
    await writer.apply([put('a', { text: 'walrus' })]);
    // Long enough to open it on a busy machine; nothing here is measured by the clock: the lock is held until this test lets go of it.
    const hurried = await openPostgresStore(here, { waitMs: 2_000 });
    const { default: pg } = await import('pg');
    const blocker = new pg.Client({ connectionString: server.url() });
    await blocker.connect();
    await blocker.query(`BEGIN; LOCK TABLE ${here.schema}.tally, ${here.schema}.document IN ACCESS EXCLUSIVE MODE`);
    await expect(found(hurried, 'walrus')).rejects.toThrow(/took too long/);
    await expect(hurried.get({ refs: ['a'] })).rejects.toThrow(/took too long/); // at once: there is no time left
    const all = await Promise.allSettled([found(hurried, 'walrus'), hurried.get({ refs: ['a'] }), hurried.stats()]);
    for (const each of all) expect(each).toMatchObject({ status: 'rejected', reason: { code: 'STORE_ERROR' } });
    await blocker.query('ROLLBACK');
    await blocker.end();
    // The next question after a pause belongs to another prompt.
    await vi.waitFor(async () => expect(await found(hurried, 'walrus')).toEqual(['a']), {
      timeout: 60_000,
      interval: 1_500,
    });
    await hurried.close();
    await writer.close();
  }, 120_000);

  it('has a batch whole or not at all when its process is killed at any moment', async () => {
    const here = place();
    const store = await openPostgresStore(here);
    const size = 40;
    for (let round = 0; round < 6; round++) {
      const batches = Array.from({ length: 30 }, (_, batch) =>
        Array.from({ length: size }, (_, n) => put(`k${round}-${batch}-${n}`, { text: `walrus w${n}` })),
      );
      const child = spawn(process.execPath, [other.file, JSON.stringify(here)], {
        stdio: ['pipe', 'ignore', 'ignore'],
      });
      child.stdin.on('error', () => {}); // killed before it had read everything
      child.stdin.end(JSON.stringify({ batches }));
      await new Promise((resolve) => setTimeout(resolve, 150 + round * 90));
      child.kill('SIGKILL');
      await new Promise((resolve) => child.once('close', resolve));
      const counts = await store.counts({ words: ['walru', 'w1'] });
      expect(counts.documents % size).toBe(0);
      expect(counts.counts).toEqual([counts.documents, counts.documents / size]);
      expect((await store.search({ terms: [{ text: 'walrus' }], limit: 10_000 })).length).toBe(counts.documents);
    }
    await store.close();
  });

  it('makes damaged tables anew, once they were removed', async () => {
    const here = place();
    await (await openPostgresStore(here)).close();
    await server.sql(`DROP TABLE ${here.schema}.posting`);
    await expect(openPostgresStore(here)).rejects.toMatchObject({ code: 'STORE_ERROR' });
    await removePostgresStore(here);
    const store = await openPostgresStore(here);
    expect(store.opened).toBe('created');
    await store.close();
  });

  it('leaves a schema alone that holds tables of another program', async () => {
    const here = place();
    await server.sql(`CREATE SCHEMA ${here.schema}; CREATE TABLE ${here.schema}.document (id integer)`);
    await expect(openPostgresStore(here)).rejects.toThrow(/tables of another program/);
    expect(await server.sql(`SELECT * FROM ${here.schema}.document`)).toEqual([]);
  });
});

function run(script: string, argument: string, input: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, argument], { stdio: ['pipe', 'ignore', 'pipe'] });
    let errors = '';
    child.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 && errors === '' ? resolve() : reject(new Error(`The other process ended with ${code}: ${errors}`)),
    );
    child.stdin.end(input);
  });
}
