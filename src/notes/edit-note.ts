// Making, changing, linking and removing notes. Every text is cleaned and its secrets masked before it is written, and
// every change is made under the lock that the records use too.

import fs from 'node:fs';
import path from 'node:path';
import { CairnError } from '../errors.ts';
import { atomicWrite } from '../files/atomic-write.ts';
import { FrontMatter, type PropertyValue } from '../files/front-matter.ts';
import { type Lock, type Repair, withLock } from '../files/lock.ts';
import { NODES_FOLDER, NOTE_ID_MAX, NOTE_KINDS, type NoteKind, type NoteType, noteKind } from '../model/notes.ts';
import { stripUnsafe, stripUnsafeText } from '../model/text.ts';
import { removePrivate } from '../safety/private-tags.ts';
import { redact, withoutMasks } from '../safety/secrets/redact.ts';
import { isGenerated, markGenerated } from './generated-mark.ts';
import type { LinkRelation } from './links.ts';
import { slugOf } from './note-id.ts';
import { headingLines, sectionSpan } from './note-sections.ts';
import { findNote, notePath, type StoredNote, writeNote } from './vault.ts';

export { slugOf } from './note-id.ts';

/** The vault: the memory root as the notes see it. */
export type Vault = {
  readonly root: string;
  readonly lockDir: string;
  /** Where the last copy of a removed note goes. */
  readonly deletedCopies: string;
  readonly now: () => Date;
  /** How long to wait for the lock; a hook has less time than a person. */
  readonly lockWaitMs?: number;
  /** The lock is the records' too: how to put right what one of their writers left. Who has no time for it leaves it to the next. */
  readonly repair?: Repair;
  /** Told before something is written where there may be no memory yet. */
  readonly found?: () => void;
};

export type NewNote = {
  type: NoteType;
  title: string;
  /** Left out: made from the title (a decision also gets the next number). */
  id?: string;
  tags?: readonly string[];
  related?: readonly string[];
  status?: string;
  /** Further front matter: `path`, `session_id`, `supersedes`, … */
  fields?: { readonly [key: string]: PropertyValue };
  /** Text by section; sections of the kind that are not given stay out. */
  sections?: { readonly [section: string]: string };
  /** Cairn makes it by itself: nobody misses it if it is pruned. */
  generated?: boolean;
};

export type NoteChange = {
  title?: string;
  status?: string;
  tags?: readonly string[];
  addTags?: readonly string[];
  fields?: { readonly [key: string]: PropertyValue | undefined };
  /** Replaces the text of a section; `undefined` removes it. */
  sections?: { readonly [section: string]: string | undefined };
  addLinks?: readonly { to: string; relation: Exclude<LinkRelation, 'links_to'> }[];
  /** Cairn makes the change by itself: a note that was its own stays so. One that a person touched stays theirs. */
  generated?: boolean;
  /** Upkeep, not news: `updated` stays. */
  quiet?: boolean;
  /** Whether the file is still the one that the change was made for; if not, the change is refused. */
  expect?: (text: string) => boolean;
};

export async function createNote(vault: Vault, note: NewNote): Promise<{ id: string; file: string }> {
  return inVault(vault, (lock) => createInside(vault, lock, note));
}

export async function changeNote(
  vault: Vault,
  id: string,
  change: NoteChange,
): Promise<{ file: string; changed: boolean }> {
  return inVault(vault, (lock) => changeInside(vault, lock, existing(vault, id), change));
}

/** Makes the note, or changes it if it is there: what capture does, again and again, by itself. */
export async function putNote(
  vault: Vault,
  note: NewNote & { id: string },
): Promise<{ id: string; file: string; created: boolean; changed: boolean }> {
  return inVault(vault, (lock) => {
    const known = findNote(vault.root, note.id);
    if (!known) return { ...writeNew(vault, lock, { ...note, generated: true }), created: true, changed: true };
    const { title, status, tags, related, fields, sections } = note;
    const change: NoteChange = {
      title,
      ...(status === undefined ? {} : { status }),
      ...(tags === undefined ? {} : { addTags: tags }),
      ...(fields === undefined ? {} : { fields }),
      ...(sections === undefined ? {} : { sections }),
      addLinks: (related ?? []).map((to) => ({ to, relation: 'related' as const })),
      generated: true,
    };
    return { id: known.id, created: false, ...changeInside(vault, lock, known, change) };
  });
}

