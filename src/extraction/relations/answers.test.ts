import { describe, expect, it } from 'vitest';
import { event, said, typed } from '../../../test/fixtures/statements.ts';
import { answersIn } from './answers.ts';
import type { Statement } from './statement.ts';

const links = (exchange: readonly Statement[], before: readonly Statement[] = []): string[] =>
  answersIn(exchange, before).map(({ from, to, relation, rule }) => `${from} ${relation} ${to} ${rule}`);

describe('a prompt answers what the agent asked before it', () => {
  const asked = (more: Partial<Statement> = {}): Statement =>
    said('Want me to keep the tide table in SQLite?', { intent: 'question', exchange: 0, line: 10, ref: 'q', ...more });
  const reply = (text: string, more: Partial<Statement> = {}): Statement =>
    typed(text, { line: 40, ref: 'a', ...more });

  it.each([
    ['a go-ahead', 'yeah', 'decision'],
    ['a choice', '2 seems fine', 'decision'],
    ['a refusal', 'no, leave it', 'decision'],
    ['a request', 'check the quay first', 'todo'],
    ['a question back', 'how large is the tide table?', 'question'],
  ] as const)('%s, however many lines later', (_, text, intent) => {
    expect(links([reply(text, { intent })], [asked()])).toContain('a answers q replies');
  });

  it('also where neither is more than to be found', () => {
    expect(links([reply('yeah', { searchOnly: true })], [asked({ searchOnly: true, intent: 'context' })])).toEqual([
      'a answers q replies',
    ]);
  });

  it('what ends in a question mark asks, what invites a word asks, and code does not', () => {
    const text = (words: string): Statement => asked({ text: words, intent: 'context' });
    expect(links([reply('yeah')], [text('Both are done. Shall I go on? It takes a minute.')])).toHaveLength(1);
    expect(links([reply('5')], [text('Reply with a number to view details.')])).toHaveLength(1);
    expect(links([reply('yeah')], [text('It reads `model ?? name` now.')])).toEqual([]);
    expect(links([reply('yeah')], [text('The tide table is in SQLite.')])).toEqual([]);
  });

  it('only the last words of the agent ask', () => {
    expect(links([reply('yeah')], [asked({ place: 'between' })])).toEqual([]);
    expect(links([reply('yeah')], [asked({ role: 'user' })])).toEqual([]);
    const since = said('The tide table is in SQLite now.', { exchange: 1, line: 30 });
    expect(links([reply('yeah', { exchange: 2 })], [asked(), since])).toEqual([]);
    expect(links([reply('yeah', { exchange: 2 })], [asked(), typed('yeah', { exchange: 1, line: 30 })])).toEqual([
      'a answers q replies',
    ]);
  });

  it('the last of several questions; all of them in a numbered reply, or those in its words', () => {
    const first = asked({ text: 'May the quay lights stay on?', ref: 'q1' });
    const last = asked({ text: 'Shall the pier be closed?', ref: 'q2' });
    expect(links([reply('yeah')], [first, last])).toEqual(['a answers q2 replies']);
    expect(links([reply('1 - yeah, 2 - definitely')], [first, last])).toEqual([
      'a answers q1 replies',
      'a answers q2 replies',
    ]);
    expect(links([reply('the quay lights may stay')], [first, last])).toEqual([
      'a answers q1 replies',
      'a answers q2 replies',
    ]);
  });

  it('its first words, its decision and its go-ahead', () => {
    const prompt = [
      reply('that would be easy to change later', { intent: 'conclusion' }),
      reply('the lazy way then', { intent: 'decision', ref: 'b' }),
      reply('nobody will mind', { intent: 'conclusion', ref: 'c' }),
      reply('Keep it? — the lazy way then', { intent: 'decision', isGoAhead: true, ref: 'd' }),
    ];
    expect(links(prompt, [asked()])).toEqual(['a answers q replies', 'b answers q replies', 'd answers q replies']);
  });

  it('not where it plainly begins something else', () => {
    const other = 'The fuel dock leaks oil';
    expect(links([reply(other)], [asked()])).toHaveLength(1);
    expect(links([reply('what about the pier?', { intent: 'question' })], [asked()])).toEqual([]);
    expect(links([reply(other, { topic: 40 })], [asked()])).toEqual([]);
    expect(links([reply(`no. ${other}`, { topic: 40 })], [asked()])).toHaveLength(1);
    expect(links([reply('The tide table leaks', { topic: 40 })], [asked()])).toHaveLength(1);
    expect(links([reply(`The tide table leaks ${'x '.repeat(700)}`)], [asked()])).toEqual([]);
  });
});

