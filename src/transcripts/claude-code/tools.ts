// The tool calls in a Claude Code transcript that say something about the work: files touched, commits, questions to the
// user and their answers, plans, tasks; and what the user said when refusing one. Some calls tell their point only together
// with their result: those are awaited.

import type { TraceEvent } from '../../model/trace.ts';
import { maskText } from '../../safety/mask-text.ts';
import { commitSubjects } from '../commit-subject.ts';
import { type Fields, fieldsOf, listOf, textOf, wordsOf } from '../fields.ts';
import type { Block, ToolCall, ToolResult } from '../parsed-line.ts';
import { relativeTo } from '../relative-path.ts';
import { followTodos, type Todo } from '../todo-list.ts';

/** A call whose result is of interest. */
export type Awaited = { readonly id: string } & (
  | { readonly for: 'answer'; readonly questions: readonly string[] }
  | { readonly for: 'task'; readonly subject: string }
  | { readonly for: 'plan' }
  | { readonly for: 'page'; readonly source: string }
);

/** What is carried from line to line: plain JSON, of bounded size. It is stored, so its words are masked. */
export type Work = {
  readonly awaited: readonly Awaited[];
  /** Tasks by the number that the client gave them. */
  readonly tasks: readonly (readonly [id: string, subject: string])[];
  readonly todos: readonly Todo[];
  /** The last commit's subject: a commit that a hook refused is tried again with the same words. */
  readonly committed: string | null;
  /** The newest commands and edits, for the case that they fail. */
  readonly tried: readonly (readonly [id: string, what: string])[];
  /** The last failure that was told: who tries again and again fails in the same words. */
  readonly failed: string | null;
};

export const NO_WORK: Work = { awaited: [], tasks: [], todos: [], committed: null, tried: [], failed: null };

export type ToolPlace = {
  readonly line: number;
  readonly time: number | undefined;
  readonly cwd: string | null;
  /** The structured result beside the blocks of a line. */
  readonly result: unknown;
};

type Found = {
  readonly work: Work;
  readonly events: readonly TraceEvent[];
  /** Words of the user beside a refusal. */
  readonly said?: string;
};

/**
 * What it answers is a page in words. Lists of links (WebSearch) and answers of MCP servers (snapshots, identifiers, JSON) say little
 * that could be found again, and are not read.
 */
const FETCHES = 'WebFetch';
const MOST_AWAITED = 20;
const MOST_TASKS = 100;
const MOST_QUESTIONS = 12;
const MAX_QUESTION = 2_000;
const MAX_PATH = 1_024;
const MAX_TRIED = 160;
const MAX_FAILURE = 280;
/** The beginning of a page says what it is about; all of it would drown what was said. */
const MAX_PAGE = 1_500;
/** How a tool result begins that carries words of the user. */
const REFUSAL = "The user doesn't want to ";
const OF_THE_CLIENT =
  /^(?:Sibling tool call|InputValidationError|File has not been read|File has been (?:un|mod)|Request interrupted|Interrupted)/;

/** What the tool calls and results of one line tell. */
export function toolEvents(before: Work, blocks: readonly Block[], place: ToolPlace): Found {
  let work = before;
  const events: TraceEvent[] = [];
  const said: string[] = [];
  for (const block of blocks) {
    if (block.kind !== 'call' && block.kind !== 'result') continue;
    const found = block.kind === 'call' ? calls(work, block, place) : results(work, block, place);
    work = found.work;
    events.push(...found.events);
    if (found.said) said.push(found.said);
  }
  return { work, events, ...(said.length > 0 ? { said: said.join('\n\n') } : {}) };
}

/** The commits of a command, without the one that was tried just before. */
export function commitEvents(work: Work, command: string, { line, time }: ToolPlace): Found {
  const subjects = commitSubjects(command)
    .map((subject) => maskText(subject))
    .filter((subject) => subject !== work.committed);
  if (subjects.length === 0) return { work, events: [] };
  return {
    work: { ...work, committed: subjects.at(-1) ?? work.committed },
    events: subjects.map((subject) => ({ kind: 'event', event: 'commit', subject, line, time })),
  };
}

