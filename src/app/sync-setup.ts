// Setting up sync on a machine: a place that is empty gets its keys, one that another machine has set up is joined. What lies there and is
// not Cairn's is never touched.

import fs from 'node:fs';
import path from 'node:path';
import type { Config } from '../config/load.ts';
import { CairnError, messageOf } from '../errors.ts';
import { identitiesIn, type Opener } from '../sync/age.ts';
import { isGitAddress } from '../sync/git-place.ts';
import type { Place } from '../sync/place.ts';
import {
  forgetPlace,
  machineLabel,
  newMachine,
  readConfig,
  readSecrets,
  type SyncConfig,
  writeConfig,
} from '../sync/sync-state.ts';
import { createVault, isSetUp, openVault } from '../sync/vault.ts';
import { forgetMemories } from './sync-memories.ts';
import { alone, openPlace, type SyncOptions } from './sync-run.ts';

export type { Opener } from '../sync/age.ts';

const MAX_KEY_FILE = 64 * 1024;

export type InitRequest = {
  readonly place: string;
  readonly opener: Opener;
  readonly auto: boolean;
  /** Also memories that lie in no repository; as before if absent. */
  readonly memories?: boolean;
  readonly label?: string;
  /** The cost of guessing the passphrase; for tests. */
  readonly workFactor?: number;
};
export type InitReport = {
  readonly place: string;
  readonly kind: SyncConfig['kind'];
  readonly joined: boolean;
  readonly machine: string;
};

/** The secret keys in a key file. */
export function keysOf(file: string): string[] {
  let text: string;
  try {
    if (fs.statSync(file).size > MAX_KEY_FILE) throw new Error('it is too large for one');
    text = fs.readFileSync(file, 'utf8');
  } catch (error) {
    throw new CairnError('INPUT_ERROR', `The key file ${file} cannot be read: ${messageOf(error)}.`, { cause: error });
  }
  const identities = identitiesIn(text);
  if (identities.length > 0) return identities;
  throw new CairnError('INPUT_ERROR', `${file} holds no age key (AGE-SECRET-KEY-1…).`, {
    fix: '`age-keygen -o FILE` makes one; or use a passphrase.',
  });
}

/** Sets up a place, or joins one that another machine has set up. */
export function initSync(config: Config, request: InitRequest, options: SyncOptions): Promise<InitReport> {
  return alone(config, async () => {
    const { userRoot } = config.paths;
    const kind = isGitAddress(request.place) ? 'git' : 'folder';
    const where = kind === 'git' ? request.place : path.resolve(request.place);
    refuseOption(where);
    const before = readConfig(userRoot);
    if (before && before.place !== where) forgetPlace(userRoot);
    if (kind === 'folder') makeFolder(where, config);
    const place = openPlace({ kind, place: where }, config, options.env);
    await place.refresh();
    const joined = await isSetUp(place);
    if (!joined && (await place.isForeign())) throw foreign(place);
    const vault = joined
      ? await openVault(place, request.opener)
      : await createVault(place, request.opener, request.workFactor);
    const machine = before?.place === where ? before.machine : newMachine();
    const label = request.label ?? before?.label ?? machineLabel();
    const memories = request.memories ?? before?.memories ?? false;
    writeConfig(userRoot, { kind, place: where, machine, label, auto: request.auto, memories }, vault.secrets);
    return { place: place.label, kind, joined, machine: label };
  });
}

/** What begins with a dash would be an option of git. */
function refuseOption(place: string): void {
  if (!place.startsWith('-') && place !== '') return;
  throw new CairnError('INPUT_ERROR', `${JSON.stringify(place)} is neither a folder nor the address of a repository.`);
}

function makeFolder(folder: string, { paths }: Config): void {
  const inside = path.relative(paths.userRoot, folder);
  if (inside === '' || !(inside.startsWith('..') || path.isAbsolute(inside)))
    throw new CairnError('INPUT_ERROR', `${folder} is in ${paths.userRoot}, which is what is to be carried.`, {
      fix: 'Name a folder elsewhere, that your other machines see too.',
    });
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new CairnError('IO_ERROR', `The folder ${folder} cannot be made: ${messageOf(error)}.`, { cause: error });
  }
}

const foreign = (place: Place): CairnError =>
  new CairnError('INPUT_ERROR', `${place.label} holds other things, and no place of sync.`, {
    fix:
      place.kind === 'git'
        ? 'Name an empty repository of its own. Nothing was changed there.'
        : `Name an empty folder of its own, such as ${path.join(place.label, 'cairn-sync')}. Nothing was changed there.`,
  });

export const isAutomatic = ({ paths }: Config): boolean => readConfig(paths.userRoot)?.auto === true;

/** Whether it happens by itself. */
export function setAutomatic({ paths }: Config, auto: boolean): void {
  const sync = readConfig(paths.userRoot);
  if (sync && sync.auto !== auto) writeConfig(paths.userRoot, { ...sync, auto }, readSecrets(paths.userRoot));
}

/** Whether memories that lie in no repository are carried too. */
export function setMemories({ paths }: Config, memories: boolean): void {
  const sync = readConfig(paths.userRoot);
  if (!sync || sync.memories === memories) return;
  writeConfig(paths.userRoot, { ...sync, memories }, readSecrets(paths.userRoot));
  if (!memories) forgetMemories(paths.userRoot);
}
