// The PostgreSQL store with pgvector: the contract on PGlite, a PostgreSQL in WebAssembly that brings the extension along. It has one
// session for all, so a batch holds it until its end, and the "other processes" of the contract are other stores of this one.

import { randomBytes } from 'node:crypto';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { put } from '../../../test/store/contract/sample.ts';
import { type StoreHarness, storeContract } from '../../../test/store/contract.ts';
import { doTask } from '../../../test/store/other-task.ts';
import type { Store } from '../store.ts';
import { bound, type Connect, numbered, type Row } from './driver.ts';
import { openPostgresStore } from './postgres-store.ts';

describe('PGlite with pgvector', () => {
  let database: PGlite;
  beforeAll(async () => {
    database = await PGlite.create({ extensions: { vector } });
    await database.exec('CREATE EXTENSION vector; SET hnsw.ef_search = 400; SET hnsw.iterative_scan = strict_order');
  });
  afterAll(() => database?.close());

  /** Who has the session, and who waits for it. */
  let turn: Promise<void> = Promise.resolve();
  const taken = async (): Promise<() => void> => {
    const before = turn;
    let release = (): void => undefined;
    turn = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    return release;
  };

  const connect =
    (searchPath: readonly string[]): Connect =>
    async () => {
      let held: (() => void) | undefined;
      const during = async <T>(work: () => Promise<T>): Promise<T> => {
        if (held) return work();
        const release = await taken();
        try {
          await database.exec(`SET search_path = ${searchPath.map((name) => `"${name}"`).join(', ')}`);
          return await work();
        } finally {
          release();
        }
      };
      return {
        isAlive: true,
        query: (sql, values = []) =>
          during(async () => (await database.query(numbered(sql), values.map(bound))).rows as Row[]),
        exec: async (sql) => {
          if (sql === 'BEGIN' && !held) {
            held = await taken();
            await database.exec(`SET search_path = ${searchPath.map((name) => `"${name}"`).join(', ')}`);
          }
          await during(() => database.exec(sql));
          if (sql === 'COMMIT' || sql === 'ROLLBACK') {
            held?.();
            held = undefined;
          }
        },
        close: async () => undefined,
      };
    };

  async function makeHarness(): Promise<StoreHarness> {
    const schema = `t${randomBytes(6).toString('hex')}`;
    const place = { connection: {}, where: 'PGlite', schema, machine: 'test' };
    const open = (): Promise<Store> => openPostgresStore(place, { connect });
    const sql = async (text: string): Promise<void> => {
      const release = await taken();
      await database.exec(text);
      release();
    };
    return {
      open,
      remove: () => sql(`DROP SCHEMA IF EXISTS ${schema} CASCADE`),
      outdate: () => sql(`UPDATE ${schema}.about SET value = '0' WHERE key = 'schema'`),
      outpace: () => sql(`UPDATE ${schema}.about SET value = '9999' WHERE key = 'schema'`),
      damage: () => sql(`DROP TABLE ${schema}.document CASCADE`),
      elsewhere: async (task) => {
        const store = await open();
        await doTask(store, task);
        await store.close();
      },
    };
  }

  storeContract('postgres with pgvector', makeHarness, 10);

  it('has an index of pgvector for each model, and uses it', async () => {
    const harness = await makeHarness();
    const store = await harness.open();
    expect((await store.stats()).engine).toMatch(/pgvector/);
    const vectors = Array.from({ length: 50 }, (_, n) => ({
      hash: `hash of d${n}`,
      model: 'm',
      vector: Float32Array.from({ length: 16 }, (_, at) => Math.sin(n * 16 + at)),
    }));
    await store.apply([...vectors.map((_, n) => put(`d${n}`)), { op: 'vectors', vectors }]);
    const { rows } = await database.query<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class c JOIN pg_am a ON a.oid = c.relam WHERE a.amname = 'hnsw'`,
    );
    expect(rows.length).toBeGreaterThan(0);
    const [best] = await store.nearest({ model: 'm', vector: vectors[7]!.vector, limit: 1 });
    expect(best).toMatchObject({ ref: 'd7' });
    await store.close();
  });
});
