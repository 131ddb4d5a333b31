// Vector search in two steps: choose candidates by the signs of their numbers (near-pages.ts: a scan of some
// megabytes in JavaScript, several times faster than sqlite-vec's vec0 at the same work), then compute the true
// cosine of those. Where a filter leaves little of what the signs propose, all documents that pass it are compared;
// sqlite-vec does that part if it is installed, and JavaScript if not.

import { CairnError } from '../../errors.ts';
import type { Filter, Hit, VectorQuery } from '../store.ts';
import type { Driver, SqlValue } from './driver.ts';
import type { Facets } from './facets.ts';
import { conditionsOf } from './filter.ts';
import { signsOf, wordsOf } from './near-pages.ts';
import { rankHits, type Scored } from './rank-hits.ts';
import { floatsOf } from './read.ts';

/** Candidates whose true cosine is computed: at least these, or this many per hit asked for. */
const CANDIDATES = 256;
const CANDIDATES_PER_HIT = 4;
/** So many candidates in vain, and the filter is looked at instead. */
const PATIENCE = 8;
/** From here on it pays to load sqlite-vec (4 ms) for comparing all. */
const MANY = 1_000;

type Candidate = { readonly id: number; readonly distance: number };

export class Nearest {
  readonly #driver: Driver;
  readonly #facets: Facets;
  #extension: 'untried' | 'loaded' | 'absent' = 'untried';

  constructor(driver: Driver, facets: Facets) {
    this.#driver = driver;
    this.#facets = facets;
  }

  async nearest(query: VectorQuery): Promise<Hit[]> {
    const model = this.#driver.prepare('SELECT id, dimensions FROM embedding_model WHERE name = ?').get(query.model);
    if (model === undefined || !(query.limit >= 1)) return [];
    checkLength(query, Number(model.dimensions));
    const modelId = Number(model.id);
    const filter = query.filter ?? {};
    const scored =
      (isNarrow(filter) ? undefined : this.#byCandidates(query, modelId)) ?? (await this.#byAll(query, modelId));
    scored.sort((a, b) => b.score - a.score || a.id - b.id);
    return rankHits(this.#driver, this.#facets, query.limit, (count) => scored.slice(0, count));
  }

  /** Undefined when the filter refuses too many of the candidates. */
  #byCandidates(query: VectorQuery, model: number): Scored[] | undefined {
    const wanted = Math.max(CANDIDATES, query.limit * CANDIDATES_PER_HIT);
    const candidates = this.#propose(query, model);
    const scored = new Map<number, Scored>();
    for (let start = 0; start < candidates.length && scored.size < wanted; ) {
      if (start > wanted * PATIENCE) return undefined;
      const end = endOfTies(candidates, Math.min(candidates.length, start + wanted) - 1);
      for (const candidate of this.#compare(query, model, candidates.slice(start, end)))
        scored.set(candidate.id, candidate);
      start = end;
    }
    return [...scored.values()];
  }

  /** All entries of the series that the filter allows, nearest signs first. */
  #propose(query: VectorQuery, model: number): Candidate[] {
    const { projects, layers, kinds } = query.filter ?? {};
    const rows = this.#driver
      .prepare(
        `SELECT ids, signs FROM near WHERE model = ? AND project IN (SELECT value FROM json_each(?))
         AND layer IN (SELECT value FROM json_each(?)) AND kind IN (SELECT value FROM json_each(?))`,
      )
      .all(
        model,
        JSON.stringify(this.#facets.idsOf('project', projects)),
        JSON.stringify(this.#facets.idsOf('layer', layers)),
        JSON.stringify(this.#facets.idsOf('kind', kinds)),
      );
    const signs = signsOf(query.vector);
    const buckets: number[][] = [];
    for (const row of rows) scanPage(wordsOf(row.ids), wordsOf(row.signs), signs, buckets);
    const candidates: Candidate[] = [];
    buckets.forEach((ids, distance) => {
      for (const id of ids) candidates.push({ id, distance });
    });
    return candidates;
  }

  /** The true cosines of those candidates that pass the filter and are not leftovers of an earlier version. */
  #compare(query: VectorQuery, model: number, candidates: readonly Candidate[]): Scored[] {
    const signs = signsOf(query.vector);
    const scored: Scored[] = [];
    const [nearest, farthest] = [candidates[0]!.distance, candidates.at(-1)!.distance];
    const ids = new Set(candidates.map((candidate) => candidate.id));
    const { sql, values } = this.#vectorsOf(query.filter ?? {}, model, [...ids]);
    for (const row of this.#driver.prepare(`SELECT d.id, e.vector ${sql}`).all(...values)) {
      const id = Number(row.id);
      const vector = floatsOf(row.vector);
      const distance = distanceAt(signsOf(vector), 0, signs);
      if (distance >= nearest && distance <= farthest) scored.push({ id, score: cosine(vector, query.vector) });
    }
    return scored;
  }

  async #byAll(query: VectorQuery, model: number): Promise<Scored[]> {
    const { sql, values } = this.#vectorsOf(query.filter ?? {}, model);
    const count = Number(this.#driver.prepare(`SELECT COUNT(*) AS n ${sql}`).get(...values)?.n);
    const rows =
      count > MANY && (await this.#loadExtension())
        ? this.#driver
            .prepare(`SELECT d.id, e.vector ${sql} ORDER BY vec_distance_cosine(e.vector, ?), d.ref LIMIT ?`)
            .all(...values, bytesOf(query.vector), Math.max(CANDIDATES, query.limit * CANDIDATES_PER_HIT))
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
      sql: `FROM ${from} JOIN embedding e ON e.model = ? AND e.hash = d.hash${where}`,
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

/** Filters that leave some documents of a session, a file or the like: comparing all of those is the shorter way. */
function isNarrow({ refs, sessions, spans, files, tags, entities }: Filter): boolean {
  return [refs, sessions, spans, files, tags, entities].some((list) => list !== undefined);
}

function checkLength(query: VectorQuery, dimensions: number): void {
  if (query.vector.length === dimensions) return;
  throw new CairnError(
    'STORE_ERROR',
    `The query has ${query.vector.length} numbers, but the vectors of the model ${query.model} have ${dimensions}.`,
    { fix: 'Embed the query with the model that is named in the query.' },
  );
}

function scanPage(ids: Uint32Array, signs: Uint32Array, wanted: Uint32Array, buckets: number[][]): void {
  const width = wanted.length;
  for (let at = 0, offset = 0; at < ids.length; at++, offset += width) {
    const distance = distanceAt(signs, offset, wanted);
    const bucket = buckets[distance];
    if (bucket) bucket.push(ids[at]!);
    else buckets[distance] = [ids[at]!];
  }
}

/** In how many signs two vectors differ. */
function distanceAt(signs: Uint32Array, offset: number, wanted: Uint32Array): number {
  let distance = 0;
  for (let at = 0; at < wanted.length; at++) {
    let bits = signs[offset + at]! ^ wanted[at]!;
    bits -= (bits >>> 1) & 0x55555555;
    bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
    bits = (bits + (bits >>> 4)) & 0x0f0f0f0f;
    distance += Math.imul(bits, 0x01010101) >>> 24;
  }
  return distance;
}

/** Candidates at one distance are taken together, so that the choice does not depend on the order of writing. */
function endOfTies(candidates: readonly Candidate[], last: number): number {
  let end = last + 1;
  while (end < candidates.length && candidates[end]!.distance === candidates[last]!.distance) end++;
  return end;
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

function bytesOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}
