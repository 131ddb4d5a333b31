// Opens the database file: private to its user, in WAL mode (readers never wait for the writer), with the tables of
// this version. Opening is on the path of every hook, so it is one round of settings and one look at the header.

import fs from 'node:fs';
import path from 'node:path';
import { CairnError } from '../../errors.ts';
import { version as cairnVersion } from '../../version.ts';
import { type Driver, type Opened, openDriver } from './driver.ts';
import { storeFailure } from './failure.ts';
import { MADE_BY, missingFrom, newerFailure, versionNoted } from './newer-schema.ts';
import { putAside } from './older-tables.ts';
import { APPLICATION_ID, EMBEDDING_SCHEMA, SCHEMA, SCHEMA_VERSION } from './schema.ts';

// Settings of the connection, not of the file; equal on both drivers, whose defaults differ. No memory map: it makes
// vector search a quarter faster, but every page of it counts as memory of the process (450 MB instead of 120). The cache
// holds the pages that some recalls after each other need; a process that asks once fills little of it.
const SETTINGS = `
PRAGMA synchronous = NORMAL;
PRAGMA foreign_keys = ON;
PRAGMA cache_size = -16000;
PRAGMA mmap_size = 0;
PRAGMA journal_size_limit = 33554432;
PRAGMA temp_store = MEMORY;
`;

/** How long a statement waits for another process that holds the database. */
const WAIT_MS = 5_000;

/** For a process that soon ends: it reads each page once, and reading them from a map takes a prompt 2 ms less of processor time. */
const MAPPED = 'PRAGMA mmap_size = 268435456;';

export function openDatabase(
  file: string,
  { waitMs = WAIT_MS, closeSoon = false }: { waitMs?: number | undefined; closeSoon?: boolean | undefined } = {},
): Opened {
  let driver: Driver | undefined;
  try {
    makePrivateFile(file);
    driver = openDriver(file);
    driver.exec(`PRAGMA busy_timeout = ${waitMs};${SETTINGS}${closeSoon ? MAPPED : ''}`); // first, because the others may have to wait already
    if (isCurrent(driver)) return { driver, opened: 'existing' };
    return isNewer(driver) ? openNewer(driver, file) : { driver, opened: makeTables(driver, file, waitMs) };
  } catch (error) {
    driver?.close();
    throw storeFailure(error, file);
  }
}

/** So much of the log is left to the next who opens the database; reading it takes him some tenths of a millisecond. */
const LEFT_BYTES = 2 * 1024 * 1024;

/**
 * The last connection that closes brings the log (`-wal`) into the database, which waits for the disk three times: longer than
 * writing what a turn has said. So while the log is small, the last connection is one that may only read and cannot do it; every
 * few turns it is done for all of them. After a power cut the database may be as it was some turns ago, but never in between: rows go
 * with the state of their source, and the next worker reads on from there.
 */
export function closeSoon(driver: Driver, file: string): void {
  const bytes = fs.statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  const last = bytes > 0 && bytes <= LEFT_BYTES ? openReader(file) : undefined;
  driver.close();
  last?.close();
}

/** Undefined where that does not work: then the log is brought in, as always. */
function openReader(file: string): Driver | undefined {
  let reader: Driver | undefined;
  try {
    reader = openDriver(file, { readOnly: true });
    reader.prepare('PRAGMA user_version').get(); // a connection that has read nothing does not count
    return reader;
  } catch {
    reader?.close();
    return undefined;
  }
}

/** Removes the database and what SQLite keeps beside it. For a damaged file; vectors are lost with it. */
export function removeDatabase(file: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) fs.rmSync(file + suffix, { force: true });
}

// SQLite gives its side files (-wal, -shm) the mode of the database, so only that one has to be made.
function makePrivateFile(file: string): void {
  if (fs.existsSync(file)) return;
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  fs.closeSync(fs.openSync(file, 'a', 0o600));
}

function isCurrent(driver: Driver): boolean {
  const { application, version } = readHeader(driver);
  return application === APPLICATION_ID && version === SCHEMA_VERSION;
}

function readHeader(driver: Driver): { application: number; version: number } {
  const row = driver.prepare('SELECT * FROM pragma_application_id, pragma_user_version').get();
  return { application: Number(row?.application_id), version: Number(row?.user_version) };
}

function isNewer(driver: Driver): boolean {
  const { application, version } = readHeader(driver);
  return application === APPLICATION_ID && version > SCHEMA_VERSION;
}

/** Another Cairn knows more than this one. What it keeps is read where this one finds all that it needs, and never touched. */
function openNewer(driver: Driver, file: string): Opened {
  const missing = missingFrom(driver);
  const made = { file, version: readHeader(driver).version, by: versionNoted(driver) };
  if (missing.length > 0) throw newerFailure(made, missing);
  driver.exec('PRAGMA query_only = ON');
  return { driver, opened: 'newer', readOnly: newerFailure(made) };
}

/** Several processes may come here at once: the first makes the tables, the others find them made. */
function makeTables(driver: Driver, file: string, waitMs: number): Opened['opened'] {
  refuseForeign(driver, file);
  driver.exec('PRAGMA page_size = 8192'); // five vectors to a page instead of two; only an empty file takes it
  useWal(driver, waitMs);
  driver.exec('PRAGMA foreign_keys = OFF'); // tables are put aside in any order; inside a transaction this has no effect
  const outcome = driver.transaction(() => {
    if (isCurrent(driver)) return 'existing';
    refuseForeign(driver, file);
    const { application, version } = readHeader(driver);
    const outdated = application === APPLICATION_ID;
    if (outdated) putAside(driver, version);
    driver.exec(EMBEDDING_SCHEMA + SCHEMA);
    driver.prepare('INSERT INTO about (key, value) VALUES (?, ?)').run(MADE_BY, cairnVersion);
    driver.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}`);
    return outdated ? 'recreated' : 'created';
  });
  driver.exec('PRAGMA foreign_keys = ON');
  return outcome;
}

function refuseForeign(driver: Driver, file: string): void {
  // In this order: tables that another process of ours makes meanwhile come with the mark that the second look finds.
  if (driver.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined) return;
  if (readHeader(driver).application === APPLICATION_ID) return;
  throw new CairnError('STORE_ERROR', `${file} is a database of another program. Cairn did not touch it.`, {
    fix: 'Move that file away, or set CAIRN_HOME to another folder.',
  });
}

/** The change of mode does not wait for other connections as statements do, so this waits for it. */
function useWal(driver: Driver, waitMs: number): void {
  const deadline = Date.now() + waitMs;
  for (;;) {
    try {
      driver.prepare('PRAGMA journal_mode = WAL').get();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
  }
}
