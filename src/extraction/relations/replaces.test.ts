import { describe, expect, it } from 'vitest';
import { event, said, typed } from '../../../test/fixtures/statements.ts';
import { isRule, replacementRule, revertsIn, vetoesIn } from './replaces.ts';
import type { Statement } from './statement.ts';

const rule = (statement: Statement, other: Statement): string | undefined => replacementRule(statement, other)?.rule;
const THEN = { session: 'then', line: 5, time: 1, exchange: -1 } as const;
const done = (text: string, more: Partial<Statement> = {}): Statement =>
  said(text, { intent: 'solution', ...THEN, ...more });
const now = (text: string, more: Partial<Statement> = {}): Statement =>
  said(text, { intent: 'solution', time: 100_000, ...more });

describe('what names the thing that is gone replaces what was said of it', () => {
  const old = done('`readTides()` merges both tables of the quay.');

  it.each([
    ['replaced', 'engine.ts: replaced `readTides()` with `readTidesTwice()`.'],
    ['removed', 'Removed `readTides()`, nothing calls it.'],
    ['deleted', 'Deleted readTides and its test.'],
    ['no longer used', 'The page no longer calls `readTides()`.'],
    ['said of it', 'The `readTides()` helper was removed.'],
    ['instead', 'The page loads `tideStream` instead of `readTides()`.'],
  ])('%s', (_, text) => {
    expect(rule(now(text), old)).toBe('replaces-name');
  });

  it('not where it is only mentioned, or another thing is gone', () => {
    expect(rule(now('Moved `readTides()` to the quay folder.'), old)).toBeUndefined();
    expect(rule(now('Removed `readWinds()` beside `readTides()`.'), old)).toBeUndefined();
  });

  it('where it is taken out of one thing, what was said of that', () => {
    const from = now('Removed `readTides()` from `QuayPage`.');
    expect(rule(from, old)).toBeUndefined();
    expect(rule(from, done('`QuayPage` calls `readTides()` twice.'))).toBe('replaces-name');
  });

  it('a name that is no code means that of its file, and of the matter', () => {
    const style = now('quay.css: removed `btn-primary` of the berth button.');
    expect(rule(style, done('quay.css: the berth button got `btn-primary`.'))).toBe('replaces-name');
    expect(rule(style, done('pier.css: the berth button got `btn-primary`.'))).toBeUndefined();
    expect(
      rule(
        now('Removed `btn-primary` of the berth button, which boats and their guests press.'),
        done('The lamp of the long pier by the lighthouse has `btn-primary` as style.'),
      ),
    ).toBeUndefined();
  });

  it('decisions and changes only, of both', () => {
    const removed = now('Removed `readTides()`, nothing calls it.');
    for (const intent of ['conclusion', 'problem', 'todo', 'question', 'context'] as const) {
      expect(rule(removed, { ...old, intent })).toBeUndefined();
      expect(rule({ ...removed, intent }, old)).toBeUndefined();
    }
    expect(rule({ ...removed, intent: 'decision' }, { ...old, intent: 'decision' })).toBe('replaces-name');
    expect(rule({ ...removed, searchOnly: true }, old)).toBeUndefined();
    expect(rule(removed, { ...old, searchOnly: true })).toBeUndefined();
  });

  it('nothing that is said again: in the same exchange, by a commit, or by who names the same as gone', () => {
    const removed = now('Removed `readTides()`, nothing calls it.');
    const here = { session: 's', exchange: 1, line: 2 } as const;
    expect(rule(removed, { ...old, ...here })).toBeUndefined();
    expect(rule(removed, { ...old, ...here, exchange: 0 })).toBe('replaces-name');
    const commit = event('Committed: Remove `readTides()`\nIt had no caller.');
    expect(rule(commit, { ...old, ...here, exchange: 0 })).toBeUndefined();
    expect(rule(commit, old)).toBe('replaces-name');
    expect(rule(removed, done('Plan: remove `readTides()` soon.'))).toBeUndefined();
    expect(rule(event('Committed: Tidy up\nRemoved `readTides()`.'), old)).toBeUndefined();
  });
});

