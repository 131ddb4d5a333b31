// A row of `document` → a Document. Recall reads hundreds of them for an answer of ten, so rows come without names, and
// what is optional is added only where it is.

import { isObject, parseJson } from '../../model/json.ts';
import type { Document } from '../store.ts';
import type { Driver, SqlValue, Values } from './driver.ts';
import type { Facets } from './facets.ts';
import { damagedRow } from './failure.ts';

/** What `documentOf` reads, of `document d` and `source s`. */
export const DOCUMENT_COLUMNS = `d.ref, d.project, d.layer, d.kind, d.status, d.title, d.text, d.context, d.tags,
  d.confidence, d.created_at, d.updated_at, d.session, d.span, s.file, d.line, d.hash, d.meta`;

/** Where a list of row numbers is what is known. Values: ids. */
const BY_ID = `SELECT d.id, ${DOCUMENT_COLUMNS} FROM json_each(?) j
  CROSS JOIN document d ON d.id = j.value LEFT JOIN source s ON s.id = d.source`;

type Built = { -readonly [Key in keyof Document]: Document[Key] };

/** `from`: where in the row those columns begin. */
export function documentOf(row: Values, facets: Facets, from = 0): Document {
  const document: Built = {
    ref: row[from] as string,
    project: facets.valueOf(row[from + 1] as number),
    layer: facets.valueOf(row[from + 2] as number),
    kind: facets.valueOf(row[from + 3] as number),
    status: facets.valueOf(row[from + 4] as number),
    title: row[from + 5] as string,
    text: row[from + 6] as string,
    tags: row[from + 8] === '[]' ? [] : tagsIn(row[from + 8]),
    confidence: row[from + 9] as number,
    createdAt: row[from + 10] as number,
    updatedAt: row[from + 11] as number,
    hash: row[from + 16] as string,
  };
  const [context, session, span, file, meta] = [
    row[from + 7],
    row[from + 12],
    row[from + 13],
    row[from + 14],
    row[from + 17],
  ];
  if (isText(context)) document.context = context;
  if (isText(session)) document.session = session;
  if (isText(span)) document.span = span;
  if (isText(file)) document.source = sourceOf(file, row[from + 15]);
  if (isText(meta)) document.meta = metaIn(meta);
  return document;
}

export function documentsById(driver: Driver, facets: Facets, ids: readonly number[]): Map<number, Document> {
  const documents = new Map<number, Document>();
  for (const row of driver.prepareValues(BY_ID).all(JSON.stringify(ids)))
    documents.set(Number(row[0]), documentOf(row, facets, 1));
  return documents;
}

const isText = (value: SqlValue | undefined): value is string => typeof value === 'string';

function sourceOf(file: string, line: SqlValue | undefined): NonNullable<Document['source']> {
  return typeof line === 'number' ? { file, line } : { file };
}

/** The tags of a row. SQLite keeps no sums: what is no list of texts any more is damage of the file, and is told like any other. */
export function tagsIn(column: SqlValue | undefined): string[] {
  const tags = parseJson(String(column));
  if (Array.isArray(tags) && tags.every((tag) => typeof tag === 'string')) return tags;
  throw damagedRow('tags');
}

function metaIn(column: string): NonNullable<Document['meta']> {
  const meta = parseJson(column);
  if (isObject(meta)) return meta as NonNullable<Document['meta']>;
  throw damagedRow('meta');
}
