// A quick look decides whether a pattern is tried at all: it must let through whatever the pattern would find.
import { describe, expect, it } from 'vitest';
import { deniedIn, failedToHelp, guesses, leavesOpen, refutes, reportsChange, takenAway } from './wording.ts';

const inBothCases = (text: string): string[] => [text, text.toUpperCase()];

describe('the words of a relation', () => {
  it.each([
    ...['keeping it open', 'that is still undecided', 'it remains unclear', "that's unknown", 'are to be decided'],
    ...[
      'not sure',
      'not yet decided',
      'not known yet',
      'not settled',
      "don't know yet",
      'we need to ask',
      'noch offen',
    ],
    ...['das ist unklar'],
  ])('leave it open: %s', (text) => {
    for (const each of inBothCases(text)) expect(leavesOpen(each)).toBe(true);
  });

  it.each([
    ...[
      "so that's not the issue",
      'this is not the cause',
      "it wasn't the culprit",
      'we ruled out the cable',
      'it was fine all along',
    ],
    ...['turns out the lamp is off', 'I was wrong', 'Actually, no', 'a red herring'],
  ])('refute it: %s', (text) => {
    for (const each of inBothCases(text)) expect(refutes(each)).toBe(true);
  });

  it.each(['It is likely the cable', 'Maybe so', 'I suspect the lamp', 'it might be off', 'seems to be off'])(
    'guess: %s',
    (text) => {
      for (const each of inBothCases(text)) expect(guesses(each)).toBe(true);
    },
  );

  it.each(['that did not help', "it didn't fix it", 'it made no difference', 'had no effect', 'to no avail'])(
    'failed: %s',
    (text) => {
      for (const each of inBothCases(text)) expect(failedToHelp(each)).toBe(true);
    },
  );

  it.each(['switched to A', 'A replaced B', 'we now use A', 'reverted it', 'no longer there', 'going with A', '不再'])(
    'report a change: %s',
    (text) => {
      for (const each of inBothCases(text)) expect(reportsChange(each)).toBe(true);
    },
  );

  it.each([
    ...[
      'We switched to A instead of Redis',
      'A replaced Redis',
      'We changed it away from Redis',
      'migrated from Redis',
      'moved from Redis',
    ],
    ...[
      'We no longer use Redis',
      'decided on A rather than Redis',
      'going with A in place of Redis',
      'we went with A rather than Redis',
    ],
    ...[
      'On second thought, A rather than Redis',
      'reverted Redis',
      'dropped Redis',
      'ditched Redis',
      'abandoned Redis',
      'A statt Redis',
    ],
    ...['removed Redis', 'deleted the old Redis', 'Redis was removed', 'Redis is gone'],
    ...['nicht mehr Redis', 'A au lieu de Redis', 'A en lugar de Redis', 'Redisではなく', '不再使用Redis'],
  ])('name what was replaced: %s', (text) => {
    for (const each of inBothCases(text)) expect(takenAway(each)[0]?.what.toUpperCase()).toContain('REDIS');
  });

  it('name what somebody never did', () => {
    for (const each of inBothCases('I have never deployed it')) expect(deniedIn(each)).toBeDefined();
  });

  it('say what is gone and from where, one for each thing', () => {
    expect(takenAway('Removed the lamp from the pier, replaced ropes with chains.')).toEqual([
      { what: 'lamp', from: 'the pier' },
      { what: 'ropes', from: '' },
    ]);
  });

  it('are not found where nobody says them', () => {
    const text = 'The gateway reads each header twice.';
    expect([leavesOpen, refutes, guesses, failedToHelp, reportsChange].map((asks) => asks(text))).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
    expect([takenAway(text), deniedIn(text)]).toEqual([[], undefined]);
  });
});
