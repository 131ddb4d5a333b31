// What a machine knows of its sync: where the place is and what opens it (0600, in the user's own folder and nowhere else), its own
// name there, what is still to be read in, and how it last went.

import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { CairnError } from '../errors.ts';
import { atomicWrite } from '../files/atomic-write.ts';
import { parseJsonObject, readText } from '../files/json-file.ts';
import { isObject } from '../model/json.ts';
import { readShared, type SharedValues, sharedText } from './shared-values.ts';
import { secretsIn, type VaultSecrets } from './vault.ts';

export type SyncConfig = {
  readonly kind: 'folder' | 'git';
  readonly place: string;
  readonly machine: string;
  readonly label: string;
  /** False: only when it is asked for. */
  readonly auto: boolean;
  /** True: also the memories that lie in no repository. */
  readonly memories?: boolean;
};

export type SyncState = {
  /** How often it has pushed. */
  readonly counter: number;
  /** Of its last manifests: one that is not among them was written by somebody else under its name. */
  readonly nonces: readonly string[];
  /** Of others: how far they were seen. */
  readonly seen: { readonly [machine: string]: number };
  /** Transcripts whose rows have to be made anew. */
  readonly toRead: readonly string[];
  readonly pushedAt?: string;
  readonly pulledAt?: string;
};

const MOST_NONCES = 200;
const MAX_BYTES = 64 * 1024 * 1024;
const NOTHING: SyncState = { counter: 0, nonces: [], seen: {}, toRead: [] };

export const syncFolder = (userRoot: string): string => path.join(userRoot, 'sync');
const at = (userRoot: string, name: string): string => path.join(syncFolder(userRoot), name);
export const gitCache = (userRoot: string): string => at(userRoot, 'place.git');

export function readConfig(userRoot: string): SyncConfig | undefined {
  const file = at(userRoot, 'config.json');
  const text = readText(file);
  if (text === undefined) return undefined;
  const { kind, place, machine, label, auto, memories } = parseJsonObject(text, file);
  if ((kind !== 'folder' && kind !== 'git') || typeof place !== 'string' || typeof machine !== 'string')
    throw new CairnError('READ_ERROR', `${file} does not say where the place of sync is.`, {
      fix: 'Set it up again: cairn sync init FOLDER|GIT-URL',
    });
  return {
    ...{ kind, place, machine, label: typeof label === 'string' ? label : machine },
    ...{ auto: auto !== false, memories: memories === true },
  };
}

export function readSecrets(userRoot: string): VaultSecrets {
  const file = at(userRoot, 'key.json');
  const secrets = secretsIn(readText(file) ?? '');
  if (secrets) return secrets;
  throw new CairnError('READ_ERROR', `${file}, the key of sync, is missing or damaged.`, {
    fix: 'Run `cairn sync init` again with the same place and passphrase: nothing there is lost.',
  });
}

export function writeConfig(userRoot: string, config: SyncConfig, secrets: VaultSecrets): void {
  write(userRoot, 'key.json', JSON.stringify(secrets));
  write(userRoot, 'config.json', JSON.stringify(config, null, 1));
}

/** It alone: what was pushed, and what came, stays known. */
export function changeMachine(userRoot: string, config: SyncConfig): SyncConfig {
  const changed = { ...config, machine: newMachine() };
  write(userRoot, 'config.json', JSON.stringify(changed, null, 1));
  return changed;
}

export const newMachine = (): string => randomBytes(16).toString('hex');
export const newNonce = (): string => randomBytes(12).toString('hex');
export const machineLabel = (): string => os.hostname().split('.')[0]!.slice(0, 60) || 'machine';

export function readState(userRoot: string): SyncState {
  const file = at(userRoot, 'state.json');
  const text = readText(file, MAX_BYTES);
  if (text === undefined) return NOTHING;
  const { counter, nonces, seen, toRead, pushedAt, pulledAt } = parseJsonObject(text, file);
  const texts = (value: unknown): string[] =>
    Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
  const counts = Object.entries(isObject(seen) ? seen : {}).filter((each): each is [string, number] =>
    Number.isSafeInteger(each[1]),
  );
  return {
    counter: Number.isSafeInteger(counter) ? Number(counter) : 0,
    nonces: texts(nonces),
    seen: Object.fromEntries(counts),
    toRead: texts(toRead),
    ...(typeof pushedAt === 'string' ? { pushedAt } : {}),
    ...(typeof pulledAt === 'string' ? { pulledAt } : {}),
  };
}

/** Under the lock of sync: one at a time changes it. */
export function changeState(userRoot: string, change: (state: SyncState) => SyncState): SyncState {
  const before = readState(userRoot);
  const state = change(before);
  if (state === before) return state;
  write(userRoot, 'state.json', JSON.stringify({ ...state, nonces: state.nonces.slice(-MOST_NONCES) }, null, 1));
  return state;
}

export const readSharedBefore = (userRoot: string): Map<string, { at: string; value: unknown }> =>
  readShared(readText(at(userRoot, 'shared.json'), MAX_BYTES) ?? '{}');

export const writeShared = (userRoot: string, values: SharedValues): void =>
  write(userRoot, 'shared.json', sharedText(values));

/** Another place knows nothing of what was pushed and seen here. */
export function forgetPlace(userRoot: string): void {
  for (const name of ['state.json', 'shared.json', 'memories.json', 'place.git'])
    fs.rmSync(at(userRoot, name), { recursive: true, force: true });
}

function write(userRoot: string, name: string, text: string): void {
  fs.mkdirSync(syncFolder(userRoot), { recursive: true, mode: 0o700 });
  atomicWrite(at(userRoot, name), `${text}\n`, { mode: 0o600 });
}
