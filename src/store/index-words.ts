// Text → the words that go into the full-text index, for documents and queries alike. One word for all languages'
// letters, short ones kept (`ci`, `k8s`); identifiers whole and in parts (`getUserName`, `get_user_name` and
// `get-user-name` all give `getusername get user name`); CJK, which writes no spaces, in overlapping pairs;
// English endings cut off (stem.ts). Databases get these words ready-made, so every store finds the same documents.

import { stem } from './stem.ts';

/** Longer words are cut here, on both sides of the search. */
const MAX_WORD = 64;
/** A run longer than this (base64, minified code) is kept as one cut word, not taken apart. */
const MAX_IDENTIFIER = 256;
/** One field of one document gives at most this many words, so that no document can flood the index. */
export const MAX_WORDS = 50_000;

// Letters, marks and digits, with joiners inside: file.name, snake_case, kebab-case, it's. Most text is ASCII,
// and the regular expression that knows only ASCII is several times faster.
const RUN = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:[_.'’-]{1,2}[\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*/gu;
const ASCII_RUN = /[A-Za-z0-9]+(?:[_.'-]{1,2}[A-Za-z0-9]+)*/g;
const NOT_ASCII = /[^\0-\x7f]/;
const JOINERS = /[_'’-]+/;
const PLAIN = /^[a-z0-9]+$/;
const SIMPLE = /^(?:[A-Z]?[a-z0-9]+|[A-Z0-9]+s?)$/;
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+/gu;
const HAS_CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const HUMP = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const PLURAL_ACRONYM = /^\p{Lu}+s$/u;
const SYMBOL_NAMES = /(?<![\p{L}\p{N}])(?:[cC](?:\+\+|#)|[fF]#)/gu;

/** The words of a text in their order. Equal text gives equal words. */
export function indexWords(text: string): string[] {
  const words: string[] = [];
  for (const run of runsOf(text)) {
    for (const word of wordsOfRun(run)) words.push(word);
    if (words.length >= MAX_WORDS) return words.slice(0, MAX_WORDS);
  }
  return words;
}

function runsOf(text: string): readonly string[] {
  const named = nameSymbols(text);
  return named.match(NOT_ASCII.test(named) ? RUN : ASCII_RUN) ?? [];
}

/**
 * The words to look for when a query names this text: an identifier as a whole (its parts follow it in the index
 * anyway), everything else word after word. `open` is true when the last word may go on: one CJK character is half a pair.
 */
export function queryWords(text: string): { words: string[]; open: boolean } {
  const runs = runsOf(text.slice(0, MAX_QUERY));
  const lastRun = runs.at(-1) ?? '';
  if (runs.length === 1 && !HAS_CJK.test(lastRun)) return { words: wordsOfRun(lastRun).slice(0, 1), open: false };
  const words = runs.flatMap(wordsOfRun);
  const last = lastRun.match(CJK)?.at(-1);
  if (last === undefined || !lastRun.endsWith(last)) return { words: words.slice(0, MAX_PHRASE), open: false };
  // The index closes a CJK run with its last character alone; a query's run may be the beginning of a longer one.
  const single = Array.from(fold(last)).length === 1;
  if (!single) words.pop();
  return { words: words.slice(0, MAX_PHRASE), open: single };
}

const MAX_QUERY = 2_000;
const MAX_PHRASE = 32;

/** `c++` and `c#` are names that consist of what everywhere else is punctuation. */
function nameSymbols(text: string): string {
  if (!text.includes('#') && !text.includes('++')) return text;
  return text.replace(SYMBOL_NAMES, (name) => name.replace('++', 'plusplus').replace('#', 'sharp'));
}

// Text repeats its words: most runs are looked up, not taken apart. The table is emptied when full, to stay small.
const KNOWN = new Map<string, readonly string[]>();
const MAX_KNOWN = 20_000;

function wordsOfRun(run: string): readonly string[] {
  let words = KNOWN.get(run);
  if (words === undefined) {
    words = takeApart(run);
    if (KNOWN.size >= MAX_KNOWN) KNOWN.clear();
    KNOWN.set(run, words);
  }
  return words;
}

function takeApart(run: string): string[] {
  if (run.length > MAX_IDENTIFIER) return [fold(run.slice(0, MAX_WORD)).slice(0, MAX_WORD)];
  if (SIMPLE.test(run)) return [stem(run.toLowerCase().slice(0, MAX_WORD))];
  const words: string[] = [];
  if (HAS_CJK.test(run)) addMixed(words, run);
  else addIdentifier(words, run);
  return words;
}

/** `token-store.ts`: the whole, then each part between dots as a whole and in its own parts. */
function addIdentifier(words: string[], run: string): void {
  const sections = run
    .split('.')
    .map(partsOf)
    .filter((parts) => parts.length > 0);
  if (sections.length > 1) words.push(whole(sections.flat()));
  for (const parts of sections) {
    if (parts.length > 1) words.push(whole(parts));
    for (const part of parts) words.push(stem(part));
  }
}

/** Stemmed too, or `NodeJS` and `nodejs` would not meet. */
function whole(parts: readonly string[]): string {
  return stem(parts.join('').slice(0, MAX_WORD));
}

function partsOf(section: string): string[] {
  return section
    .split(JOINERS)
    .flatMap((part) => (PLURAL_ACRONYM.test(part) ? [part] : part.split(HUMP)))
    .map((part) => fold(part).slice(0, MAX_WORD))
    .filter((part) => part !== '');
}

function addMixed(words: string[], run: string): void {
  let end = 0;
  for (const match of run.matchAll(CJK)) {
    addOther(words, run.slice(end, match.index));
    addPairs(words, match[0]);
    end = match.index + match[0].length;
  }
  addOther(words, run.slice(end));
}

function addOther(words: string[], text: string): void {
  for (const run of text.match(RUN) ?? []) addIdentifier(words, run);
}

function addPairs(words: string[], run: string): void {
  const characters = Array.from(fold(run));
  for (let at = 0; at + 1 < characters.length; at++) words.push(characters[at]! + characters[at + 1]!);
  if (characters.length > 0) words.push(characters.at(-1)!);
}

/** Lower case, compatibility forms and accents removed: `Café` = `cafe`, `ﬁle` = `file`, full-width = half-width. */
function fold(text: string): string {
  const lower = text.toLowerCase();
  if (PLAIN.test(lower)) return lower;
  return lower
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]/gu, '');
}
