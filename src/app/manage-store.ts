// Use cases of `cairn store`: where the rows live and how they are there, the tables of a server, and carrying rows from one to another.

import type { Config } from '../config/load.ts';
import { CairnError } from '../errors.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { Stats, Store } from '../store/store.ts';
import { type CopyOptions, type CopyReport, copyStore } from './copy-store.ts';
import { openStore, usesServer } from './open-store.ts';
import { storeFile } from './user-files.ts';

export type { CopyReport } from './copy-store.ts';

export type StoreStatus = {
  /** A file, or host, port and database. */
  readonly where: string;
  readonly kind: 'sqlite' | 'postgres';
  readonly opened: Store['opened'];
  readonly stats: Stats;
  /** What one question takes, in milliseconds: the middle of some. */
  readonly answersIn: number;
  readonly readOnly: string | null;
};

const QUESTIONS = 5;

/** `url` in place of the setting. */
export async function storeStatus(config: Config, url = config.settings.store.url): Promise<StoreStatus> {
  const store = await openAt(config, url);
  try {
    const times: number[] = [];
    for (let n = 0; n < QUESTIONS; n++) {
      const from = performance.now();
      await store.counts({ words: ['status'] });
      times.push(performance.now() - from);
    }
    return {
      where: await placeText(config, url),
      kind: url === '' ? 'sqlite' : 'postgres',
      opened: store.opened,
      stats: await store.stats(),
      answersIn: times.sort((a, b) => a - b)[QUESTIONS >> 1] ?? 0,
      readOnly: store.readOnly?.message ?? null,
    };
  } finally {
    await store.close();
  }
}

export type Migrated = {
  readonly where: string;
  readonly opened: Store['opened'];
  readonly members: readonly string[];
};

/** Makes the tables at the server, or takes them to this version, and lets members in. */
export async function migrateStore(config: Config, members: readonly string[]): Promise<Migrated> {
  if (!usesServer(config))
    throw new CairnError('CONFIG_ERROR', 'There is no server to make tables at: `store.url` is empty.', {
      fix: 'Name one: cairn config set --user store.url postgres://alice@db.example.com/cairn',
    });
  const { admitMembers } = await import('./server-store.ts');
  const store = await openStore(config);
  await store.close();
  await admitMembers(config, members);
  return { where: await placeText(config, config.settings.store.url), opened: store.opened, members };
}

/** `to`: `sqlite`, or the URL of a server. What is configured is copied from, unless `from` says otherwise. */
export async function copyRows(
  config: Config,
  { from, to, ...options }: { from?: string; to: string } & CopyOptions,
): Promise<CopyReport & { readonly from: string; readonly to: string }> {
  const urls = { from: urlOf(from ?? config.settings.store.url), to: urlOf(to) };
  if (urls.from === urls.to)
    throw new CairnError('USAGE_ERROR', 'Both ends of the copy are the same store.', {
      fix: 'Name the other one: cairn store copy --to sqlite, or --to postgres://…',
    });
  const source = await openAt(config, urls.from);
  try {
    const target = await openAt(config, urls.to);
    try {
      if (target.readOnly) throw target.readOnly;
      const report = await copyStore(source, target, options);
      return { ...report, from: await placeText(config, urls.from), to: await placeText(config, urls.to) };
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

const urlOf = (name: string): string => (name === 'sqlite' ? '' : name);

async function openAt(config: Config, url: string): Promise<Store> {
  if (url === '') return openSqliteStore(storeFile(config));
  return (await import('./server-store.ts')).openServerStore(config, { url });
}

async function placeText(config: Config, url: string): Promise<string> {
  return url === '' ? storeFile(config) : (await import('./server-store.ts')).serverPlace(config, url).where;
}

export async function forgetMineAtServer(config: Config): Promise<number> {
  return (await import('./server-store.ts')).forgetMine(config);
}
