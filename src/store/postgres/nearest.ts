// Vector search in two steps: the server chooses candidates by the signs of their numbers (`bit_count(a # b)`, or an HNSW index of
// pgvector over the same signs where that is installed), then the true cosines of those are computed here.

import { CairnError } from '../../errors.ts';
import { compareText } from '../compare-text.ts';
import type { CosinesQuery, Filter, Hit, VectorQuery } from '../store.ts';
import { cosinesTo } from '../vector-scores.ts';
import { DOCUMENT_COLUMNS, DOCUMENT_JOINS, documentOf } from './document-rows.ts';
import type { Driver, Row } from './driver.ts';
import { isNarrow, otherConditions } from './filter.ts';
import { floatsOf, wholeLimit } from './read.ts';
import type { Sql, View } from './view.ts';

/** Candidates whose true cosine is computed: at least these, or this many per hit asked for. */
const CANDIDATES = 200;
const CANDIDATES_PER_HIT = 2.5;

type Model = { readonly id: number; readonly dimensions: number };

export class Nearest {
  readonly #driver: Driver;
  readonly #view: View;
  /** Whether pgvector is there. */
  readonly #indexed: boolean;
  /** Names that were found once: they do not change, and a question less is a way to the server less. */
  readonly #models = new Map<string, Model>();

  constructor(driver: Driver, view: View, indexed: boolean) {
    this.#driver = driver;
    this.#view = view;
    this.#indexed = indexed;
  }