describe('without a name it must say that it changes something of the same', () => {
  const old = done('We decided to keep the berth bookings of the harbour in PostgreSQL.', { intent: 'decision' });

  it('switched from one to the other', () => {
    expect(rule(now('We switched the berth bookings of the harbour to SQLite instead of PostgreSQL.'), old)).toBe(
      'replaces-words',
    );
    expect(rule(now('Replaced PostgreSQL with SQLite for the berth bookings of the harbour.'), old)).toBe(
      'replaces-words',
    );
  });

  it.each([
    ['advice', 'Use SQLite instead of PostgreSQL for the berth bookings of the harbour.'],
    ['another thing that is gone', 'We switched the berth bookings of the harbour to SQLite instead of MySQL.'],
    ['another matter', 'We switched the fuel list of the garage to paper instead of PostgreSQL.'],
    ['a commit', 'Committed: Replaced PostgreSQL with SQLite for the berth bookings of the harbour'],
  ])('not %s', (kind, text) => {
    expect(rule(kind === 'a commit' ? event(text) : now(text), old)).toBeUndefined();
  });
});

describe('a rule of the user replaces the contrary one', () => {
  const must = said('Key points: FullSchema must always reflect all tables.', { intent: 'decision', ...THEN });
  const never = (text: string, more: Partial<Statement> = {}): Statement =>
    typed(text, { intent: 'decision', ...more });

  it('what had to be is forbidden, or the other way round', () => {
    expect(rule(never('the full schema should not be touched'), must)).toBe('contrary');
    expect(rule(never('the full schema must be touched'), { ...must, text: 'FullSchema must never be touched.' })).toBe(
      'contrary',
    );
  });

  it('the subject is that of its own sentence, and a line of a plan of the user demands too', () => {
    const long = never('Please make the documents of all harbours agree. the full schema should not be touched');
    expect(rule(long, must)).toBe('contrary');
    expect(rule(long, { ...must, intent: 'todo', role: 'user' })).toBe('contrary');
    expect(rule(long, { ...must, intent: 'todo', role: 'assistant' })).toBeUndefined();
  });

  it.each([
    ['the same', never('the full schema must be kept')],
    ['another thing', never('the fuel list should not be touched')],
    ['one word of two', never('the schema of the fuel list should not be touched')],
    ['the agent', never('the full schema should not be touched', { role: 'assistant' })],
    ['no decision', never('the full schema should not be touched', { intent: 'context' })],
    ['a line of a plan', never('Key points: the full schema should not be touched')],
    ['a go-ahead', never('the full schema should not be touched', { isGoAhead: true })],
  ])('not %s', (_, statement) => {
    expect(rule(statement, must)).toBeUndefined();
  });

  it('a rule has a subject', () => {
    expect(isRule(never('the full schema should not be touched'))).toBe(true);
    expect(isRule(never('should not be touched'))).toBe(false);
    expect(isRule(never('the full schema is touched'))).toBe(false);
    expect(rule(never('the full schema should not be touched'), { ...must, intent: 'conclusion' })).toBeUndefined();
  });
});

