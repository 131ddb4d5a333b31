// 32 writers and 8 indexers at once, each a process, on one memory and one database: nothing is lost, doubled or out of step. (Sixteen
// writers that update one record are in test/records/race.test.ts, four callers of a model in test/llm/race.test.ts.)

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readFeedback } from '../../src/learning/feedback.ts';
import { type Bundle, bundle } from '../fixtures/bundle.ts';
import { newFolder } from '../fixtures/temporary.ts';
import { conversation } from '../traces/conversation.ts';
import { Tally } from './tally.ts';
import { isIndexTrue, litterIn, recalled } from './truth.ts';
import { cairn, found, memoryRoot, siteAt, userRoot } from './writing-paths.ts';

const [WRITERS, INDEXERS] = [32, 8];

const tally = new Tally('crowd');
const site = siteAt(newFolder());
let program: Bundle;
beforeAll(async () => {
  program = await bundle('test/faults/one-of-many.ts');
});
afterAll(() => {
  program?.remove();
  fs.rmSync(site.base, { recursive: true, force: true });
});

type Member = { go(): void; ready: Promise<void>; ended: Promise<string> };

function member(role: string, number: number): Member {
  const child = spawn(process.execPath, [program.file, role, site.base, String(number)], { stdio: 'pipe' });
  let said = '';
  const ready = new Promise<void>((resolve) =>
    child.stdout.on('data', (chunk: Buffer) => {
      said += String(chunk);
      if (said.includes('ready')) resolve();
    }),
  );
  child.stderr.on('data', (chunk: Buffer) => {
    said += String(chunk);
  });
  const ended = new Promise<string>((resolve) => child.on('close', () => resolve(said)));
  return { go: () => void child.stdin.write('go\n'), ready, ended };
}

it(`${WRITERS} writers and ${INDEXERS} indexers at once lose nothing`, { timeout: 600_000 }, async () => {
  found(site);
  const shared = {
    title: 'Shared',
    tags: ['crowd'],
    content: { status: 'accepted', context: 'c', decision: 'd', rationale: ['r'] },
  };
  await cairn(
    site,
    [
      'write',
      '--action',
      'create',
      '--category',
      'decision',
      '--target',
      '.claude/memory/decisions/shared.json',
      '--input',
      '-',
    ],
    JSON.stringify(shared),
  );
  for (let number = 0; number < 6; number++) {
    const { session, lines } = conversation(number, 30, site.project);
    const file = path.join(site.home, '.claude/projects/p', `${session}.jsonl`);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
  }
  const members = [
    ...Array.from({ length: WRITERS }, (_, at) => member('writer', at)),
    ...Array.from({ length: INDEXERS }, (_, at) => member('indexer', at)),
  ];
  await Promise.all(members.map(({ ready }) => ready));
  for (const each of members) each.go();
  const said = await Promise.all(members.map(({ ended }) => ended));
  const failed = said.flatMap((text, at) =>
    tally.count('32 writers and 8 indexers', `process ${at}`, text === 'ready\ndone\n' ? [] : [text.slice(-600)]),
  );
  expect(failed).toEqual([]);

  const names = (folder: string): string[] =>
    fs.readdirSync(path.join(memoryRoot(site), folder)).filter((name) => !name.startsWith('.'));
  expect(names('decisions')).toHaveLength(WRITERS + 1);
  expect(names('nodes/discoveries')).toHaveLength(WRITERS);
  expect(isIndexTrue(site)).toBe(true);
  expect([...readFeedback(userRoot(site)).memories.values()].flatMap((refs) => [...refs.keys()])).toEqual([
    'record:decisions/shared',
  ]);
  expect(JSON.parse(fs.readFileSync(path.join(userRoot(site), 'config.json'), 'utf8'))).toMatchObject({
    retrieval: { max_inject: expect.any(Number) },
  });
  expect(litterIn(site)).toEqual([]);
  await cairn(site, ['backfill']);
  const together = await recalled(site);
  for (const suffix of ['', '-wal', '-shm'])
    fs.rmSync(path.join(userRoot(site), `memory.db${suffix}`), { force: true });
  await cairn(site, ['backfill']);
  expect(together).toBe(await recalled(site));
});
