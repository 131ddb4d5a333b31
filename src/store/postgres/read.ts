// Reads rows: documents by ref or by filter, links, entities, vectors, state, and the numbers about them.

import { compareText } from '../compare-text.ts';
import { cursorAt, ORDERS } from '../list-order.ts';
import type {
  Document,
  EntityCount,
  EntityQuery,
  GetQuery,
  Link,
  LinkQuery,
  ListQuery,
  Mention,
  MentionQuery,
  Page,
  StateQuery,
  StateRow,
  Stats,
  Vector,
  VectorsQuery,
} from '../store.ts';
import { vectorOf } from '../vector-bytes.ts';
import { afterCursor } from './after-cursor.ts';
import { DOCUMENT_COLUMNS, DOCUMENT_JOINS, documentOf } from './document-rows.ts';
import type { Driver } from './driver.ts';
import { conditionsOf, whereOf } from './filter.ts';
import type { Sql, View } from './view.ts';

const PAST_EVERY_CHARACTER = '\u{10FFFF}';

export class Reader {
  readonly #driver: Driver;
  readonly #view: View;

  constructor(driver: Driver, view: View) {
    this.#driver = driver;
    this.#view = view;
  }

  async get(query: GetQuery): Promise<Document[]> {
    const refs = [...new Set(query.refs)];
    if (refs.length === 0) return [];
    const filter = { refs, ...(query.projects === undefined ? {} : { projects: query.projects }) };
    const { sql, values } = whereOf(conditionsOf(filter, this.#view));
    const rows = await this.#driver.query(`SELECT ${DOCUMENT_COLUMNS} FROM document d ${DOCUMENT_JOINS}${sql}`, values);
    const places = new Map(refs.map((ref, place) => [ref, place]));
    const placeOf = (document: Document): number => places.get(document.ref) ?? 0;
    return rows.map(documentOf).sort((a, b) => placeOf(a) - placeOf(b) || compareText(a.project, b.project));
  }

  async list(query: ListQuery): Promise<Page> {
    const order = ORDERS[query.order ?? 'newest'];
    const limit = wholeLimit(query.limit);
    const conditions = conditionsOf(query.filter ?? {}, this.#view);
    if (query.cursor !== undefined) conditions.push(afterCursor(order, query.cursor));
    const { sql, values } = whereOf(conditions);
    const ordered = [...order.columns, 'p.project', 'd.ref'].join(', ');
    const rows = await this.#driver.query(
      `SELECT ${DOCUMENT_COLUMNS} FROM document d ${DOCUMENT_JOINS}${sql} ORDER BY ${ordered} LIMIT ?::bigint`,
      [...values, limit + 1],
    );
    const documents = rows.slice(0, limit).map(documentOf);
    const last = documents.at(-1);
    return rows.length > limit && last ? { documents, next: cursorAt(order, last) } : { documents };
  }

  async links(query: LinkQuery): Promise<Link[]> {
    if (query.refs.length === 0) return [];
    const direction = query.direction ?? 'both';
    const shelves = this.#view.shelves('seen', query.projects);
    const ends = (['from_ref', 'to_ref'] as const).filter((end) => direction !== (end === 'from_ref' ? 'in' : 'out'));
    const parts = ends.map(
      (end) => `SELECT * FROM link WHERE shelf = ANY (${shelves.sql}) AND ${end} = ANY (?::text[])`,
    );
    const values = ends.flatMap(() => [...shelves.values, query.refs]);
    const rows = await this.#driver.query(
      `SELECT p.project, l.from_ref, l.to_ref, l.relation, l.confidence, l.rule
       FROM (${parts.join(' UNION ')}) l JOIN shelf p ON p.id = l.shelf
       ${query.relations ? 'WHERE l.relation = ANY (?::text[])' : ''} ORDER BY p.project, l.from_ref, l.to_ref, l.relation`,
      query.relations ? [...values, query.relations] : values,
    );
    return rows.map((row) => ({
      project: String(row.project),
      from: String(row.from_ref),
      to: String(row.to_ref),
      relation: String(row.relation),
      confidence: Number(row.confidence),
      ...(typeof row.rule === 'string' ? { rule: row.rule } : {}),
    }));
  }

  async mentions(query: MentionQuery): Promise<Mention[]> {
    const shelves = this.#view.shelves('seen', query.projects);
    const conditions: Sql[] = [{ sql: `m.shelf = ANY (${shelves.sql})`, values: shelves.values }];
    if (query.refs) conditions.push({ sql: 'd.ref = ANY (?::text[])', values: [query.refs] });
    if (query.entities) conditions.push({ sql: 'm.name = ANY (?::text[])', values: [query.entities] });
    if (query.kinds) conditions.push({ sql: 'm.kind = ANY (?::text[])', values: [query.kinds] });
    const { sql, values } = whereOf(conditions);
    const rows = await this.#driver.query(
      `SELECT p.project, d.ref, m.name, m.kind, m.count FROM mention m
       JOIN document d ON d.id = m.document AND d.shelf = m.shelf JOIN shelf p ON p.id = m.shelf
       ${sql} ORDER BY m.count DESC, p.project, d.ref, m.name, m.kind LIMIT ?::bigint`,
      [...values, wholeLimit(query.limit)],
    );
    return rows.map((row) => ({
      project: String(row.project),
      ref: String(row.ref),
      entity: String(row.name),
      kind: String(row.kind),
      count: Number(row.count),
    }));
  }

