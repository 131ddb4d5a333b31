// Reads cues as they are written into what the matcher walks over: one array of numbers, and lists of where patterns go
// on behind their first word. This happens in every process that judges anything, and most judge a single turn: so the
// patterns are neither multiplied out nor taken apart by hand.

import { onFirstUse } from '../../model/on-first-use.ts';
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

/** Marks, names of classes and endings, wide characters, words; a word in front of a French apostrophe is one too. */
const TOKEN = /[\^*#?|;\n]|[@~][a-z]+|[\u3005\u3040-\u9fff]|(?:qu|[ldnjcsmt])'|[^\s^*#?|;@~\u3005\u3040-\u9fff-]+/g;
const ASCII_WORD = /^[a-z']+$/;
const anyWord = onFirstUse(() => /^[\p{Ll}\u3005\u3040-\u9fff']+$/u);

export class CueReader {
  readonly vocabulary = new Vocabulary();
  readonly code: number[] = [];
  /** The classes of each word, as bits. */
  readonly classesOfWords = new Int32Array(MAX_VOCABULARY);
  readonly first = newBeginnings();
  readonly anywhere = newBeginnings();
  readonly #classNames: string[] = [];
  #tokens: readonly string[] = [];
  #at = 0;

  maskOf(name: string): number {
    const index = this.#classNames.indexOf(name);
    if (index === -1) throw new RangeError(`no class of words is called ${name}`);
    return 1 << index;
  }

  readClass(name: string, list: string): void {
    const index = this.#classNames.push(name) - 1;
    if (index >= MAX_CLASSES) throw new RangeError('there are too many classes of words');
    for (const word of list.match(TOKEN) ?? []) {
      if (word !== '\n') this.classesOfWords[this.vocabulary.add(word)]! |= 1 << index;
    }
  }

  readPatterns(source: string, group: number): void {
    this.#tokens = source.match(TOKEN) ?? [];
    this.#at = 0;
    while (this.#at < this.#tokens.length) {
      if (!this.#isAtEnd()) this.#pattern(group);
      this.#at += 1;
    }
  }

  #pattern(group: number): void {
    const beginnings = this.#skip('^') ? this.first : this.anywhere;
    const start = this.code.length;
    this.#element();
    const body = this.code.length;
    while (!this.#isAtEnd()) this.#element();
    this.code.push(-group - 1);
    this.#begin(beginnings, start, body);
  }

  #isAtEnd(): boolean {
    const token = this.#tokens[this.#at];
    return token === undefined || token === ';' || token === '\n';
  }

  #skip(mark: string): boolean {
    if (this.#tokens[this.#at] !== mark) return false;
    this.#at += 1;
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

  /** One element with all its choices. */
  #element(): void {
    const { code } = this;
    const start = code.push(0, 0) - 2;
    let header = 0;
    do {
      const token = this.#tokens[this.#at]!;
      this.#at += 1;
      if (token === '*') header |= GAP;
      else if (token === '#') header |= (CODE | NUMBER) << FLAGS;
      else if (token[0] === '@') code[start + 1]! |= this.maskOf(token.slice(1));
      else if (token[0] === '~') header |= endingOf(token.slice(1)) << FLAGS;
      else code.push(this.#word(token));
    } while (this.#skip('|'));
    if (this.#skip('?')) header |= MAY_MISS;
    const words = code.length - start - 2;
    if (words > WORDS) throw new RangeError('a cue has too many choices');
    code[start] = header | words;
  }

  #word(token: string): number {
    const word = token.endsWith("'") ? token.slice(0, -1) : token;
    const known = this.vocabulary.idOf(word);
    if (known !== undefined) return known;
    if (!ASCII_WORD.test(word) && !anyWord().test(word)) throw new RangeError(`a cue cannot be read: ${token}`);
    return this.vocabulary.add(word);
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
