// Finds out which records and notes changed since they were indexed: by the times of folders, by the times and sizes of files, by
// what a writer names. Reads those files and no others.

import fs from 'node:fs';
import path from 'node:path';
import { CairnError, isSystemError, messageOf } from '../../errors.ts';
import { MAX_JSON_BYTES, readWithStat } from '../../files/json-file.ts';
import { isInside, realPath, toPosix } from '../../files/paths.ts';
import { bytesHash } from '../../model/hash.ts';
import { lazy } from '../../model/lazy.ts';
import { NODES_FOLDER } from '../../model/notes.ts';
import { MAX_NOTE_BYTES } from '../../notes/vault.ts';
import { pathInProject } from './check-related-files.ts';
import { noteRow, type ReadRow, recordRow, rowOrProblem } from './file-rows.ts';
import type { FileSeen, FolderFiles, FolderSeen } from './file-state.ts';
import { CLOCK_STEP_MS, type Folder, type LookPlace } from './folder-times.ts';

/** A file as it was found. */
export type FoundFile = { readonly mtime: number; readonly size: number; readonly hash: string } & (
  | ReadRow
  /** Only its time moved, and its document does not depend on that. */
  | { readonly same: FileSeen; readonly row?: undefined; readonly problem?: undefined }
);

/** By path from the memory root; `undefined` is gone. */
export type Found = Map<string, FoundFile | undefined>;

const NO_NAME = lazy(() => /[\s\p{C}]/u);
const QUIET = { throwIfNoEntry: false } as const;

export type Look = { readonly files: FolderFiles; readonly seen: FolderSeen | undefined };

/** There, and not to be read just now: what is known of it stays, and the next look tries again. Gone would be something else. */
class UnreadError extends Error {}

/**
 * Adds to `found` what changed in a folder. `young`: something was verified that is too young to be believed unseen. `unread`: something
 * could not be looked at, so the folder has to be looked at again.
 */
export function findChangesInFolder(
  place: LookPlace,
  folder: Folder,
  { files, seen }: Look,
  found: Found,
): { problem: string | undefined; young: boolean; unread: boolean } {
  const { names, problem, unread: closed } = listFolder(place, folder);
  if (closed) return { problem, young: false, unread: true };
  const sameKind = seen?.category === folder.category?.name;
  const present = new Set<string>();
  let young = false;
  let unread: string | undefined;
  for (const name of names) {
    const file = `${folder.name}/${name}`;
    try {
      const stat = statOf(place, file);
      if (stat === undefined) continue;
      present.add(name);
      const known = sameKind ? files[name] : undefined;
      // A rename keeps the time of what is written, but not that of the change: a file may come with the time and size of another.
      const isOld = seen !== undefined && Math.max(stat.mtime, stat.ctime) < seen.lookedAt - CLOCK_STEP_MS;
      if (known && isOld && known.mtime === stat.mtime && known.size === stat.size) continue;
      young = true;
      const now = readFound(place, folder, file, known);
      if (now === undefined) present.delete(name);
      else if (!known || !isAsKnown(known, now)) found.set(file, now);
    } catch (error) {
      if (!(error instanceof UnreadError)) throw error;
      present.add(name);
      unread = error.message;
    }
  }
  for (const name of Object.keys(files)) if (!present.has(name)) found.set(`${folder.name}/${name}`, undefined);
  return { problem: problem ?? unread, young, unread: unread !== undefined };
}

const isAsKnown = (known: FileSeen, now: FoundFile): boolean =>
  known.mtime === now.mtime &&
  known.size === now.size &&
  ('same' in now || (known.hash === now.hash && known.problem !== undefined && known.problem === now.problem));

/** The folder and path of a file that a writer names; `undefined` if it is no record and no note. */
export function placeOfNamed(
  place: LookPlace,
  folders: readonly Folder[],
  named: string,
): { folder: Folder; file: string } | undefined {
  const full = path.resolve(place.root, named);
  const file = toPosix(path.relative(place.root, path.join(realFolder(path.dirname(full)), path.basename(full))));
  const slash = file.lastIndexOf('/');
  const folder = folders.find((each) => each.name === file.slice(0, Math.max(0, slash)));
  return folder && isNamedLike(folder, file.slice(slash + 1)) ? { folder, file } : undefined;
}

function realFolder(folder: string): string {
  try {
    return realPath(folder);
  } catch (error) {
    if (isSystemError(error)) return folder;
    throw error;
  }
}

