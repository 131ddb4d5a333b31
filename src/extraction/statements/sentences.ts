// Cuts a block into sentences. A full stop ends one only if it does not belong to an abbreviation, a number, a name of a
// file or code; a line break ends one only if the line was not merely wrapped. What is still too long is cut at clauses.

import { isBlank, isWide, isWordCharacter } from './characters.ts';
import type { Range } from './statement.ts';

/** No statement is longer; with what stands above it, an idea has some 600 characters. */
export const LONGEST = 520;
const SHORTEST_CUT = 250;
const LONGEST_CODE = 200;
/** A line is taken for wrapped, and goes on in the next, if it is about as long as people wrap at. */
const WRAPPED_FROM = 55;
const WRAPPED_TO = 160;

const LINE_BREAK = 10;
const TICK = 96;

/** A full stop behind these ends nothing, … */
const ABBREVIATIONS = new Set(
  `e.g i.e eg ie vs cf approx incl excl resp dr mr mrs prof dept est zb z.b d.h u.a ggf evtl inkl exkl vgl bspw p.ex sra
  ud uds`.split(/\s+/),
);
/** … behind these not if a number follows, … */
const BEFORE_NUMBER = new Set('no nr fig sec vol pp min max ca st ed ms art pág núm abs kap'.split(' '));
/** … and behind these only if a capital letter follows. */
const AT_THE_END = new Set('etc usw inc ltd al jr sr co ff'.split(' '));
/** German writes “am 3. Mai”: the stop behind the number belongs to it. */
const BEFORE_ORDINAL = new Set(['am', 'vom', 'zum', 'bis', 'der', 'den', 'dem', 'im', 'seit', 'ab', 'des']);

/** The sentences of `text` from `start` to `end`, without the blanks around them. */
export function sentencesOf(text: string, start: number, end: number): Range[] {
  const sentences: Range[] = [];
  let from = start;
  let lineStart = start;
  for (let i = start; i < end; i += 1) {
    const code = text.charCodeAt(i);
    if (code > 63 && code !== TICK && code < 0x2026) continue; // letters, mostly
    let behind = -1;
    switch (code) {
      case LINE_BREAK:
        if (!isWrapped(i - lineStart)) behind = i + 1;
        lineStart = i + 1;
        break;
      case TICK:
        i = endOfCode(text, i, end);
        break;
      case 33:
      case 46:
      case 63:
      case 0x2026:
        behind = endOfSentence(text, i, from, end);
        break;
      case 0x3002:
      case 0xff01:
      case 0xff0e:
      case 0xff1f:
        behind = skipClosers(text, i + 1, end);
    }
    if (behind === -1) continue;
    cut(text, from, behind, sentences);
    from = behind;
    i = behind - 1;
  }
  cut(text, from, end, sentences);
  return sentences;
}

function isWrapped(lineLength: number): boolean {
  return lineLength >= WRAPPED_FROM && lineLength <= WRAPPED_TO;
}

/** Where code in a sentence ends that begins at the backtick at `i`; `i` if it does not. */
function endOfCode(text: string, i: number, end: number): number {
  const tick = text.indexOf('`', i + 1);
  return tick === -1 || tick >= end || tick - i > LONGEST_CODE ? i : tick;
}

/** Notes a sentence, in pieces if it is too long. */
function cut(text: string, from: number, to: number, into: Range[]): void {
  const end = trimmedEnd(text, from, to);
  let start = from;
  while (start < end && isBlank(text.charCodeAt(start))) start += 1;
  while (end - start > LONGEST) {
    const border = clauseBorder(text, start);
    into.push({ start, end: trimmedEnd(text, start, border) });
    start = border;
    while (start < end && isBlank(text.charCodeAt(start))) start += 1;
  }
  if (end > start) into.push({ start, end });
}

/** The last place before the limit where a clause ends, else where a word ends, else the limit itself. */
function clauseBorder(text: string, start: number): number {
  const limit = start + LONGEST;
  let blank = 0;
  for (let i = limit - 1; i > start + SHORTEST_CUT; i -= 1) {
    const code = text.charCodeAt(i);
    if (code === 0xff0c || code === 0x3001 || code === 0xff1b) return i + 1;
    if (!isBlank(code)) continue;
    const before = text.charCodeAt(i - 1);
    if (before === 44 || before === 59 || before === 58 || before === 41 || before === 0x2014 || code === 10) return i;
    if (blank === 0) blank = i;
  }
  if (blank > 0) return blank;
  const last = text.charCodeAt(limit - 1);
  return last >= 0xd800 && last < 0xdc00 ? limit - 1 : limit; // never half a character
}

function trimmedEnd(text: string, start: number, to: number): number {
  let end = to;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1;
  return end;
}

/** Where the sentence ends that the mark at `i` may end; -1 if it goes on. */
function endOfSentence(text: string, i: number, from: number, end: number): number {
  const mark = text.charCodeAt(i);
  if (mark === 46 && i > from && text.charCodeAt(i - 1) === 46) return -1; // judged with the first of them
  let behind = i + 1;
  while (behind < end && '.!?…'.includes(text[behind]!)) behind += 1;
  const behindMarks = behind;
  const isEllipsis = mark === 0x2026 || (mark === 46 && behind - i > 1);
  behind = skipClosers(text, behind, end);
  if (behind >= end) return end;
  const next = text.charCodeAt(behind);
  if (!isBlank(next)) return isWide(next) ? behind : -1;
  if (mark === 46 && behind - i === 1 && isNoStop(text, i, from)) return -1;
  // “…and more”, “(as they say.) and on”: what goes on in lower case goes on.
  const word = text.charCodeAt(behind + 1);
  return (isEllipsis || behind > behindMarks) && word >= 97 && word <= 122 ? -1 : behind;
}

/** Quotes, brackets and emphasis that close behind a full stop belong to the sentence. */
function skipClosers(text: string, from: number, end: number): number {
  let i = from;
  while (i < end && '"\')]*_”’»」』）】'.includes(text[i]!)) i += 1;
  return i;
}

/** Does the full stop belong to the word before it? */
function isNoStop(text: string, at: number, from: number): boolean {
  let start = at;
  while (start > from && at - start < 8) {
    const code = text.charCodeAt(start - 1);
    if (!isWordCharacter(code) && code !== 46) break;
    start -= 1;
  }
  const length = at - start;
  if (length === 0 || length >= 8) return false;
  const first = text.charCodeAt(start);
  if (first >= 48 && first <= 57) return isOrdinal(text, start, at, from);
  if (length === 1) return first !== 73; // an initial; “I.” is none
  const word = text.slice(start, at).toLowerCase();
  if (ABBREVIATIONS.has(word)) return true;
  const next = text.charCodeAt(at + 2);
  if (BEFORE_NUMBER.has(word)) return next >= 48 && next <= 57;
  return AT_THE_END.has(word) && !(next >= 65 && next <= 90);
}

/** `1. First` at the beginning, and German dates. */
function isOrdinal(text: string, start: number, at: number, from: number): boolean {
  if (at - start > 2) return false;
  let end = start;
  while (end > from && isBlank(text.charCodeAt(end - 1))) end -= 1;
  if (end === from) return true;
  let word = end;
  while (word > from && end - word < 6 && isWordCharacter(text.charCodeAt(word - 1))) word -= 1;
  return BEFORE_ORDINAL.has(text.slice(word, end).toLowerCase());
}
