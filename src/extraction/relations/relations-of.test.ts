import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { event, said, typed } from '../../../test/fixtures/statements.ts';
import { INTENTS } from '../../model/trace.ts';
import { type Earlier, mayReferBack, relationsIn, type Statement, telling } from './relations-of.ts';

const NOTHING: Earlier = { before: [], told: [], elsewhere: () => [], open: [] };
const links = (exchange: readonly Statement[], earlier: Partial<Earlier> = {}): string[] =>
  [...relationsIn(exchange, { ...NOTHING, ...earlier })].flatMap(([from, relations]) =>
    relations.map(({ to, relation, rule }) => `${from} ${relation} ${to} ${rule}`),
  );
const THEN = { session: 'then', line: 5, time: 1, exchange: -1 } as const;

describe('the relations of an exchange', () => {
  const asked = said('Shall the tide table be kept?', { intent: 'question', exchange: 0, line: 2, ref: 'q' });

  it('come from every rule', () => {
    const work = { intent: 'solution', isWork: true } as const;
    const exchange = [
      typed('yes, the tide table is kept in one file, better not in two rows', {
        intent: 'decision',
        line: 10,
        ref: 'd',
      }),
      said('It might be the cable.', { place: 'between', searchOnly: true, line: 11, ref: 'g' }),
      said("The lamp is on, so that's not the issue.", { intent: 'conclusion', place: 'between', line: 12, ref: 'f' }),
      said('The tide table is kept in one file now.', { ...work, line: 20, ref: 'c' }),
      said('Removed `readTides()`, nothing calls it.', { ...work, line: 20, ref: 'r' }),
      event('Committed: Paint the fuel dock of the west quay', { line: 30, ref: 'm' }),
      event('Taken back: quay.css', { line: 31, ref: 'b' }),
    ];
    const before = [
      asked,
      said('Two rows of the tide table are kept in quay.css.', { intent: 'solution', exchange: 0, line: 3, ref: 'x' }),
    ];
    const old = said('`readTides()` merges both tables.', { intent: 'solution', ...THEN, ref: 'o' });
    const open = [said('Paint the fuel dock of the west quay', { intent: 'todo', ...THEN, ref: 't' })];
    expect(links(exchange, { before, open, elsewhere: ({ ref }) => (ref === 'r' ? [old] : []) }).sort()).toEqual([
      'b supersedes x revert',
      'c builds_on d carries-out',
      'd answers q replies',
      'd supersedes x veto',
      'f contradicts g refutes-guess',
      'm answers t settles',
      'r supersedes o replaces-name',
    ]);
  });

  it('values are looked for among what was told long ago, and only for what may change', () => {
    const told = [typed('I have 14 plants on my balcony', { line: 1, exchange: 0, ref: 'o' })];
    expect(links([typed('My balcony now has 17 plants', { line: 90, ref: 'n' })], { told })).toEqual([
      'n supersedes o newer-value',
    ]);
    const denied = [typed('I watered plants of the balcony in May', { line: 1, ref: 'o' })];
    expect(
      links([typed('I have never watered plants of the balcony', { line: 90, ref: 'n' })], { told: denied }),
    ).toEqual(['n contradicts o never-and-yet']);
    expect(links([typed('Nobody watered plants', { line: 90 })], { told: denied })).toEqual([]);
  });

  it('what is only kept for search answers, and does nothing else', () => {
    const old = said('`readTides()` merges both tables.', { intent: 'solution', ...THEN });
    const removed = typed('Removed `readTides()`, nothing calls it.', {
      intent: 'solution',
      line: 9,
      ref: 'r',
      searchOnly: true,
    });
    expect(links([removed], { before: [asked], elsewhere: () => [old] })).toEqual(['r answers q replies']);
    expect(
      links([{ ...removed, searchOnly: undefined } as unknown as Statement], {
        elsewhere: () => [{ ...old, searchOnly: true }],
      }),
    ).toEqual([]);
  });

  it('nothing relates to what comes later, to its own line, nor to itself', () => {
    const removed = said('Removed `readTides()`, nothing calls it.', { intent: 'solution', line: 9, ref: 'r' });
    const old = said('`readTides()` merges both tables.', { intent: 'solution', ...THEN, ref: 'o' });
    const to = (other: Statement): string[] => links([removed], { elsewhere: () => [other] });
    expect(to(old)).toEqual(['r supersedes o replaces-name']);
    expect(to({ ...old, time: 1e9 })).toEqual([]);
    expect(to({ ...old, session: 's', line: 9, exchange: 0 })).toEqual([]);
    expect(to({ ...old, ref: 'r' })).toEqual([]);
  });

  it('two statements have one relation, and of each kind there are a few', () => {
    const decision = typed('better not keep the tide table of the quay', { intent: 'decision', line: 9, ref: 'd' });
    const kept = (at: number): Statement =>
      said(`The tide table of the quay is kept, part ${at}.`, {
        intent: 'solution',
        exchange: 0,
        line: 2,
        ref: `k${at}`,
      });
    expect(links([decision], { before: [1, 2, 3, 4, 5].map(kept) })).toHaveLength(4);
    const lost = said('Removed `readTides()`, nothing calls it.', { intent: 'solution', ref: 'r' });
    const old = (at: number): Statement =>
      said('`readTides()` merges both tables.', { intent: 'solution', ...THEN, ref: `o${at}` });
    expect(links([lost], { elsewhere: () => [1, 2, 3].map(old) })).toHaveLength(2);
    const added = (at: number): Statement =>
      said(`map.ts: Added \`berthOutline()\`, part ${at}.`, { intent: 'solution', ...THEN, ref: `a${at}` });
    const used = said('map.ts: `berthOutline()` is round.', { intent: 'solution', isWork: true, ref: 'u' });
    expect(links([used], { elsewhere: () => [added(1), added(2)] })).toEqual(['u builds_on a1 takes-up']);
  });

  it('the surer of two goes first', () => {
    const now = typed('My west quay now has 17 berths with power', { line: 90, ref: 'n' });
    const old = (ref: string, text: string): Statement => typed(text, { exchange: 0, line: 1, ref });
    const before = [
      old('a', 'I sold 11 berths of my west quay to the club last year'),
      old('b', 'I have 14 berths with power on my west quay'),
      old('c', 'I have 15 berths with power on my west quay'),
    ];
    expect(links([now], { before })).toEqual(['n supersedes b newer-value', 'n supersedes c newer-value']);
  });

  it('hold for any statements', () => {
    const text = fc.constantFrom(
      'switch to redis instead of postgres',
      'removed `readTides()`',
      'added `readTides()` here',
      'which redis port?',
      'I now have 4 ports',
      'Taken back: a.ts',
    );
    const statement = fc.record({
      text,
      intent: fc.constantFrom(...INTENTS),
      role: fc.constantFrom('user' as const, 'assistant' as const),
      place: fc.constantFrom('prompt' as const, 'between' as const, 'final' as const),
      line: fc.integer({ min: 1, max: 50 }),
    });
    fc.assert(
      fc.property(
        fc.array(statement, { minLength: 1, maxLength: 12 }),
        fc.array(statement, { maxLength: 12 }),
        (own, others) => {
          const exchange = own
            .map((each, at) => said(each.text, { ...each, line: each.line + 50, ref: `own:${at}` }))
            .sort((a, b) => a.line - b.line);
          const before = others
            .map((each, at) => said(each.text, { ...each, exchange: 0, ref: `old:${at}` }))
            .sort((a, b) => a.line - b.line);
          const lines = new Map([...exchange, ...before].map(({ ref, line }) => [ref, line]));
          for (const [from, relations] of relationsIn(exchange, { ...NOTHING, before })) {
            for (const { to, confidence } of relations) {
              expect(lines.get(to)).toBeLessThan(lines.get(from) ?? 0);
              expect(confidence).toBeGreaterThan(0);
              expect(confidence).toBeLessThanOrEqual(1);
            }
          }
        },
      ),
    );
  });
});

