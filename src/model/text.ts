// Text that can be shown: without characters that nobody can see, cut between characters. Whoever prints needs it, not only safety/.

// What no single-line field may hold. Besides the ranges of the format: C1 controls, the Arabic letter mark (a bidi
// control like U+200E) and the variation selector supplement, which can smuggle bytes behind any visible character.
const UNSAFE =
  /[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202f\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]|[\u{e0100}-\u{e01ef}]/gu;

/** Letters, digits and marks of ASCII, and nothing that could be left out. */
const PLAIN = /^[\x20-\x7e]*$/;

const LONE_SURROGATE = /[\ud800-\udfff]/gu;

export const LINE_BREAK = /\r\n?|[\n\x85\u2028\u2029]/g;

/**
 * Removes every character that cannot be seen, and replaces lone surrogates so that the result is well-formed UTF-16.
 * Surrogates go first: removing what stands between two halves would otherwise make a new, unchecked character.
 */
export function stripUnsafe(text: string): string {
  if (PLAIN.test(text)) return text; // nearly every text, and this is soon seen
  return text.replace(LONE_SURROGATE, '\ufffd').replace(UNSAFE, '');
}

/** The same for text of several lines: line breaks of every kind become `\n`, and `\n` and `\t` stay. */
export function stripUnsafeText(text: string): string {
  const lines = text.replace(LONE_SURROGATE, '\ufffd').replace(LINE_BREAK, '\n');
  return lines.replace(UNSAFE, (unsafe) => (unsafe === '\n' || unsafe === '\t' ? unsafe : ''));
}

/** The first `max` code points; never half of a surrogate pair. */
export function cutCodePoints(text: string, max = 120): string {
  if (text.length <= max) return text;
  let end = 0;
  for (let points = 0; points < max && end < text.length; points += 1) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  }
  return text.slice(0, end);
}
