// Reads what can still be read of a damaged database, without changing it. Each way to a row may be broken at another place, so rows are
// looked for through the table and through its indexes, and each is read by itself: one that cannot be read costs no other.

import fs from 'node:fs';
import { messageOf } from '../../errors.ts';
import { parseJson } from '../../model/json.ts';
import { checkChanges } from '../check-changes.ts';
import type { DamagedRows, DamagedStore, Put } from '../damaged-store.ts';
import type { Change, Document, Json } from '../store.ts';
import { type Driver, openDriver, type Row, type SqlValue } from './driver.ts';
import { columnsOf } from './newer-schema.ts';
import { columnList, NEEDED, READ, versionsAside } from './older-tables.ts';

/** Rows on one page at most, and more tries than any gap is worth. */
const ROWS_OF_A_PAGE = 64;
const MOST_PROBES = 200_000;
const LAYER = 'trace';

/** Throws what SQLite says where nothing of it can be read. */
export class DamagedDatabase implements DamagedStore {
  readonly #driver: Driver;
  readonly #columns: ReadonlyMap<string, string>;
  readonly #facets: ReadonlyMap<number, string>;
  readonly #sources: ReadonlyMap<number, string>;
  /** What the index of names calls each row. */
  readonly #refs: ReadonlyMap<number, string>;
  /** Rows by the number of their source; `undefined`: nobody knows. */
  readonly #ids = new Map<number | undefined, number[]>();
  #isWhole = true;
  #probes = 0;

