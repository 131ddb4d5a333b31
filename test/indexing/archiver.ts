// Archives the same transcript again and again, one batch after the other, from where the archive stands: the program that
// kill tests kill. Arguments: root, transcript, how many lines.

import { openArchive } from '../../src/indexing/archive.ts';
import { partOf } from './transcript-part.ts';

const [root, source, last] = process.argv.slice(2) as [string, string, string];
const archive = openArchive(root, { maxBytes: 1e12, now: () => new Date() });

process.stdout.write('ready\n');
for (;;) {
  const known = archive.entryFor(source)?.line ?? 0;
  if (known >= Number(last)) break;
  // A line of overlap each time, as after a batch whose rows were not written.
  await archive.add(source, partOf(Math.max(1, known), Math.min(Number(last), known + 7)));
}
process.stdout.write('done\n');
