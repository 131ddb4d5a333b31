// The store on a server, as the user's settings name it: the address, this machine's name among the user's, and what others may have of
// a memory. A bundle of its own (scripts/build.mjs), because most users have no server.

import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Config, environment } from '../config/load.ts';
import { isSystemError } from '../errors.ts';
import { TEMPORARY_SUFFIX } from '../files/atomic-write.ts';
import { placeOf } from '../store/postgres/address.ts';
import { isDamage } from '../store/postgres/failure.ts';
import {
  admitRoles,
  openPostgresStore,
  type PostgresPlace,
  removeOwnRows,
  removePostgresStore,
} from '../store/postgres/postgres-store.ts';
import type { Store } from '../store/store.ts';
import { changesOf } from './copy-store.ts';
import { sharedCopy } from './share-rule.ts';

type Places = Pick<Config, 'paths' | 'settings'>;

export function serverPlace({ paths }: Pick<Config, 'paths'>, url: string): PostgresPlace {
  return placeOf(url, { env: environment(), home: paths.home, machine: machineName(paths.userRoot) });
}

export function openServerStore(config: Places, options: { waitMs?: number; url?: string } = {}): Promise<Store> {
  const { url = config.settings.store.url, ...rest } = options;
  return openPostgresStore(serverPlace(config, url), { ...rest, share: sharedCopy(config.settings.team.share) });
}

/** For `cairn reindex`: tables that are damaged are made anew. True if they were. */
export async function repairServerStore(config: Places): Promise<boolean> {
  try {
    await (await openServerStore(config)).close();
    return false;
  } catch (error) {
    if (!isDamage(error)) throw error;
    await removePostgresStore(serverPlace(config, config.settings.store.url));
    return true;
  }
}

/** The same in every process of this machine, and another one on every other: names of machines repeat. */
export function machineName(userRoot: string): string {
  const file = path.join(userRoot, 'machine');
  const known = writtenName(file);
  if (known !== '') return known;
  fs.mkdirSync(userRoot, { recursive: true, mode: 0o700 });
  const name = `${os.hostname().replace(/[^\w.-]/g, '-') || 'machine'}-${randomBytes(4).toString('hex')}`;
  const aside = `${file}.${name.slice(-8)}${TEMPORARY_SUFFIX}`;
  fs.writeFileSync(aside, `${name}\n`, { mode: 0o600, flag: 'wx' });
  try {
    fs.linkSync(aside, file); // with its name in it, and never over that of another process
    return name;
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const other = writtenName(file);
    if (other !== '') return other;
    fs.renameSync(aside, file); // an empty file, or a file system without links
    return writtenName(file) || name;
  } finally {
    fs.rmSync(aside, { force: true });
  }
}

/** Nothing where there is none yet. */
function writtenName(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return '';
    throw error;
  }
}

/** Roles that may use the tables; what each of them sees, row-level security decides. */
export async function admitMembers(config: Places, members: readonly string[]): Promise<void> {
  if (members.length > 0) await admitRoles(serverPlace(config, config.settings.store.url), members);
}

/** Which rule the rows at the server follow. */
const SHARE_STATE = 'team:share';
const PAGE = 500;

/** After a change of the rule: what is there already is shared, or shared no more, as everything new is. */
export async function settleShares(store: Store, { settings }: Pick<Config, 'settings'>): Promise<void> {
  const rule = JSON.stringify(settings.team.share);
  const known = (await store.state({ keys: [SHARE_STATE] }))[0]?.value;
  if (known === rule || store.readOnly) return;
  if (known !== undefined || settings.team.share.projects.length > 0) {
    let cursor: string | undefined;
    do {
      const filter = { layers: ['trace'] };
      const page = await store.list({ filter, order: 'ref', limit: PAGE, ...(cursor === undefined ? {} : { cursor }) });
      const own = page.documents.filter(({ author, kind }) => author === undefined && kind !== 'span');
      await store.apply(await changesOf(store, own, []));
      cursor = page.next;
    } while (cursor !== undefined);
  }
  await store.apply([{ op: 'state', key: SHARE_STATE, value: rule }]);
}

/** Leaving: everything of this person at the server, from all machines. Returns how many memories went. */
export function forgetMine(config: Places): Promise<number> {
  return removeOwnRows(serverPlace(config, config.settings.store.url));
}
