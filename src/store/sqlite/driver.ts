// SQLite for both runtimes behind one small surface: `node:sqlite` where Node has it (it needs no native build and
// starts faster), better-sqlite3 elsewhere. Nothing outside this file knows which one is in use, except failure.ts,
// because the two report failures in different ways.

import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { CairnError, messageOf } from '../../errors.ts';
import type { Store } from '../store.ts';

export type SqlValue = string | number | Uint8Array | null;
export type Row = { readonly [column: string]: SqlValue };

export type Statement = {
  run(...values: readonly SqlValue[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  get(...values: readonly SqlValue[]): Row | undefined;
  all(...values: readonly SqlValue[]): Row[];
  iterate(...values: readonly SqlValue[]): Iterable<Row>;
};

/** The values of a row in the order of its columns. */
export type Values = readonly SqlValue[];
export type ValuesStatement = {
  all(...values: readonly SqlValue[]): Values[];
  iterate(...values: readonly SqlValue[]): Iterable<Values>;
};

/** What both libraries offer alike. */
type Connection = {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  loadExtension(path: string): void;
  close(): void;
};

export type DriverName = 'node:sqlite' | 'better-sqlite3';

// The SQL of this folder has fixed texts (lists are bound as JSON), so the table of statements stays small;
// this is the guard for the day it does not.
const MAX_STATEMENTS = 200;

export class Driver {
  readonly name: DriverName;
  readonly #connection: Connection;
  readonly #statements = new Map<string, Statement>();
  readonly #plain = new Map<string, ValuesStatement>();

  constructor(name: DriverName, connection: Connection) {
    this.name = name;
    this.#connection = connection;
  }

  exec(sql: string): void {
    this.#connection.exec(sql);
  }

  /** Prepared at its first use, then kept. */
  prepare(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (!statement) {
      if (this.#statements.size >= MAX_STATEMENTS) this.#statements.clear();
      statement = this.#connection.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** The same with rows as lists of values: naming the columns of hundreds of rows takes longer than reading them. */
  prepareValues(sql: string): ValuesStatement {
    let statement = this.#plain.get(sql);
    if (!statement) {
      if (this.#plain.size >= MAX_STATEMENTS) this.#plain.clear();
      statement = withoutNames(this.#connection.prepare(sql));
      this.#plain.set(sql, statement);
    }
    return statement;
  }

  /** Takes the write lock at once: a transaction that reads first could not wait for another writer later. */
  transaction<T>(body: () => T): T {
    this.exec('BEGIN IMMEDIATE');
    try {
      const result = body();
      this.exec('COMMIT');
      return result;
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  loadExtension(path: string): void {
    this.#connection.loadExtension(path);
  }

  close(): void {
    this.#statements.clear();
    this.#plain.clear();
    this.#connection.close();
  }

  // After some failures (disk full) SQLite has rolled back by itself; the second error must not hide the first.
  #rollBack(): void {
    try {
      this.exec('ROLLBACK');
    } catch {
      return;
    }
  }
}

/** A connection, and what was there when it was opened. */
export type Opened = {
  readonly driver: Driver;
  readonly opened: Store['opened'];
  /** Why nothing may be written, where that is so. */
  readonly readOnly?: CairnError;
};

/** better-sqlite3 can do it, node:sqlite since 24.0 and 22.16; before that the names are taken off here. */
type Nameable = Statement & { raw?(on: boolean): unknown; setReturnArrays?(on: boolean): unknown };

function withoutNames(statement: Nameable): ValuesStatement {
  if (statement.raw) statement.raw(true);
  else if (statement.setReturnArrays) statement.setReturnArrays(true);
  else
    return {
      all: (...values) => statement.all(...values).map((row) => Object.values(row)),
      *iterate(...values) {
        for (const row of statement.iterate(...values)) yield Object.values(row);
      },
    };
  return statement as unknown as ValuesStatement;
}

/** Opens `file`, whose directory must exist; to read only, the file too. */
export function openDriver(file: string, { readOnly = false }: { readOnly?: boolean } = {}): Driver {
  const builtIn = builtInSqlite();
  if (builtIn) {
    const connection = new builtIn.DatabaseSync(file, { allowExtension: true, readOnly });
    return new Driver('node:sqlite', connection as Connection);
  }
  return new Driver('better-sqlite3', openAddon(file, readOnly));
}

type BuiltInSqlite = typeof import('node:sqlite');

/** The built-in module without its ExperimentalWarning, which would end up on the terminal; other warnings pass. */
export function builtInSqlite(): BuiltInSqlite | undefined {
  const emitWarning = process.emitWarning;
  const filtered = (warning: string | Error, ...rest: unknown[]): void => {
    if (/SQLite is an experimental feature/.test(messageOf(warning))) return;
    Reflect.apply(emitWarning, process, [warning, ...rest]);
  };
  process.emitWarning = filtered as typeof process.emitWarning;
  try {
    return process.getBuiltinModule?.('node:sqlite') as BuiltInSqlite | undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** The class inside the addon; the package wraps it in what nobody here uses, and takes three times as long to load. */
type Addon = {
  isInitialized?: boolean;
  setErrorConstructor(error: unknown): void;
  Database: new (...options: readonly unknown[]) => NativeDatabase;
};
type NativeDatabase = Omit<Connection, 'prepare'> & { prepare(sql: string, owner: object, pragma: boolean): Statement };

class SqliteError extends Error {
  readonly code: string;
  constructor(message: string, code: string) {
    super(message);
    this.name = 'SqliteError';
    this.code = code;
  }
}

const BUSY_MS = 5_000;

/** As the package at its pinned version does it. A hook on Node 20 waits for this, so what it leaves out counts. */
function openAddon(file: string, readOnly: boolean): Connection {
  const addon = requireAddon();
  if (!addon.isInitialized) {
    addon.setErrorConstructor(SqliteError);
    addon.isInitialized = true;
  }
  const native = new addon.Database(file, file, false, readOnly, readOnly, BUSY_MS, null, null);
  const owner = {};
  return {
    exec: (sql) => native.exec(sql),
    prepare: (sql) => native.prepare(sql, owner, false),
    loadExtension: (extension) => native.loadExtension(extension),
    close: () => native.close(),
  };
}

// Bundles are given the binary's own; that saves a hook one of Node's modules.
declare const __bundleRequire: NodeJS.Require | undefined;
const ADDON = 'better-sqlite3/build/Release/better_sqlite3.node';

function requireAddon(): Addon {
  const load = typeof __bundleRequire === 'function' ? __bundleRequire : createRequire(import.meta.url);
  try {
    return load(nearestAddon() ?? ADDON) as Addon;
  } catch (error) {
    throw new CairnError(
      'STORE_ERROR',
      `This Node (${process.version}) has no built-in SQLite, and the package better-sqlite3 does not load: ${messageOf(error)}`,
      { cause: error, fix: 'Use Node 22.13 or newer, or install the package: npm install better-sqlite3@12.11.1' },
    );
  }
}

/** Where Node would find it after reading what packages on the way say of themselves, which a hook has no time for. */
function nearestAddon(): string | undefined {
  if (!path.isAbsolute(import.meta.url)) return undefined; // an address, outside of the bundles
  for (let folder = path.dirname(import.meta.url); ; folder = path.dirname(folder)) {
    const file = path.join(folder, 'node_modules', ADDON);
    if (fs.existsSync(file)) return file;
    if (path.dirname(folder) === folder) return undefined;
  }
}
