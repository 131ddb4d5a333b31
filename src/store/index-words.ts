// Text → the words that go into the full-text index, for documents and queries alike. One word for all languages'
// letters, short ones kept (`ci`, `k8s`); identifiers whole and in parts (`getUserName`, `get_user_name` and
// `get-user-name` all give `getusername get user name`); CJK, which writes no spaces, in overlapping pairs;
// English endings cut off (stem.ts). Databases get these words ready-made, so every store finds the same documents.

import { hasForeignLetters } from '../model/foreign-letters.ts';
import { lazy } from '../model/lazy.ts';
import { stem } from './stem.ts';

/** Longer words are cut here, on both sides of the search. */
const MAX_WORD = 64;
/** A run longer than this (base64, minified code) is kept as one cut word, not taken apart. */
const MAX_IDENTIFIER = 256;
/** One field of one document gives at most this many words, so that no document can flood the index. */
export const MAX_WORDS = 50_000;

// A run is letters and digits with joiners inside: file.name, snake_case, kebab-case, it's.
const ASCII_RUN = /[A-Za-z0-9]+(?:[_.'-]{1,2}[A-Za-z0-9]+)*/g;
const NOT_ASCII = /[^\0-\x7f]/;
const JOINERS = /[_'’-]+/;
const PLAIN = /^[a-z0-9]+$/;
const SIMPLE = /^(?:[A-Z]?[a-z0-9]+|[A-Z0-9]+s?)$/;
const SYMBOL_NAMES = /(?<![A-Za-z0-9])(?:[cC](?:\+\+|#)|[fF]#)/g;

// The same for all letters. Node needs milliseconds to make these, and a hook has few: so only when text needs them.
const forUnicode = lazy(() => ({
  run: /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:[_.'’-]{1,2}[\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*/gu,
  hump: /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u,
  cjk: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+/gu,
  foreign: /[^\p{L}\p{N}\p{M}]/gu,
}));

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
  return named.match(hasForeignLetters(named) ? forUnicode().run : ASCII_RUN) ?? [];
}

/**
 * The words to look for when a query names this text: an identifier as a whole (its parts follow it in the index
 * anyway), everything else word after word. `open` is true when the last word may go on: one CJK character is half a pair.
 */
export function queryWords(text: string): { words: string[]; open: boolean } {
  const runs = runsOf(text.slice(0, MAX_QUERY));
  const lastRun = runs.at(-1) ?? '';
  const cjk = NOT_ASCII.test(lastRun) ? (lastRun.match(forUnicode().cjk) ?? []) : [];
  if (runs.length === 1 && cjk.length === 0) return { words: wordsOfRun(lastRun).slice(0, 1), open: false };
  const words = runs.flatMap(wordsOfRun);
  const last = cjk.at(-1);
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

// Text repeats its words: most runs are looked up, not taken apart. Two tables, so that filling one up forgets only
// what was not asked for since the last time.
const MAX_KNOWN = 15_000;
let known = new Map<string, readonly string[]>();
let before = new Map<string, readonly string[]>();

function wordsOfRun(run: string): readonly string[] {
  let words = known.get(run);
  if (words === undefined) {
    words = before.get(run) ?? takeApart(run);
    if (known.size >= MAX_KNOWN) {
      before = known;
      known = new Map();
    }
    known.set(run, words);
  }
  return words;
}

function takeApart(run: string): string[] {
  if (run.length > MAX_IDENTIFIER) return [fold(run.slice(0, MAX_WORD)).slice(0, MAX_WORD)];
  if (SIMPLE.test(run)) return [stem(run.toLowerCase().slice(0, MAX_WORD))];
  const words: string[] = [];
  if (!NOT_ASCII.test(run)) addIdentifier(words, run, asciiHumps);
  else addMixed(words, run);
  return words;
}

/** What an identifier between two joiners consists of: `getUserName` gives `get User Name`. */
type Humps = (part: string) => readonly string[];

/** `token-store.ts`: the whole, then each part between dots as a whole and in its own parts. */
function addIdentifier(words: string[], run: string, humps: Humps): void {
  const sections: string[][] = [];
  for (const section of run.split('.')) {
    const parts = partsOf(section, humps);
    if (parts.length > 0) sections.push(parts);
  }
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

function partsOf(section: string, humps: Humps): string[] {
  const parts: string[] = [];
  for (const joined of section.split(JOINERS)) {
    // Nothing stands between two joiners; `IDs` has no hump.
    for (const part of joined === '' ? [] : SIMPLE.test(joined) ? [joined] : humps(joined)) {
      const folded = fold(part).slice(0, MAX_WORD);
      if (folded !== '') parts.push(folded);
    }
  }
  return parts;
}

const unicodeHumps: Humps = (part) => part.split(forUnicode().hump);

/** The same for letters and digits of ASCII, which nearly every identifier is made of: looking back takes a pattern long. */
function asciiHumps(part: string): string[] {
  const humps: string[] = [];
  let from = 0;
  for (let at = 1; at < part.length; at++) {
    if (!isUpper(part.charCodeAt(at))) continue;
    // Before a capital letter, unless it goes on with the capitals before it: `userID`, `HTTPServer`.
    if (isUpper(part.charCodeAt(at - 1)) && !isLower(part.charCodeAt(at + 1))) continue;
    humps.push(part.slice(from, at));
    from = at;
  }
  humps.push(part.slice(from));
  return humps;
}

const isUpper = (code: number): boolean => code >= 65 && code <= 90;
const isLower = (code: number): boolean => code >= 97 && code <= 122;

/** Runs of CJK in pairs, what stands between them as in any other script. */
function addMixed(words: string[], run: string): void {
  let end = 0;
  for (const match of run.matchAll(forUnicode().cjk)) {
    addOther(words, run.slice(end, match.index));
    addPairs(words, match[0]);
    end = match.index + match[0].length;
  }
  addOther(words, run.slice(end));
}

function addOther(words: string[], text: string): void {
  for (const run of text.match(forUnicode().run) ?? []) addIdentifier(words, run, unicodeHumps);
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
    .replace(forUnicode().foreign, '');
}
