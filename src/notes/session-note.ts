// The note of one session: what it was about, what came out, what was decided, mended and left, with links to all of it. Made when the
// session ends, and made again, in the same file, when it is resumed and ends again. A session that said nothing gets none.

import fs from 'node:fs';
import path from 'node:path';
import { NODES_FOLDER, noteKind } from '../model/notes.ts';
import { cutCodePoints, stripUnsafe } from '../model/text.ts';
import {
  changeIfPossible,
  changeInside,
  inVault,
  type NewNote,
  type NoteChange,
  type Vault,
  writeNew,
} from './edit-note.ts';
import { isGenerated } from './generated-mark.ts';
import { loadNote, notePath, type StoredNote } from './vault.ts';

export type Mentioned = { readonly id: string; readonly title: string };

/** What the conversation says of itself, in its own words. */
export type SessionStory = {
  /** What the user or the client called it, else the name of its main topic. */
  readonly title: string;
  /** What it was about and how it ended, in one or two lines. */
  readonly summary: readonly string[];
  readonly decided: readonly string[];
  readonly fixed: readonly string[];
  readonly commits: readonly string[];
  readonly left: readonly string[];
  /** What the user wants for good. */
  readonly preferences: readonly string[];
};

export type SessionFacts = {
  readonly sessionId: string;
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly messageCount?: number | undefined;
  /** Missing where nobody said anything, or where nobody has had the time to read it yet. */
  readonly story?: SessionStory | undefined;
  readonly tasks: readonly (Mentioned & { readonly status: string })[];
  /** Notes and records alike. */
  readonly decisions: readonly Mentioned[];
  readonly discoveries: readonly Mentioned[];
  readonly errors: readonly Mentioned[];
  /** What was written to, in the order of first writing; `note` is the summary of the file, if there is one. */
  readonly files: readonly { readonly path: string; readonly edits: number; readonly note?: string | undefined }[];
};

/** `files` are the notes that changed. */
export type WrittenSession = { readonly id: string; readonly changed: boolean; readonly files: readonly string[] };

const KIND = noteKind('session')!;
const MAX_LINES = 40;
const MAX_TITLE = 160;
const MAX_SAID = 400;
const MAX_NAMED = 5;
const SHORT_ID = 8;
const MINUTE_MS = 60_000;
const DONE = 'completed';
const GIVEN_UP = ['cancelled', 'archived', 'superseded'];

/** It came to something: more than what it was about. */
export function isTelling({ title, summary, ...lists }: SessionStory): boolean {
  return summary.some((line) => line !== title) || Object.values(lists).some(({ length }) => length > 0);
}

/** True if the session said or left something that is worth a note. */
function isWorthNoting(facts: SessionFacts): boolean {
  if (facts.story && isTelling(facts.story)) return true;
  return [facts.tasks, facts.decisions, facts.discoveries, facts.errors, facts.files].some((list) => list.length > 0);
}

/** Writes the note, gives the session's tasks their last status and links them to it; nothing if there is nothing to note. */
export async function writeSessionNote(vault: Vault, facts: SessionFacts): Promise<WrittenSession | undefined> {
  if (!isWorthNoting(facts)) return undefined;
  return inVault(vault, (lock) => {
    const known = findSession(vault, facts.sessionId);
    const sections = sectionsOf(facts);
    const fields = fieldsOf(facts);
    const related = [...facts.tasks, ...facts.decisions, ...facts.discoveries, ...facts.errors]
      .map(({ id }) => id)
      .slice(0, MAX_LINES);
    const files: string[] = [];
    const change = (note: StoredNote, what: NoteChange, make = changeInside): void => {
      const { file, changed } = make(vault, lock, note, { ...what, generated: true });
      if (changed) files.push(file);
    };
    let id: string;
    if (known) {
      const { Summary, ...lists } = sections;
      id = known.id;
      change(known, {
        status: 'active',
        fields,
        ...(ownWords(known)
          ? { sections: lists }
          : { title: titleOf(known.id, facts), sections: { Summary, ...lists } }),
        addLinks: related.map((to) => ({ to, relation: 'related' as const })),
      });
    } else {
      const present = Object.entries(sections).filter((entry): entry is [string, string] => entry[1] !== undefined);
      const note = { ...draft(vault, facts), fields: { ...fields, created: stamp(facts.startedAt) }, related };
      const made = writeNew(vault, lock, { ...note, sections: Object.fromEntries(present) });
      id = made.id;
      files.push(made.file);
    }
    for (const task of facts.tasks) {
      const note = loadNote(fileOf(vault, 'tasks', task.id), []);
      if (!note) continue;
      const isNews = note.status !== task.status && note.kind.statuses.includes(task.status);
      const completed = isNews && task.status === DONE ? { fields: { completed_at: stamp(facts.endedAt) } } : {};
      const news = isNews ? { status: task.status, ...completed } : { quiet: true };
      change(note, { ...news, addLinks: [{ to: id, relation: 'related' }] }, changeIfPossible);
    }
    return { id, changed: files.length > 0, files };
  });
}

/** A person changed the note: what it says in words is theirs now; the lists of links still follow. */
const ownWords = (note: StoredNote): boolean => !isGenerated(note.frontMatter.toString());

function draft(vault: Vault, facts: SessionFacts): NewNote & { id: string } {
  const date = stamp(facts.startedAt).slice(0, 10);
  const id = freeId(vault, `session-${date}-${shortOf(facts.sessionId)}`);
  return {
    type: 'session',
    id,
    title: titleOf(id, facts),
    tags: ['session'],
    generated: true,
  };
}

