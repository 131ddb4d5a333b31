// The database damaged, emptied, deleted in mid-use, on a full disk: what it answers is right, or it says that it is damaged and what
// makes it anew, and that does. Nothing is lost with it, because nothing is only in it.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RecallMemory } from '../../src/app/recall-memory.ts';
import { removeBusyFolder } from '../../src/files/remove-busy-folder.ts';
import { openDriver } from '../../src/store/sqlite/driver.ts';
import { newFolder } from '../fixtures/temporary.ts';
import { MountSpace, sayLoudly, whyNoMounts } from './mount-space.ts';
import { FULL, Tally } from './tally.ts';
import { recalled } from './truth.ts';
import { cairn, found, memoryRoot, type Site, siteAt, TALK, userRoot, writeTranscript } from './writing-paths.ts';

const QUERY = 'why one queue per tenant';
const [PAGE, SECTOR] = [8_192, 512];
const TRIES = FULL ? 200 : 25;

const tally = new Tally('database');
let site: Site;
let sound: Buffer;
let answer: string;
let all: string;
const database = (): string => path.join(userRoot(site), 'memory.db');

beforeAll(async () => {
  site = siteAt(newFolder());
  found(site);
  writeTranscript(site, [
    ...TALK,
    ...Array.from(
      { length: 200 },
      (_, at) => `We decided to give heron ${at} the name number${at} because ${'it is so '.repeat(at % 9)}nice.`,
    ),
  ]);
  await cairn(site, ['save', 'decision', 'One queue per tenant, because a slow one must not block others', '--new']);
  await cairn(site, ['backfill']);
  answer = await ask();
  all = await recalled(site);
  checkpoint();
  sound = fs.readFileSync(database());
});
afterAll(() => removeBusyFolder(site.base));

function checkpoint(): void {
  const driver = openDriver(database());
  driver.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  driver.close();
}

function replaceDatabase(bytes: Buffer | undefined): void {
  for (const suffix of ['', '-wal', '-shm']) fs.rmSync(database() + suffix, { force: true });
  if (bytes) fs.writeFileSync(database(), bytes, { mode: 0o600 });
}

type Result = { ref: string; text: string };

async function ask(): Promise<string> {
  const { exit, text, out } = await cairn(site, ['remember', QUERY, '--json']);
  if (exit !== 0) return `failed: ${text}`;
  const { results } = JSON.parse(out) as { results: Result[] };
  return results.map(({ ref, text: said }) => `${ref} ${said}`).join('\n');
}

/** What it must not do: answer what nobody said, fall over, or fail without naming what helps; and what it named must help. */
async function wrongNow(): Promise<string[]> {
  const said = await ask();
  const wrong: string[] = [];
  if (!said.startsWith('failed: ')) {
    const invented = said
      .split('\n')
      .filter((line) => line !== '' && !all.includes(JSON.stringify(line.slice(line.indexOf(' ') + 1)).slice(1, -1)));
    if (invented.length > 0) wrong.push(`it answers what nobody said: ${invented[0]}`);
  } else if (!/cairn reindex|Move that file away/.test(said))
    wrong.push(`it does not say what helps: ${said.slice(0, 300)}`);
  if (/TypeError|RangeError|SyntaxError/.test(said)) wrong.push(`it fell over: ${said.slice(0, 300)}`);
  if (/Move that file away/.test(said)) replaceDatabase(undefined);
  const { exit, text } = await cairn(site, ['reindex']);
  if (exit !== 0) wrong.push(`cairn reindex does not help: ${text.slice(0, 300)}`);
  if ((await ask()) !== answer) wrong.push('after cairn reindex it answers otherwise');
  return wrong;
}

async function damaged(kind: string, what: string, change: (bytes: Buffer) => Buffer): Promise<string[]> {
  replaceDatabase(change(Buffer.from(sound)));
  return tally.count(kind, what, await wrongNow());
}

