// The Store on a PostgreSQL server, for a team or for more than one machine should hold. The same answers as SQLite: the same words, the
// same formula, ties by project and ref. Several people write to one database; view.ts says who reads what.

import { CairnError } from '../../errors.ts';
import { checkChanges } from '../check-changes.ts';
import type {
  Abilities,
  Change,
  CosinesQuery,
  CountsQuery,
  Document,
  EntityCount,
  EntityQuery,
  GetQuery,
  Hit,
  Link,
  LinkQuery,
  ListQuery,
  Mention,
  MentionQuery,
  Page,
  StateQuery,
  StateRow,
  Stats,
  Store,
  TextQuery,
  Vector,
  VectorQuery,
  VectorsQuery,
  WordCounts,
} from '../store.ts';
import { type Connect, connectWithPg, Driver, quoted } from './driver.ts';
import { storeFailure } from './failure.ts';
import { Nearest } from './nearest.ts';
import { dropAside, searchPathAside, versionsAside } from './older-tables.ts';
import { type Opened, openTables, removeTables } from './open.ts';
import { Reader } from './read.ts';
import { Searcher } from './search.ts';
import { View } from './view.ts';
import { removeOwn, Writer } from './write.ts';

export type PostgresPlace = {
  /** What the package `pg` needs to connect; address.ts makes it of a URL. */
  readonly connection: { readonly [option: string]: unknown };
  /** Host, port and database, for messages. */
  readonly where: string;
  readonly schema: string;
  /** Names this machine among those of one person. */
  readonly machine: string;
};

export type OpenOptions = {
  /** How long to wait for the server, for connecting and for each question, if not as long as a person would. */
  readonly waitMs?: number;
  /** What others may have of a document. */
  readonly share?: (document: Document) => Document | undefined;
  /** Sessions of another library. */
  readonly connect?: (searchPath: readonly string[]) => Connect;
};

export async function openPostgresStore(place: PostgresPlace, options: OpenOptions = {}): Promise<Store> {
  const driver = driverOf(place, options, [place.schema]);
  try {
    return new PostgresStore(place, options, driver, await openTables(driver, place));
  } catch (error) {
    await driver.close();
    throw storeFailure(error, place.where);
  }
}

/** Removes tables that are damaged; the vectors go with them. */
export async function removePostgresStore(place: PostgresPlace, options: OpenOptions = {}): Promise<void> {
  const driver = driverOf(place, options, [place.schema]);
  try {
    await removeTables(driver, place);
  } catch (error) {
    throw storeFailure(error, place.where);
  } finally {
    await driver.close();
  }
}

