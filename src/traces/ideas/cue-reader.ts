// Reads cues as they are written into what the matcher walks over: one array of numbers, and lists of where patterns go
// on behind their first word. Character by character and without regular expressions or copies, because this happens in
// every process that judges anything, and most judge a single turn.

import { isElision, isWide } from './characters.ts';
import { MAX_VOCABULARY, Vocabulary } from './vocabulary.ts';
import { CODE, ED, ERROR, ING, NUMBER, S, START } from './words.ts';

// How an element is written in `code`: a header, the classes that fit, and the words that fit. Behind the last element
// stands the group as a negative number.
export const WORDS = 0x3f; // how many words fit
export const MAY_MISS = 0x40;
export const GAP = 0x80;
export const FLAGS = 8; // from this bit on: the endings that fit

/** Where the patterns go on that begin with a word, a class or an ending; each by its number. */
export type Beginnings = {
  readonly words: (number[] | undefined)[];
  readonly classes: (number[] | undefined)[];
  readonly flags: (number[] | undefined)[];
  classMask: number;
  flagMask: number;
};

const MAX_CLASSES = 31;
const ENDINGS: { readonly [name: string]: number } = { s: S, ed: ED, ing: ING, error: ERROR, first: START };

const BLANK = 32;
const LINE_BREAK = 10;
const HASH = 35;
const STAR = 42;
const HYPHEN = 45;
const SEMICOLON = 59;
const QUESTION_MARK = 63;
const AT = 64;
const CARET = 94;
const BAR = 124;
const TILDE = 126;
const APOSTROPHE = 39;

export class CueReader {
  readonly vocabulary = new Vocabulary();
  readonly code: number[] = [];
  /** The classes of each word, as bits. */
  readonly classesOfWords = new Int32Array(MAX_VOCABULARY);
  readonly first = newBeginnings();
  readonly anywhere = newBeginnings();
  readonly #classNames: string[] = [];
  #source = '';
  #at = 0;

  maskOf(name: string): number {
    const index = this.#classNames.indexOf(name);
    if (index === -1) throw new RangeError(`no class of words is called ${name}`);
    return 1 << index;
  }

  readClass(name: string, list: string): void {
    const index = this.#classNames.push(name) - 1;
    if (index >= MAX_CLASSES) throw new RangeError('there are too many classes of words');
    let start = 0;
    for (let i = 0; i <= list.length; i += 1) {
      const code = i < list.length ? list.charCodeAt(i) : BLANK;
      if (code !== BLANK && code !== LINE_BREAK) continue;
      if (i > start) this.classesOfWords[this.vocabulary.add(list, start, i)]! |= 1 << index;
      start = i + 1;
    }
  }

  readPatterns(source: string, group: number): void {
    this.#source = source;
    this.#at = 0;
    while (this.#at < source.length) {
      const code = source.charCodeAt(this.#at);
      if (code === BLANK || code === LINE_BREAK || code === SEMICOLON) this.#at += 1;
      else this.#pattern(group);
    }
  }

  #pattern(group: number): void {
    const isFirst = this.#source.charCodeAt(this.#at) === CARET;
    if (isFirst) this.#at += 1;
    const start = this.code.length;
    this.#element();
    const body = this.code.length;
    while (!this.#isAtEnd()) this.#element();
    this.code.push(-group - 1);
    this.#begin(isFirst ? this.first : this.anywhere, start, body);
  }

  /** Blanks and hyphens stand between elements. */
  #isAtEnd(): boolean {
    const source = this.#source;
    while (this.#at < source.length) {
      const code = source.charCodeAt(this.#at);
      if (code === SEMICOLON || code === LINE_BREAK) return true;
      if (code !== BLANK && code !== HYPHEN) return false;
      this.#at += 1;
    }
    return true;
  }

  /** The first element names what the rest is found by; `body` is where the rest stands. */
  #begin(beginnings: Beginnings, start: number, body: number): void {
    const header = this.code[start]!;
    if ((header & (MAY_MISS | GAP)) !== 0) throw new RangeError('a cue begins with what may be missing');
    for (let i = start + 2; i < body; i += 1) append(beginnings.words, this.code[i]!, body);
    for (let mask = this.code[start + 1]!; mask !== 0; mask &= mask - 1) {
      append(beginnings.classes, 31 - Math.clz32(mask & -mask), body);
      beginnings.classMask |= mask & -mask;
    }
    for (let mask = header >> FLAGS; mask !== 0; mask &= mask - 1) {
      append(beginnings.flags, 31 - Math.clz32(mask & -mask), body);
      beginnings.flagMask |= mask & -mask;
    }
  }

  /** One element with all its choices, up to what ends it. */
  #element(): void {
    const { code } = this;
    const start = code.push(0, 0) - 2;
    let header = 0;
    do {
      switch (this.#source.charCodeAt(this.#at)) {
        case STAR:
          header |= GAP;
          this.#at += 1;
          break;
        case HASH:
          header |= (CODE | NUMBER) << FLAGS;
          this.#at += 1;
          break;
        case AT:
          code[start + 1]! |= this.maskOf(this.#name());
          break;
        case TILDE:
          header |= endingOf(this.#name()) << FLAGS;
          break;
        default:
          code.push(this.#word());
      }
    } while (this.#skip(BAR));
    if (this.#skip(QUESTION_MARK)) header |= MAY_MISS;
    const words = code.length - start - 2;
    if (words > WORDS) throw new RangeError('a cue has too many choices');
    code[start] = header | words;
  }

  #skip(mark: number): boolean {
    if (this.#source.charCodeAt(this.#at) !== mark) return false;
    this.#at += 1;
    return true;
  }

  #name(): string {
    const start = this.#at + 1;
    let end = start;
    while (isLetter(this.#source.charCodeAt(end))) end += 1;
    this.#at = end;
    return this.#source.slice(start, end);
  }

  /** As the reader of words takes them apart: French elisions end a word, and every wide character is one. */
  #word(): number {
    const source = this.#source;
    const start = this.#at;
    let end = start;
    while (isLetter(source.charCodeAt(end))) end += 1; // nearly always that is all
    if (end === start && isWide(source.charCodeAt(end))) end += 1;
    else while (goesOn(source, start, end)) end += 1;
    if (end === start) throw new RangeError(`a cue cannot be read: ${source.slice(start, start + 20)}`);
    this.#at = source.charCodeAt(end) === APOSTROPHE ? end + 1 : end;
    return this.vocabulary.add(source, start, end);
  }
}

function endingOf(name: string): number {
  const ending = ENDINGS[name];
  if (ending === undefined) throw new RangeError(`no ending is called ${name}`);
  return ending;
}

function newBeginnings(): Beginnings {
  // Filled at once: an array that grows with holes is a slow one.
  const words = new Array<number[] | undefined>(MAX_VOCABULARY).fill(undefined);
  return { words, classes: [], flags: [], classMask: 0, flagMask: 0 };
}

function append(lists: (number[] | undefined)[], key: number, body: number): void {
  const list = lists[key];
  if (list) list.push(body);
  else lists[key] = [body];
}

function isLetter(code: number): boolean {
  return code >= 97 && code <= 122;
}

function goesOn(source: string, start: number, at: number): boolean {
  const code = source.charCodeAt(at);
  if (code === APOSTROPHE) return !isElision(source, start, at);
  return isLetter(code) || (code >= 0xc0 && !isWide(code));
}
