// One person's connections to a server: one that reads and, once something is written, one that writes, so that nobody reads in the
// middle of a batch. The package `pg` is optional and loaded when a store is opened. A connection that was lost is made anew and the
// work is done again where that is safe: reading always, a batch unless its outcome is unknown, which the server is then asked for.

import { CairnError, messageOf } from '../../errors.ts';
import { isLost, isTimeout } from './failure.ts';

export type SqlValue = string | number | boolean | null | Uint8Array | readonly (string | number | null)[];
export type Row = { readonly [column: string]: unknown };

/** What a session of any library offers. SQL has `?` for its values. */
export type Session = {
  query(sql: string, values?: readonly SqlValue[]): Promise<Row[]>;
  /** Several statements without values. */
  exec(sql: string): Promise<void>;
  close(): Promise<void>;
  /** False once it was lost. */
  readonly isAlive: boolean;
};

export type Connect = () => Promise<Session>;

/** How many times a batch is done again after it met another or lost its connection. */
const ATTEMPTS = 3;
const PAUSE_MS = 50;

export class Driver {
  readonly #connect: Connect;
  #reader: Promise<Session> | undefined;
  #writer: Promise<Session> | undefined;
  /** The batch before, which the next one waits for. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(connect: Connect) {
    this.#connect = connect;
  }

  async query(sql: string, values: readonly SqlValue[] = []): Promise<Row[]> {
    for (let attempt = 1; ; attempt++) {
      const session = await this.#session('reader');
      try {
        return await session.query(sql, values);
      } catch (error) {
        if (!isLost(error) || attempt >= 2) throw error;
        this.#forget('reader');
      }
    }
  }

  /** One after the other in this process; the body sees its own writes, and nobody else does before the end. */
  transaction<T>(body: (session: Session) => Promise<T>): Promise<T> {
    const next = this.#last.then(
      () => this.#attempt(body),
      () => this.#attempt(body),
    );
    this.#last = next.catch(() => undefined);
    return next;
  }

  async close(): Promise<void> {
    await this.#last;
    const open = [this.#reader, this.#writer];
    this.#reader = undefined;
    this.#writer = undefined;
    for (const session of open) await session?.then((each) => each.close()).catch(() => undefined);
  }

  async #attempt<T>(body: (session: Session) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#once(body);
      if (outcome.done) return outcome.value;
      if (!outcome.again || attempt >= ATTEMPTS) throw outcome.error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * attempt));
    }
  }

  async #once<T>(body: (session: Session) => Promise<T>): Promise<Outcome<T>> {
    const session = await this.#session('writer');
    let transaction = '';
    let value: T;
    try {
      await session.exec('BEGIN');
      value = await body(session);
      transaction = String((await session.query('SELECT pg_current_xact_id_if_assigned()::text AS id'))[0]?.id ?? '');
    } catch (error) {
      if (isLost(error)) this.#forget('writer');
      else await session.exec('ROLLBACK').catch(() => this.#forget('writer'));
      return { done: false, again: isLost(error) || metAnother(error), error };
    }
    try {
      await session.exec('COMMIT');
      return { done: true, value };
    } catch (error) {
      if (!isLost(error)) return { done: false, again: metAnother(error), error };
      this.#forget('writer');
      return (await this.#wasCommitted(transaction)) ? { done: true, value } : { done: false, again: true, error };
    }
  }

  /** The connection went while the server was told to keep the batch. It knows whether it did. */
  async #wasCommitted(transaction: string): Promise<boolean> {
    if (transaction === '') return true; // nothing was written
    for (let attempt = 1; ; attempt++) {
      const rows = await this.query('SELECT pg_xact_status(?::text::xid8) AS status', [transaction]);
      const status = String(rows[0]?.status);
      if (status === 'committed') return true;
      if (status === 'aborted') return false;
      if (attempt >= 20)
        throw new CairnError('STORE_ERROR', 'The server did not say whether the last batch was stored.', {
          fix: 'Run the command again: what was stored is found, and the rest is done.',
        });
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }

  async #session(which: 'reader' | 'writer'): Promise<Session> {
    const known = which === 'reader' ? this.#reader : this.#writer;
    if (known !== undefined) {
      const session = await known;
      if (session.isAlive) return session;
    }
    const made = this.#connect();
    if (which === 'reader') this.#reader = made;
    else this.#writer = made;
    made.catch(() => this.#forget(which));
    return made;
  }

  #forget(which: 'reader' | 'writer'): void {
    const session = which === 'reader' ? this.#reader : this.#writer;
    if (which === 'reader') this.#reader = undefined;
    else this.#writer = undefined;
    session?.then((each) => each.close()).catch(() => undefined);
  }
}

type Outcome<T> =
  | { readonly done: true; readonly value: T }
  | { readonly done: false; readonly again: boolean; readonly error: unknown };

/** Deadlock, or a snapshot that could not be kept. */
function metAnother(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return code === '40P01' || code === '40001';
}

