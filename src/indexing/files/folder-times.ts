// Which folders of a memory may have changed, by their times alone. Before every prompt it is looked at, so it loads nothing of what
// reading a record or a note takes (find-changed-files.ts).

import fs from 'node:fs';
import path from 'node:path';
import { isSystemError } from '../../errors.ts';
import type { Category } from '../../model/categories.ts';
import type { Kinds } from '../../model/kinds.ts';
import { NODES_FOLDER, NOTE_KINDS } from '../../model/notes.ts';
import type { FolderSeen, Head } from './file-state.ts';

export type LookPlace = {
  /** The memory root, links resolved. */
  readonly root: string;
  readonly project: string;
  readonly kinds: Kinds;
  readonly projectRoot: string;
};

export type Folder = { readonly name: string; readonly category?: Category };

/**
 * File systems tell time in steps of up to two seconds: what is as young as the last look may have been written again after
 * it, with the same time and size.
 */
export const CLOCK_STEP_MS = 2_000;
const QUIET = { throwIfNoEntry: false } as const;

/** Where notes and records lie, from the memory root. */
export function foldersOf(kinds: Kinds): Folder[] {
  const notes = ['', ...NOTE_KINDS.map((kind) => `/${kind.folder}`)].map((name) => ({ name: NODES_FOLDER + name }));
  const records = kinds.categories.map(({ folder }) => ({ name: folder, category: kinds.byFolder(folder)! }));
  return [...notes, ...records];
}

/** Milliseconds; `undefined` if there is no such folder. */
function folderTime({ root }: LookPlace, folder: Folder): number | undefined {
  try {
    const stat = fs.statSync(path.join(root, folder.name), QUIET);
    return stat?.isDirectory() ? stat.mtimeMs : undefined;
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}

/** Whether the folder's time says that no file came, went or was replaced. */
export function isSettled(seen: FolderSeen | undefined, mtime: number | undefined, folder: Folder): boolean {
  if (mtime === undefined) return seen === undefined;
  return (
    seen !== undefined &&
    seen.mtime === mtime &&
    seen.category === folder.category?.name &&
    mtime < seen.lookedAt - CLOCK_STEP_MS
  );
}

/** Those that are to be looked at, with their times: all that are there, or just those that changed. Those that are no longer ours have none. */
export function foldersToLookAt(
  place: LookPlace,
  seen: Head['folders'],
  { all }: { readonly all: boolean },
): Map<string, number | undefined> {
  const open = new Map<string, number | undefined>();
  // Most projects whose conversations are indexed have no memory of their own.
  if (Object.keys(seen).length === 0 && !fs.existsSync(place.root)) return open;
  const folders = foldersOf(place.kinds);
  for (const folder of folders) {
    const mtime = folderTime(place, folder);
    const known = seen[folder.name];
    if (mtime === undefined && !known) continue;
    if (all || !isSettled(known, mtime, folder)) open.set(folder.name, mtime);
  }
  const ours = new Set(folders.map((folder) => folder.name));
  for (const name of Object.keys(seen)) if (!ours.has(name)) open.set(name, undefined);
  return open;
}