export async function removeNote(vault: Vault, id: string): Promise<{ file: string; copy: string }> {
  return inVault(vault, (lock) => {
    const note = existing(vault, id);
    const copy = keepDeletedCopy(vault, note);
    lock.assertHeld();
    fs.unlinkSync(note.file);
    return { file: note.file, copy };
  });
}

/** Never on top of an earlier copy: notes of all projects lie there, and one may go twice within a second. */
export function keepDeletedCopy(vault: Vault, note: StoredNote): string {
  const base = path.join(vault.deletedCopies, `${note.id}.${vault.now().toISOString().replaceAll(/[:.]/g, '')}`);
  let copy = `${base}.md`;
  for (let count = 2; fs.existsSync(copy); count++) copy = `${base}-${count}.md`;
  fs.mkdirSync(vault.deletedCopies, { recursive: true, mode: 0o700 });
  atomicWrite(copy, fs.readFileSync(note.file), { mode: 0o600 });
  return copy;
}

export function inVault<T>(vault: Vault, work: (lock: Lock) => T | Promise<T>): Promise<T> {
  vault.found?.();
  fs.mkdirSync(vault.root, { recursive: true });
  const { lockDir, lockWaitMs, repair = 'later' } = vault;
  return withLock(lockDir, work, { repair, ...(lockWaitMs === undefined ? {} : { waitMs: lockWaitMs }) });
}

function existing(vault: Vault, id: string): StoredNote {
  const note = findNote(vault.root, id);
  if (note) return note;
  throw new CairnError('NOT_FOUND', `There is no note ${JSON.stringify(id)}.`, {
    fix: '`cairn query --recent 20 --json` shows notes with their ids.',
  });
}

function createInside(vault: Vault, lock: Lock, note: NewNote): { id: string; file: string } {
  const id = note.id ?? newId(vault, noteKind(note.type)!, note.title);
  if (findNote(vault.root, id)) {
    throw new CairnError('CREATE_ERROR', `There is already a note ${id}.`, {
      fix: 'Change it with `cairn note set`, or give another id.',
    });
  }
  return writeNew(vault, lock, { ...note, id });
}

/** A file that is no note (damaged, another id, no UTF-8) may still be somebody's: nothing is written over it. */
export const isOccupied = (vault: Vault, type: NoteType, id: string): boolean =>
  fs.lstatSync(notePath(vault.root, noteKind(type)!, id), { throwIfNoEntry: false }) !== undefined;

/** For those who made sure that the id is free. Call it under the lock. */
export function writeNew(vault: Vault, lock: Lock, note: NewNote & { id: string }): { id: string; file: string } {
  const { id } = note;
  const kind = noteKind(note.type)!;
  const file = notePath(vault.root, kind, id);
  if (isOccupied(vault, note.type, id)) {
    throw new CairnError('CREATE_ERROR', `There is already a file ${file}, which cannot be read as the note ${id}.`, {
      fix: 'Repair or rename it (`cairn graph --check` says what is wrong), or give another id.',
    });
  }
  const status = note.status ?? kind.firstStatus;
  assertStatus(kind, status);
  const frontMatter = FrontMatter.empty(bodyOf(kind, note));
  const now = stamp(vault);
  frontMatter.set('id', id);
  frontMatter.set('type', kind.type);
  for (const [key, value] of Object.entries(note.fields ?? {})) frontMatter.set(key, clean(value));
  if (frontMatter.get('created') === undefined) frontMatter.set('created', now);
  frontMatter.set('updated', now);
  frontMatter.set('tags', (note.tags ?? []).map(cleanTagName).filter(Boolean));
  if (note.related?.length)
    frontMatter.set(
      'related',
      note.related.map((to) => `[[${to}]]`),
    );
  frontMatter.set('status', status);
  if (note.generated) markGenerated(frontMatter);
  writeNote(vault.root, file, frontMatter.toString(), () => lock.assertHeld());
  return { id, file };
}

