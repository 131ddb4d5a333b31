// The words that make a topic: what is left of a text without the words that stand in every text. Counted in a small,
// bounded table, because it is part of the state that is kept between two turns.

import { hasForeignLetters } from '../model/foreign-letters.ts';
import { lazy } from '../model/lazy.ts';

/** The words of a topic; those that came in last wait in a list, because counting them into a table is dear. */
export type TopicWords = { readonly counts: WordCounts; readonly fresh: readonly string[] };
type WordCounts = { readonly [word: string]: number };

export const NO_WORDS: TopicWords = { counts: {}, fresh: [] };

const MAX_WORDS = 160;
const MAX_FRESH = 300;
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

/** Nearly every text has no letters but these, and this says the same about it in a third of the time. */
const ASCII_WORD = /[a-z0-9][a-z0-9_.-]*[a-z0-9]/g;

const anyWord = lazy(
  () => /[\p{L}\p{N}][\p{L}\p{N}_.-]*[\p{L}\p{N}]|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{2}/gu,
);

/** The telling words of a text, in one rough form: plural and singular count together. The first `most` of them. */
export function topicWords(text: string, most = Number.POSITIVE_INFINITY): string[] {
  const words: string[] = [];
  const lower = text.toLowerCase();
  const pattern = patternFor(lower);
  pattern.lastIndex = 0;
  while (words.length < most) {
    const word = pattern.exec(lower)?.[0];
    if (word === undefined) break;
    const form = formOf(word);
    if (form !== '') words.push(form);
  }
  return words;
}

/** How these rough forms were first written in a text, where they stand in it. */
export function asWritten(text: string, wanted: readonly string[]): ReadonlyMap<string, string> {
  const forms = new Map<string, string>();
  const lower = text.toLowerCase();
  const open = new Set(wanted);
  // A word begins as its form does: only those are looked at.
  const begins = new Set(wanted.map((form) => form.charCodeAt(0)));
  const pattern = patternFor(lower);
  pattern.lastIndex = 0;
  while (open.size > 0) {
    const word = pattern.exec(lower)?.[0];
    if (word === undefined) break;
    if (!begins.has(word.charCodeAt(0))) continue;
    const form = formOf(word);
    if (open.delete(form)) forms.set(form, word);
  }
  return forms;
}

const patternFor = (text: string): RegExp => (hasForeignLetters(text) ? anyWord() : ASCII_WORD);

// Text repeats its words: most are looked up, not looked at.
const MAX_KNOWN = 20_000;
const known = new Map<string, string>();

/** The rough form of a word; nothing if it says nothing. */
function formOf(word: string): string {
  let form = known.get(word);
  if (form === undefined) {
    const tells = word.length >= MIN_LENGTH && !COMMON.has(word) && !/^\d+$/.test(word);
    form = tells ? roughForm(word) : '';
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(word, form);
  }
  return form;
}

function roughForm(word: string): string {
  if (word.length > 5 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 6 && word.endsWith('ing')) return word.slice(0, -3);
  if (word.length > 5 && word.endsWith('ed')) return word.slice(0, -2);
  return word.length > 4 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

/** The same with these words in it too. When the table is full, words that were seen once make room, the last in the alphabet first. */
export function countWords({ counts, fresh }: TopicWords, words: readonly string[]): TopicWords {
  const all = [...fresh, ...words];
  if (all.length <= MAX_FRESH) return { counts, fresh: all };
  return { counts: Object.fromEntries(strongest({ counts, fresh: all }, MAX_WORDS)), fresh: [] };
}

/** Asked for when a topic is told and again when it goes on. */
const told = new WeakMap<TopicWords, { readonly most: number; readonly words: readonly string[] }>();

export function topWords(words: TopicWords, most: number): readonly string[] {
  const before = told.get(words);
  if (before && before.most >= most) return before.words.slice(0, most);
  const found = strongest(words, most).map(([word]) => word);
  told.set(words, { most, words: found });
  return found;
}

/** The `most` that came most often, by name where they came as often. Few came twice: only those that are wanted are put in order. */
function strongest({ counts, fresh }: TopicWords, most: number): [string, number][] {
  const all = new Map(Object.entries(counts));
  for (const word of fresh) all.set(word, (all.get(word) ?? 0) + 1);
  const byCount = new Map<number, string[]>();
  for (const [word, count] of all) {
    const alike = byCount.get(count);
    if (alike) alike.push(word);
    else byCount.set(count, [word]);
  }
  const found: [string, number][] = [];
  for (const count of [...byCount.keys()].sort((a, b) => b - a)) {
    for (const word of byCount.get(count)!.sort()) found.push([word, count]);
    if (found.length >= most) break;
  }
  return found.slice(0, most);
}

/** The share of the words that the topic knows. Undefined if there are too few words to tell. */
export function familiarity({ counts, fresh }: TopicWords, words: readonly string[]): number | undefined {
  const distinct = [...new Set(words)];
  if (distinct.length < 4) return undefined;
  const last = new Set(fresh);
  return distinct.filter((word) => last.has(word) || Object.hasOwn(counts, word)).length / distinct.length;
}
