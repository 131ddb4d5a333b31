// Reads a place: the manifests of all machines, and what they name. One that cannot be read is named and does not keep the others from
// being read.

import { CairnError, messageOf } from '../errors.ts';
import { isObject, parseJson } from '../model/json.ts';
import { type ConversationRecord, type Manifest, readManifest, recordsIn } from './manifest.ts';
import { manifestName, objectName, type Place } from './place.ts';
import { damaged, type Vault } from './vault.ts';

export type Machine = { readonly folder: string; readonly manifest: Manifest };
export type Machines = {
  readonly own: Machine | undefined;
  readonly others: readonly Machine[];
  readonly problems: readonly string[];
};

const FOLDER = /^([0-9a-f]{32})\/manifest\.age$/;

export async function readMachines(place: Place, vault: Vault, ownName: string): Promise<Machines> {
  const folders = [...(await place.list())].flatMap((name) => FOLDER.exec(name)?.[1] ?? []).sort();
  const machines: Machine[] = [];
  const problems: string[] = [];
  const files = await place.read(folders.map(manifestName));
  for (const folder of folders) {
    try {
      const sealed = files.get(manifestName(folder));
      if (!sealed) continue; // just removed
      const read = readManifest(await vault.openManifest(folder, sealed));
      if (!read) throw damaged(`manifest of ${folder.slice(0, 8)}`, 'it is none');
      if ('newer' in read)
        problems.push(
          `A machine there has a newer Cairn (format ${read.newer}): what it has pushed is read once Cairn is updated here.`,
        );
      else if (vault.folderOf(read.manifest.machine) !== folder)
        throw damaged(`manifest of ${folder.slice(0, 8)}`, 'it is that of another machine');
      else machines.push({ folder, manifest: read.manifest });
    } catch (error) {
      if (!(error instanceof CairnError)) throw error;
      problems.push(`${messageOf(error)} ${error.fix ?? ''}`.trim());
    }
  }
  const own = machines.find(({ manifest }) => manifest.machine === ownName);
  return { own, others: machines.filter((each) => each !== own), problems };
}

/** Throws READ_ERROR where one is missing or is not what it should be. */
export async function readObjects(
  place: Place,
  vault: Vault,
  folder: string,
  hashes: readonly string[],
): Promise<Uint8Array[]> {
  const files = await place.read(hashes.map((hash) => objectName(folder, hash)));
  return Promise.all(
    hashes.map((hash) => {
      const sealed = files.get(objectName(folder, hash));
      if (!sealed) throw damaged(`object ${hash.slice(0, 12)}`, 'it is not there');
      return vault.open(hash, sealed);
    }),
  );
}

export async function recordsOf(
  place: Place,
  vault: Vault,
  { folder, manifest }: Machine,
): Promise<ConversationRecord[]> {
  const pages = await readObjects(place, vault, folder, manifest.pages);
  return pages.flatMap((page) => recordsIn(Buffer.from(page).toString('utf8')));
}

/** What a machine has forgotten: the key of its hashes, and the hashes. Never a text. */
export type ForgottenThere = { readonly key: string; readonly tombstones: readonly unknown[] };

export async function forgottenOf(
  place: Place,
  vault: Vault,
  { folder, manifest }: Machine,
): Promise<ForgottenThere | undefined> {
  if (manifest.forgotten === undefined) return undefined;
  const [plain] = await readObjects(place, vault, folder, [manifest.forgotten]);
  const value = parseJson(Buffer.from(plain!).toString('utf8'));
  if (!isObject(value) || typeof value.key !== 'string' || !Array.isArray(value.tombstones))
    throw damaged('list of what was forgotten', 'it is none');
  return { key: value.key, tombstones: value.tombstones };
}