/** The same for a file that is named: nothing is found of what cannot be read just now. */
export function readNamed(
  place: LookPlace,
  folder: Folder,
  file: string,
  known?: FileSeen,
): { now: FoundFile | undefined; unread?: string } {
  try {
    return { now: readFound(place, folder, file, known) };
  } catch (error) {
    if (!(error instanceof UnreadError)) throw error;
    return { now: undefined, unread: error.message };
  }
}

/** The file as it is now; `undefined` if it is gone. Of what is `known` already, a file with the same content makes no new row. */
function readFound(place: LookPlace, folder: Folder, file: string, known?: FileSeen): FoundFile | undefined {
  const stat = statOf(place, file);
  if (!stat) return undefined;
  if (stat.problem !== undefined) return { mtime: stat.mtime, size: stat.size, hash: '', problem: stat.problem };
  const full = `${place.root}/${file}`;
  let read: { bytes: Buffer; stat: fs.Stats } | undefined;
  try {
    read = readWithStat(full, folder.category ? MAX_JSON_BYTES : MAX_NOTE_BYTES);
  } catch (error) {
    if (!(error instanceof CairnError)) throw error;
    if (isSystemError(error.cause)) throw new UnreadError(error.message);
    return { mtime: stat.mtime, size: stat.size, hash: '', problem: error.message };
  }
  if (!read) return undefined;
  const seen = { mtime: read.stat.mtimeMs, size: read.stat.size, hash: bytesHash(read.bytes) };
  const isSame = known?.hash === seen.hash && known.key !== undefined;
  if (isSame && (known.undated !== true || known.mtime === seen.mtime)) return { ...seen, same: known };
  return { ...seen, ...readRow(place, folder, file, { ...seen, bytes: read.bytes }) };
}

type Read = { readonly bytes: Buffer; readonly mtime: number; readonly hash: string };

function readRow(place: LookPlace, folder: Folder, file: string, { bytes, mtime, hash }: Read): ReadRow {
  const common = {
    project: place.project,
    file: `${place.root}/${file}`,
    mtimeMs: mtime,
    hash,
    inProject: (named: string) => pathInProject(place.projectRoot, named),
  };
  const name = file.slice(file.lastIndexOf('/') + 1).replace(/\.(?:md|json)$/, '');
  const { category } = folder;
  return rowOrProblem(() =>
    category
      ? recordRow(bytes, { ...common, category, slug: name })
      : noteRow(bytes, { ...common, folder: folder.name.slice(NODES_FOLDER.length + 1), name }),
  );
}

/** Links out of the memory root are named, not followed; what is no file is nothing. */
type Stat = { readonly mtime: number; readonly ctime: number; readonly size: number; readonly problem?: string };

function statOf({ root }: LookPlace, file: string): Stat | undefined {
  const full = `${root}/${file}`;
  try {
    const own = fs.lstatSync(full, QUIET);
    if (!own) return undefined;
    const seen = { mtime: own.mtimeMs, ctime: own.ctimeMs, size: own.size };
    if (own.isFile()) return seen;
    if (!own.isSymbolicLink()) return undefined;
    const target = realPath(full);
    if (!isInside(root, target)) return { ...seen, problem: 'the file is a link that leads outside the memory root' };
    const stat = fs.statSync(target, QUIET);
    return stat?.isFile() ? { mtime: stat.mtimeMs, ctime: stat.ctimeMs, size: stat.size } : undefined;
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) return undefined;
    throw isSystemError(error) ? new UnreadError(messageOf(error)) : error;
  }
}

function listFolder(place: LookPlace, folder: Folder): { names: string[]; problem?: string; unread?: true } {
  const full = path.join(place.root, folder.name);
  try {
    const names = fs
      .readdirSync(full)
      .filter((name) => isNamedLike(folder, name))
      .sort();
    if (names.length > 0 && !isInside(place.root, realPath(full)))
      return { names: [], problem: 'the folder is a link that leads outside the memory root' };
    return { names };
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return { names: [] };
    return { names: [], problem: messageOf(error), unread: true };
  }
}

/** Names with blanks are told by the records' own scan; they could not be a REF. */
const isNamedLike = (folder: Folder, name: string): boolean =>
  name.endsWith(folder.category ? '.json' : '.md') && !name.startsWith('.') && !NO_NAME().test(name);
