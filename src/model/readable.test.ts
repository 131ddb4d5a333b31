import { describe, expect, it } from 'vitest';
import { readable, readableAll, readableOutcome } from './readable.ts';
import { stanceWords } from './stance-words.ts';
import { BETWEEN_SAID } from './topic-outcome.ts';

describe('a statement for people', () => {
  it.each([
    ['**Root cause**: the `retry` is\n missing', 'Root cause: the `retry` is missing'],
    ['Pending Todos: | 7 | Add a limit | api | today |', 'Pending Todos: Add a limit, api'],
    ['| HIGH | Key is not zeroed | `a.ts` |', 'HIGH, Key is not zeroed, `a.ts`'],
    ['a || b is true', 'a || b is true'],
    ['snake_case and __init__.py stay', 'snake_case and __init__.py stay'],
    ['', ''],
  ])('%s', (text, line) => {
    expect(readable(text)).toBe(line);
  });

  it('says once what stands before several', () => {
    expect(readableAll(['Fixed: **a**', 'Fixed: b', 'Left: c'])).toBe('Fixed: a; b; Left: c');
    expect(readableOutcome(['Fixed: a', 'Fixed: b'].join(BETWEEN_SAID))).toBe('Fixed: a; b');
  });
});

describe('how sure a speaker was', () => {
  it('is told in words, and not at all where it was simply said', () => {
    expect(['hypothesis', 'dead_end', 'confirmed', 'stated', undefined, 4].map(stanceWords)).toEqual([
      'a guess',
      'did not help',
      'confirmed',
      undefined,
      undefined,
      undefined,
    ]);
  });
});
