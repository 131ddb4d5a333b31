// The difference of two texts, word by word: what stayed, what is gone, what is new.

export type DiffPiece = { readonly how: 'same' | 'gone' | 'new'; readonly text: string };

/** Two texts with more words than this are told as a whole: the table below grows with their product. */
const MOST_WORDS = 600;

/** The pieces that are not `new` make the first text, those that are not `gone` the second. */
export function wordDiff(before: string, after: string): DiffPiece[] {
  const [a, b] = [before.split(/(\s+)/), after.split(/(\s+)/)];
  if (a.length > MOST_WORDS || b.length > MOST_WORDS)
    return before === after
      ? [{ how: 'same', text: before }]
      : [
          { how: 'gone', text: before },
          { how: 'new', text: after },
        ];
  const common = longestCommon(a, b);
  const pieces: DiffPiece[] = [];
  const put = (how: DiffPiece['how'], text: string): void => {
    const last = pieces.at(-1);
    if (text === '') return;
    if (last?.how === how) pieces[pieces.length - 1] = { how, text: last.text + text };
    else pieces.push({ how, text });
  };
  let [at, to] = [0, 0];
  for (const [i, j] of [...common, [a.length, b.length] as const]) {
    put('gone', a.slice(at, i).join(''));
    put('new', b.slice(to, j).join(''));
    if (i < a.length) put('same', a[i]!);
    [at, to] = [i + 1, j + 1];
  }
  return pieces;
}

/** The places of the words that both have in the same order. */
function longestCommon(a: readonly string[], b: readonly string[]): (readonly [number, number])[] {
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        a[i] === b[j]
          ? lengths[(i + 1) * width + j + 1]! + 1
          : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
  const pairs: [number, number][] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if (lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!) i++;
    else j++;
  }
  return pairs;
}
