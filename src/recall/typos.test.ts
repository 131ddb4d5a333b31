import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mayBeMistyped, variantsOf } from './typos.ts';

describe('what may be meant by a mistyped word', () => {
  it('holds the word before the slip, wherever in its middle that was', () => {
    const letter = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz');
    const word = fc.array(letter, { minLength: 6, maxLength: 14 }).map((letters) => letters.join(''));
    const slip = fc.constantFrom('more', 'less', 'other', 'turned');
    fc.assert(
      fc.property(word, slip, fc.nat(), letter, (right, kind, place, other) => {
        const at = 1 + (place % (right.length - 3));
        const [before, after] = [right.slice(0, at), right.slice(at)];
        const wrong = {
          more: before + other + after,
          less: before + after.slice(1),
          other: before + other + after.slice(1),
          turned: before + after[1] + after[0] + after.slice(2),
        }[kind];
        expect(variantsOf(wrong)).toContain(right);
      }),
    );
  });

  it('leaves the first and the last letter alone', () => {
    for (const form of variantsOf('stripe')) expect([form[0], form.at(-1)]).toEqual(['s', 'e']);
  });

  it.each(['api', 'x86_64', 'größer', 'a'.repeat(30)])('is not asked for %s', (surface) => {
    expect(mayBeMistyped(surface)).toBe(false);
  });
});
