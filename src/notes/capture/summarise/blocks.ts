// Walks the declarations of languages with braces and semicolons (Rust, Java, C, C++): each text up to a `{` or a `;`,
// with the containers that it stands in. Bodies that nobody wants to look into are skipped by counting brackets, so the
// walk is linear and needs no stack of its own however deep the text nests.

import type { Source } from './source.ts';

export type Declaration = {
  /** White space collapsed, comments gone, literals as they are. */
  text: string;
  /** The same with literals masked, character for character. */
  code: string;
  /** 0-based line on which it begins. */
  line: number;
  end: '{' | ';';
};

/** What lies inside a `{`: its declarations, or nothing of interest. */
export type Visitor<C> = (declaration: Declaration, containers: readonly C[]) => C | undefined;

export type WalkOptions<C> = {
  /** `public:` in a class of C++. Returns whether it was one. */
  label?: (name: string, container: C | undefined) => boolean;
  /** The braces of `use a::{b, c};` are brackets. */
  inline?: (code: string) => boolean;
};

const MAX_HEADER = 1_500;
const MAX_CONTAINERS = 60;

export function walkBlocks<C>(source: Source, visit: Visitor<C>, options: WalkOptions<C> = {}): void {
  const containers: C[] = [];
  const header = new Header();
  let brackets = 0; // ( and [ that are open in the header
  let inlined = 0; // { among them, as in an annotation or a default value
  let skipped = 0; // { that are open in a body
  for (let line = 0; line < source.code.length; line++) {
    const code = source.code[line]!;
    const raw = source.raw[line]!;
    for (let col = 0; col < code.length; col++) {
      const char = code[col]!;
      if (skipped > 0) {
        if (char === '{') skipped++;
        else if (char === '}' && --skipped === 0) header.clear();
        continue;
      }
      if (char === '(' || char === '[') brackets++;
      else if (char === ')' || char === ']') brackets = Math.max(0, brackets - 1);
      else if (char === '{' && (brackets > 0 || options.inline?.(header.text))) {
        brackets++;
        inlined++;
      } else if (char === '}' && inlined > 0) {
        brackets--;
        inlined--;
      } else if (char === '{') {
        const container = visit(header.declaration('{'), containers);
        if (container === undefined || containers.length >= MAX_CONTAINERS) skipped = 1;
        else containers.push(container);
        header.clear();
        continue;
      } else if (brackets === 0 && char === ';') {
        visit(header.declaration(';'), containers);
        header.clear();
        continue;
      } else if (char === '}') {
        if (brackets === 0) containers.pop();
        brackets = 0; // a closing brace in brackets: something was not understood, so begin anew
        header.clear();
        continue;
      } else if (char === ':' && brackets === 0 && options.label?.(header.text, containers.at(-1))) {
        header.clear();
        continue;
      }
      header.add(char === '\u0001' ? raw[col]! : char, char, line);
    }
    header.add(' ', ' ', line);
  }
}

class Header {
  #text = '';
  #code = '';
  #line = 0;

  get text(): string {
    return this.#code.trim();
  }

  add(char: string, masked: string, line: number): void {
    const blank = masked === ' ' || masked === '\t' || masked === '\f' || masked === '\v';
    if (blank && (this.#code === '' || this.#code.endsWith(' '))) return;
    if (this.#code.length >= MAX_HEADER) return;
    if (this.#code === '') this.#line = line;
    this.#text += blank ? ' ' : char;
    this.#code += blank ? ' ' : masked;
  }

  declaration(end: '{' | ';'): Declaration {
    return { text: this.#text.trimEnd(), code: this.#code.trimEnd(), line: this.#line, end };
  }

  clear(): void {
    this.#text = '';
    this.#code = '';
  }
}

/** Where the parameters begin: the first round bracket outside others, unless something is assigned before it. */
export function parametersAt(code: string): number {
  let angles = 0;
  for (let at = 0; at < code.length; at++) {
    const char = code[at];
    if (char === '<') angles++;
    else if (char === '>' && code[at - 1] !== '-') angles = Math.max(0, angles - 1);
    else if (char === '=' && angles === 0 && !/operator\W*$/.test(code.slice(Math.max(0, at - 12), at))) return -1;
    else if (char === '(' && angles === 0) return at;
  }
  return -1;
}
