// Archives the same transcript again and again, one batch after the other, from where the archive stands: the program that
// kill tests kill. Most batches are turns that wait to be packed. Arguments: root, transcript, how many lines.

import { openArchive } from '../../src/transcripts/archive/archive.ts';
import { partOf } from './transcript-part.ts';

const [root, source, last] = process.argv.slice(2) as [string, string, string];
const archive = openArchive(root, { maxBytes: 1e12, now: () => new Date() });

process.stdout.write('ready\n');
for (;;) {
  const known = archive.entryFor(source)?.line ?? 0;
  if (known >= Number(last)) break;
  // A line of overlap each time, as after a batch whose rows were not written.
  const waits = known % 5 !== 0;
  await archive.add(source, partOf(Math.max(1, known), Math.min(Number(last), known + 7), { waits }));
  if (known % 3 === 0) await archive.packTails();
}
process.stdout.write('done\n');
