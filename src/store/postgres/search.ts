// Full-text search: BM25 over the words of title, text, tags and context, by the formula and the plan of the SQLite store (search.ts
// there says why): the rare words choose the candidates, all words score them. The server does both; two questions for an answer.

import { queryWords } from '../index-words.ts';
import { DEFAULT_WEIGHTS, type Hit, MAX_TERMS, type Term, type TextQuery, type WordCounts } from '../store.ts';
import { DOCUMENT_COLUMNS, DOCUMENT_JOINS, documentOf } from './document-rows.ts';
import type { Driver, SqlValue } from './driver.ts';
import { facetLists, otherConditions } from './filter.ts';
import { ALL_DOCUMENTS, ALL_LENGTHS, facetWord, phraseOf, TF } from './tally-words.ts';
import type { Sql, View } from './view.ts';

/** About how many candidates a search scores. */
const CANDIDATES = 1_200;
/** For callers that ask for everything. */
const MAX_LIMIT = 2 ** 31;
const PAST_EVERY_CHARACTER = '\u{10FFFF}';

/** A term: its words side by side; the last one may go on. */
type Part = {
  readonly name: string;
  readonly words: readonly string[];
  readonly open: boolean;
  /** How many documents can match it at most. */
  readonly documents: number;
};

/** The places of the parts that choose, and how many of them a document must have. */
type Plan = { readonly chosen: number; readonly need: number };

type Counted = {
  readonly parts: readonly Part[];
  readonly total: number;
  readonly average: number;
  /** Which share of all documents the filter leaves; undefined: none. */
  readonly share: number | undefined;
};

export class Searcher {
  readonly #driver: Driver;
  readonly #view: View;

  constructor(driver: Driver, view: View) {
    this.#driver = driver;
    this.#view = view;
  }

  async search(query: TextQuery): Promise<Hit[]> {
    if (!(query.limit >= 1)) return [];
    const { parts, total, average, share } = await this.#count(query);
    if (share === undefined || parts.length === 0) return [];
    const numbers = { total, average };
    if (query.match === 'all') {
      if (parts.some((part) => part.documents === 0)) return [];
      return this.#run(query, parts, numbers, { chosen: parts.length, need: parts.length });
    }
    const known = parts.filter((part) => part.documents > 0);
    if (known.length === 0) return [];
    const all = { chosen: known.length, need: 1 };
    if (total * share <= CANDIDATES) return this.#run(query, known, numbers, all);
    const plan = planAny(known, share);
    const hits = await this.#run(query, known, numbers, plan);
    // Only a plan that asks for two words at once can find too few while others would match.
    if (hits.length >= query.limit || rarestIsRare(known, share)) return hits;
    return this.#run(query, known, numbers, all);
  }

  async counts(words: readonly string[]): Promise<WordCounts> {
    const tallies = await this.#tallies([...words, ALL_DOCUMENTS]);
    return { documents: tallies.get(ALL_DOCUMENTS) ?? 0, counts: words.map((word) => tallies.get(word) ?? 0) };
  }

