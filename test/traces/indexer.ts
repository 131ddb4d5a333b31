// A process that indexes all transcripts of a folder, for tests that kill it. It says when it is ready, waits for a word,
// and says each step that it has finished.

import path from 'node:path';
import process from 'node:process';
import { archiveReader, archiveWriter } from '../../src/indexing/transcripts/archive-transcript.ts';
import { backfill } from '../../src/indexing/transcripts/backfill.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { openArchive } from '../../src/transcripts/archive/archive.ts';
import { transcriptsAt } from '../../src/transcripts/locate.ts';

const [folder = '', transcripts = ''] = process.argv.slice(2);
process.stdout.write('ready\n');
await new Promise((resolve) => process.stdin.once('data', resolve));
const store = await openSqliteStore(path.join(folder, 'memory.db'));
const archive = openArchive(path.join(folder, 'archive'), { maxBytes: 1e9, now: () => new Date() });
const report = await backfill(store, transcriptsAt(transcripts), {
  projectOf: (cwd, file) => cwd ?? file,
  archive: archiveWriter(archive),
  archived: archiveReader(archive),
  maskKey: () => 'the key of this store',
  onProgress: () => process.stdout.write('step\n'),
});
await store.close();
process.stdout.write(`done ${JSON.stringify(report)}\n`);
process.exit(0);
