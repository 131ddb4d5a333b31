// The files that a graph was made of, folder by folder: when each was last changed, how large it is, and which id it claims.
// It answers "what changed?" without opening a file. Each folder is kept as columns, because ten thousand small lists would take
// longer to read than the folders themselves.

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

/** One entry of `files` in graph.json. */
type Columns = {
  /** Sorted; the other columns go with them. */
  readonly names: readonly string[];
  readonly times: readonly number[];
  readonly sizes: readonly number[];
  /** Only of those that are not named after their id. */
  readonly ids?: { readonly [name: string]: string | null };
};

class FolderFiles {
  readonly #columns: Columns;
  readonly #edits = new Map<string, FileRow | undefined>();
  /** Whoever asks for one name mostly asks for the next one then. */
  #next = 0;

  constructor(columns: Columns = { names: [], times: [], sizes: [] }) {
    this.#columns = columns;
  }

  get isChanged(): boolean {
    return this.#edits.size > 0;
  }

  get(name: string): FileRow | undefined {
    if (this.#edits.has(name)) return this.#edits.get(name);
    const at = this.indexOf(name);
    return at === -1 ? undefined : this.#rowAt(at);
  }

  set(name: string, row: FileRow | undefined): void {
    this.#edits.set(name, row);
  }

  /** Where the file stands; -1 if it was not there. */
  indexOf(name: string): number {
    const { names } = this.#columns;
    if (names[this.#next] === name) return this.#next++;
    let [low, high] = [0, names.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (names[middle]! < name) low = middle + 1;
      else high = middle;
    }
    if (names[low] !== name) return -1;
    this.#next = low + 1;
    return low;
  }

  /** Whether the file there had this time and this size. */
  matches(at: number, mtime: number, size: number): boolean {
    return this.#columns.times[at] === mtime && this.#columns.sizes[at] === size;
  }

  /** How many files there were. */
  get size(): number {
    return this.#columns.names.length;
  }

  /** All names, sorted. */
  names(): string[] {
    if (!this.isChanged) return [...this.#columns.names];
    const names = this.#columns.names.filter((name) => !this.#edits.has(name));
    for (const [name, row] of this.#edits) if (row) names.push(name);
    return names.sort();
  }

  toColumns(): Columns | undefined {
    const names = this.names();
    if (names.length === 0) return undefined;
    const rows = names.map((name) => this.get(name)!);
    const ids = names.flatMap((name, at) => (rows[at]![2] === undefined ? [] : [[name, rows[at]![2]] as const]));
    return {
      names,
      times: rows.map(([mtime]) => mtime),
      sizes: rows.map(([, size]) => size),
      ...(ids.length > 0 ? { ids: Object.fromEntries(ids) } : {}),
    };
  }

  #rowAt(at: number): FileRow {
    const { names, times, sizes, ids } = this.#columns;
    const [mtime, size] = [times[at]!, sizes[at]!];
    return ids && Object.hasOwn(ids, names[at]!) ? [mtime, size, ids[names[at]!]!] : [mtime, size];
  }
}

export class FileTable {
  readonly #text: GraphText;
  readonly #folders = new Map<string, FolderFiles>();

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
    const known = this.#folders.get(folder);
    if (known) return known;
    const files = new FolderFiles(this.#text.get('files', folder) as Columns | undefined);
    this.#folders.set(folder, files);
    return files;
  }

  row(path: string): FileRow | undefined {
    const [folder, name] = splitPath(path);
    return this.filesOf(folder).get(name);
  }

  setRow(path: string, row: FileRow | undefined): void {
    const [folder, name] = splitPath(path);
    this.filesOf(folder).set(name, row);
  }

  /** The key that the file claimed when it was last read. */
  claimOf(path: string): string | undefined {
    const row = this.row(path);
    if (!row) return undefined;
    return row[2] === undefined ? keyOfPath(path) : (row[2] ?? undefined);
  }

  /** Writes the changed rows into the text. */
  flush(): void {
    for (const [name, files] of this.#folders) if (files.isChanged) this.#text.set('files', name, files.toColumns());
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
