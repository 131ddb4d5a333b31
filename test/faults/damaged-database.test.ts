// The database is damaged, and conversations are in nothing else: their transcripts are gone, and there is no archive. After `cairn reindex`
// every row is there that SQLite itself, asked by another connection for each row alone, still reads; what is not is named, and the
// damaged file stays.

import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeBusyFolder } from '../../src/files/remove-busy-folder.ts';
import { carriedSqlite } from '../../src/store/sqlite/carried-sqlite.ts';
import { builtInSqlite, type Driver, openDriver } from '../../src/store/sqlite/driver.ts';
import { newFolder } from '../fixtures/temporary.ts';
import { conversation } from '../traces/conversation.ts';
import { FULL, Tally } from './tally.ts';
import { cairn, found, type Site, siteAt, userRoot } from './writing-paths.ts';

const CONVERSATIONS = 3;
const TRIES = FULL ? 150 : 12;
const PAGE = 8_192;

const tally = new Tally('damaged database');
let site: Site;
let safe: string;
let before: Row[];
const database = (): string => path.join(userRoot(site), 'memory.db');
const transcripts = (): string => path.join(site.home, '.claude/projects/p');

type Row = { id: number; source: number; file: string; ref: string; title: string; text: string; layer: number };

beforeAll(async () => {
  site = siteAt(newFolder());
  found(site);
  fs.mkdirSync(transcripts(), { recursive: true });
  for (let number = 0; number < CONVERSATIONS; number++) {
    const { session, lines } = conversation(number, 120, site.project);
    fs.writeFileSync(path.join(transcripts(), `${session}.jsonl`), lines.map((line) => `${line}\n`).join(''));
  }
  await cairn(site, ['save', 'decision', 'One queue per tenant, because a slow one must not block others', '--new']);
  expect(await cairn(site, ['backfill', '--all'])).toMatchObject({ exit: 0 });
  fs.rmSync(path.join(userRoot(site), 'archive'), { recursive: true });
  fs.rmSync(transcripts(), { recursive: true });
  const reader = openDriver(database());
  reader.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  before = rowsOf(reader);
  reader.close();
  expect(new Set(before.map(({ file }) => file)).size).toBe(CONVERSATIONS);
  safe = `${userRoot(site)}.safe`;
  fs.cpSync(userRoot(site), safe, { recursive: true });
});
afterAll(() => removeBusyFolder(site.base));

function restore(): void {
  fs.rmSync(userRoot(site), { recursive: true, force: true });
  fs.cpSync(safe, userRoot(site), { recursive: true });
}

const rowsOf = (reader: Driver): Row[] =>
  reader
    .prepare(
      `SELECT d.id, d.source, s.file, d.ref, d.title, d.text, d.layer FROM document d JOIN source s ON s.id = d.source
       JOIN facet l ON l.id = d.layer AND l.value = 'trace'`,
    )
    .all() as Row[];

function withDatabase<T>(file: string, work: (reader: Driver) => T): T {
  const reader = openDriver(file);
  try {
    return work(reader);
  } finally {
    reader.close();
  }
}

/** Rows that are as they were, each asked for alone: the row, the file that it is from, and the names that it needs. */
function stillReadable(file: string): Set<string> {
  const copy = path.join(site.base, 'oracle.db');
  for (const suffix of ['', '-wal', '-shm']) fs.rmSync(copy + suffix, { force: true });
  fs.copyFileSync(file, copy);
  const ids = new Set<string>();
  try {
    const { DatabaseSync } = builtInSqlite() ?? carriedSqlite();
    const reader = new DatabaseSync(copy, { defensive: false } as object);
    try {
      reader.exec('PRAGMA writable_schema = ON'); // or it reads nothing of a file that was cut off
      const ask = (sql: string, id: number): { [column: string]: unknown } | undefined => {
        try {
          return reader.prepare(sql).get(id) as { [column: string]: unknown } | undefined;
        } catch {
          return undefined;
        }
      };
      for (const row of before) {
        const now = ask('SELECT * FROM document NOT INDEXED WHERE id = ?', row.id);
        if (now?.ref !== row.ref || now.text !== row.text || now.title !== row.title || now.source !== row.source)
          continue;
        const names = ['project', 'layer', 'kind', 'status'].map((each) =>
          ask('SELECT value FROM facet NOT INDEXED WHERE id = ?', Number(now[each])),
        );
        const source = ask('SELECT file FROM source NOT INDEXED WHERE id = ?', row.source);
        if (source?.file === row.file && names.every((each) => each?.value)) ids.add(`${row.file} ${row.ref}`);
      }
    } finally {
      reader.close();
    }
  } catch {
    return ids; // SQLite does not open it
  }
  return ids;
}

