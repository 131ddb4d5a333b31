// The SQLite store: the contract, and what only SQLite has: its file, its two drivers, its other processes.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allRefs, found, put, sample } from '../../../test/store/contract/sample.ts';
import { type StoreHarness, storeContract } from '../../../test/store/contract.ts';
import type { Hit, Store } from '../store.ts';
import { builtInSqlite, type Driver, openDriver } from './driver.ts';
import { isDamage } from './failure.ts';
import { openSqliteStore, removeSqliteStore } from './sqlite-store.ts';

// Inside the project, because the bundle looks for its database from there.
const scratch = path.resolve('.cairn-test');
const otherProcess = path.join(scratch, `other-process-${process.pid}.mjs`);

beforeAll(async () => {
  await build({
    entryPoints: ['test/store/other-process.ts'],
    outfile: otherProcess,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  });
});

afterAll(() => fs.rmSync(otherProcess, { force: true }));

function run(
  script: string,
  args: readonly string[],
  input = '',
): Promise<{ code: number | null; output: string; errors: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args], { stdio: 'pipe' });
    let output = '';
    let errors = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output, errors }));
    child.stdin.end(input);
  });
}

async function withDriver(file: string, action: (driver: Driver) => void): Promise<void> {
  const driver = openDriver(file);
  action(driver);
  driver.close();
}

async function makeHarness(): Promise<StoreHarness & { file: string }> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cairn-store-'));
  const file = path.join(folder, 'home', 'memory.db');
  return {
    file,
    open: () => openSqliteStore(file),
    remove: async () => fs.rmSync(folder, { recursive: true, force: true }),
    outdate: async () => withDriver(file, (driver) => driver.exec('PRAGMA user_version = 1')),
    outpace: async () => withDriver(file, (driver) => driver.exec('PRAGMA user_version = 9999')),
    damage: async () => fs.writeFileSync(file, Buffer.alloc(fs.statSync(file).size, 'not a database')),
    elsewhere: async (task) => {
      const { code, errors } = await run(otherProcess, [file], JSON.stringify(task));
      if (code !== 0 || errors !== '') throw new Error(`The other process ended with ${code}: ${errors}`);
    },
  };
}

storeContract('sqlite', makeHarness);

