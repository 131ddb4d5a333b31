// Some events say something too: a question that the user answered is a question and a decision, a commit is what was done, a task is what is
// to be done. Their labels come from what happened, never from words: what a failed command printed came from outside, whatever it says.

import { COMMITTED, PULL_REQUEST, TAKEN_BACK } from '../../model/logged-work.ts';
import type { Idea, TraceEvent } from '../../model/trace.ts';
import { asks } from '../labels/features.ts';
import { topicWords } from '../topic-words.ts';

/** An idea of an event. `answers` is the place in this list of what it answers: the event itself says so. */
export type EventIdea = Idea & { readonly answers?: number };

const MOST_OF_BODY = 480;
const MOST_PIECES = 4;
/** What the agent asks to know how to go on, and nobody asks for later. */
const MENU =
  /\b(?:what (?:would you like|do you want|should (?:i|we)) (?:to )?(?:do )?(?:next|with th\w+|now)|how would you like to proceed|(?:ready|want me|shall i|should i) (?:to )?(?=)(?:continue|proceed|commit|push|start))\b/i;

const FEWEST_TELLING = 3;

export function ideasOfEvent(item: TraceEvent): EventIdea[] {
  const agent = item.speaker === 'subagent' ? 'subagent' : 'assistant';
  const said = { stance: 'stated', provenance: 'said', line: item.line, time: item.time, part: 0 } as const;
  const byAgent = { ...said, role: 'assistant', speaker: agent } as const;
  switch (item.event) {
    case 'answer':
      return answered(item, { ...byAgent, part: 0 });
    case 'commit':
      return [
        { ...byAgent, ...DONE, text: COMMITTED + item.subject, worth: 0.4 },
        ...bodyOf(item.subject, item.body, byAgent),
      ];
    case 'pull-request':
      return [
        { ...byAgent, ...DONE, text: PULL_REQUEST + item.title, worth: 0.4 },
        ...bodyOf(item.title, item.body, byAgent),
      ];
    case 'revert':
      return [{ ...byAgent, ...DONE, text: TAKEN_BACK + item.what, worth: 0.4 }];
    case 'todo':
      return isSettledTask(item.state)
        ? doneWith(item.text, byAgent)
        : [{ ...byAgent, text: item.text, intent: 'todo', confidence: 0.9, worth: 0.5, fate: 'left' }];
    case 'failure': {
      const output = { ...byAgent, speaker: 'tool', provenance: 'outside' } as const;
      return [{ ...output, ...FOR_SEARCH, text: `Failed: ${item.tried}: ${item.text}` }];
    }
    default:
      return [];
  }
}

const DONE = { intent: 'solution', stance: 'confirmed', confidence: 0.9 } as const;
const FOR_SEARCH = { intent: 'context', confidence: 0.3, worth: 0.1, searchOnly: true } as const;

type Base = Pick<Idea, 'stance' | 'provenance' | 'line' | 'time' | 'part' | 'role' | 'speaker'>;

/** An answer that asks back has settled nothing; the choice of what to do next is nothing to remember, unless it says something itself. */
function answered({ question, answer }: Extract<TraceEvent, { event: 'answer' }>, base: Base): EventIdea[] {
  const asked: EventIdea = {
    ...base,
    text: question,
    intent: 'question',
    confidence: 0.8,
    worth: 0.2,
    fate: 'settled',
  };
  const reply = {
    ...base,
    text: `${question} — ${answer}`,
    role: 'user',
    speaker: 'user',
    part: 1,
    answers: 0,
  } as const;
  if (asks(answer)) return [asked, { ...reply, intent: 'question', confidence: 0.6, worth: 0.3, fate: 'settled' }];
  if (MENU.test(question) && new Set(topicWords(answer)).size < FEWEST_TELLING)
    return [{ ...base, ...FOR_SEARCH, text: reply.text, role: 'user', speaker: 'user' }];
  return [asked, { ...reply, intent: 'decision', confidence: 0.9, worth: 0.7 }];
}

/** The rest of a message, to be found: in pieces, so that the subject stays what it is. */
function bodyOf(subject: string, body: string | undefined, base: Base): EventIdea[] {
  const plain = [...(body?.replace(/\s+/g, ' ').trim() ?? '')];
  const pieces: EventIdea[] = [];
  for (let from = 0; from < plain.length && pieces.length < MOST_PIECES; from += MOST_OF_BODY)
    pieces.push({
      ...base,
      ...FOR_SEARCH,
      text: `${subject}: ${plain.slice(from, from + MOST_OF_BODY).join('')}`,
      part: pieces.length + 1,
    });
  return pieces;
}

/** A task with a file of its own may have been put on the list in another conversation: that it is done is news there. */
const doneWith = (text: string, base: Base): EventIdea[] =>
  TASK_FILE.test(text) ? [{ ...base, ...DONE, text: `${TASK_DONE}${text}`, worth: 0.3 }] : [];

export const TASK_DONE = 'Done: ';
/** The file that a task stands in, behind its title. */
export const TASK_FILE = /\(([^()\s]+\.md)\)$/;

export const isSettledTask = (state: string): boolean => /^(?:completed|cancelled|deleted)$/.test(state);
