// What every run of sync begins with: one at a time on a machine, the place as it is now, who else is there and what they have forgotten.

import fs from 'node:fs';
import path from 'node:path';
import type { Config } from '../config/load.ts';
import { CairnError, isSystemError, messageOf } from '../errors.ts';
import { type Lock, withLock } from '../files/lock.ts';
import { folderPlace } from '../sync/folder-place.ts';
import { gitPlace } from '../sync/git-place.ts';
import type { Place } from '../sync/place.ts';
import { forgottenOf, type Machines, readMachines } from '../sync/place-contents.ts';
import type { Watched } from '../sync/push.ts';
import { changeMachine, gitCache, readConfig, readSecrets, readState, type SyncConfig } from '../sync/sync-state.ts';
import { isSetUp, Vault } from '../sync/vault.ts';
import type { ForgottenElsewhere } from './sync-forgotten.ts';

export type SyncOptions = Partial<Watched> & { readonly env: NodeJS.ProcessEnv; readonly now?: () => Date };

const LOCK = { waitMs: 5_000, staleMs: 600_000 };

export const openPlace = (
  { kind, place }: Pick<SyncConfig, 'kind' | 'place'>,
  { paths }: Config,
  env: NodeJS.ProcessEnv,
): Place => (kind === 'git' ? gitPlace(place, gitCache(paths.userRoot), env) : folderPlace(place));

export type Run = {
  readonly config: Config;
  readonly sync: SyncConfig;
  readonly place: Place;
  readonly vault: Vault;
  readonly machines: Machines;
  readonly elsewhere: readonly ForgottenElsewhere[];
  readonly problems: string[];
  readonly now: () => Date;
  readonly env: NodeJS.ProcessEnv;
  readonly watched: Watched;
};

export async function begin(config: Config, lock: Lock, options: SyncOptions): Promise<Run> {
  const { userRoot } = config.paths;
  const known = readConfig(userRoot);
  if (!known)
    throw new CairnError('CONFIG_ERROR', 'Sync is not set up on this machine.', {
      fix: 'Say where: cairn sync init FOLDER|GIT-URL',
    });
  const vault = new Vault(readSecrets(userRoot));
  const place = openPlace(known, config, options.env);
  await place.refresh();
  if (!(await isSetUp(place)))
    throw new CairnError('IO_ERROR', `${place.label} is empty, and was not when sync was set up.`, {
      fix: 'If it is a drive or a share, connect it. If what was there is lost, set it up anew: cairn sync init. What is on this machine is put there again.',
    });
  let read = await readMachines(place, vault, known.machine);
  let sync = known;
  const { nonces } = readState(userRoot);
  // A copy of this home works under the same name: from now on they have two.
  if (read.own && !nonces.includes(read.own.manifest.nonce)) {
    sync = changeMachine(userRoot, known);
    read = await readMachines(place, vault, sync.machine);
  }
  const problems = [...read.problems];
  const machines = { ...read, others: current(userRoot, read, problems) };
  const elsewhere: ForgottenElsewhere[] = [];
  for (const machine of machines.others) {
    try {
      elsewhere.push({ machine: machine.manifest.machine, list: await forgottenOf(place, vault, machine) });
    } catch (error) {
      if (!(error instanceof CairnError)) throw error;
      problems.push(`From ${machine.manifest.label}: ${error.message} ${error.fix ?? ''}`.trim());
    }
  }
  let beat = 0;
  const stopped = (): boolean => {
    if (Date.now() - beat > 1_000) {
      lock.assertHeld(); // others see that it is still at work
      beat = Date.now();
    }
    return options.stopped?.() ?? false;
  };
  const watched = { stopped, onProgress: options.onProgress ?? (() => {}) };
  return {
    config,
    sync,
    place,
    vault,
    machines,
    elsewhere,
    problems,
    now: options.now ?? (() => new Date()),
    env: options.env,
    watched,
  };
}

/** One that is older than what was seen of it was put back there: what it lacks was not let in again. */
function current(userRoot: string, { others }: Machines, problems: string[]): Machines['others'] {
  const { seen } = readState(userRoot);
  return others.filter(({ manifest }) => {
    const isOlder = manifest.counter < (seen[manifest.machine] ?? 0);
    if (isOlder)
      problems.push(
        `What ${manifest.label} has pushed was put back to an earlier state: it is passed over until that machine pushes again.`,
      );
    return !isOlder;
  });
}

export function alone<T>({ paths }: Config, work: (lock: Lock) => Promise<T>): Promise<T> {
  const folder = path.join(paths.userRoot, 'locks');
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  return withLock(path.join(folder, 'sync'), work, LOCK).catch((error: unknown) => {
    if (!isSystemError(error, 'ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EIO')) throw error;
    throw new CairnError('IO_ERROR', `Sync could not go on: ${messageOf(error)}.`, {
      cause: error,
      fix: 'Make room on the disk, or let it be written to, and run it again: it goes on where it stopped.',
    });
  });
}