describe('a veto of the user takes back what the agent has just done', () => {
  const change = (more: Partial<Statement> = {}): Statement =>
    said('The guest name is kept in localStorage on login.', {
      intent: 'solution',
      exchange: 0,
      line: 5,
      ref: 'c',
      ...more,
    });
  const veto = (text: string, more: Partial<Statement> = {}): Statement =>
    typed(text, { intent: 'decision', line: 20, ref: 'v', ...more });
  const links = (exchange: readonly Statement[], before: readonly Statement[]): string[] =>
    vetoesIn(exchange, before).map(({ from, to, relation }) => `${from} ${relation} ${to}`);

  it.each([
    'better not to keep any guest in local storage',
    "don't put the guest into local storage",
    'a guest should not be in local storage',
    'please undo the local storage of the guest',
    'no guest must not be in local storage',
  ])('%s', (text) => {
    expect(links([veto(text)], [change()])).toEqual(['v supersedes c']);
    expect(vetoesIn([veto(text)], [change()])[0]?.confidence).toBeGreaterThan(0.6);
    expect(vetoesIn([veto(text)], [change()])[0]?.confidence).toBeLessThanOrEqual(0.9);
  });

  it('also of what the agent found best', () => {
    const found = change({ intent: 'conclusion', text: 'The simplest fix is to keep the guest in localStorage.' });
    expect(links([veto('better not to keep any guest in local storage')], [found])).toEqual(['v supersedes c']);
    const fact = { ...found, text: 'The guest is in localStorage today.' };
    expect(links([veto('better not to keep any guest in local storage')], [fact])).toEqual([]);
  });

  it('not where it says how to do what comes', () => {
    expect(links([veto('Do not put the guest into local storage yet')], [change()])).toEqual([]);
    const asked = ['Write a guide to the quay', 'Two pages will do'].map((text) =>
      typed(text, { line: 20, ref: text }),
    );
    expect(links([...asked, veto("don't put the guest into local storage")], [change()])).toEqual([]);
  });

  it('and so does the agent who takes it back', () => {
    const undoing = said('Let me revert that and ask the server.', {
      intent: 'decision',
      place: 'between',
      line: 22,
      ref: 'u',
    });
    const other = said('The pier is open.', { line: 23 });
    const exchange = [veto('better not to keep any guest in local storage'), undoing, other];
    expect(links(exchange, [change()])).toEqual(['v supersedes c', 'u supersedes c']);
    expect(links([undoing], [change()])).toEqual([]);
  });

  it.each([
    ['no veto', veto('keep the guest in local storage'), change()],
    ["don't forget", veto("don't forget the guest in local storage"), change()],
    ['of something else', veto('better not to paint the dock'), change()],
    ['of one common word', veto('better not to close the storage of the pier today'), change()],
    [
      'of little in common',
      veto(
        'better not to keep any of the many lamps, ropes, chains and boats of a guest beside the local gate of the old pier',
      ),
      change({
        text: 'A guest sees the local tides, winds, clouds, fees, maps, shops and buses of the whole coast on one page.',
      }),
    ],
    ['of what was long ago', veto('better not to keep any guest in local storage', { exchange: 3 }), change()],
    ['of what the user said', veto('better not to keep any guest in local storage'), change({ role: 'user' })],
    ['of a finding', veto('better not to keep any guest in local storage'), change({ intent: 'conclusion' })],
    [
      'of what is only kept for search',
      veto('better not to keep any guest in local storage'),
      change({ searchOnly: true }),
    ],
    [
      'by the agent',
      veto('better not to keep any guest in local storage', { role: 'assistant', place: 'final' }),
      change(),
    ],
    [
      'in an answer to a question',
      veto('better not to keep any guest in local storage', { isGoAhead: true }),
      change(),
    ],
  ])('not %s', (_, statement, other) => {
    expect(links([statement], [other])).toEqual([]);
  });
});

describe('a revert takes back what was last done to its files', () => {
  const revert = event('Taken back: src/tides.ts, src/quay.ts', { line: 30, ref: 'r' });
  const links = (before: readonly Statement[], exchange: readonly Statement[] = [revert]): string[] =>
    revertsIn(exchange, before).map(({ from, to, relation, rule: by }) => `${from} ${relation} ${to} ${by}`);
  const change = (line: number, text: string, more: Partial<Statement> = {}): Statement =>
    said(text, { intent: 'solution', line, ref: `c${line}`, ...more });

  it('the newest, also of its own exchange', () => {
    expect(
      links([change(3, 'Added a row to tides.ts.'), change(4, 'Rewrote src/quay.ts.'), change(5, 'Painted the dock.')]),
    ).toEqual(['r supersedes c4 revert']);
    expect(links([], [change(8, 'Rewrote quay.ts.'), revert])).toEqual(['r supersedes c8 revert']);
  });

  it('the commit that it counts from the last one', () => {
    const commits = [3, 4, 5].map((line) => event(`Committed: Step ${line}`, { line, ref: `c${line}` }));
    const of = (what: string): string[] => links(commits, [event(`Taken back: ${what}`, { line: 30, ref: 'r' })]);
    expect(of('HEAD')).toEqual(['r supersedes c5 revert']);
    expect(of('HEAD~')).toEqual(['r supersedes c4 revert']);
    expect(of('HEAD~2')).toEqual(['r supersedes c3 revert']);
    expect(of('HEAD~7')).toEqual([]);
    expect(revertsIn([event('Taken back: HEAD', { line: 30 })], commits)[0]?.confidence).toBe(0.8);
  });

  it('not what came later, what was found, what the user said, nor what another file is about', () => {
    expect(links([change(31, 'Rewrote quay.ts.')])).toEqual([]);
    expect(links([change(3, 'Rewrote quay.ts.', { intent: 'conclusion' })])).toEqual([]);
    expect(links([change(3, 'Rewrote quay.ts.', { role: 'user' })])).toEqual([]);
    expect(links([change(3, 'Rewrote pier.ts.')])).toEqual([]);
    expect(links([change(3, 'Set a.ts up.')], [event('Taken back: a.ts', { line: 30 })])).toEqual([]);
    expect(revertsIn([said('Taken back: src/tides.ts', { line: 30 })], [change(3, 'Rewrote tides.ts.')])).toEqual([]);
  });
});
