// The files that a graph was made of, folder by folder: when each was last changed, how large it is, and which id it claims.
// It answers "what changed?" without opening a file.

import { isRecordKey } from './graph-node.ts';
import type { GraphText } from './graph-text.ts';

/** The id is left out where the file is named after it; `null` is a file that gives no node. */
export type FileRow = readonly [mtime: number, size: number, id?: string | null];

export type FolderRow = {
  /** Of the folder itself: it moves when a file comes, goes or is replaced, not when one is written in place. */
  readonly mtime: number;
  /** The record category that the folder was read as. */
  readonly category?: string;
};

/** One entry of `files` in graph.json: the files of a folder by their names, which all have a dot in them; sorted. */
type FolderFiles = { readonly [name: string]: FileRow };

export class FileTable {
  readonly #text: GraphText;
  readonly #changed = new Map<string, { [name: string]: FileRow }>();

  constructor(text: GraphText) {
    this.#text = text;
  }

  folder(name: string): FolderRow | undefined {
    return this.#text.get('folders', name) as FolderRow | undefined;
  }

  setFolder(name: string, row: FolderRow | undefined): void {
    this.#text.set('folders', name, row);
  }

  /** The folders that the graph knows of. */
  get folders(): string[] {
    return [...this.#text.entries('folders')].map(([name]) => name);
  }

  filesOf(folder: string): FolderFiles {
    return this.#changed.get(folder) ?? (this.#text.get('files', folder) as FolderFiles | undefined) ?? {};
  }

  row(path: string): FileRow | undefined {
    const [folder, name] = splitPath(path);
    return this.filesOf(folder)[name];
  }

  setRow(path: string, row: FileRow | undefined): void {
    const [folder, name] = splitPath(path);
    const files = this.#changed.get(folder) ?? { ...this.filesOf(folder) };
    if (row) files[name] = row;
    else delete files[name];
    this.#changed.set(folder, files);
  }

  /** The key that the file claimed when it was last read. */
  claimOf(path: string): string | undefined {
    const row = this.row(path);
    if (!row) return undefined;
    return row[2] === undefined ? keyOfPath(path) : (row[2] ?? undefined);
  }

  /** Writes the changed rows into the text. */
  flush(): void {
    for (const [folder, files] of this.#changed) {
      const rows = Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1));
      this.#text.set('files', folder, rows.length > 0 ? Object.fromEntries(rows) : undefined);
    }
  }
}

export function rowOf(path: string, state: { mtime: number; size: number }, key: string | undefined): FileRow {
  const { mtime, size } = state;
  if (key === undefined) return [mtime, size, null];
  return key === keyOfPath(path) ? [mtime, size] : [mtime, size, key];
}

/** The key of a file that is named after it: `nodes/tasks/task-a.md`, `decisions/use-jwt.json`. */
function keyOfPath(path: string): string {
  const [folder, name] = splitPath(path);
  return name.endsWith('.json') ? `record:${folder}/${name.slice(0, -5)}` : name.replace(/\.md$/, '');
}

export function splitPath(path: string): [folder: string, name: string] {
  const at = path.lastIndexOf('/');
  return [path.slice(0, Math.max(0, at)), path.slice(at + 1)];
}

/** Two notes may not claim the same id, whatever its case; the key of a record is its path. */
export const claim = (key: string): string => (isRecordKey(key) ? key : key.toLowerCase());
