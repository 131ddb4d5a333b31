// The words of a question in a text: where they stand, and the part of a long text that has most of them. A word matches in other forms
// of it too (`decide`, `decided`), as the search itself finds it.

const WORD = /[\p{L}\p{N}_]+/gu;
const SHORT = 3;
/** Letters that another form of a word may have more or less. */
const ENDING = 3;
const AROUND = 90;

/** Whether a word of a text is one of the words of the question. */
export function isMatch(word: string, terms: readonly string[]): boolean {
  const said = word.toLowerCase();
  return terms.some((term) => {
    if (said === term) return true;
    if (said.length < SHORT || term.length < SHORT) return false;
    const [short, long] = said.length < term.length ? [said, term] : [term, said];
    if (long.startsWith(short)) return long.length - short.length <= ENDING;
    // `deciding` and `decide`: all but the ending.
    const stem = Math.max(SHORT + 1, short.length - 1);
    return short.length > stem && long.length - short.length <= ENDING && long.slice(0, stem) === short.slice(0, stem);
  });
}

type Piece = { readonly text: string; readonly isMarked: boolean };

export function pieces(text: string, terms: readonly string[]): Piece[] {
  const found: Piece[] = [];
  let at = 0;
  for (const match of text.matchAll(WORD)) {
    if (!isMatch(match[0], terms)) continue;
    if (match.index > at) found.push({ text: text.slice(at, match.index), isMarked: false });
    found.push({ text: match[0], isMarked: true });
    at = match.index + match[0].length;
  }
  if (at < text.length) found.push({ text: text.slice(at), isMarked: false });
  return found;
}

/** Of a long text the part with most different words of the question; its ends are said to be cut. */
export function snippet(text: string, terms: readonly string[], length = 300): string {
  const plain = text.replace(/\s+/g, ' ').trim();
  if (plain.length <= length) return plain;
  const places = [...plain.matchAll(WORD)].filter((match) => isMatch(match[0], terms)).map(({ index }) => index);
  const worth = (from: number): number => places.filter((at) => at >= from && at < from + length - AROUND).length;
  const best = places.reduce((found, at) => (worth(at) > worth(found) ? at : found), places[0] ?? 0);
  const from = best < length - AROUND ? 0 : wordStart(plain, best - AROUND);
  const to = Math.min(plain.length, from + length);
  return `${from > 0 ? '… ' : ''}${plain.slice(from, to).trimEnd()}${to < plain.length ? ' …' : ''}`;
}

function wordStart(text: string, at: number): number {
  const space = text.indexOf(' ', Math.max(0, at));
  return space < 0 ? Math.max(0, at) : space + 1;
}