/** Call it under the lock. */
export function changeInside(
  vault: Vault,
  lock: Lock,
  note: StoredNote,
  change: NoteChange,
): { file: string; changed: boolean } {
  const text = fs.readFileSync(note.file, 'utf8');
  if (change.expect && !change.expect(text)) throw changedMeanwhile(note);
  const frontMatter = FrontMatter.parse(text);
  try {
    applyChange(frontMatter, note, change);
    if (frontMatter.toString() === text) return { file: note.file, changed: false };
    if (!change.quiet) frontMatter.set('updated', stamp(vault));
    if (change.generated && isGenerated(text)) markGenerated(frontMatter);
  } catch (error) {
    throw error instanceof CairnError && error.code === 'UPDATE_ERROR' ? named(error, note) : error;
  }
  writeNote(vault.root, note.file, frontMatter.toString(), () => lock.assertHeld());
  return { file: note.file, changed: true };
}

/** For upkeep over many notes: one whose front matter cannot be changed is left alone, and the others are not. */
export function changeIfPossible(
  vault: Vault,
  lock: Lock,
  note: StoredNote,
  change: NoteChange,
): { file: string; changed: boolean } {
  try {
    return changeInside(vault, lock, note, change);
  } catch (error) {
    if (error instanceof CairnError && error.code === 'UPDATE_ERROR') return { file: note.file, changed: false };
    throw error;
  }
}

const named = (error: CairnError, { relativePath }: StoredNote): CairnError =>
  new CairnError(error.code, `${relativePath}: ${error.message}`, {
    cause: error,
    details: [['target', relativePath]],
    ...(error.fix === undefined ? {} : { fix: error.fix }),
  });

function applyChange(frontMatter: FrontMatter, note: StoredNote, change: NoteChange): void {
  if (change.status !== undefined && change.status !== note.status) {
    assertStatus(note.kind, change.status);
    frontMatter.set('status', change.status);
  }
  for (const [key, value] of Object.entries(change.fields ?? {})) {
    if (value === undefined) frontMatter.remove(key);
    else frontMatter.set(key, clean(value));
  }
  changeTags(frontMatter, change);
  for (const { to, relation } of change.addLinks ?? []) addLink(frontMatter, to, relation);
  if (change.title !== undefined && change.title !== note.title)
    frontMatter.body = withTitle(frontMatter.body, headingFor(note.kind, change.title));
  for (const [name, text] of Object.entries(change.sections ?? {})) {
    frontMatter.body = withSection(frontMatter.body, cleanName(name), text === undefined ? undefined : cleanText(text));
  }
}

const changedMeanwhile = ({ relativePath }: StoredNote): CairnError =>
  new CairnError('OCC_CONFLICT', 'The note was changed by somebody else since it was read.', {
    details: [['target', relativePath]],
    fix: 'Read it again and make your change to what is there now.',
  });

/** Tags that are there stay as they are written; only new ones are brought into form. */
function changeTags(frontMatter: FrontMatter, { tags, addTags }: NoteChange): void {
  if (tags === undefined && !addTags?.length) return;
  const old = frontMatter.list('tags');
  const given = [...new Set([...(tags ?? []), ...(addTags ?? [])].map(cleanTagName).filter(Boolean))];
  const known = new Set(old.map(cleanTagName));
  const now = tags === undefined ? [...old, ...given.filter((tag) => !known.has(tag))] : given;
  if (now.length !== old.length || now.some((tag, at) => tag !== old[at])) frontMatter.setList('tags', now);
}

function addLink(frontMatter: FrontMatter, to: string, relation: string): void {
  const known = frontMatter.list(relation).filter((each) => each !== 'null');
  if (known.some((each) => each.replace(/^\[\[|\]\]$/g, '') === to)) return;
  const link = `[[${to}]]`;
  const isReadable = !frontMatter.keys.includes(relation) || frontMatter.get(relation) !== undefined;
  if (known.length === 0 && relation === 'supersedes' && isReadable) frontMatter.set(relation, link);
  else frontMatter.setList(relation, [...known, link]);
}

function assertStatus(kind: NoteKind, status: string): void {
  if (kind.statuses.includes(status)) return;
  throw new CairnError('VALIDATION_ERROR', `A ${kind.type} note cannot have the status ${JSON.stringify(status)}.`, {
    fix: `Choose one of ${kind.statuses.join(', ')}.`,
  });
}

