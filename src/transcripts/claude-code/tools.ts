// The tool calls in a Claude Code transcript that say something about the work: files touched, what shell commands did, questions to
// the user and their answers, plans and what became of them, tasks; and what the user said when refusing one. Some calls tell their
// point only together with their result: those are awaited.

import type { TraceEvent } from '../../model/trace.ts';
import { maskText } from '../../safety/mask-text.ts';
import { type Fields, fieldsOf, listOf, textOf, wordsOf } from '../fields.ts';
import { gitActions } from '../git-actions.ts';
import type { Block, ToolCall, ToolResult } from '../parsed-line.ts';
import { relativeTo } from '../relative-path.ts';
import {
  commandKey,
  NO_SHELL_WORK,
  pullCall,
  pullLink,
  type ShellWork,
  shellCall,
  shellFailed,
  shellResult,
} from '../shell-work.ts';
import { todosMoved, todoWritten } from '../todo-files.ts';
import { followTodos, type Todo } from '../todo-list.ts';
import { answersOf, MAX_QUESTION, questionsOf } from './question-answers.ts';

/** A call whose result is of interest. */
export type Awaited = { readonly id: string } & (
  | { readonly for: 'answer'; readonly questions: readonly string[] }
  | { readonly for: 'task'; readonly subject: string }
  /** `told`: the call held the plan. */
  | { readonly for: 'plan'; readonly told: boolean }
  | { readonly for: 'page'; readonly source: string }
);

/** What is carried from line to line: plain JSON, of bounded size. It is stored, so its words are masked. */
export type Work = {
  readonly awaited: readonly Awaited[];
  /** Tasks by the number that the client gave them. */
  readonly tasks: readonly (readonly [id: string, subject: string])[];
  readonly todos: readonly Todo[];
  readonly shell: ShellWork;
  /** The newest commands and edits, for the case that they fail; a command of the shell with what it is known by when it is tried again. */
  readonly tried: readonly (readonly [id: string, what: string, key?: string])[];
  /** The last failure that was told: who tries again and again fails in the same words. */
  readonly failed: string | null;
};

export const NO_WORK: Work = { awaited: [], tasks: [], todos: [], shell: NO_SHELL_WORK, tried: [], failed: null };

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
/** Of the servers of code hosts. */
const ASKS_PULL = /create_(?:pull|merge)_request$/;
const MOST_AWAITED = 20;
const MOST_TASKS = 100;
const MAX_PATH = 1_024;
const MAX_TRIED = 160;
const MAX_FAILURE = 280;
/** The beginning of a page says what it is about; all of it would drown what was said. */
const MAX_PAGE = 1_500;
/** How a tool result begins that carries words of the user. */
const REFUSAL = "The user doesn't want to ";
const PLAN_ACCEPTED = /^User has approved /;
const PLAN_REFUSED = /^The agent proposed a plan that was rejected /;
/** What the client says, in the user's name, when they would rather talk about its questions first. */
const CLARIFIES = 'The user wants to clarify';
/** What newer clients tell the model below the user's words. */
const CLIENT_NOTE = /\n\nNote: The user's next message may contain a correction[\s\S]*$/;
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

/** What a script of the shell tells when it is started: by the agent, or by the user themselves. */
export function shellEvents(work: Work, id: string | undefined, script: string, { line, time, cwd }: ToolPlace): Found {
  const actions = gitActions(script);
  const found = shellCall(work.shell, { id, script, actions, cwd });
  const tried = trying(work, id, oneLine(script, MAX_TRIED), commandKey(script, actions, cwd));
  const moved = todosMoved(script, cwd).map(([text, state]): Todo => [maskText(text), state]);
  return {
    work: found.work === work.shell ? tried : { ...tried, shell: found.work },
    events: [
      ...found.events.map((event) => ({ kind: 'event' as const, ...event, line, time })),
      ...moved.map(([text, state]) => ({ kind: 'event' as const, event: 'todo' as const, text, state, line, time })),
    ],
  };
}

/** Where the pull request is that was just asked for. */
export function linkEvents(work: Work, url: string): Work {
  const shell = pullLink(work.shell, url);
  return shell === work.shell ? work : { ...work, shell };
}

function calls(work: Work, { id, name, input = {}, files: named, writes, shell }: ToolCall, place: ToolPlace): Found {
  const at = { kind: 'event' as const, line: place.line, time: place.time };
  if (named.length > 0 && named.every((file) => file.length <= MAX_PATH)) {
    const files = named.map((file) => relativeTo(file, place.cwd));
    const next = writes ? trying(work, id, `${name} of ${files[0]}`) : work;
    const content = writes ? wordsOf(input.content) : undefined;
    const todo = content === undefined ? undefined : todoWritten(files[0] ?? '', content);
    const found = todo ? todoEvents(next, [todo], place) : { work: next, events: [] };
    return { work: found.work, events: [{ ...at, event: 'files', files, wrote: writes }, ...found.events] };
  }
  if (shell !== undefined) return shellEvents(work, id, shell, place);
  switch (name) {
    case 'AskUserQuestion':
      return { work: awaiting(work, id && { id, for: 'answer', questions: questionsOf(input) }), events: [] };
    case 'ExitPlanMode':
    case 'exit_plan_mode': {
      const text = wordsOf(input.plan);
      return {
        work: awaiting(work, id && { id, for: 'plan', told: text !== undefined }),
        events: text ? [{ ...at, event: 'plan', text }] : [],
      };
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
      const title = ASKS_PULL.test(name) ? wordsOf(input.title) : undefined;
      if (title)
        return { work: { ...tried, shell: pullCall(tried.shell, id, title, wordsOf(input.body)) }, events: [] };
      return { work: name === FETCHES ? awaiting(tried, id && { id, for: 'page', source }) : tried, events: [] };
    }
  }
}

