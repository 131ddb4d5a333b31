// Task notes from the tools that keep lists of work: TodoWrite hands over the whole list each time, TaskCreate and
// TaskUpdate one task. A task keeps its note from its first state to its last, found by its subject or, where the client
// gives tasks numbers, by session and number.

import { isObject, type JsonObject } from '../model/json.ts';
import { sectionOf } from '../notes/note.ts';
import { distinctId } from '../notes/note-id.ts';
import { loadNote, noteFiles, type StoredNote } from '../notes/vault.ts';
import { maskText } from '../safety/mask-text.ts';
import type { CaptureContext, Captured } from './capture-context.ts';
import { appendJournal, readJournal } from './journal.ts';
import { mentionedFiles } from './mentioned-files.ts';
import { cleanLine, cleanSection, insideSection } from './note-text.ts';
import { lookUp, putCaptured } from './put-captured.ts';
import { plainProse } from './summarise/prose.ts';

type Task = {
  subject: string;
  status: string;
  description?: string | undefined;
  priority?: string | undefined;
  number?: string | undefined;
};

const MAX_TASKS = 60;
const MAX_SUBJECT = 160;
const MAX_DESCRIPTION = 2_000;
const STATES: { readonly [state: string]: string } = {
  pending: 'pending',
  in_progress: 'in_progress',
  completed: 'completed',
  cancelled: 'cancelled',
  canceled: 'cancelled',
  deleted: 'cancelled',
};
const stateOf = (value: unknown): string | undefined =>
  typeof value === 'string' && Object.hasOwn(STATES, value) ? STATES[value] : undefined;
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;
const isDone = (status: string): boolean => status === 'completed' || status === 'cancelled';

/** TodoWrite: what is no longer in the list, and was not done, was given up. */
export async function captureTodos(context: CaptureContext, payload: JsonObject): Promise<Captured[]> {
  const input = isObject(payload.tool_input) ? payload.tool_input : {};
  const response = isObject(payload.tool_response) ? payload.tool_response : {};
  const now = todosIn(input.todos ?? response.newTodos);
  const subjects = new Set(now.map((task) => idOf(task.subject)));
  const gone = todosIn(response.oldTodos)
    .filter((task) => !isDone(task.status) && !subjects.has(idOf(task.subject)))
    .filter((task) => lookUp(context.vault.root, 'task', idOf(task.subject))?.sessionId === context.sessionId)
    .map((task) => ({ ...task, status: 'cancelled' }));
  const captured: Captured[] = [];
  for (const task of [...now, ...gone]) {
    const note = await putTask(context, idOf(task.subject), task);
    if (note) captured.push(note);
  }
  return captured;
}

function todosIn(list: unknown): Task[] {
  if (!Array.isArray(list)) return [];
  return list.slice(0, MAX_TASKS).flatMap((each: unknown): Task[] => {
    if (!isObject(each)) return [];
    const subject = cleanLine(textOf(each.content) ?? textOf(each.subject) ?? '', MAX_SUBJECT);
    const priority = typeof each.priority === 'string' && /^\w{1,20}$/.test(each.priority) ? each.priority : undefined;
    return subject === ''
      ? []
      : [{ subject, status: stateOf(each.status) ?? 'pending', priority, description: textOf(each.description) }];
  });
}

export async function captureTaskCreate(context: CaptureContext, payload: JsonObject): Promise<Captured[]> {
  const input = isObject(payload.tool_input) ? payload.tool_input : {};
  const response = isObject(payload.tool_response) ? payload.tool_response : {};
  const made = isObject(response.task) ? response.task : {};
  const subject = cleanLine(textOf(input.subject) ?? textOf(made.subject) ?? '', MAX_SUBJECT);
  if (subject === '') return [];
  const number = numberOf(made.id ?? response.taskId);
  const id = idOf(subject);
  const description = textOf(input.description) ?? textOf(made.description);
  const note = await putTask(context, id, { subject, status: stateOf(input.status) ?? 'pending', description, number });
  remember(context, number, id);
  return note ? [note] : [];
}

export async function captureTaskUpdate(context: CaptureContext, payload: JsonObject): Promise<Captured[]> {
  const input = isObject(payload.tool_input) ? payload.tool_input : {};
  const response = isObject(payload.tool_response) ? payload.tool_response : {};
  if (response.success === false) return [];
  const number = numberOf(input.taskId ?? response.taskId);
  const change = isObject(response.statusChange) ? response.statusChange.to : undefined;
  const status = stateOf(input.status) ?? stateOf(change);
  const subject = cleanLine(textOf(input.subject) ?? '', MAX_SUBJECT);
  const known = number === undefined ? undefined : noteOfNumber(context, number);
  if (!known) {
    if (subject === '') return [];
    const note = await putTask(context, idOf(subject), {
      subject,
      status: status ?? 'pending',
      description: textOf(input.description),
      number,
    });
    remember(context, number, idOf(subject));
    return note ? [note] : [];
  }
  const task = {
    subject: subject || known.title,
    status: status ?? known.status,
    description: textOf(input.description),
    number,
  };
  const notes = [await putTask(context, known.id, task, numbersIn(context, input.addBlockedBy))];
  for (const other of numbersIn(context, input.addBlocks)) {
    const note = lookUp(context.vault.root, 'task', other);
    if (note) notes.push(await putTask(context, other, { subject: note.title, status: note.status }, [known.id]));
  }
  return notes.filter((note) => note !== undefined);
}

