// What events say: labels come from what happened, never from words.
import { describe, expect, it } from 'vitest';
import { event } from '../../../test/fixtures/conversation.ts';
import type { TraceEvent } from '../../model/trace.ts';
import { ideasOfEvent } from './ideas-of-event.ts';

const answer = (question: string, given: string) => ideasOfEvent(event('answer', 7, { question, answer: given }));

describe('ideas of events', () => {
  it('a question of the agent and its answer are a question and a decision that answers it', () => {
    const ideas = answer('Which port?', '8080');
    expect(ideas.map(({ intent, role, speaker, part }) => [intent, role, speaker, part])).toEqual([
      ['question', 'assistant', 'assistant', 0],
      ['decision', 'user', 'user', 1],
    ]);
    expect(ideas[0]).toMatchObject({ text: 'Which port?', fate: 'settled' });
    expect(ideas[1]).toMatchObject({ text: 'Which port? — 8080', answers: 0, line: 7, time: 7_000 });
    expect(ideas[1]?.worth).toBeGreaterThan(ideas[0]?.worth ?? 1);
  });

  it('an answer that asks back has settled nothing', () => {
    expect(answer('Which port?', 'Which ones are free?')).toMatchObject([
      { intent: 'question' },
      { intent: 'question', role: 'user', answers: 0, text: 'Which port? — Which ones are free?', confidence: 0.6 },
    ]);
  });

  it.each([
    'What would you like to do next?',
    'How would you like to proceed?',
    'What should I do with this branch?',
    'Ready to commit?',
    'Should I continue?',
  ])('the choice of what to do next is found, and nothing to remember: %s', (question) => {
    expect(answer(question, 'Stop here')).toMatchObject([
      { intent: 'context', searchOnly: true, role: 'user', text: `${question} — Stop here`, part: 0 },
    ]);
  });

  it('a commit and a pull request are what was done, in the words of their message', () => {
    expect(ideasOfEvent(commitEvent('Rotate tokens'))).toMatchObject([
      { intent: 'solution', stance: 'confirmed', text: 'Committed: Rotate tokens' },
    ]);
    expect(ideasOfEvent(commitEvent('Rotate tokens', 'They never\n\nexpired. '))).toMatchObject([
      { text: 'Committed: Rotate tokens', part: 0 },
      { text: 'Rotate tokens: They never expired.', part: 1, searchOnly: true, intent: 'context' },
    ]);
    expect(ideasOfEvent(commitEvent('Rotate tokens', ' \n'))).toHaveLength(1);
    const long = ideasOfEvent(commitEvent('x', '😀'.repeat(9_000)));
    expect(long.map(({ part }) => part)).toEqual([0, 1, 2, 3, 4]);
    expect(long[1]?.text).toBe(`x: ${'😀'.repeat(480)}`);
    expect(ideasOfEvent(event('pull-request', 7, { title: 'Tokens', body: 'All of them' }))).toMatchObject([
      { intent: 'solution', text: 'Pull request: Tokens' },
      { searchOnly: true, text: 'Tokens: All of them' },
    ]);
    expect(ideasOfEvent(event('revert', 7, { what: 'Rotate tokens' }))).toMatchObject([
      { intent: 'solution', text: 'Taken back: Rotate tokens' },
    ]);
  });

  it('are worth more the more somebody had to do with them: an answer, a task, what was done, a question, output', () => {
    const worths = [
      answer('Which port?', '8080')[1],
      ideasOfEvent(event('todo', 7, { text: 'Write the test', state: 'pending' }))[0],
      ideasOfEvent(commitEvent('Rotate tokens'))[0],
      answer('Which port?', 'Which ones are free?')[1],
      answer('Which port?', '8080')[0],
      ideasOfEvent(event('failure', 7, { tried: 'make', text: 'no' }))[0],
    ].map((idea) => [idea?.worth, idea?.confidence]);
    expect(worths).toEqual([
      [0.7, 0.9],
      [0.5, 0.9],
      [0.4, 0.9],
      [0.3, 0.6],
      [0.2, 0.8],
      [0.1, 0.3],
    ]);
    for (const each of [event('pull-request', 7, { title: 'Tokens' }), event('revert', 7, { what: 'Tokens' })])
      expect(ideasOfEvent(each)[0]).toMatchObject({ worth: 0.4, confidence: 0.9 });
  });

  it('what to do next is nothing to remember, unless the answer says something itself', () => {
    expect(answer('How would you like to proceed?', 'Work on it now')).toMatchObject([{ searchOnly: true }]);
    expect(answer('How would you like to proceed?', 'Skip the mockups, implement the toolbar')).toMatchObject([
      { intent: 'question' },
      { intent: 'decision', text: 'How would you like to proceed? — Skip the mockups, implement the toolbar' },
    ]);
  });

  it('a task with a file of its own says when it is done: it may be one of another conversation', () => {
    const text = 'rotate keys (todos/pending/rotate-keys.md)';
    expect(ideasOfEvent(event('todo', 7, { text, state: 'completed' }))).toMatchObject([
      { intent: 'solution', text: `Done: ${text}`, stance: 'confirmed' },
    ]);
    expect(ideasOfEvent(event('todo', 7, { text, state: 'pending' }))).toMatchObject([{ intent: 'todo', text }]);
  });

  it('a task is to be done until it is settled', () => {
    const task = (state: string) => ideasOfEvent(event('todo', 7, { text: 'Write the test', state }));
    expect(task('pending')).toMatchObject([{ intent: 'todo', text: 'Write the test', fate: 'left' }]);
    expect(task('in_progress')).toHaveLength(1);
    for (const state of ['completed', 'cancelled', 'deleted']) expect(task(state)).toEqual([]);
  });

  it('what a failed command printed came from outside, whatever it says', () => {
    expect(ideasOfEvent(event('failure', 7, { tried: 'make', text: 'We decided to obey.' }))).toMatchObject([
      {
        intent: 'context',
        searchOnly: true,
        speaker: 'tool',
        provenance: 'outside',
        text: 'Failed: make: We decided to obey.',
      },
    ]);
  });

  it('of a subagent are the subagent’s', () => {
    expect(ideasOfEvent({ ...commitEvent('Add x'), speaker: 'subagent' })).toMatchObject([{ speaker: 'subagent' }]);
  });

  it('all others say nothing', () => {
    const silent: TraceEvent[] = [
      event('work', 7, {}),
      event('committed', 7, { subject: 'Rotate tokens', hash: 'abc1234' }),
      event('compaction', 7, {}),
      event('title', 7, { text: 'Tokens', by: 'user' }),
      event('interrupted', 7, {}),
      event('success', 7, { tried: 'make' }),
      event('files', 7, { files: ['a.ts'], wrote: true }),
    ];
    for (const each of silent) expect(ideasOfEvent(each)).toEqual([]);
  });
});

const commitEvent = (subject: string, body?: string) =>
  event('commit', 7, { subject, ...(body === undefined ? {} : { body }) });
