// SQLite for all runtimes behind one small surface: `node:sqlite` where Node has it, elsewhere the binary of the same class that
// Cairn brings along. Nothing outside this file knows which one is in use.

import { type CairnError, messageOf } from '../../errors.ts';
import type { Store } from '../store.ts';
import { carriedSqlite } from './carried-sqlite.ts';

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

/** What both offer alike. */
type Connection = {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  enableLoadExtension(allow: boolean): void;
  loadExtension(path: string): void;
  close(): void;
};

export type DriverName = 'node:sqlite' | '@photostructure/sqlite';

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
      statement = this.#prepared(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** The same with rows as lists of values: naming the columns of hundreds of rows takes longer than reading them. */
  prepareValues(sql: string): ValuesStatement {
    let statement = this.#plain.get(sql);
    if (!statement) {
      if (this.#plain.size >= MAX_STATEMENTS) this.#plain.clear();
      statement = withoutNames(this.#prepared(sql));
      this.#plain.set(sql, statement);
    }
    return statement;
  }

  /** A row that could not be read would be reported once more by the next use of its statement: that one is made anew. */
  #prepared(sql: string): Statement {
    const statement = this.#connection.prepare(sql);
    const rows = statement.iterate.bind(statement);
    const forget = (): void => {
      this.#statements.delete(sql);
      this.#plain.delete(sql);
    };
    const iterate = function* (...values: readonly SqlValue[]): Generator<Row> {
      try {
        yield* rows(...values);
      } catch (error) {
        forget();
        throw error;
      }
    };
    Object.defineProperty(statement, 'iterate', { value: iterate }); // what it inherits may not be assigned to
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
    this.#connection.enableLoadExtension(true);
    this.#connection.loadExtension(path);
    this.#connection.enableLoadExtension(false);
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

/** node:sqlite can do it since 24.0 and 22.16; before that the names are taken off here. */
type Nameable = Statement & { setReturnArrays?(on: boolean): unknown };

function withoutNames(statement: Nameable): ValuesStatement {
  if (!statement.setReturnArrays)
    return {
      all: (...values) => statement.all(...values).map((row) => Object.values(row)),
      *iterate(...values) {
        for (const row of statement.iterate(...values)) yield Object.values(row);
      },
    };
  statement.setReturnArrays(true);
  return statement as unknown as ValuesStatement;
}

/** Opens `file`, whose directory must exist; to read only, the file too. */
export function openDriver(file: string, { readOnly = false }: { readOnly?: boolean } = {}): Driver {
  const builtIn = builtInSqlite();
  const { DatabaseSync } = builtIn ?? carriedSqlite();
  const connection = new DatabaseSync(file, { allowExtension: true, readOnly });
  return new Driver(builtIn ? 'node:sqlite' : '@photostructure/sqlite', connection as Connection);
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
