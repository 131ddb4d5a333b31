import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawSections, frontPage, type NoteFacts } from './front-page.ts';

const facts = (id: string, more: Partial<NoteFacts> = {}): NoteFacts => ({
  id,
  type: 'task',
  status: 'pending',
  updated: '2026-03-01T12:00:00Z',
  title: `Title of ${id}`,
  gist: '',
  ...more,
});

describe('the front page', () => {
  it('shows begun tasks before others and the latest before the older', () => {
    const { tasks } = frontPage([
      facts('task-a', { updated: '2026-03-01T12:00:00Z' }),
      facts('task-b', { updated: '2026-03-02T12:00:00Z' }),
      facts('task-c', { updated: '2026-02-01T12:00:00Z', status: 'in_progress' }),
      facts('task-d', { status: 'completed' }),
      facts('task-e', { updated: 'some time', status: 'active' }),
    ]);
    expect(tasks.map(({ id }) => id)).toEqual(['task-c', 'task-b', 'task-a', 'task-e']);
  });

  it('shows active decisions and file summaries, and sessions that are archived too', () => {
    const page = frontPage([
      facts('decision-1', { type: 'decision', status: 'active' }),
      facts('decision-2', { type: 'decision', status: 'superseded' }),
      facts('file-1', { type: 'file-summary', status: 'active' }),
      facts('file-2', { type: 'file-summary', status: 'archived' }),
      facts('session-1', { type: 'session', status: 'archived' }),
      facts('error-1', { type: 'error', status: 'active' }),
    ]);
    expect(Object.values(page).flatMap((notes) => notes.map(({ id }) => id))).toEqual([
      'session-1',
      'decision-1',
      'file-1',
    ]);
  });

  it('names decisions and tasks by their titles, sessions and files by what they say', () => {
    const sections = drawSections(
      frontPage([
        facts('decision-1', { type: 'decision', status: 'active', gist: 'Long story' }),
        facts('session-1', { type: 'session', status: 'active', gist: 'Fixed it' }),
        facts('file-1', { type: 'file-summary', status: 'active', file: 'src/a.ts' }),
        facts('task-1'),
      ]),
    );
    expect(sections).toEqual({
      'Active Decisions': [{ id: 'decision-1', text: 'Title of decision-1' }],
      'Recent Sessions': [{ id: 'session-1', text: 'Fixed it' }],
      'Key Files': [{ id: 'file-1', text: 'src/a.ts' }],
      'Active Tasks': [{ id: 'task-1', text: 'Title of task-1', task: true }],
    });
  });

  it('is the same for the same notes in any order, and never long', () => {
    const note = fc.record({
      id: fc.string({ minLength: 1, maxLength: 4 }),
      type: fc.constantFrom('session', 'task', 'decision', 'file-summary', 'error'),
      status: fc.constantFrom('active', 'pending', 'in_progress', 'archived', 'completed'),
      updated: fc.constantFrom('2026-01-01', '2026-01-02T10:00:00Z', '', 'x'),
      title: fc.string(),
      gist: fc.string(),
    });
    fc.assert(
      fc.property(fc.uniqueArray(note, { selector: ({ id }) => id, maxLength: 60 }), (notes) => {
        const page = frontPage(notes);
        expect(frontPage([...notes].reverse())).toEqual(page);
        for (const part of Object.values(page)) expect(part.length).toBeLessThanOrEqual(10);
      }),
    );
  });
});
