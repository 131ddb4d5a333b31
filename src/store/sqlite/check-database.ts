// Looks a database over without changing it: whether it can be written to, and SQLite's own check of its pages; of a large one, unless
// all of it is asked for, of the tables that lead to the others and of both ends of those. For `cairn doctor`.

import fs from 'node:fs';
import { type Driver, openDriver } from './driver.ts';
import { storeFailure } from './failure.ts';

const SHOWN = 5;
const LEADING = ['about', 'facet', 'source', 'state', 'embedding_model'];
const LARGE = ['document', 'embedding', 'near'];
const ENDS = 200;

/**
 * What is wrong with it, in SQLite's words; nothing if it is sound. `undefined`: there is no database yet. Of one with more bytes than
 * `upTo` only a part is looked at.
 */
export function checkDatabase(file: string, { upTo = Number.POSITIVE_INFINITY } = {}): string[] | undefined {
  if (!fs.existsSync(file)) return undefined;
  try {
    const driver = openDriver(file);
    try {
      driver.exec('PRAGMA busy_timeout = 2000');
      // Nothing is written; but who may not, or has to wait for another process for too long, learns it here.
      driver.exec('BEGIN IMMEDIATE');
      try {
        // Of a file that may only be read SQLite begins a reading transaction without a word.
        const { user_version: version } = driver.prepare('PRAGMA user_version').get()!;
        driver.exec(`PRAGMA user_version = ${Number(version)}`);
      } finally {
        driver.exec('ROLLBACK');
      }
      return fs.statSync(file).size <= upTo ? saidBy(driver, SHOWN) : glance(driver);
    } finally {
      driver.close();
    }
  } catch (error) {
    throw storeFailure(error, file);
  }
}

const saidBy = (driver: Driver, what: string | number): string[] =>
  driver
    .prepare(`PRAGMA quick_check(${what})`)
    .all()
    .map((row) => String(Object.values(row)[0]))
    .filter((said) => said !== 'ok');

/** A page that cannot be read is an error, which the caller tells. */
function glance(driver: Driver): string[] {
  const tables = driver.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  const has = (name: string): boolean => tables.some((row) => row.name === name);
  for (const name of LARGE.filter(has))
    for (const order of ['ASC', 'DESC'])
      driver.prepare(`SELECT * FROM ${name} ORDER BY rowid ${order} LIMIT ${ENDS}`).all();
  return LEADING.filter(has).flatMap((name) => saidBy(driver, name));
}
