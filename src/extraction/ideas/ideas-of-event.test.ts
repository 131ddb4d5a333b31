import { describe, expect, it } from 'vitest';
import { ideasOfEvent } from './ideas-of-event.ts';

const at = { kind: 'event', line: 7, time: 1_000 } as const;

describe('ideas of events', () => {
  it('a question of the agent and its answer are a question and a decision that answers it', () => {
    const ideas = ideasOfEvent({ ...at, event: 'answer', question: 'Which port?', answer: '8080' });
    expect(ideas.map(({ intent, role, part }) => [intent, role, part])).toEqual([
      ['question', 'assistant', 0],
      ['decision', 'user', 1],
    ]);
    expect(ideas[1]).toMatchObject({ text: 'Which port? — 8080', answers: 0, line: 7 });
  });

  it('a commit is what was reached', () => {
    expect(ideasOfEvent({ ...at, event: 'commit', subject: 'Rotate tokens' })).toMatchObject([
      { intent: 'conclusion', stance: 'confirmed', text: 'Committed: Rotate tokens' },
    ]);
  });

  it('a task is to be done until it is settled; files and compactions say nothing', () => {
    const task = (state: string) => ideasOfEvent({ ...at, event: 'todo', text: 'Write the test', state });
    expect(task('pending')).toMatchObject([{ intent: 'todo', text: 'Write the test' }]);
    expect(task('in_progress')).toHaveLength(1);
    expect(task('completed')).toEqual([]);
    expect(task('deleted')).toEqual([]);
    expect(ideasOfEvent({ ...at, event: 'compaction' })).toEqual([]);
    expect(ideasOfEvent({ ...at, event: 'files', files: ['a.ts'], wrote: true })).toEqual([]);
  });
});
