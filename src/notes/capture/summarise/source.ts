// A source text as the extractors see it: its lines, the same lines without comments and literals, how deep each line
// lies in brackets, and the comments in the groups that people write them in.

import { type Comment, LITERAL, mask, type Syntax } from './mask.ts';

export type CommentGroup = { first: number; last: number; text: string };

export type Source = {
  readonly raw: readonly string[];
  /** Comments are blanks, literals are `LITERAL`. */
  readonly code: readonly string[];
  /** Brackets that are open where the line begins. */
  readonly depth: readonly number[];
  readonly comments: readonly Comment[];
  /** Comments that stand alone on their lines; line comments below each other are one. */
  readonly groups: readonly CommentGroup[];
  readonly groupEndingAt: ReadonlyMap<number, CommentGroup>;
};

/** Patterns look at no more of a line than this: what comes later is data. */
const MAX_LINE = 1_000;
const MAX_GROUP = 4_000;

export function sourceOf(text: string, syntax: Syntax): Source {
  const { code, comments } = mask(text, syntax);
  const masked = code.split('\n');
  const groups = groupsOf(comments);
  return {
    raw: text.split('\n').map(cut),
    code: masked.map(cut),
    depth: depthsOf(masked),
    comments,
    groups,
    groupEndingAt: new Map(groups.map((group) => [group.last, group])),
  };
}

const cut = (line: string): string => (line.length > MAX_LINE ? line.slice(0, MAX_LINE) : line);

function depthsOf(lines: readonly string[]): number[] {
  let depth = 0;
  return lines.map((line) => {
    const before = depth;
    for (let at = 0; at < line.length; at++) {
      const code = line.charCodeAt(at);
      if (code === 40 || code === 91 || code === 123) depth++;
      else if ((code === 41 || code === 93 || code === 125) && depth > 0) depth--;
    }
    return before;
  });
}

function groupsOf(comments: readonly Comment[]): CommentGroup[] {
  const groups: (CommentGroup & { block: boolean })[] = [];
  for (const { first, last, text, block, alone } of comments) {
    if (!alone) continue;
    const above = groups.at(-1);
    if (above && !above.block && !block && above.last === first - 1) {
      above.last = last;
      if (above.text.length < MAX_GROUP) above.text += `\n${text}`;
    } else groups.push({ first, last, text, block });
  }
  return groups;
}

/**
 * The comment above a line; attributes and decorators in between belong to the definition. A comment for documentation
 * may stand one empty line apart.
 */
export function commentAbove(source: Source, line: number, attribute = /^\s*(?:@|#\[|\[\[|template\b)/): string {
  let blanks = 0;
  const lowest = Math.max(0, line - 30);
  for (let above = line - 1; above >= lowest; above--) {
    const group = source.groupEndingAt.get(above);
    if (group) return blanks === 0 || /^\s*\/\*\*/.test(group.text) ? group.text : '';
    if (source.code[above]!.trim() === '') {
      if (++blanks > 1) return '';
      continue;
    }
    // Brackets that end above the line are those of an attribute, or of the definition before.
    while (above > lowest && source.depth[above]! > source.depth[line]!) above--;
    if (!attribute.test(source.code[above]!)) return '';
  }
  return '';
}

export type Statement = {
  /** Without comments; white space collapsed. */
  text: string;
  /** The same with literals masked: as long as `text`. */
  code: string;
  /** Where it ended. */
  line: number;
  column: number;
  /** The end was found, and not the limit. */
  whole: boolean;
};

const MAX_STATEMENT = 1_200;
const MAX_STATEMENT_LINES = 40;

/**
 * The text from a place on until `ends` says so, asked at every character outside brackets. `code` is what was read so
 * far. A line break is asked about as '\n'.
 */
export function statementFrom(
  source: Source,
  line: number,
  column: number,
  ends: (char: string, code: string) => boolean,
): Statement {
  let text = '';
  let code = '';
  let depth = 0;
  const add = (char: string, masked: string): void => {
    if (/\s/.test(masked)) {
      if (code === '' || code.endsWith(' ')) return;
      text += ' ';
      code += ' ';
      return;
    }
    text += char;
    code += masked;
  };
  const done = (at: number, col: number, whole: boolean): Statement => ({ text, code, line: at, column: col, whole });
  for (let at = line; at < source.code.length && at < line + MAX_STATEMENT_LINES; at++) {
    const masked = source.code[at]!;
    for (let col = at === line ? column : 0; col <= masked.length; col++) {
      const char = col === masked.length ? '\n' : masked[col]!;
      if (depth === 0 && ends(char, code)) return done(at, col, true);
      if (char === '(' || char === '[' || char === '{') depth++;
      else if (char === ')' || char === ']' || char === '}') {
        if (depth === 0) return done(at, col, false);
        depth--;
      }
      add(char === LITERAL ? source.raw[at]![col]! : char, char);
      if (code.length > MAX_STATEMENT) return done(at, col, false);
    }
  }
  return done(line, 0, false);
}

/** The literal that begins at or behind a column of a line, without its quotes. */
export function literalIn(source: Source, line: number, column = 0): string | undefined {
  const code = source.code[line] ?? '';
  const start = code.indexOf(LITERAL, column);
  if (start === -1) return undefined;
  let end = start;
  while (code[end] === LITERAL) end++;
  return source.raw[line]!.slice(start, end).replace(/^(['"`])([\s\S]*)\1$/, '$2');
}
