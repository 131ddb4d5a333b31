// The names behind the numbers: project, layer, kind and status of a document are stored as facet ids. This table is
// small and asked for in every query, so a connection remembers it until another connection has written.

import type { Driver } from './driver.ts';

export const FACET_FIELDS = ['project', 'layer', 'kind', 'status'] as const;
export type FacetField = (typeof FACET_FIELDS)[number];

type Facet = { readonly id: number; readonly field: string; readonly value: string; documents: number };

export class Facets {
  readonly #driver: Driver;
  readonly #byId = new Map<number, Facet>();
  readonly #byName = new Map<string, Facet>();
  #version = -1;

  constructor(driver: Driver) {
    this.#driver = driver;
  }

  /** To be called where a read or a write begins. */
  refresh(): void {
    const version = Number(this.#driver.prepare('PRAGMA data_version').get()?.data_version);
    if (version === this.#version) return;
    this.reload();
    this.#version = version;
  }

  /** Another value after every write to the database, by this connection or, as of the last refresh, by others. */
  writes(): string {
    return `${this.#version} ${this.#driver.prepare('SELECT total_changes() AS own').get()?.own}`;
  }

  /** After a batch that failed: what was remembered of it never happened. */
  forget(): void {
    this.#version = -1;
  }

  reload(): void {
    this.#byId.clear();
    this.#byName.clear();
    for (const row of this.#driver.prepare('SELECT id, field, value, documents FROM facet').all()) {
      this.#remember({
        id: Number(row.id),
        field: String(row.field),
        value: String(row.value),
        documents: Number(row.documents),
      });
    }
  }

  valueOf(id: number): string {
    return this.#byId.get(id)?.value ?? '';
  }

  /** The ids of those values that any document has; undefined values stand for all of the field. */
  idsOf(field: FacetField, values: readonly string[] | undefined): number[] {
    const all = [...this.#byId.values()].filter((facet) => facet.field === field);
    const wanted = values === undefined ? undefined : new Set(values);
    return all.filter((facet) => wanted === undefined || wanted.has(facet.value)).map((facet) => facet.id);
  }

  /** How many documents have one of these facets of one field. */
  documentsOf(ids: readonly number[]): number {
    return ids.reduce((sum, id) => sum + (this.#byId.get(id)?.documents ?? 0), 0);
  }

  totalDocuments(): number {
    return this.documentsOf(this.idsOf('project', undefined));
  }

  /** The id of a value, made if it is new. Only inside a transaction. */
  intern(field: FacetField, value: string): number {
    const known = this.#byName.get(`${field}\0${value}`);
    if (known) return known.id;
    const { lastInsertRowid } = this.#driver
      .prepare('INSERT INTO facet (field, value) VALUES (?, ?)')
      .run(field, value);
    const facet: Facet = { id: Number(lastInsertRowid), field, value, documents: 0 };
    this.#remember(facet);
    return facet.id;
  }

  count(id: number, difference: number): void {
    const facet = this.#byId.get(id);
    if (facet) facet.documents += difference;
  }

  /** Writes the counts of these facets; those that no document has any more are removed. True if there were such. */
  save(ids: Iterable<number>): boolean {
    let removed = false;
    for (const id of ids) {
      const facet = this.#byId.get(id);
      if (!facet) continue;
      if (facet.documents > 0) {
        this.#driver.prepare('UPDATE facet SET documents = ? WHERE id = ?').run(facet.documents, id);
        continue;
      }
      this.#driver.prepare('DELETE FROM facet WHERE id = ?').run(id);
      this.#byId.delete(id);
      this.#byName.delete(`${facet.field}\0${facet.value}`);
      removed = true;
    }
    return removed;
  }

  #remember(facet: Facet): void {
    this.#byId.set(facet.id, facet);
    this.#byName.set(`${facet.field}\0${facet.value}`, facet);
  }
}

/** The word that marks a facet in the full-text index. Text cannot give it: index-words.ts keeps no private-use characters. */
export function facetWord(id: number): string {
  return `\uE000${id}`;
}
