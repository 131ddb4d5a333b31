// Vector search in two steps: choose candidates by the signs of their numbers (sign-pages.ts, sign-scan.ts: a scan of some
// megabytes, many times faster than sqlite-vec's vec0 at the same work), then compute the true
// cosine of those. Where a filter leaves little of what the signs propose, all documents that pass it are compared;
// sqlite-vec does that part if it is installed, and JavaScript if not.

import { CairnError } from '../../errors.ts';
import type { CosinesQuery, Filter, Hit, VectorQuery } from '../store.ts';
import { cosinesTo, signDistancesTo } from '../vector-scores.ts';
import type { Driver, SqlValue } from './driver.ts';
import type { Facets } from './facets.ts';
import { conditionsOf, facetLists, isNarrow } from './filter.ts';
import { rankHits, type Scored } from './rank-hits.ts';
import { signsOf, wordsOf } from './sign-pages.ts';
import { type SignScan, signScan } from './sign-scan.ts';
import { blockOf, floatsOf, readBlock, vectorsByHash } from './vector-block.ts';

/** Candidates whose true cosine is computed: at least these, or this many per hit asked for. */
const CANDIDATES = 200;
const CANDIDATES_PER_HIT = 2.5;
/** Entries of the index that a connection keeps in memory until somebody writes: 62 MB at most. A million must fit, because reading them takes ten times as long as scanning them. */
const KEPT_ENTRIES = 1_200_000;
/** So many candidates in vain, and the filter is looked at instead. */
const PATIENCE = 8;
/** From here on it pays to load sqlite-vec (4 ms) for comparing all. */
const MANY = 1_000;

/** Pages in one piece: one loop over them is several times as fast as many short ones. */
type Series = { readonly ids: Uint32Array; readonly scan: SignScan };

/** The entries at distances from … to, both included. */
type Candidates = { readonly ids: ReadonlySet<number>; readonly from: number; readonly to: number };

export class Nearest {
  readonly #driver: Driver;
  readonly #facets: Facets;
  readonly #kept = new Map<string, Series>();
  #version = '';
  #extension: 'untried' | 'loaded' | 'absent' = 'untried';

  constructor(driver: Driver, facets: Facets) {
    this.#driver = driver;
    this.#facets = facets;
  }

  /** Whether sqlite-vec has been needed and found. */
  get extended(): boolean {
    return this.#extension === 'loaded';
  }

