// A quick look decides whether a pattern is tried at all: it must let through whatever the pattern would find.
import { describe, expect, it } from 'vitest';
import { addsTo, deniedIn, leavesOpen, opposes, replacedIn, solves } from './wording.ts';

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
      'Additionally, x',
      'Also x',
      'Furthermore',
      'Moreover',
      'In addition',
      'On top of that',
      'Besides',
      'Building on x',
    ],
    ...['Extending x', 'To add x', 'To extend x', 'Außerdem', 'Zusätzlich', 'De plus', 'Además', 'it builds on x'],
    ...['this extends the x', 'x on top of this'],
  ])('add to it: %s', (text) => {
    expect(addsTo(text)).toBe(true);
  });

  it.each([
    ...["that's wrong", 'that was not right', 'that is not true', 'that is not correct', 'contrary to the plan'],
    ...['on the contrary', "turns out it isn't", 'was mistaken about', 'was wrong about'],
  ])('oppose it: %s', (text) => {
    for (const each of inBothCases(text)) expect(opposes(each)).toBe(true);
  });

  it.each([
    ...[
      'fix',
      'fixed',
      'solves',
      'resolved',
      'no longer',
      'now works',
      'works again',
      'workaround',
      'avoids',
      'prevent',
    ],
    ...['helped', 'eliminated', 'behoben', 'gelöst', 'corrigé', 'resuelto', '解決', '解决'],
  ])('solve it: %s', (text) => {
    for (const each of inBothCases(text)) expect(solves(each)).toBe(true);
  });

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
    ...['nicht mehr Redis', 'A au lieu de Redis', 'A en lugar de Redis', 'Redisではなく', '不再使用Redis'],
  ])('name what was replaced: %s', (text) => {
    for (const each of inBothCases(text)) expect(replacedIn(each)?.toUpperCase()).toContain('REDIS');
  });

  it('name what somebody never did', () => {
    for (const each of inBothCases('I have never deployed it')) expect(deniedIn(each)).toBeDefined();
  });

  it('are not found where nobody says them', () => {
    const text = 'The gateway reads each header twice.';
    expect([leavesOpen, addsTo, opposes, solves].map((asks) => asks(text))).toEqual([false, false, false, false]);
    expect([replacedIn(text), deniedIn(text)]).toEqual([undefined, undefined]);
  });
});
