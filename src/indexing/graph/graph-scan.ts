// Finds out which files of a memory changed since its graph was made: by folder times, by file times and sizes, and by what a writer
// says. Reads those files and no others.

import fs from 'node:fs';
import path from 'node:path';
import { CairnError, isSystemError, messageOf } from '../../errors.ts';
import { MAX_JSON_BYTES, readWithStat } from '../../files/json-file.ts';
import { isInside, realPath, toPosix } from '../../files/paths.ts';
import type { Changes } from '../../graph/apply-changes.ts';
import { type FileTable, type FolderRow, splitPath } from '../../graph/file-table.ts';
import { type FileState, type GraphNode, timeOf } from '../../graph/graph-node.ts';
import type { GraphText } from '../../graph/graph-text.ts';
import type { Category } from '../../model/categories.ts';
import { bytesHash } from '../../model/hash.ts';
import type { Kinds } from '../../model/kinds.ts';
import { NODES_FOLDER, NOTE_KINDS } from '../../model/notes.ts';
import { MAX_NOTE_BYTES } from '../../notes/vault.ts';
import { noteEntry, recordEntry } from './graph-entry.ts';

/** The memory as its graph sees it. */
export type GraphPlace = {
  /** The memory root, links resolved. */
  readonly root: string;
  readonly kinds: Kinds;
  readonly rules: { readonly rebuild_on_change: boolean; readonly cache_ttl_seconds: number };
  readonly now: () => Date;
};

/** Every file, only the folders that changed, or just what a writer names. */
export type Extent = 'all' | 'folders' | { readonly files: readonly string[] };

export type Found = {
  readonly changes: Changes;
  /** At least one folder was listed. */
  readonly listed: boolean;
  /** Tells the table what was seen of the folders. Call it when the changes are applied. */
  noteFolders(): void;
};

type Folder = { readonly name: string; readonly category?: Category };
type Seen = { readonly mtime: number; readonly size: number; readonly problem?: string };
type Memory = {
  readonly place: GraphPlace;
  readonly text: GraphText;
  readonly table: FileTable;
  /** When every file was last looked at. */
  readonly checkedAt: number;
  /** When graph.json was last touched: the folders were looked at then, or later. */
  readonly touchedAt: number;
};

/**
 * File systems tell time in steps of up to two seconds: a file as young as the last look may have been written again after it,
 * with the same time and size. Such files are read again; folders, listed again.
 */
const CLOCK_STEP_MS = 2_000;

export function findChanges(memory: Memory, extent: Extent): Found {
  return typeof extent === 'object' ? namedFiles(memory, extent.files) : lookAround(memory, extent === 'all');
}

function lookAround(memory: Memory, everywhere: boolean): Found {
  const { place, text, table } = memory;
  const changes: Changes = new Map();
  const seen: [folder: string, row: FolderRow | undefined][] = [];
  const folders = foldersOf(place);
  for (const folder of folders.values()) {
    const { name, category } = folder;
    const mtime = folderTime(place, name);
    const known = table.folder(name);
    if (mtime === undefined && !known) continue;
    const asBefore = known?.mtime === mtime && known?.category === category?.name;
    const settled = mtime === undefined || mtime * 1000 < memory.touchedAt - CLOCK_STEP_MS;
    if (asBefore && settled && !everywhere) continue;
    const listing =
      mtime === undefined ? NOTHING : listFolder(place, folder, Object.keys(table.filesOf(name)).length === 0);
    text.set('problems', name, listing.problem === undefined ? undefined : { message: listing.problem });
    compare(memory, folder, listing, changes);
    seen.push([name, mtime === undefined ? undefined : folderRow(mtime, category)]);
  }
  for (const name of table.folders.filter((each) => !folders.has(each))) {
    for (const file of Object.keys(table.filesOf(name))) changes.set(`${name}/${file}`, undefined);
    text.set('problems', name, undefined);
    seen.push([name, undefined]);
  }
  const noteFolders = (): void => {
    for (const [name, row] of seen) table.setFolder(name, row);
  };
  return { changes, listed: seen.length > 0, noteFolders };
}

