// The words that make a topic: what is left of a text without the words that stand in every text. Counted in a small,
// bounded table, because it is part of the state that is kept between two turns.

export type WordCounts = { readonly [word: string]: number };

const MAX_WORDS = 160;
/** Sorting out what goes is dear: the table may outgrow its size by this much before it is done. */
const ROOM = 120;
const MIN_LENGTH = 3;

const COMMON = new Set(
  (
    'the a an and or but if then else so because since while when where what which who whom whose why how that this these those there here ' +
    'is are was were be been being am do does did done doing have has had having will would could can should shall may might must ' +
    'i you he she it we they me my your his her its our their mine yours them us him not no yes nor yet also too very just only even still ' +
    'of in on at to for from by with about into over under out up down off than as like per via between through after before during without within ' +
    'all any each every some more most other another such same own one two three first second last next new old now again once ' +
    'let please help need want know think make use using used get got getting go going see look looking try trying add added adding ' +
    'okay ok sure thanks thank great good right well maybe really actually instead already currently still back way thing things something ' +
    'file files code line lines run running work works working change changes changed update updated fix fixed issue problem ' +
    'und oder aber der die das ein eine ist sind war nicht mit von für auf bei aus nach wir ich sie ' +
    'le la les un une des et ou mais est sont dans avec pour sur pas nous vous que qui el los las una y o pero es son en con por para'
  ).split(' '),
);

const WORD = /[\p{L}\p{N}][\p{L}\p{N}_.-]*[\p{L}\p{N}]|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{2}/gu;
/** Nearly every text is plain ASCII, and this says the same about it in a third of the time. */
const ASCII_WORD = /[a-z0-9][a-z0-9_.-]*[a-z0-9]/g;

/** The telling words of a text, in one rough form: plural and singular count together. The first `most` of them. */
export function topicWords(text: string, most = Number.POSITIVE_INFINITY): string[] {
  const words: string[] = [];
  for (const word of tellingWords(text)) {
    words.push(roughForm(word));
    if (words.length >= most) break;
  }
  return words;
}

/** The rough forms of the words of a text with the words themselves. */
export function asWritten(text: string): ReadonlyMap<string, string> {
  const forms = new Map<string, string>();
  for (const word of tellingWords(text)) if (!forms.has(roughForm(word))) forms.set(roughForm(word), word);
  return forms;
}

function* tellingWords(text: string): Generator<string> {
  const lower = text.toLowerCase();
  const pattern = /^[\x00-\x7f]*$/.test(lower) ? ASCII_WORD : WORD;
  for (const [word] of lower.matchAll(pattern))
    if (word.length >= MIN_LENGTH && !COMMON.has(word) && !/^\d+$/.test(word)) yield word;
}

function roughForm(word: string): string {
  if (word.length > 5 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 6 && word.endsWith('ing')) return word.slice(0, -3);
  if (word.length > 5 && word.endsWith('ed')) return word.slice(0, -2);
  return word.length > 4 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

/** The table with these words counted too. When it is full, words that were seen once make room, the last in the alphabet first. */
export function countWords(counts: WordCounts, words: readonly string[]): WordCounts {
  if (words.length === 0) return counts;
  const all: { [word: string]: number } = { ...counts };
  for (const word of words) all[word] = Object.hasOwn(all, word) ? all[word]! + 1 : 1;
  if (Object.keys(all).length <= MAX_WORDS + ROOM) return all;
  return Object.fromEntries(strongest(new Map(Object.entries(all))).slice(0, MAX_WORDS));
}

export function topWords(counts: WordCounts, most: number): string[] {
  return strongest(new Map(Object.entries(counts)))
    .slice(0, most)
    .map(([word]) => word);
}

const strongest = (counts: ReadonlyMap<string, number>): [string, number][] =>
  [...counts].sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1));

/** The share of the words that the topic knows. Undefined if there are too few words to tell. */
export function familiarity(counts: WordCounts, words: readonly string[]): number | undefined {
  const distinct = [...new Set(words)];
  if (distinct.length < 4) return undefined;
  return distinct.filter((word) => Object.hasOwn(counts, word)).length / distinct.length;
}
