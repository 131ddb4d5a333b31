// What a character is to the readers of sentences and words: one table, asked for every character of every turn.

export const OTHER = 0;
export const BLANK = 1;
export const LETTER = 2;
export const DIGIT = 3;
export const WIDE = 4;
export const JOINT = 5; // stands inside paths, addresses and identifiers

export const KINDS = kindTable();

/** By ranges, because this runs when the module is loaded. */
function kindTable(): Uint8Array {
  const kinds = new Uint8Array(0x10000); // OTHER
  for (const code of [9, 10, 11, 12, 13, 32, 0xa0, 0x3000, 0xfeff]) kinds[code] = BLANK;
  kinds.fill(DIGIT, 48, 58);
  kinds.fill(LETTER, 65, 91);
  kinds.fill(LETTER, 97, 123);
  for (const joint of './\\_:@=#&~$%+') kinds[joint.charCodeAt(0)] = JOINT;
  kinds.fill(LETTER, 0xc0, 0x2000);
  kinds[0xd7] = OTHER;
  kinds[0xf7] = OTHER;
  kinds[0x3005] = WIDE;
  kinds.fill(WIDE, 0x3040, 0xa000);
  kinds.fill(LETTER, 0xac00, 0xd7b0); // Hangul stands between blanks
  kinds.fill(WIDE, 0xf900, 0xfb00);
  return kinds;
}

/** Scripts without blanks between words. */
export function isWide(code: number): boolean {
  return KINDS[code] === WIDE;
}

export function isBlank(code: number): boolean {
  return KINDS[code] === BLANK;
}

export function isWordCharacter(code: number): boolean {
  const kind = KINDS[code]!;
  return kind >= LETTER && kind <= WIDE;
}
