// What an exchange leaves open, rule by rule.
import { describe, expect, it } from 'vitest';
import { assistant, commit, event, user, work, wrote } from '../../../test/fixtures/conversation.ts';
import type { TraceItem } from '../../model/trace.ts';
import { fateOf, leftAs, type Said } from './left-open.ts';

const PROMPT = user('Look at the export of the invoices, please.', 1);
const NEXT = user('Now the imprint.', 9);

type More = { items?: readonly TraceItem[]; next?: typeof NEXT; role?: Said['role'] };
const fate = (
  intent: Said['intent'],
  place: Said['place'],
  text: string,
  { items = [PROMPT], next, role }: More = {},
) => fateOf({ intent, text, place, line: 5, role: role ?? (place === 'prompt' ? 'user' : 'assistant') }, items, next);

describe('what has no fate', () => {
  it('is what nobody asked for, wanted or found wrong', () => {
    for (const intent of ['decision', 'conclusion', 'solution', 'context'] as const)
      for (const place of ['prompt', 'between', 'final'] as const)
        expect(fate(intent, place, 'The export is still pending.')).toBeUndefined();
  });

  it('is a problem, unless the answer says that it is known or put off', () => {
    expect(fate('problem', 'final', 'The export crashes on empty tables.')).toBeUndefined();
    for (const text of [
      'The export crashes, which is pre-existing.',
      'Two flaky tests are left alone.',
      'The export crashes on empty tables: out of scope.',
      'The export crashes; deferred.',
    ]) {
      expect(fate('problem', 'final', text)).toBe('left');
      expect(fate('problem', 'final', text, { next: NEXT })).toBe('left');
      expect(fate('problem', 'between', text)).toBeUndefined();
      expect(fate('problem', 'prompt', text)).toBeUndefined();
    }
  });
});

describe('a question or task', () => {
  it('said between two steps of the work is settled by the work', () => {
    expect(fate('todo', 'between', 'Still pending: the export.')).toBe('settled');
    expect(fate('question', 'between', 'Which file is it?')).toBe('settled');
  });

  it('of a prompt is left while the agent neither answers nor works on it and nothing else is asked', () => {
    const text = 'Why is the export empty?';
    expect(fate('question', 'prompt', text)).toBe('left');
    expect(fate('todo', 'prompt', 'Fix the export.')).toBe('left');
    expect(fate('question', 'prompt', text, { next: NEXT })).toBe('settled');
    for (const item of [assistant('It reads the wrong table.', 6), work(6), wrote(6, 'a.ts'), commit(6, 'Fix it')])
      expect(fate('question', 'prompt', text, { items: [PROMPT, item] })).toBe('settled');
    for (const item of [user('Hurry.', 6), event('interrupted', 6, {}), assistant('Earlier.', 4), work(5)])
      expect(fate('question', 'prompt', text, { items: [PROMPT, item] })).toBe('left');
  });

  it('of somebody else than the user, in the place of a prompt, is settled', () => {
    expect(fate('question', 'prompt', 'Why is the export empty?', { role: 'assistant' })).toBe('settled');
  });

  it('in an answer is settled unless the answer says that it is left', () => {
    expect(fate('todo', 'final', 'Add an index to the table.')).toBe('settled');
    expect(fate('question', 'final', 'Want me to add an index?')).toBe('settled');
  });

  it.each([
    'Remaining: the export of invoices.',
    'You still need to set the key.',
    'Before merging, rebase it.',
    'Das ist noch offen.',
  ])('that is said to be left is open until the user goes on: %s', (text) => {
    expect(fate('todo', 'final', text)).toBe('left');
    expect(fate('todo', 'final', text, { next: NEXT })).toBe('settled');
  });

  it.each([
    'Pending: the export.',
    'Follow-ups: pagination.',
    'TODO: pagination',
    'Open questions: which port?',
    '保留: ページ',
  ])('that is put off stays open whatever is talked about next: %s', (text) => {
    expect(fate('question', 'final', text)).toBe('left');
    expect(fate('question', 'final', text, { next: NEXT })).toBe('left');
  });

  it('is left where the user had it written down for another time', () => {
    const text = 'Paginate the export of invoices.';
    const items = [user('Please add it to the todo list.', 1)];
    expect(fate('todo', 'final', text, { items })).toBe('left');
    expect(fate('todo', 'final', text, { items, next: NEXT })).toBe('settled');
    expect(fate('todo', 'final', text, { items: [assistant('I add it to the todo list.', 1)] })).toBe('settled');
  });
});

