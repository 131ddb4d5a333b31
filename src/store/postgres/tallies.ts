// What a batch changes in the tables of words: gathered document by document, written in a few statements at its end.

import type { Session } from './driver.ts';
import type { FacetField } from './filter.ts';
import { ALL_DOCUMENTS, ALL_LENGTHS, facetWord, type Indexed, postingsOf } from './tally-words.ts';

type Place = { readonly id: number; readonly shelf: number; readonly scope: { readonly id: number } };
type Facet = { readonly field: FacetField; readonly value: string };

/** Statements stay of a size that a server takes well. */
const AT_ONCE = 50_000;

type Postings = { shelf: number[]; word: string[]; document: number[]; tf: number[] };
const none = (): Postings => ({ shelf: [], word: [], document: [], tf: [] });

export class Tallies {
  readonly #session: Session;
  #added = none();
  #removed = none();
  readonly #fresh = new Set<number>();
  /** By scope and word. */
  readonly #differences = new Map<string, { scope: number; word: string; by: number }>();

  constructor(session: Session) {
    this.#session = session;
  }

  get size(): number {
    return this.#added.word.length + this.#removed.word.length;
  }

  /** To be called before words of these documents are removed: what the batch has added of them must be written by then. */
  async settle(ids: readonly number[]): Promise<void> {
    if (ids.some((id) => this.#fresh.has(id))) await this.flush();
  }

  add(place: Place, text: Indexed, facets: readonly Facet[]): void {
    this.#fresh.add(place.id);
    this.#change(place, text, facets, 1);
  }

  remove(place: Place, text: Indexed, facets: readonly Facet[]): void {
    this.#change(place, text, facets, -1);
  }

  #change({ id, shelf, scope }: Place, text: Indexed, facets: readonly Facet[], by: 1 | -1): void {
    const list = by === 1 ? this.#added : this.#removed;
    for (const [word, tf] of postingsOf(text)) {
      list.shelf.push(shelf);
      list.word.push(word);
      list.document.push(id);
      list.tf.push(tf);
      this.#count(scope.id, word, by);
    }
    for (const { field, value } of facets) this.#count(scope.id, facetWord(field, value), by);
    this.#count(scope.id, ALL_DOCUMENTS, by);
    this.#count(scope.id, ALL_LENGTHS, by * text.length);
  }

  #count(scope: number, word: string, by: number): void {
    const key = `${scope} ${word}`;
    const known = this.#differences.get(key);
    if (known) known.by += by;
    else this.#differences.set(key, { scope, word, by });
  }

  /** What is removed goes first: a document may come back with the same words. */
  async flush(): Promise<void> {
    const { shelf, word, document } = this.#removed;
    for (let from = 0; from < word.length; from += AT_ONCE) {
      const to = from + AT_ONCE;
      await this.#session.query(
        `DELETE FROM posting p USING unnest(?::integer[], string_to_array(?, ' '), ?::bigint[]) AS x(shelf, word, document)
         WHERE p.shelf = x.shelf AND p.word = x.word AND p.document = x.document`,
        [shelf.slice(from, to), word.slice(from, to).join(' '), document.slice(from, to)],
      );
    }
    const added = this.#added;
    for (let from = 0; from < added.word.length; from += AT_ONCE) {
      const to = from + AT_ONCE;
      await this.#session.query(
        `INSERT INTO posting (shelf, word, document, tf)
         SELECT * FROM unnest(?::integer[], string_to_array(?, ' '), ?::bigint[], ?::bigint[])`,
        [
          added.shelf.slice(from, to),
          added.word.slice(from, to).join(' '),
          added.document.slice(from, to),
          added.tf.slice(from, to),
        ],
      );
    }
    await this.#writeCounts([...this.#differences.values()].filter(({ by }) => by !== 0));
    this.#added = none();
    this.#removed = none();
    this.#differences.clear();
    this.#fresh.clear();
  }

  async #writeCounts(changes: readonly { scope: number; word: string; by: number }[]): Promise<void> {
    if (changes.length === 0) return;
    const values = [changes.map(({ scope }) => scope), changes.map(({ word }) => word), changes.map(({ by }) => by)];
    await this.#session.query(
      `INSERT INTO tally (scope, word, documents)
       SELECT * FROM unnest(?::integer[], ?::text[], ?::bigint[]) AS x(scope, word, documents) ORDER BY scope, word
       ON CONFLICT (scope, word) DO UPDATE SET documents = tally.documents + excluded.documents`,
      values,
    );
    const fewer = changes.filter(({ by }) => by < 0);
    if (fewer.length === 0) return;
    await this.#session.query(
      `DELETE FROM tally t USING unnest(?::integer[], ?::text[]) AS x(scope, word)
       WHERE t.scope = x.scope AND t.word = x.word AND t.documents <= 0`,
      [fewer.map(({ scope }) => scope), fewer.map(({ word }) => word)],
    );
  }
}