const numberOf = (value: unknown): string | undefined => {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && /^[\w.-]{1,60}$/.test(text) ? text : undefined;
};

/** The notes of tasks that are named by their numbers. */
function numbersIn(context: CaptureContext, list: unknown): string[] {
  if (!Array.isArray(list)) return [];
  const numbers = list.slice(0, 20).map(numberOf);
  return numbers.flatMap((number) => (number === undefined ? [] : (noteOfNumber(context, number)?.id ?? [])));
}

function remember(context: CaptureContext, number: string | undefined, note: string): void {
  const { sessionId } = context;
  if (number === undefined || sessionId === undefined || noteInJournal(context, number) === note) return;
  appendJournal(
    { ...context, sessionId },
    { kind: 'task', time: context.vault.now().toISOString(), task: number, note },
  );
}

function noteInJournal(context: CaptureContext, number: string): string | undefined {
  if (context.sessionId === undefined) return undefined;
  const journal = readJournal(context.userRoot, context.projectRoot, context.sessionId);
  const entry = journal.findLast((each) => each.kind === 'task' && each.task === number);
  return entry?.kind === 'task' ? entry.note : undefined;
}

/** By the journal; without it, by what the notes say themselves. */
function noteOfNumber(context: CaptureContext, number: string): StoredNote | undefined {
  const id = noteInJournal(context, number);
  const note = id === undefined || !/^task-[\w.-]+$/.test(id) ? undefined : lookUp(context.vault.root, 'task', id);
  if (note || context.sessionId === undefined) return note;
  return noteFiles(context.vault.root)
    .filter((file) => file.folder === 'tasks')
    .flatMap((file) => loadNote(file, []) ?? [])
    .find((each) => each.sessionId === context.sessionId && each.frontMatter.text('task_id') === number);
}

const idOf = (subject: string): string => distinctId('task', subject.toLowerCase());

async function putTask(
  context: CaptureContext,
  id: string,
  task: Task,
  dependsOn: readonly string[] = [],
): Promise<Captured | undefined> {
  const { root, now } = context.vault;
  const known = lookUp(root, 'task', id);
  const described =
    task.description === undefined ? undefined : plainProse(maskText(task.description).slice(0, MAX_DESCRIPTION));
  const text = described === undefined ? undefined : cleanSection(insideSection(described));
  if (known && dependsOn.length === 0 && isSame(context, known, task, text)) return undefined;
  const time = now()
    .toISOString()
    .replace(/\.\d{3}Z$/, 'Z');
  // The same words in another session, after the task was done, are the task taken up again.
  const isAgain =
    known !== undefined && known.sessionId !== context.sessionId && isDone(known.status) && !isDone(task.status);
  const started = isAgain ? undefined : known?.frontMatter.text('started_at');
  const completed = known?.frontMatter.text('completed_at');
  return putCaptured(context.vault, {
    type: 'task',
    id,
    title: task.subject,
    status: task.status,
    tags: tagsFor(task),
    related: known ? [] : mentionedFiles(context, `${task.subject}\n${task.description ?? ''}`).map((file) => file.id),
    dependsOn: dependsOn.filter((other) => other !== id),
    fields: {
      ...(context.sessionId === undefined ? {} : { session_id: context.sessionId }),
      ...(task.number === undefined ? {} : { task_id: task.number }),
      started_at: started ?? (task.status === 'pending' || task.status === 'cancelled' ? undefined : time),
      completed_at: task.status === 'completed' ? (completed ?? time) : undefined,
    },
    sections: text === undefined ? {} : { Description: text },
    ...(known ? { retitle: { from: known.title } } : {}),
  });
}

/** Most events repeat what is known, and need no lock. */
function isSame(context: CaptureContext, known: StoredNote, task: Task, description: string | undefined): boolean {
  return (
    known.status === task.status &&
    known.sessionId === context.sessionId &&
    known.title === task.subject &&
    (task.number === undefined || known.frontMatter.text('task_id') === task.number) &&
    (description === undefined || sectionOf(known.body, 'Description') === description)
  );
}

const KINDS: readonly [string, RegExp][] = [
  ['bug', /\b(?:fix|bug|regression|crash)\w*\b/i],
  ['test', /\btests?\b/i],
  ['docs', /\b(?:docs?|document\w*|readme)\b/i],
  ['refactoring', /\b(?:refactor|clean ?up|rename|extract)\w*\b/i],
  ['performance', /\b(?:perf\w*|speed|slow|optimi[sz]e)\b/i],
  ['security', /\b(?:secur\w*|vulnerab\w*|auth\w*)\b/i],
];

function tagsFor({ subject, priority }: Task): string[] {
  const kinds = KINDS.filter(([, sign]) => sign.test(subject)).map(([tag]) => tag);
  return ['task', ...kinds, ...(priority ? [`priority-${priority.toLowerCase()}`] : [])];
}
