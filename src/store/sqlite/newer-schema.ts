// A database whose tables a newer Cairn has made: whether this one can read them, and the words for what it must not do with them. Both
// need to know who made it, so that is noted here too.

import { CairnError } from '../../errors.ts';
import { version as cairnVersion } from '../../version.ts';
import { type Driver, openDriver } from './driver.ts';
import { EMBEDDING_SCHEMA, SCHEMA, SCHEMA_VERSION } from './schema.ts';

/** Keys of `about`. */
export const MADE_BY = 'made-by';
const WRITTEN_BY = 'written-by';

/** Inside the transaction of the first batch; it writes nothing where it says so already. */
export function noteWriter(driver: Driver): void {
  driver
    .prepare(
      `INSERT INTO about (key, value) VALUES (?, ?)
       ON CONFLICT DO UPDATE SET value = excluded.value WHERE value <> excluded.value`,
    )
    .run(WRITTEN_BY, cairnVersion);
}

/** The version of Cairn that made the tables, where they say so. */
export function versionNoted(driver: Driver): string | undefined {
  try {
    const value = driver.prepare('SELECT value FROM about WHERE key = ?').get(MADE_BY)?.value;
    return typeof value === 'string' && /^[\w.+-]{1,40}$/.test(value) ? value : undefined;
  } catch {
    return undefined; // a newer one may note it elsewhere
  }
}

type Columns = Map<string, Set<string>>;

/** Tables and columns that this Cairn reads and that are not there. What there is besides them does not matter. */
export function missingFrom(driver: Driver): string[] {
  const there = columnsOf(driver);
  const own = openDriver(':memory:');
  try {
    own.exec(EMBEDDING_SCHEMA + SCHEMA);
    return [...columnsOf(own)].flatMap(([table, columns]) => {
      const found = there.get(table);
      if (!found) return table === 'about' ? [] : [table];
      return [...columns].filter((name) => !found.has(name)).map((name) => `${table}.${name}`);
    });
  } finally {
    own.close();
  }
}

/** The words of a virtual table that FTS5 makes for itself are its own affair. `only`: a table that is damaged is not asked for. */
export function columnsOf(driver: Driver, only?: readonly string[]): Columns {
  const rows = driver
    .prepare(
      `SELECT t.name AS "table", c.name AS "column" FROM sqlite_schema t JOIN pragma_table_info(t.name) c
       WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite!_%' ESCAPE '!' AND t.name NOT LIKE 'words!_%' ESCAPE '!'
         ${only ? `AND t.name IN (${only.map(() => '?').join(', ')})` : ''}`,
    )
    .all(...(only ?? []));
  const columns: Columns = new Map();
  for (const row of rows) {
    const table = String(row.table);
    columns.set(table, (columns.get(table) ?? new Set()).add(String(row.column)));
  }
  return columns;
}

type Made = { readonly file: string; readonly version: number; readonly by: string | undefined };

export function newerFailure({ file, version, by }: Made, missing: readonly string[] = []): CairnError {
  const who = by === undefined ? 'a newer Cairn' : `Cairn ${by}`;
  const what =
    missing.length === 0
      ? 'It is read as it is; nothing is written into it'
      : `This one cannot read it (${missing.slice(0, 3).join(', ')} ${missing.length === 1 ? 'is' : 'are'} not there) and leaves it alone`;
  return new CairnError(
    'STORE_ERROR',
    `The database ${file} was made by ${who} (schema ${version}); this is Cairn ${cairnVersion} (schema ${SCHEMA_VERSION}). ${what}.`,
    {
      fix: 'Update this Cairn to that version or newer (npm install -g cairn-memory, then `cairn install`); or, to go on with this one, move the file away and run `cairn reindex`.',
    },
  );
}
