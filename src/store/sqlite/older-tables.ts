// Rows of an older schema: a conversation may be nowhere else any more, so they are not dropped with a new version but put aside, under
// other names in the same file, which one transaction can do and two files could not. Whoever indexes takes them over and drops
// them then. They are read through views that bear the names of the tables, so that they need no reader of their own.

import { CairnError } from '../../errors.ts';
import { type Driver, type Opened, openDriver } from './driver.ts';
import { columnsOf } from './newer-schema.ts';
import { EMBEDDING_TABLES } from './schema.ts';

const ASIDE = /^v(\d+)_(.+)$/;
/** Without these columns a table cannot be understood; all others are empty where they are missing. */
export const NEEDED: { readonly [table: string]: readonly string[] } = {
  facet: ['id', 'field', 'value'],
  source: ['id', 'file'],
  document: ['id', 'project', 'ref', 'layer', 'kind', 'status', 'created_at', 'source', 'hash', 'text'],
  link: ['project', 'from_ref', 'to_ref', 'relation'],
  entity: ['id', 'name', 'kind'],
  mention: ['entity', 'project', 'document', 'count'],
  state: ['key', 'value'],
};
const OTHERWISE: { readonly [column: string]: string } = {
  documents: '0',
  status: "'active'",
  updated_at: 'created_at',
  confidence: '0.5',
  title: 'text',
  tags: "'[]'",
};
export const READ: { readonly [table: string]: readonly string[] } = {
  ...NEEDED,
  facet: [...NEEDED.facet!, 'documents'],
  document: [
    ...NEEDED.document!,
    ...['updated_at', 'confidence', 'session', 'span', 'line', 'title', 'tags', 'meta', 'context'],
  ],
  link: [...NEEDED.link!, 'confidence', 'rule'],
};

const tablesOf = (driver: Driver, condition = ''): string[] =>
  driver
    .prepare(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ${condition} ORDER BY name`,
    )
    .all()
    .map(({ name }) => String(name));
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Inside the transaction that makes the new tables. Words and signs go: they are made from the rows. */
export function putAside(driver: Driver, version: number): void {
  const drop = (name: string): void => driver.exec(`DROP TABLE IF EXISTS ${quoted(name)}`);
  for (const name of tablesOf(driver, `AND sql LIKE 'CREATE VIRTUAL TABLE%vocab%'`)) drop(name); // reads another one
  for (const name of tablesOf(driver, `AND sql LIKE 'CREATE VIRTUAL TABLE%'`)) drop(name); // takes its own tables along
  const indexes = driver.prepare(`SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL`).all();
  for (const { name } of indexes) driver.exec(`DROP INDEX ${quoted(String(name))}`);
  const kept: readonly string[] = EMBEDDING_TABLES;
  for (const name of tablesOf(driver)) {
    if (kept.includes(name) || ASIDE.test(name)) continue;
    const aside = `v${version}_${name}`;
    if (!Object.hasOwn(NEEDED, name)) drop(name);
    else {
      drop(aside); // of another time when this version was put aside: it was taken over, or it would be this one's
      driver.exec(`ALTER TABLE ${quoted(name)} RENAME TO ${quoted(aside)}`);
    }
  }
}

/** What a table of another version has not is put in its place. */
export const columnList = (columns: readonly string[], found: ReadonlySet<string>): string =>
  columns.map((name) => (found.has(name) ? name : `${OTHERWISE[name] ?? 'NULL'} AS ${name}`)).join(', ');

/** The oldest first. */
export function versionsAside(driver: Driver): number[] {
  const found = tablesOf(driver, `AND name GLOB 'v[0-9]*_document'`).map((name) => Number(ASIDE.exec(name)?.[1]));
  return found.filter(Number.isSafeInteger).sort((a, b) => a - b);
}

/** A connection of its own, whose `document` is the old one. */
export function readAside(file: string, version: number): Opened {
  const driver = openDriver(file);
  try {
    driver.exec('PRAGMA busy_timeout = 5000; PRAGMA temp_store = MEMORY');
    const there = columnsOf(driver);
    const missing = Object.entries(NEEDED).flatMap(([table, columns]) => {
      const found = there.get(`v${version}_${table}`);
      return columns.filter((name) => !found?.has(name)).map((name) => `${table}.${name}`);
    });
    if (missing.length > 0) throw notUnderstood(file, version, missing);
    // One look for each conversation: without it, a look at every row.
    driver.exec(`CREATE INDEX IF NOT EXISTS v${version}_document_source ON v${version}_document (source)`);
    driver.exec(`CREATE INDEX IF NOT EXISTS v${version}_mention_document ON v${version}_mention (document)`);
    for (const [table, columns] of Object.entries(READ)) {
      const list = columnList(columns, there.get(`v${version}_${table}`)!);
      driver.exec(`CREATE TEMP VIEW ${table} AS SELECT ${list} FROM main.v${version}_${table}`);
    }
    driver.exec('PRAGMA query_only = ON');
    const readOnly = new CairnError('STORE_ERROR', 'Rows of an older version are only read.');
    return { driver, opened: 'existing', readOnly };
  } catch (error) {
    driver.close();
    throw error;
  }
}

function notUnderstood(file: string, version: number, missing: readonly string[]): CairnError {
  return new CairnError(
    'STORE_ERROR',
    `Rows of an older Cairn (schema ${version}) in ${file} cannot be taken over: ${missing.slice(0, 3).join(', ')} ${missing.length === 1 ? 'is' : 'are'} not there.`,
    {
      fix: 'They stay where they are, and nothing else is affected. `cairn reindex` reads what transcripts and the archive have.',
    },
  );
}

export function dropAside(driver: Driver, version: number): void {
  driver.transaction(() => {
    driver.exec('PRAGMA defer_foreign_keys = ON');
    const own = tablesOf(driver).filter((name) => Number(ASIDE.exec(name)?.[1]) === version);
    // Those that refer to others go first.
    const order = ['mention', 'tag', 'link', 'document'].map((name) => `v${version}_${name}`);
    for (const name of [...order.filter((each) => own.includes(each)), ...own.filter((each) => !order.includes(each))])
      driver.exec(`DROP TABLE ${quoted(name)}`);
  });
}
