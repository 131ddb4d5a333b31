// What a file contributes to the graph: a note by its front matter and body, a record by its fields. Records are read here too,
// because one link leads from one to the other.

import { CairnError } from '../../errors.ts';
import { decodeUtf8, parseJsonObject } from '../../files/json-file.ts';
import { type EntryLink, type GraphEntry, recordKey } from '../../graph/graph-node.ts';
import type { Category } from '../../model/categories.ts';
import type { JsonObject } from '../../model/json.ts';
import { statusOf } from '../../model/record.ts';
import { linksOf } from '../../notes/links.ts';
import { gistLine, readNote } from '../../notes/note.ts';
import { fileNoteId } from '../../notes/note-id.ts';

export type ReadEntry = { entry: GraphEntry; problem?: undefined } | { entry?: undefined; problem: string };

const TITLE_MAX = 200;
const WORD_MAX = 64;

export function noteEntry(bytes: Uint8Array, place: { folder: string; name: string }, hash: string): ReadEntry {
  return orProblem(() => {
    const { note, problem } = readNote(decodeUtf8(bytes, ''), place);
    if (!note) return { problem };
    const entry: GraphEntry = {
      key: note.id,
      type: note.kind.type,
      title: cut(note.title, TITLE_MAX),
      gist: note.gist,
      status: cut(note.status, WORD_MAX),
      tags: [...note.tags].sort(),
      created: cut(note.created, WORD_MAX),
      updated: cut(note.updated, WORD_MAX),
      links: note.links,
      hash,
      ...(note.pinned ? { pinned: true } : {}),
      ...(note.path === undefined ? {} : { file: note.path }),
      ...(note.sessionId === undefined ? {} : { session: note.sessionId }),
    };
    return { entry: detached(entry) };
  });
}

export function recordEntry(bytes: Uint8Array, category: Category, slug: string, hash: string): ReadEntry {
  return orProblem(() => {
    const record = parseJsonObject(decodeUtf8(bytes, ''), '');
    const entry: GraphEntry = {
      key: recordKey(category.folder, slug),
      type: category.name,
      title: cut(textOf(record.title) || slug, TITLE_MAX),
      gist: gistOf(record, category),
      status: statusOf(record),
      tags: [...new Set(textsOf(record.tags).map((tag) => tag.toLowerCase()))].filter(Boolean).sort(),
      created: cut(textOf(record.created_at), WORD_MAX),
      updated: cut(textOf(record.updated_at) || textOf(record.created_at), WORD_MAX),
      links: linksOfRecord(record),
      hash,
    };
    return { entry };
  });
}

/** Links stand in the title and in any text of the content; files point to what was noted about them. */
function linksOfRecord(record: JsonObject): EntryLink[] {
  const texts: string[] = [textOf(record.title)];
  const open: unknown[] = [record.content];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string') texts.push(value);
    else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) open.push(each);
  }
  const links = texts.filter((text) => /\[\[|::/.test(text)).flatMap(linksOf);
  const files = textsOf(record.related_files).map(
    (file): EntryLink => ({ to: fileNoteId(file), relation: 'related', soft: true }),
  );
  return [...links, ...files];
}

/** The field that is named like the category says it best: the decision of a decision. */
function gistOf(record: JsonObject, category: Category): string {
  const content = (typeof record.content === 'object' && record.content !== null ? record.content : {}) as JsonObject;
  const fields = [category.name, ...category.keyFields].filter((field) => Object.hasOwn(content, field));
  for (const field of fields) {
    const gist = gistLine(textOf(content[field]) || textsOf(content[field]).join('\n'));
    if (gist !== '') return gist;
  }
  return '';
}

/** A copy that does not keep the text of the whole file in memory, as pieces of it would: an eighth less for a rebuild. */
function detached(entry: GraphEntry): GraphEntry {
  const { title, gist, created, updated, tags, links } = entry;
  const pieces = [title, gist, created, updated, ...tags, ...links.map((link) => link.to)];
  const copies = Buffer.from(pieces.join('\0')).toString().split('\0');
  if (copies.length !== pieces.length) return entry; // a property may spell a zero
  return {
    ...entry,
    title: copies[0]!,
    gist: copies[1]!,
    created: copies[2]!,
    updated: copies[3]!,
    tags: copies.slice(4, 4 + tags.length),
    links: links.map(({ to: _, ...link }, at) => ({ ...link, to: copies[4 + tags.length + at]! })),
  };
}

function orProblem(read: () => ReadEntry): ReadEntry {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof CairnError)) throw error;
    return { problem: error.message.replace(/^ cannot be read: /, '').replace(/\.$/, '') };
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const textsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : []).filter((each): each is string => typeof each === 'string');

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${[...text].slice(0, length - 1).join('')}…`;
}
