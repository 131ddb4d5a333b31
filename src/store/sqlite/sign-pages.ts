// The index for vector search, built to be scanned: of each vector only the signs of its numbers (48 bytes instead of
// 1,536), 512 documents to a row, in one series of rows per model, project, layer and kind. It only proposes
// candidates, and nearest.ts asks the documents themselves. So writing is appending: an entry whose document has
// changed or gone is harmless, and a series that has become mostly such entries is written anew.

import type { Driver, Row } from './driver.ts';
import { floatsOf } from './vector-block.ts';

const PAGE_ENTRIES = 512;

/** Where a document's entry belongs. */
export type Series = {
  readonly model: number;
  readonly project: number;
  readonly layer: number;
  readonly kind: number;
};

type Entry = { readonly id: number; readonly signs: Uint32Array };

/** One bit per number, in whole 32-bit words. */
export function signsOf(vector: Float32Array): Uint32Array {
  const signs = new Uint32Array((vector.length + 31) >> 5);
  for (let at = 0; at < vector.length; at++) {
    if (vector[at]! > 0) signs[at >> 5]! |= 1 << (at & 31);
  }
  return signs;
}

/** Collects the entries of one batch, so that each series is written once. */
export class SignPages {
  readonly #driver: Driver;
  readonly #waiting = new Map<string, { series: Series; entries: Entry[] }>();

  constructor(driver: Driver) {
    this.#driver = driver;
  }

  add(series: Series, id: number, vector: Float32Array): void {
    const key = `${series.model} ${series.project} ${series.layer} ${series.kind}`;
    let waiting = this.#waiting.get(key);
    if (!waiting) {
      waiting = { series, entries: [] };
      this.#waiting.set(key, waiting);
    }
    waiting.entries.push({ id, signs: signsOf(vector) });
  }

  flush(): void {
    for (const { series, entries } of this.#waiting.values()) this.#append(series, entries);
    this.#waiting.clear();
  }

  /** Every series anew, from the documents and vectors that there are: nothing of those that are gone stays behind. */
  rewriteAll(): void {
    this.flush();
    const series = this.#driver.prepare('SELECT DISTINCT model, project, layer, kind FROM near').all();
    for (const { model, project, layer, kind } of series)
      this.#rewrite({ model: Number(model), project: Number(project), layer: Number(layer), kind: Number(kind) });
  }

  #append(series: Series, entries: readonly Entry[]): void {
    const last = this.#lastPage(series);
    let page = last ? Number(last.page) : 0;
    let filled = last ? entriesOf(last) : [];
    if (filled.length + entries.length > PAGE_ENTRIES && this.#isMostlyStale(series, page)) {
      this.#rewrite(series);
      return;
    }
    for (let at = 0; at < entries.length; ) {
      if (filled.length === PAGE_ENTRIES) {
        page++;
        filled = [];
      }
      const taken = entries.slice(at, at + PAGE_ENTRIES - filled.length);
      at += taken.length;
      filled = [...filled, ...taken];
      this.#write(series, page, filled);
    }
  }

  #lastPage({ model, project, layer, kind }: Series): Row | undefined {
    return this.#driver
      .prepare(
        `SELECT page, ids, signs FROM near WHERE model = ? AND project = ? AND layer = ? AND kind = ?
         ORDER BY page DESC LIMIT 1`,
      )
      .get(model, project, layer, kind);
  }

  #isMostlyStale({ project, layer, kind }: Series, page: number): boolean {
    const live = this.#driver
      .prepare('SELECT COUNT(*) AS n FROM document WHERE project = ? AND kind = ? AND layer = ?')
      .get(project, kind, layer);
    return (page + 1) * PAGE_ENTRIES > 2 * Number(live?.n) + PAGE_ENTRIES;
  }

  /** From the documents and their vectors, which hold the new entries already. */
  #rewrite(series: Series): void {
    const { model, project, layer, kind } = series;
    this.#driver
      .prepare('DELETE FROM near WHERE model = ? AND project = ? AND layer = ? AND kind = ?')
      .run(model, project, layer, kind);
    const rows = this.#driver
      .prepare(
        `SELECT d.id, e.vector FROM document d JOIN embedding e ON e.model = ? AND e.hash = d.hash
         WHERE d.project = ? AND d.kind = ? AND d.layer = ? ORDER BY d.id`,
      )
      .all(model, project, kind, layer);
    const entries = rows.map((row) => ({ id: Number(row.id), signs: signsOf(floatsOf(row.vector)) }));
    for (let page = 0; page * PAGE_ENTRIES < entries.length; page++) {
      this.#write(series, page, entries.slice(page * PAGE_ENTRIES, (page + 1) * PAGE_ENTRIES));
    }
  }

  #write({ model, project, layer, kind }: Series, page: number, entries: readonly Entry[]): void {
    const width = entries[0]?.signs.length ?? 0;
    const ids = new Uint32Array(entries.length);
    const signs = new Uint32Array(entries.length * width);
    entries.forEach((entry, at) => {
      ids[at] = entry.id;
      signs.set(entry.signs, at * width);
    });
    this.#driver
      .prepare(
        'INSERT OR REPLACE INTO near (model, project, layer, kind, page, ids, signs) VALUES (?, ?, ?, ?, ?, ?, ?)',
      )
      .run(model, project, layer, kind, page, new Uint8Array(ids.buffer), new Uint8Array(signs.buffer));
  }
}

/** A blob of 32-bit numbers, without a copy where it lies on a number's border. */
export function wordsOf(blob: Row[string] | undefined): Uint32Array {
  const bytes = blob instanceof Uint8Array ? blob : new Uint8Array();
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : Uint8Array.from(bytes);
  return new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength >> 2);
}

function entriesOf(row: Row): Entry[] {
  const ids = wordsOf(row.ids);
  const signs = wordsOf(row.signs);
  const width = signs.length / Math.max(1, ids.length);
  return Array.from(ids, (id, at) => ({ id, signs: signs.slice(at * width, (at + 1) * width) }));
}