/** `?` → `$1`, `$2`, …; the SQL of this folder has no question mark of its own. */
export function numbered(sql: string): string {
  let count = 0;
  return sql.replaceAll('?', () => `$${++count}`);
}

/** A name in SQL. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** What `pg` is told; see address.ts. */
export type ConnectOptions = {
  readonly connection: { readonly [option: string]: unknown };
  /** The schema first, then what it lacks. */
  readonly searchPath: readonly string[];
  /** For connecting, and for each statement. */
  readonly waitMs?: number;
};

const BIGINT = 20;

/** Sessions of the package `pg`. What is asked at once goes to the server at once (`pipeline`): one way there and back for all of it. */
export function connectWithPg(options: ConnectOptions): Connect {
  // One for all sessions: who waited for a connection that was lost does not wait as long again for the next.
  const patience = new Patience(options.waitMs);
  return async () => {
    const { default: pg } = await loadPg();
    const client = new pg.Client({
      ...options.connection,
      connectionTimeoutMillis: Math.min(CONNECT_MS, patience.left()),
      application_name: 'cairn',
      keepAlive: true,
      pipeline: true,
      options: `-c search_path=${options.searchPath.map(quoted).join(',')} -c jit=off -c hnsw.ef_search=400 -c hnsw.iterative_scan=strict_order`,
    });
    let isAlive = true;
    client.on('error', () => {
      isAlive = false; // told to whoever asks next
    });
    client.on('end', () => {
      isAlive = false;
    });
    await patience
      .during(() => client.connect())
      .catch((error: unknown) => {
        client.end().catch(() => undefined); // or a server that waits for a password keeps the process
        throw error;
      });
    const types = { getTypeParser: (id: number, format?: 'text' | 'binary') => parserOf(pg, id, format) };
    return {
      get isAlive() {
        return isAlive;
      },
      query: async (sql, values = []) => {
        const query_timeout = patience.left();
        const query = { text: numbered(sql), values: values.map(bound) as unknown[], types, query_timeout };
        try {
          return (await patience.during(() => client.query(query))).rows as Row[];
        } catch (error) {
          // The answer to a question that nobody waits for any more would come before that to the next one.
          if (isTimeout(error)) {
            isAlive = false;
            client.end().catch(() => undefined);
          }
          throw error;
        }
      },
      exec: async (sql) => {
        await client.query(sql);
      },
      close: async () => {
        isAlive = false;
        await client.end();
      },
    };
  };
}

const CONNECT_MS = 5_000;
/** No question of Cairn takes as long; a server behind a network that swallows what is sent would be waited for forever. */
const QUERY_MS = 120_000;
/** After so long without a question the next one belongs to another prompt. */
const PAUSE_BETWEEN_MS = 1_000;

/** How long somebody waits in all for the questions that follow on each other; commands for each of them. */
class Patience {
  readonly #limit: number | undefined;
  #spent = 0;
  #last = 0;
  /** What is waited for now, and since when. */
  #open = 0;
  #since = 0;

  constructor(limit: number | undefined) {
    this.#limit = limit;
  }

  /** Milliseconds; an error where there are none. */
  left(): number {
    if (this.#limit === undefined) return QUERY_MS;
    const now = Date.now();
    if (this.#open === 0 && now - this.#last > PAUSE_BETWEEN_MS) this.#spent = 0;
    const left = this.#limit - this.#spent - (this.#open > 0 ? now - this.#since : 0);
    if (left <= 0) throw Object.assign(new Error(`no answer within ${this.#limit} ms`), { code: 'TIMEOUT' });
    return left;
  }

  /** What is waited for at the same time is waited for once. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    if (this.#open++ === 0) this.#since = Date.now();
    try {
      return await work();
    } finally {
      this.#last = Date.now();
      if (--this.#open === 0) this.#spent += this.#last - this.#since;
    }
  }
}

type Pg = typeof import('pg');

function parserOf(pg: Pg['default'], id: number, format: 'text' | 'binary' = 'text'): (value: string) => unknown {
  if (id === BIGINT) return Number;
  return pg.types.getTypeParser(id, format as 'text') as (value: string) => unknown;
}

/** PostgreSQL keeps no NUL in a text, so none can be found there either. */
export function bound(value: SqlValue): SqlValue {
  if (typeof value === 'string') return withoutNul(value);
  if (Array.isArray(value)) return value.map((each) => (typeof each === 'string' ? withoutNul(each) : each));
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return value;
}

const withoutNul = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text);

async function loadPg(): Promise<Pg> {
  try {
    return await import('pg');
  } catch (error) {
    throw new CairnError('STORE_ERROR', `The package pg does not load: ${messageOf(error)}`, {
      cause: error,
      fix: 'Install it beside Cairn (npm install -g pg@8), or remove `store.url` from your settings to use SQLite.',
    });
  }
}
