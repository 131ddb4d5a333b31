// Some events say something too: a question that the user answered is a question and a decision, a commit is what was
// reached, a task is what is to be done, a command that failed is a problem. Their labels come from what happened, never from words:
// what a failed command printed came from outside, whatever it says.

import type { Idea, TraceEvent } from '../../model/trace.ts';
import { pageIdeas } from './ideas-of.ts';

/** An idea of an event. `answers` is the place in this list of what it answers: the event itself says so. */
export type EventIdea = Idea & { readonly answers?: number };

export function ideasOfEvent(item: TraceEvent): EventIdea[] {
  const agent = item.speaker === 'subagent' ? 'subagent' : 'assistant';
  const said = { stance: 'stated', provenance: 'said', line: item.line, time: item.time } as const;
  const byAgent = { ...said, role: 'assistant', speaker: agent } as const;
  switch (item.event) {
    case 'answer':
      return [
        { ...byAgent, text: item.question, intent: 'question', confidence: 0.8, part: 0 },
        {
          ...said,
          text: `${item.question} — ${item.answer}`,
          intent: 'decision',
          confidence: 0.9,
          role: 'user',
          speaker: 'user',
          part: 1,
          answers: 0,
        },
      ];
    case 'commit': {
      const text = `Committed: ${item.subject}`;
      return [{ ...byAgent, text, intent: 'conclusion', stance: 'confirmed', confidence: 0.9, part: 0 }];
    }
    case 'todo':
      return isSettledTask(item.state)
        ? []
        : [{ ...byAgent, text: item.text, intent: 'todo', confidence: 0.9, part: 0 }];
    case 'page':
      return pageIdeas(item.text).map((idea, part) => ({
        ...byAgent,
        ...idea,
        text: `${item.source}: ${idea.text}`,
        speaker: 'tool',
        provenance: 'outside',
        part,
      }));
    case 'failure': {
      const text = `Failed: ${item.tried}: ${item.text}`;
      const output = { ...byAgent, speaker: 'tool', provenance: 'outside' } as const;
      return [{ ...output, text, intent: 'problem', confidence: 0.6, part: 0 }];
    }
    default:
      return [];
  }
}

export const isSettledTask = (state: string): boolean => /^(?:completed|cancelled|deleted)$/.test(state);