function calls(work: Work, { id, name, input = {}, files: named, writes, shell }: ToolCall, place: ToolPlace): Found {
  const at = { kind: 'event' as const, line: place.line, time: place.time };
  if (named.length > 0 && named.every((file) => file.length <= MAX_PATH)) {
    const files = named.map((file) => relativeTo(file, place.cwd));
    const next = writes ? trying(work, id, `${name} of ${files[0]}`) : work;
    return { work: next, events: [{ ...at, event: 'files', files, wrote: writes }] };
  }
  if (shell !== undefined) return commitEvents(trying(work, id, oneLine(shell, MAX_TRIED)), shell, place);
  switch (name) {
    case 'AskUserQuestion':
      return { work: awaiting(work, id && { id, for: 'answer', questions: questionsOf(input) }), events: [] };
    case 'ExitPlanMode':
    case 'exit_plan_mode': {
      const text = wordsOf(input.plan);
      if (text) return { work, events: [{ ...at, event: 'plan', text }] };
      return { work: awaiting(work, id && { id, for: 'plan' }), events: [] };
    }
    case 'TaskCreate': {
      const subject = maskText(wordsOf(input.subject) ?? '');
      if (subject === '') return { work, events: [] };
      const found = todoEvents(work, [[subject, 'pending']], place);
      return {
        ...found,
        work: awaiting(found.work, id && { id, for: 'task', subject: subject.slice(0, MAX_QUESTION) }),
      };
    }
    case 'TaskUpdate': {
      const number = String(typeof input.taskId === 'number' ? input.taskId : wordsOf(input.taskId));
      const subject = wordsOf(input.subject) ?? work.tasks.find(([task]) => task === number)?.[1];
      const state = wordsOf(input.status);
      return subject && state ? todoEvents(work, [[subject, state]], place) : { work, events: [] };
    }
    case 'TodoWrite':
      return todoEvents(work, todosOf(input.todos), place);
    default: {
      const source = oneLine(`${name} ${firstText(input)}`, MAX_TRIED);
      const tried = trying(work, id, source);
      return { work: name === FETCHES ? awaiting(tried, id && { id, for: 'page', source }) : tried, events: [] };
    }
  }
}

function results(before: Work, block: ToolResult, { line, time, result }: ToolPlace): Found {
  const at = { kind: 'event' as const, line, time };
  const said = refusalWords(block.content);
  const call = before.awaited.find(({ id }) => id === block.call);
  if (!said && block.failed && (!call || call.for === 'page'))
    return failures(call ? without(before, call) : before, block, at);
  if (!call) return { work: before, events: [], ...(said ? { said } : {}) };
  const work = without(before, call);
  if (said) return { work, events: [], said };
  switch (call.for) {
    case 'answer': {
      const pairs = answersOf(call.questions, result, maskText(textOf(block.content)));
      return { work, events: pairs.map(([question, answer]) => ({ ...at, event: 'answer', question, answer })) };
    }
    case 'plan': {
      const text = wordsOf(fieldsOf(result)?.plan);
      return { work, events: text ? [{ ...at, event: 'plan', text }] : [] };
    }
    case 'page': {
      const text = maskText(textOf(block.content).slice(0, 4 * MAX_PAGE)).slice(0, MAX_PAGE);
      const { source } = call;
      return { work, events: text.trim() === '' ? [] : [{ ...at, event: 'page', source, text }] };
    }
    case 'task': {
      const id = fieldsOf(fieldsOf(result)?.task)?.id ?? /^Task #(\w{1,40}) /.exec(textOf(block.content))?.[1];
      if (typeof id !== 'string' && typeof id !== 'number') return { work, events: [] };
      const others = work.tasks.filter(([task]) => task !== String(id));
      return {
        work: { ...work, tasks: [...others, [String(id).slice(0, 40), call.subject] as const].slice(-MOST_TASKS) },
        events: [],
      };
    }
  }
}

/** What failed, once: the client's own remarks about how its tools are used are left out. */
function failures(work: Work, block: ToolResult, at: { kind: 'event'; line: number; time: number | undefined }): Found {
  const tried = work.tried.find(([id]) => id === block.call)?.[1];
  const text = oneLine(textOf(block.content).replace(/<\/?tool_use_error>|^Exit code \d+\n/g, ''), MAX_FAILURE);
  const key = `${tried} ${text}`;
  if (!tried || text === '' || text.startsWith(REFUSAL) || OF_THE_CLIENT.test(text) || work.failed === key)
    return { work, events: [] };
  return { work: { ...work, failed: key }, events: [{ ...at, event: 'failure', tried, text }] };
}

