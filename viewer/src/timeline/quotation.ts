// Where the words of a memory stand in the line that they are from.

const SIGNS = /[\p{L}\p{N}]/u;
/** A quotation that was cut still begins as the line does. */
const BEGINNING = 60;

/** Where words stand in a line, whatever signs of Markdown and spaces stand between them. */
export function placeOf(text: string, quote: string): { from: number; to: number } | undefined {
  const [line, places] = lettersOf(text);
  const [wanted] = lettersOf(quote.replace(/(?:…|\.\.\.)\s*$/, ''));
  if (wanted.length < 4) return undefined;
  const whole = line.indexOf(wanted);
  const at = whole >= 0 ? whole : line.indexOf(wanted.slice(0, BEGINNING));
  if (at < 0) return undefined;
  const last = Math.min(line.length, at + wanted.length) - 1;
  const length = whole >= 0 ? last : sameUntil(line, wanted, at);
  return { from: places[at]!, to: places[length]! + 1 };
}

/** The last letter up to which both go on alike. */
function sameUntil(line: string, wanted: string, at: number): number {
  let last = at;
  while (last + 1 < line.length && last + 1 - at < wanted.length && line[last + 1] === wanted[last + 1 - at]) last++;
  return last;
}

/** The letters alone, and where each of them stands. */
function lettersOf(text: string): [letters: string, places: number[]] {
  let letters = '';
  const places: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]!;
    if (!SIGNS.test(letter)) continue;
    letters += letter.toLowerCase();
    places.push(at);
  }
  return [letters.length === places.length ? letters : text.toLowerCase(), places];
}
