// The tool calls in a Claude Code transcript that say something about the work: files touched, commits, questions to the
// user and their answers, plans, tasks.

import type { TraceEvent } from '../trace.ts';

type Block = {
  type?: unknown;
  id?: unknown;
  name?: unknown;
  input?: unknown;
  tool_use_id?: unknown;
  content?: unknown;
};
type Input = { [key: string]: unknown };
type Asked = { [toolUse: string]: string[] };

export type ToolPlace = { line: number; time: number | undefined; cwd: string | undefined; asked: Asked };

const READS = new Set(['Read', 'NotebookRead']);
const WRITES = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit']);
const MAX_WAITING = 20;

export function toolEvents(
  content: unknown,
  result: unknown,
  place: ToolPlace,
): { events: TraceEvent[]; asked: Asked } {
  if (!Array.isArray(content)) return { events: [], asked: place.asked };
  const events: TraceEvent[] = [];
  let { asked } = place;
  for (const block of content as (Block | null)[]) {
    if (block?.type === 'tool_use' && typeof block.name === 'string') {
      const input = isInput(block.input) ? block.input : {};
      if (block.name === 'AskUserQuestion' && typeof block.id === 'string')
        asked = waiting(asked, block.id, questionsOf(input));
      else events.push(...callEvents(block.name, input, place));
    } else if (
      block?.type === 'tool_result' &&
      typeof block.tool_use_id === 'string' &&
      Object.hasOwn(asked, block.tool_use_id)
    ) {
      const { [block.tool_use_id]: questions, ...rest } = asked;
      asked = rest;
      events.push(
        ...answers(questions ?? [], result, block.content).map(([question, answer]) => ({
          ...at(place),
          event: 'answer' as const,
          question,
          answer,
        })),
      );
    }
  }
  return { events, asked };
}

const at = ({ line, time }: ToolPlace) => ({ kind: 'event' as const, line, time });

function callEvents(name: string, input: Input, place: ToolPlace): TraceEvent[] {
  const file = textField(input, 'file_path') ?? textField(input, 'notebook_path');
  if (file && (READS.has(name) || WRITES.has(name))) {
    return [{ ...at(place), event: 'files', files: [relativeTo(file, place.cwd)], wrote: WRITES.has(name) }];
  }
  if (name === 'Bash') {
    const subject = commitSubject(textField(input, 'command') ?? '');
    return subject ? [{ ...at(place), event: 'commit', subject }] : [];
  }
  if (name === 'ExitPlanMode') {
    const plan = textField(input, 'plan');
    return plan ? [{ ...at(place), event: 'plan', text: plan }] : [];
  }
  if (name === 'TaskCreate') {
    const subject = textField(input, 'subject');
    return subject ? [{ ...at(place), event: 'todo', text: subject, state: 'pending' }] : [];
  }
  if (name === 'TodoWrite' && Array.isArray(input.todos)) {
    return input.todos.filter(isInput).flatMap((todo): TraceEvent[] => {
      const text = textField(todo, 'content');
      return text ? [{ ...at(place), event: 'todo', text, state: textField(todo, 'status') ?? 'pending' }] : [];
    });
  }
  return [];
}

/** The subject of `git commit -m "…"`, also with a here-document, as the model writes it. */
export function commitSubject(command: string): string | undefined {
  if (!/\bgit\b[^\n|;&]*\bcommit\b/.test(command)) return undefined;
  const here = /<<-?\s*['"]?(\w+)['"]?\s*\n([\s\S]*?)\n\s*\1\b/.exec(command)?.[2];
  const flag = /\s-(?:a?m|-message)[ =]?\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)')/.exec(command);
  const text = here ?? flag?.[1]?.replace(/\\(["\\$`])/g, '$1') ?? flag?.[2];
  const subject = text
    ?.split('\n')
    .find((line) => line.trim() !== '')
    ?.trim();
  return subject && !subject.startsWith('$(') ? subject.slice(0, 300) : undefined;
}

function questionsOf(input: Input): string[] {
  const list = Array.isArray(input.questions) ? input.questions.filter(isInput) : [input];
  return list.flatMap((each) => textField(each, 'question') ?? []);
}

function waiting(asked: Asked, id: string, questions: string[]): Asked {
  const kept = Object.entries(asked).slice(-(MAX_WAITING - 1));
  return Object.fromEntries([...kept, [id, questions]]);
}

/** Pairs of question and answer: from the structured result, else from its text (`"question"="answer"`). */
function answers(questions: readonly string[], result: unknown, content: unknown): [string, string][] {
  const given = isInput(result) && isInput(result.answers) ? result.answers : undefined;
  if (given) {
    return Object.entries(given).flatMap(([question, answer]): [string, string][] => {
      const text = Array.isArray(answer) ? answer.join(', ') : answer;
      return typeof text === 'string' && text.trim() !== '' ? [[question, text.trim()]] : [];
    });
  }
  const text =
    typeof content === 'string'
      ? content
      : Array.isArray(content)
        ? content.map((block) => (isInput(block) ? (textField(block, 'text') ?? '') : '')).join('\n')
        : '';
  return questions.flatMap((question): [string, string][] => {
    const start = text.indexOf(`"${question}"="`);
    if (start === -1) return [];
    const from = start + question.length + 4;
    const end = text.indexOf('"', from);
    return end > from ? [[question, text.slice(from, end)]] : [];
  });
}

function relativeTo(file: string, cwd: string | undefined): string {
  const plain = file.replaceAll('\\', '/');
  const base = cwd?.replaceAll('\\', '/').replace(/\/$/, '');
  return base && plain.startsWith(`${base}/`) ? plain.slice(base.length + 1) : plain;
}

const isInput = (value: unknown): value is Input =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function textField(input: Input, key: string): string | undefined {
  const value = input[key];
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
