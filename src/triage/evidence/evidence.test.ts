// What an exchange shows, kind by kind, and what it does not: questions, operations, guesses, other people's words, what only the agent thinks.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  anyConversation,
  assistant,
  event,
  exchangeOf,
  user,
  work,
  wrote,
} from '../../../test/fixtures/conversation.ts';
import type { ExchangeIdea } from '../../extraction/ideas/exchange-idea.ts';
import { ideasOfExchange } from '../../extraction/ideas/ideas-of-exchange.ts';
import { CATEGORIES } from '../../model/categories.ts';
import type { TraceItem } from '../../model/trace.ts';
import { draftRecord } from '../../records/draft.ts';
import { evidenceOf, mayShow } from './evidence.ts';
import type { Finding } from './finding.ts';
import { LEAST_SCORE } from './pace.ts';

type Items = [TraceItem, ...TraceItem[]];
const found = (items: Items, asked = ''): Finding[] => {
  const exchange = exchangeOf(items, asked);
  return evidenceOf(exchange, ideasOfExchange(exchange, undefined)).filter(({ score }) => score >= LEAST_SCORE);
};
const categories = (items: Items, asked = ''): string[] => found(items, asked).map(({ category }) => category);

/** What a prompt shows that was carried out, with these decisions in it. */
function judged(prompt: string, ideas: readonly Pick<ExchangeIdea, 'text' | 'worth' | 'confidence'>[]) {
  const said = { role: 'user', speaker: 'user', provenance: 'said', intent: 'decision', stance: 'stated' } as const;
  const place = { place: 'prompt', line: 1, time: undefined } as const;
  const exchange = exchangeOf([user(prompt, 1), wrote(9, 'src/export.ts')], '');
  return evidenceOf(
    exchange,
    ideas.map((idea, part) => ({ ...said, ...place, part, ...idea })),
  )[0];
}

