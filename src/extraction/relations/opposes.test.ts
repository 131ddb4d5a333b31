import { describe, expect, it } from 'vitest';
import { said, typed } from '../../../test/fixtures/statements.ts';
import { denialRule, refutationsIn } from './opposes.ts';
import type { Statement } from './statement.ts';

describe('a finding rules out the guess before it', () => {
  const guess = (line: number, text = 'It might be the tide cache of the quay.'): Statement =>
    said(text, { place: 'between', searchOnly: true, line, ref: `g${line}` });
  const finding = (text: string, more: Partial<Statement> = {}): Statement =>
    said(text, { intent: 'conclusion', line: 9, ref: 'f', ...more });
  const links = (...exchange: Statement[]): string[] =>
    refutationsIn(exchange).map(({ from, to, relation }) => `${from} ${relation} ${to}`);

  it.each([
    "The test takes a minute, so that's not the issue.",
    'The cache was fine all along.',
    'It turns out the cable was loose.',
    'The table was compiled correctly all along.',
    "The test takes a minute, so that's not the issue. It is likely the cable.",
  ])('%s', (text) => {
    expect(links(guess(3), guess(5), finding(text))).toEqual(['f contradicts g5']);
  });

  it('what did not help is about a guess in its words', () => {
    expect(
      links(guess(3), guess(5, 'Perhaps the lamp is off.'), finding('Clearing the tide cache did not help.')),
    ).toEqual(['f contradicts g3']);
    expect(links(guess(3), finding('Painting the dock did not help.'))).toEqual([]);
  });

  it('not another guess, what the user says, what comes later, nor what was no guess', () => {
    expect(links(guess(3), finding("That's probably not the issue."))).toEqual([]);
    expect(links(guess(3), finding("It might be the cable. The lamp is on, so that's not the issue."))).toEqual([]);
    expect(links(guess(3), finding("That's not the issue.", { role: 'user' }))).toEqual([]);
    expect(links({ ...guess(3), role: 'user' }, finding("That's not the issue."))).toEqual([]);
    expect(links(guess(12), finding("That's not the issue."))).toEqual([]);
    expect(links(guess(3, 'The tide cache is full.'), finding("That's not the issue."))).toEqual([]);
    expect(links(guess(3), finding('The cable was loose.'))).toEqual([]);
  });
});

describe('what somebody says they never did contradicts that they did', () => {
  const deed = typed('I rotated the signing keys of the gateway in May.', { line: 3, ref: 'd' });
  const says = (text: string, more: Partial<Statement> = {}): string | undefined =>
    denialRule(typed(text, { line: 60, ...more }), deed)?.rule;

  it('with two words of the deed, and half of its own', () => {
    expect(says('I have never rotated the signing keys.')).toBe('never-and-yet');
    expect(says('I have never lost signing keys, ropes.')).toBe('never-and-yet');
    expect(says('I have never seen the gateway.')).toBeUndefined();
    expect(says('I have never painted boats, sheds, docks, piers or keys of a gateway.')).toBeUndefined();
    expect(says('I rotated the signing keys of the gateway.')).toBeUndefined();
  });

  it('whichever came first, of the user alone, and not where both deny', () => {
    const never = typed('I have never rotated the signing keys.', { line: 60 });
    expect(denialRule({ ...deed, line: 70 }, never)?.rule).toBe('never-and-yet');
    expect(says('I have never rotated the signing keys.', { role: 'assistant' })).toBeUndefined();
    expect(denialRule(never, { ...deed, role: 'assistant' })).toBeUndefined();
    expect(denialRule(never, { ...never, line: 50 })).toBeUndefined();
  });
});
