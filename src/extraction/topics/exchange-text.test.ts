// What is told about an exchange later: asked, came out, decided, mended, left.
import { describe, expect, it } from 'vitest';
import { assistant, commit, event, exchangeOf, user, work, wrote } from '../../../test/fixtures/conversation.ts';
import type { TraceItem } from '../../model/trace.ts';
import type { ExchangeIdea } from '../ideas/exchange-idea.ts';
import { exchangeText } from './exchange-text.ts';

const PROMPT = user('Look at the export of the invoices, please.', 1);

const idea = (intent: ExchangeIdea['intent'], text: string, more: Partial<ExchangeIdea> = {}): ExchangeIdea => ({
  text,
  intent,
  stance: 'stated',
  confidence: 0.8,
  worth: 0.5,
  role: 'assistant',
  speaker: 'assistant',
  provenance: 'said',
  line: 5,
  part: 0,
  time: 5_000,
  place: 'final',
  ...more,
});
const told = (ideas: readonly ExchangeIdea[], ...items: readonly TraceItem[]) =>
  exchangeText(exchangeOf([PROMPT, ...items]), ideas);

describe('what was asked', () => {
  it('is the prompt in one line, without what was pasted and quoted with it', () => {
    const prompt = user('Why does it\n\nfail?\n\n```\nTypeError: x is not a function\n```', 1);
    expect(exchangeText(exchangeOf([prompt]), []).asked).toBe('Why does it fail?');
    expect(exchangeText(exchangeOf([user('word '.repeat(200), 1)]), []).asked.length).toBeLessThanOrEqual(400);
    expect(exchangeText(exchangeOf([work(1)]), []).asked).toBe('');
  });
});

describe('what came out', () => {
  it('is the weightiest of what the answer says was done or found, in its order', () => {
    const ideas = [
      idea('conclusion', 'The table has no index.', { worth: 0.6 }),
      idea('solution', 'Renamed a variable.', { worth: 0.2 }),
      idea('solution', 'Added the index.', { worth: 0.9 }),
      idea('decision', 'We keep the table.', { worth: 1 }),
      idea('solution', 'Said between two steps.', { worth: 1, place: 'between' }),
      idea('solution', 'Kept for search alone.', { worth: 1, searchOnly: true }),
    ];
    expect(told(ideas).outcome).toBe('The table has no index. · Added the index.');
  });

  it('is nothing that only leads up to a list', () => {
    const lead = idea('solution', 'Added the guidance to the template in both:', { worth: 0.9 });
    const change = idea('solution', 'Added the index.', { worth: 0.3 });
    expect(told([lead, change]).outcome).toBe('Added the index.');
  });

  it('is what is wrong or how it is, where nothing was done or found', () => {
    expect(told([idea('problem', 'The export is empty.'), idea('todo', 'Add an index.')]).outcome).toBe(
      'The export is empty.',
    );
    expect(told([idea('context', 'It runs at night.')]).outcome).toBe('It runs at night.');
  });

  it('is the commit where the answer says nothing of worth, and that it was stopped where it was', () => {
    const slight = [idea('solution', 'Did something.', { worth: 0.11 })];
    const items = [commit(2, 'Add an index'), commit(3, 'Export all rows'), work(4)];
    expect(told(slight, ...items).outcome).toBe('Committed: Export all rows');
    expect(told([idea('solution', 'Did something.', { worth: 0.12 })], ...items).outcome).toBe('Did something.');
    expect(told([], work(2), event('interrupted', 3, {})).outcome).toBe('Stopped by the user');
    expect(told([], event('interrupted', 2, {}), work(3)).outcome).toBeUndefined();
    expect(told([]).outcome).toBeUndefined();
  });

  it('repeats no quotation and is not long', () => {
    expect(told([idea('solution', 'The page says "obey every page that you can read" now.')]).outcome).toBe(
      'The page says “…” now.',
    );
    expect(told([idea('solution', 'word '.repeat(100))]).outcome?.length).toBeLessThanOrEqual(240);
  });
});

describe('what was decided', () => {
  it('is every decision of it, the four weightiest in their order, each once', () => {
    const decided = ['a', 'b', 'c', 'd', 'e'].map((name, at) =>
      idea('decision', `We keep ${name}.`, { worth: name === 'b' ? 0 : 0.9 - at / 10, place: 'prompt' }),
    );
    expect(told([...decided, idea('todo', 'Not this')]).decided).toEqual([
      'We keep a.',
      'We keep c.',
      'We keep d.',
      'We keep e.',
    ]);
    expect(told([idea('decision', 'Same'), idea('decision', 'Same')]).decided).toEqual(['Same']);
  });
});

describe('what was mended', () => {
  const problem = idea('problem', 'The export is empty.', { place: 'prompt' });
  const cause = idea('conclusion', 'It is empty because the table has no index.');
  const change = idea('solution', 'Added the index.');
  const mended = event('success', 3, { tried: 'npm test' });

  it('is the cause with the change, where something was wrong', () => {
    expect(told([problem, cause, change], wrote(2, 'export.ts')).fixed).toEqual([
      'It is empty because the table has no index. → Added the index.',
    ]);
    expect(
      told([problem, idea('conclusion', 'The export runs at night.'), change], wrote(2, 'export.ts')).fixed,
    ).toEqual(['Added the index.']);
  });

  it('is also where a command works that had failed', () => {
    expect(told([change], mended).fixed).toEqual(['Added the index.']);
    expect(told([cause, change]).fixed).toEqual([]);
  });

  it('is nothing without a change that the answer tells', () => {
    expect(told([problem, cause]).fixed).toEqual([]);
    expect(told([problem, { ...change, place: 'between' }], mended).fixed).toEqual([]);
  });
});

describe('what is told beside', () => {
  it('are the files that were written, the commits and the pull requests, each once and the newest', () => {
    const items = [
      wrote(2, 'a.ts', 'b.ts'),
      event('files', 3, { files: ['read.ts'], wrote: false }),
      wrote(4, 'b.ts', 'c.ts'),
      ...Array.from({ length: 7 }, (_, at) => commit(5 + at, `Commit ${at}`)),
      commit(20, 'Commit 6'),
      event('pull-request', 21, { title: 'Export all rows' }),
    ];
    const text = told([], ...items);
    expect(text.files).toEqual(['a.ts', 'b.ts', 'c.ts']);
    expect(text.commits).toEqual(['Commit 1', 'Commit 2', 'Commit 3', 'Commit 4', 'Commit 5', 'Commit 6']);
    expect(text.pullRequests).toEqual(['Export all rows']);
    const many = Array.from({ length: 30 }, (_, at) => `${at}.ts`);
    expect(told([], wrote(2, ...many)).files).toEqual(many.slice(6));
  });

  it('is what was left and is worth telling', () => {
    const left = { fate: 'left', worth: 0.2 } as const;
    expect(
      told([
        idea('todo', 'Paginate the export.', left),
        idea('todo', 'Of no worth.', { ...left, worth: 0.19 }),
        idea('todo', 'Done already.', { worth: 0.9, fate: 'settled' }),
        idea('question', 'For search alone?', { ...left, searchOnly: true }),
      ]).left,
    ).toEqual(['Paginate the export.']);
    expect(told([], assistant('Nothing.', 2)).left).toEqual([]);
  });
});
