// What a user does with a memory in the viewer: edit, retire, archive, restore, unarchive, judge. Each goes through the same code as
// the command line, and answers with the action that takes it back, where the rules of the store allow that.

import { indexedFiles } from '../app/indexed-files.ts';
import { Memory } from '../app/memory.ts';
import { settle, unsettle } from '../app/settle.ts';
import { CairnError, type ErrorDetail } from '../errors.ts';
import { MAX_JSON_BYTES, readBytes, readText } from '../files/json-file.ts';
import { changeFeedback, learn, learnedAbout, readFeedback, type Verdict } from '../learning/feedback.ts';
import { recordMd5 } from '../model/hash.ts';
import { isObject, type JsonObject } from '../model/json.ts';
import { stripUnsafe } from '../model/text.ts';
import type { NoteChange } from '../notes/edit-note.ts';
import { headingLines, sectionSpan } from '../notes/note-sections.ts';
import type { StoredNote } from '../notes/vault.ts';
import type { Outcome } from '../records/critical-section.ts';
import type { Document } from '../store/store.ts';
import { isNote, isOwn, offersFor, targetOf, versionOfNote } from './memory-page.ts';
import type { Action, MoreAction, NoteEdit, RecordEdit } from './protocol.ts';
import { findMemory, type View } from './viewer.ts';

export type Act = Exclude<Action, MoreAction>;

export type Done = {
  ref: string;
  project: string;
  status: string;
  message: string;
  notes: string[];
  version: string | null;
  undo: { label: string; action: Act } | null;
};

const SUMMARY = 'Edited in the viewer';

export async function act(view: View, wanted: Act): Promise<Done> {
  const document = await findMemory(view, wanted.ref, wanted.project);
  const offer = offersFor(view.config, document).find(({ action }) => action === wanted.action);
  if (wanted.action === 'feedback') return judge(view, document, wanted.verdict);
  if (wanted.action === 'settle') return settleIt(view, document, wanted);
  // What is only in another state than the page believed is told by the store, with its own words.
  if (!offer || !(isOwn(view.config, document) && (document.layer === 'record' || isNote(document))))
    throw new CairnError('USAGE_ERROR', `${document.ref} cannot be changed: ${offer?.why ?? 'it is what was said.'}`);
  const memory = new Memory(view.config, view.now);
  const done =
    document.layer === 'record' ? await onRecord(memory, document, wanted) : await onNote(memory, document, wanted);
  await follow(view, done.touched);
  return done.answer;
}

type Changed = { answer: Done; touched: readonly string[] };
type FileAct = Exclude<Act, { action: 'feedback' | 'settle' }>;

/** The store knows of it at once; what fails here is made good by the next look at the files. */
async function follow({ store, config, recall }: View, touched: readonly string[]): Promise<void> {
  const { syncFiles } = await import('../indexing/files/index-files.ts');
  try {
    await syncFiles(store, indexedFiles(config), { only: touched });
  } catch (error) {
    if (!(error instanceof CairnError)) throw error;
    recall.problems.push(error.message);
  }
}

// ---- Records

const PAST = { retire: 'retired', archive: 'archived', restore: 'restored', unarchive: 'unarchived' } as const;
const BACK = { retire: 'restore', archive: 'unarchive', restore: 'retire', unarchive: 'archive' } as const;

async function onRecord(memory: Memory, document: Document, wanted: FileAct): Promise<Changed> {
  const target = targetOf(memory, document.ref);
  const { ref, project } = document;
  if (wanted.action === 'edit') return editRecord(memory, document, wanted);
  const request = {
    target: target.file,
    cwd: memory.recordStore.root,
    ...('reason' in wanted && wanted.reason !== undefined ? { reason: wanted.reason } : {}),
  };
  const outcome = await memory[wanted.action](request);
  const changed = outcome.touched.length > 0;
  return {
    touched: outcome.touched,
    answer: {
      ref,
      project,
      status: changed ? PAST[wanted.action] : 'unchanged',
      message: `${document.title}: ${changed ? PAST[wanted.action] : String(outcome.result.status).replaceAll('_', ' ')}.`,
      notes: notesOf(outcome),
      version: versionOfRecord(target.file),
      undo: changed
        ? { label: `Undo: ${BACK[wanted.action]} it`, action: { action: BACK[wanted.action], ref, project } }
        : null,
    },
  };
}

const versionOfRecord = (file: string): string | null => {
  const bytes = readBytes(file);
  return bytes ? recordMd5(bytes) : null;
};

