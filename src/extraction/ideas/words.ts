// Takes a statement apart into words, once, without making a single string: every word becomes the number that the
// vocabulary has for it, or 0. Latin words are runs of letters, compared in lower case; each character of Chinese and
// Japanese is a word. Code, paths, identifiers and numbers are words that mean nothing here: `fix.ts` fixes nothing.

import { BLANK, DIGIT, isBlank, isElision, JOINT, KINDS, LETTER, lower, WIDE } from './characters.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Statements are some 500 characters, so more words cannot come; a longer text is read up to here. */
const MAX_WORDS = 700;

/** What is known of a word besides its number. */
export const START = 1; // begins a sentence or follows a label
export const S = 2;
export const ED = 4;
export const ING = 8;
export const ERROR = 16; // TypeError, IOException
export const CODE = 32; // code, a path, an identifier
export const NAME = 64; // an unknown word with a capital letter
export const NUMBER = 128;

const TICK = 96;
const STAR = 42;
const APOSTROPHE = 39;
const CURLY_APOSTROPHE = 0x2019;
const QUESTION_MARKS = [0x3f, 0xbf, 0xff1f];

/** The words of one statement. One is used for all: what it held is gone with the next `read`. */
export class Words {
  count = 0;
  readonly ids = new Int32Array(MAX_WORDS);
  readonly flags = new Uint8Array(MAX_WORDS);
  /** Characters of words and code, and those that are neither that nor blanks. */
  letters = 0;
  symbols = 0;
  /** The longest run without a blank. */
  longest = 0;
  /** A question mark that ends something. */
  asks = false;
  /** Begins in bold. */
  isLabelled = false;
  readonly #vocabulary: Vocabulary;
  /** What the next word is, whatever it is: the first. */
  #next = START;

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
  }

  read(text: string, start: number, end: number): void {
    this.#clear();
    this.isLabelled = text.startsWith('**', start);
    let blankAt = start;
    let i = start;
    while (i < end && this.count < MAX_WORDS) {
      const code = text.charCodeAt(i);
      switch (KINDS[code]) {
        case LETTER:
        case DIGIT:
          i = this.#word(text, i, end);
          break;
        case BLANK:
          if (i - blankAt > this.longest) this.longest = i - blankAt;
          i += 1;
          blankAt = i;
          break;
        case WIDE:
          this.#push(this.#vocabulary.find(text, i, i + 1, code), 0);
          this.letters += 1;
          i += 1;
          blankAt = i;
          break;
        default:
          i = code === TICK ? this.#code(text, i, end) : this.#mark(text, i, end);
      }
    }
    if (i - blankAt > this.longest) this.longest = i - blankAt;
  }

  #clear(): void {
    this.count = 0;
    this.letters = 0;
    this.symbols = 0;
    this.longest = 0;
    this.asks = false;
    this.#next = START;
  }

  #push(id: number, flags: number): void {
    this.ids[this.count] = id;
    this.flags[this.count] = flags | this.#next;
    this.count += 1;
    this.#next = 0;
  }

  #mark(text: string, i: number, end: number): number {
    const code = text.charCodeAt(i);
    this.symbols += 1;
    if (QUESTION_MARKS.includes(code)) this.asks ||= code !== 0x3f || endsHere(text, i + 1, end);
    if (opensClause(text, i, end)) this.#next = START;
    return i + 1;
  }

  /** Code between backticks is one word. */
  #code(text: string, i: number, end: number): number {
    const close = closingTick(text, i, end);
    if (close === i) {
      this.symbols += 1;
      return i + 1;
    }
    this.#push(0, CODE);
    this.letters += close - i;
    return close;
  }

  /** One run of letters, with what is tied to it. Returns where it ends. */
  #word(text: string, start: number, end: number): number {
    let hash = 0;
    let i = start;
    let isName = false; // an identifier, a path, a number: no word of the language
    let isLower = false;
    for (; i < end; i += 1) {
      const code = text.charCodeAt(i);
      const kind = KINDS[code]!;
      if (kind === LETTER) {
        const low = lower(code);
        if (code === low) isLower = true;
        else if (isLower) isName = true;
        hash = (Math.imul(hash, 31) + low) | 0;
      } else if (kind === DIGIT) {
        isName = true;
      } else if (code === APOSTROPHE || code === CURLY_APOSTROPHE) {
        if (i + 1 >= end || KINDS[text.charCodeAt(i + 1)] !== LETTER || isElision(text, start, i)) break;
        hash = (Math.imul(hash, 31) + APOSTROPHE) | 0;
      } else if (kind === JOINT && i + 1 < end) {
        const next = KINDS[text.charCodeAt(i + 1)]!;
        if (next !== LETTER && next !== DIGIT && next !== JOINT) break;
        isName = true;
      } else break;
    }
    this.letters += i - start;
    if (isName) this.#push(0, nameOf(text, start, i));
    else {
      const id = this.#vocabulary.find(text, start, i, hash);
      const first = text.charCodeAt(start);
      this.#push(id, endingOf(text, start, i) | (id === 0 && first !== lower(first) ? NAME : 0));
    }
    return i;
  }
}

/** After an end of a sentence, a label's colon and a dash, words count as standing first. */
function opensClause(text: string, i: number, end: number): boolean {
  switch (text.charCodeAt(i)) {
    case 0x2014: // dash
    case 0x2192: // arrow
    case 0x3001:
    case 0x3002:
    case 0xff01:
    case 0xff0c:
    case 0xff1a:
    case 0xff1f:
      return true;
    case 33: // !
    case 46: // .
    case 58: // :
    case 59: // ;
    case 63: {
      const next = i + 1 < end ? text.charCodeAt(i + 1) : 32;
      return isBlank(next) || next === STAR;
    }
    case 0x2013:
    case 45: // a hyphen between blanks is a dash
      return i > 0 && isBlank(text.charCodeAt(i - 1)) && isBlank(text.charCodeAt(i + 1));
    default:
      return false;
  }
}

/** Behind a question mark: the end, a blank, or what closes. */
function endsHere(text: string, at: number, end: number): boolean {
  return at >= end || isBlank(text.charCodeAt(at)) || '?!)"\'*_”’»]'.includes(text[at]!);
}

/** Behind the run of backticks that closes the one at `i`; `i` if none does. */
function closingTick(text: string, i: number, end: number): number {
  let ticks = 1;
  while (i + ticks < end && text.charCodeAt(i + ticks) === TICK) ticks += 1;
  for (let at = i + ticks; at < end; at += 1) {
    if (text.charCodeAt(at) !== TICK) continue;
    let run = 1;
    while (at + run < end && text.charCodeAt(at + run) === TICK) run += 1;
    if (run === ticks) return at + run;
    at += run;
  }
  return i;
}

function nameOf(text: string, start: number, end: number): number {
  if (KINDS[text.charCodeAt(start)] === DIGIT) return NUMBER;
  const length = end - start;
  if (length > 6 && text.endsWith('Error', end)) return ERROR;
  return length > 10 && text.endsWith('Exception', end) ? ERROR : CODE;
}

function endingOf(text: string, start: number, end: number): number {
  if (end - start < 4) return 0;
  const last = text.charCodeAt(end - 1);
  const before = text.charCodeAt(end - 2);
  if (last === 115) return before === 115 ? 0 : S;
  if (last === 100 && before === 101) return ED;
  return last === 103 && before === 110 && text.charCodeAt(end - 3) === 105 ? ING : 0;
}
