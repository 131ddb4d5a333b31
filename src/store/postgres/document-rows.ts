// A row of `document` → a Document. What others share comes with their name.

import { isObject, parseJson } from '../../model/json.ts';
import type { Document } from '../store.ts';
import type { Row } from './driver.ts';

/** What `documentOf` reads. */
export const DOCUMENT_COLUMNS = `d.ref, p.project, d.layer, d.kind, d.status, d.title, d.text, d.context, d.tags,
  d.confidence, d.created_at, d.updated_at, d.session, d.span, d.file, d.line, d.hash, d.meta,
  CASE WHEN w.class = 'shared' THEN w.owner END AS author`;
/** Where it reads them from, beside `document d`. */
export const DOCUMENT_JOINS = 'JOIN shelf p ON p.id = d.shelf JOIN scope w ON w.id = p.scope';

type Built = { -readonly [Key in keyof Document]: Document[Key] };

export function documentOf(row: Row): Document {
  const document: Built = {
    ref: row.ref as string,
    project: row.project as string,
    layer: row.layer as string,
    kind: row.kind as string,
    status: row.status as string,
    title: row.title as string,
    text: row.text as string,
    tags: row.tags as string[],
    confidence: Number(row.confidence),
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
    hash: row.hash as string,
  };
  const { context, session, span, file, line, meta, author } = row;
  if (isText(context)) document.context = context;
  if (isText(session)) document.session = session;
  if (isText(span)) document.span = span;
  if (isText(file)) document.source = line === null || line === undefined ? { file } : { file, line: Number(line) };
  if (isText(meta)) {
    const parsed = parseJson(meta);
    if (isObject(parsed)) document.meta = parsed as NonNullable<Document['meta']>;
  }
  if (isText(author)) document.author = author;
  return document;
}

const isText = (value: unknown): value is string => typeof value === 'string';
