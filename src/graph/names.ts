// Which node a link means. A note answers to its id and a record to its slug, in any case; a folder before the name chooses
// among several.

import { noteKind } from '../model/notes.ts';
import { type EntryLink, isRecordKey, nameOf } from './graph-node.ts';

type Named = { readonly key: string; readonly type: string };

export class Names {
  readonly #byName = new Map<string, readonly Named[]>();

  /** `types` is the section of graph.json: every key is in it once. */
  constructor(types: Iterable<readonly [type: string, keys: readonly string[]]> = []) {
    for (const [type, keys] of types) for (const key of keys) this.add(key, type);
  }

  /** Every key of this name, notes first. */
  of(name: string): readonly Named[] {
    return this.#byName.get(name.toLowerCase()) ?? [];
  }

  add(key: string, type: string): void {
    const name = nameOf(key);
    const others = this.#byName.get(name);
    this.#byName.set(name, others ? [...others, { key, type }].sort(notesFirst) : [{ key, type }]);
  }

  remove(key: string): void {
    const name = nameOf(key);
    const rest = this.of(name).filter((each) => each.key !== key);
    if (rest.length > 0) this.#byName.set(name, rest);
    else this.#byName.delete(name);
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

  get names(): IterableIterator<string> {
    return this.#byName.keys();
  }
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
