// A source text beside its code: the same text, character for character, with comments as blanks and literals as
// `LITERAL`, so that a line pattern never takes an example in a comment or a string for code. One pass, linear.

/** Stands for each character of a literal. No source text has it, and no pattern matches it by chance. */
export const LITERAL = '\u0001';

/** What is not code. `open` is a pattern; its first group may stand in `close` as `$1`. */
export type Hidden = {
  readonly open: string;
  /** '' if `open` matches the whole of it. */
  readonly close: string;
  readonly isComment?: boolean;
  /** Goes over several lines; what does not is over with its line. */
  readonly isLong?: boolean;
  /** A backslash hides nothing. */
  readonly isRaw?: boolean;
};

export type Source = {
  readonly text: string;
  readonly code: string;
  /** Where each line begins. */
  readonly starts: readonly number[];
};

export function sourceOf(text: string, hidden: readonly Hidden[]): Source {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return { text, code: codeOf(text, hidden), starts };
}

function codeOf(text: string, hidden: readonly Hidden[]): string {
  const search = new RegExp(hidden.map((each) => each.open).join('|'), 'g');
  const kinds = hidden.map((kind) => ({ kind, open: new RegExp(kind.open, 'y') }));
  const unclosed = new Set<Hidden>(); // looked for once: what was never closed is not looked for again
  const parts: string[] = [];
  let from = 0;
  for (let found = search.exec(text); found; found = search.exec(text)) {
    search.lastIndex = found.index + 1;
    for (const { kind, open } of kinds) {
      open.lastIndex = found.index;
      const opened = unclosed.has(kind) ? null : open.exec(text);
      if (!opened) continue;
      const end = endOf(text, found.index + opened[0].length, kind, opened[1] ?? '');
      if (end === -1) {
        unclosed.add(kind);
        continue;
      }
      const blank = kind.isComment ? ' ' : LITERAL;
      parts.push(text.slice(from, found.index), text.slice(found.index, end).replace(/[^\n]/g, blank));
      search.lastIndex = end;
      from = end;
      break;
    }
  }
  return parts.join('') + text.slice(from);
}

/** The index behind it; -1 if it is never closed. */
function endOf(text: string, from: number, { close, isComment, isLong, isRaw }: Hidden, mark: string): number {
  if (close === '') return from;
  const closing = close.replace('$1', mark);
  if (isComment || isRaw) {
    const end = text.indexOf(closing, from);
    if (end === -1) return isComment ? text.length : -1;
    return closing === '\n' ? end : end + closing.length;
  }
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text.startsWith(closing, at)) return at + closing.length;
    else if (text[at] === '\n' && !isLong) return at;
  }
  return isLong ? -1 : text.length;
}

export function lineOf({ starts }: Source, text: string, line: number): string {
  return text.slice(starts[line]!, (starts[line + 1] ?? text.length + 1) - 1);
}

/** Without comments, with its literals. */
export function codeText({ text, code }: Source, from: number, end: number): string {
  let said = '';
  for (let at = from; at < end; at++) said += code[at] === LITERAL ? text[at] : code[at];
  return said;
}

const MAX_STATEMENT = 1_500;
/** A brace behind these, on one line, opens a type and no body. */
const OPENS_TYPE = /(?:[:|&<,(=]|=>|\b(?:extends|is|keyof))[ \t]*$|\b(?:interface|struct)$/;

/** Where a definition ends that goes on at `from`: at one of the characters outside brackets; `>` stands for `=>`. */
export function statementEnd({ code }: Source, from: number, until: string): number {
  const hasAngles = until.includes('=');
  const last = Math.min(code.length, from + MAX_STATEMENT);
  let depth = 0;
  for (let at = from; at < last; at++) {
    const char = code[at]!;
    if (depth === 0 && endsAt(code, at, until)) return at;
    const isAngle = hasAngles && !'=-'.includes(code[at - 1] ?? '=');
    if ('([{'.includes(char) || (isAngle && char === '<')) depth++;
    else if (')]}'.includes(char) && --depth < 0) return at;
    else if (isAngle && char === '>' && depth > 0) depth--;
  }
  return last;
}

function endsAt(code: string, at: number, until: string): boolean {
  const char = code[at]!;
  if (char === '\n' && code[at + 1] === '\n') return true;
  if (char === '=' && code[at + 1] === '>') return until.includes('>');
  if (char === '>' || !until.includes(char)) return false;
  if (char === ':') return code[at + 1] !== ':' && code[at - 1] !== ':';
  return char !== '{' || !OPENS_TYPE.test(code.slice(Math.max(0, at - 12), at));
}
