// Gives a database file a fresh body: what was replaced or deleted in it does not stay behind in free pages, in the word index or in
// the write-ahead log. For masked secrets and what was forgotten; a second is well spent then.

import { CairnError } from '../../errors.ts';
import { openDriver } from './driver.ts';
import { storeFailure } from './failure.ts';

export function compactDatabase(file: string): void {
  try {
    const driver = openDriver(file);
    try {
      driver.exec('PRAGMA busy_timeout = 10000; PRAGMA secure_delete = ON');
      driver.exec(`INSERT INTO words (words) VALUES ('optimize')`);
      driver.exec('VACUUM');
      const [log] = driver.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all();
      if (Number(log?.busy) !== 0) throw stillRead(file);
    } finally {
      driver.close();
    }
  } catch (error) {
    throw storeFailure(error, file);
  }
}

const stillRead = (file: string): CairnError =>
  new CairnError(
    'STORE_ERROR',
    `Another process reads ${file}: what was removed may still be in its log (${file}-wal).`,
    {
      fix: 'Wait until it is done, or end it, and run the command again.',
    },
  );