  async entities(query: EntityQuery): Promise<EntityCount[]> {
    const shelves = this.#view.shelves('seen', query.projects);
    const conditions: Sql[] = [{ sql: `m.shelf = ANY (${shelves.sql})`, values: shelves.values }];
    if (query.names) conditions.push({ sql: 'm.name = ANY (?::text[])', values: [query.names] });
    if (query.kinds) conditions.push({ sql: 'm.kind = ANY (?::text[])', values: [query.kinds] });
    if (query.prefix !== undefined) conditions.push(beginsWith('m.name', query.prefix));
    const { sql, values } = whereOf(conditions);
    const rows = await this.#driver.query(
      `SELECT m.name, m.kind, COUNT(*) AS documents, SUM(m.count)::bigint AS count FROM mention m ${sql}
       GROUP BY m.name, m.kind ORDER BY documents DESC, m.name, m.kind LIMIT ?::bigint`,
      [...values, wholeLimit(query.limit)],
    );
    return rows.map((row) => ({
      name: String(row.name),
      kind: String(row.kind),
      documents: Number(row.documents),
      count: Number(row.count),
    }));
  }

  async vectors({ model, hashes }: VectorsQuery): Promise<Vector[]> {
    const scopes = this.#view.scopes('seen');
    const rows = await this.#driver.query(
      `SELECT DISTINCT ON (e.hash) e.hash, e.vector FROM embedding e JOIN model m ON m.id = e.model
       WHERE m.name = ? AND e.hash = ANY (?::text[]) AND e.scope = ANY (${scopes.sql}) ORDER BY e.hash, e.scope`,
      [model, hashes, ...scopes.values],
    );
    return rows.map((row) => ({ hash: String(row.hash), model, vector: floatsOf(row.vector) }));
  }

  async tokens({ model, hashes }: VectorsQuery): Promise<Map<string, Uint8Array>> {
    const scopes = this.#view.scopes('seen');
    const rows = await this.#driver.query(
      `SELECT DISTINCT ON (e.hash) e.hash, e.tokens FROM embedding e JOIN model m ON m.id = e.model
       WHERE m.name = ? AND e.hash = ANY (?::text[]) AND e.scope = ANY (${scopes.sql}) AND e.tokens IS NOT NULL
       ORDER BY e.hash, e.scope`,
      [model, hashes, ...scopes.values],
    );
    return new Map(rows.map((row) => [String(row.hash), bytesOf(row.tokens)]));
  }

  async state(query: StateQuery): Promise<StateRow[]> {
    const scopes = this.#view.scopes('here');
    const conditions: Sql[] = [{ sql: `scope = ANY (${scopes.sql})`, values: scopes.values }];
    if (query.keys) conditions.push({ sql: 'key = ANY (?::text[])', values: [query.keys] });
    if (query.prefix !== undefined) conditions.push(beginsWith('key', query.prefix));
    const { sql, values } = whereOf(conditions);
    const rows = await this.#driver.query(`SELECT key, value FROM state${sql} ORDER BY key`, values);
    return rows.map((row) => ({ key: String(row.key), value: String(row.value) }));
  }

  async stats(): Promise<Stats> {
    const shelves = this.#view.shelves('seen');
    const scopes = this.#view.scopes('seen');
    const [documents, vectors, others] = await Promise.all([
      this.#driver.query(
        `SELECT p.project, d.layer, d.kind, COUNT(*) AS count FROM document d JOIN shelf p ON p.id = d.shelf
         WHERE d.shelf = ANY (${shelves.sql}) GROUP BY p.project, d.layer, d.kind ORDER BY p.project, d.layer, d.kind`,
        shelves.values,
      ),
      this.#driver.query(
        `SELECT m.name, m.dimensions, COUNT(DISTINCT e.hash) AS count FROM embedding e JOIN model m ON m.id = e.model
         WHERE e.scope = ANY (${scopes.sql}) GROUP BY m.name, m.dimensions ORDER BY m.name, m.dimensions`,
        scopes.values,
      ),
      this.#driver.query(
        `SELECT (SELECT COUNT(*) FROM link WHERE shelf = ANY (${shelves.sql})) AS links,
           (SELECT COUNT(*) FROM (SELECT DISTINCT name, kind FROM mention WHERE shelf = ANY (${shelves.sql})) x) AS entities,
           (SELECT COALESCE(SUM(pg_total_relation_size(c.oid)), 0)::bigint FROM pg_class c
             WHERE c.relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'document'::regclass)
               AND c.relkind = 'r') AS bytes,
           current_setting('server_version') AS version,
           (SELECT extversion FROM pg_extension WHERE extname = 'vector') AS pgvector`,
        [...shelves.values, ...shelves.values],
      ),
    ]);
    const [row] = others;
    return {
      documents: documents.map((each) => ({
        project: String(each.project),
        layer: String(each.layer),
        kind: String(each.kind),
        count: Number(each.count),
      })),
      links: Number(row?.links),
      entities: Number(row?.entities),
      vectors: vectors.map((each) => ({
        model: String(each.name),
        dimensions: Number(each.dimensions),
        count: Number(each.count),
      })),
      bytes: Number(row?.bytes),
      engine: `PostgreSQL ${String(row?.version).split(' ')[0]}${row?.pgvector ? ` + pgvector ${String(row.pgvector)}` : ''}`,
    };
  }
}

function beginsWith(column: string, prefix: string): Sql {
  return { sql: `${column} >= ? AND ${column} < ?`, values: [prefix, prefix + PAST_EVERY_CHARACTER] };
}

/** A view: one library gives buffers, another plain bytes. */
const bytesOf = (value: unknown): Uint8Array =>
  value instanceof Uint8Array ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : new Uint8Array();

/** A stored vector. */
export const floatsOf = (value: unknown): Float32Array =>
  vectorOf(value instanceof Uint8Array ? value : new Uint8Array());

const NO_LIMIT = 2 ** 31;

export function wholeLimit(limit: number | undefined): number {
  if (limit === undefined) return NO_LIMIT;
  return Math.min(NO_LIMIT, Math.max(0, Math.ceil(limit) || 0));
}
