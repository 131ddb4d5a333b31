// A database that is damaged is put aside, never deleted at once: some conversations may be nowhere else. Its log goes with it, and the name
// says when. Whoever has taken over what can be read of it, and missed nothing, removes it.

import fs from 'node:fs';
import path from 'node:path';
import { storeFailure } from './failure.ts';
import { removeDatabase } from './open.ts';

const MARK = '.damaged-';
const LOGS = ['-wal', '-journal'];

/** Nobody else may do the same meanwhile. Returns where it is now; nothing if there is none. */
export function putDatabaseAside(file: string, now: Date): string | undefined {
  try {
    if (!fs.existsSync(file)) return undefined;
    const aside = freeName(file, now);
    // Copied first: a log beside a new database is cleared, and a database without its log has lost what is in it. A kill before the
    // database itself is renamed leaves copies that the next one writes over or removes.
    for (const suffix of LOGS) if (fs.existsSync(file + suffix)) fs.copyFileSync(file + suffix, aside + suffix);
    fs.renameSync(file, aside);
    removeDatabase(file);
    return aside;
  } catch (error) {
    throw storeFailure(error, file);
  }
}

/** The oldest first. */
export function databasesAside(file: string): string[] {
  const folder = path.dirname(file);
  const prefix = path.basename(file) + MARK;
  const names = fs.existsSync(folder) ? fs.readdirSync(folder).filter((name) => name.startsWith(prefix)) : [];
  return names
    .filter((name) => /^\d{8}T\d{6}Z(?:\.\d+)?$/.test(name.slice(prefix.length)))
    .sort()
    .map((name) => path.join(folder, name));
}

/** Its side files first: whatever a kill leaves is found by the name of the database, and removed the next time. */
export function removeDatabaseAside(aside: string): void {
  for (const suffix of [...LOGS, '-shm', '']) fs.rmSync(aside + suffix, { force: true });
}

function freeName(file: string, now: Date): string {
  const at = now.toISOString().replace(/[-:]|\.\d+/g, '');
  const taken = new Set(databasesAside(file));
  for (let number = 1; ; number++) {
    const name = `${file}${MARK}${at}${number === 1 ? '' : `.${number}`}`;
    if (taken.has(name)) continue;
    for (const suffix of LOGS) fs.rmSync(name + suffix, { force: true });
    return name;
  }
}
