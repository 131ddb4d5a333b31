// How many tokens a text costs, without a tokeniser: an estimate that errs upwards, because a budget is a promise.
// Measured by feel on English prose (about 4 characters to a token), paths and code (about 3), CJK (about 1); each
// character counts by its class, so that the cost of a text is the sum of its parts.

const LETTER = 0.28;
const DIGIT = 0.5;
const MARK = 0.6;
const OTHER_LETTER = 0.7;
const IDEOGRAPH = 1.2;
const BEYOND = 3;

/** Additive but for the rounding of floating point: compare sums with a whole number of tokens to spare. */
export function tokenCost(text: string): number {
  let cost = 0;
  for (const character of text) cost += costOf(character.codePointAt(0)!);
  return cost;
}

export const countTokens = (text: string): number => Math.ceil(tokenCost(text));

function costOf(point: number): number {
  if (point < 0x80) {
    if (point === 0x20 || (point >= 0x61 && point <= 0x7a)) return LETTER;
    if (point >= 0x30 && point <= 0x39) return DIGIT;
    return MARK; // capitals begin a new token more often than not
  }
  if (point < 0x0e00) return OTHER_LETTER;
  return point < 0x10000 ? IDEOGRAPH : BEYOND;
}