describe('the SQLite store', () => {
  it('uses the SQLite of Node where there is one, and the one that Cairn brings along elsewhere', async () => {
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
    const expected = major > 22 || (major === 22 && minor >= 13) ? 'node:sqlite' : '@photostructure/sqlite';
    const driver = openDriver(':memory:');
    expect(driver.name).toBe(expected);
    driver.close();
    expect(builtInSqlite() !== undefined).toBe(expected === 'node:sqlite');
  });

  it('reports what failed in the middle of the rows once, and not again at the next use of the statement', () => {
    const driver = openDriver(':memory:');
    const sql = 'SELECT CASE ? WHEN 1 THEN abs(-9223372036854775807 - 1) ELSE 5 END AS n';
    for (const statement of [driver.prepare, driver.prepareValues].map((each) => each.bind(driver))) {
      expect(() => [...statement(sql).iterate(1)]).toThrow('integer overflow');
      expect([...statement(sql).iterate(2)].map((row) => Object.values(row))).toEqual([[5]]);
    }
    driver.close();
  });

  it('loads the native modules late: a process that needs neither pays for neither', async () => {
    const { metafile } = await build({
      entryPoints: ['src/store/sqlite/sqlite-store.ts'],
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      write: false,
      metafile: true,
    });
    const imports = Object.values(metafile.outputs).flatMap((output) => output.imports);
    const packages = imports
      .filter(({ path: name }) => !name.startsWith('node:'))
      .map(({ path: name, kind }) => `${name} ${kind}`);
    expect(packages).toEqual(['sqlite-vec dynamic-import']); // and the binary is required when a file is opened
  });

  it('prints no warning of its own, and hides none of others', async () => {
    const harness = await makeHarness();
    const { code, output, errors } = await run(otherProcess, [harness.file], JSON.stringify({ warn: 'look here' }));
    expect({ code, output }).toEqual({ code: 0, output: '' });
    expect(errors).toMatch(/ExperimentalWarning: look here/);
    expect(errors).not.toMatch(/SQLite/);
    await harness.remove();
  });

  it('makes its folder and files readable by the user alone', async () => {
    const harness = await makeHarness();
    const store = await harness.open();
    await store.apply([put('a')]);
    const modes = [path.dirname(harness.file), harness.file, `${harness.file}-wal`, `${harness.file}-shm`].map(
      (name) => fs.statSync(name).mode & 0o777,
    );
    expect(modes).toEqual([0o700, 0o600, 0o600, 0o600]);
    await store.close();
    await harness.remove();
  });

  it('leaves the database of another program alone', async () => {
    const harness = await makeHarness();
    fs.mkdirSync(path.dirname(harness.file));
    withDriver(harness.file, (driver) => driver.exec('CREATE TABLE precious (a); INSERT INTO precious VALUES (1)'));
    await expect(harness.open()).rejects.toMatchObject({ code: 'STORE_ERROR', message: /another program/ });
    withDriver(harness.file, (driver) => expect(driver.prepare('SELECT a FROM precious').all()).toHaveLength(1));
    await harness.remove();
  });

  it.each([
    ['tags', '["a", 1]'],
    ['tags', '["a"'],
    ['tags', 'null'],
    ['meta', '[]'],
    ['meta', '{"a":'],
  ])('reports a row whose %s are %j as damage of the file', async (column, damaged) => {
    const harness = await makeHarness();
    const store = await harness.open();
    await store.apply([put('d', { tags: ['a'], meta: { a: 1 } })]);
    await store.close();
    withDriver(harness.file, (driver) => driver.prepare(`UPDATE document SET ${column} = ?`).run(damaged));
    const again = await harness.open();
    const error = await again.get({ refs: ['d'] }).catch((reason: unknown) => reason);
    await again.close();
    expect(error).toMatchObject({ code: 'STORE_ERROR', fix: expect.stringContaining('cairn reindex') });
    expect(isDamage(error)).toBe(true);
    await harness.remove();
  });

  it('reports damage in the middle of the file as what it is, and starts anew when the file is removed', async () => {
    const harness = await makeHarness();
    const store = await harness.open();
    await store.apply(Array.from({ length: 2_000 }, (_, n) => put(`d${n}`, { text: `walrus number ${n}` })));
    await store.close();
    const size = fs.statSync(harness.file).size;
    const handle = fs.openSync(harness.file, 'r+');
    fs.writeSync(handle, Buffer.alloc(size - 8_192, 0xa5), 0, size - 8_192, 8_192);
    fs.closeSync(handle);
    const attempt = async () => {
      const damaged = await harness.open();
      try {
        await damaged.list({ limit: 5_000 });
      } finally {
        await damaged.close();
      }
    };
    await expect(attempt()).rejects.toMatchObject({
      code: 'STORE_ERROR',
      fix: expect.stringContaining('cairn reindex'),
    });
    removeSqliteStore(harness.file);
    const fresh = await harness.open();
    expect(fresh.opened).toBe('created');
    await fresh.close();
    await harness.remove();
  });

  it('has an index of hashes once there are vectors, and not before', async () => {
    const harness = await makeHarness();
    const store = await harness.open();
    const vectors = [{ hash: 'hash of a', model: 'm', vector: Float32Array.of(1, 0) }];
    const find = (): Promise<readonly Hit[]> => store.nearest({ model: 'm', vector: Float32Array.of(1, 0), limit: 5 });
    const isThere = (): boolean => {
      const driver = openDriver(harness.file);
      const found = driver.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'document_hash'").get();
      driver.close();
      return found !== undefined;
    };
    await store.apply([put('a'), put('b')]);
    expect(isThere()).toBe(false);
    await store.apply([{ op: 'vectors', vectors }]);
    expect(isThere()).toBe(true);
    expect((await find()).map((hit) => hit.ref)).toEqual(['a']);
    await store.apply([{ op: 'clear' }, put('a'), { op: 'vectors', vectors }]);
    expect((await find()).map((hit) => hit.ref)).toEqual(['a']);
    await store.close();
    await harness.remove();
  });

  it('closed soon, leaves a small log to the next who opens it, and brings a large one in', async () => {
    const harness = await makeHarness();
    const logBytes = (): number => fs.statSync(`${harness.file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    const inShort = async (work: (store: Store) => Promise<void>): Promise<number> => {
      const store = await openSqliteStore(harness.file, { closeSoon: true });
      await work(store);
      await store.close();
      return logBytes();
    };
    await (await harness.open()).close();
    expect(logBytes()).toBe(0);
    const first = await inShort((store) => store.apply([put('a')]));
    expect(first).toBeGreaterThan(0);
    await harness.elsewhere({ batches: [[put('b')]] }); // and brings it in, as the last to close
    expect(logBytes()).toBe(0);
    await inShort((store) => store.apply([put('c')]));
    const read = await inShort(async (store) => {
      expect(await allRefs(store)).toEqual(['a', 'b', 'c']);
    });
    expect(read).toBeGreaterThan(0);
    const text = 'words '.repeat(400);
    const many = Array.from({ length: 1_500 }, (_, n) => put(`d${n}`, { text: `${text}${n}` }));
    expect(await inShort((store) => store.apply(many))).toBe(0);
    expect(await inShort(async (store) => void (await store.stats()))).toBe(0);
    await harness.remove();
  });

  it('closed soon and then robbed of a part of its log, is as it was after one of the batches', async () => {
    const harness = await makeHarness();
    await (await harness.open()).close();
    const turns = ['a', 'b', 'c', 'd'];
    for (const ref of turns) {
      const store = await openSqliteStore(harness.file, { closeSoon: true });
      await store.apply([put(ref), { op: 'state', key: 'read', value: ref }]);
      await store.close();
    }
    const [database, log] = [fs.readFileSync(harness.file), fs.readFileSync(`${harness.file}-wal`)];
    const seen = new Set<number>();
    for (let part = 0; part <= 40; part++) {
      removeSqliteStore(harness.file);
      fs.writeFileSync(harness.file, database);
      fs.writeFileSync(`${harness.file}-wal`, log.subarray(0, Math.round((log.length * part) / 40)));
      const store = await harness.open();
      const refs = await allRefs(store);
      expect(refs).toEqual(turns.slice(0, refs.length));
      expect((await store.state({ keys: ['read'] })).map(({ value }) => value)).toEqual(refs.slice(-1));
      expect((await found(store, 'title')).sort()).toEqual(refs);
      await store.close();
      seen.add(refs.length);
    }
    expect([...seen].sort()).toEqual([0, 1, 2, 3, 4]);
    await harness.remove();
  });

  it('closed soon while another has it open, leaves it to that one', async () => {
    const harness = await makeHarness();
    const other = await harness.open();
    const store = await openSqliteStore(harness.file, { closeSoon: true });
    await store.apply([put('a')]);
    await store.close();
    expect(await other.get({ refs: ['a'] })).toEqual([sample('a')]);
    await other.apply([put('b')]);
    await other.close();
    expect(fs.readdirSync(path.dirname(harness.file))).toEqual(['memory.db']);
    await harness.remove();
  });

  it('says who is in the way when a writer does not let go', { timeout: 30_000 }, async () => {
    const harness = await makeHarness();
    const store = await harness.open();
    const blocker = openDriver(harness.file);
    blocker.exec('BEGIN IMMEDIATE');
    await expect(store.apply([put('a')])).rejects.toMatchObject({
      code: 'STORE_ERROR',
      message: /in use by another process/,
    });
    blocker.exec('ROLLBACK');
    blocker.close();
    await store.apply([put('a')]);
    expect(await store.get({ refs: ['a'] })).toEqual([sample('a')]);
    await store.close();
    await harness.remove();
  });

  it('compares vectors with sqlite-vec where it is installed, and finds the same without it', async () => {
    const harness = await makeHarness();
    const store = await harness.open();
    const random = (n: number) =>
      Math.sin(n * 12.9898) * 43758.5453 - Math.floor(Math.sin(n * 12.9898) * 43758.5453) - 0.5;
    const vectors = Array.from({ length: 1_500 }, (_, n) => ({
      hash: `hash of d${n}`,
      model: 'm',
      vector: Float32Array.from({ length: 48 }, (_, at) => random(n * 48 + at)),
    }));
    await store.apply([...vectors.map((_, n) => put(`d${n}`, { tags: ['x'] })), { op: 'vectors', vectors }]);
    const query = { model: 'm', filter: { tags: ['x'] }, limit: 20 };
    const vector = Float32Array.from({ length: 48 }, (_, at) => random(at + 7));
    const hits = await store.nearest({ ...query, vector });
    expect((await store.stats()).engine).toContain('sqlite-vec');
    await store.close();

    const without = fs.mkdtempSync(path.join(os.tmpdir(), 'cairn-bare-'));
    fs.symlinkSync(path.resolve('node_modules/@photostructure/sqlite/prebuilds'), path.join(without, 'native'));
    const script = path.join(without, 'other-process.mjs');
    fs.copyFileSync(otherProcess, script);
    const task = JSON.stringify({ nearest: { ...query, vector: [...vector] } });
    const { output, errors } = await run(script, [harness.file], task);
    expect(errors).toBe('');
    const answer = JSON.parse(output) as { hits: unknown; engine: string };
    expect(answer.engine).not.toContain('sqlite-vec');
    expect(answer.hits).toEqual(hits);
    fs.rmSync(without, { recursive: true });
    await harness.remove();
  });

  it.skipIf(builtInSqlite() !== undefined)('says what to do when there is no SQLite at all', async () => {
    const harness = await makeHarness();
    const bare = fs.mkdtempSync(path.join(os.tmpdir(), 'cairn-bare-'));
    const script = path.join(bare, 'other-process.mjs');
    fs.copyFileSync(otherProcess, script);
    const { code, errors } = await run(script, [harness.file], '{}');
    expect(code).toBe(1);
    expect(errors).toMatch(/no built-in SQLite.*there is none for[\s\S]*Use Node 22\.13 or newer/);
    fs.rmSync(bare, { recursive: true });
    await harness.remove();
  });

  it('says that its folder cannot be made, and not that the database should be made anew', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cairn-store-'));
    fs.writeFileSync(path.join(folder, 'file'), '');
    await expect(openSqliteStore(path.join(folder, 'file', 'memory.db'))).rejects.toMatchObject({
      code: 'STORE_ERROR',
      message: expect.stringContaining('cannot be opened for writing: E'),
      fix: expect.stringContaining('permissions'),
    });
    fs.rmSync(folder, { recursive: true });
  });

  it('says why it cannot open a file', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cairn-store-'));
    await expect(openSqliteStore(folder)).rejects.toMatchObject({ code: 'STORE_ERROR', fix: expect.any(String) });
    fs.rmSync(folder, { recursive: true });
  });
});
