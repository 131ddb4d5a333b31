// Where the rows live, for every composition root: the SQLite file of the user, or the server that his settings name. What speaks to a
// server is loaded when there is one; nobody else pays for it.

import fs from 'node:fs';
import type { Config } from '../config/load.ts';
import { type OpenOptions, openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { Store } from '../store/store.ts';
import { storeFile } from './user-files.ts';

type Places = Pick<Config, 'paths' | 'settings'>;

/** So long a prompt waits for a server in all; what is on the way is not worth more. */
const PROMPT_WAIT_MS = 300;

export type StoreOptions = OpenOptions & {
  /** Somebody waits for it with every prompt. */
  readonly forPrompt?: boolean;
};

export const usesServer = ({ settings }: Pick<Config, 'settings'>): boolean => settings.store.url !== '';

/** A server is always there to be asked; a file is made by the first who writes. */
export const storeExists = (config: Places): boolean => usesServer(config) || fs.existsSync(storeFile(config));

export async function openStore(config: Places, { forPrompt, ...options }: StoreOptions = {}): Promise<Store> {
  if (!usesServer(config)) return openSqliteStore(storeFile(config), options);
  const { openServerStore } = await import('./server-store.ts');
  return openServerStore(config, forPrompt ? { waitMs: PROMPT_WAIT_MS } : {});
}
