// The files that a graph was made of, folder by folder: when each was last changed, how large it is, and which id it claims.
// It answers "what changed?" without opening a file, and is read one folder at a time.

import { isRecordKey } from './graph-node.ts';
import type { GraphText } from './graph-text.ts';

/** The id is left out where the file is named after it; `null` is a file that gives no node. */
export type FileRow = readonly [mtime: number, size: number, id?: string | null];

export type FolderRow = {
  /** Of the folder itself: it moves when a file comes, goes or is replaced, not when one is written in place. */
  mtime: number;
  /** The record category that the folder was read as. */
  category?: string;
  files: Map<string, FileRow>;
};

type StoredFolder = Omit<FolderRow, 'files'> & { files: { [name: string]: FileRow } };

export class FileTable {
  readonly #text: GraphText;
  readonly #folders = new Map<string, FolderRow | undefined>();

  constructor(text: GraphText) {
    this.#text = text;
  }

  folder(name: string): FolderRow | undefined {
    if (this.#folders.has(name)) return this.#folders.get(name);
    const stored = this.#text.get('files', name) as StoredFolder | undefined;
    const row = stored && { ...stored, files: new Map(Object.entries(stored.files)) };
    this.#folders.set(name, row);
    return row;
  }

  /** The folders that the graph knows of. */
  *names(): Generator<string> {
    for (const [name] of this.#text.entries('files')) yield name;
  }

  setFolder(name: string, row: FolderRow | undefined): void {
    this.#folders.set(name, row);
  }

  row(path: string): FileRow | undefined {
    const [folder, name] = splitPath(path);
    return this.folder(folder)?.files.get(name);
  }

  setRow(path: string, row: FileRow | undefined): void {
    const [folder, name] = splitPath(path);
    const known = this.folder(folder) ?? { mtime: 0, files: new Map<string, FileRow>() };
    if (row) known.files.set(name, row);
    else known.files.delete(name);
    this.#folders.set(folder, known);
  }

  /** The key that the file claimed when it was last read. */
  claimOf(path: string): string | undefined {
    const row = this.row(path);
    if (!row) return undefined;
    return row[2] === undefined ? keyOfPath(path) : (row[2] ?? undefined);
  }

  /** Writes the changed folders into the text. */
  flush(): void {
    for (const [name, row] of this.#folders) {
      const files = row && Object.fromEntries([...row.files].sort(([a], [b]) => (a < b ? -1 : 1)));
      this.#text.set(
        'files',
        name,
        row && { mtime: row.mtime, ...(row.category ? { category: row.category } : {}), files },
      );
    }
  }
}

export function rowOf(path: string, state: { mtime: number; size: number }, key: string | undefined): FileRow {
  const { mtime, size } = state;
  if (key === undefined) return [mtime, size, null];
  return key === keyOfPath(path) ? [mtime, size] : [mtime, size, key];
}

/** The key of a file that is named after it: `nodes/tasks/task-a.md`, `decisions/use-jwt.json`. */
export function keyOfPath(path: string): string {
  const [folder, name] = splitPath(path);
  return name.endsWith('.json') ? `record:${folder}/${name.slice(0, -5)}` : name.replace(/\.md$/, '');
}

export function splitPath(path: string): [folder: string, name: string] {
  const at = path.lastIndexOf('/');
  return [path.slice(0, Math.max(0, at)), path.slice(at + 1)];
}

/** Two notes may not claim the same id, whatever its case; the key of a record is its path. */
export const claim = (key: string): string => (isRecordKey(key) ? key : key.toLowerCase());