/** The day that it began, which its id has for good, and what it was about. */
const titleOf = (id: string, { startedAt, story }: SessionFacts): string =>
  [/\d{4}-\d\d-\d\d/.exec(id)?.[0] ?? stamp(startedAt).slice(0, 10), oneLine(story?.title ?? '')]
    .filter(Boolean)
    .join(' ');

const stamp = (date: Date): string => date.toISOString().replace(/\.\d{3}Z$/, 'Z');

const shortOf = (sessionId: string): string =>
  sessionId
    .replace(/[^a-z0-9]/gi, '')
    .toLowerCase()
    .slice(0, SHORT_ID) || 'unknown';

/** Two sessions may begin alike, on the same day. */
function freeId(vault: Vault, base: string): string {
  for (let count = 1; ; count++) {
    const id = count === 1 ? base : `${base}-${count}`;
    if (!fs.existsSync(notePath(vault.root, KIND, id))) return id;
  }
}

function findSession(vault: Vault, sessionId: string): StoredNote | undefined {
  const folder = path.join(vault.root, NODES_FOLDER, KIND.folder);
  const short = `-${shortOf(sessionId)}`;
  for (const name of fs.existsSync(folder) ? fs.readdirSync(folder) : []) {
    if (!name.endsWith('.md') || !name.includes(short)) continue;
    const note = loadNote(fileOf(vault, KIND.folder, name.slice(0, -3)), []);
    if (note?.sessionId === sessionId) return note;
  }
  return undefined;
}

function fileOf(vault: Vault, folder: string, name: string) {
  const relativePath = `${NODES_FOLDER}/${folder}/${name}.md`;
  return { file: path.join(vault.root, relativePath), relativePath, folder, name, mtimeMs: 0, size: 0 };
}

function fieldsOf(facts: SessionFacts) {
  const minutes = Math.round((facts.endedAt.getTime() - facts.startedAt.getTime()) / MINUTE_MS);
  return {
    session_id: facts.sessionId,
    duration_minutes: Math.max(0, minutes),
    ...(facts.messageCount === undefined ? {} : { message_count: facts.messageCount }),
  };
}

/** Every section that this file knows how to write; `undefined` for those that have nothing to say. */
function sectionsOf(facts: SessionFacts): { [section: string]: string | undefined } {
  const done = facts.tasks.filter(({ status }) => status === DONE);
  const open = facts.tasks.filter(({ status }) => status !== DONE && !GIVEN_UP.includes(status));
  const linked = ({ id, title }: Mentioned): string => `- [[${id}]]${oneLine(title) && ` - ${oneLine(title)}`}`;
  const { decided = [], fixed = [], commits = [], left = [], preferences = [] } = facts.story ?? {};
  return {
    Summary: summaryOf(facts, done),
    'Tasks Completed': list(done.map(({ id, title }) => `- [x] ${oneLine(title)} ([[${id}]])`)),
    'Tasks In Progress': list(open.map(({ id, title }) => `- [ ] ${oneLine(title)} ([[${id}]])`)),
    'Key Decisions Made': list([...facts.decisions.map(linked), ...said(decided)]),
    Fixes: list(said(fixed)),
    'Left Open': list(said(left)),
    Preferences: list(said(preferences)),
    Commits: list(said(commits)),
    'Files Modified': list(
      facts.files.map(({ path: file, edits, note }) => {
        const name = note ? `[[${note}|${oneLine(file)}]]` : oneLine(file);
        return `- ${name} (${edits} ${edits === 1 ? 'edit' : 'edits'})`;
      }),
    ),
    Discoveries: list(facts.discoveries.map(linked)),
    'Errors Resolved': list(facts.errors.map(linked)),
  };
}

const said = (texts: readonly string[]): string[] =>
  texts
    .map((text) => oneLine(text, MAX_SAID))
    .filter((line) => line !== '')
    .map((line) => `- ${line}`);

function list(lines: readonly string[]): string | undefined {
  if (lines.length === 0) return undefined;
  const shown = lines.slice(0, MAX_LINES);
  return [...shown, ...(lines.length > shown.length ? [`- and ${lines.length - shown.length} more`] : [])].join('\n');
}

/** What it was about, then what came of it, in words that were used in the session: nothing is made up. */
function summaryOf(facts: SessionFacts, done: readonly Mentioned[]): string {
  const named = (items: readonly Mentioned[]): string =>
    items
      .slice(0, MAX_NAMED)
      .map(({ title, id }) => oneLine(title) || id)
      .join('; ') + (items.length > MAX_NAMED ? `; and ${items.length - MAX_NAMED} more` : '');
  const parts = [
    ...(facts.story?.summary ?? []).map((line) => sentence(oneLine(line, MAX_SAID))),
    done.length > 0 ? `Completed: ${named(done)}.` : '',
    facts.decisions.length > 0 ? `Decided: ${named(facts.decisions)}.` : '',
    facts.files.length > 0 ? `Changed ${facts.files.length} ${facts.files.length === 1 ? 'file' : 'files'}.` : '',
  ].filter((part) => part !== '');
  return parts.length > 0 ? parts.join('\n') : 'Work without changed files.';
}

const sentence = (text: string): string => (text === '' || /[.!?…。！？]$/.test(text) ? text : `${text}.`);

/** Text of the session as one line of a note: it may not open a link, a field, a heading or a block. */
function oneLine(text: string, max = MAX_TITLE): string {
  const line = stripUnsafe(text.slice(0, 20 * max).replace(/\s+/g, ' '))
    .replace(/\[\[|\]\]/g, '')
    .replace(/`{3,}|~{3,}/g, '')
    .replace(/^[\s#>*+|=-]+/, '')
    .replace(/^(\w+)::+/, '$1:')
    .trim();
  const cut = cutCodePoints(line, max);
  return cut.length < line.length ? `${cut.trimEnd()}…` : cut;
}
