import { describe, expect, it } from 'vitest';
import type { RecallAnswer } from '../../app/recall-memory.ts';
import { answerText } from './print-answer.ts';

const DAY = 86_400_000;

/** Noon of the reader's calendar, so that a few hours more or less are the same day everywhere. */
function noon(): number {
  const date = new Date(2026, 4, 20, 12);
  return date.getTime();
}

function said(time: number, now: number, relevance = 0.9, terms: string[] = []): string {
  const answer = {
    query: 'x',
    relevance,
    analysis: { terms, entities: [], intents: [], since: null, until: null },
    results: [
      {
        ref: 'idea:1',
        layer: 'trace',
        kind: 'decision',
        title: 'Use Redis',
        text: 'Use Redis',
        status: 'active',
        created_at: new Date(time).toISOString(),
        source: null,
        chain: [],
        span: null,
      },
    ],
  } as unknown as RecallAnswer;
  const options = { question: { query: 'x' }, colour: false, now, home: '', project: '/p' };
  return answerText(answer, options);
}

const told = (time: number, now: number): string => said(time, now).split('\n')[1]!.trim();

describe('an answer', () => {
  it('warns where nothing is about the question, but not of a list', () => {
    const warning = 'Nothing is plainly about this. The nearest by meaning:\n\n';
    expect(said(noon(), noon(), 0.004, ['egon'])).toMatch(new RegExp(`^${warning}Said in conversations\n`));
    expect(said(noon(), noon(), 0.9, ['redis'])).not.toContain('Nothing');
    expect(said(noon(), noon(), 0, [])).not.toContain('Nothing');
  });
});

describe('how old a memory is', () => {
  it.each([
    [0, 'today'],
    [11 * 3_600_000, 'today'],
    [23 * 3_600_000, 'yesterday'],
    [35 * 3_600_000, 'yesterday'],
    [3 * DAY, '3 days ago'],
    [20 * DAY, '2 weeks ago'],
    [90 * DAY, '3 months ago'],
    [900 * DAY, '2 years ago'],
  ])('is told by days of the calendar: %i ms is %s', (age, words) => {
    expect(told(noon() - age, noon())).toMatch(new RegExp(`^decision  \\d{4}-\\d\\d-\\d\\d, ${words}$`));
  });
});
