// Whoever adds a way to join a name to a value must keep the early exit of findAssignment in step: it passes over names with one of these
// signs behind them before any joint is tried.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findAssignment, JOINS_NOTHING, jointBehind, looseBehind } from './assignments.ts';

const NAMES = ['password', 'API_KEY', '--token', 'my secret', 'mot de passe', '<password', '"DB_PASSWORD', '| key'];
const JOINTS = [
  '=',
  ':',
  ': ',
  ' = ',
  '":"',
  '=>',
  '->',
  ' is ',
  ' | ',
  '("',
  '", "',
  '>',
  "'s ",
  ' – ',
  '” ',
  '\n  value: ',
];
const PIECES = [
  ...JOINTS,
  ...JOINS_NOTHING,
  ' ',
  '\t',
  '"',
  "'",
  '`',
  '(',
  ')',
  ']',
  '{',
  '!',
  '?',
  '*',
  '_',
  'value',
  '</',
];
const SECRET = 'Tr0ub4dor-xK9w';

describe('a sign that joins nothing', () => {
  it('begins no way to join a name to a value', () => {
    const tail = fc.array(fc.constantFrom(...PIECES, SECRET), { maxLength: 6 });
    fc.assert(
      fc.property(
        fc.constantFrom(...NAMES),
        fc.constantFrom(...JOINS_NOTHING),
        fc.constantFrom(...PIECES),
        tail,
        (name, sign, next, rest) => {
          const text = `x ${name}${sign}${next}${SECRET}${rest.join('')}\n`;
          const end = 2 + name.length;
          const start = 2 + name.search(/[\w]+$/);
          expect(jointBehind(text, start, end)).toBeUndefined();
          expect(looseBehind(text, end)).toBeUndefined();
        },
      ),
      { numRuns: 20_000 },
    );
  });

  it('is none of those that do', () => {
    for (const joint of JOINTS) expect(JOINS_NOTHING).not.toContain(joint[0]);
    expect(findAssignment(`password=${SECRET}\n`, 0, 'pass')).toBeDefined();
  });
});
