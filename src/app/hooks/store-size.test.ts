// What a prompt is told does not depend on how much else is stored: a first day and years of work give the same, and where nothing
// fits, silence.

import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { sampleIdea } from '../../../test/fixtures/sample-idea.ts';
import { seededRandom } from '../../../test/fixtures/seed.ts';
import { temporaryFolder } from '../../../test/fixtures/temporary.ts';
import { loadConfig } from '../../config/load.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import { userPromptSubmit } from './user-prompt-submit.ts';

const MEMORIES = [
  'The invoice exporter fails because the ledger cursor is closed before the batch flush.',
  'Sessions live in Redis since the cookie grew beyond four kilobytes.',
  'Rounding happens once, at the end of the cart, because rounding each row lost a cent.',
  'The search index is rebuilt with an alias so that typos in Meilisearch stay tolerated.',
  'We decided to keep uploads on our own disks and not in S3, because of the egress costs.',
  'The webhook of Stripe must answer within ten seconds, or it is delivered twice.',
];
const ASKED: readonly (readonly [prompt: string, memory: number | undefined])[] = [
  ['why does the invoice exporter fail at night, is it the ledger again?', 0],
  ['please make the exporter of invoices faster, the batch flush takes ages since the new ledger', 0],
  ['where do we keep sessions, in a cookie or in redis?', 1],
  ['the cart total is off by a cent, probably rounding', 2],
  ['meilisearch no longer tolerates typos after the rebuild of the search index', 3],
  ['move the uploads to S3, the disks are full', 4],
  ['stripe delivers webhook events twice to our endpoint', 5],
  ['how does the login page look on a phone?', undefined],
  ['write a test for the calendar widget of the sidebar', undefined],
  ['commit this and push', undefined],
];
const THINGS =
  'parser queue worker cache client schema button report invoice table upload session cart page login'.split(' ');
const STATES = ['was renamed last week', 'is slow on fridays', 'needs another column', 'belongs to the billing team'];

async function toldIn(others: number): Promise<(number | undefined)[]> {
  const base = temporaryFolder();
  const [project, home] = [path.join(base, 'project'), path.join(base, 'home')];
  fs.mkdirSync(path.join(project, '.git'), { recursive: true });
  const random = seededRandom(7);
  const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)] ?? '';
  const said = (ref: string, text: string, worth: number) =>
    sampleIdea(project, ref, text, { kind: 'conclusion', session: `of ${ref}`, meta: { worth } });
  const documents = [
    ...MEMORIES.map((text, at) => said(`idea:${at}`, text, 0.75)),
    ...Array.from({ length: others }, (_, at) =>
      said(`idea:other${at}`, `The ${pick(THINGS)} of customer ${at} ${pick(STATES)}.`, random()),
    ),
  ];
  const store = await openSqliteStore(path.join(home, 'memory.db'));
  await store.apply(documents.map((document) => ({ op: 'put', document })));
  await store.close();
  const env = { HOME: home, CAIRN_HOME: home, CAIRN_EMBEDDINGS_PROVIDER: 'none' };
  const told: (number | undefined)[] = [];
  for (const [at, [prompt]] of ASKED.entries()) {
    const { stdout = '' } = await userPromptSubmit(
      { cwd: project, prompt, session_id: `session ${at}` },
      {
        env,
        now: () => new Date('2026-05-01T12:00:00Z'),
        config: loadConfig({ cwd: project, env }),
        problem: (cause) => expect.unreachable(String(cause)),
        start: async () => {},
      },
    );
    const refs = [...stdout.matchAll(/-> idea:(\S+)\n/g)].map(([, ref]) => Number(ref));
    expect(refs.length, prompt).toBeLessThanOrEqual(1);
    told.push(refs[0]);
  }
  return told;
}

it.each([4, 3_000])('tells the same with %i other statements in the store', async (others) => {
  expect(await toldIn(others)).toEqual(ASKED.map(([, memory]) => memory));
});
