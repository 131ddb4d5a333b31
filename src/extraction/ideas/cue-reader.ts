// Reads cues as they are written into what the matcher walks over: one array of numbers, and lists of where patterns go
// on behind their first word. The patterns are not multiplied out.

import { lazy } from '../../model/lazy.ts';
import type { CueCode } from './cue-code.ts';
import { MAX_VOCABULARY, slotsOf } from './vocabulary.ts';
import { CODE, ED, ERROR, ING, NUMBER, S, START } from './words.ts';

// How an element is written in `code`: a header, the classes that fit, and the words that fit. Behind the last element
// stands the group as a negative number.
export const WORDS = 0x3f; // how many words fit
export const MAY_MISS = 0x40;
export const GAP = 0x80;
export const FLAGS = 8; // from this bit on: the endings that fit

export type CueTable = {
  /** Words that patterns name together, by blanks. */
  readonly classes: { readonly [name: string]: string };
  /** Patterns by group, one per line or between semicolons. */
  readonly cues: { readonly [group: string]: string };
};

/** Where the patterns go on that begin with a word, a class or an ending; each by its number. */
type Beginnings = { readonly [by in 'words' | 'classes' | 'flags']: Map<number, number[]> };

const MAX_CLASSES = 31;
const ENDINGS: { readonly [name: string]: number } = { s: S, ed: ED, ing: ING, error: ERROR, first: START };

/** Marks, names of classes and endings, wide characters, words; a word in front of a French apostrophe is one too. */
const TOKEN = /[\^*#?|;\n]|[@~][a-z]+|[\u3005\u3040-\u9fff]|(?:qu|[ldnjcsmt])'|[^\s^*#?|;@~\u3005\u3040-\u9fff-]+/g;
const ASCII_WORD = /^[a-z']+$/;
const anyWord = lazy(() => /^[\p{Ll}\u3005\u3040-\u9fff']+$/u);

/** `groups`: the names that cues may be listed under, by their numbers. */
export function readCues(table: CueTable, groups: readonly string[]): CueCode {
  const reader = new CueReader();
  for (const name of Object.keys(table.classes)) reader.readClass(name, table.classes[name]!);
  for (const name of Object.keys(table.cues)) {
    const group = groups.indexOf(name);
    if (group === -1) throw new RangeError(`no group of cues is called ${name}`);
    reader.readPatterns(table.cues[name]!, group);
  }
  return reader.finish();
}

class CueReader {
  readonly #code: number[] = [];
  readonly #words: string[] = [''];
  readonly #ids = new Map<string, number>();
  /** The classes of each word, as bits. */
  readonly #classesOfWords: number[] = [0];
  readonly #first = newBeginnings();
  readonly #anywhere = newBeginnings();
  readonly #classNames: string[] = [];
  #tokens: readonly string[] = [];
  #at = 0;

  finish(): CueCode {
    const numbers = [this.#code.length, ...this.#code, ...this.#classesOfWords, ...slotsOf(this.#words)];
    for (const { words, classes, flags } of [this.#first, this.#anywhere])
      for (const lists of [words, classes, flags]) {
        numbers.push(lists.size);
        for (const [key, bodies] of lists) numbers.push(key, bodies.length, ...bodies);
      }
    return { names: this.#classNames, words: this.#words, numbers: Int32Array.from(numbers) };
  }

  #maskOf(name: string): number {
    const index = this.#classNames.indexOf(name);
    if (index === -1) throw new RangeError(`no class of words is called ${name}`);
    return 1 << index;
  }

  readClass(name: string, list: string): void {
    const index = this.#classNames.push(name) - 1;
    if (index >= MAX_CLASSES) throw new RangeError('there are too many classes of words');
    for (const word of list.match(TOKEN) ?? []) {
      if (word !== '\n') this.#classesOfWords[this.#add(word)]! |= 1 << index;
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
    const beginnings = this.#skip('^') ? this.#first : this.#anywhere;
    const start = this.#code.length;
    this.#element();
    const body = this.#code.length;
    while (!this.#isAtEnd()) this.#element();
    this.#code.push(-group - 1);
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
    const header = this.#code[start]!;
    if ((header & (MAY_MISS | GAP)) !== 0) throw new RangeError('a cue begins with what may be missing');
    for (let i = start + 2; i < body; i += 1) append(beginnings.words, this.#code[i]!, body);
    for (let mask = this.#code[start + 1]!; mask !== 0; mask &= mask - 1) {
      append(beginnings.classes, 31 - Math.clz32(mask & -mask), body);
    }
    for (let mask = header >> FLAGS; mask !== 0; mask &= mask - 1) {
      append(beginnings.flags, 31 - Math.clz32(mask & -mask), body);
    }
  }

  /** One element with all its choices. */
  #element(): void {
    const code = this.#code;
    const start = code.push(0, 0) - 2;
    let header = 0;
    do {
      const token = this.#tokens[this.#at]!;
      this.#at += 1;
      if (token === '*') header |= GAP;
      else if (token === '#') header |= (CODE | NUMBER) << FLAGS;
      else if (token[0] === '@') code[start + 1]! |= this.#maskOf(token.slice(1));
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
    const known = this.#ids.get(word);
    if (known !== undefined) return known;
    if (!ASCII_WORD.test(word) && !anyWord().test(word)) throw new RangeError(`a cue cannot be read: ${token}`);
    return this.#add(word);
  }

  /** The number of a word in lower case; it gets one if it has none. */
  #add(word: string): number {
    const known = this.#ids.get(word);
    if (known !== undefined) return known;
    const id = this.#words.push(word) - 1;
    if (id >= MAX_VOCABULARY) throw new RangeError('the vocabulary is full');
    this.#ids.set(word, id);
    this.#classesOfWords.push(0);
    return id;
  }
}

function endingOf(name: string): number {
  const ending = ENDINGS[name];
  if (ending === undefined) throw new RangeError(`no ending is called ${name}`);
  return ending;
}

function newBeginnings(): Beginnings {
  return { words: new Map(), classes: new Map(), flags: new Map() };
}

function append(lists: Map<number, number[]>, key: number, body: number): void {
  const list = lists.get(key);
  if (list) list.push(body);
  else lists.set(key, [body]);
}
