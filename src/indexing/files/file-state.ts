// What the indexer remembers of a memory's files between runs, in rows of the store: one small row about the folders, which every
// prompt reads, and one row a folder about its files, which is read only if something may have changed.

import type { Change, Store } from '../../store/store.ts';

/** Raised whenever a file would give another document than before: all of them are made anew then. */
export const ROWS_VERSION = 2;

export type FolderSeen = {
  /** Of the folder itself: it moves when a file comes, goes or is replaced, not when one is written in place. */
  readonly mtime: number;
  /** When its files were last compared. */
  readonly lookedAt: number;
  /** The record category that it was read as. */
  readonly category?: string;
};

export type FileSeen = {
  readonly mtime: number;
  readonly size: number;
  readonly hash: string;
  /** The id of a note, `record:<folder>/<slug>` of a record; absent for a file that gives no document. */
  readonly key?: string;
  readonly type?: string;
  /** The names that it links to, in lower case. */
  readonly links?: readonly string[];
  /** It does not say how old it is, so its document goes by the time of the file. */
  readonly undated?: true;
  readonly problem?: string;
};

export type FolderFiles = { readonly [name: string]: FileSeen };

/** A source that is only read: what it was, and the documents that it gave. */
export type SourceSeen = { readonly mtime: number; readonly size: number; readonly refs: readonly string[] };

export type Head = {
  readonly version: number;
  /** Moves with every batch, so that of two runs at once only one can write. */
  readonly revision: number;
  readonly folders: { readonly [name: string]: FolderSeen };
  readonly sources: { readonly [file: string]: SourceSeen };
  /** How many files give a document. */
  readonly count: number;
  readonly problems: readonly FileProblem[];
  /** All files have been indexed once: what comes now is new. */
  readonly complete: boolean;
};

export type FileProblem = { readonly path: string; readonly message: string };

const EMPTY: Head = {
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

/** `written` is the row as it stands, for `expect`; a head of another version counts as none. */
export async function readHead(store: Store, root: string): Promise<{ head: Head; written: string | null }> {
  const written = (await store.state({ keys: [headKey(root)] }))[0]?.value ?? null;
  const head = written === null ? undefined : (JSON.parse(written) as Head);
  return { head: head?.version === ROWS_VERSION ? head : EMPTY, written };
}

export async function readFolders(
  store: Store,
  root: string,
  folders: readonly string[],
): Promise<Map<string, FolderFiles>> {
  const rows = await store.state({ keys: folders.map((folder) => folderKey(root, folder)) });
  const byKey = new Map(rows.map(({ key, value }) => [key, value]));
  return new Map(
    folders.map((folder) => {
      const value = byKey.get(folderKey(root, folder));
      return [folder, value === undefined ? {} : (JSON.parse(value) as FolderFiles)];
    }),
  );
}

export function folderChange(root: string, folder: string, files: FolderFiles): Change {
  const value = Object.keys(files).length === 0 ? null : JSON.stringify(files);
  return { op: 'state', key: folderKey(root, folder), value };
}
