// The tool calls in a Codex rollout that say something about the work: patches, commits, the plan, questions to the user.

import { maskText } from '../../safety/mask-text.ts';
import { commitSubjects, subjectOfWords } from './commit-subject.ts';
import { type Fields, fieldsOf, listOf, wordsOf } from './fields.ts';
import { relativeTo } from './relative-to.ts';
import { followTodos, type Todo } from './todo-list.ts';

/** An event without its place. */
type Told =
  | { readonly event: 'commit'; readonly subject: string }
  | { readonly event: 'files'; readonly files: readonly string[]; readonly wrote: boolean }
  | { readonly event: 'todo'; readonly text: string; readonly state: string }
  | { readonly event: 'answer'; readonly question: string; readonly answer: string };

type Asked = { readonly call: string; readonly questions: readonly (readonly [id: string, question: string])[] };

/** What is carried from line to line: plain JSON, of bounded size. It is stored, so its words are masked. */
export type CodexWork = {
  readonly asked: readonly Asked[];
  readonly todos: readonly Todo[];
  readonly committed: string | null;
};

export const NO_CODEX_WORK: CodexWork = { asked: [], todos: [], committed: null };

type Found = { readonly work: CodexWork; readonly told: readonly Told[] };

const SHELLS = new Set(['bash', 'sh', 'zsh', 'dash', 'ksh', 'pwsh', 'powershell', 'cmd']);
const PATCHED = /^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+)$/gm;
const MOST_FILES = 100;
const MOST_ASKED = 10;
const MOST_QUESTIONS = 12;
const MAX_QUESTION = 2_000;

export function codexCall(work: CodexWork, item: Fields, cwd: string | null): Found {
  const input = wordsOf(item.arguments) ?? wordsOf(item.input);
  const given = fieldsOf(item.action) ?? (input === undefined ? undefined : parsed(input));
  if (item.name === 'update_plan') return plan(work, given);
  if (item.name === 'request_user_input') return { work: asking(work, item.call_id, given), told: [] };
  const command = given?.command ?? given?.cmd ?? given?.input ?? given?.patch ?? (given ? undefined : input);
  if (command === undefined) return { work, told: [] };
  const text = Array.isArray(command) ? scriptOf(command) : wordsOf(command);
  const direct = Array.isArray(command) && text === undefined ? subjectOfWords(textsIn(command)) : undefined;
  const subjects = [...(text === undefined ? [] : commitSubjects(text)), ...(direct ? [direct] : [])]
    .map((subject) => maskText(subject))
    .filter((subject) => subject !== work.committed);
  const patch = text ?? textsIn(listOf(command)).join('\n');
  const files = [...patch.matchAll(PATCHED)].slice(0, MOST_FILES).map((match) => relativeTo(match[1]!.trim(), cwd));
  return {
    work: subjects.length === 0 ? work : { ...work, committed: subjects.at(-1)! },
    told: [
      ...subjects.map((subject) => ({ event: 'commit' as const, subject })),
      ...(files.length > 0 ? [{ event: 'files' as const, files: [...new Set(files)], wrote: true }] : []),
    ],
  };
}

/** The answer to a question of ours; other output is not looked at. */
export function codexResult(work: CodexWork, item: Fields): Found {
  const asked = work.asked.find(({ call }) => call === item.call_id);
  if (!asked) return { work, told: [] };
  const output = typeof item.output === 'string' ? parsed(item.output) : fieldsOf(item.output);
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

function asking(work: CodexWork, call: unknown, given: Fields | undefined): CodexWork {
  const questions = listOf(given?.questions)
    .slice(0, MOST_QUESTIONS)
    .flatMap((each): [string, string][] => {
      const question = fieldsOf(each);
      const id = wordsOf(question?.id);
      const text = wordsOf(question?.question);
      return id && text ? [[id.slice(0, 200), maskText(text).slice(0, MAX_QUESTION)]] : [];
    });
  if (typeof call !== 'string' || call.length > 200 || questions.length === 0) return work;
  return {
    ...work,
    asked: [...work.asked.filter((each) => each.call !== call), { call, questions }].slice(-MOST_ASKED),
  };
}

/** `["bash", "-lc", script]` */
function scriptOf(words: readonly unknown[]): string | undefined {
  const [shell, flag, script] = words;
  if (typeof shell !== 'string' || typeof flag !== 'string' || typeof script !== 'string') return undefined;
  const name = shell
    .split(/[\\/]/)
    .at(-1)!
    .replace(/\.exe$/i, '')
    .toLowerCase();
  return SHELLS.has(name) && /^[-/]\w*c\w*$/i.test(flag) ? script : undefined;
}

const textsIn = (list: readonly unknown[]): string[] => list.filter((each) => typeof each === 'string');

function parsed(text: string): Fields | undefined {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}
