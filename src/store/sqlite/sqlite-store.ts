// The Store on one SQLite file. Each method is one synchronous piece of work behind a promise, so nothing else of
// this process runs in the middle of it; other processes are kept apart by SQLite's own locks.

import fs from 'node:fs';
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
import type { Driver, Opened } from './driver.ts';
import { Facets } from './facets.ts';
import { storeFailure } from './failure.ts';
import { Nearest } from './nearest.ts';
import { noteWriter } from './newer-schema.ts';
import { dropAside, readAside, versionsAside } from './older-tables.ts';
import { closeSoon, openDatabase, removeDatabase } from './open.ts';
import { Reader } from './read.ts';
import { Searcher } from './search.ts';
import { tokensByHash } from './token-rows.ts';
import { Writer } from './write.ts';

/** For whoever keeps a client waiting: a prompt goes on without memories rather than seconds later. */
export const SHORT_WAIT_MS = 2_000;

export type OpenOptions = {
  /** How long to wait for another process that holds it, if not as long as a person would. */
  readonly waitMs?: number;
  /** For the many short processes of a conversation: what the last of them wrote may stay in SQLite's log (open.ts). */
  readonly closeSoon?: boolean;
  /** What is deleted is overwritten at once. Slower: for those who remove what nobody may read again. */
  readonly secureDelete?: boolean;
};

/** Opens the store in `file`, which is made (private to the user) if it does not exist. */
export async function openSqliteStore(file: string, options: OpenOptions = {}): Promise<Store> {
  const opened = openDatabase(file, options);
  if (options.secureDelete) opened.driver.exec('PRAGMA secure_delete = ON');
  return new SqliteStore(file, opened, options.closeSoon === true);
}

/** Removes a store that is damaged; the vectors go with it. Nobody may have it open. */
export function removeSqliteStore(file: string): void {
  removeDatabase(file);
}

class SqliteStore implements Store {
  readonly abilities: Abilities = { fullText: true, vectors: true };
  readonly opened: Store['opened'];
  readonly readOnly: CairnError | undefined;
  readonly #file: string;
  readonly #driver: Driver;
  readonly #facets: Facets;
  readonly #reader: Reader;
  readonly #searcher: Searcher;
  readonly #nearest: Nearest;
  readonly #closesSoon: boolean;
  #closed = false;
  #isNoted = false;

  constructor(file: string, { driver, opened, readOnly }: Opened, closesSoon: boolean) {
    this.#file = file;
    this.#closesSoon = closesSoon;
    this.opened = opened;
    this.readOnly = readOnly;
    this.#driver = driver;
    this.#facets = new Facets(driver);
    this.#reader = new Reader(driver, this.#facets);
    this.#searcher = new Searcher(driver, this.#facets);
    this.#nearest = new Nearest(driver, this.#facets);
  }

  async apply(changes: readonly Change[]): Promise<void> {
    checkChanges(changes);
    return this.#enter(() => {
      if (this.readOnly) throw this.readOnly;
      try {
        this.#driver.transaction(() => {
          this.#facets.refresh();
          if (!this.#isNoted) noteWriter(this.#driver);
          new Writer(this.#driver, this.#facets).apply(changes);
        });
        this.#isNoted = true;
      } catch (error) {
        this.#facets.forget();
        throw error;
      }
    });
  }

  async get(query: GetQuery): Promise<readonly Document[]> {
    return this.#read(() => this.#reader.get(query));
  }

  async list(query: ListQuery): Promise<Page> {
    return this.#read(() => this.#reader.list(query));
  }

  async search(query: TextQuery): Promise<readonly Hit[]> {
    return this.#read(() => this.#searcher.search(query));
  }

  async counts(query: CountsQuery): Promise<WordCounts> {
    return this.#read(() => this.#searcher.counts(query.words));
  }

  async nearest(query: VectorQuery): Promise<readonly Hit[]> {
    return this.#read(() => this.#nearest.nearest(query));
  }

  async links(query: LinkQuery): Promise<readonly Link[]> {
    return this.#read(() => this.#reader.links(query));
  }

  async mentions(query: MentionQuery): Promise<readonly Mention[]> {
    return this.#read(() => this.#reader.mentions(query));
  }

  async entities(query: EntityQuery): Promise<readonly EntityCount[]> {
    return this.#read(() => this.#reader.entities(query));
  }

  async cosines(query: CosinesQuery): Promise<ReadonlyMap<string, number>> {
    return this.#read(() => this.#nearest.cosines(query));
  }

  async vectors(query: VectorsQuery): Promise<readonly Vector[]> {
    return this.#read(() => this.#reader.vectors(query));
  }

  async tokens(query: VectorsQuery): Promise<ReadonlyMap<string, Uint8Array>> {
    return this.#read(() => tokensByHash(this.#driver, query));
  }

  async state(query: StateQuery): Promise<readonly StateRow[]> {
    return this.#read(() => this.#reader.state(query));
  }

  async stats(): Promise<Stats> {
    return this.#read(() => {
      const { engine, ...rest } = this.#reader.stats();
      return { ...rest, bytes: sizeOf(this.#file), engine: engine + (this.#nearest.extended ? ' + sqlite-vec' : '') };
    });
  }

  async leftBehind(): Promise<readonly number[]> {
    return this.#enter(() => versionsAside(this.#driver));
  }

  async openLeftBehind(version: number): Promise<Store> {
    return this.#enter(() => new SqliteStore(this.#file, readAside(this.#file, version), false));
  }

  async dropLeftBehind(version: number): Promise<void> {
    return this.#enter(() => {
      if (this.readOnly) throw this.readOnly;
      dropAside(this.#driver, version);
    });
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    if (this.#closesSoon) closeSoon(this.#driver, this.#file);
    else this.#driver.close();
  }

  #read<T>(action: () => T | Promise<T>): Promise<T> {
    return this.#enter(() => {
      this.#facets.refresh();
      return action();
    });
  }

  /** The one place where SQLite's errors become Cairn's. */
  async #enter<T>(action: () => T | Promise<T>): Promise<T> {
    if (this.#closed) throw new CairnError('STORE_ERROR', 'The store is closed.', { fix: 'Open it again.' });
    try {
      return await action();
    } catch (error) {
      throw storeFailure(error, this.#file);
    }
  }
}

function sizeOf(file: string): number {
  return [file, `${file}-wal`].reduce(
    (sum, name) => sum + (fs.statSync(name, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}
