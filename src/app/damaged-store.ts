// What to do with a database that is damaged: it is put aside, the new one takes over what can still be read of it, and it goes when nothing
// is only in it any more. What could not be read is named, and it stays for as long as the user wants.

import fs from 'node:fs';
import path from 'node:path';
import type { Config } from '../config/load.ts';
import { messageOf } from '../errors.ts';
import type { Forgotten } from '../files/forgotten.ts';
import { withLock } from '../files/lock.ts';
import { holdsAllThatIsKnown, type Readability } from '../indexing/transcripts/plan-reindex.ts';
import { mendStates, type TakenOver, takeOverDamaged } from '../indexing/transcripts/take-over-damaged.ts';
import { stateIn } from '../indexing/transcripts/transcript-state.ts';
import { checkDatabase } from '../store/sqlite/check-database.ts';
import { databasesAside, putDatabaseAside, removeDatabaseAside } from '../store/sqlite/damaged-file.ts';
import { isDamage } from '../store/sqlite/failure.ts';
import { openDamaged } from '../store/sqlite/read-damaged.ts';
import type { Store } from '../store/store.ts';
import { usesServer } from './open-store.ts';
import { storeFile } from './user-files.ts';

export { isDamage, mendStates };

const LOCK = { waitMs: 30_000 };

/** What is wrong with the pages of the store; nothing if it is sound, or not there. Throws where it cannot be looked at. */
export function damageOfStore(config: Config): string | undefined {
  if (usesServer(config)) return undefined; // found when it is opened
  try {
    const wrong = checkDatabase(storeFile(config)) ?? [];
    return wrong.length === 0 ? undefined : `The database ${storeFile(config)} is damaged: ${wrong[0]}.`;
  } catch (error) {
    if (isDamage(error)) return messageOf(error);
    throw error;
  }
}

/** Damaged tables at a server hold nothing that can be taken over: they go. True if there were such. */
export async function repairStore(config: Config): Promise<boolean> {
  return usesServer(config) && (await import('./server-store.ts')).repairServerStore(config);
}

/** Which file it is: somebody else may have put another one in its place. */
export const storeIdentity = (config: Config): string => {
  const stat = fs.statSync(storeFile(config), { throwIfNoEntry: false });
  return stat ? `${stat.dev} ${stat.ino} ${stat.birthtimeMs}` : '';
};

/** `isStill`: asked when nobody else can do the same. Returns where it lies; nothing if another process was faster. */
export function putStoreAside(config: Config, isStill: () => boolean): Promise<string | undefined> {
  const folder = path.join(config.paths.userRoot, 'locks');
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  return withLock(
    path.join(folder, 'database'),
    () => (isStill() ? putDatabaseAside(storeFile(config), new Date()) : undefined),
    LOCK,
  );
}

export const storesAside = (config: Config): string[] => databasesAside(storeFile(config));

export const MEND_ASIDE =
  '`cairn reindex` tries again to read it. When you need nothing of it, delete the file (and the one of the same name with -wal).';

/** A damaged database that stays, and why. */
export type KeptAside = {
  readonly file: string;
  readonly why: string;
  /** Conversations of which it has rows that could not be read. */
  readonly lost: readonly string[];
};

type Look = Partial<TakenOver> & { readonly aside: string; readonly why?: string };

/** Where it is taken over to. */
type Target = {
  readonly config: Config;
  readonly store: Store;
  readonly forgotten: Forgotten;
  canBeRead(file: string): boolean;
};

/** What can be read of every database that lies aside. Done before anything is cleared. */
export async function takeOverAsides(memory: Target, stopped: () => boolean = () => false): Promise<readonly Look[]> {
  const looks: Look[] = [];
  for (const aside of storesAside(memory.config)) {
    if (stopped()) return [];
    const damaged = openDamaged(aside);
    if (damaged === undefined) looks.push({ aside });
    else if (typeof damaged === 'string') looks.push({ aside, why: `nothing of it can be read (${damaged})` });
    else
      try {
        const isElsewhere = (file: string): boolean => memory.canBeRead(file);
        const done = await takeOverDamaged(memory.store, damaged, { forgotten: memory.forgotten, isElsewhere });
        looks.push({ aside, ...done, ...(damaged.isWhole ? {} : { why: 'it may hold more than could be read' }) });
      } finally {
        damaged.close();
      }
  }
  return looks;
}

/** Removes those that hold nothing any more which is not elsewhere, and names the others. Done when everything was made anew. */
export function settleAsides(looks: readonly Look[], readable: ReadonlyMap<string, Readability>): KeptAside[] {
  return looks.flatMap(({ aside, why, lost, states }) => {
    const only = [...(lost?.keys() ?? [])].filter((file) => !isElsewhere(file, readable.get(file), states?.get(file)));
    if (why === undefined && only.length === 0) {
      removeDatabaseAside(aside);
      return [];
    }
    const rows = only.reduce((sum, file) => sum + (lost?.get(file) ?? 0), 0);
    const told = only.length === 0 ? (why ?? '') : `${rows} rows of ${only.length} conversations could not be read`;
    return [{ file: aside, why: told, lost: only }];
  });
}

function isElsewhere(file: string, found: Readability | undefined, state: string | undefined): boolean {
  if (found === 'twice' || found === 'mend') return true;
  return found === 'once' && holdsAllThatIsKnown(file, state === undefined ? undefined : stateIn(state));
}

/** They hold what is to be forgotten. */
export function removeAsides(config: Config): void {
  for (const aside of storesAside(config)) removeDatabaseAside(aside);
}