/** The same numbers in every run. */
function picker(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe('a database', { timeout: 600_000 }, () => {
  it('that was cut off is noticed, or empty and filled again', async () => {
    const sizes = [
      0,
      1,
      99,
      100,
      SECTOR,
      PAGE - 1,
      PAGE,
      PAGE + 1,
      3 * PAGE,
      sound.length >> 1,
      sound.length - PAGE,
      sound.length - 1,
    ];
    const wrong: string[] = [];
    for (const size of sizes)
      wrong.push(...(await damaged('database cut off', `at ${size}`, (bytes) => bytes.subarray(0, size))));
    expect(wrong).toEqual([]);
  });

  it('with flipped bits, lost sectors or empty pages gives no wrong answer, and is made anew', async () => {
    const pick = picker(7);
    const wrong: string[] = [];
    for (let at = 0; at < TRIES; at++) {
      const place = pick(sound.length);
      const [page, sector] = [place - (place % PAGE), place - (place % SECTOR)];
      wrong.push(
        ...(await damaged('database with a flipped bit', `at ${place}`, (bytes) =>
          flip(bytes, page + (place % 24), at % 8),
        )),
      );
      wrong.push(
        ...(await damaged('database with a lost sector', `at ${sector}`, (bytes) =>
          bytes.fill(at, sector, sector + SECTOR),
        )),
      );
      wrong.push(
        ...(await damaged('database with an empty page', `at ${page}`, (bytes) => bytes.fill(0, page, page + PAGE))),
      );
    }
    expect(wrong.slice(0, 8)).toEqual([]);
  });

  it('with a log of another, or of nobody, beside it loses nothing', async () => {
    const wrong: string[] = [];
    for (const [what, bytes] of [
      ['garbage', Buffer.alloc(70_000, 'x')],
      ['half of the database', sound.subarray(0, sound.length >> 1)],
      ['nothing', Buffer.alloc(0)],
    ] as const) {
      replaceDatabase(sound);
      fs.writeFileSync(`${database()}-wal`, bytes);
      wrong.push(...tally.count('foreign -wal file', what, await wrongNow()));
    }
    expect(wrong).toEqual([]);
  });

  it('that is deleted in mid-use answers on, and the next one is filled from the files', async () => {
    const wrong: string[] = [];
    for (const what of ['deleted', 'replaced by an empty file', 'folder renamed']) {
      replaceDatabase(sound);
      const memory = await RecallMemory.open({
        cwd: site.project,
        env: { HOME: site.home, CAIRN_EMBEDDINGS_PROVIDER: 'none' },
      });
      await memory.ask({ query: QUERY });
      const aside = `${userRoot(site)}.aside`;
      if (what === 'folder renamed') fs.renameSync(userRoot(site), aside);
      else replaceDatabase(what === 'deleted' ? undefined : Buffer.alloc(0));
      const bad: string[] = [];
      try {
        await memory.ask({ query: QUERY });
        await memory.refresh();
      } catch (error) {
        if (!/STORE_ERROR/.test(String((error as { code?: string }).code))) bad.push(`it fell over: ${String(error)}`);
      } finally {
        await memory.close();
      }
      const { exit, text } = await cairn(site, ['backfill']);
      if (exit !== 0) bad.push(`backfill failed: ${text}`);
      if ((await ask()) !== answer) bad.push('it answers otherwise');
      if (what === 'folder renamed') {
        fs.rmSync(userRoot(site), { recursive: true });
        fs.renameSync(aside, userRoot(site));
      }
      wrong.push(...tally.count('database deleted in mid-use', what, bad));
    }
    expect(wrong).toEqual([]);
  });
});

const flip = (bytes: Buffer, at: number, bit: number): Buffer => {
  bytes[at]! ^= 1 << bit;
  return bytes;
};

describe('a disk that fills up while conversations are indexed', { timeout: 600_000 }, () => {
  const none = sayLoudly(whyNoMounts(), 'tests with a full disk');
  const program = path.resolve(import.meta.dirname, '../../dist/faces/cli/main.js');

  it.skipIf(none)('loses nothing, and goes on when there is room', async () => {
    const wrong: string[] = [];
    fs.rmSync(userRoot(site), { recursive: true });
    fs.mkdirSync(userRoot(site), { mode: 0o700 });
    const sizes = FULL ? Array.from({ length: 40 }, (_, at) => 16 + 16 * at) : [16, 64, 128, 192, 256, 384, 512, 640];
    for (const kilobytes of sizes) {
      const space = await MountSpace.make([{ kind: 'small-disk', place: userRoot(site), kilobytes }]);
      const inside = (...words: string[]): { exit: number; text: string } => {
        const [file, ...rest] = space.inside(site.project, words);
        try {
          return {
            exit: 0,
            text: execFileSync(file!, rest, {
              encoding: 'utf8',
              stdio: 'pipe',
              env: { PATH: process.env.PATH, HOME: site.home, CAIRN_EMBEDDINGS_PROVIDER: 'none' },
            }),
          };
        } catch (error) {
          const { status, stdout, stderr } = error as { status: number; stdout: string; stderr: string };
          return { exit: status, text: `${stdout}${stderr}` };
        }
      };
      const bad: string[] = [];
      const first = inside(process.execPath, program, 'backfill');
      if (first.exit !== 0 && !/full|space|cannot/i.test(first.text))
        bad.push(`it does not say why: ${first.text.slice(0, 300)}`);
      if (/\n\s+at /.test(first.text)) bad.push(`it fell over: ${first.text.slice(0, 300)}`);
      inside('mount', '-o', 'remount,size=64m', userRoot(site));
      const second = inside(process.execPath, program, 'backfill');
      if (second.exit !== 0) bad.push(`with room it fails: ${second.text.slice(0, 300)}`);
      const { exit, text } = inside(process.execPath, program, 'remember', QUERY, '--json');
      const { results } = exit === 0 ? (JSON.parse(text) as { results: Result[] }) : { results: [] };
      if (results.map(({ ref, text: said }) => `${ref} ${said}`).join('\n') !== answer)
        bad.push(`it answers otherwise: ${text.slice(0, 200)}`);
      space.close();
      wrong.push(...tally.count('disk full while indexing', `with ${kilobytes} KB`, bad));
    }
    expect(fs.existsSync(memoryRoot(site))).toBe(true);
    expect(wrong).toEqual([]);
  });
});
