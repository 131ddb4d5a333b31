// Looks a database over without changing it: SQLite's own check of its pages, for `cairn doctor`.

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
      driver.exec('PRAGMA busy_timeout = 2000; PRAGMA query_only = ON');
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
