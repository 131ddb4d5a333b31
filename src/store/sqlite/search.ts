// Full-text search: BM25 over the words of title, text, tags and context. FTS5 computes the score of every document
// that matches, which for common words is most of the store (100,000 documents: 40 ms). So a search is planned:
// the rare words choose the candidates, and all words score them. The order among candidates is exactly BM25's.

import { queryWords } from '../index-words.ts';
import { DEFAULT_WEIGHTS, type Hit, MAX_TERMS, type Term, type TextQuery, type WordCounts } from '../store.ts';
import type { Driver } from './driver.ts';
import { type Facets, facetWord } from './facets.ts';
import { facetLists, otherConditions } from './filter.ts';
import { rankHits, type Scored } from './rank-hits.ts';

/** About how many candidates a search scores. More finds the same first ten, only later: docs/STORE.md has the numbers. */
const CANDIDATES = 1_200;

/** The plus sign keeps FTS5 from searching once for each of them. */
const AMONG = '+w.rowid IN (SELECT value FROM json_each(?))';

/** For callers that ask for everything. */
const MAX_LIMIT = 2 ** 31;

/** So many more rows than wanted are put in order: what ties with the last one wanted is among them, or all are asked for. */
const TIE_ROOM = 4_000;

/** So many words' counts are remembered. */
const MAX_KNOWN = 10_000;

const JOINED = { any: ' OR ', all: ' AND ' } as const;

/** A term as FTS5 reads it, and how many documents can match it at most. */
type Part = { readonly match: string; readonly documents: number };

/**
 * Expressions of FTS5. `match` finds all candidates; where there is a second, it finds those of them that have more words than
 * the first names, and their scores are the ones that count.
 */
type Plan = { readonly match: string; readonly withCommon?: string };

/** So many documents have the words that choose. */
type CountedPlan = Plan & { readonly documents: number };

/** The part of a filter that the index can answer, which share of all documents it leaves, and how many documents its words have. */
type Scope = { readonly match: string; readonly share: number; readonly documents: number };

/** What a scored document has to meet: an expression, or to be one of these (as JSON). */
type Within = { readonly match: string; readonly ids?: string };

/**
 * BM25 counts the documents of every word of its expression, those of a filter too: two thirds of a prompt's search among 100,000.
 * Where the words are so many times rarer, what is in scope is found first, and scored by the words alone.
 */
const RARER = 4;

export class Searcher {
  readonly #driver: Driver;
  readonly #facets: Facets;
  readonly #known = new Map<string, number>();
  #version = '';

  constructor(driver: Driver, facets: Facets) {
    this.#driver = driver;
    this.#facets = facets;
  }

  search(query: TextQuery): Hit[] {
    this.#forgetOld();
    const scope = this.#scope(query);
    if (scope === undefined || !(query.limit >= 1)) return [];
    // So few that counting how common the words are would take longer than looking at all of them.
    const isSmall = this.#facets.totalDocuments() * scope.share <= CANDIDATES;
    const parts = this.#parts(query.terms, isSmall);
    if (parts.length === 0) return [];
    if (isSmall) return this.#run(query, scope, { match: joined(parts, query.match ?? 'any') });
    if (query.match === 'all') {
      if (parts.some((part) => part.documents === 0)) return [];
      return this.#run(query, scope, { match: joined(parts, 'all') });
    }
    const known = parts.filter((part) => part.documents > 0);
    if (known.length === 0) return [];
    const plan = planAny(known, scope.share);
    const hits = this.#run(query, this.#within(scope, plan), query.rough === true ? { match: plan.match } : plan);
    // Only a plan that asks for two words at once can find too few while others would match.
    if (hits.length >= query.limit || rarestIsRare(known, scope.share)) return hits;
    return this.#run(query, scope, { match: joined(known, 'any') });
  }

  /** The terms as FTS5 expressions, each once, the rarest first, or by name if they are not counted. */
  #parts(terms: readonly Term[], uncounted: boolean): Part[] {
    const parts = new Map<string, Part>();
    for (const term of terms.slice(0, MAX_TERMS)) {
      const { words, open } = queryWords(term.text);
      if (words.length === 0) continue;
      const prefix = open || term.as === 'prefix';
      const match = `"${words.join(' ')}"${prefix ? ' *' : ''}`;
      if (parts.has(match)) continue;
      parts.set(match, { match, documents: uncounted ? 1 : this.#documents(match, words, prefix) });
    }
    return [...parts.values()].sort((a, b) => a.documents - b.documents || (a.match < b.match ? -1 : 1));
  }

  #documents(match: string, words: readonly string[], prefix: boolean): number {
    return prefix ? this.#count(match) : Math.min(...words.map((word) => this.#documentsWith(word)));
  }