const asides = (): string[] =>
  fs
    .readdirSync(userRoot(site))
    .filter((name) => /\.damaged-\w+(?:\.\d+)?$/.test(name))
    .map((name) => path.join(userRoot(site), name));

/** The same in every run. */
function picker(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const rootOf = (reader: Driver, name: string): number =>
  (reader.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(name) as { rootpage: number }).rootpage;

/** A page of rows, so far into the table. */
const leafOfDocuments =
  (share: number) =>
  (reader: Driver): number => {
    const pages = reader
      .prepare(`SELECT pageno FROM dbstat WHERE name = 'document' AND pagetype = 'leaf' ORDER BY path`)
      .all() as { pageno: number }[];
    return pages[Math.floor(share * pages.length)]!.pageno;
  };

function clearPages(...which: readonly ((reader: Driver) => number)[]): number[] {
  const pages = withDatabase(database(), (reader) => which.map((each) => each(reader)));
  const bytes = fs.readFileSync(database());
  for (const page of pages) bytes.fill(0, (page - 1) * PAGE, page * PAGE);
  fs.writeFileSync(database(), bytes);
  return pages;
}

type Pick = (below: number) => number;
const DAMAGES: readonly (readonly [string, (bytes: Buffer, pick: Pick) => Buffer])[] = [
  [
    'pages of zeros',
    (bytes, pick) => {
      for (let at = 0; at < 3; at++) {
        const page = (1 + pick(bytes.length / PAGE - 1)) * PAGE;
        bytes.fill(0, page, page + PAGE);
      }
      return bytes;
    },
  ],
  [
    'bytes that are others',
    (bytes, pick) => {
      for (let at = 0; at < 12; at++) bytes[PAGE + pick(bytes.length - PAGE)]! ^= 1 + pick(255);
      // And the beginning of a page, which says what is in it.
      const page = (1 + pick(bytes.length / PAGE - 1)) * PAGE;
      for (let at = 0; at < 8; at++) bytes[page + at]! ^= 1 + pick(255);
      return bytes;
    },
  ],
  ['cut off', (bytes, pick) => bytes.subarray(0, bytes.length - PAGE * (1 + pick(bytes.length / PAGE / 2)))],
];

describe('a damaged database with conversations that are nowhere else', { timeout: 300_000 }, () => {
  it.each(DAMAGES)('%s: what SQLite can read is taken over, the rest is named', async (kind, damage) => {
    const pick = picker(kind.length);
    const wrong: string[] = [];
    let [readable, lost] = [0, 0];
    for (let at = 0; at < TRIES; at++) {
      restore();
      fs.writeFileSync(database(), damage(fs.readFileSync(database()), pick));
      const expected = stillReadable(database());
      const { exit, text } = await cairn(site, ['reindex']);
      const now = new Set(withDatabase(database(), rowsOf).map(({ file, ref }) => `${file} ${ref}`));
      const missing = [...expected].filter((row) => !now.has(row));
      const gone = before.filter(({ file, ref }) => !now.has(`${file} ${ref}`));
      const bad = missing.length > 0 ? [`${missing.length} of ${expected.size} readable rows are gone`] : [];
      if (/TypeError|RangeError|\n\s+at /.test(text)) bad.push(`it fell over: ${text.slice(0, 300)}`);
      if (gone.length > 0 && asides().length !== 1) bad.push('rows are gone, and so is the damaged file');
      if (gone.length > 0 && !/stays at/.test(text)) bad.push(`it does not say so: ${text.slice(0, 300)}`);
      if (gone.length === 0 && exit > 1) bad.push(`it failed: ${text.slice(0, 300)}`);
      const again = await cairn(site, ['reindex']);
      const after = withDatabase(database(), rowsOf).length;
      if (after !== now.size) bad.push(`a second reindex leaves ${after} of ${now.size} rows: ${again.text}`);
      readable += expected.size;
      lost += gone.length;
      wrong.push(...tally.count(`database: ${kind}`, `try ${at}`, bad));
    }
    process.stdout.write(`${kind}: ${readable} rows readable, ${lost} lost of ${TRIES * before.length}\n`);
    expect(wrong.slice(0, 5)).toEqual([]);
    expect(readable).toBeGreaterThan(0);
  });

  it.each([['words_data'], ['words_config'], ['document_source']])('goes when only %s was damaged', async (name) => {
    restore();
    clearPages((reader) => rootOf(reader, name));
    expect(await cairn(site, ['reindex'])).toMatchObject({ exit: 0 });
    expect(withDatabase(database(), rowsOf).length).toBe(before.length);
    expect(asides()).toEqual([]);
  });

  it('whose rows no index ties to their conversation is read row by row', async () => {
    restore();
    const pages = clearPages((reader) => rootOf(reader, 'document_source'), leafOfDocuments(0.3), leafOfDocuments(0.7));
    expect(new Set(pages).size).toBe(3);
    const expected = stillReadable(database());
    expect(expected.size).toBeLessThan(before.length);
    await cairn(site, ['reindex']);
    const now = new Set(withDatabase(database(), rowsOf).map(({ file, ref }) => `${file} ${ref}`));
    expect([...expected].filter((row) => !now.has(row))).toEqual([]);
    expect(asides()).toHaveLength(1);
  });

  it('with a row that goes by the number of another loses not that other one', async () => {
    restore();
    const two = (id: number): boolean => id >= 128 && id < 16_384; // numbers that take two bytes, so that one fits in the place of the other
    const other = before.find(({ id }) => two(id))!;
    const wrong = before.findLast(({ id, source }) => two(id) && source !== other.source)!;
    const bytes = fs.readFileSync(database());
    const leaves = withDatabase(database(), (reader) =>
      reader.prepare(`SELECT pageno FROM dbstat WHERE name = 'document' AND pagetype = 'leaf'`).all(),
    ) as { pageno: number }[];
    let changed = 0;
    for (const { pageno } of leaves) {
      const page = (pageno - 1) * PAGE;
      for (let cell = 0; cell < bytes.readUInt16BE(page + 3); cell++) {
        let at = page + bytes.readUInt16BE(page + 8 + 2 * cell);
        while (bytes[at++]! >= 128); // behind the size of the row
        if (bytes[at]! < 128 || (bytes[at]! & 127) * 128 + bytes[at + 1]! !== wrong.id) continue;
        bytes[at] = 128 | (other.id >> 7);
        bytes[at + 1] = other.id & 127;
        changed++;
      }
    }
    expect(changed).toBe(1);
    fs.writeFileSync(database(), bytes);
    const expected = stillReadable(database());
    expect(expected).toContain(`${other.file} ${other.ref}`);
    await cairn(site, ['reindex']);
    const now = new Set(withDatabase(database(), rowsOf).map(({ file, ref }) => `${file} ${ref}`));
    expect([...expected].filter((row) => !now.has(row))).toEqual([]);
  });

  it('that nothing can be read of stays, doctor tells of it, and --forget-gone removes it', async () => {
    restore();
    fs.writeFileSync(database(), 'this is no database '.repeat(1_000));
    const { exit, text } = await cairn(site, ['reindex']);
    expect({ exit, text }).toMatchObject({
      exit: 0,
      text: expect.stringMatching(/stays at .*nothing of it can be read/),
    });
    const [aside] = asides();
    expect(fs.readFileSync(aside!, 'utf8')).toContain('this is no database');
    expect(fs.statSync(aside!).mode & 0o077).toBe(0);
    const told = await cairn(site, ['doctor']);
    expect(told.text).toMatch(/a damaged database lies aside[^\n]*\n[^\n]*delete the file/);
    await cairn(site, ['reindex', '--forget-gone']);
    expect(asides()).toEqual([]);
  });

  it('with a log beside it keeps what is only in the log', async () => {
    restore();
    const reader = openDriver(database());
    reader.exec('PRAGMA wal_autocheckpoint = 0');
    reader.prepare(`UPDATE document SET title = 'only in the log' WHERE id = ?`).run(before[0]!.id);
    const copies = ['', '-wal'].map((suffix) => fs.readFileSync(database() + suffix));
    const { rootpage } = reader.prepare(`SELECT rootpage FROM sqlite_schema WHERE name = 'link_to'`).get() as {
      rootpage: number;
    };
    reader.close();
    for (const suffix of ['', '-wal', '-shm']) fs.rmSync(database() + suffix, { force: true });
    copies[0]!.fill(0, (rootpage - 1) * PAGE, rootpage * PAGE);
    fs.writeFileSync(database(), copies[0]!);
    fs.writeFileSync(`${database()}-wal`, copies[1]!);
    await cairn(site, ['reindex']);
    const rows = withDatabase(database(), rowsOf);
    expect(rows.length).toBe(before.length);
    expect(rows.find(({ ref, file }) => ref === before[0]!.ref && file === before[0]!.file)?.title).toBe(
      'only in the log',
    );
  });

  it('does not bring back what was forgotten while it lay aside', async () => {
    restore();
    const bytes = fs.readFileSync(database());
    fs.writeFileSync(`${database()}.damaged-20260101T000000Z`, bytes, { mode: 0o600 });
    const file = before[0]!.file;
    const session = path.basename(file, '.jsonl');
    const said = await cairn(site, ['forget', session, '--yes']);
    expect(said).toMatchObject({ exit: expect.any(Number), text: expect.stringContaining('may still hold it') });
    await cairn(site, ['reindex']);
    const rows = withDatabase(database(), rowsOf);
    expect(rows.filter((each) => each.file === file)).toEqual([]);
    expect(rows.length).toBe(before.filter((each) => each.file !== file).length);
  });
});
