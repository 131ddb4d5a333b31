// Finds any of a list of phrases in a text: in any case, with any blanks between their words but never over a line
// break, and as whole words. Scripts without blanks between words match anywhere. Linear in the text.

import { lazy } from '../model/lazy.ts';

/** Where the first phrase at or after `from` begins; -1 if there is none. */
export type PhraseMatcher = (text: string, from?: number) => number;

// Made when a letter beyond ASCII is asked about: together they take a stop half a millisecond.
const anyWord = lazy(() => /[\p{L}\p{N}_]/u);
/** By extension: the Japanese sign for a long vowel belongs to two scripts and so, formally, to none. */
const unspaced = lazy(() => /[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u);
/** A user's list is trusted, but not to be sane. */
const MAX_PHRASES = 500;
const MAX_PHRASE_LENGTH = 100;

/** A matcher knows no language: what a phrase needs is seen from its letters. */
export function phraseMatcher(phrases: readonly string[]): PhraseMatcher {
  let pattern: RegExp | null | undefined;
  return (text, from = 0) => {
    if (pattern === undefined) pattern = patternOf(phrases); // most are never asked
    if (!pattern) return -1;
    pattern.lastIndex = from;
    for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
      if (standsAlone(text, match.index, match[0])) return match.index;
      pattern.lastIndex = match.index + 1;
    }
    return -1;
  };
}

function patternOf(phrases: readonly string[]): RegExp | null {
  const sources = phrases.slice(0, MAX_PHRASES).flatMap(sourceOf);
  // The longest first: where two phrases begin alike, the longer one must get its chance.
  sources.sort((a, b) => b.length - a.length);
  return sources.length > 0 ? new RegExp(sources.join('|'), 'gi') : null;
}

/**
 * The cheap half of the check for whole words is in the pattern, so that a phrase that goes on (`decided onwards`) does
 * not hide a shorter one at the same place (`decided`). Letters beyond ASCII would make every pattern slow to build.
 */
function sourceOf(phrase: string): string[] {
  const words = phrase.slice(0, MAX_PHRASE_LENGTH).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const source = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('[^\\S\\n]+');
  return [/\w$/.test(source) ? `${source}(?!\\w)` : source];
}

function standsAlone(text: string, start: number, match: string): boolean {
  const end = start + match.length;
  return (
    (isEdge(match.codePointAt(0)) || !isWord(pointBefore(text, start))) &&
    (isEdge(pointBefore(match, match.length)) || !isWord(text.codePointAt(end)))
  );
}

/** A phrase that begins or ends with such a character needs no word border there. */
function isEdge(point: number | undefined): boolean {
  return !isWord(point) || (point! > 0x7f && unspaced().test(String.fromCodePoint(point!)));
}

function isWord(point: number | undefined): boolean {
  if (point === undefined) return false;
  if (point > 0x7f) return anyWord().test(String.fromCodePoint(point));
  return (point >= 97 && point <= 122) || (point >= 65 && point <= 90) || (point >= 48 && point <= 57) || point === 95;
}

function pointBefore(text: string, end: number): number | undefined {
  const pair = end > 1 ? text.codePointAt(end - 2)! : 0;
  return pair > 0xffff ? pair : end > 0 ? text.charCodeAt(end - 1) : undefined;
}