const notesOf = ({ notes }: Outcome): string[] =>
  notes.filter((note) => !note.startsWith('[AUTO-FIX]')).map((note) => stripUnsafe(note.replace(/^WARNING: /, '')));

type EditAct = Extract<Act, { action: 'edit' }>;

async function editRecord(memory: Memory, document: Document, { version, edit }: EditAct): Promise<Changed> {
  const target = targetOf(memory, document.ref);
  const change = edit as RecordEdit;
  const summary = change.summary?.trim() || SUMMARY;
  const { before, ...outcome } = await memory.revise(target.file, { ...change, summary, hash: version });
  const slug = String(outcome.result.id ?? target.slug);
  const ref = `record:${target.category.folder}/${slug}`;
  const file = target.file.replace(/[^\\/]+$/, () => `${slug}.json`);
  const now = versionOfRecord(file);
  const back = wayBack(before, change);
  const { project } = document;
  return {
    touched: outcome.touched,
    answer: {
      ref,
      project,
      status: 'updated',
      message: `${String(outcome.result.title ?? document.title)}: saved.`,
      notes: notesOf(outcome),
      version: now,
      undo:
        now === null
          ? null
          : { label: back.label, action: { action: 'edit', ref, project, version: now, edit: back.edit } },
    },
  };
}

/** Tags and files only grow by the rules of records, so what was added stays; everything else goes back. */
function wayBack(before: JsonObject, edit: RecordEdit): { label: string; edit: RecordEdit } {
  const old: JsonObject = isObject(before.content) ? before.content : {};
  const fields = Object.keys(edit.content ?? {}).map((field) => [field, Object.hasOwn(old, field) ? old[field] : null]);
  const grew = [
    ...(addsTo(before.tags, edit.tags) ? ['tags'] : []),
    ...(addsTo(before.related_files, edit.relatedFiles) ? ['files'] : []),
  ];
  return {
    label: grew.length > 0 ? `Undo (added ${grew.join(' and ')} stay)` : 'Undo the edit',
    edit: {
      summary: 'Took an edit back',
      ...(edit.title === undefined || typeof before.title !== 'string' ? {} : { title: before.title }),
      ...(edit.confidence === undefined
        ? {}
        : { confidence: typeof before.confidence === 'number' ? before.confidence : null }),
      ...(fields.length === 0 ? {} : { content: Object.fromEntries(fields) as { [field: string]: unknown } }),
    },
  };
}

function addsTo(before: unknown, now: readonly string[] | undefined): boolean {
  const old = new Set(Array.isArray(before) ? before : []);
  return (now ?? []).some((each) => !old.has(each));
}

// ---- Notes

async function onNote(memory: Memory, document: Document, wanted: FileAct): Promise<Changed> {
  const note = memory.findNote(document.ref);
  if (!note) throw new CairnError('NOT_FOUND', `There is no note ${document.ref}.`);
  const change = noteChange(note, wanted);
  const { file, changed, notes } = await memory.changeNote(note.id, change);
  const { ref, project } = document;
  const version = versionOfNote(readText(file, MAX_JSON_BYTES) ?? '');
  const status = wanted.action === 'edit' ? 'updated' : PAST[wanted.action as keyof typeof PAST];
  return {
    touched: [file],
    answer: {
      ref,
      project,
      status: changed ? status : 'unchanged',
      message: `${change.title ?? note.title}: ${changed ? (wanted.action === 'edit' ? 'saved' : status) : 'unchanged'}.`,
      notes: notes.map((each) => stripUnsafe(each.replace(/^WARNING: /, ''))),
      version,
      undo: changed
        ? {
            label: wanted.action === 'edit' ? 'Undo the edit' : 'Undo',
            action: { action: 'edit', ref, project, version, edit: noteWayBack(note, change) },
          }
        : null,
    },
  };
}

function noteChange(note: StoredNote, wanted: FileAct): NoteChange {
  switch (wanted.action) {
    case 'archive':
      return { status: 'archived' };
    case 'unarchive':
      return { status: note.kind.firstStatus };
    case 'edit': {
      const edit = wanted.edit as NoteEdit;
      assertNoteEdit(note, edit);
      const sections = Object.entries(edit.sections ?? {}).map(([name, text]) => [name, text ?? undefined]);
      return {
        ...(edit.title === undefined ? {} : { title: edit.title }),
        ...(edit.status === undefined ? {} : { status: edit.status }),
        ...(edit.tags === undefined ? {} : { tags: edit.tags }),
        ...(sections.length === 0
          ? {}
          : { sections: Object.fromEntries(sections) as NonNullable<NoteChange['sections']> }),
        expect: (text) => versionOfNote(text) === wanted.version,
      };
    }
    default:
      throw new CairnError('USAGE_ERROR', `A note cannot be ${PAST[wanted.action]}.`, { fix: 'Archive it instead.' });
  }
}

