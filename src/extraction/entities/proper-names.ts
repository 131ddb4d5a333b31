// Capitalised words inside a sentence: people, where they are called like people or act like them, else named things. Where
// everything is capitalised, as in headings, nothing is a name.

import { hasForeignLetters } from '../../model/foreign-letters.ts';
import { lazy } from '../../model/lazy.ts';
import { firstNames } from '../first-names.ts';
import { isCommonWord } from './common-words.ts';
import type { Word, Words } from './words-in.ts';

export type ProperName = { readonly name: string; readonly kind: 'person' | 'concept'; readonly words: number };

const LONGEST_RUN = 3;
const ASCII_NAME = /^[A-Z][a-z]{2,19}$/;
const anyName = lazy(() => /^\p{Lu}\p{Ll}{2,19}$/u);
const anyCapital = lazy(() => /^\p{Lu}/u);
/** Words of these endings are what something does or is, whether or not a list of words has them. */
const LIKE_A_WORD = /(?:ing|ed|tion|sion|ment|ness|able|ible|ity|ance|ence|ism|ive|ful|less)s?$/;
const BEFORE_PERSON =
  /^(?:with|by|from|ask|asked|told|tell|met|meet|meeting|call|called|email|emailed|thank|cc|named|brother|sister|wife|husband|son|daughter|friend|colleague|boss|manager|mr|mrs|ms|dr|professor|partner|cousin|neighbor|neighbour|mit|von|avec|con)$/i;
const AFTER_PERSON =
  /^(?:said|says|asked|asks|told|suggested|suggests|wants|wanted|recommended|thinks|thought|mentioned|agreed|reviewed|joined|promised|called|wrote|met|explained|pointed|approved|confirmed|prefers|likes|loves|sagte|meint|dit|dijo)$/i;

export const CAPITALISED: ReadonlySet<string> = new Set(
  (
    'monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december ' +
    'english german french spanish chinese japanese american european christmas easter okay yes no the this that these those then also and but for not you your ' +
    'phase step option task plan summary context decision error note warning todo api verification file files add added fix fixed remove removed update updated change changes committed run set use get ' +
    'true false null none undefined left right top bottom example conclusion explanation solution steps tips name time however additionally here there what when where why how if let'
  ).split(' '),
);

/** The name that begins at word `at`, if one does. Words of a run that is none are passed over by the caller one by one. */
export function properNameAt(words: Words, at: number): ProperName | undefined {
  const { prose } = words;
  if (isSmall(prose.charCodeAt(words.startOf(at)))) return undefined; // nearly all words are
  const word = words.at(at);
  if (word === undefined || !isCapital(word.text)) return undefined;
  const lower = word.text.toLowerCase();
  const next = words.at(at + 1);
  const nextIsPlain = next === undefined || !isCapital(next.text) || !isBeside(prose, word, next);
  if (firstNames().has(lower)) return { name: word.text, kind: 'person', words: 1 };
  if (!isName(word.text) || CAPITALISED.has(lower) || startsSentence(prose, word.at)) return undefined;
  const before = words.at(at - 1);
  if (before && isCapital(before.text) && isBeside(prose, before, word)) return undefined; // inside a title
  const acts = next !== undefined && AFTER_PERSON.test(next.text);
  if (nextIsPlain && acts && before && BEFORE_PERSON.test(before.text))
    return { name: word.text, kind: 'person', words: 1 };
  if (nextIsPlain && acts && /^(?:and|that|but|so|because|as)$/i.test(before?.text ?? ''))
    return { name: word.text, kind: 'person', words: 1 };
  const run = runFrom(words, word, at);
  if (run.length === 1 && (LIKE_A_WORD.test(lower) || isCommonWord(lower))) return undefined;
  if (run.length > LONGEST_RUN || run.some(({ text }) => CAPITALISED.has(text.toLowerCase()))) return undefined;
  return { name: run.map(({ text }) => text).join(' '), kind: 'concept', words: run.length };
}

const isName = (word: string): boolean => ASCII_NAME.test(word) || (hasForeignLetters(word) && anyName().test(word));

const isSmall = (code: number): boolean => code >= 0x61 && code <= 0x7a;

/** Does it begin with a capital letter, of any language? */
export function isCapital(word: string): boolean {
  const first = word.charCodeAt(0);
  return first < 0x80 ? first >= 0x41 && first <= 0x5a : anyCapital().test(word);
}

function runFrom(words: Words, first: Word, at: number): Word[] {
  const run = [first];
  let last = first;
  while (run.length <= LONGEST_RUN) {
    const word = words.at(at + run.length);
    if (word === undefined || !isName(word.text) || !isBeside(words.prose, last, word)) break;
    run.push(word);
    last = word;
  }
  return run;
}

const isBeside = (prose: string, { text, at }: Word, next: Word): boolean =>
  next.at === at + text.length + 1 && prose[next.at - 1] === ' ';

/** Also where a label, a quotation, a cell or something in brackets begins: all of these have a capital without being names. */
export function startsSentence(prose: string, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && (prose[before] === ' ' || prose[before] === '\t')) before--;
  const last = prose[before];
  return last === undefined || !(JOINS.test(last) || (last > '\x7f' && hasForeignLetters(last)));
}

/** What a sentence goes on behind: a word, a comma, the end of brackets; letters of other languages do the same. */
const JOINS = /[A-Za-z\d,)%&@]/;
