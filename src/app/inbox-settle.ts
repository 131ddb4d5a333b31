// Settling what the inbox lists: two memories become one, one takes the place of the other, or both stay. Nothing is lost: what goes out of sight is
// archived or superseded, and the history of what stays names it.

import { CairnError } from '../errors.ts';
import { addKept } from '../files/settled.ts';
import type { Category } from '../model/categories.ts';
import { isObject, type JsonObject } from '../model/json.ts';
import { NOT_STATED } from '../model/not-stated.ts';
import type { Document } from '../store/store.ts';
import { staleMark } from './inbox.ts';
import { pairMark } from './kept-pairs.ts';
import { Memory, type ScannedRecord, type StoredNote } from './memory.ts';
import { namedDocument } from './named-memory.ts';
import type { RecallMemory } from './recall-memory.ts';
import { saveFrom } from './save-from.ts';

export type InboxReport = {
  readonly action: 'merged' | 'superseded' | 'kept';
  /** What holds. */
  readonly ref: string;
  /** What is part of it now, or holds no more. */
  readonly other: string | null;
  /** What was noticed. */
  readonly notes: readonly string[];
};

type Two = { readonly a: Document; readonly b: Document; readonly files: Memory };

async function named(memory: RecallMemory, first: string, second: string): Promise<Two> {
  const [a, b] = [await name(memory, first), await name(memory, second)];
  if (a.ref === b.ref)
    throw new CairnError('USAGE_ERROR', 'That is the same memory twice.', { fix: '`cairn inbox` lists two for each.' });
  return { a, b, files: new Memory(memory.config, () => memory.now) };
}

const name = (memory: RecallMemory, ref: string): Promise<Document> => namedDocument(memory.store, memory.config, ref);

/** Both may stay as they are: they are not listed again, until one of them changes. Alone: it still holds, though its files changed. */
export async function keep(memory: RecallMemory, first: string, second?: string): Promise<InboxReport> {
  const { userRoot, projectRoot } = memory.config.paths;
  const at = memory.now.toISOString();
  if (second === undefined) {
    const document = await name(memory, first);
    const mark = staleMark(projectRoot, document);
    await addKept(userRoot, { a: document.ref, project: document.project, mark, at });
    return { action: 'kept', ref: document.ref, other: null, notes: [] };
  }
  const { a, b } = await named(memory, first, second);
  await addKept(userRoot, { a: a.ref, b: b.ref, project: a.project, mark: pairMark(a, b), at });
  return { action: 'kept', ref: a.ref, other: b.ref, notes: [] };
}

/** One of the two, with what both say: the first, but a record rather than a note. */
export async function merge(memory: RecallMemory, first: string, second: string): Promise<InboxReport> {
  const { a: one, b: other, files } = await named(memory, first, second);
  const [a, b] = one.layer === 'note' && other.layer === 'record' ? [other, one] : [one, other];
  const notes: string[] = [];
  if (a.layer === 'record' && b.layer === 'record') notes.push(...(await mergeRecords(files, a, b)));
  else if (a.layer === 'note' && b.layer === 'note') notes.push(...(await mergeNotes(files, a, b)));
  else if (a.layer === 'record' && b.layer === 'note') notes.push(...(await mergeNoteIntoRecord(files, a, b)));
  else
    throw new CairnError('INPUT_ERROR', 'Only records and notes can be merged.', {
      fix: `What was said is saved with \`cairn inbox supersede ${one.ref} ${other.ref}\`, or left with \`cairn inbox keep\`.`,
    });
  await memory.refresh();
  return { action: 'merged', ref: a.ref, other: b.ref, notes };
}

async function mergeRecords(files: Memory, a: Document, b: Document): Promise<string[]> {
  const [one, other] = [files.find(a.ref), files.find(b.ref)];
  if (one.category.name !== other.category.name)
    throw new CairnError('INPUT_ERROR', `${a.ref} and ${b.ref} are of two categories.`, {
      fix: `Let one take the place of the other: cairn inbox supersede ${a.ref} ${b.ref}`,
    });
  const { content, said } = united(contentOf(one), contentOf(other));
  const revised = await files.revise(one.file, {
    summary: `Merged ${b.ref}: ${[other.title, ...said].join('; ')}`,
    content,
    moreTags: other.tags,
    moreFiles: textsOf(other.record.related_files),
  });
  const archived = await files.archive(statusOf(files, other, `Merged into ${a.ref}`));
  return told([...revised.notes, ...archived.notes]);
}

/** Lists together, words of the first; what the second says otherwise is named. */
function united(one: JsonObject, other: JsonObject): { content: JsonObject; said: string[] } {
  const content: JsonObject = {};
  const said: string[] = [];
  for (const [field, theirs] of Object.entries(other)) {
    const own = one[field];
    if (Array.isArray(theirs)) {
      const known = new Set((Array.isArray(own) ? own : []).map((each) => JSON.stringify(each)));
      const more = theirs.filter((each) => each !== NOT_STATED && !known.has(JSON.stringify(each)));
      const stated = (Array.isArray(own) ? own : []).filter((each) => each !== NOT_STATED);
      if (more.length > 0) content[field] = [...stated, ...more];
    } else if (own === undefined || own === NOT_STATED) content[field] = theirs;
    else if (typeof theirs === 'string' && theirs !== NOT_STATED && theirs !== own && field !== 'status')
      said.push(`${field}: ${theirs}`);
  }
  return { content, said };
}