  async nearest(query: VectorQuery): Promise<Hit[]> {
    const modelId = this.#modelOf(query);
    if (modelId === undefined || !(query.limit >= 1)) return [];
    if (facetLists(query.filter ?? {}).some(([field, values]) => this.#facets.idsOf(field, values).length === 0))
      return [];
    const filter = query.filter ?? {};
    const scored =
      (isNarrow(filter) ? undefined : this.#byCandidates(query, modelId)) ?? (await this.#byAll(query, modelId));
    scored.sort((a, b) => b.score - a.score);
    return rankHits(this.#driver, this.#facets, scored, query);
  }

  cosines(query: CosinesQuery): Map<string, number> {
    if (this.#modelOf(query) === undefined) return new Map();
    const block = vectorsByHash(this.#driver, query);
    const cosines = cosinesTo(query.vector, block);
    return new Map(block.keys.map((hash, at) => [hash, cosines[at]!]));
  }

  /** Undefined: there are no vectors of that model. */
  #modelOf(query: VectorQuery | CosinesQuery): number | undefined {
    const row = this.#driver.prepare('SELECT id, dimensions FROM embedding_model WHERE name = ?').get(query.model);
    if (row === undefined) return undefined;
    checkLength(query, Number(row.dimensions));
    return Number(row.id);
  }

  /** Undefined when the filter refuses too many of the candidates. */
  #byCandidates(query: VectorQuery, model: number): Scored[] | undefined {
    const wanted = Math.max(CANDIDATES, query.limit * CANDIDATES_PER_HIT);
    const { ids, scan } = this.#entries(query, model);
    const counts = scan.count(signsOf(query.vector));
    const scored = new Map<number, Scored>();
    let examined = 0;
    for (let from = 0; from < counts.length && scored.size < wanted; ) {
      if (examined > wanted * PATIENCE) return undefined;
      const to = enough(counts, from, wanted);
      const found = new Set<number>();
      for (const place of scan.between(from, to)) found.add(ids[place]!);
      for (const hit of this.#compare(query, model, { ids: found, from, to })) scored.set(hit.id, hit);
      examined += found.size;
      from = to + 1;
    }
    return [...scored.values()];
  }

  /** Reading them takes as long as scanning them, and a running process asks again and again. */
  #entries(query: VectorQuery, model: number): Series {
    const { projects, layers, kinds } = query.filter ?? {};
    const values = [
      model,
      JSON.stringify(this.#facets.idsOf('project', projects)),
      JSON.stringify(this.#facets.idsOf('layer', layers)),
      JSON.stringify(this.#facets.idsOf('kind', kinds)),
    ];
    const version = this.#facets.writes();
    if (version !== this.#version) this.#kept.clear();
    this.#version = version;
    const key = values.join(' ');
    const known = this.#kept.get(key);
    if (known) return known;
    const pages = this.#driver
      .prepare(
        `SELECT ids, signs FROM near WHERE model = ? AND project IN (SELECT value FROM json_each(?))
         AND layer IN (SELECT value FROM json_each(?)) AND kind IN (SELECT value FROM json_each(?))`,
      )
      .all(...values)
      .map((row) => ({ ids: wordsOf(row.ids), signs: wordsOf(row.signs) }));
    const series = {
      ids: joined(pages.map((page) => page.ids)),
      scan: signScan(
        pages.map((page) => page.signs),
        signsOf(query.vector).length,
      ),
    };
    const kept = [...this.#kept.values()].reduce((sum, each) => sum + each.ids.length, series.ids.length);
    if (kept > KEPT_ENTRIES) this.#kept.clear();
    if (series.ids.length <= KEPT_ENTRIES) this.#kept.set(key, series);
    return series;
  }

  /** The true cosines of those candidates that pass the filter and are not leftovers of an earlier version. */
  #compare(query: VectorQuery, model: number, { ids, from, to }: Candidates): Scored[] {
    const { sql, values } = this.#vectorsOf(query.filter ?? {}, model, [...ids]);
    const block = readBlock<number>(this.#driver, `SELECT ${blockOf('d.id')} ${sql}`, values);
    const cosines = cosinesTo(query.vector, block);
    const distances = signDistancesTo(query.vector, block);
    const scored: Scored[] = [];
    for (let at = 0; at < distances.length; at++)
      if (distances[at]! >= from && distances[at]! <= to) scored.push({ id: block.keys[at]!, score: cosines[at]! });
    return scored;
  }

  async #byAll(query: VectorQuery, model: number): Promise<Scored[]> {
    const { sql, values } = this.#vectorsOf(query.filter ?? {}, model);
    const count = Number(this.#driver.prepare(`SELECT COUNT(*) AS n ${sql}`).get(...values)?.n);
    const rows =
      count > MANY && (await this.#loadExtension())
        ? this.#driver
            .prepare(`SELECT d.id, e.vector ${sql} ORDER BY COALESCE(${DISTANCE}, 1), d.ref LIMIT ?`)
            .all(...values, ...distanceValues(query.vector), Math.max(CANDIDATES, query.limit * CANDIDATES_PER_HIT))
        : this.#driver.prepare(`SELECT d.id, e.vector ${sql}`).iterate(...values);
    const scored: Scored[] = [];
    for (const row of rows) scored.push({ id: Number(row.id), score: cosine(floatsOf(row.vector), query.vector) });
    return scored;
  }

  #vectorsOf(filter: Filter, model: number, ids?: readonly number[]): { sql: string; values: SqlValue[] } {
    const conditions = conditionsOf(filter, this.#facets);
    const from = ids === undefined ? 'document d' : 'json_each(?) j CROSS JOIN document d ON d.id = j.value';
    const where = conditions.length === 0 ? '' : ` WHERE ${conditions.map((condition) => condition.sql).join(' AND ')}`;
    return {
      sql: `FROM ${from} CROSS JOIN embedding e ON e.model = ? AND e.hash = d.hash${where}`,
      values: [
        ...(ids === undefined ? [] : [JSON.stringify(ids)]),
        model,
        ...conditions.flatMap((condition) => condition.values),
      ],
    };
  }

  // Absent is no failure: JavaScript does the same, more slowly.
  async #loadExtension(): Promise<boolean> {
    if (this.#extension === 'untried') {
      this.#extension = 'absent';
      try {
        this.#driver.loadExtension((await import('sqlite-vec')).getLoadablePath());
        this.#extension = 'loaded';
      } catch {
        return false;
      }
    }
    return this.#extension === 'loaded';
  }
}

function checkLength(query: Pick<VectorQuery, 'model' | 'vector'>, dimensions: number): void {
  if (query.vector.length === dimensions) return;
  throw new CairnError(
    'STORE_ERROR',
    `The query has ${query.vector.length} numbers, but the vectors of the model ${query.model} have ${dimensions}.`,
    { fix: 'Embed the query with the model that is named in the query.' },
  );
}

/** The distance up to which there are enough entries. Whole distances, so that the choice does not depend on the order of writing. */
function enough(counts: Uint32Array, from: number, wanted: number): number {
  let to = from;
  let sum = counts[from]!;
  while (sum < wanted && to + 1 < counts.length) {
    to++;
    sum += counts[to]!;
  }
  return to;
}

function joined(parts: readonly Uint32Array[]): Uint32Array {
  const all = new Uint32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function cosine(a: Float32Array, b: Float32Array): number {
  let dot = 0;
  let aa = 0;
  let bb = 0;
  for (let at = 0; at < a.length; at++) {
    const x = a[at]!;
    const y = b[at]!;
    dot += x * y;
    aa += x * x;
    bb += y * y;
  }
  return aa === 0 || bb === 0 ? 0 : dot / Math.sqrt(aa * bb);
}

/** By sqlite-vec, of either form; it only chooses, so the query may be rounded too. */
const DISTANCE = `CASE WHEN length(e.vector) % 4 = 0 THEN vec_distance_cosine(e.vector, ?)
  ELSE vec_distance_cosine(vec_int8(substr(e.vector, 5, ?)), vec_int8(?)) END`;

function distanceValues(vector: Float32Array): SqlValue[] {
  const most = vector.reduce((max, number) => Math.max(max, Math.abs(number)), 0) || 1;
  const steps = Int8Array.from(vector, (number) => Math.round((number / most) * 127));
  const bytes = ({ buffer, byteOffset, byteLength }: Float32Array | Int8Array): Uint8Array =>
    new Uint8Array(buffer, byteOffset, byteLength);
  return [bytes(vector), vector.length, bytes(steps)];
}
