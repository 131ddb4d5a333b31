// One of many processes that write to the same memory at once: `writer|indexer <folder> <number>`. When somebody is in its way for too
// long it is told so and tries again, as a person would.

import process from 'node:process';
import { cairn, type Said, siteAt } from './writing-paths.ts';

const [role, folder, number] = process.argv.slice(2) as [string, string, string];
const site = siteAt(folder);
const TRIES = 20;

async function insist(argv: readonly string[], stdin?: string): Promise<void> {
  let said: Said = { exit: 1, text: '', out: '' };
  for (let tries = 0; tries < TRIES && said.exit !== 0; tries++) {
    said = await cairn(site, argv, stdin);
    if (
      said.exit !== 0 &&
      !/locked by|in use by another|taken over by another|changed by somebody else/.test(said.text)
    )
      break;
  }
  if (said.exit !== 0) throw new Error(`cairn ${argv.join(' ')}: ${said.text}`);
}

process.stdout.write('ready\n');
await new Promise((resolve) => process.stdin.once('data', resolve));
if (role === 'indexer') for (let round = 0; round < 3; round++) await insist(['backfill']);
else {
  const record = {
    title: `Writer ${number} was here`,
    tags: ['crowd'],
    content: { status: 'accepted', context: 'c', decision: `d ${number}`, rationale: ['r'] },
  };
  const target = `.claude/memory/decisions/writer-${number}.json`;
  await insist(
    ['write', '--action', 'create', '--category', 'decision', '--target', target, '--input', '-'],
    JSON.stringify(record),
  );
  await insist(['note', 'new', 'discovery', `Found by ${number}`, '--id', `discovery-${number}`]);
  await insist(['feedback', 'record:decisions/shared', Number(number) % 2 === 0 ? 'useful' : 'stale']);
  await insist(['config', 'set', '--user', 'retrieval.max_inject', String(1 + (Number(number) % 9))]);
}
process.stdout.write('done\n');
process.exit(0);
