// Some events say something too: a question that the user answered is a question and a decision, a commit is what was
// reached, a task is what is to be done, a command that failed is a problem.

import type { Idea, TraceEvent } from '../trace.ts';

/** An idea of an event. `answers` is the place in this list of what it answers: the event itself says so. */
export type EventIdea = Idea & { readonly answers?: number };

export function ideasOfEvent(item: TraceEvent): EventIdea[] {
  const said = { stance: 'stated', line: item.line, time: item.time } as const;
  switch (item.event) {
    case 'answer':
      return [
        { ...said, text: item.question, intent: 'question', confidence: 0.8, role: 'assistant', part: 0 },
        {
          ...said,
          text: `${item.question} — ${item.answer}`,
          intent: 'decision',
          confidence: 0.9,
          role: 'user',
          part: 1,
          answers: 0,
        },
      ];
    case 'commit': {
      const text = `Committed: ${item.subject}`;
      return [
        { ...said, text, intent: 'conclusion', stance: 'confirmed', confidence: 0.9, role: 'assistant', part: 0 },
      ];
    }
    case 'todo':
      return isSettledTask(item.state)
        ? []
        : [{ ...said, text: item.text, intent: 'todo', confidence: 0.9, role: 'assistant', part: 0 }];
    case 'failure': {
      const text = `Failed: ${item.tried}: ${item.text}`;
      return [{ ...said, text, intent: 'problem', confidence: 0.6, role: 'assistant', part: 0 }];
    }
    default:
      return [];
  }
}

export const isSettledTask = (state: string): boolean => /^(?:completed|cancelled|deleted)$/.test(state);
