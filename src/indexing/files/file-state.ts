// What the indexer remembers of a memory's files between runs, in rows of the store: one small row about the folders, which every
// prompt reads, and one row a folder about its files, which is read only if something may have changed.

import {
  boolean,
  type Infer,
  integer,
  list,
  map,
  number,
  omittable,
  openObject,
  parseAs,
  text,
} from '../../model/schema.ts';
import type { Change, Store } from '../../store/store.ts';

/** Raised whenever a file would give another document than before: all of them are made anew then. */
export const ROWS_VERSION = 3;

const FOLDER_SEEN = openObject({
  /** Of the folder itself: it moves when a file comes, goes or is replaced, not when one is written in place. */
  mtime: number(),
  /** When its files were last compared. */
  lookedAt: number(),
  /** The record category that it was read as. */
  category: omittable(text()),
});
export type FolderSeen = Infer<typeof FOLDER_SEEN>;

const FILE_SEEN = openObject({
  mtime: number(),
  size: number(),
  hash: text(),
  /** The id of a note, `record:<folder>/<slug>` of a record; absent for a file that gives no document. */
  key: omittable(text()),
  type: omittable(text()),
  /** The names that it links to, in lower case. */
  links: omittable(list(text())),
  /** It does not say how old it is, so its document goes by the time of the file. */
  undated: omittable(boolean()),
  problem: omittable(text()),
});
export type FileSeen = Infer<typeof FILE_SEEN>;

const FOLDER_FILES = map(FILE_SEEN);
export type FolderFiles = Infer<typeof FOLDER_FILES>;

/** A source that is only read: what it was, and the documents that it gave. */
const SOURCE_SEEN = openObject({ mtime: number(), size: number(), refs: list(text()) });
export type SourceSeen = Infer<typeof SOURCE_SEEN>;

const FILE_PROBLEM = openObject({ path: text(), message: text() });
export type FileProblem = Infer<typeof FILE_PROBLEM>;

const HEAD = openObject({
  version: integer(),
  /** Moves with every batch, so that of two runs at once only one can write. */
  revision: integer({ min: 0 }),
  folders: map(FOLDER_SEEN),
  sources: map(SOURCE_SEEN),
  /** How many files give a document. */
  count: integer({ min: 0 }),
  problems: list(FILE_PROBLEM),
  /** All files have been indexed once: what comes now is new. */
  complete: boolean(),
});
export type Head = Infer<typeof HEAD>;

/** All files are read, and whatever rows there are of them are replaced. */
export const NO_HEAD: Head = {
  version: ROWS_VERSION,
  revision: 0,
  folders: {},
  sources: {},
  count: 0,
  problems: [],
  complete: false,
};

export const FILES_PREFIX = 'files:';
export const headKey = (root: string): string => `${FILES_PREFIX}${root}`;
const folderKey = (root: string, folder: string): string => `${FILES_PREFIX}${root}|${folder}`;

/** `written` is the row as it stands, for `expect`; a head that is damaged, or of another version, counts as none. */
export async function readHead(store: Store, root: string): Promise<{ head: Head; written: string | null }> {
  const written = (await store.state({ keys: [headKey(root)] }))[0]?.value ?? null;
  const head = parseAs(HEAD, written ?? '');
  return { head: head?.version === ROWS_VERSION ? head : NO_HEAD, written };
}

/** `undefined` where the row of one of them is damaged: then nobody knows which rows are of files that are gone. */
export async function readFolders(
  store: Store,
  root: string,
  folders: readonly string[],
): Promise<Map<string, FolderFiles> | undefined> {
  const rows = await store.state({ keys: folders.map((folder) => folderKey(root, folder)) });
  const byKey = new Map(rows.map(({ key, value }) => [key, value]));
  const files = new Map<string, FolderFiles>();
  for (const folder of folders) {
    const known = filesIn(byKey.get(folderKey(root, folder)) ?? '{}');
    if (!known) return undefined;
    files.set(folder, known);
  }
  return files;
}

/** What a row says about the files of a folder. */
export const filesIn = (row: string): FolderFiles | undefined => parseAs(FOLDER_FILES, row);

export function folderChange(root: string, folder: string, files: FolderFiles): Change {
  const value = Object.keys(files).length === 0 ? null : JSON.stringify(files);
  return { op: 'state', key: folderKey(root, folder), value };
}
