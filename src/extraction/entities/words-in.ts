// The words of a text by their places, as names are looked for in them: what joins a name (`c++`, `node.js`, `control-v1.1`) belongs to
// the word, what ends a sentence or makes a genitive does not. Cut out of the text only when asked for: of nearly all words their first
// and last letters say enough, and every word of every statement comes through here.

import { hasForeignLetters } from '../../model/foreign-letters.ts';
import { lazy } from '../../model/lazy.ts';

export type Word = { readonly text: string; readonly at: number };

export class Words {
  readonly prose: string;
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];

  constructor(prose: string) {
    this.prose = prose;
    if (hasForeignLetters(prose)) this.#readAny();
    else this.#readAscii();
  }

  get count(): number {
    return this.#starts.length;
  }

  startOf(index: number): number {
    return this.#starts[index] ?? this.prose.length;
  }

  endOf(index: number): number {
    return this.#ends[index] ?? this.prose.length;
  }

  at(index: number): Word | undefined {
    const at = this.#starts[index];
    return at === undefined ? undefined : { text: this.prose.slice(at, this.#ends[index]), at };
  }

  #readAny(): void {
    const pattern = anyWord();
    pattern.lastIndex = 0;
    for (let match = pattern.exec(this.prose); match !== null; match = pattern.exec(this.prose))
      this.#add(match.index, match.index + match[0].length);
  }

  /** `[A-Za-z0-9][A-Za-z0-9.+#'-]*`, letter by letter. */
  #readAscii(): void {
    const { prose } = this;
    for (let at = 0; at < prose.length; ) {
      if (roleOf(prose.charCodeAt(at)) !== BEGINS) {
        at++;
        continue;
      }
      let end = at + 1;
      while (end < prose.length && roleOf(prose.charCodeAt(end)) !== 0) end++;
      this.#add(at, end);
      at = end;
    }
  }

  #add(start: number, end: number): void {
    this.#starts.push(start);
    this.#ends.push(this.#withoutMarks(start, end));
  }

  #withoutMarks(start: number, end: number): number {
    let last = end;
    while (last > start && isMark(this.prose.charCodeAt(last - 1))) last--;
    const isGenitive =
      last - 2 > start && this.prose.charCodeAt(last - 1) === S && this.prose.charCodeAt(last - 2) === QUOTE;
    return isGenitive ? last - 2 : last;
  }
}

const anyWord = lazy(() => /[\p{L}\p{N}][\p{L}\p{N}.+#'-]*/gu);

const S = 0x73;
const QUOTE = 0x27;
const isMark = (code: number): boolean => code === 0x2e || code === QUOTE || code === 0x2d;

const BEGINS = 1;
const CONTINUES = 2;
const ROLES = new Uint8Array(128);
for (let code = 0; code < ROLES.length; code++) {
  const letter = String.fromCharCode(code);
  ROLES[code] = /[A-Za-z0-9]/.test(letter) ? BEGINS : /[.+#'-]/.test(letter) ? CONTINUES : 0;
}
const roleOf = (code: number): number => ROLES[code] ?? 0;
