// Rows of an older schema: a conversation may be nowhere else any more, so they are not dropped with a new version but put aside, into a
// schema of their own beside the other (`cairn_v1`). Whoever indexes takes his own over and drops them then. They are read by the same
// code, which finds their tables first on its search path.

import { type Driver, quoted, type Session } from './driver.ts';
import { MADE_TABLES, ROW_TABLES } from './schema.ts';

const asideName = (schema: string, version: number): string => `${schema}_v${version}`;

/** Inside the transaction that makes the new tables. */
export async function putAside(session: Session, schema: string, version: number): Promise<void> {
  const aside = quoted(asideName(schema, version));
  await session.exec(`DROP SCHEMA IF EXISTS ${aside} CASCADE; CREATE SCHEMA ${aside}`);
  for (const table of MADE_TABLES) await session.exec(`DROP TABLE IF EXISTS ${quoted(schema)}.${table} CASCADE`);
  for (const table of ROW_TABLES)
    await session.exec(`ALTER TABLE IF EXISTS ${quoted(schema)}.${table} SET SCHEMA ${aside}`);
  const members = await session.query(
    `SELECT DISTINCT grantee FROM information_schema.role_table_grants WHERE table_schema = ? AND table_name = 'document'`,
    [asideName(schema, version)],
  );
  for (const { grantee } of members) {
    if (grantee !== 'PUBLIC') await session.exec(`GRANT USAGE ON SCHEMA ${aside} TO ${quoted(String(grantee))}`);
  }
}

/** Those that hold something of this person, the oldest first. */
export async function versionsAside(driver: Driver, schema: string): Promise<number[]> {
  const rows = await driver.query(
    `SELECT nspname FROM pg_namespace WHERE starts_with(nspname, ?) AND has_schema_privilege(nspname, 'USAGE')
     AND to_regclass(quote_ident(nspname) || '.document') IS NOT NULL`,
    [`${schema}_v`],
  );
  const versions = rows
    .map((row) => Number(String(row.nspname).slice(schema.length + 2)))
    .filter((version) => Number.isSafeInteger(version))
    .sort((a, b) => a - b);
  const held: number[] = [];
  for (const version of versions) if (await holdsOwn(driver, asideName(schema, version))) held.push(version);
  return held;
}

const OWN = (aside: string): string =>
  `SELECT s.id FROM ${aside}.shelf s JOIN scope o ON o.id = s.scope WHERE o.owner = current_user`;

async function holdsOwn(driver: Driver, name: string): Promise<boolean> {
  const aside = quoted(name);
  const [row] = await driver.query(
    `SELECT EXISTS (SELECT 1 FROM ${aside}.document WHERE shelf IN (${OWN(aside)}))
       OR EXISTS (SELECT 1 FROM ${aside}.state WHERE scope IN (SELECT id FROM scope WHERE owner = current_user)) AS held`,
  );
  return row?.held === true;
}

export const searchPathAside = (schema: string, version: number): string[] => [asideName(schema, version), schema];

/** What is this person's; the tables themselves when nothing of anybody is left in them. */
export async function dropAside(driver: Driver, schema: string, version: number): Promise<void> {
  const aside = quoted(asideName(schema, version));
  await driver.transaction(async (session) => {
    for (const table of ['mention', 'link', 'document'])
      await session.exec(`DELETE FROM ${aside}.${table} WHERE shelf IN (${OWN(aside)})`);
    await session.exec(`DELETE FROM ${aside}.state WHERE scope IN (SELECT id FROM scope WHERE owner = current_user)`);
    const [row] = await session.query(
      `SELECT pg_get_userbyid(nspowner) = current_user AND NOT EXISTS (SELECT 1 FROM ${aside}.document)
         AND NOT EXISTS (SELECT 1 FROM ${aside}.state) AS free FROM pg_namespace WHERE nspname = ?`,
      [asideName(schema, version)],
    );
    if (row?.free === true) await session.exec(`DROP SCHEMA ${aside} CASCADE`);
  });
}
