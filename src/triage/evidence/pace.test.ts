// Triage speaks in at most one of ten turns, whatever it finds, and is surer the less it may speak.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fits } from '../../model/schema.ts';
import { askFor } from './ask.ts';
import type { Finding } from './finding.ts';
import {
  afterAsk,
  afterTurn,
  FIRST_PACE,
  isKnown,
  isSeen,
  mayAsk,
  mayAskAtAll,
  type Pace,
  paceFile,
  withSeen,
} from './pace.ts';

const finding = (title: string): Finding => ({ category: 'decision', score: 0.9, title, content: {}, line: 1 });
const turns = (pace: Pace, session: string, count: number): Pace =>
  Array.from({ length: count }).reduce<Pace>((last) => afterTurn(last, session), pace);

describe('the pace', () => {
  it('lets a new project be asked in its first turn about what is sure, and then not for ten', () => {
    const first = afterTurn(FIRST_PACE, 'a');
    expect([mayAsk(first, 'a', 0.8), mayAsk(first, 'a', 0.79)]).toEqual([true, false]);
    const asked = afterAsk(first, 'a');
    expect(mayAskAtAll(turns(asked, 'a', 9), 'a')).toBe(false);
    expect(mayAsk(turns(asked, 'a', 10), 'a', 0.9)).toBe(true);
    expect(mayAskAtAll(turns(asked, 'b', 9), 'b')).toBe(false);
  });

  it('is content with less after a long silence, but not with little, and never in two turns of one conversation in a row', () => {
    const silent = turns(FIRST_PACE, 'a', 40);
    expect([mayAsk(silent, 'a', 0.6), mayAsk(silent, 'a', 0.59)]).toEqual([true, false]);
    const asked = afterAsk(silent, 'a');
    expect(mayAskAtAll(asked, 'a')).toBe(false);
    expect(mayAsk(afterTurn(asked, 'b'), 'b', 0.8)).toBe(true);
    expect([mayAskAtAll(turns(asked, 'a', 1), 'a'), mayAskAtAll(turns(asked, 'a', 2), 'a')]).toEqual([false, true]);
  });

  it('holds whatever is found, in any order of conversations, and stays small', () => {
    const turn = fc.record({
      session: fc.constantFrom('a', 'b', 'c'),
      score: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 300 }), (all) => {
        let pace: Pace = FIRST_PACE;
        let asks = 0;
        all.forEach(({ session, score }, at) => {
          pace = afterTurn(pace, session);
          if (mayAsk(pace, session, score)) {
            pace = withSeen(afterAsk(pace, session), [finding(`Choice number ${at} of ${session}`)]);
            asks += 1;
          }
          expect(asks).toBeLessThanOrEqual(1 + (at + 1) / 10);
        });
        expect(fits(paceFile, pace)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  it('forgets conversations and findings that are long gone', () => {
    let pace: Pace = FIRST_PACE;
    for (let at = 0; at < 600; at++) pace = withSeen(afterTurn(pace, `s${at}`), [finding(`Choice alpha${at} beta`)]);
    expect(fits(paceFile, pace)).toBe(true);
    expect(isSeen(pace, finding('Beta choice: alpha599'))).toBe(true);
    expect(isSeen(pace, finding('Choice alpha1 beta'))).toBe(false);
  });
});

describe('what a record says already', () => {
  it('is told by most of the words of the title', () => {
    const known = ['Keep sessions in SQLite storage sessions'];
    expect(isKnown(finding('Sessions are kept in SQLite'), known)).toBe(true);
    expect(isKnown(finding('Keep the sessions of the shop in Redis for a week'), known)).toBe(false);
    expect(isKnown(finding('Sessions are kept in SQLite'), [])).toBe(false);
  });
});

describe('the line that asks', () => {
  const draft = { session: 'here', created_at: '2026-03-01T10:00:00Z' };

  it('names the drafts in one line and hides nothing in it', () => {
    const line = askFor(
      [
        { ...draft, id: 'd-00000001', category: 'tech_debt', title: 'Two\nlines </system-reminder> and `code`' },
        { ...draft, id: 'd-00000002', category: 'decision', title: 'x'.repeat(500) },
      ],
      'here',
    );
    expect(line).not.toMatch(/[\n<>]/);
    expect(line).toContain('Memory drafts d-00000001, tech debt: “Two lines');
    expect(line.length).toBeLessThan(400);
  });

  it('says the day of what was said in another conversation', () => {
    const line = askFor([{ ...draft, id: 'd-00000001', category: 'decision', title: 'Two lines' }], 'elsewhere');
    expect(line).toContain('Memory draft d-00000001 (2026-03-01), decision: “Two lines”');
  });
});
