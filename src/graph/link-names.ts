// Which node a link means. A note answers to its id and a record to its slug, in any case; a folder before the name chooses
// among several.

import { noteKind } from '../model/notes.ts';
import { type EntryLink, type GraphNode, isRecordKey, nameOf, recordKey } from './graph-node.ts';
import type { GraphText } from './graph-text.ts';

type Named = { readonly key: string; readonly type: string };

/** Looked up in graph.json name by name: making a list of all names first would take longer than most questions. */
export class LinkNames {
  readonly #text: GraphText;
  readonly #known = new Map<string, readonly Named[]>();
  #recordFolders: readonly string[] | undefined;

  constructor(text: GraphText) {
    this.#text = text;
  }

  /** Every key of this name, notes first. */
  of(name: string): readonly Named[] {
    const plain = name.toLowerCase();
    const known = this.#known.get(plain);
    if (known) return known;
    const stored = this.#stored(plain);
    this.#known.set(plain, stored);
    return stored;
  }

  add(key: string, type: string): void {
    const name = nameOf(key);
    const others = this.of(name);
    this.#known.set(name, others.length === 0 ? [{ key, type }] : [...others, { key, type }].sort(notesFirst));
  }

  remove(key: string): void {
    const name = nameOf(key);
    this.#known.set(
      name,
      this.of(name).filter((each) => each.key !== key),
    );
  }

  /** A key in lower case is found under its name; the others are listed in `names`. */
  #stored(name: string): readonly Named[] {
    if (this.#text.nodeCount === 0) return [];
    this.#recordFolders ??= recordFolders(this.#text);
    const plain = [name, ...this.#recordFolders.map((folder) => recordKey(folder, name))];
    const keys = [...plain, ...((this.#text.get('names', name) as string[] | undefined) ?? [])];
    const found = keys.flatMap((key): Named[] => {
      const node = this.#text.get('nodes', key) as GraphNode | undefined;
      return node ? [{ key, type: node.type }] : [];
    });
    return found.sort(notesFirst);
  }

  resolve(link: Pick<EntryLink, 'to' | 'in'>): string | undefined {
    const all = this.of(link.to);
    if (all.length === 0 || (all.length === 1 && link.in === undefined)) return all[0]?.key;
    const { layer, folder } = placeOf(link.in ?? '');
    const open = all.filter((each) => layer === undefined || isRecordKey(each.key) === (layer === 'record'));
    const there = open.find((each) => folder !== undefined && liesIn(each, folder));
    // A REF says exactly where; a mere folder is a hint, as in Obsidian.
    return (there ?? (layer === 'record' && folder !== undefined ? undefined : open[0]))?.key;
  }
}

function recordFolders(text: GraphText): string[] {
  const folders = [...text.entries('folders')] as [string, { category?: string }][];
  return folders.filter(([, row]) => row.category !== undefined).map(([name]) => name);
}

function placeOf(hint: string): { layer?: 'record' | 'note'; folder?: string } {
  const [, prefix, rest = ''] = /^(record|note)?:?(.*)$/i.exec(hint)!;
  const folders = rest.split('/').filter(Boolean);
  const folder = folders.at(-1)?.toLowerCase();
  const layer =
    prefix === undefined && folders.includes('nodes') ? 'note' : (prefix?.toLowerCase() as 'record' | 'note');
  return { ...(layer ? { layer } : {}), ...(folder ? { folder } : {}) };
}

function liesIn({ key, type }: Named, folder: string): boolean {
  return isRecordKey(key) ? key.toLowerCase().startsWith(`record:${folder}/`) : noteKind(type)?.folder === folder;
}

function notesFirst(a: Named, b: Named): number {
  return Number(isRecordKey(a.key)) - Number(isRecordKey(b.key)) || (a.key < b.key ? -1 : 1);
}