  counts(words: readonly string[]): WordCounts {
    this.#forgetOld();
    return {
      documents: this.#facets.totalDocuments(),
      counts: words.map((word) => this.#documentsWith(word)),
    };
  }

  /** SQLite counts by walking through all of them, so a connection remembers it until anybody has written. */
  #documentsWith(word: string): number {
    let count = this.#known.get(word);
    if (count === undefined) {
      count = Number(this.#driver.prepare('SELECT doc FROM vocabulary WHERE term = ?').get(word)?.doc ?? 0);
      if (this.#known.size >= MAX_KNOWN) this.#known.clear();
      this.#known.set(word, count);
    }
    return count;
  }

  #forgetOld(): void {
    const version = this.#facets.writes();
    if (version !== this.#version) this.#known.clear();
    this.#version = version;
  }

  #count(match: string): number {
    return Number(this.#driver.prepare('SELECT COUNT(*) AS n FROM words WHERE words MATCH ?').get(match)?.n ?? 0);
  }

  /** Undefined: no document can pass. A condition that all documents meet is left out. */
  #scope(query: TextQuery): Scope | undefined {
    const total = this.#facets.totalDocuments();
    const matches: string[] = [];
    let share = 1;
    let named = 0;
    for (const [field, values] of facetLists(query.filter ?? {})) {
      const ids = this.#facets.idsOf(field, values);
      const documents = this.#facets.documentsOf(ids);
      if (documents === 0) return undefined;
      if (documents === total) continue;
      share *= documents / total;
      named += documents;
      matches.push(`(${ids.map((id) => `"${facetWord(id)}"`).join(' OR ')})`);
    }
    return { match: matches.join(' AND '), share, documents: named };
  }

  #within(scope: Scope, { match, documents }: CountedPlan): Within {
    if (documents * RARER > scope.documents) return scope;
    const found = this.#driver
      .prepare('SELECT json_group_array(rowid) AS ids FROM words WHERE words MATCH ?')
      .get(`${scope.match} AND (${match})`);
    return { match: '', ids: String(found?.ids) };
  }

  #run(query: TextQuery, scope: Within, plan: Plan): Hit[] {
    const limit = Math.min(Math.floor(query.limit), MAX_LIMIT);
    const { match, withCommon } = plan;
    const second = withCommon === undefined ? [] : this.#score(query, scope, withCommon, { limit });
    // What the second knows to be better makes it needless to read the first to its end.
    const first = this.#score(query, scope, match, { limit, least: second[limit - 1]?.score ?? -Infinity });
    const scored = merged(first, second);
    return rankHits(this.#driver, this.#facets, scored, { ...query, limit });
  }

  /**
   * The best, and whatever ties with the last of them: only by name can it be told which of those come first, and to have SQLite
   * order by name, every document that matches would have to be read.
   */
  #score(
    query: TextQuery,
    scope: Within,
    words: string,
    { limit, least = -Infinity, room = TIE_ROOM }: { limit: number; least?: number; room?: number },
  ): Scored[] {
    const { title, text, tags, context } = query.weights ?? DEFAULT_WEIGHTS;
    const others = otherConditions(query.filter ?? {}, this.#facets);
    const listed = scope.ids === undefined ? [] : [{ sql: AMONG, values: [scope.ids] }];
    const conditions = [...listed, ...others];
    const match = scope.match === '' ? words : `${scope.match} AND (${words})`;
    // CROSS JOIN: the index leads. The other way round, every document would be looked up in the index on its own.
    const sql = `SELECT w.rowid AS id, bm25(words, ?, ?, ?, ?, 0) AS score FROM words w
      ${others.length > 0 ? 'CROSS JOIN document d ON d.id = w.rowid' : ''}
      WHERE words MATCH ? ${conditions.map((condition) => `AND ${condition.sql}`).join(' ')}
      ORDER BY score LIMIT ?`;
    const values = conditions.flatMap((condition) => condition.values);
    const rows = this.#driver.prepareValues(sql).iterate(title, text, tags, context, match, ...values, limit + room);
    const scored: Scored[] = [];
    for (const [id, rank] of rows) {
      const score = -Number(rank);
      if (score < least || score < (scored[limit - 1]?.score ?? least)) return scored;
      scored.push({ id: Number(id), score });
    }
    return scored.length < limit + room ? scored : this.#score(query, scope, words, { limit, least, room: MAX_LIMIT });
  }
}

function rarestIsRare(parts: readonly Part[], share: number): boolean {
  return parts.length < 2 || parts[0]!.documents * share <= CANDIDATES;
}

/**
 * The rare words choose; `(rare) AND (common OR common)` then scores those of the chosen that have common ones too, with all
 * words. In one expression each word would have to stand twice to count alike, and BM25 walks through all documents of every
 * word that it is given. Parts come rarest first.
 */
function planAny(parts: readonly Part[], share: number): CountedPlan {
  let chosen = 0;
  let candidates = 0;
  while (chosen < parts.length && (chosen === 0 || candidates + parts[chosen]!.documents * share <= CANDIDATES)) {
    candidates += parts[chosen]!.documents * share;
    chosen++;
  }
  if (chosen === parts.length) return { match: joined(parts, 'any'), documents: documentsOf(parts) };
  // Common words only: what has one of them is half the store; what has the two rarest is worth a look.
  const pair = !rarestIsRare(parts, share);
  const rare = parts.slice(0, pair ? 2 : chosen);
  const common = parts.slice(rare.length);
  const match = pair ? joined(rare, 'all') : joined(rare, 'any');
  const plan = { match, documents: documentsOf(rare) };
  return common.length === 0 ? plan : { ...plan, withCommon: `(${match}) AND (${joined(common, 'any')})` };
}

const documentsOf = (parts: readonly Part[]): number => parts.reduce((sum, part) => sum + part.documents, 0);

/** Both lists as one, ordered by score; where both have a document, the second knows better. */
function merged(first: readonly Scored[], second: readonly Scored[]): readonly Scored[] {
  if (second.length === 0) return first;
  const known = new Set(second.map(({ id }) => id));
  return [...second, ...first.filter(({ id }) => !known.has(id))].sort((a, b) => b.score - a.score);
}

function joined(parts: readonly Part[], how: keyof typeof JOINED): string {
  return parts.map((part) => part.match).join(JOINED[how]);
}
