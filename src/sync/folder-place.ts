// A folder as the place of sync: one that another program carries from machine to machine (a cloud drive, Syncthing), a stick, a
// mounted share. A file is there whole or not at all; names that such programs add are passed over.

import fs from 'node:fs';
import path from 'node:path';
import { isSystemError, messageOf } from '../errors.ts';
import { atomicWrite, removeStaleTemporaries, TEMPORARY_SUFFIX } from '../files/atomic-write.ts';
import { isPlaceName, MAX_OBJECT_BYTES, type Place, placeTrouble } from './place.ts';

/** What systems and carriers leave in every folder. */
const HARMLESS =
  /^(?:\.DS_Store|desktop\.ini|Thumbs\.db|\.st(?:folder|ignore|versions)|\.dropbox.*|\.sync.*|lost\+found)$/i;
const ROOM =
  'Check that the folder is there, that you may write to it and that there is room on the disk, then run it again: it goes on where it stopped.';

export function folderPlace(folder: string): Place {
  const root = path.resolve(folder);
  const at = (name: string): string => path.join(root, ...name.split('/'));
  return {
    label: root,
    kind: 'folder',
    refresh: async () => {
      if (fs.statSync(root, { throwIfNoEntry: false })?.isDirectory()) return;
      throw placeTrouble(
        `There is no folder ${root}.`,
        'If it is on a drive or a share, connect that and run it again. If it has moved, name its new place: cairn sync init FOLDER',
      );
    },
    list: async () => new Set(filesIn(root).filter(isPlaceName)),
    read: async (names) => {
      const found = new Map<string, Uint8Array>();
      for (const name of names) {
        const bytes = readPlain(at(name));
        if (bytes) found.set(name, bytes);
      }
      return found;
    },
    put: async (name, bytes) => write(root, at(name), bytes),
    putNew: async (name, bytes) => {
      const file = at(name);
      const aside = `${file}.${process.pid}${TEMPORARY_SUFFIX}`;
      write(root, aside, bytes);
      try {
        fs.linkSync(aside, file); // never over what another machine has just put there
        return true;
      } catch (error) {
        if (isSystemError(error, 'EEXIST')) return false;
        if (fs.existsSync(file)) return false;
        fs.renameSync(aside, file); // a file system without links
        return true;
      } finally {
        fs.rmSync(aside, { force: true });
      }
    },
    remove: async (names) => {
      for (const name of names) removeFile(at(name));
      for (const folder of new Set(names.map((name) => path.dirname(at(name))))) removeEmpty(folder);
    },
    flush: async () => {
      removeStaleTemporaries(root);
    },
    isForeign: async () =>
      fs.existsSync(root) && fs.readdirSync(root).some((name) => !HARMLESS.test(name) && !isOurs(name)),
  };
}

const isOurs = (name: string): boolean =>
  isPlaceName(name) || /^[0-9a-f]{32}$/.test(name) || name.endsWith(TEMPORARY_SUFFIX);

function filesIn(root: string): string[] {
  return namesIn(root).flatMap((name) =>
    /^[0-9a-f]{32}$/.test(name)
      ? namesIn(path.join(root, name)).flatMap((inner) =>
          /^[0-9a-f]{2}$/.test(inner)
            ? namesIn(path.join(root, name, inner)).map((file) => `${name}/${inner}/${file}`)
            : [`${name}/${inner}`],
        )
      : [name],
  );
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder).sort();
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return [];
    throw placeTrouble(`${folder} cannot be read: ${messageOf(error)}`, ROOM, error);
  }
}

/** A link may lead anywhere: it is none of ours. */
function readPlain(file: string): Uint8Array | undefined {
  try {
    const stat = fs.lstatSync(file, { throwIfNoEntry: false });
    return stat?.isFile() && stat.size <= MAX_OBJECT_BYTES ? fs.readFileSync(file) : undefined;
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw placeTrouble(`${file} cannot be read: ${messageOf(error)}`, ROOM, error);
  }
}

function write(root: string, file: string, bytes: Uint8Array): void {
  try {
    fs.accessSync(root, fs.constants.W_OK); // where it may only be read, making a folder in it fails with another reason
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    atomicWrite(file, bytes, { mode: 0o600 });
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw placeTrouble(`${file} cannot be written: ${messageOf(error)}`, ROOM, error);
  }
}

function removeFile(file: string): void {
  try {
    fs.rmSync(file, { force: true });
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw placeTrouble(`${file} cannot be removed: ${messageOf(error)}`, ROOM, error);
  }
}

function removeEmpty(folder: string): void {
  try {
    fs.rmdirSync(folder);
  } catch (error) {
    if (!isSystemError(error)) throw error; // something is in it
  }
}
