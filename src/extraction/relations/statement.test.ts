import { describe, expect, it } from 'vitest';
import { event, said } from '../../../test/fixtures/statements.ts';
import { headOf, isChange, isCommit, isLater, overlapOf, type Statement, tellingWords } from './statement.ts';

describe('what two statements have in common', () => {
  it('is counted by telling words: parts of names, no URLs, the beginning', () => {
    expect([...tellingWords('Kept in localStorage of MySQL, see https://harbour.example/berths/plan')]).toEqual([
      ...['kept', 'local', 'storage', 'mysql'],
    ]);
    expect(tellingWords(`${'lamp '.repeat(100)} berth`).has('berth')).toBe(false);
  });

  it('is a share of the smaller one, with entities counted double; nothing where there is little', () => {
    const one = (text: string, entities: string[] = []): Statement => said(text, { entities });
    expect(overlapOf(one('berth quay lamp'), one('berth quay rope chain'))).toBeCloseTo(2 / 3);
    expect(overlapOf(one('berth quay lamp', ['redis']), one('berth rope chain', ['redis']))).toBe(0.5);
    expect(overlapOf(one('berth quay'), one('berth quay rope'))).toBe(0);
  });
});

describe('a statement', () => {
  it('is later by its line, or by its time in another conversation', () => {
    const at = (line: number, session: string, time: number | undefined): Statement =>
      said('x', { line, session, time });
    expect(isLater(at(2, 'a', 1), at(1, 'a', 9))).toBe(true);
    expect(isLater(at(1, 'a', 9), at(1, 'a', 1))).toBe(false);
    expect(isLater(at(1, 'a', 9), at(2, 'b', 1))).toBe(true);
    expect(isLater(at(9, 'a', 1), at(2, 'b', 1))).toBe(false);
    expect(isLater(at(1, 'a', undefined), at(2, 'b', 1))).toBe(false);
  });

  it('of a commit has a subject', () => {
    expect(headOf('Committed: Open the pier\nAnd close it.')).toBe('Committed: Open the pier');
    expect(headOf('Opened the pier\nAnd closed it.')).toBe('Opened the pier\nAnd closed it.');
    expect(isCommit(event('Pull request: Open the pier'))).toBe(true);
    expect(isCommit(said('Committed: Open the pier'))).toBe(false);
    expect(isCommit(event('Opened the pier'))).toBe(false);
  });

  it('is a change where something was done', () => {
    const change = said('Opened the pier.', { intent: 'solution', isWork: true });
    expect(isChange(change)).toBe(true);
    for (const more of [{ intent: 'decision' }, { role: 'user' }, { searchOnly: true }, { place: 'between' }] as const)
      expect(isChange({ ...change, ...more })).toBe(false);
  });
});
