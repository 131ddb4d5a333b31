// One pass over a source text that blanks comments and literals, so that extractors can look for definitions with simple
// patterns and never take an example in a comment or a string for code. The result is as long as the text, column for
// column: what was blanked can be read from the text at the same place.

export type Comment = {
  /** 0-based lines. */
  first: number;
  last: number;
  text: string;
  block: boolean;
  /** Nothing but blanks stands before it on its line. */
  alone: boolean;
};

export type Syntax = {
  readonly lineComments: readonly string[];
  readonly blockComments: readonly { readonly open: string; readonly close: string; readonly nested?: boolean }[];
  /** The characters at which a literal may begin. */
  readonly quotes: string;
  /** The index behind the literal that begins at `at`, or `at` if none does. `before` is the code in front of it. */
  readonly literalEnd: (text: string, at: number, before: string) => number;
};

export type Masked = { code: string; comments: Comment[] };

/** Stands for each character of a literal. No source text has it, and no pattern matches it by chance. */
export const LITERAL = '\u0001';

const NEWLINE = 10;
const LOOK_BACK = 24;
const MAX_COMMENTS = 20_000;

export function mask(text: string, syntax: Syntax): Masked {
  const starts = startTable(syntax);
  const parts: string[] = [];
  const comments: Comment[] = [];
  let from = 0; // of the code that is not yet in `parts`
  let line = 0;
  let lastCode = '';
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code === NEWLINE) line++;
    if (code > 127 || starts[code] === 0) {
      at++;
      continue;
    }
    const comment = commentAt(text, at, syntax);
    const end = comment ? comment.end : syntax.literalEnd(text, at, codeBefore(text, from, at, lastCode));
    if (end <= at) {
      at++;
      continue;
    }
    const before = text.slice(from, at);
    const skipped = text.slice(at, end);
    const lines = countLines(skipped);
    if (comment && comments.length < MAX_COMMENTS) {
      const alone = isBlankFromLineStart(text, at, from);
      comments.push({ first: line, last: line + lines, text: skipped.slice(0, 4_000), block: comment.block, alone });
    }
    if (before !== '') parts.push(before);
    parts.push(blank(skipped, lines, comment ? ' ' : LITERAL));
    lastCode = comment ? before.slice(-LOOK_BACK).trimEnd() || lastCode : LITERAL;
    line += lines;
    at = end;
    from = end;
  }
  parts.push(text.slice(from));
  return { code: parts.join(''), comments };
}

const blank = (text: string, lines: number, by: string): string =>
  lines === 0 ? by.repeat(text.length) : text.replace(/[^\n]/g, by);

function startTable(syntax: Syntax): Uint8Array {
  const table = new Uint8Array(128);
  const first = [...syntax.lineComments, ...syntax.blockComments.map((each) => each.open), ...syntax.quotes];
  for (const each of first) table[each.charCodeAt(0)] = 1;
  return table;
}

function commentAt(text: string, at: number, syntax: Syntax): { end: number; block: boolean } | undefined {
  for (const { open, close, nested } of syntax.blockComments) {
    if (text.startsWith(open, at))
      return { end: nested ? nestedEnd(text, at, open, close) : endAfter(text, close, at + open.length), block: true };
  }
  if (!syntax.lineComments.some((mark) => text.startsWith(mark, at))) return undefined;
  const newline = text.indexOf('\n', at);
  return { end: newline === -1 ? text.length : newline, block: false };
}

function nestedEnd(text: string, start: number, open: string, close: string): number {
  let depth = 0;
  for (let at = start; at < text.length; ) {
    if (text.startsWith(open, at)) {
      depth++;
      at += open.length;
    } else if (text.startsWith(close, at)) {
      at += close.length;
      if (--depth === 0) return at;
    } else at++;
  }
  return text.length;
}

/** The index behind the next `mark`; what is never closed reaches to the end, as it does for a compiler. */
export function endAfter(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found === -1 ? text.length : found + mark.length;
}

/** The end of a quoted text on one line. Unclosed, it ends with its line, so that one apostrophe does not hide the file. */
export function quotedEnd(text: string, at: number): number {
  const quote = text.charCodeAt(at);
  for (let index = at + 1; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 92) index++;
    else if (code === quote) return index + 1;
    else if (code === NEWLINE) return index;
  }
  return text.length;
}

/** The same over several lines. */
export function longQuotedEnd(text: string, at: number): number {
  const quote = text.charCodeAt(at);
  for (let index = at + 1; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 92) index++;
    else if (code === quote) return index + 1;
  }
  return text.length;
}

/** How many searches for the end of a literal may fail: each costs a look ahead, and honest code has few of them. */
const MAX_FAILURES = 500;

/** Wraps a search that may look far ahead in vain. Use one for each text. */
export function withFailureLimit(search: (text: string, at: number, before: string) => number): typeof search {
  let failures = 0;
  return (text, at, before) => {
    if (failures >= MAX_FAILURES) return at;
    const end = search(text, at, before);
    if (end <= at) failures++;
    return end;
  };
}

function codeBefore(text: string, from: number, at: number, lastCode: string): string {
  return text.slice(Math.max(from, at - LOOK_BACK), at).trimEnd() || lastCode;
}

function isBlankFromLineStart(text: string, at: number, from: number): boolean {
  for (let index = at - 1; index >= from; index--) {
    const char = text[index];
    if (char === '\n') return true;
    if (char !== ' ' && char !== '\t') return false;
  }
  return from === 0 || text[from - 1] === '\n';
}

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