describe('a decision', () => {
  it('is what the user wants to be so, with its reason', () => {
    const [decision] = found([
      user('We should keep the sessions in SQLite and not in Redis, because one file is easy to back up.', 1),
      work(2),
      wrote(3, 'src/sessions.ts'),
      assistant('The sessions live in SQLite now.', 4),
    ]);
    expect(decision).toMatchObject({
      category: 'decision',
      line: 1,
      title: 'We should keep the sessions in SQLite and not in Redis, because one file is easy to back up',
      content: { status: 'accepted', rationale: ['Because one file is easy to back up'] },
    });
  });

  it('is the answer to a question of the agent, whatever its words are', () => {
    const [decision] = found([
      user('Look at the invoices of the shop, the export is missing a column.', 1),
      event('answer', 3, { question: 'Which currency should the export use?', answer: 'Always euros' }),
      event('answer', 5, { question: 'Who may download the export?', answer: 'Accounting only' }),
      wrote(6, 'src/export.ts'),
      assistant('Done.', 7),
    ]);
    expect(decision).toMatchObject({
      category: 'decision',
      title: 'Which currency should the export use: Always euros',
      content: {
        decision:
          'Which currency should the export use? — Always euros; Who may download the export? — Accounting only',
      },
    });
  });

  it('is surer where several questions were answered, and less sure where it is the line of a plan', () => {
    const answer = (line: number, question: string, said: string): TraceItem =>
      event('answer', line, { question, answer: said });
    const scoreOf = (items: Items): number => found(items).find(({ category }) => category === 'decision')?.score ?? 0;
    const prompt = user('Look at the invoices of the shop, the export is missing a column.', 1);
    const one = scoreOf([prompt, answer(3, 'Which currency should the export use?', 'Always euros')]);
    const two = scoreOf([
      prompt,
      answer(3, 'Which currency should the export use?', 'Always euros'),
      answer(5, 'Who may download the export?', 'Accounting only'),
    ]);
    expect(two).toBeGreaterThan(one + 0.1);
    const line = '- Tokens must expire after one hour, and refresh tokens after a week.';
    const rest: TraceItem[] = [work(2), wrote(3, 'src/tokens.ts'), assistant('Tokens rotate now.', 4)];
    const typed = scoreOf([user(`# Rotate the tokens\n\n## Decisions\n\n${line}`, 1), ...rest]);
    const planned = scoreOf([
      user(`Implement the following plan:\n\n# Rotate the tokens\n\n## Decisions\n\n${line}`, 1),
      ...rest,
    ]);
    expect(typed).toBeGreaterThan(planned);
  });

  it('is named by what says what it is about, where the strongest only points at something', () => {
    const named = (strongest: string): Finding | undefined =>
      judged(strongest, [
        { text: strongest, worth: 0.9, confidence: 0.9 },
        { text: 'The export writes euros and never dollars.', worth: 0.7, confidence: 0.7 },
      ]);
    const pointing = named('I am thinking of the lazy option for this one.');
    expect(pointing).toMatchObject({
      title: 'The export writes euros and never dollars',
      content: {
        decision: 'I am thinking of the lazy option for this one; The export writes euros and never dollars',
      },
    });
    // How sure it is hangs on the strongest all the same.
    expect(pointing?.score).toBe(named('Invoices are numbered by the year and the shop.')?.score);
  });

  it('is called by the first of its sentences that says what it is about', () => {
    const title = (text: string): unknown => judged(text, [{ text, worth: 0.9, confidence: 0.9 }])?.title;
    expect(title('We should be clearer there. each shop gets a section of its own, and a table.')).toBe(
      'Each shop gets a section of its own, and a table',
    );
    expect(title('Each shop gets a section of its own. Each section has a table of rates.')).toBe(
      'Each shop gets a section of its own',
    );
  });

  it('is called by what was asked last before its answer', () => {
    const [decision] = found([
      user('Look at the invoices of the shop, the export is missing a column.', 1),
      event('answer', 3, {
        question: 'The export of the shop has no columns yet. Which currency should it use?',
        answer: 'Always euros. Dollars only for old orders',
      }),
      wrote(6, 'src/export.ts'),
      assistant('Done.', 7),
    ]);
    expect(decision?.title).toBe('Which currency should it use: Always euros');
  });

  it('keeps its “no”, “for now” and “maybe”, which are no hesitation', () => {
    const told = (text: string): unknown => judged(text, [{ text, worth: 0.9, confidence: 0.9 }])?.content.decision;
    expect(told('No token of the shop is written to a log.')).toBe('No token of the shop is written to a log');
    expect(told('No, the token of the shop is written to a log.')).toBe('The token of the shop is written to a log');
    expect(told('ok so for now the shop keeps one token.')).toBe('For now the shop keeps one token');
    expect(told('yeah maybe the shop keeps one token.')).toBe('Maybe the shop keeps one token');
  });

  it('is a plan by all that it settles: many lines that say little each, or one that says much', () => {
    const ofPlan = (texts: readonly string[], worth: number): Finding | undefined => {
      const ideas = texts.map((text) => ({ text, worth, confidence: 0.6 }));
      return judged('Implement the following plan:\n\n# Rotate the tokens', ideas);
    };
    const lines = [
      'Tokens expire after one hour.',
      'Old tokens stay valid for a week.',
      'No token is written to a log.',
      'Shops keep a token of their own.',
      'The gateway asks for a token once.',
      'Letters carry no tokens at all.',
    ];
    const many = ofPlan(lines, 0.4);
    expect(many?.score).toBeCloseTo(1 - (1 - 0.24) ** 6 - 0.2, 5);
    expect(many?.content.decision).toBe(lines.map((line) => line.slice(0, -1)).join('; '));
    expect(many?.score).toBeGreaterThan(LEAST_SCORE);
    expect(ofPlan(lines.slice(0, 2), 0.4)?.score).toBeLessThan(LEAST_SCORE);
    expect(ofPlan(lines, 0.29)).toBeUndefined();
    // The same lines typed, and no plan, are not even decisions.
    expect(
      judged(
        'Rotate the tokens',
        lines.map((text) => ({ text, worth: 0.4, confidence: 0.6 })),
      ),
    ).toBeUndefined();
  });

  it('is a plan that was handed over and carried out, under its own title', () => {
    const plan = user(
      'Implement the following plan:\n\n# Plan: Rotate the tokens of the gateway\n\n## Decisions\n\n- Tokens expire after one hour, and refresh tokens after a week.\n- Old tokens must stay valid until the next release.\n',
      1,
    );
    expect(found([plan, work(2), wrote(3, 'src/tokens.ts'), assistant('Tokens rotate now.', 4)])).toMatchObject([
      { category: 'decision', title: 'Rotate the tokens of the gateway' },
    ]);
    expect(categories([plan, assistant('I will look at it.', 4)])).toEqual([]);
  });

  it.each([
    'How should we keep the sessions, in SQLite or in Redis?',
    'commit this and push it',
    'ok lets get back to main',
    'Can you please run the tests again?',
  ])('is not asked, ordered or done: %s', (text) => {
    expect(categories([user(text, 1), work(2), wrote(3, 'a.ts'), assistant('Done.', 4)])).toEqual([]);
  });

  it('is not what only the agent thinks best, nor what somebody else wrote', () => {
    expect(
      categories([
        user('What do you think of the sessions?', 1),
        assistant('We should keep the sessions in SQLite and not in Redis, because one file is easy to back up.', 2),
      ]),
    ).not.toContain('decision');
    expect(
      categories([
        user(
          'Look at this page:\n\n> We should keep the sessions in SQLite and not in Redis.\n> We must never use Redis.',
          1,
        ),
        wrote(2, 'a.ts'),
        assistant('I have read it.', 3),
      ]),
    ).toEqual([]);
  });
});

