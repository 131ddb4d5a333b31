// Tells texts that need patterns for the letters of all languages from those that plain patterns read alike. Node takes
// milliseconds to make such a pattern and is slow to run it, and most texts that are not ASCII only have dashes, quotes or arrows.

/** Neither letters, nor digits, nor marks upon letters; `’` is left out, because it joins the parts of a word. */
const FOREIGN =
  /[^\0-\x7f\u00a1-\u00a9\u00ab\u00ac\u00ae-\u00b1\u00b4\u00b6\u00b7\u00bb\u00bf\u00d7\u00f7\u2010-\u2018\u201a-\u2027\u2030-\u205e\u20ac\u2190-\u23ff\u2500-\u2775\u2794-\u27bf\u27f0-\u27ff]/;

/** Could a letter, a digit or a mark be in it that is not ASCII? Where not, `[a-z]` finds what `\p{L}` finds. */
export const hasForeignLetters = (text: string): boolean => FOREIGN.test(text);