/** Which files of one folder came, went or look changed. */
function compare(memory: Memory, folder: Folder, { names, arePlain }: Listing, changes: Changes): void {
  const { place, table, checkedAt } = memory;
  const files = table.filesOf(folder.name);
  const sameKind = table.folder(folder.name)?.category === folder.category?.name;
  const present: string[] = [];
  let stayed = 0;
  for (const name of names) {
    const file = `${folder.name}/${name}`;
    const known = files[name];
    if (!known && arePlain) {
      changes.set(file, readState(place, file) as FileState | undefined);
      continue;
    }
    const stat = statOf(place, file);
    if (!stat) continue;
    present.push(name);
    if (known) stayed++;
    const isOld = stat.mtime * 1000 < checkedAt - CLOCK_STEP_MS;
    if (sameKind && isOld && known?.[0] === stat.mtime && known[1] === stat.size) continue;
    lookInto(memory, file, { stat, mayReuse: sameKind }, changes);
  }
  const before = Object.keys(files);
  if (stayed === before.length) return;
  const there = new Set(present);
  for (const name of before) if (!there.has(name)) changes.set(`${folder.name}/${name}`, undefined);
}

/** Reads a file whose times moved. If its content did not, only the times in its node do. */
function lookInto(
  { place, text, table }: Memory,
  file: string,
  { stat, mayReuse }: { stat: Seen; mayReuse: boolean },
  changes: Changes,
): void {
  const key = mayReuse ? table.claimOf(file) : undefined;
  const node = key === undefined ? undefined : (text.get('nodes', key) as GraphNode | undefined);
  const reusable = node?.path === file && timeOf(node, 0) === timeOf(node, 1);
  const state = readState(place, file, stat, reusable ? node?.hash : undefined);
  if (state !== 'as before') {
    changes.set(file, state);
    return;
  }
  const { mtime, size } = stat;
  text.set('nodes', key!, { ...node, mtime, size });
  const id = table.row(file)?.[2];
  table.setRow(file, id === undefined ? [mtime, size] : [mtime, size, id]);
}

/** Only what a writer says it has written. */
function namedFiles({ place, table }: Memory, files: readonly string[]): Found {
  const changes: Changes = new Map();
  const before = new Map<Folder, number>();
  for (const named of files) {
    const file = toPosix(path.relative(place.root, realFolderOf(path.resolve(place.root, named))));
    const folder = folderOfFile(place, file);
    if (!folder) continue;
    const known = table.folder(folder.name);
    if (known && known.category !== folder.category?.name) continue; // the next look reads the whole folder anew
    const time = folderTime(place, folder.name);
    if (time !== undefined && !before.has(folder)) before.set(folder, time);
    changes.set(file, rereadFile(place, file));
  }
  const noteFolders = (): void => {
    for (const [folder, mtime] of before) {
      const known = new Set(Object.keys(table.filesOf(folder.name)));
      // The writer's own files moved the folder's time. If the others are still the same, the folder counts as seen.
      const { names, problem } = listFolder(place, folder);
      const present = names.filter((name) => known.has(name) || statOf(place, `${folder.name}/${name}`));
      if (problem === undefined && present.length === known.size && present.every((name) => known.has(name)))
        table.setFolder(folder.name, folderRow(mtime, folder.category));
    }
  };
  return { changes, listed: false, noteFolders };
}

/** The file as it is now; `undefined` if it is gone. */
export function rereadFile(place: GraphPlace, file: string): FileState | undefined {
  const stat = statOf(place, file);
  return stat && (readState(place, file, stat) as FileState | undefined);
}

/** `seen` tells what is known of the file already; without it, it is a plain file of which nothing is known. */
function readState(
  place: GraphPlace,
  file: string,
  seen?: Seen,
  knownHash?: string,
): FileState | 'as before' | undefined {
  const folder = folderOfFile(place, file);
  if (!folder) return undefined;
  if (seen?.problem !== undefined) return { path: file, mtime: seen.mtime, size: seen.size, problem: seen.problem };
  const full = fullPath(place, file);
  let read: { bytes: Buffer; stat: fs.Stats } | undefined;
  try {
    read = readWithStat(full, folder.category ? MAX_JSON_BYTES : MAX_NOTE_BYTES);
  } catch (error) {
    if (!(error instanceof CairnError)) throw error;
    const problem = error.message.replace(`${full} cannot be read: `, '').replaceAll(full, file).replace(/\.$/, '');
    const stat = seen ?? statOf(place, file);
    // What the system refuses now it may give the next time: without its time the file is looked at again, without asking whether it moved.
    if (stat && isSystemError(error.cause)) return { path: file, mtime: 0, size: 0, problem };
    return stat && { path: file, mtime: stat.mtime, size: stat.size, problem };
  }
  if (!read) return undefined;
  const { mtime, size } = seen ?? seenOf(read.stat);
  const hash = bytesHash(read.bytes);
  if (hash === knownHash) return 'as before';
  const name = splitPath(file)[1].replace(/\.(?:md|json)$/, '');
  const noteFolder = folder.name.slice(NODES_FOLDER.length + 1);
  const entry = folder.category
    ? recordEntry(read.bytes, folder.category, name, hash)
    : noteEntry(read.bytes, { folder: noteFolder, name }, hash);
  return { path: file, mtime, size, ...entry };
}

