// The worst there is: the transcripts are gone, the archive is damaged, and then somebody makes the database anew, masks what is stored, or
// updates Cairn. Every row that was there is there afterwards, by what SQLite itself says, and what could not be read is named.

import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeBusyFolder } from '../../src/files/remove-busy-folder.ts';
import { openDriver } from '../../src/store/sqlite/driver.ts';
import { newFolder } from '../fixtures/temporary.ts';
import { conversation } from '../traces/conversation.ts';
import { FULL, Tally } from './tally.ts';
import { cairn, found, type Said, type Site, siteAt, turn, userRoot } from './writing-paths.ts';

const CONVERSATIONS = 5;
const TRIES = FULL ? 60 : 2;
const SECRET = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;

const tally = new Tally('the archive');
let site: Site;
let safe: string;
let before: string[];
const database = (): string => path.join(userRoot(site), 'memory.db');
const archive = (): string => path.join(userRoot(site), 'archive/transcripts');
const transcripts = (): string => path.join(site.home, '.claude/projects/p');

beforeAll(async () => {
  site = siteAt(newFolder());
  found(site);
  fs.mkdirSync(transcripts(), { recursive: true });
  for (let number = 0; number < CONVERSATIONS; number++) {
    const { session, lines } = conversation(number, 24, site.project);
    fs.writeFileSync(path.join(transcripts(), `${session}.jsonl`), lines.map((line) => `${line}\n`).join(''));
  }
  expect(await cairn(site, ['backfill', '--all'])).toMatchObject({ exit: 0 });
  // One of them has a turn that waits to be packed.
  const { session, lines } = conversation(0, 30, site.project);
  fs.writeFileSync(path.join(transcripts(), `${session}.jsonl`), lines.map((line) => `${line}\n`).join(''));
  expect(await turn({ ...site })).toMatchObject({ exit: 0 });
  expect(await cairn(site, ['backfill', '--all'])).toMatchObject({ exit: 0 });
  withDatabase((driver) => driver.exec('PRAGMA wal_checkpoint(TRUNCATE)'));
  before = rows();
  fs.rmSync(transcripts(), { recursive: true });
  safe = `${userRoot(site)}.safe`;
  fs.cpSync(userRoot(site), safe, { recursive: true });
});
afterAll(() => removeBusyFolder(site.base));

function restore(): void {
  fs.rmSync(userRoot(site), { recursive: true, force: true });
  fs.cpSync(safe, userRoot(site), { recursive: true });
}

function withDatabase<T>(work: (driver: ReturnType<typeof openDriver>) => T): T {
  const driver = openDriver(database());
  try {
    return work(driver);
  } finally {
    driver.close();
  }
}

/** Refs, and where they are from; texts are the commands' to mask. */
function rows(): string[] {
  return withDatabase((driver) =>
    driver
      .prepare(
        `SELECT d.ref, s.file, d.line FROM document d JOIN facet l ON l.id = d.layer AND l.value = 'trace'
         JOIN source s ON s.id = d.source`,
      )
      .all()
      .map((row) => Object.values(row).join(' ')),
  ).sort();
}

const missing = (): string[] => {
  const now = new Set(rows());
  return before.filter((row) => !now.has(row));
};