  async nearest(query: VectorQuery): Promise<Hit[]> {
    const model = await this.#modelOf(query);
    if (model === undefined || !(query.limit >= 1)) return [];
    const limit = wholeLimit(query.limit);
    const rows = await this.#candidates(query, model, limit);
    const best = score(query.vector, rows, 'vector')
      .sort((a, b) => b.score - a.score || compareText(a.project, b.project) || compareText(a.ref, b.ref))
      .slice(0, limit);
    if (!query.documents) return best.map(({ project, ref, score: cosine }) => ({ project, ref, score: cosine }));
    const documents = await this.#driver.query(
      `SELECT d.id, ${DOCUMENT_COLUMNS} FROM document d ${DOCUMENT_JOINS} WHERE d.id = ANY (?::bigint[])`,
      [best.map(({ id }) => id)],
    );
    const byId = new Map(documents.map((row) => [Number(row.id), documentOf(row)]));
    return best.flatMap(({ id, project, ref, score: cosine }) => {
      const document = byId.get(id);
      return document ? [{ project, ref, score: cosine, document }] : [];
    });
  }

  async cosines(query: CosinesQuery): Promise<Map<string, number>> {
    if ((await this.#modelOf(query)) === undefined) return new Map();
    const scopes = this.#view.scopes('seen');
    const rows = await this.#driver.query(
      `SELECT DISTINCT ON (e.hash) e.hash, e.vector FROM embedding e JOIN model m ON m.id = e.model
       WHERE m.name = ? AND e.hash = ANY (?::text[]) AND e.scope = ANY (${scopes.sql}) ORDER BY e.hash, e.scope`,
      [query.model, query.hashes, ...scopes.values],
    );
    const floats = rows.map((row) => floatsOf(row.vector));
    const cosines = cosinesTo(query.vector, blockOf(rows, floats, query.vector.length));
    return new Map(rows.map((row, at) => [String(row.hash), cosines[at] ?? 0]));
  }

  /** Undefined: there are no vectors of that model. */
  async #modelOf(query: VectorQuery | CosinesQuery): Promise<Model | undefined> {
    const key = `${query.vector.length} ${query.model}`;
    const known = this.#models.get(key);
    if (known) return known;
    const scopes = this.#view.scopes('seen');
    const rows = await this.#driver.query(
      `SELECT m.id, m.dimensions FROM model m WHERE m.name = ?
       AND EXISTS (SELECT 1 FROM embedding e WHERE e.model = m.id AND e.scope = ANY (${scopes.sql})) ORDER BY m.id`,
      [query.model, ...scopes.values],
    );
    if (rows.length === 0) return undefined;
    const fitting = rows.find((row) => Number(row.dimensions) === query.vector.length);
    if (fitting) {
      const model = { id: Number(fitting.id), dimensions: Number(fitting.dimensions) };
      this.#models.set(key, model);
      return model;
    }
    throw new CairnError(
      'STORE_ERROR',
      `The query has ${query.vector.length} numbers, but the vectors of the model ${query.model} have ${Number(rows[0]?.dimensions)}.`,
      { fix: 'Embed the query with the model that is named in the query.' },
    );
  }

  #candidates(query: VectorQuery, model: Model, limit: number): Promise<Row[]> {
    const filter = query.filter ?? {};
    const wanted = Math.max(CANDIDATES, Math.min(limit, 2 ** 29) * CANDIDATES_PER_HIT);
    const chosen = isNarrow(filter) ? this.#all(filter, model) : this.#coarse(query, model, Math.ceil(wanted));
    const scopes = this.#view.scopes('seen');
    return this.#driver.query(
      `WITH chosen AS MATERIALIZED (${chosen.sql})
       SELECT DISTINCT ON (d.id) d.id, p.project, d.ref, e.vector FROM chosen c
       JOIN document d ON d.id = c.document JOIN shelf p ON p.id = d.shelf
       JOIN embedding e ON e.model = ?::integer AND e.hash = d.hash AND e.scope = ANY (${scopes.sql})
       ORDER BY d.id, e.scope`,
      [...chosen.values, model.id, ...scopes.values],
    );
  }

  /** Where a filter leaves but a few, all of them are compared. */
  #all(filter: Filter, model: Model): Sql {
    const shelves = this.#view.shelves('seen', filter.projects);
    const conditions = otherConditions(filter, this.#view);
    return {
      sql: `SELECT n.document FROM near n JOIN document d ON d.id = n.document
        WHERE n.shelf = ANY (${shelves.sql}) AND n.model = ?::integer${conditions.map(({ sql }) => ` AND ${sql}`).join('')}`,
      values: [...shelves.values, model.id, ...conditions.flatMap(({ values }) => [...values])],
    };
  }

  /** Whole distances, so that the choice does not depend on the order of writing. */
  #coarse(query: VectorQuery, model: Model, wanted: number): Sql {
    const filter = query.filter ?? {};
    const shelves = this.#view.shelves('seen', filter.projects);
    const conditions = otherConditions(filter, this.#view);
    const from = conditions.length === 0 ? 'near n' : 'near n JOIN document d ON d.id = n.document';
    const where = `n.shelf = ANY (${shelves.sql}) AND n.model = ?::integer${conditions.map(({ sql }) => ` AND ${sql}`).join('')}`;
    const values = [...shelves.values, model.id, ...conditions.flatMap(({ values: each }) => [...each])];
    const signs = bitsOf(query.vector);
    if (this.#indexed) {
      const type = `bit(${model.dimensions})`;
      return {
        sql: `SELECT n.document FROM ${from} WHERE n.model = ${model.id} AND ${where}
          ORDER BY n.bits::${type} <~> ?::${type} LIMIT ?::bigint`,
        values: [...values, signs, wanted],
      };
    }
    return {
      sql: `SELECT n.document FROM ${from} WHERE ${where}
        ORDER BY bit_count(n.bits # ?::bit varying) FETCH FIRST (?::bigint) ROWS WITH TIES`,
      values: [...values, signs, wanted],
    };
  }
}

/** One character for each number. */
export function bitsOf(vector: Float32Array): string {
  let bits = '';
  for (let at = 0; at < vector.length; at++) bits += vector[at]! > 0 ? '1' : '0';
  return bits;
}

type Scored = { readonly id: number; readonly project: string; readonly ref: string; readonly score: number };

function score(query: Float32Array, rows: readonly Row[], column: string): Scored[] {
  const floats = rows.map((row) => floatsOf(row[column]));
  const cosines = cosinesTo(query, blockOf(rows, floats, query.length));
  return rows.map((row, at) => ({
    id: Number(row.id),
    project: String(row.project),
    ref: String(row.ref),
    score: cosines[at] ?? 0,
  }));
}

function blockOf(rows: readonly Row[], vectors: readonly Float32Array[], width: number) {
  const floats = new Float32Array(rows.length * width);
  vectors.forEach((vector, at) => {
    floats.set(vector, at * width);
  });
  return { keys: rows.map((_, at) => at), floats, width };
}
