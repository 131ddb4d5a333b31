// Looks a database over without changing it: whether it can be written to, and SQLite's own check of its pages. For `cairn doctor`.

import fs from 'node:fs';
import { openDriver } from './driver.ts';
import { storeFailure } from './failure.ts';

const SHOWN = 5;

/** What is wrong with it, in SQLite's words; nothing if it is sound. `undefined`: there is no database yet. */
export function checkDatabase(file: string): string[] | undefined {
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
      const rows = driver.prepare(`PRAGMA quick_check(${SHOWN})`).all();
      const said = rows.map((row) => String(Object.values(row)[0]));
      return said.length === 1 && said[0] === 'ok' ? [] : said;
    } finally {
      driver.close();
    }
  } catch (error) {
    throw storeFailure(error, file);
  }
}