describe('a look into other conversations', () => {
  it('is for changes that name something, rules of the user, and news of their own affairs', () => {
    expect(mayReferBack(said('Removed `readTides()`.', { intent: 'solution' }))).toBe(true);
    expect(mayReferBack(said('`readTides()` is quicker.', { intent: 'solution' }))).toBe(true);
    expect(mayReferBack(said('We switched to Redis instead of PostgreSQL.', { intent: 'decision' }))).toBe(true);
    expect(mayReferBack(typed('the full schema should not be touched', { intent: 'decision' }))).toBe(true);
    expect(mayReferBack(typed('I now have 17 berths.'))).toBe(true);
  });

  it.each([
    ['plain changes', said('The page is quicker.', { intent: 'solution' })],
    ['plain decisions', typed('The page is blue.', { intent: 'decision' })],
    ['findings', said('Removed `readTides()`.', { intent: 'conclusion' })],
    ['narration', said('Removed `readTides()`.', { intent: 'solution', place: 'between' })],
    ['what is only kept for search', said('Removed `readTides()`.', { intent: 'solution', searchOnly: true })],
  ])('is not for %s', (_, statement) => {
    expect(mayReferBack(statement)).toBe(false);
  });

  it('goes by the names of what is gone, by all names, or by telling words', () => {
    expect(telling(said('Removed `readTides()` beside `readWinds()`.', { intent: 'solution' }))).toEqual(['readTides']);
    expect(telling(said('`readTides()` and `readWinds()` are quicker.', { intent: 'solution' }))).toEqual([
      'readTides',
      'readWinds',
    ]);
    expect(
      telling(typed('the full schema should not be touched, says `readTides()`', { intent: 'decision' })),
    ).toContain('schema');
    expect(telling(said('We switched to it instead of that.', { intent: 'decision' }))).toEqual([]);
  });
});
