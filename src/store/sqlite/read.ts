// Reads rows: documents by ref or by filter, links, entities, vectors, state, and the numbers about them.

import { compareText } from '../compare-text.ts';
import { cursorAt, ORDERS } from '../list-order.ts';
import type {
  Document,
  EntityCount,
  EntityQuery,
  Filter,
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
import { afterCursor } from './after-cursor.ts';
import { DOCUMENT_COLUMNS, documentOf } from './document-rows.ts';
import type { Driver, SqlValue } from './driver.ts';
import { type Facets, facetWord } from './facets.ts';
import { type Condition, conditionsOf, IDS_BY_REF, isHopeless, isNarrow, whereOf } from './filter.ts';
import { vectorAt, vectorsByHash } from './vector-block.ts';

const DOCUMENT = `
SELECT ${DOCUMENT_COLUMNS} FROM document d CROSS JOIN facet p ON p.id = d.project LEFT JOIN source s ON s.id = d.source`;

/** One look into the unique index for each ref and project, and the row itself: recall reads hundreds. Values: refs, project ids. */
const BY_REF = `SELECT ${DOCUMENT_COLUMNS} FROM json_each(?) r CROSS JOIN json_each(?) q
  CROSS JOIN document d ON d.project = q.value AND d.ref = r.value LEFT JOIN source s ON s.id = d.source`;

/** Links at one end of refs, by the index of that end (left to itself, SQLite reads all links of a project). Values: refs, project ids. */
const linksAt = (end: 'from_ref' | 'to_ref'): string => `SELECT l.* FROM json_each(?) r CROSS JOIN json_each(?) q
  CROSS JOIN link l ${end === 'to_ref' ? 'INDEXED BY link_to' : ''} ON l.project = q.value AND l.${end} = r.value`;

const LIST = 'IN (SELECT value FROM json_each(?))';
const WITH_WORDS = 'd.id IN (SELECT rowid FROM words WHERE words MATCH ?)';
/** Choosing by the index of words pays where it leaves out so many times as many rows. */
const FEW = 4;
const PAST_EVERY_CHARACTER = '\u{10FFFF}';

export class Reader {
  readonly #driver: Driver;
  readonly #facets: Facets;

  constructor(driver: Driver, facets: Facets) {
    this.#driver = driver;
    this.#facets = facets;
  }

  get(query: GetQuery): Document[] {
    const refs = [...new Set(query.refs)];
    const rows = this.#driver.prepareValues(BY_REF).all(JSON.stringify(refs), this.#projects(query.projects));
    const places = new Map(refs.map((ref, place) => [ref, place]));
    const placeOf = (document: Document): number => places.get(document.ref) ?? 0;
    return rows
      .map((row) => documentOf(row, this.#facets))
      .sort((a, b) => placeOf(a) - placeOf(b) || compareText(a.project, b.project));
  }

  list(query: ListQuery): Page {
    const order = ORDERS[query.order ?? 'newest'];
    const filter = query.filter ?? {};
    const limit = wholeLimit(query.limit);
    const few = this.#fewWithStatus(filter, limit);
    const conditions = few ? [few, ...conditionsOf(filter, this.#facets, true)] : conditionsOf(filter, this.#facets);
    if (query.cursor !== undefined) conditions.push(afterCursor(order, query.cursor));
    const { sql, values } = whereOf(conditions);
    if (isHopeless(filter, this.#facets)) return { documents: [] };
    // One project, one name: leaving it out of the order lets SQLite follow an index instead of sorting.
    const oneProject = query.filter?.projects?.length === 1;
    const ordered = [...order.columns, ...(oneProject ? [] : ['p.value']), 'd.ref'].join(', ');
    const rows = this.#driver.prepareValues(`${DOCUMENT}${sql} ORDER BY ${ordered} LIMIT ?`).all(...values, limit + 1);
    const documents = rows.slice(0, limit).map((row) => documentOf(row, this.#facets));
    const last = documents.at(-1);
    return rows.length > limit && last ? { documents, next: cursorAt(order, last) } : { documents };
  }

  /**
   * No index of the table begins with a status: to find the few that are open, SQLite would read its way through all that was ever said.
   * The index of words knows them.
   */
  #fewWithStatus(filter: Filter, limit: number): Condition | undefined {
    if (filter.statuses === undefined || isNarrow(filter)) return undefined;
    const ids = this.#facets.idsOf('status', filter.statuses);
    const having = this.#facets.documentsOf(ids);
    if (having === 0) return undefined;
    const total = this.#facets.totalDocuments();
    const readOtherwise = Math.min(total, (limit * total) / having);
    if (having * FEW > readOtherwise) return undefined;
    return { sql: WITH_WORDS, values: [ids.map((id) => `"${facetWord(id)}"`).join(' OR ')] };
  }

  links(query: LinkQuery): Link[] {
    const direction = query.direction ?? 'both';
    const refs = JSON.stringify(query.refs);
    const ends = (['from_ref', 'to_ref'] as const).filter((end) => direction !== (end === 'from_ref' ? 'in' : 'out'));
    const values: SqlValue[] = ends.flatMap(() => [refs, this.#projects(query.projects)]);
    if (query.relations) values.push(JSON.stringify(query.relations));
    const sql = `SELECT l.* FROM (${ends.map(linksAt).join(' UNION ')}) l JOIN facet p ON p.id = l.project
      ${query.relations ? `WHERE l.relation ${LIST}` : ''} ORDER BY p.value, l.from_ref, l.to_ref, l.relation`;
    return this.#driver
      .prepare(sql)
      .all(...values)
      .map((row) => ({
        project: this.#facets.valueOf(Number(row.project)),
        from: String(row.from_ref),
        to: String(row.to_ref),
        relation: String(row.relation),
        confidence: Number(row.confidence),
        ...optional('rule', row.rule),
      }));
  }

  mentions(query: MentionQuery): Mention[] {
    const projects = this.#projects(query.projects);
    const conditions: Condition[] = [];
    if (query.refs) {
      conditions.push({ sql: `m.document IN (${IDS_BY_REF})`, values: [JSON.stringify(query.refs), projects] });
    } else if (query.projects) conditions.push({ sql: `m.project ${LIST}`, values: [projects] });
    if (query.entities) conditions.push({ sql: `e.name ${LIST}`, values: [JSON.stringify(query.entities)] });
    if (query.kinds) conditions.push({ sql: `e.kind ${LIST}`, values: [JSON.stringify(query.kinds)] });
    const { sql, values } = whereOf(conditions);
    const rows = this.#driver
      .prepare(
        `SELECT p.value AS project, d.ref, e.name, e.kind, m.count FROM mention m
         JOIN entity e ON e.id = m.entity JOIN document d ON d.id = m.document JOIN facet p ON p.id = m.project
         ${sql} ORDER BY m.count DESC, p.value, d.ref, e.name, e.kind LIMIT ?`,
      )
      .all(...values, wholeLimit(query.limit));
    return rows.map((row) => ({
      project: String(row.project),
      ref: String(row.ref),
      entity: String(row.name),
      kind: String(row.kind),
      count: Number(row.count),
    }));
  }

  entities(query: EntityQuery): EntityCount[] {
    const conditions: Condition[] = [];
    if (query.names) conditions.push({ sql: `e.name ${LIST}`, values: [JSON.stringify(query.names)] });
    if (query.kinds) conditions.push({ sql: `e.kind ${LIST}`, values: [JSON.stringify(query.kinds)] });
    if (query.prefix !== undefined) {
      conditions.push({
        sql: 'e.name >= ? AND e.name < ?',
        values: [query.prefix, query.prefix + PAST_EVERY_CHARACTER],
      });
    }
    if (query.projects) conditions.push({ sql: `m.project ${LIST}`, values: [this.#projects(query.projects)] });
    const { sql, values } = whereOf(conditions);
    const rows = this.#driver
      .prepare(
        `SELECT e.name, e.kind, COUNT(*) AS documents, SUM(m.count) AS count
         FROM entity e JOIN mention m ON m.entity = e.id ${sql}
         GROUP BY e.id ORDER BY documents DESC, e.name, e.kind LIMIT ?`,
      )
      .all(...values, wholeLimit(query.limit));
    return rows.map((row) => ({
      name: String(row.name),
      kind: String(row.kind),
      documents: Number(row.documents),
      count: Number(row.count),
    }));
  }

  vectors(query: VectorsQuery): Vector[] {
    const { model } = query;
    const block = vectorsByHash(this.#driver, query);
    return block.keys
      .map((hash, at) => ({ hash, model, vector: vectorAt(block, at) }))
      .sort((a, b) => compareText(a.hash, b.hash));
  }

  state(query: StateQuery): StateRow[] {
    const conditions: Condition[] = [];
    if (query.keys) conditions.push({ sql: `key ${LIST}`, values: [JSON.stringify(query.keys)] });
    if (query.prefix !== undefined) {
      conditions.push({ sql: 'key >= ? AND key < ?', values: [query.prefix, query.prefix + PAST_EVERY_CHARACTER] });
    }
    const { sql, values } = whereOf(conditions);
    const rows = this.#driver.prepare(`SELECT key, value FROM state${sql} ORDER BY key`).all(...values);
    return rows.map((row) => ({ key: String(row.key), value: String(row.value) }));
  }

  /** Everything but the size on disk, which is the file's affair. */
  stats(): Omit<Stats, 'bytes'> {
    const one = (sql: string): number => Number(Object.values(this.#driver.prepare(sql).get() ?? {})[0] ?? 0);
    const documents = this.#driver
      .prepare(
        `SELECT p.value AS project, l.value AS layer, k.value AS kind, d.count FROM
           (SELECT project, layer, kind, COUNT(*) AS count FROM document GROUP BY project, kind, layer) d
         JOIN facet p ON p.id = d.project JOIN facet l ON l.id = d.layer JOIN facet k ON k.id = d.kind
         ORDER BY p.value, l.value, k.value`,
      )
      .all();
    const vectors = this.#driver
      .prepare(
        `SELECT m.name, m.dimensions, COUNT(e.hash) AS count FROM embedding_model m LEFT JOIN embedding e ON e.model = m.id
         GROUP BY m.id ORDER BY m.name`,
      )
      .all();
    return {
      documents: documents.map((row) => ({
        project: String(row.project),
        layer: String(row.layer),
        kind: String(row.kind),
        count: Number(row.count),
      })),
      links: one('SELECT COUNT(*) FROM link'),
      entities: one('SELECT COUNT(*) FROM entity'),
      vectors: vectors.map((row) => ({
        model: String(row.name),
        dimensions: Number(row.dimensions),
        count: Number(row.count),
      })),
      engine: `${this.#driver.name} ${String(this.#driver.prepare('SELECT sqlite_version() AS version').get()?.version)}`,
    };
  }

  #projects(names: readonly string[] | undefined): string {
    return JSON.stringify(this.#facets.idsOf('project', names));
  }
}

function optional<K extends string>(name: K, value: SqlValue | undefined): { [P in K]?: string } {
  return (value === null || value === undefined ? {} : { [name]: String(value) }) as { [P in K]?: string };
}

const NO_LIMIT = 2 ** 31;

function wholeLimit(limit: number | undefined): number {
  if (limit === undefined) return NO_LIMIT;
  return Math.min(NO_LIMIT, Math.max(0, Math.ceil(limit) || 0));
}
