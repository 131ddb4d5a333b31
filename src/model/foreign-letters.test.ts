import { describe, expect, it } from 'vitest';
import { hasForeignLetters } from './foreign-letters.ts';

describe('letters that are not ASCII', () => {
  it('are all noticed, and so is what joins the parts of a word', () => {
    const missed: string[] = [];
    for (let code = 0x80; code < 0x10000; code++) {
      const character = String.fromCharCode(code);
      const isForeign = /[\p{L}\p{N}\p{M}\p{Cs}’]/u.test(character) || character.toLowerCase() !== character;
      if (isForeign && !hasForeignLetters(`a ${character}`)) missed.push(character);
    }
    expect(missed).toEqual([]);
    for (const text of ['𝒳', 'naïve', '数据', '1️⃣', 'don’t', '\u212a', 'x²']) expect(hasForeignLetters(text)).toBe(true);
  });

  it('are not seen in plain text with typographic marks', () => {
    for (const text of ['', 'plain\n\ttext', 'a – b — c … “d” → e', '✓ done • 3 × 4', '├── src']) {
      expect(hasForeignLetters(text)).toBe(false);
    }
  });
});