/** Lets roles use the tables. Which rows each of them sees is not said here: row-level security does (schema.ts). */
export async function admitRoles(
  place: PostgresPlace,
  roles: readonly string[],
  options: OpenOptions = {},
): Promise<void> {
  const driver = driverOf(place, options, [place.schema]);
  const schema = quoted(place.schema);
  try {
    await driver.transaction(async (session) => {
      for (const role of roles.map(quoted)) {
        await session.exec(`GRANT USAGE ON SCHEMA ${schema} TO ${role}`);
        await session.exec(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${role}`);
        await session.exec(
          `REVOKE INSERT, UPDATE, DELETE ON ${schema}.about FROM ${role}; REVOKE UPDATE, DELETE ON ${schema}.model FROM ${role}`,
        );
      }
    });
  } catch (error) {
    throw storeFailure(error, place.where);
  } finally {
    await driver.close();
  }
}

/** Everything of the role that asks, from all its machines: rows, copies for others, vectors, states. Returns how many documents. */
export async function removeOwnRows(place: PostgresPlace, options: OpenOptions = {}): Promise<number> {
  const driver = driverOf(place, options, [place.schema]);
  try {
    return await driver.transaction(removeOwn);
  } catch (error) {
    throw storeFailure(error, place.where);
  } finally {
    await driver.close();
  }
}

function driverOf(place: PostgresPlace, options: OpenOptions, searchPath: readonly string[]): Driver {
  const withPublic = [...searchPath, 'public'];
  return new Driver(
    options.connect?.(withPublic) ??
      connectWithPg({
        connection: place.connection,
        searchPath: withPublic,
        ...(options.waitMs === undefined ? {} : { waitMs: options.waitMs }),
      }),
  );
}

class PostgresStore implements Store {
  readonly abilities: Abilities = { fullText: true, vectors: true };
  readonly opened: Store['opened'];
  readonly readOnly: CairnError | undefined;
  readonly #place: PostgresPlace;
  readonly #options: OpenOptions;
  readonly #driver: Driver;
  readonly #view: View;
  readonly #reader: Reader;
  readonly #searcher: Searcher;
  readonly #nearest: Nearest;
  readonly #pgvector: boolean;
  #closed = false;

  constructor(place: PostgresPlace, options: OpenOptions, driver: Driver, opened: Opened) {
    this.#place = place;
    this.#options = options;
    this.#driver = driver;
    this.opened = opened.opened;
    this.readOnly = opened.readOnly;
    this.#pgvector = opened.pgvector !== undefined;
    this.#view = new View(place.machine);
    this.#reader = new Reader(driver, this.#view);
    this.#searcher = new Searcher(driver, this.#view);
    this.#nearest = new Nearest(driver, this.#view, this.#pgvector);
  }

  async apply(changes: readonly Change[]): Promise<void> {
    checkChanges(changes);
    return this.#enter(async () => {
      if (this.readOnly) throw this.readOnly;
      const { share } = this.#options;
      await this.#driver.transaction(async (session) => {
        const options = { view: this.#view, indexes: this.#pgvector, ...(share ? { share } : {}) };
        await (await Writer.of(session, options)).apply(changes);
      });
    });
  }

  async get(query: GetQuery): Promise<readonly Document[]> {
    return this.#enter(() => this.#reader.get(query));
  }

  async list(query: ListQuery): Promise<Page> {
    return this.#enter(() => this.#reader.list(query));
  }

  async search(query: TextQuery): Promise<readonly Hit[]> {
    return this.#enter(() => this.#searcher.search(query));
  }

  async counts(query: CountsQuery): Promise<WordCounts> {
    return this.#enter(() => this.#searcher.counts(query.words));
  }

  async nearest(query: VectorQuery): Promise<readonly Hit[]> {
    return this.#enter(() => this.#nearest.nearest(query));
  }

  async links(query: LinkQuery): Promise<readonly Link[]> {
    return this.#enter(() => this.#reader.links(query));
  }

  async mentions(query: MentionQuery): Promise<readonly Mention[]> {
    return this.#enter(() => this.#reader.mentions(query));
  }

  async entities(query: EntityQuery): Promise<readonly EntityCount[]> {
    return this.#enter(() => this.#reader.entities(query));
  }

  async cosines(query: CosinesQuery): Promise<ReadonlyMap<string, number>> {
    return this.#enter(() => this.#nearest.cosines(query));
  }

  async vectors(query: VectorsQuery): Promise<readonly Vector[]> {
    return this.#enter(() => this.#reader.vectors(query));
  }

  async tokens(query: VectorsQuery): Promise<ReadonlyMap<string, Uint8Array>> {
    return this.#enter(() => this.#reader.tokens(query));
  }

  async state(query: StateQuery): Promise<readonly StateRow[]> {
    return this.#enter(() => this.#reader.state(query));
  }

  async stats(): Promise<Stats> {
    return this.#enter(() => this.#reader.stats());
  }

  async leftBehind(): Promise<readonly number[]> {
    return this.#enter(() => versionsAside(this.#driver, this.#place.schema));
  }

  async openLeftBehind(version: number): Promise<Store> {
    return this.#enter(async () => {
      const driver = driverOf(this.#place, this.#options, searchPathAside(this.#place.schema, version));
      const readOnly = new CairnError('STORE_ERROR', 'Rows of an older version are only read.');
      return new PostgresStore(this.#place, this.#options, driver, { opened: 'existing', readOnly });
    });
  }

  async dropLeftBehind(version: number): Promise<void> {
    return this.#enter(async () => {
      if (this.readOnly) throw this.readOnly;
      await dropAside(this.#driver, this.#place.schema, version);
    });
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#driver.close();
  }

  /** The one place where the server's errors become Cairn's. */
  async #enter<T>(action: () => Promise<T>): Promise<T> {
    if (this.#closed) throw new CairnError('STORE_ERROR', 'The store is closed.', { fix: 'Open it again.' });
    try {
      return await action();
    } catch (error) {
      throw storeFailure(error, this.#place.where);
    }
  }
}