const TITLE_MAX = 200;
const SECTION_NAME = /^[^\n\r#][^\n\r]{0,79}$/;

function assertNoteEdit({ kind }: StoredNote, { title, status, sections }: NoteEdit): void {
  const problems: ErrorDetail[] = [];
  const wrong = (field: string, expected: string, got: string): void => {
    problems.push(['field', field], ['expected', expected], ['got', JSON.stringify(got.slice(0, 200))]);
    problems.push(['fix', `Set "${field}" to ${expected}.`]);
  };
  const points = title === undefined ? 1 : [...title.trim()].length;
  if (points < 1 || points > TITLE_MAX || /[\r\n]/.test(title ?? ''))
    wrong('title', `one line of 1 to ${TITLE_MAX} characters`, title!);
  if (status !== undefined && !kind.statuses.includes(status))
    wrong('status', `one of ${kind.statuses.join(', ')}`, status);
  for (const [name, text] of Object.entries(sections ?? {})) {
    if (!SECTION_NAME.test(name)) wrong(`sections.${name}`, 'a section with a name of one line', name);
    else if (text !== null && headingLines(text).headings.length > 0)
      wrong(
        `sections.${name}`,
        'text without headings of the first two levels, which would begin another section',
        text,
      );
  }
  if (problems.length > 0)
    throw new CairnError('VALIDATION_ERROR', `The note is not valid: ${problems[0]![1]}.`, { details: problems });
}

function noteWayBack(note: StoredNote, change: NoteChange): NoteEdit {
  const names = Object.keys(change.sections ?? {});
  const texts = names.map((name) => [name, sectionIn(note.body, name)]);
  return {
    ...(change.title === undefined ? {} : { title: note.title }),
    ...(change.status === undefined ? {} : { status: note.status }),
    ...(change.tags === undefined ? {} : { tags: [...note.frontMatter.list('tags')] }),
    ...(names.length === 0 ? {} : { sections: Object.fromEntries(texts) as { [name: string]: string | null } }),
  };
}

/** As `withSection` finds it: null where there is none. */
function sectionIn(body: string, name: string): string | null {
  const { lines, span } = sectionSpan(body, name);
  if (!span) return null;
  return lines
    .slice(span.start + 1, span.end)
    .join('\n')
    .trim();
}

// ---- What is open

type SettleAct = Extract<Act, { action: 'settle' }>;
const SETTLED_WORDS = { done: 'done', dropped: 'dropped', open: 'open again' } as const;

async function settleIt({ recall }: View, { ref, project, title }: Document, wanted: SettleAct): Promise<Done> {
  if (!recall.scopesOf().includes(project))
    throw new CairnError('USAGE_ERROR', `${ref} belongs to another project.`, { fix: 'Open the viewer there.' });
  const { state, because } = wanted;
  const { changed } =
    state === 'open'
      ? await unsettle(recall, ref)
      : await settle(recall, { ref, state, ...(because === undefined ? {} : { because }) });
  const back = { action: 'settle', ref, project, state: state === 'open' ? 'done' : 'open' } as const;
  return {
    ref,
    project,
    status: changed ? state : 'unchanged',
    message: `${title}: ${SETTLED_WORDS[state]}.`,
    notes: [],
    version: null,
    undo: changed ? { label: state === 'open' ? 'Undo' : 'Undo: open again', action: back } : null,
  };
}

// ---- What a memory is worth

/** `null` takes the user's word back; what was counted about its use stays. */
async function judge({ config, now }: View, { ref, project, title }: Document, verdict: Verdict | null): Promise<Done> {
  const before = learnedAbout(readFeedback(config.paths.userRoot), project, ref)?.verdict ?? null;
  if (before !== verdict)
    await changeFeedback(config.paths.userRoot, (data) => {
      const at = now().toISOString();
      const learned = learn(data, { project, ref, at });
      delete learned.verdict;
      delete learned.verdictAt;
      if (verdict !== null) Object.assign(learned, { verdict, verdictAt: at });
    });
  return {
    ref,
    project,
    status: before === verdict ? 'unchanged' : 'judged',
    message: verdict === null ? `${title}: verdict taken back.` : `${title}: called ${verdict}.`,
    notes: [],
    version: null,
    undo:
      before === verdict
        ? null
        : { label: 'Undo the verdict', action: { action: 'feedback', ref, project, verdict: before } },
  };
}
