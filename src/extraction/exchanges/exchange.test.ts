// What belongs to an exchange, where in it things are said, and that what is carried over stays small.
import { describe, expect, it } from 'vitest';
import { assistant, commit, event, exchangeOf, user, work, wrote } from '../../../test/fixtures/conversation.ts';
import type { TraceItem } from '../../model/trace.ts';
import {
  continued,
  firstExchange,
  isFull,
  isPrompt,
  lastWords,
  nextExchange,
  promptOf,
  speechesOf,
  withItem,
} from './exchange.ts';

describe('a prompt', () => {
  it('is what the user typed to begin something', () => {
    expect(isPrompt(user('Add login'))).toBe(true);
    expect(isPrompt(user('Faster, please', 3, { aside: true }))).toBe(false);
    expect(isPrompt(assistant('Done'))).toBe(false);
    expect(isPrompt(commit(3, 'Add login'))).toBe(false);
  });

  it('is nothing that the client wrote in the user’s name', () => {
    for (const text of [
      '[Request interrupted by user for tool use]',
      'Stop hook feedback: run the tests',
      'This session is being continued from a previous conversation that ran out of context.',
    ])
      expect(isPrompt(user(text))).toBe(false);
  });

  it('of an exchange is its first, behind whatever came before it', () => {
    const prompt = user('Add login', 3);
    expect(promptOf(exchangeOf([work(1), user('quick', 2, { aside: true }), prompt, user('More', 4)]))).toBe(prompt);
    expect(promptOf(exchangeOf([work(1)]))).toBeUndefined();
  });
});

describe('the next exchange', () => {
  const before = exchangeOf([
    user('Add login', 1),
    assistant('First words.', 2),
    assistant('Shall I test it?', 3),
    work(4),
  ]);

  it('knows its place and what the agent had said last', () => {
    const next = nextExchange(before, user('yes', 5));
    expect(next).toMatchObject({ start: 5, number: 1, asked: 'Shall I test it?' });
    expect(nextExchange(next, user('and now?', 6))).toMatchObject({ start: 6, number: 2, asked: '' });
    expect(lastWords(exchangeOf([user('Add login', 1)]))).toBe('');
  });

  it('keeps only the end of a long answer, and no half character', () => {
    const asked = (text: string): string => nextExchange(exchangeOf([assistant(text, 1)]), user('ok', 2)).asked;
    expect(asked(`${'a'.repeat(5_000)}the end`)).toBe(`${'a'.repeat(1_193)}the end`);
    expect(asked(`😀${'a'.repeat(1_199)}`)).toBe('a'.repeat(1_199));
    expect(asked(`😀${'a'.repeat(1_198)}`)).toBe(`😀${'a'.repeat(1_198)}`);
  });

  it('does not change the one before', () => {
    const items = before.items.length;
    withItem(before, work(9));
    expect(before.items).toHaveLength(items);
  });
});

describe('a long exchange', () => {
  /** How many items it takes until it is full. */
  const fullAfter = (item: (line: number) => TraceItem): number => {
    let exchange = firstExchange(user('Add login', 1));
    while (!isFull(exchange)) exchange = withItem(exchange, item(exchange.items.length + 1));
    return exchange.items.length;
  };

  it('is full by its items or by all that is written in it', () => {
    expect(fullAfter(work)).toBe(4_000);
    expect(fullAfter((line) => assistant('a'.repeat(9_000), line))).toBe(32);
    expect(fullAfter((line) => commit(line, 'Add login', 'a'.repeat(9_000)))).toBe(32);
    expect(fullAfter((line) => event('compaction', line, { summary: 'a'.repeat(9_000) }))).toBe(32);
    expect(fullAfter((line) => wrote(line, ...Array.from({ length: 900 }, () => 'src/a/b.ts')))).toBe(32);
  });

  it('goes on in a part that stands for the same prompt, and says so', () => {
    const whole = exchangeOf([user('Add login', 1), work(2)], 'What next?');
    expect(continued(whole, work(3))).toEqual({
      start: 3,
      number: 1,
      items: [work(3)],
      asked: 'Add login',
      continues: true,
    });
    expect(continued(exchangeOf([work(2)], 'What next?'), work(3))).toMatchObject({ asked: 'What next?' });
    expect(continued(exchangeOf([user('a'.repeat(9_000), 1)]), work(3)).asked).toHaveLength(1_200);
  });
});

describe('the speeches of an exchange', () => {
  const places = (...items: [TraceItem, ...TraceItem[]]): string[] =>
    speechesOf(exchangeOf(items), undefined).map(({ turn, place }) => `${turn.line} ${place}`);

  it('are the prompt, what is said between two steps of the work, and what is said behind all of it', () => {
    expect(
      places(
        user('Add login', 1),
        assistant('I look.', 2),
        work(3),
        wrote(4, 'a.ts'),
        assistant('Done.', 5),
        commit(6, 'x'),
        assistant('That is all.', 7),
      ),
    ).toEqual(['1 prompt', '2 between', '5 final', '7 final']);
  });

  it('are not final where the user stopped the agent behind them', () => {
    expect(places(user('Add login', 1), assistant('I look.', 2), event('interrupted', 3, {}))).toEqual([
      '1 prompt',
      '2 between',
    ]);
  });

  it('are a prompt’s where somebody with a name speaks, whoever wrote the transcript', () => {
    expect(places(assistant('Anna: The oven is broken.', 1), assistant('Verdict: The oven is broken.', 2))).toEqual([
      '1 prompt',
      '2 final',
    ]);
  });

  it('leave out what the client wrote, what is empty and what is private', () => {
    const found = speechesOf(
      exchangeOf([
        user('[Request interrupted by user]', 1),
        user('  \n', 2),
        user('<private>My password</private>', 3),
        user('Add login. <private>My password</private>', 4),
      ]),
      undefined,
    );
    expect(found.map(({ turn }) => turn.line)).toEqual([4]);
    expect(found[0]?.text).not.toContain('password');
  });

  it('know what was done in the exchange, what was asked before and what follows', () => {
    const prompt = user('implement this plan: tokens', 1);
    const exchange = exchangeOf(
      [
        prompt,
        assistant('I look.', 2),
        work(3),
        wrote(4, 'a.ts'),
        event('failure', 5, { tried: 'make', text: 'no' }),
        assistant('Done.', 6),
        commit(7, 'x'),
        user('Thanks', 8, { aside: true }),
      ],
      'What next?',
    );
    const [first, between, final, aside] = speechesOf(exchange, user('b'.repeat(900), 9));
    const ofAll = { isPlan: true, isFirst: true, wrote: true, committed: true, failed: true, next: 'b'.repeat(200) };
    expect(first).toMatchObject({ ...ofAll, asked: 'What next?', wroteBefore: false, worksOn: false, isAside: false });
    expect(between).toMatchObject({ ...ofAll, asked: '', wroteBefore: false, worksOn: true });
    expect(final).toMatchObject({ ...ofAll, asked: '', wroteBefore: true, worksOn: false });
    expect(aside).toMatchObject({ ...ofAll, asked: '', place: 'prompt', isAside: true });
  });

  it('know as well what did not happen', () => {
    const exchange = nextExchange(exchangeOf([user('Add login', 1)]), user('Add a plan to the login', 2));
    const read = withItem(exchange, event('files', 3, { files: ['a.ts'], wrote: false }));
    expect(speechesOf(read, undefined)[0]).toMatchObject({
      isPlan: false,
      isFirst: false,
      wrote: false,
      committed: false,
      failed: false,
      next: undefined,
    });
  });
});
