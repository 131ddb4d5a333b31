// Gives a database file a fresh body: what was replaced or deleted in it does not stay behind in free pages, in the word index or in
// the write-ahead log. For masked secrets; a second is well spent then.

import { openDriver } from './driver.ts';
import { storeFailure } from './failure.ts';

export function compactDatabase(file: string): void {
  try {
    const driver = openDriver(file);
    try {
      driver.exec('PRAGMA busy_timeout = 10000');
      driver.exec(`INSERT INTO words (words) VALUES ('optimize')`);
      driver.exec('VACUUM');
      driver.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all();
    } finally {
      driver.close();
    }
  } catch (error) {
    throw storeFailure(error, file);
  }
}