function results(before: Work, block: ToolResult, place: ToolPlace): Found {
  const { line, time, result } = place;
  const at = { kind: 'event' as const, line, time };
  const said = refusalWords(block.content);
  const spoken = said === undefined ? {} : { said };
  const call = before.awaited.find(({ id }) => id === block.call);
  if (!call) {
    const found = shellResult(before.shell, block.call, textOf(block.content), block.failed);
    const work = found.work === before.shell ? before : { ...before, shell: found.work };
    const events = found.events.map((event) => ({ ...at, ...event }));
    if (said !== undefined || !block.failed) return { work, events, ...spoken };
    const failed = failures(work, block, at);
    return { ...failed, events: [...events, ...failed.events] };
  }
  const work = without(before, call);
  if (call.for === 'page' && block.failed && said === undefined) return failures(work, block, at);
  switch (call.for) {
    case 'answer': {
      const pairs =
        said === undefined ? answersOf(call.questions, result, maskText(textOf(block.content))) : ([] as const);
      return {
        work,
        events: pairs.map(([question, answer]) => ({ ...at, event: 'answer', question, answer })),
        ...spoken,
      };
    }
    case 'plan':
      return { work, events: verdict(call.told, block, said, place), ...spoken };
    case 'page': {
      const text = maskText(textOf(block.content).slice(0, 4 * MAX_PAGE)).slice(0, MAX_PAGE);
      const { source } = call;
      const isPage = said === undefined && text.trim() !== '';
      return { work, events: isPage ? [{ ...at, event: 'page', source, text }] : [], ...spoken };
    }
    case 'task': {
      const id = fieldsOf(fieldsOf(result)?.task)?.id ?? /^Task #(\w{1,40}) /.exec(textOf(block.content))?.[1];
      if (said !== undefined || (typeof id !== 'string' && typeof id !== 'number'))
        return { work, events: [], ...spoken };
      const others = work.tasks.filter(([task]) => task !== String(id));
      return {
        work: { ...work, tasks: [...others, [String(id).slice(0, 40), call.subject] as const].slice(-MOST_TASKS) },
        events: [],
      };
    }
  }
}

/** A plan that the call did not hold, and what the user made of it. That the tool itself failed is no verdict. */
function verdict(told: boolean, block: ToolResult, said: string | undefined, place: ToolPlace): TraceEvent[] {
  const at = { kind: 'event' as const, line: place.line, time: place.time };
  const text = textOf(block.content);
  if (text.startsWith(REFUSAL) || PLAN_REFUSED.test(text)) {
    const words = said === undefined ? '' : maskText(said).slice(0, MAX_QUESTION).trim();
    return [{ ...at, event: 'plan-verdict', accepted: false, ...(words === '' ? {} : { words }) }];
  }
  const plan = told ? undefined : wordsOf(fieldsOf(place.result)?.plan);
  return [
    ...(plan === undefined ? [] : [{ ...at, event: 'plan' as const, text: plan }]),
    ...(PLAN_ACCEPTED.test(text) && !block.failed ? [{ ...at, event: 'plan-verdict' as const, accepted: true }] : []),
  ];
}

/** What failed, once: the client's own remarks about how its tools are used are left out. */
function failures(work: Work, block: ToolResult, at: { kind: 'event'; line: number; time: number | undefined }): Found {
  const [, tried, command] = work.tried.find(([id]) => id === block.call) ?? [];
  const text = oneLine(textOf(block.content).replace(/<\/?tool_use_error>|^Exit code \d+\n/g, ''), MAX_FAILURE);
  const key = `${tried} ${text}`;
  if (!tried || text === '' || text.startsWith(REFUSAL) || OF_THE_CLIENT.test(text) || work.failed === key)
    return { work, events: [] };
  const shell = command === undefined ? work.shell : shellFailed(work.shell, command, tried);
  return { work: { ...work, shell, failed: key }, events: [{ ...at, event: 'failure', tried, text }] };
}

const firstText = (input: Fields): string =>
  (Object.values(input).find((value) => typeof value === 'string') as string | undefined) ?? '';

function trying(work: Work, id: string | undefined, what: string, key?: string): Work {
  if (id === undefined || id.length > MAX_PATH || what === '') return work;
  const call = key === undefined ? ([id, what] as const) : ([id, what, key] as const);
  return { ...work, tried: [...work.tried, call].slice(-MOST_AWAITED) };
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
  const text = textOf(content);
  if (!text.startsWith(REFUSAL)) return undefined;
  const words = /(?:the user said:|reason for the rejection:)([\s\S]*)/
    .exec(text)?.[1]
    ?.replace(CLIENT_NOTE, '')
    .trim();
  return words && !words.startsWith(CLARIFIES) ? words : undefined;
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
