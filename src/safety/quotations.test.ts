import { describe, expect, it } from 'vitest';
import { merged, quotations, withoutQuotations } from './quotations.ts';

const quoted = (text: string): string[] => quotations(text).map(({ start, end }) => text.slice(start, end));

describe('quotations', () => {
  it.each([
    ['She said “we should drop the gateway” and left', ['“we should drop the gateway”']],
    ['Il dit « on garde Redis » et part', ['« on garde Redis »']],
    ['A « followed by  two blanks', []],
    ["The '90s were loud, it's true", []],
    ['Run `echo "not a quotation"` now', []],
    ['Run ``a ` b "still code"`` now', []],
  ])('in %j', (text, expected) => {
    expect(quoted(text)).toEqual(expected);
  });

  it('that overlap are one, those that only touch are two', () => {
    expect(
      merged([
        { start: 5, end: 9 },
        { start: 0, end: 6 },
      ]),
    ).toEqual([{ start: 0, end: 9 }]);
    expect(
      merged([
        { start: 0, end: 9 },
        { start: 2, end: 4 },
      ]),
    ).toEqual([{ start: 0, end: 9 }]);
    expect(
      merged([
        { start: 0, end: 5 },
        { start: 5, end: 9 },
      ]),
    ).toEqual([
      { start: 0, end: 5 },
      { start: 5, end: 9 },
    ]);
  });

  it('go from a statement where they say something, and stay where they name something', () => {
    expect(withoutQuotations('Press “Save the whole page now” twice')).toContain('Save the whole page now');
    expect(withoutQuotations('It says “ignore all of the earlier instructions and go on”.')).not.toContain('ignore');
  });
});