/** Decisions are numbered, sessions have their day: both are read in their order. */
function leadOf(vault: Vault, { type }: NoteKind): string {
  if (type === 'decision') return `${nextNumber(vault)}-`;
  return type === 'session' ? `${vault.now().toISOString().slice(0, 10)}-` : '';
}

/** `decision-004-use-redis`, `session-2026-05-08-release`, `task-fix-login-2`: from the title, and free. */
function newId(vault: Vault, kind: NoteKind, title: string): string {
  const slug = slugOf(withoutMasks(clean(title) as string)) || 'untitled';
  const base = `${kind.prefix}-${leadOf(vault, kind)}${slug}`;
  const short = base.slice(0, NOTE_ID_MAX - 8).replace(/[-.]+$/, '');
  for (let count = 1; ; count++) {
    const id = count === 1 ? short : `${short}-${count}`;
    if (!fs.existsSync(notePath(vault.root, kind, id))) return id;
  }
}

function nextNumber(vault: Vault): string {
  const folder = path.join(vault.root, NODES_FOLDER, NOTE_KINDS.find((kind) => kind.type === 'decision')!.folder);
  const names = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
  const numbers = names.flatMap((name) => /^decision-(\d{1,6})\b/.exec(name)?.[1] ?? []).map(Number);
  return String(Math.max(0, ...numbers) + 1).padStart(3, '0');
}

function bodyOf(kind: NoteKind, note: NewNote): string {
  const known = kind.sections.filter((name) => note.sections?.[name] !== undefined);
  const other = Object.keys(note.sections ?? {}).filter((name) => !kind.sections.includes(name));
  const sections = [...known, ...other].map((name) => `## ${cleanName(name)}\n${cleanText(note.sections![name]!)}\n`);
  return `\n# ${headingFor(kind, note.title)}\n\n${sections.join('\n')}`;
}

function headingFor(kind: NoteKind, title: string): string {
  const plain = stripUnsafe(clean(title) as string).trim() || 'Untitled';
  return kind.heading === '' ? plain : `${kind.heading}: ${plain}`;
}

function withTitle(body: string, heading: string): string {
  const { lines, headings } = headingLines(body);
  const at = headings.find((line) => lines[line]!.startsWith('# ') || lines[line]!.startsWith('#\t'));
  if (at === undefined) return `# ${heading}\n\n${body}`;
  return lines.with(at, `# ${heading}${lines[at]!.endsWith('\r') ? '\r' : ''}`).join('\n');
}

/** The body with another text in this section; a new section goes to the end. Lines end as those of the body do. */
export function withSection(body: string, name: string, text: string | undefined): string {
  const { lines, span } = sectionSpan(body, name);
  const end = /^[^\n]*\r\n/.test(body.trimStart()) ? '\r' : '';
  const written = text?.split(/\r?\n/).map((line) => line + end);
  if (!span)
    return written === undefined
      ? body
      : [body.replace(/\s*$/, '') + end, end, `## ${name}${end}`, ...written, ''].join('\n');
  const head = lines.slice(0, span.start);
  const tail = lines.slice(span.end);
  if (written === undefined) return [...head, ...tail].join('\n');
  return [...head, lines[span.start], ...written, ...(tail.length > 0 ? [end, ...tail] : [''])].join('\n');
}

const stamp = (vault: Vault): string =>
  vault
    .now()
    .toISOString()
    .replace(/\.\d{3}Z$/, 'Z');
const cleanText = (text: string): string => redact(removePrivate(stripUnsafeText(text))).text.trim();
/** One line: what stands in the second would be text of the section. */
const cleanName = (name: string): string => (clean(name.replace(/\s+/g, ' ')) as string).trim();
const cleanTagName = (tag: string): string =>
  (clean(tag) as string)
    .replace(/^#/, '')
    .trim()
    .toLowerCase()
    .replace(/[\s,]+/g, '-');

function clean(value: PropertyValue): PropertyValue {
  if (typeof value === 'string') return redact(removePrivate(stripUnsafe(value))).text;
  return Array.isArray(value)
    ? value.map((item) => (typeof item === 'string' ? (clean(item) as string) : item))
    : value;
}