async function mergeNotes(files: Memory, a: Document, b: Document): Promise<string[]> {
  const [one, other] = [noteOf(files, a.ref), noteOf(files, b.ref)];
  const own = sectionsIn(one);
  const sections: { [section: string]: string } = {};
  for (const [section, text] of Object.entries(sectionsIn(other))) {
    const known = own[section] ?? '';
    if (known.includes(text)) continue;
    sections[section] = known === '' ? text : `${known}\n\n${text} ([[${other.id}]])`;
  }
  const changed = await files.changeNote(one.id, {
    sections,
    addTags: other.tags,
    addLinks: [{ to: other.id, relation: 'supersedes' }],
  });
  const gone = await files.changeNote(other.id, { status: 'superseded' });
  return told([...changed.notes, ...gone.notes]);
}

async function mergeNoteIntoRecord(files: Memory, a: Document, b: Document): Promise<string[]> {
  const [record, note] = [files.find(a.ref), noteOf(files, b.ref)];
  const revised = await files.revise(record.file, {
    summary: `Merged ${b.ref}: ${note.gist || note.title}`,
    moreTags: note.tags,
  });
  const gone = await files.changeNote(note.id, {
    status: 'superseded',
    addLinks: [{ to: a.ref, relation: 'related' }],
  });
  return told([...revised.notes, ...gone.notes]);
}

/** The first holds instead of the second. A statement of a conversation becomes a record before it takes the place of one. */
export async function supersede(memory: RecallMemory, first: string, second: string): Promise<InboxReport> {
  const { a: one, b, files } = await named(memory, first, second);
  if (b.layer === 'trace') return { ...(await keep(memory, one.ref, b.ref)), action: 'superseded' };
  const notes: string[] = [];
  let a = one;
  if (one.layer === 'trace') {
    const category = b.layer === 'record' ? files.find(b.ref).category.name : 'decision';
    const saved = await saveFrom(memory, files, { ref: one.ref, category });
    notes.push(...saved.notes);
    await memory.refresh();
    const slug = String(saved.result.target)
      .split('/')
      .slice(-2)
      .join('/')
      .replace(/\.json$/, '');
    a = await name(memory, `record:${slug}`);
  }
  if (a.layer === 'record') notes.push(...(await nameReplaced(files, files.find(a.ref), b)));
  else
    notes.push(
      ...(await files.changeNote(noteOf(files, a.ref).id, { addLinks: [{ to: linkTo(b), relation: 'supersedes' }] }))
        .notes,
    );
  notes.push(...(await putAway(files, b, a.ref)));
  await memory.refresh();
  return { action: 'superseded', ref: a.ref, other: b.ref, notes: told(notes) };
}

/** Where a record can name what it replaces, so that the two are linked. */
const LINK_FIELDS = ['consequences', 'impact', 'key_changes', 'symptoms'];

async function nameReplaced(files: Memory, record: ScannedRecord, b: Document): Promise<string[]> {
  const { category } = record;
  const line = `supersedes:: [[${linkTo(b)}]]`;
  const field = LINK_FIELDS.find((each) => category.content.fields?.[each] !== undefined);
  const content = contentOf(record);
  const revised = await files.revise(record.file, {
    summary: `Supersedes ${b.ref}: ${b.title}`,
    content: field === undefined ? appended(category, content, line) : { [field]: [...textsOf(content[field]), line] },
  });
  return revised.notes;
}

/** Of a category without such a list: behind its own words. */
function appended({ keyFields }: Category, content: JsonObject, line: string): JsonObject {
  const field = keyFields.findLast((each) => typeof content[each] === 'string');
  return field === undefined ? {} : { [field]: `${String(content[field])}\n${line}` };
}

async function putAway(files: Memory, b: Document, by: string): Promise<string[]> {
  if (b.layer === 'note') return (await files.changeNote(noteOf(files, b.ref).id, { status: 'superseded' })).notes;
  const record = files.find(b.ref);
  const isDecision = typeof contentOf(record).status === 'string' && record.category.name === 'decision';
  const done = isDecision
    ? await files.revise(record.file, { summary: `Superseded by ${by}`, content: { status: 'superseded' } })
    : await files.archive(statusOf(files, record, `Superseded by ${by}`));
  return done.notes;
}

const statusOf = ({ recordStore }: Memory, { file }: ScannedRecord, reason: string) => ({
  target: file,
  cwd: recordStore.root,
  reason,
});
const contentOf = ({ record }: ScannedRecord): JsonObject => (isObject(record.content) ? record.content : {});
const textsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : []).filter((each): each is string => typeof each === 'string');
const told = (notes: readonly string[]): string[] => notes.filter((note) => !note.startsWith('[AUTO-FIX]'));
const linkTo = ({ ref, layer }: Document): string =>
  layer === 'note' ? ref.replace(/^note:/, '') : ref.replace(/^record:/, '');

function noteOf(files: Memory, ref: string): StoredNote {
  const note = files.findNote(ref);
  if (note) return note;
  throw new CairnError('NOT_FOUND', `There is no note ${JSON.stringify(ref)}.`, {
    fix: '`cairn note list` shows notes with their ids.',
  });
}

/** The text of each section by its name, as it is written. */
function sectionsIn({ body }: StoredNote): { [section: string]: string } {
  const [, ...parts] = body.split(/^## +/m);
  return Object.fromEntries(
    parts.flatMap((part): [string, string][] => {
      const end = part.indexOf('\n');
      const [section, text] = end === -1 ? [part, ''] : [part.slice(0, end), part.slice(end + 1)];
      return text.trim() === '' ? [] : [[section.trim(), text.trim()]];
    }),
  );
}
