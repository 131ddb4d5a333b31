// What a user types while the agent works waits in a queue. It then becomes a prompt of its own (`dequeue`, and a line of the
// user follows), or goes into the running turn (`remove`): then no line of the user ever follows, only, in newer versions, an
// attachment. Without this those words would be lost.

import type { Turn } from '../../model/trace.ts';
import { maskText } from '../../safety/mask-text.ts';
import { type Prompt, promptText, type QueuedLine, type QueueLine } from '../parsed-line.ts';

type Waiting = { readonly text: string; readonly line: number; readonly time: number | null };

export type Queue = {
  /** Oldest first, masked: it is stored. Entries without text are commands and notes of the client. */
  readonly waiting: readonly Waiting[];
  /** What went into a running turn, in short: the attachment that repeats it is not told again. */
  readonly taken: readonly string[];
  /** How many tasks of the client's own are in there: they are taken out one by one when the agent has said its last word. */
  readonly tasks: number;
};

export const NO_QUEUE: Queue = { waiting: [], taken: [], tasks: 0 };

type Place = { readonly line: number; readonly time: number | undefined };
type Found = { readonly queue: Queue; readonly turn?: Turn };

const MOST_WAITING = 20;
const MOST_TAKEN = 5;
const MOST_TASKS = 1_000;
const MAX_LENGTH = 65_536;

/** `isLastWord`: the agent has spoken, and called no tool since. */
export function queueOperation(
  queue: Queue,
  { operation, prompt, isTask, reason }: QueueLine,
  at: Place & { readonly isLastWord: boolean },
): Found {
  const text = prompt && queuedText(prompt);
  switch (operation) {
    case 'enqueue': {
      if (isTask) return { queue: { ...queue, tasks: Math.min(queue.tasks + 1, MOST_TASKS) } };
      const entry = { text: text ?? '', line: at.line, time: at.time ?? null };
      return { queue: { ...queue, waiting: [...queue.waiting, entry].slice(-MOST_WAITING) } };
    }
    case 'dequeue':
    case 'popAll': {
      if (queue.waiting.length === 0) return { queue };
      return { queue: { ...queue, waiting: operation === 'popAll' ? [] : queue.waiting.slice(1) } };
    }
    case 'remove': {
      const entry = removed(queue, text, at.isLastWord);
      if (!entry) {
        const isOwn = queue.tasks > 0 && (isTask || text === undefined);
        return { queue: isOwn ? { ...queue, tasks: queue.tasks - 1 } : queue };
      }
      const waiting = queue.waiting.filter((each) => each !== entry);
      if (entry.text === '' || (reason && !reason.includes('absorbed'))) return { queue: { ...queue, waiting } };
      const taken = [...queue.taken, shortOf(entry.text)].slice(-MOST_TAKEN);
      return { queue: { ...queue, waiting, taken }, turn: turnOf(entry.text, entry.line, entry.time ?? undefined) };
    }
    default:
      return { queue };
  }
}

/**
 * What is taken out. Older versions do not say: it is what somebody typed, before any note of the client, unless the turn is over and the
 * client clears away its own tasks.
 */
function removed({ waiting, tasks }: Queue, text: string | undefined, isLastWord: boolean): Waiting | undefined {
  if (text !== undefined) return waiting.find((entry) => entry.text === text);
  if (isLastWord && tasks > 0) return undefined;
  return waiting.find((entry) => entry.text !== '') ?? (tasks > 0 ? undefined : waiting[0]);
}

/** The attachment with which newer versions note what went into a running turn. */
export function queuedCommand(queue: Queue, { prompt, isTyped }: QueuedLine, { line, time }: Place): Found {
  const text = clipped(promptText(prompt));
  if (!isTyped || isCommand(text)) return { queue };
  const short = shortOf(text);
  if (queue.taken.includes(short)) return { queue: { ...queue, taken: queue.taken.filter((each) => each !== short) } };
  return { queue: afterPrompt(queue, text), turn: turnOf(text, line, time) };
}

/** What has been said does not wait any more. */
export function afterPrompt(queue: Queue, text: string): Queue {
  if (queue.waiting.length === 0) return queue;
  const said = clipped(text);
  const at = queue.waiting.findIndex((entry) => entry.text !== '' && entry.text === said);
  return at === -1 ? queue : { ...queue, waiting: queue.waiting.filter((_, index) => index !== at) };
}

function queuedText(prompt: Prompt): string {
  const text = clipped(promptText(prompt));
  return isCommand(text) ? '' : text;
}

/** `/model`, but not a path such as `/etc/hosts is wrong`. */
const isCommand = (text: string): boolean => text === '' || /^\/[\w:-]+(?:\s|$)/.test(text);

const clipped = (text: string): string => maskText(text).slice(0, MAX_LENGTH);
const shortOf = (text: string): string => `${text.length} ${text.slice(0, 200)}`;

const turnOf = (text: string, line: number, time: number | undefined): Turn => ({
  kind: 'turn',
  role: 'user',
  text,
  line,
  time,
  message: undefined,
  aside: true,
});