describe('what an answer leaves in so many words', () => {
  const as = (intent: Said['intent'], text: string, { next, role, place }: More & { place?: Said['place'] } = {}) =>
    leftAs({ intent, text, line: 5, place: place ?? 'final', role: role ?? 'assistant' }, next);

  it('is a task below a heading that says so, whatever its words were taken for', () => {
    for (const heading of ['Noted for later', 'Deferred', 'Open questions', 'Known limitations', 'Two todos added'])
      for (const intent of ['todo', 'context', 'conclusion'] as const)
        expect(as(intent, `${heading}: names of recipients`, { next: NEXT })).toBe('todo');
    expect(as('problem', 'Known gaps: no retry of uploads')).toBe('problem');
  });

  it('is what was decided to be put off, but not what stands there as done', () => {
    expect(as('decision', 'Noted for later: names of recipients — future phase')).toBe('todo');
    expect(as('solution', 'Deferred: names of recipients')).toBe('todo');
    expect(as('solution', 'Known gaps: names of recipients, fixed in the second commit')).toBeUndefined();
    expect(as('question', 'Deferred: which names of recipients?')).toBeUndefined();
    expect(as('context', 'Pending todos: 2 pending, see the list')).toBeUndefined();
    expect(as('context', "You'll need to wait a bit until the cache has the new key.")).toBeUndefined();
    expect(as('decision', 'Settings: names of recipients — future phase')).toBeUndefined();
  });

  it('is a fault that is said to stay', () => {
    expect(as('conclusion', 'It is a known flaky test: the folder opens too late.', { next: NEXT })).toBe('problem');
    expect(as('conclusion', 'The login fails, a pre-existing issue.')).toBe('problem');
    expect(as('conclusion', 'We know that the gateway is flaky, so it retries.')).toBeUndefined();
  });

  it('is no fault below a heading that says that there is none', () => {
    for (const heading of ['Non-issues verified', 'Not affected', 'False positives', 'No issues'])
      for (const intent of ['problem', 'conclusion'] as const) {
        expect(as(intent, `${heading}: a label is missing — pre-existing gap, not introduced here`)).toBeUndefined();
        expect(fate(intent, 'final', `${heading}: a label is missing — known gap`)).toBeUndefined();
      }
  });

  it('is not what only speaks of a future or a todo', () => {
    expect(fate('problem', 'final', 'If a future change needs the version, there is no mark for it.')).toBeUndefined();
    expect(fate('problem', 'final', 'The todo documents the whole bug: keys are too long.')).toBeUndefined();
    expect(fate('problem', 'final', 'Keys are too long, left for a later release.')).toBe('left');
  });

  it('is not what a comment in the code says', () => {
    expect(fate('problem', 'final', 'The name is hardcoded to null with a TODO comment')).toBeUndefined();
    expect(fate('problem', 'final', 'The name is hardcoded to null: a todo for the next phase')).toBe('left');
  });

  it('is what the user has to do behind the last answer', () => {
    const text = 'Once the keys are configured, you can run the release again.';
    expect(as('conclusion', text)).toBe('todo');
    expect(as('conclusion', text, { next: NEXT })).toBeUndefined();
    expect(as('context', 'To complete the setup, you need to add these keys:')).toBe('todo');
    for (const intent of ['solution', 'decision'] as const) {
      expect(as(intent, 'To complete the setup, you need to enter these keys:')).toBe('todo');
      expect(as(intent, 'The keys were created, you need to do nothing more.')).toBeUndefined();
    }
    expect(as('question', 'Do you know that you need to enter these keys?')).toBeUndefined();
  });

  it('is nothing that was asked, and nothing said elsewhere', () => {
    const text = 'Deferred: names of recipients';
    expect(as('question', text)).toBeUndefined();
    for (const place of ['prompt', 'between'] as const) expect(as('context', text, { place })).toBeUndefined();
    expect(as('context', text, { role: 'user' })).toBeUndefined();
    expect(as('context', 'Files: names of recipients')).toBeUndefined();
    expect(as('context', 'The names of recipients were deferred: nobody asked.')).toBeUndefined();
  });

  it('is not put off by what might be', () => {
    expect(fate('todo', 'final', 'Support for the desktop (could be deferred)')).toBe('settled');
    expect(fate('todo', 'final', 'Support for the desktop is deferred')).toBe('left');
  });
});