  private constructor(driver: Driver) {
    this.#driver = driver;
    // The index of words is none of them: where its own pages are damaged, nobody can even ask for its columns.
    const there = columnsOf(driver, Object.keys(READ));
    const missing = Object.entries(NEEDED).filter(([table, names]) =>
      names.some((name) => !there.get(table)?.has(name)),
    );
    if (missing.length > 0) throw new Error(`the table ${missing[0]![0]} is not there`);
    this.#columns = new Map(
      Object.entries(READ).map(([table, names]) => [table, columnList(names, there.get(table)!)]),
    );
    if (versionsAside(driver).length > 0) this.#isWhole = false; // what was not taken over before stays for somebody else to read
    this.#facets = this.#names('facet', 'value');
    this.#sources = this.#names('source', 'file');
    const named = this.#all('SELECT id, ref FROM document INDEXED BY sqlite_autoindex_document_1').rows;
    this.#refs = new Map(named.map(({ id, ref }) => [Number(id), String(ref)]));
    this.#findRows();
  }

  static open(file: string): DamagedDatabase {
    const driver = openDriver(file, { readOnly: true });
    try {
      driver.exec('PRAGMA temp_store = MEMORY');
      return new DamagedDatabase(driver);
    } catch (error) {
      driver.close();
      throw error;
    }
  }

  /** False where there may have been rows that nobody can name. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Files that rows came from. */
  files(): string[] {
    return [...new Set([...this.#ids.keys()].flatMap((source) => this.#sources.get(source ?? -1) ?? []))].sort();
  }

  /** `undefined` also where it cannot be read. */
  state(key: string): string | undefined {
    const found = this.#all('SELECT value FROM state WHERE key = ?', key).rows[0]?.value;
    return typeof found === 'string' ? found : undefined;
  }

  /** The rows of one conversation. */
  rowsOf(file: string): DamagedRows {
    const ids = [...this.#sources].flatMap(([id, name]) => (name === file ? (this.#ids.get(id) ?? []) : []));
    const puts: Put[] = [];
    let lost = 0;
    for (const id of ids) {
      const row = this.#row(id);
      const layer = this.#facets.get(Number(row?.layer));
      if (layer !== undefined && layer !== LAYER) continue;
      const read = row && this.#document(row, file);
      const put = read && this.#put(row, read.document);
      if (put) puts.push(put.change);
      if (!put?.isWhole || !read?.isWhole) lost++;
    }
    return { puts, lost };
  }

  close(): void {
    this.#driver.close();
  }

  /** Through the table, and through the index that holds the same. */
  #names(table: string, column: string): Map<number, string> {
    const names = new Map<number, string>();
    const tries = ['NOT INDEXED', `INDEXED BY sqlite_autoindex_${table}_1`].map((how) => {
      const { rows, isWhole } = this.#all(`SELECT id, ${column} AS name FROM ${table} ${how}`);
      for (const { id, name } of rows)
        if (typeof name === 'string' && !names.has(Number(id))) names.set(Number(id), name);
      return isWhole ? rows.length : undefined;
    });
    if (!tries.includes(names.size)) this.#isWhole = false;
    return names;
  }

  #findRows(): void {
    const found = new Map<number, { source?: SqlValue | undefined; layer?: SqlValue | undefined }>();
    const note = (rows: readonly Row[]): void => {
      for (const { id, ...rest } of rows) found.set(Number(id), { ...found.get(Number(id)), ...rest });
    };
    const indexes = this.#all(`SELECT name FROM pragma_index_list('document') WHERE partial = 0`).rows;
    const whole: number[] = [];
    for (const { name } of indexes)
      for (const order of ['', 'DESC']) {
        const first = this.#all('SELECT name FROM pragma_index_info(?) ORDER BY seqno', String(name)).rows;
        const layer = first.some((each) => each.name === 'layer') ? ', layer' : '';
        const by = first.map((each) => `"${String(each.name)}" ${order}`).join(', ');
        const { rows, isWhole } = this.#all(
          `SELECT id${layer} FROM document INDEXED BY "${String(name)}" ORDER BY ${by}`,
        );
        note(rows);
        if (isWhole) whole.push(new Set(rows.map(({ id }) => id)).size);
        if (isWhole) break; // the other direction finds no more
      }
    for (const order of ['', 'DESC'])
      note(this.#all(`SELECT id, source FROM document WHERE source IS NOT NULL ORDER BY source ${order}`).rows);
    const table = this.#table('id > ?', Number.MIN_SAFE_INTEGER, '');
    const inTable = new Map<number, SqlValue | undefined>();
    const doubtful = new Set<number>();
    const noteTable = (rows: readonly Row[]): void => {
      note(rows);
      for (const { id, source } of rows) {
        if (inTable.has(Number(id)) && inTable.get(Number(id)) !== source) doubtful.add(Number(id));
        inTable.set(Number(id), source);
      }
    };
    noteTable(table.rows);
    if (table.isWhole) whole.push(table.rows.length);
    else {
      const behind = this.#table('id > ?', Number.MIN_SAFE_INTEGER, 'DESC').rows;
      noteTable(behind);
      // Between the two, each number is tried only where no index tells which there are.
      if (whole.length === 0) noteTable(this.#between(lastId(table.rows) ?? 0, lastId(behind) ?? this.#bound(found)));
    }
    // An index names rows between two damaged pages, and says wrongly where they are from where it is damaged itself; and a row whose own
    // number is damaged goes by the number of another. Each of these is asked by itself.
    for (const id of found.keys())
      if (!inTable.has(id) || doubtful.has(id))
        note(this.#all('SELECT id, source, layer FROM document NOT INDEXED WHERE id = ?', id).rows);
    // Two that agree: one alone may be damaged so that it leaves rows out without a word.
    if (whole.length < 2 || whole.some((count) => count !== found.size)) this.#isWhole = false;
    for (const [id, { source, layer }] of found) {
      if (layer !== undefined && this.#facets.has(Number(layer)) && this.#facets.get(Number(layer)) !== LAYER) continue;
      const from = typeof source === 'number' ? source : undefined;
      const others = this.#ids.get(from);
      if (others) others.push(id);
      else this.#ids.set(from, [id]);
    }
    // Rows of no source are those of somebody whom nobody knows, unless they can be read and say that they have none.
    for (const id of this.#ids.get(undefined) ?? [])
      if (this.#all('SELECT source FROM document WHERE id = ?', id).rows[0]?.source !== null) this.#isWhole = false;
    for (const source of this.#ids.keys())
      if (source !== undefined && !this.#sources.has(source)) this.#isWhole = false;
  }

  #table(where: string, from: number, order: string): { rows: Row[]; isWhole: boolean } {
    return this.#all(`SELECT id, source, layer FROM document NOT INDEXED WHERE ${where} ORDER BY id ${order}`, from);
  }

  /** Rows whose numbers lie between two that lead to pages which cannot be read. */
  #between(low: number, high: number): Row[] {
    if (high - low <= 1 || this.#probes++ > MOST_PROBES) return [];
    const middle = Math.floor((low + high) / 2);
    const ahead = this.#table(`id < ${high} AND id >= ?`, middle, '');
    const back = this.#table(`id > ${low} AND id < ?`, middle, 'DESC');
    return [
      ...ahead.rows,
      ...back.rows,
      ...(back.isWhole ? [] : this.#between(low, lastId(back.rows) ?? middle)),
      ...(ahead.isWhole ? [] : this.#between(lastId(ahead.rows) ?? middle, high)),
    ];
  }

  #bound(found: ReadonlyMap<number, unknown>): number {
    const pages = Number(this.#all('PRAGMA page_count').rows[0]?.page_count ?? 0);
    return Math.max(0, ...found.keys()) + pages * ROWS_OF_A_PAGE;
  }

  #row(id: number): Row | undefined {
    return this.#all(`SELECT ${this.#columns.get('document')!} FROM document NOT INDEXED WHERE id = ?`, id).rows[0];
  }

  /** What is not as it may be is left out of it, unless it is what the row is about. */
  #document(row: Row, file: string): { document: Document; isWhole: boolean } | undefined {
    const [project, layer, kind, status] = [row.project, row.layer, row.kind, row.status].map((each) =>
      this.#facets.get(Number(each)),
    );
    const needed = {
      ...{ project, layer: layer ?? LAYER, kind, status: status ?? 'active', ref: row.ref, title: row.title },
      ...{ text: row.text, hash: row.hash, createdAt: row.created_at, updatedAt: row.updated_at },
      ...{ tags: [], confidence: 0.5, source: { file } },
    } as unknown as Document;
    if (typeof row.title !== 'string' || typeof row.text !== 'string') return undefined;
    if (!isSound({ op: 'put', document: needed })) return undefined;
    const [tags, meta] = [row.tags, row.meta].map(jsonOr);
    const others = Object.entries({
      ...{ tags, meta, context: row.context, session: row.session, span: row.span, confidence: row.confidence },
      source: { file, ...(row.line === null ? {} : { line: row.line }) },
    }).filter(([, value]) => value !== null);
    const fitting = others.filter(
      ([name, value]) =>
        typeof value === KIND_OF[name] && isSound({ op: 'put', document: { ...needed, [name]: value } as Document }),
    );
    // SQLite keeps no sums: that a name is another one now, only the index of names can tell.
    const isNamed = (this.#refs.get(Number(row.id)) ?? row.ref) === row.ref;
    const isWhole = isNamed && fitting.length === others.length && layer !== undefined && status !== undefined;
    return { document: { ...needed, ...Object.fromEntries(fitting) } as Document, isWhole };
  }

  #put({ id, project }: Row, document: Document): { change: Put; isWhole: boolean } {
    const from = this.#all(
      `SELECT ${this.#columns.get('link')!} FROM link WHERE project = ? AND from_ref = ?`,
      project!,
      document.ref,
    );
    const links = from.rows.map(({ to_ref: to, relation, confidence, rule }) => ({
      ...{ to: String(to), relation: String(relation), confidence: Number(confidence ?? 1) },
      ...(typeof rule === 'string' ? { rule } : {}),
    }));
    const named = this.#all(
      'SELECT e.name, e.kind, m.count FROM mention m CROSS JOIN entity e ON e.id = m.entity WHERE m.document = ?',
      id!,
    );
    const mentions = named.rows.map(({ name, kind, count }) => ({
      ...{ entity: String(name), kind: String(kind), count: Number(count) },
    }));
    const sound = {
      links: links.filter((each) => isSound({ op: 'put', document, links: [each] })),
      mentions: mentions.filter((each) => isSound({ op: 'put', document, mentions: [each] })),
    };
    // Nothing that was stored has such a character: a page of zeros is in it.
    const isText = !`${document.title}${document.text}${document.context ?? ''}`.includes('\0');
    const isAll = sound.links.length === links.length && sound.mentions.length === mentions.length;
    return { isWhole: from.isWhole && named.isWhole && isText && isAll, change: { op: 'put', document, ...sound } };
  }

  /** All rows until one cannot be read. */
  #all(sql: string, ...values: readonly SqlValue[]): { rows: Row[]; isWhole: boolean } {
    const rows: Row[] = [];
    try {
      for (const row of this.#driver.prepare(sql).iterate(...values)) rows.push(row);
      return { rows, isWhole: true };
    } catch {
      return { rows, isWhole: false };
    }
  }
}

const lastId = (rows: readonly Row[]): number | undefined => (rows.length > 0 ? Number(rows.at(-1)!.id) : undefined);

const KIND_OF: { readonly [field: string]: string } = {
  ...{ tags: 'object', meta: 'object', source: 'object' },
  ...{ context: 'string', session: 'string', span: 'string', confidence: 'number' },
};

/** `undefined`: it is none any more. */
const jsonOr = (value: SqlValue | undefined): Json | undefined =>
  value === null || value === undefined ? null : (parseJson(String(value)) as Json | undefined);

function isSound(change: Change): boolean {
  try {
    checkChanges([change]);
    return true;
  } catch {
    return false;
  }
}

/** No row fits into less. */
const SMALLEST_PAGE = 512;
const HEADER_BYTES = 100;
/** A number of pages that was damaged itself must not fill the disk. */
const MOST_TIMES = 16;

/** Why nothing of it can be read, or what can. `undefined`: it is too short to hold anything. */
export function openDamaged(file: string): DamagedDatabase | string | undefined {
  try {
    if (fs.statSync(file).size < SMALLEST_PAGE) return undefined;
    fillUp(file);
    return DamagedDatabase.open(file);
  } catch (error) {
    return messageOf(error);
  }
}

/** SQLite reads nothing of a file that was cut off; of one whose last pages are empty it reads the others. */
function fillUp(file: string): void {
  const header = Buffer.alloc(HEADER_BYTES);
  const descriptor = fs.openSync(file, 'r+');
  try {
    fs.readSync(descriptor, header, 0, HEADER_BYTES, 0);
    const size = fs.fstatSync(descriptor).size;
    const page = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
    const whole = page * header.readUInt32BE(28);
    if (header.toString('latin1', 0, 15) === 'SQLite format 3' && whole > size && whole <= MOST_TIMES * size)
      fs.ftruncateSync(descriptor, whole);
  } finally {
    fs.closeSync(descriptor);
  }
}
