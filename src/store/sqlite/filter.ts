// Filter → SQL conditions on `document d`. Lists are bound as JSON, so that the text of a statement, and with it the
// prepared statement, does not depend on their length.

import type { Filter } from '../store.ts';
import type { SqlValue } from './driver.ts';
import type { FacetField, Facets } from './facets.ts';

export type Condition = { readonly sql: string; readonly values: readonly SqlValue[] };

const LIST = 'IN (SELECT value FROM json_each(?))';

/** Ids of documents by ref: the unique index of project and ref, asked once for each pair. Values: refs, project ids. */
export const IDS_BY_REF = `SELECT x.id FROM json_each(?) r CROSS JOIN json_each(?) q
  CROSS JOIN document x ON x.project = q.value AND x.ref = r.value`;

/** Everything that a filter can say. No condition at all gives an empty list. `isChosen`: something else leaves but a few documents. */
export function conditionsOf(filter: Filter, facets: Facets, isChosen = isNarrow(filter)): Condition[] {
  return [...facetConditions(filter, facets, isChosen), ...otherConditions(filter, facets)];
}

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

/** It names a project, layer, kind or state that no document has: SQLite would look at every row to find that out. */
export function isHopeless(filter: Filter, facets: Facets): boolean {
  return facetLists(filter).some(([field, values]) => facets.idsOf(field, values).length === 0);
}

function facetConditions(filter: Filter, facets: Facets, isChosen: boolean): Condition[] {
  // SQLite has no statistics here and would guess; a plus sign keeps it from choosing an index by this column.
  const plus = isChosen ? '+' : '';
  return facetLists(withProjects(filter, facets)).map(([field, values]) => {
    const ids = facets.idsOf(field, values);
    // A single one as an equation lets SQLite read an index in the order it is asked for.
    if (ids.length === 1) return { sql: `${plus}d.${field} = ?`, values: ids };
    return { sql: `${plus}d.${field} ${LIST}`, values: [JSON.stringify(ids)] };
  });
}

/** The index of time begins with the project, so a condition on time names all projects rather than none. */
function withProjects(filter: Filter, facets: Facets): Filter {
  if (filter.projects !== undefined || (filter.since === undefined && filter.until === undefined)) return filter;
  return { ...filter, projects: facets.idsOf('project', undefined).map((id) => facets.valueOf(id)) };
}

/** The conditions beside project, layer, kind and status. */
export function otherConditions(filter: Filter, facets: Facets): Condition[] {
  const conditions: Condition[] = [];
  const list = (sql: string, values: readonly string[] | undefined): void => {
    if (values !== undefined) conditions.push({ sql, values: [JSON.stringify(values)] });
  };
  if (filter.refs !== undefined) {
    const projects = facets.idsOf('project', filter.projects);
    conditions.push({
      sql: `d.id IN (${IDS_BY_REF})`,
      values: [JSON.stringify(filter.refs), JSON.stringify(projects)],
    });
  }
  list(`d.session ${LIST}`, filter.sessions);
  list(`d.span ${LIST}`, filter.spans);
  list(`d.source IN (SELECT id FROM source WHERE file ${LIST})`, filter.files);
  list(`d.id IN (SELECT document FROM tag WHERE tag ${LIST})`, filter.tags);
  list(
    `d.id IN (SELECT m.document FROM entity e JOIN mention m ON m.entity = e.id WHERE e.name ${LIST})`,
    filter.entities,
  );
  if (filter.since !== undefined) conditions.push({ sql: 'd.created_at >= ?', values: [filter.since] });
  if (filter.until !== undefined) conditions.push({ sql: 'd.created_at < ?', values: [filter.until] });
  if (filter.unembedded !== undefined) {
    conditions.push({
      sql: `NOT EXISTS (SELECT 1 FROM embedding_model m JOIN embedding e ON e.model = m.id WHERE m.name = ? AND e.hash = d.hash)`,
      values: [filter.unembedded],
    });
  }
  return conditions;
}

/** ` WHERE a AND b`, or nothing. */
export function whereOf(conditions: readonly Condition[]): { sql: string; values: SqlValue[] } {
  const sql = conditions.length === 0 ? '' : ` WHERE ${conditions.map((condition) => condition.sql).join(' AND ')}`;
  return { sql, values: conditions.flatMap((condition) => condition.values) };
}
