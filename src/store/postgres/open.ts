// Finds the tables of Cairn in a schema of a database, makes them if there are none, and takes them to this version step by step.
// One at a time: whoever makes or changes tables holds an advisory lock of the database, and others wait for it.

import { CairnError } from '../../errors.ts';
import { version as cairnVersion } from '../../version.ts';
import type { Store } from '../store.ts';
import { type Driver, quoted, type Row, type Session } from './driver.ts';
import { putAside } from './older-tables.ts';
import { ABOUT, CREATE, OLDEST_KEPT, READ_COLUMNS, SCHEMA_VERSION, STEPS, TABLES } from './schema.ts';

export type Opened = {
  readonly opened: Store['opened'];
  readonly readOnly?: CairnError;
  /** The version of pgvector, where it is installed. */
  readonly pgvector?: string;
};

type Found = {
  readonly version: number | undefined;
  readonly madeBy: string | undefined;
  readonly tables: number;
  readonly foreign: boolean;
  readonly pgvector: string | undefined;
};

/** `where`: the server in words. */
export type Place = { readonly schema: string; readonly where: string };

export async function openTables(driver: Driver, place: Place): Promise<Opened> {
  const ask: Query = (sql, values) => driver.query(sql, values);
  // On the way at once; where there is no such table yet, its error is nobody's.
  const noted = notes(ask, place);
  noted.catch(() => undefined);
  const found = await look(ask, place, () => noted);
  const withVector = found.pgvector === undefined ? {} : { pgvector: found.pgvector };
  if (found.version === SCHEMA_VERSION) {
    if (found.tables < TABLES.length) throw damaged(place, TABLES.length - found.tables);
    return { opened: 'existing', ...withVector };
  }
  if (found.version !== undefined && found.version > SCHEMA_VERSION)
    return { ...(await openNewer(driver, place, found)), ...withVector };
  return { opened: await migrate(driver, place), ...withVector };
}

/** Takes the tables to this version, or makes them. */
export function migrate(driver: Driver, place: Place): Promise<Store['opened']> {
  return driver.transaction(async (session) => {
    await session.query(`SELECT pg_advisory_xact_lock(hashtext('cairn tables'), hashtext(?))`, [place.schema]);
    const ask: Query = (sql, values) => session.query(sql, values);
    const found = await look(ask, place, () => notes(ask, place));
    if (found.version === SCHEMA_VERSION) return 'existing';
    if (found.foreign) throw foreign(place);
    if (found.version === undefined) return create(session, place);
    if (found.version < OLDEST_KEPT) {
      await putAside(session, place.schema, found.version);
      await session.exec(CREATE);
      await note(session);
      return 'recreated';
    }
    for (const step of STEPS) if (step.to > found.version) await session.exec(step.sql);
    await note(session);
    return 'existing';
  });
}

async function create(session: Session, { schema }: Place): Promise<Store['opened']> {
  await session.exec(`CREATE SCHEMA IF NOT EXISTS ${quoted(schema)}`);
  await session.exec(`SET LOCAL search_path = ${quoted(schema)}, public; ${ABOUT}; ${CREATE}`);
  await session.query(`INSERT INTO about (key, value) VALUES ('made-by', ?)`, [cairnVersion]);
  await note(session);
  return 'created';
}

async function note(session: Session): Promise<void> {
  await session.query(
    `INSERT INTO about (key, value) VALUES ('schema', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    [String(SCHEMA_VERSION)],
  );
}

type Query = (sql: string, values: readonly string[]) => Promise<Row[]>;

const notes = (query: Query, { schema }: Place): Promise<Row[]> =>
  query(`SELECT key, value FROM ${quoted(schema)}.about`, []);

async function look(query: Query, { schema }: Place, noted: () => Promise<Row[]>): Promise<Found> {
  const [row] = await query(
    `SELECT (SELECT COUNT(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE n.nspname = ? AND c.relkind = 'r' AND c.relname = ANY (string_to_array(?, ' '))) AS tables,
       (SELECT COUNT(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE n.nspname = ? AND c.relkind = 'r') AS others,
       to_regclass(?) IS NOT NULL AS noted,
       (SELECT extversion FROM pg_extension WHERE extname = 'vector') AS pgvector`,
    [schema, TABLES.join(' '), schema, `${quoted(schema)}.about`],
  );
  const pgvector = typeof row?.pgvector === 'string' ? row.pgvector : undefined;
  const tables = Number(row?.tables);
  if (row?.noted !== true)
    return { version: undefined, madeBy: undefined, tables, foreign: Number(row?.others) > 0, pgvector };
  const about = new Map((await noted()).map((each) => [String(each.key), String(each.value)]));
  const version = about.get('schema');
  return {
    version: version === undefined ? undefined : Number(version),
    madeBy: about.get('made-by'),
    tables,
    foreign: version === undefined,
    pgvector,
  };
}

/** Another Cairn knows more than this one. What it keeps is read where this one finds all that it needs, and never touched. */
async function openNewer(driver: Driver, place: Place, { version, madeBy }: Found): Promise<Opened> {
  const rows = await driver.query(
    `SELECT c.relname AS table, a.attname AS column FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped WHERE n.nspname = ?`,
    [place.schema],
  );
  const there = new Set(rows.map((row) => `${String(row.table)}.${String(row.column)}`));
  const missing = Object.entries(READ_COLUMNS).flatMap(([table, columns]) =>
    columns.map((column) => `${table}.${column}`).filter((name) => !there.has(name)),
  );
  const who = madeBy !== undefined && /^[\w.+-]{1,40}$/.test(madeBy) ? `Cairn ${madeBy}` : 'a newer Cairn';
  const what =
    missing.length === 0
      ? 'They are read as they are; nothing is written into them'
      : `This one cannot read them (${missing.slice(0, 3).join(', ')} missing) and leaves them alone`;
  const failure = new CairnError(
    'STORE_ERROR',
    `The tables at ${place.where} were made by ${who} (schema ${version}); this is Cairn ${cairnVersion} (schema ${SCHEMA_VERSION}). ${what}.`,
    { fix: 'Update this Cairn to that version or newer (npm install -g cairn-memory, then `cairn install`).' },
  );
  if (missing.length > 0) throw failure;
  return { opened: 'newer', readOnly: failure };
}

function damaged({ where }: Place, missing: number): CairnError {
  return new CairnError('STORE_ERROR', `The tables of Cairn at ${where} are damaged: ${missing} of them are missing.`, {
    cause: { code: '42P01' },
    fix: 'Run `cairn reindex`: it makes the tables anew and fills them again from your files and transcripts.',
  });
}

function foreign({ schema, where }: Place): CairnError {
  return new CairnError(
    'STORE_ERROR',
    `The schema ${schema} at ${where} holds tables of another program. Cairn did not touch them.`,
    {
      fix: 'Name another schema in `store.url`: add ?schema=cairn_memory to it.',
    },
  );
}

/** For damaged tables: all of them, also what was put aside. Vectors are lost with them. */
export async function removeTables(driver: Driver, { schema }: Place): Promise<void> {
  await driver.transaction(async (session) => {
    await session.query(`SELECT pg_advisory_xact_lock(hashtext('cairn tables'), hashtext(?))`, [schema]);
    await session.exec(`DROP SCHEMA IF EXISTS ${quoted(schema)} CASCADE`);
  });
}