  async #tallies(words: readonly string[]): Promise<Map<string, number>> {
    const scopes = this.#view.scopes('seen');
    const rows = await this.#driver.query(
      `SELECT word, SUM(documents)::bigint AS documents FROM tally
       WHERE scope = ANY (${scopes.sql}) AND word = ANY (?::text[]) GROUP BY word`,
      [...scopes.values, [...new Set(words)]],
    );
    return new Map(rows.map((row) => [String(row.word), Number(row.documents)]));
  }

  /** The terms, each once, the rarest first, and the numbers that scores are made of. */
  async #count(query: TextQuery): Promise<Counted> {
    const named = termsOf(query.terms);
    const facets = facetLists(query.filter ?? {}).map(([field, values]) =>
      values.map((value) => facetWord(field, value)),
    );
    const words = named.flatMap((part) => part.words);
    const [tallies, open] = await Promise.all([
      this.#tallies([...words, ...facets.flat(), ALL_DOCUMENTS, ALL_LENGTHS]),
      this.#countOpen(named.filter((part) => part.open)),
    ]);
    const total = tallies.get(ALL_DOCUMENTS) ?? 0;
    const documentsOf = (part: Omit<Part, 'documents'>): number =>
      part.open ? (open.get(part.name) ?? 0) : Math.min(...part.words.map((word) => tallies.get(word) ?? 0));
    const parts = named
      .map((part) => ({ ...part, documents: documentsOf(part) }))
      .sort((a, b) => a.documents - b.documents || (a.name < b.name ? -1 : 1));
    let share: number | undefined = 1;
    for (const values of facets) {
      const documents = [...new Set(values)].reduce((sum, value) => sum + (tallies.get(value) ?? 0), 0);
      share = share === undefined || documents === 0 ? undefined : share * (documents / total);
    }
    return { parts, total, average: (tallies.get(ALL_LENGTHS) ?? 0) / Math.max(1, total), share };
  }

  /** What may go on has no count of its own. */
  async #countOpen(parts: readonly Omit<Part, 'documents'>[]): Promise<Map<string, number>> {
    const counts = new Map<string, number>();
    for (const part of parts) {
      const found = this.#matches({ ...part, documents: 0 }, 0);
      const rows = await this.#driver.query(`SELECT COUNT(*) AS n FROM (${found.sql}) x`, found.values);
      counts.set(part.name, Number(rows[0]?.n));
    }
    return counts;
  }

  /** no, shelf, document, tf of what has a part that is more than one whole word, wherever it is seen. */
  #matches(part: Part, no: number): Sql {
    const shelves = this.#view.shelves('seen');
    const first = part.words.at(-1) ?? '';
    if (part.words.length === 1) {
      return {
        sql: `SELECT ${no} AS no, shelf, document, (MAX(${TF.length}) << 35) + SUM(${TF.counts})::bigint AS tf FROM posting
          WHERE shelf = ANY (${shelves.sql}) AND word >= ? AND word < ? GROUP BY shelf, document`,
        values: [...shelves.values, first, first + PAST_EVERY_CHARACTER],
      };
    }
    const phrase = phraseOf(part.words, part.open);
    const whole = [...new Set(part.open ? part.words.slice(0, -1) : part.words)];
    const joins = whole
      .slice(1)
      .map(
        (_, at) => `JOIN posting p${at} ON p${at}.shelf = p.shelf AND p${at}.document = p.document AND p${at}.word = ?`,
      );
    const count = (line: number): string =>
      `((length(split_part(d.words, E'\\n', ${line})) - length(replace(split_part(d.words, E'\\n', ${line}), ?, ''))) / ?)::bigint`;
    const counted = [phrase, phrase.length];
    return {
      sql: `SELECT ${no} AS no, p.shelf, p.document, (d.length::bigint << 35) + (LEAST(${count(2)}, 4095) << 23)
          + (LEAST(${count(4)}, 4095) << 11) + (LEAST(${count(1)}, 63) << 5) + LEAST(${count(3)}, 31) AS tf
        FROM posting p ${joins.join(' ')} JOIN document d ON d.id = p.document
        WHERE p.shelf = ANY (${shelves.sql}) AND p.word = ? AND strpos(d.words, ?) > 0`,
      values: [
        ...counted,
        ...counted,
        ...counted,
        ...counted,
        ...whole.slice(1),
        ...shelves.values,
        whole[0] ?? '',
        phrase,
      ],
    };
  }

  async #run(
    query: TextQuery,
    all: readonly Part[],
    { total, average }: { total: number; average: number },
    plan: Plan,
  ): Promise<Hit[]> {
    const parts = query.rough === true && plan.chosen < all.length ? all.slice(0, plan.chosen) : all;
    const isWord = (part: Part): boolean => part.words.length === 1 && !part.open;
    const simple = parts.map((part, no) => ({ part, no })).filter(({ part }) => isWord(part));
    const complex = parts.map((part, no) => ({ part, no })).filter(({ part }) => !isWord(part));
    const matches = complex.map(({ part, no }) => this.#matches(part, no));
    const shelves = this.#view.shelves('seen', query.filter?.projects);
    const conditions = otherConditions(query.filter ?? {}, this.#view);
    const weights = query.weights ?? DEFAULT_WEIGHTS;
    const limit = Math.min(Math.floor(query.limit), MAX_LIMIT);
    const empty = 'SELECT 0 AS no, 0 AS shelf, 0::bigint AS document, 0::bigint AS tf WHERE false';
    const sql = `
WITH term AS MATERIALIZED (
  SELECT * FROM unnest(?::integer[], ?::text[], ?::double precision[]) AS t(no, word, idf)
), complex AS MATERIALIZED (
  ${matches.length === 0 ? empty : matches.map((match) => match.sql).join(' UNION ALL ')}
), shelves AS MATERIALIZED (
  SELECT ${shelves.sql} AS seen
), idf AS MATERIALIZED (
  SELECT no, idf FROM term
  UNION ALL
  SELECT no, CASE WHEN 2 * COUNT(*) >= ?::bigint THEN 1e-6::double precision
    ELSE ln((?::double precision - COUNT(*) + 0.5) / (COUNT(*) + 0.5)) END FROM complex GROUP BY no
), chosen AS MATERIALIZED (
  SELECT t.no, p.shelf, p.document, p.tf FROM term t CROSS JOIN LATERAL (
    SELECT shelf, document, tf FROM posting WHERE word = t.word AND shelf = ANY ((SELECT seen FROM shelves)::integer[]) OFFSET 0
  ) p WHERE t.no < ?::integer
  UNION ALL
  SELECT no, shelf, document, tf FROM complex WHERE no < ?::integer AND shelf = ANY ((SELECT seen FROM shelves)::integer[])
), candidate AS MATERIALIZED (
  SELECT c.shelf, c.document FROM chosen c
  ${conditions.length === 0 ? '' : `JOIN document d ON d.id = c.document WHERE ${conditions.map((each) => each.sql).join(' AND ')}`}
  GROUP BY c.shelf, c.document HAVING COUNT(*) >= ?::bigint
), hit AS (
  SELECT c.no, c.document, c.tf FROM chosen c JOIN candidate k ON k.shelf = c.shelf AND k.document = c.document
  UNION ALL
  SELECT t.no, k.document, p.tf FROM candidate k CROSS JOIN term t CROSS JOIN LATERAL (
    SELECT tf FROM posting WHERE shelf = k.shelf AND word = t.word AND document = k.document OFFSET 0
  ) p WHERE t.no >= ?::integer
  UNION ALL
  SELECT x.no, x.document, x.tf FROM complex x JOIN candidate k ON k.shelf = x.shelf AND k.document = x.document WHERE x.no >= ?::integer
), ranked AS (
  SELECT document, SUM(idf * ((f * 2.2::double precision)
      / (f + 1.2::double precision * (0.25::double precision + 0.75::double precision * size / ?::double precision))) ORDER BY no) AS score
  FROM (SELECT h.no, h.document, i.idf, ${TF.length}::double precision AS size,
      ${TF.title} * ?::double precision + ${TF.text} * ?::double precision
        + ${TF.tags} * ?::double precision + ${TF.context} * ?::double precision AS f
    FROM hit h JOIN idf i ON i.no = h.no) x
  GROUP BY document ORDER BY score DESC FETCH FIRST (?::bigint) ROWS WITH TIES
)
SELECT r.score, ${query.documents ? DOCUMENT_COLUMNS : 'p.project, d.ref'} FROM ranked r JOIN document d ON d.id = r.document
${query.documents ? DOCUMENT_JOINS : 'JOIN shelf p ON p.id = d.shelf'}
ORDER BY r.score DESC, p.project, d.ref LIMIT ?::bigint`;
    const values: SqlValue[] = [
      simple.map(({ no }) => no),
      simple.map(({ part }) => part.words[0] ?? ''),
      simple.map(({ part }) => idfOf(part.documents, total)),
      ...matches.flatMap((match) => match.values),
      ...shelves.values,
      total,
      total,
      plan.chosen,
      plan.chosen,
      ...conditions.flatMap((each) => each.values),
      plan.need,
      plan.chosen,
      plan.chosen,
      average,
      weights.title,
      weights.text,
      weights.tags,
      weights.context,
      limit,
      limit,
    ];
    const rows = await this.#driver.query(sql, values);
    return rows.map((row) => {
      const hit = { project: String(row.project), ref: String(row.ref), score: Number(row.score) };
      return query.documents ? { ...hit, document: documentOf(row) } : hit;
    });
  }
}

function termsOf(terms: readonly Term[]): Omit<Part, 'documents'>[] {
  const parts = new Map<string, Omit<Part, 'documents'>>();
  for (const term of terms.slice(0, MAX_TERMS)) {
    const { words, open } = queryWords(term.text);
    if (words.length === 0) continue;
    const goesOn = open || term.as === 'prefix';
    const name = `"${words.join(' ')}"${goesOn ? ' *' : ''}`;
    if (!parts.has(name)) parts.set(name, { name, words, open: goesOn });
  }
  return [...parts.values()];
}

function idfOf(documents: number, total: number): number {
  const idf = Math.log((total - documents + 0.5) / (documents + 0.5));
  return idf > 0 ? idf : 1e-6;
}

function rarestIsRare(parts: readonly Part[], share: number): boolean {
  return parts.length < 2 || parts[0]!.documents * share <= CANDIDATES;
}

/** Parts come rarest first. Common words only: what has the two rarest is worth a look. */
function planAny(parts: readonly Part[], share: number): Plan {
  let chosen = 0;
  let candidates = 0;
  while (chosen < parts.length && (chosen === 0 || candidates + parts[chosen]!.documents * share <= CANDIDATES)) {
    candidates += parts[chosen]!.documents * share;
    chosen++;
  }
  if (chosen === parts.length) return { chosen, need: 1 };
  return rarestIsRare(parts, share) ? { chosen, need: 1 } : { chosen: 2, need: 2 };
}