describe('besides decisions', () => {
  it('a wish for good is a preference', () => {
    expect(
      found([
        user('From now on always write the commit messages in English, never in German.', 1),
        assistant('Fine.', 2),
      ]),
    ).toMatchObject([
      {
        category: 'preference',
        content: {
          value: 'From now on always write the commit messages in English, never in German.',
          strength: 'strong',
        },
      },
    ]);
  });

  const fixed: Items = [
    user('The export of the invoices crashes with an empty table, the log says that a column is missing.', 1),
    event('failure', 2, { tried: 'npm run export', text: 'column missing' }),
    work(3),
    assistant(
      'The root cause is that the export reads the invoices before the migration has added the missing column.',
      4,
    ),
    wrote(5, 'src/export.ts'),
    event('success', 6, { tried: 'npm run export' }),
    assistant('Fixed: the export now waits for the migration before it reads the invoices.', 7),
  ];

  it('a fault with its cause and its change is a runbook', () => {
    const [runbook] = found(fixed).filter(({ category }) => category === 'runbook');
    expect(runbook).toMatchObject({
      category: 'runbook',
      content: {
        root_cause:
          'The root cause is that the export reads the invoices before the migration has added the missing column.',
        verification: '`npm run export` works again.',
      },
    });
  });

  it('a fault without a cause, or without a change, is none', () => {
    const without = (text: RegExp): Items =>
      fixed.filter((item) => item.kind !== 'turn' || !text.test(item.text)) as Items;
    expect(categories(without(/root cause/))).not.toContain('runbook');
    expect(categories(without(/^Fixed/))).not.toContain('runbook');
    expect(categories(fixed.filter((item) => item.kind === 'turn') as Items)).not.toContain('runbook');
  });
});

describe('every finding', () => {
  it('makes a valid record, whatever was said', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyConversation(),
        fc.constantFrom('', 'Shall I use SQLite for the store?'),
        async (items, asked) => {
          if (items.length === 0) return;
          const exchange = exchangeOf(items as Items, asked);
          const findings = evidenceOf(exchange, ideasOfExchange(exchange, undefined));
          expect(new Set(findings.map(({ category }) => category)).size).toBe(findings.length);
          for (const { category: name, title, content, score } of findings) {
            expect(score).toBeLessThanOrEqual(1);
            expect(title).toMatch(/\S/);
            expect([...title].length).toBeLessThanOrEqual(120);
            const category = CATEGORIES.find((each) => each.name === name)!;
            const { record } = await draftRecord(category, { title, content });
            expect(Object.keys(category.content.fields!)).toEqual(
              expect.arrayContaining(Object.keys(record.content as object)),
            );
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('comes from an exchange that may show something', () => {
    expect(mayShow(exchangeOf([user('commit', 1), wrote(2, 'a.ts')]))).toBe(false);
    expect(mayShow(exchangeOf([user('yes', 1)], 'Shall I use SQLite?'))).toBe(true);
    expect(mayShow(exchangeOf([user('Keep sessions in SQLite, not in Redis', 1)]))).toBe(true);
    expect(mayShow(exchangeOf([user('again', 1), event('failure', 2, { tried: 'make', text: 'no' })]))).toBe(true);
  });
});