function files(): string[] {
  return fs
    .readdirSync(archive(), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}

/** The same in every run. */
function picker(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

type Pick = (below: number) => number;
const DAMAGES: readonly (readonly [string, (file: string, pick: Pick) => void])[] = [
  [
    'a byte is another one',
    (file, pick) => {
      const bytes = fs.readFileSync(file);
      bytes[pick(bytes.length)]! ^= 1 + pick(255);
      fs.writeFileSync(file, bytes);
    },
  ],
  ['a file is cut off', (file, pick) => fs.truncateSync(file, pick(fs.statSync(file).size))],
  ['a file is gone', (file) => fs.rmSync(file)],
  ['a file is full of zeros', (file) => fs.writeFileSync(file, Buffer.alloc(fs.statSync(file).size))],
  [
    'a file is that of another one',
    (file, pick) => {
      const others = files().filter((each) => path.extname(each) === path.extname(file) && each !== file);
      fs.copyFileSync(others[pick(others.length)]!, file);
    },
  ],
  ['the archive is gone', () => fs.rmSync(archive(), { recursive: true })],
];

const COMMANDS: readonly (readonly [string, () => Promise<Said>])[] = [
  ['reindex', () => cairn(site, ['reindex'])],
  ['reindex twice', () => cairn(site, ['reindex']).then(() => cairn(site, ['reindex']))],
  [
    'redact --apply',
    () => {
      withDatabase((driver) =>
        driver.exec(`UPDATE document SET context = 'the token is ${SECRET}' WHERE source IN (SELECT id FROM source)`),
      );
      return cairn(site, ['redact', '--apply']);
    },
  ],
  [
    'an update of Cairn, and reindex',
    () => {
      withDatabase((driver) => driver.exec('PRAGMA user_version = 1'));
      return cairn(site, ['reindex']);
    },
  ],
];

describe('a damaged archive of transcripts that are gone', { timeout: 900_000 }, () => {
  it.each(COMMANDS)('loses no row to %s', async (name, command) => {
    const pick = picker(name.length);
    const wrong: string[] = [];
    for (let at = 0; at < TRIES; at++)
      for (const [kind, damage] of DAMAGES) {
        restore();
        const all = files();
        const file = all[pick(all.length)]!;
        damage(file, pick);
        const isNoticed = fs.existsSync(archive()) && (await cairn(site, ['doctor', '--archive'])).exit === 1;
        const { exit, text } = await command();
        const bad = missing().length > 0 ? [`${missing().length} of ${before.length} rows are gone`] : [];
        if (/TypeError|RangeError|\n\s+at /.test(text)) bad.push(`it fell over: ${text.slice(0, 300)}`);
        if (isNoticed && name.startsWith('reindex') && exit === 0 && !/kept as known/.test(text) && !isRubbish(file))
          bad.push(`it does not say what it could not read: ${text.slice(0, 300)}`);
        wrong.push(...tally.count(`${name}: ${kind}`, path.basename(file), bad));
      }
    expect(wrong.slice(0, 5)).toEqual([]);
  });

  it('forgets with --forget-gone what is nowhere, and not what is only damaged', async () => {
    restore();
    const side = files().find((file) => file.endsWith('.json'))!;
    const lost = files().filter((file) => file.endsWith('.gz'))[1]!;
    fs.truncateSync(lost, 40);
    const { source } = JSON.parse(fs.readFileSync(side, 'utf8')) as { source: string };
    for (const file of files()) if (path.basename(file).startsWith(path.basename(side, '.json'))) fs.rmSync(file);
    const { exit, text } = await cairn(site, ['reindex', '--forget-gone', '--json']);
    expect(exit).toBe(1);
    const report = JSON.parse(text) as { kept: string[]; damaged: string[]; failed: { file: string; why: string }[] };
    expect(report).toMatchObject({
      kept: [],
      damaged: [expect.any(String)],
      failed: [{ why: expect.stringContaining('stays as it is') }],
    });
    expect(missing().every((row) => row.includes(source))).toBe(true);
    expect(missing().length).toBeGreaterThan(0);
  });

  it('is made anew from a transcript that is there', async () => {
    restore();
    const { session, lines } = conversation(1, 24, site.project);
    const transcript = path.join(transcripts(), `${session}.jsonl`);
    fs.mkdirSync(transcripts(), { recursive: true });
    fs.writeFileSync(transcript, lines.map((line) => `${line}\n`).join(''));
    const data = files().find((file) => path.basename(file).startsWith(session) && file.endsWith('.gz'))!;
    fs.truncateSync(data, 30);
    expect((await cairn(site, ['doctor', '--archive'])).exit).toBe(1);
    expect(await cairn(site, ['reindex'])).toMatchObject({ exit: 0 });
    expect(await cairn(site, ['doctor', '--archive'])).toMatchObject({
      exit: 0,
      text: expect.stringContaining(`${CONVERSATIONS} conversations verified`),
    });
    expect(missing()).toEqual([]);
    fs.rmSync(transcripts(), { recursive: true });
    expect(await cairn(site, ['reindex'])).toMatchObject({ exit: 0 });
    expect(missing()).toEqual([]);
  });

  it('is told by doctor --archive in words and as data', async () => {
    restore();
    const { exit, out } = await cairn(site, ['doctor', '--archive', '--json']);
    expect(exit).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ conversations: CONVERSATIONS, damaged: [], unsummed: 0, finished: true });
    const data = files().find((file) => file.endsWith('.gz'))!;
    fs.rmSync(data);
    const told = await cairn(site, ['doctor', '--archive']);
    expect(told).toMatchObject({ exit: 1, text: expect.stringContaining(data) });
    expect(told.text).toMatch(/There is no transcript to read it from[\s\S]*→ .*backup/);
  });
});

/** Where a lost entry leaves lines that nobody can say the origin of, the conversation counts as gone, and is kept as known. */
const isRubbish = (file: string): boolean => file.endsWith('.json');
