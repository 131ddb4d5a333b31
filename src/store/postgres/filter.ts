// Filter → SQL conditions on `document d`. The shelves, that is whose rows and of which projects, are always among them.

import { indexWords } from '../index-words.ts';
import type { Filter } from '../store.ts';
import type { SqlValue } from './driver.ts';
import type { Sql, View } from './view.ts';

export const FACET_FIELDS = ['project', 'layer', 'kind', 'status'] as const;
export type FacetField = (typeof FACET_FIELDS)[number];

/** Filters that leave some documents of a session, a file or the like. */
export function isNarrow({ refs, sessions, spans, files, tags, entities }: Filter): boolean {
  return [refs, sessions, spans, files, tags, entities].some((list) => list !== undefined);
}

export function facetLists(filter: Filter): [FacetField, readonly string[]][] {
  const lists: [FacetField, readonly string[] | undefined][] = [
    ['project', filter.projects],
    ['layer', filter.layers],
    ['kind', filter.kinds],
    ['status', filter.statuses],
  ];
  return lists.filter((entry): entry is [FacetField, readonly string[]] => entry[1] !== undefined);
}

export function conditionsOf(filter: Filter, view: View, which: 'seen' | 'own' = 'seen'): Sql[] {
  const shelves = view.shelves(which, filter.projects);
  return [{ sql: `d.shelf = ANY (${shelves.sql})`, values: shelves.values }, ...otherConditions(filter, view)];
}

/** All but the project. */
export function otherConditions(filter: Filter, view: View): Sql[] {
  const conditions: Sql[] = [];
  const list = (sql: string, values: readonly string[] | undefined): void => {
    if (values !== undefined) conditions.push({ sql, values: [values] });
  };
  list('d.layer = ANY (?::text[])', filter.layers);
  list('d.kind = ANY (?::text[])', filter.kinds);
  list('d.status = ANY (?::text[])', filter.statuses);
  list('d.ref = ANY (?::text[])', filter.refs);
  list('d.session = ANY (?::text[])', filter.sessions);
  list('d.span = ANY (?::text[])', filter.spans);
  list('d.file = ANY (?::text[])', filter.files);
  list('d.tags && ?::text[]', filter.tags);
  if (filter.tags !== undefined) conditions.push(...taggedRoughly(filter.tags, filter, view));
  list('d.id IN (SELECT m.document FROM mention m WHERE m.name = ANY (?::text[]))', filter.entities);
  if (filter.since !== undefined) conditions.push({ sql: 'd.created_at >= ?::bigint', values: [whole(filter.since)] });
  if (filter.until !== undefined) conditions.push({ sql: 'd.created_at < ?::bigint', values: [whole(filter.until)] });
  if (filter.unembedded !== undefined) {
    const scopes = view.scopes('seen');
    conditions.push({
      sql: `NOT EXISTS (SELECT 1 FROM embedding e JOIN model m ON m.id = e.model
        WHERE m.name = ? AND e.hash = d.hash AND e.scope = ANY (${scopes.sql}))`,
      values: [filter.unembedded, ...scopes.values],
    });
  }
  return conditions;
}

/**
 * The words of tags stand among the words of the text, and are found there at once. Row-level security keeps the index of tags itself from being
 * used, and without it everything would be read for a tag that few have: 4.7 s among a million documents, 0.1 ms so.
 */
function taggedRoughly(tags: readonly string[], filter: Filter, view: View): Sql[] {
  const words = tags.map((tag) => indexWords(tag)[0]);
  if (words.some((word) => word === undefined)) return []; // of signs alone
  const shelves = view.shelves('seen', filter.projects);
  return [
    {
      sql: `d.id = ANY (ARRAY(SELECT t.document FROM posting t
        WHERE t.shelf = ANY (${shelves.sql}) AND t.word = ANY (?::text[]) AND (t.tf & 31) > 0))`,
      values: [...shelves.values, words.filter((word) => word !== undefined)],
    },
  ];
}

const MOST = 2 ** 62;

/** A time that no row has may be any number. */
const whole = (time: number): string =>
  BigInt(Math.ceil(Math.max(-MOST, Math.min(MOST, Number.isNaN(time) ? 0 : time)))).toString();

/** ` WHERE a AND b`, or nothing. */
export function whereOf(conditions: readonly Sql[]): { sql: string; values: SqlValue[] } {
  const sql = conditions.length === 0 ? '' : ` WHERE ${conditions.map((condition) => condition.sql).join(' AND ')}`;
  return { sql, values: conditions.flatMap((condition) => [...condition.values]) };
}
