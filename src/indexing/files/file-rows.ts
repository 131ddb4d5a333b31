// From a record or a note, as its file holds it, to a document of the store with the entities it mentions. Pure: where links
// lead and what the files looked like is the indexer's to say. Whatever a file holds comes out redacted and clean, because files
// are edited by hand and brought by clones.

import { CairnError } from '../../errors.ts';
import { entitiesOf } from '../../extraction/entities/entities-of.ts';
import { normaliseFile } from '../../extraction/entities/files-in.ts';
import { foldFile } from '../../extraction/entities/fold-name.ts';
import { decodeUtf8, parseJsonObject } from '../../files/json-file.ts';
import { type EntryLink, type GraphEntry, refOf, timeOf } from '../../graph/graph-node.ts';
import type { Category } from '../../model/categories.ts';
import { contentHash } from '../../model/hash.ts';
import { isObject, type JsonObject } from '../../model/json.ts';
import { cutCodePoints, stripUnsafe, stripUnsafeText } from '../../model/text.ts';
import { readNote } from '../../notes/note.ts';
import { fileNoteId } from '../../notes/note-id.ts';
import { removePrivate } from '../../safety/private-tags.ts';
import { cleanTag, cleanTitle } from '../../safety/sanitise.ts';
import { redact } from '../../safety/secrets/redact.ts';
import type { Document, Json, Mention } from '../../store/store.ts';
import { noteEntry, recordEntry } from '../graph/graph-entry.ts';
import { embeddedText } from '../vectors/embedded-text.ts';
import { readable, readableNote } from './readable-text.ts';

export type FileRow = {
  readonly entry: GraphEntry;
  /** Without its links and without the files that it is about. */
  readonly document: Document;
  readonly mentions: readonly Omit<Mention, 'project' | 'ref'>[];
  /** What it is about, from the project root. */
  readonly files: readonly string[];
};

export type ReadRow = { row: FileRow; problem?: undefined } | { row?: undefined; problem: string };

export type RowPlace = {
  readonly project: string;
  /** Of the file itself. */
  readonly file: string;
  readonly mtimeMs: number;
  readonly hash: string;
  /** Brings the path of a related file into the form of the project. */
  readonly inProject: (named: string) => string;
};

export const TEXT_MAX = 20_000;
const TITLE_MAX = 200;
const TAG_MAX = 60;
const TAGS_MAX = 40;
const FILES_MAX = 50;
const PATH_MAX = 1_024;
/** Where a file does not say: curated by a schema, written by hand, made from what was seen. */
const CONFIDENCE = { record: 0.8, note: 0.7, captured: 0.6 } as const;

export function recordRow(bytes: Uint8Array, place: RowPlace & { category: Category; slug: string }): ReadRow {
  const { category, slug } = place;
  const { entry, problem } = recordEntry(bytes, category, slug, place.hash);
  if (!entry) return { problem };
  const record = parseJsonObject(decodeUtf8(bytes, place.file), place.file);
  const content = isObject(record.content) ? record.content : {};
  const files = filesOf(record.related_files, place);
  // A path with a line number, or from the root of the disk, still means the note about its file.
  const links = files.map((file): EntryLink => ({ to: fileNoteId(file), relation: 'related', soft: true }));
  return rowOf({ ...entry, links: [...entry.links, ...links] }, place, {
    layer: 'record',
    status: statusOf(entry.status, content),
    text: readable(content, category.keyFields),
    confidence: fraction(record.confidence) ?? CONFIDENCE.record,
    files,
    meta: typeof content.status === 'string' ? { state: short(content.status) } : {},
  });
}

export function noteRow(bytes: Uint8Array, place: RowPlace & { folder: string; name: string }): ReadRow {
  const { entry, problem } = noteEntry(bytes, place, place.hash);
  if (!entry) return { problem };
  const { note } = readNote(decodeUtf8(bytes, place.file), place);
  const files = filesOf(note?.path === undefined ? [] : [note.path], place);
  const captured = entry.type === 'file-summary' || entry.type === 'session';
  const session = note?.sessionId === undefined ? '' : stripUnsafe(note.sessionId).slice(0, TITLE_MAX);
  return rowOf(entry, place, {
    layer: 'note',
    status: entry.status,
    text: readableNote(note?.body ?? ''),
    confidence: captured ? CONFIDENCE.captured : CONFIDENCE.note,
    files,
    meta: entry.pinned ? { pinned: true } : {},
    ...(session === '' ? {} : { session }),
  });
}

