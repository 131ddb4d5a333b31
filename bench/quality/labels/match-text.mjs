// When a stored text is the one that a label means. Words are counted, not meanings: the rules are those of the labels' own
// scorer where it has one, and are said in bench/EVAL.md where it has none.

const WORD = /[\p{L}\p{N}_]{2,}/gu;
/** Words that any two sentences share. */
const COMMON = new Set(
  `the and for are was were been has have had can could should would will shall may might not but with from into onto over than then
that this these those there here what when where which who why how does did done its it's our your their his her him them they you
she all any some each now also only just too very more most one two via per out off about after before as at be by do if in is it
of on or so to up us we me my no an am go get let lets please need needs want wants yes`.split(/\s+/),
);

export const wordsOf = (text) => new Set((text ?? '').toLowerCase().match(WORD) ?? []);
const tellingWordsOf = (text) => new Set([...wordsOf(text)].filter((word) => word.length > 2 && !COMMON.has(word)));

const countIn = (words, others) => {
  let count = 0;
  for (const word of words) if (others.has(word)) count++;
  return count;
};

/** The share of `words` that are among `others`. */
export const shareIn = (words, others) => (words.size === 0 ? 0 : countIn(words, others) / words.size);

/** At least three of them and at least so large a share; of fewer than three words all. */
const has = (words, others, share) => {
  const count = countIn(words, others);
  return words.size > 0 && count >= Math.min(3, words.size) && count >= share * words.size;
};

/** What stands at one line of a conversation, by the rule of the labels' scorer: the text that has most of the words, from .6 on. */
export function bestAt(rows, text) {
  const words = wordsOf(text);
  let [best, most] = [undefined, 0];
  for (const row of rows) {
    const share = shareIn(words, wordsOf(row.text));
    if (share > most) [best, most] = [row, share];
  }
  return most >= 0.6 ? best : undefined;
}

/**
 * Does `stored` say what a label says, which has a quote and a wording of its own? It has .6 of the words of the quote, or half of
 * the telling words of the wording; or it is shorter than both, and .75 of its telling words, at least three, are theirs.
 */
export function says(stored, { quote, text }) {
  const words = wordsOf(stored);
  if (has(wordsOf(quote), words, 0.6)) return true;
  const telling = tellingWordsOf(text);
  if (telling.size >= 3 && has(telling, words, 0.5)) return true;
  const own = tellingWordsOf(stored);
  return own.size >= 3 && has(own, tellingWordsOf(`${quote} ${text}`), 0.75);
}

/** Is one of two texts at the same place in the other? */
export const overlaps = (one, other) =>
  has(wordsOf(one), wordsOf(other), 0.6) || has(wordsOf(other), wordsOf(one), 0.6);

/** Wherever it stands: .6 of the words of the label are in it, and .6 of its telling words, at least three. 0 if not, else the share. */
export function shareAnywhere(label, stored) {
  const [words, telling] = [wordsOf(stored), tellingWordsOf(label)];
  const share = shareIn(wordsOf(label), words);
  return share >= 0.6 && telling.size >= 3 && has(telling, words, 0.6) ? share : 0;
}
