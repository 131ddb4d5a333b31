// The tool calls in a Codex rollout that say something about the work: patches, what shell commands did, the plan, questions to the user.

import { maskText } from '../../safety/mask-text.ts';
import { type Fields, fieldsIn, fieldsOf, listOf, wordsOf } from '../fields.ts';
import { gitActions, gitActionsOfWords } from '../git-actions.ts';
import type { ToolCall, ToolResult } from '../parsed-line.ts';
import { relativeTo } from '../relative-path.ts';
import { NO_SHELL_WORK, type ShellEvent, type ShellWork, shellCall, shellResult } from '../shell-work.ts';
import { followTodos, type Todo } from '../todo-list.ts';
import { commandOf, outputText } from './line.ts';

/** An event without its place. */
type Told =
  | ShellEvent
  | { readonly event: 'files'; readonly files: readonly string[]; readonly wrote: boolean }
  | { readonly event: 'todo'; readonly text: string; readonly state: string }
  | { readonly event: 'answer'; readonly question: string; readonly answer: string };

type Asked = { readonly call: string; readonly questions: readonly (readonly [id: string, question: string])[] };

/** What is carried from line to line: plain JSON, of bounded size. It is stored, so its words are masked. */
export type CodexWork = {
  readonly asked: readonly Asked[];
  readonly todos: readonly Todo[];
  readonly shell: ShellWork;
};

export const NO_CODEX_WORK: CodexWork = { asked: [], todos: [], shell: NO_SHELL_WORK };

type Found = { readonly work: CodexWork; readonly told: readonly Told[] };

const MOST_ASKED = 10;
const MOST_QUESTIONS = 12;
const MAX_QUESTION = 2_000;

export function codexCall(
  work: CodexWork,
  { id, name, input, files: named, shell }: ToolCall,
  cwd: string | null,
): Found {
  if (name === 'update_plan') return plan(work, input);
  if (name === 'request_user_input') return { work: asking(work, id, input), told: [] };
  const command = commandOf(input);
  const script = shell ?? (Array.isArray(command) ? textsIn(command).join(' ') : '');
  const actions =
    shell === undefined ? gitActionsOfWords(Array.isArray(command) ? textsIn(command) : []) : gitActions(shell);
  const found = shellCall(work.shell, { id, script, actions, cwd });
  const files = named.map((file) => relativeTo(file, cwd));
  return {
    work: found.work === work.shell ? work : { ...work, shell: found.work },
    told: [
      ...found.events,
      ...(files.length > 0 ? [{ event: 'files' as const, files: [...new Set(files)], wrote: true }] : []),
    ],
  };
}

/** The answer to a question of ours, or what came of a command that somebody waits for; other output is not looked at. */
export function codexResult(work: CodexWork, { call: id, content, failed }: ToolResult): Found {
  const asked = work.asked.find(({ call }) => call === id);
  if (!asked) {
    const found = shellResult(work.shell, id, outputText(content), failed);
    return found.work === work.shell
      ? { work, told: [] }
      : { work: { ...work, shell: found.work }, told: found.events };
  }
  const output = typeof content === 'string' ? fieldsIn(content) : fieldsOf(content);
  const answers = fieldsOf(output?.answers) ?? {};
  const told = asked.questions.flatMap(([id, question]): Told[] => {
    const given = Object.hasOwn(answers, id) ? answers[id] : undefined;
    const answer = textsIn(listOf(fieldsOf(given)?.answers ?? given))
      .join(', ')
      .trim();
    return answer === '' ? [] : [{ event: 'answer', question, answer }];
  });
  return { work: { ...work, asked: work.asked.filter((each) => each !== asked) }, told };
}

function plan(work: CodexWork, given: Fields | undefined): Found {
  const steps = listOf(given?.plan).flatMap((each): Todo[] => {
    const step = fieldsOf(each);
    const text = wordsOf(step?.step);
    return text ? [[text, wordsOf(step?.status) ?? 'pending']] : [];
  });
  const { known, changed } = followTodos(work.todos, steps);
  return { work: { ...work, todos: known }, told: changed.map(([text, state]) => ({ event: 'todo', text, state })) };
}

function asking(work: CodexWork, call: string | undefined, given: Fields | undefined): CodexWork {
  const questions = listOf(given?.questions)
    .slice(0, MOST_QUESTIONS)
    .flatMap((each): [string, string][] => {
      const question = fieldsOf(each);
      const id = wordsOf(question?.id);
      const text = wordsOf(question?.question);
      return id && text ? [[id.slice(0, 200), maskText(text).slice(0, MAX_QUESTION)]] : [];
    });
  if (call === undefined || call.length > 200 || questions.length === 0) return work;
  return {
    ...work,
    asked: [...work.asked.filter((each) => each.call !== call), { call, questions }].slice(-MOST_ASKED),
  };
}

const textsIn = (list: readonly unknown[]): string[] => list.filter((each) => typeof each === 'string');