type Content = {
  layer: 'record' | 'note';
  status: string;
  text: string;
  confidence: number;
  files: readonly string[];
  meta: { readonly [key: string]: Json };
  session?: string;
};

function rowOf(entry: GraphEntry, place: RowPlace, content: Content): ReadRow {
  const { layer, files, confidence, session } = content;
  const ref = refOf(entry.key);
  const title = titleOf(entry.title) || ref.slice(ref.search(/[:/][^:/]*$/) + 1);
  const text = textOf(content.text);
  const gist = titleOf(entry.gist);
  const updatedAt = timeOf(entry, place.mtimeMs / 1000);
  const created = Date.parse(entry.created);
  const document: Document = {
    ref,
    project: place.project,
    layer,
    kind: entry.type,
    status: short(content.status) || 'active',
    title,
    text,
    ...(files.length > 0 ? { context: files.join('\n') } : {}),
    tags: tagsOf(entry.tags),
    confidence,
    createdAt: Math.round(Number.isNaN(created) ? updatedAt : created),
    updatedAt: Math.round(updatedAt),
    ...(session === undefined ? {} : { session }),
    source: { file: place.file },
    hash: documentHash({ title, text }),
    meta: { ...content.meta, ...(gist === '' ? {} : { gist }) },
  };
  return { row: { entry, document, mentions: mentionsOf(`${title}\n${text}`, files), files } };
}

/** A decision may say of itself that it no longer holds, while its record is active. */
function statusOf(record: string, content: JsonObject): string {
  return record === 'active' && (content.status === 'superseded' || content.status === 'deprecated')
    ? 'superseded'
    : record;
}

export const documentHash = (document: { title: string; text: string }): string =>
  contentHash(embeddedText(document)).slice(0, 32);

export const textOf = (text: string): string =>
  cutCodePoints(stripUnsafeText(redact(removePrivate(text)).text).trim(), TEXT_MAX);

export const titleOf = (text: string): string =>
  cutCodePoints(cleanTitle(redact(removePrivate(text)).text), TITLE_MAX).trim();

const short = (text: string): string => cutCodePoints(stripUnsafe(text).trim(), TAG_MAX);

function tagsOf(tags: readonly string[]): string[] {
  const clean = tags.map((tag) => cutCodePoints(cleanTag(redact(tag).text), TAG_MAX).trim());
  return [...new Set(clean)].filter((tag) => tag !== '').slice(0, TAGS_MAX);
}

export function mentionsOf(text: string, files: readonly string[]): Omit<Mention, 'project' | 'ref'>[] {
  const mentions = new Map<string, { entity: string; kind: string; count: number }>();
  const add = (entity: string, kind: string, count: number): void => {
    const known = mentions.get(`${kind} ${entity}`);
    if (known) known.count += count;
    else mentions.set(`${kind} ${entity}`, { entity, kind, count });
  };
  for (const file of files) add(foldFile(file), 'file', 1);
  for (const { name, kind, count } of entitiesOf(text, { files })) add(name, kind, count);
  return [...mentions.values()];
}

function filesOf(value: unknown, { inProject }: RowPlace): string[] {
  const written = Array.isArray(value) ? value : [];
  const files = written
    .filter((file): file is string => typeof file === 'string' && file.length <= PATH_MAX && stripUnsafe(file) === file)
    .map((file) => normaliseFile(inProject(redact(file.trim()).text)));
  return [...new Set(files)].filter((file) => file !== '').slice(0, FILES_MAX);
}

const fraction = (value: unknown): number | undefined =>
  typeof value === 'number' && value >= 0 && value <= 1 ? value : undefined;

/** Reading must not stop at one file: what is wrong with it is told, and the others go on. */
export function rowOrProblem(read: () => ReadRow): ReadRow {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof CairnError)) throw error;
    return { problem: error.message };
  }
}
