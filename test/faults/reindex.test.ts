// `cairn reindex` as real processes: killed and interrupted at random moments, two at once, beside a backfill; with conversations that only the
// archive has, or only the database, with a damaged copy among them, with a damaged database. After one more reindex no row is missing.

import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeBusyFolder } from '../../src/files/remove-busy-folder.ts';
import { type Driver, openDriver } from '../../src/store/sqlite/driver.ts';
import { seededRandom } from '../fixtures/seed.ts';
import { newMemoryFolder } from '../fixtures/temporary.ts';
import { conversation } from '../traces/conversation.ts';
import { FULL, Tally } from './tally.ts';
import { cairn, found, type Site, siteAt, userRoot } from './writing-paths.ts';

const random = seededRandom();

const CONVERSATIONS = 6;
/** In nothing but the database. */
const ONLY_STORED = 2;
const TIMES = FULL ? 40 : 4;
const PAGE = 8_192;
const program = path.resolve(import.meta.dirname, '../../dist/faces/cli/main.js');

const tally = new Tally('reindex');
let site: Site;
let safe: string;
let before: string[];
let took: number;
const database = (): string => path.join(userRoot(site), 'memory.db');
const archive = (): string => path.join(userRoot(site), 'archive/transcripts');
const transcripts = (): string => path.join(site.home, '.claude/projects/p');

beforeAll(async () => {
  site = siteAt(newMemoryFolder());
  found(site);
  fs.mkdirSync(transcripts(), { recursive: true });
  for (let number = 0; number < CONVERSATIONS; number++) {
    const { session, lines } = conversation(number, 60, site.project);
    fs.writeFileSync(path.join(transcripts(), `${session}.jsonl`), lines.map((line) => `${line}\n`).join(''));
  }
  expect(await cairn(site, ['backfill', '--all'])).toMatchObject({ exit: 0 });
  fs.rmSync(transcripts(), { recursive: true });
  const stems = [...new Set(archived().map((file) => path.basename(file).replace(/\..*$/, '')))].sort();
  for (const file of archived())
    if (stems.slice(0, ONLY_STORED).some((stem) => path.basename(file).startsWith(stem))) fs.rmSync(file);
  withDatabase((reader) => reader.exec('PRAGMA wal_checkpoint(TRUNCATE)'));
  before = rows();
  safe = `${userRoot(site)}.safe`;
  fs.cpSync(userRoot(site), safe, { recursive: true });
  const begun = performance.now();
  expect(await start(['reindex']).ended).toMatchObject({ code: 0 });
  took = performance.now() - begun;
  expect(missing()).toEqual([]);
}, 120_000);
afterAll(() => removeBusyFolder(site.base));

const archived = (): string[] =>
  fs
    .readdirSync(archive(), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();

function withDatabase<T>(work: (reader: Driver) => T): T {
  const reader = openDriver(database());
  try {
    return work(reader);
  } finally {
    reader.close();
  }
}

const rows = (): string[] =>
  withDatabase((reader) =>
    reader
      .prepare(
        `SELECT d.ref || ' ' || s.file || ' ' || d.line AS row FROM document d JOIN source s ON s.id = d.source
         JOIN facet l ON l.id = d.layer AND l.value = 'trace'`,
      )
      .all()
      .map((each) => (each as { row: string }).row),
  ).sort();

function missing(): string[] {
  const now = new Set(rows());
  return before.filter((row) => !now.has(row));
}

type Started = { child: ChildProcess; ended: Promise<{ code: number | null; text: string }> };

function start(argv: readonly string[]): Started {
  const child = spawn(process.execPath, [program, ...argv], {
    cwd: site.project,
    env: { PATH: process.env.PATH, HOME: site.home, CAIRN_EMBEDDINGS_PROVIDER: 'none' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk: Buffer) => (text += String(chunk)));
  return { child, ended: new Promise((resolve) => child.on('close', (code) => resolve({ code, text }))) };
}

type State = 'all is sound' | 'a copy is damaged' | 'the database is damaged';
const STATES: readonly State[] = ['all is sound', 'a copy is damaged', 'the database is damaged'];

function restore(state: State): void {
  fs.rmSync(userRoot(site), { recursive: true, force: true });
  fs.cpSync(safe, userRoot(site), { recursive: true });
  if (state === 'a copy is damaged') fs.truncateSync(archived().find((file) => file.endsWith('.gz'))!, 60);
  if (state !== 'the database is damaged') return;
  // The index of words, which is made from the rows: all of these can be read.
  const { rootpage } = withDatabase((reader) =>
    reader.prepare(`SELECT rootpage FROM sqlite_schema WHERE name = 'words_data'`).get(),
  ) as { rootpage: number };
  const bytes = fs.readFileSync(database());
  bytes.fill(0, (rootpage - 1) * PAGE, rootpage * PAGE);
  fs.writeFileSync(database(), bytes);
}

/** What is wrong after one more reindex, which must find everything. */
async function wrongAfter(state: State): Promise<string[]> {
  const { exit, text } = await cairn(site, ['reindex']);
  const wrong = missing().length > 0 ? [`${missing().length} of ${before.length} rows are gone: ${text}`] : [];
  if (exit !== (state === 'a copy is damaged' ? 1 : 0)) wrong.push(`exit ${exit}: ${text.slice(0, 300)}`);
  const left = fs.readdirSync(userRoot(site)).filter((name) => name.includes('.damaged-'));
  if (left.length > 0) wrong.push(`${left.join(', ')} stays`);
  return wrong;
}

const fellOver = (said: readonly { code: number | null; text: string }[]): string[] =>
  said.flatMap(({ code, text }) =>
    /TypeError|RangeError|\n\s+at /.test(text) ? [`it fell over (${code}): ${text.slice(0, 300)}`] : [],
  );

describe.each(STATES)('reindex, while %s', { timeout: 300_000 }, (state) => {
  it.each(['SIGKILL', 'SIGINT'] as const)('%s at any moment loses no row', async (signal) => {
    const wrong: string[] = [];
    for (let at = 0; at < TIMES; at++) {
      restore(state);
      const one = start(['reindex']);
      const timer = setTimeout(() => one.child.kill(signal), took * (0.3 + (0.7 * (at + random())) / TIMES));
      const said = await one.ended;
      clearTimeout(timer);
      const bad = fellOver([said]);
      wrong.push(...tally.count(`${signal}: ${state}`, `${at}`, [...bad, ...(await wrongAfter(state))]));
    }
    expect(wrong.slice(0, 5)).toEqual([]);
  });

  it.each(['reindex', 'backfill'])('with a %s at the same time loses no row', async (other) => {
    const wrong: string[] = [];
    for (let at = 0; at < TIMES / 2; at++) {
      restore(state);
      const one = start(['reindex']);
      await new Promise((resolve) => setTimeout(resolve, at * took * 0.3));
      const two = start(other === 'backfill' ? ['backfill', '--all'] : ['reindex']);
      const said = await Promise.all([one.ended, two.ended]);
      wrong.push(...tally.count(`and ${other}: ${state}`, `${at}`, [...fellOver(said), ...(await wrongAfter(state))]));
    }
    expect(wrong.slice(0, 5)).toEqual([]);
  });
});