describe('the agent’s last words answer what the prompt asked', () => {
  const question = (more: Partial<Statement> = {}): Statement =>
    typed('How long may a guest keep a berth?', { intent: 'question', line: 5, ref: 'q', ...more });
  const answer = (text: string, more: Partial<Statement> = {}): Statement =>
    said(text, { intent: 'conclusion', line: 50, ref: 'a', ...more });

  it('with the first finding, and the one that has most of its words', () => {
    const all = [
      question(),
      answer('Three weeks.'),
      answer('The harbour is old.', { ref: 'b' }),
      answer('A guest may keep a berth for three weeks.', { ref: 'c' }),
    ];
    expect(links(all)).toEqual(['a answers q answered', 'c answers q answered']);
  });

  it.each([
    ['a question', { intent: 'question' }],
    ['a task', { intent: 'todo' }],
    ['narration', { searchOnly: true }],
    ['what says next to nothing', { worth: 0.1 }],
    ['what comes before more work', { place: 'between' }],
    ['the user', { role: 'user', place: 'prompt' }],
    ['what came before', { line: 4 }],
    ['what leaves it open', { text: 'How long a guest may keep one is still open.' }],
    ['what it will do', { text: 'Let me look that up.' }],
  ] as const)('not with %s', (_, more) => {
    expect(links([question(), answer('Three weeks.', more)])).toEqual([]);
  });

  it('or at once, before more work, in the words of the question or with a plain no', () => {
    const between = { place: 'between', line: 7, ref: 'n' } as const;
    expect(links([question(), answer('A guest may keep a berth for three weeks.', between)])).toEqual([
      'n answers q answered',
    ]);
    expect(links([question(), answer('No, nobody may.', between)])).toEqual(['n answers q answered']);
    expect(links([question(), answer('The pier is closed.', between)])).toEqual([]);
    const words = [6, 7].map((line) => answer('The pier is closed.', { ...between, line, ref: `w${line}` }));
    expect(links([question(), ...words, answer('No, nobody may.', { ...between, line: 8 })])).toEqual([]);
  });

  it('before the user says the next thing', () => {
    const aside = typed('and paint it yellow', { line: 20 });
    expect(links([question(), aside, answer('Three weeks.')])).toEqual([]);
  });

  it('a request to see how something is asks too, a step of a plan does not', () => {
    const request = (text: string): Statement => question({ text, intent: 'todo' });
    expect(links([request('make sure the lights are on'), answer('They are on.')])).toHaveLength(1);
    expect(links([request('paint the dock'), answer('It is yellow.')])).toEqual([]);
    expect(links([request('Verification: make sure the lights are on'), answer('They are on.')])).toEqual([]);
    expect(links([question({ isGoAhead: true }), answer('Three weeks.')])).toEqual([]);
    expect(links([question({ searchOnly: true }), answer('Three weeks.')])).toEqual([]);
  });
});

describe('a change answers what was wrong', () => {
  const problem = (more: Partial<Statement> = {}): Statement =>
    typed('The ticket scanner at the gate fails with a timeout.', { intent: 'problem', line: 5, ref: 'p', ...more });
  const change = (more: Partial<Statement> = {}): Statement =>
    said('Opened the port of the ticket scanner, so the gate has no timeout.', {
      intent: 'solution',
      isWork: true,
      line: 50,
      ref: 'c',
      ...more,
    });

  it('said to be done at the end, or committed', () => {
    expect(links([problem(), change()])).toEqual(['c answers p mends']);
    expect(
      links([problem(), event('Committed: Open the ticket scanner port at the gate', { line: 50, ref: 'c' })]),
    ).toEqual(['c answers p mends']);
    expect(links([change()], [problem({ exchange: 0 })])).toEqual(['c answers p mends']);
  });

  it.each([
    ['before more work', { place: 'between' }],
    ['of the user', { role: 'user' }],
    ['that is only kept for search', { searchOnly: true }],
    ['that is a finding', { intent: 'conclusion' }],
    ['in other words', { text: 'Painted the fuel dock in yellow.', entities: [] }],
    ['of another topic', { topic: 30 }],
    ['much later', { exchange: 8 }],
    ['that came before it', { line: 4 }],
  ] as const)('not one %s', (_, more) => {
    expect(links([problem(), change(more)])).toEqual([]);
  });

  it('not a commit that only notes it down', () => {
    const note = event('Committed: docs: add a todo for the ticket scanner timeout at the gate', { line: 50 });
    expect(links([problem(), note])).toEqual([]);
  });

  it('without work, only where it says that it is mended', () => {
    const plain = said(change().text, { intent: 'solution', line: 50, ref: 'c' });
    expect(links([problem(), plain])).toEqual([]);
    expect(
      links([problem(), { ...plain, text: 'Fixed by opening the port of the ticket scanner at the gate.' }]),
    ).toHaveLength(1);
    expect(links([problem(), { ...plain, text: 'The ticket scanner at the gate works again.' }])).toHaveLength(1);
  });

  it('the nearest of several problems, and none that is only kept for search', () => {
    const other = problem({ text: 'The ticket scanner is grey.', ref: 'o' });
    expect(links([other, problem(), change()])).toEqual(['c answers p mends']);
    expect(links([problem({ searchOnly: true }), change()])).toEqual([]);
    expect(
      links([event('Taken back: scanner.ts of the ticket gate timeout', { line: 50 }), problem({ line: 4 })]),
    ).toEqual([]);
  });
});
