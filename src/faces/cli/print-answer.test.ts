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
  const options = { question: { query: 'x' }, colour: false, width: 80, now, home: '', project: '/p' };
  return answerText(answer, options);
}

const told = (time: number, now: number): string => said(time, now).split('\n')[1]!.trim();

describe('an answer', () => {
  it('warns where nothing is about the question, but not of a list', () => {
    const warning = 'Nothing is plainly about this. The nearest by meaning:\n\n';
    expect(said(noon(), noon(), 0.004, ['egon'])).toMatch(new RegExp(`^${warning}Said in conversations\n`));
    expect(said(noon(), noon(), 0.49, ['egon'])).toContain(warning);
    expect(said(noon(), noon(), 0.5, ['redis'])).not.toContain('Nothing');
    expect(said(noon(), noon(), 0, [])).not.toContain('Nothing');
  });
});

type Result = RecallAnswer['results'][number];

function result(ref: string, more: Partial<Result> = {}): Result {
  return {
    ref,
    layer: 'trace',
    kind: 'decision',
    title: ref,
    text: `What ${ref} says`,
    status: 'active',
    project: '/work/shop',
    session: 's',
    created_at: new Date(noon()).toISOString(),
    source: null,
    chain: [],
    span: null,
    exchange: null,
    speaker: null,
    provenance: null,
    ...more,
  } as unknown as Result;
}

function printed(results: readonly Result[], width = 80, question: object = {}): string {
  const answer = {
    query: 'x',
    relevance: 0.9,
    analysis: { terms: ['x'], entities: [], intents: [], since: null, until: null },
    results,
  } as unknown as RecallAnswer;
  return answerText(answer, {
    question: { query: 'x', ...question },
    colour: false,
    width,
    now: noon(),
    home: '',
    project: '/p',
  });
}

describe('the results', () => {
  it('of one conversation come two at a time, and none is dropped', () => {
    const topic = (name: string): Partial<Result> => ({ session: name, span: { ref: `span:${name}`, name } });
    const text = printed([
      ...['a1', 'a2', 'a3', 'a4'].map((ref) => result(ref, topic('first talk'))),
      result('b1', topic('second talk')),
    ]);
    const order = ['a1', 'a2', 'b1', 'a3', 'a4'].map((ref) => text.indexOf(`What ${ref} says`));
    expect(order.every((at) => at > 0)).toBe(true);
    expect(order).toEqual([...order].sort((a, b) => a - b));
  });

  it('say a statement whole, with its list, in the width of the terminal', () => {
    const words = Array.from({ length: 30 }, (_, at) => `word${at}`).join(' ');
    const text = printed([result('a', { text: `Three things are needed:\n- one\n- two\n- ${words}` })], 60);
    for (const part of ['Three things are needed:', '• one', '• two', 'word0', 'word29']) expect(text).toContain(part);
    expect(text.split('\n').every((line) => [...line].length <= 60)).toBe(true);
  });

  it('tell what was asked and what came out, and how often it was said', () => {
    const exchange = { ref: 'span:1', asked: 'How do we sign invoices?', outcome: 'Invoices are signed now.' };
    const text = printed([result('a', { exchange, again: 2 } as Partial<Result>)]);
    expect(text).toContain('said 3 times');
    expect(text).toMatch(/asked: How do we sign invoices\?\n\s+→ Invoices are signed now\./);
    expect(printed([result('a', { again: 1 } as Partial<Result>)])).toContain('said twice');
  });

  it('say which project they are from where all were asked', () => {
    const record = { layer: 'record', session: null, project: '/work/shop/.claude/memory' };
    expect(printed([result('a', record)], 80, { allProjects: true })).toContain(', in shop');
    expect(printed([result('a', record)])).not.toContain('in shop');
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