/** Forward slashes do on every system; joining properly takes longer than asking the disk. */
const fullPath = (place: GraphPlace, file: string): string => `${place.root}/${file}`;

const QUIET = { throwIfNoEntry: false } as const;

const seenOf = (stat: fs.Stats): Seen => ({ mtime: Math.round(stat.mtimeMs) / 1000, size: stat.size });

/** Links out of the memory root are named, not followed; what is no file is nothing. */
function statOf(place: GraphPlace, file: string): Seen | undefined {
  const full = fullPath(place, file);
  let own: fs.Stats | undefined;
  try {
    own = fs.lstatSync(full, QUIET);
  } catch (error) {
    if (!isSystemError(error)) throw error;
  }
  if (!own) return undefined;
  if (own.isFile()) return seenOf(own);
  if (!own.isSymbolicLink()) return undefined;
  const target = quietly(() => realPath(full));
  if (target === undefined || !isInside(place.root, target))
    return { ...seenOf(own), problem: 'the file is a link that leads outside the memory root' };
  const stat = fs.statSync(target, QUIET);
  return stat?.isFile() ? seenOf(stat) : undefined;
}

type Listing = {
  /** What is named like a file of ours, sorted. */
  readonly names: readonly string[];
  /** All of them are known to be plain files. */
  readonly arePlain: boolean;
  readonly problem?: string;
};
const NOTHING: Listing = { names: [], arePlain: false };

/** Telling plain files from links takes time of its own; it pays if all of them will be opened. */
function listFolder(place: GraphPlace, folder: Folder, askKinds = false): Listing {
  const full = path.join(place.root, folder.name);
  try {
    if (!isInside(place.root, realPath(full)))
      return { ...NOTHING, problem: 'the folder is a link that leads outside the memory root' };
    if (!askKinds)
      return {
        ...NOTHING,
        names: fs
          .readdirSync(full)
          .filter((name) => isNamedLike(folder, name))
          .sort(),
      };
    const entries = fs.readdirSync(full, { withFileTypes: true }).filter(({ name }) => isNamedLike(folder, name));
    return { names: entries.map(({ name }) => name).sort(), arePlain: entries.every((entry) => entry.isFile()) };
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return NOTHING;
    return { ...NOTHING, problem: messageOf(error).replaceAll(full, folder.name) };
  }
}

const isNamedLike = (folder: Folder, name: string): boolean =>
  name.endsWith(folder.category ? '.json' : '.md') && !name.startsWith('.');

function folderTime(place: GraphPlace, folder: string): number | undefined {
  const stat = quietly(() => fs.statSync(path.join(place.root, folder), QUIET));
  return stat?.isDirectory() ? Math.round(stat.mtimeMs) / 1000 : undefined;
}

const folderRow = (mtime: number, category: Category | undefined): FolderRow => ({
  mtime,
  ...(category ? { category: category.name } : {}),
});

const folderMaps = new WeakMap<GraphPlace, ReadonlyMap<string, Folder>>();

/** Where notes and records lie, from the memory root. */
function foldersOf(place: GraphPlace): ReadonlyMap<string, Folder> {
  const made = folderMaps.get(place);
  if (made) return made;
  const notes = ['', ...NOTE_KINDS.map((kind) => `/${kind.folder}`)].map((name) => ({ name: NODES_FOLDER + name }));
  const records = place.kinds.categories.map(({ folder }) => ({
    name: folder,
    category: place.kinds.byFolder(folder)!,
  }));
  const folders = new Map<string, Folder>([...notes, ...records].map((folder) => [folder.name, folder]));
  folderMaps.set(place, folders);
  return folders;
}

function folderOfFile(place: GraphPlace, file: string): Folder | undefined {
  const [name, base] = splitPath(file);
  const folder = foldersOf(place).get(name);
  return folder && isNamedLike(folder, base) ? folder : undefined;
}

/** Writers may name a file through a link to the project; the file itself may be gone. */
function realFolderOf(file: string): string {
  return path.join(quietly(() => realPath(path.dirname(file))) ?? path.dirname(file), path.basename(file));
}

/** A loop of links or a folder that we may not look into is nothing to us here; listing it tells. */
function quietly<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}