const firstText = (input: Fields): string =>
  (Object.values(input).find((value) => typeof value === 'string') as string | undefined) ?? '';

function trying(work: Work, id: string | undefined, what: string): Work {
  if (id === undefined || id.length > MAX_PATH || what === '') return work;
  return { ...work, tried: [...work.tried, [id, what] as const].slice(-MOST_AWAITED) };
}

/** Masked before it is cut, and while there are line breaks. */
const oneLine = (text: string, most: number): string =>
  [
    ...maskText(text.slice(0, 8 * most))
      .slice(0, 4 * most)
      .replace(/\s+/g, ' ')
      .trim(),
  ]
    .slice(0, most)
    .join('');

function refusalWords(content: unknown): string | undefined {
  if (typeof content !== 'string' || !content.startsWith(REFUSAL)) return undefined;
  const words = /(?:the user said:|reason for the rejection:)([\s\S]*)/.exec(content)?.[1]?.trim();
  return words && !words.startsWith('The user wants to clarify') ? words : undefined;
}

const without = (work: Work, call: Awaited): Work => ({
  ...work,
  awaited: work.awaited.filter((each) => each !== call),
});

function awaiting(work: Work, call: Awaited | '' | undefined): Work {
  if (!call || call.id.length > MAX_PATH) return work;
  const others = work.awaited.filter(({ id }) => id !== call.id);
  return { ...work, awaited: [...others, call].slice(-MOST_AWAITED) };
}

function todoEvents(work: Work, listed: readonly Todo[], { line, time }: ToolPlace): Found {
  const { known, changed } = followTodos(work.todos, listed);
  return {
    work: { ...work, todos: known },
    events: changed.map(([text, state]) => ({ kind: 'event', event: 'todo', text, state, line, time })),
  };
}

function todosOf(todos: unknown): Todo[] {
  return listOf(todos).flatMap((each): Todo[] => {
    const todo = fieldsOf(each);
    const text = wordsOf(todo?.content);
    return text ? [[text, wordsOf(todo?.status) ?? 'pending']] : [];
  });
}

function questionsOf(input: Fields): string[] {
  const asked = Array.isArray(input.questions) ? input.questions : [input];
  return asked
    .flatMap((each) => wordsOf(fieldsOf(each)?.question) ?? [])
    .slice(0, MOST_QUESTIONS)
    .map((question) => maskText(question).slice(0, MAX_QUESTION));
}

/** Pairs of question and answer: from the structured result, else from its text (`"question"="answer"`). */
function answersOf(questions: readonly string[], result: unknown, text: string): [string, string][] {
  const given = fieldsOf(fieldsOf(result)?.answers);
  if (!given) return questions.flatMap((question) => answerIn(text, question, questions));
  const notes = fieldsOf(fieldsOf(result)?.annotations) ?? {};
  return Object.entries(given).flatMap(([question, answer]): [string, string][] => {
    const chosen = Array.isArray(answer) ? answer.filter((each) => typeof each === 'string').join(', ') : answer;
    const note = wordsOf(fieldsOf(Object.hasOwn(notes, question) ? notes[question] : undefined)?.notes)?.trim();
    const words = wordsOf(chosen)?.trim();
    if (!words || question.trim() === '') return [];
    return [[question, note && !words.includes(note) ? `${words} (${note})` : words]];
  });
}

/** An answer may hold quotes: it ends where the next question begins, or with the last quote before what the client adds. */
function answerIn(text: string, question: string, questions: readonly string[]): [string, string][] {
  const opening = `"${question}"="`;
  const start = text.indexOf(opening);
  if (start === -1) return [];
  const from = start + opening.length;
  const ends = questions.map((other) => text.indexOf(`", "${other}"="`, from)).filter((end) => end !== -1);
  const close = text.indexOf('". You can now', from);
  const end = ends.length > 0 ? Math.min(...ends) : close === -1 ? text.lastIndexOf('"') : close;
  const answer = text.slice(from, end).trim();
  return end > from && answer !== '' ? [[question, answer]] : [];
}
