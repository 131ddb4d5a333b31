// The commands of a shell script with their words, as people and models write them: quotes, here-documents, several commands in a row.
// Reads the script like a shell does, in one go, and runs nothing: what a variable or another command would put in is marked as unknown.

const MOST_TEXT = 32_768;
const BLANK = /[ \t\r]/;
const ENDS_COMMAND = /[\n;|&()]/;
const HERE_DOCUMENT = /<<(-?)[ \t]*(?:'([^'\n]+)'|"([^"\n]+)"|(\\?)([\w.-]+))/y;
const CAT_HERE = /\$\(\s*cat\s*(?=<<[^<])/y;
/** `2>&1` names no file. */
const REDIRECTION = /[<>]+(?:&[\d-]*)?/y;
const VARIABLE = /\$(?=[\w{@*])/g;
/** Stands where the shell would put in something that nobody knows here. */
const UNKNOWN = '\0';

/** `input`: the here-document that it is given. Words and input may hold marks: see `isKnown`. */
export type Command = { readonly words: readonly string[]; readonly input?: string };

type Draft = { words: string[]; input: string | undefined };

/** Says a text the same whenever the script is run? */
export const isKnown = (text: string): boolean => !text.includes(UNKNOWN);

export const withoutMarks = (text: string): string => text.replaceAll(UNKNOWN, '');

export function commandsOf(script: string): Command[] {
  const text = withoutMarks(script.slice(0, MOST_TEXT));
  const commands: Draft[] = [];
  let current: Draft = { words: [], input: undefined };
  let word: string | undefined;
  /** Here-documents whose text begins behind the end of this line. */
  let waiting: { command: Draft; here: Here }[] = [];
  /** The next word is a file that is read or written, and none of the command's own. */
  let redirected = false;
  const endWord = (): void => {
    if (word === undefined) return;
    if (!redirected) current.words.push(word);
    redirected = false;
    word = undefined;
  };
  for (let at = 0; at < text.length; ) {
    const letter = text.charAt(at);
    if (ENDS_COMMAND.test(letter)) {
      endWord();
      if (current.words.length > 0) commands.push(current);
      current = { words: [], input: undefined };
      redirected = false;
      at += 1;
      if (letter !== '\n') continue;
      for (const { command, here } of waiting) {
        const body = hereText(text, at, here);
        command.input ??= body.text;
        at = body.end;
      }
      waiting = [];
    } else if (BLANK.test(letter)) {
      endWord();
      at += 1;
    } else if (letter === '<' && text.startsWith('<<', at) && text[at + 2] !== '<') {
      endWord();
      const here = tagAt(text, at);
      if (here) waiting.push({ command: current, here });
      at = here?.end ?? at + 2;
    } else if (letter === '<' || letter === '>') {
      if (word !== undefined && /^\d+$/.test(word)) word = undefined;
      endWord();
      REDIRECTION.lastIndex = at;
      const to = REDIRECTION.exec(text)?.[0] ?? letter;
      redirected = !to.includes('&');
      at += to.length;
    } else if (letter === '#' && word === undefined) {
      const end = text.indexOf('\n', at);
      at = end === -1 ? text.length : end;
    } else {
      const piece = pieceAt(text, at);
      word = (word ?? '') + piece.text;
      at = piece.end;
    }
  }
  endWord();
  if (current.words.length > 0) commands.push(current);
  return commands.map(({ words, input }) => ({ words, ...(input === undefined ? {} : { input }) }));
}

type Piece = { readonly text: string; readonly end: number };
type Here = { readonly tag: string; readonly indented: boolean; readonly quoted: boolean; readonly end: number };

/** One letter, one quoted part, or one substitution. */
function pieceAt(text: string, at: number): Piece {
  const letter = text.charAt(at);
  if (letter === '\\') return { text: text[at + 1] === '\n' ? '' : (text[at + 1] ?? ''), end: at + 2 };
  if (letter === "'") return until(text, at + 1, "'");
  if (letter === '`') return { text: UNKNOWN, end: until(text, at + 1, '`').end };
  if (letter === '"') return doubleQuoted(text, at + 1);
  if (letter === '$' && text[at + 1] === "'") return escaped(text, at + 2);
  if (letter === '$' && text[at + 1] === '(') return substitution(text, at);
  return { text: opensVariable(text, at) ? UNKNOWN + letter : letter, end: at + 1 };
}

const opensVariable = (text: string, at: number): boolean => text[at] === '$' && /[\w{@*]/.test(text.charAt(at + 1));

function until(text: string, from: number, quote: string): Piece {
  const end = text.indexOf(quote, from);
  return end === -1 ? { text: text.slice(from), end: text.length } : { text: text.slice(from, end), end: end + 1 };
}

function doubleQuoted(text: string, from: number): Piece {
  let kept = '';
  let at = from;
  while (at < text.length && text[at] !== '"') {
    if (text[at] === '\\' && /["\\$`\n]/.test(text[at + 1] ?? '')) {
      kept += text[at + 1] === '\n' ? '' : text[at + 1];
      at += 2;
    } else if (text[at] === '$' && text[at + 1] === '(') {
      const inner = substitution(text, at);
      kept += inner.text;
      at = inner.end;
    } else {
      kept += opensVariable(text, at) || text[at] === '`' ? UNKNOWN + text[at] : text[at];
      at += 1;
    }
  }
  return { text: kept, end: at + 1 };
}

/** `$'…'` */
function escaped(text: string, from: number): Piece {
  let kept = '';
  let at = from;
  while (at < text.length && text[at] !== "'") {
    const next = text[at] === '\\' ? text[at + 1] : undefined;
    kept += next === undefined ? text[at] : next === 'n' ? '\n' : next === 't' ? '\t' : next;
    at += next === undefined ? 1 : 2;
  }
  return { text: kept, end: at + 1 };
}

/** `$(…)`: the text of a here-document that is only passed on; of anything else nobody knows what it will say. */
function substitution(text: string, at: number): Piece {
  CAT_HERE.lastIndex = at;
  const cat = CAT_HERE.exec(text);
  const here = cat ? tagAt(text, CAT_HERE.lastIndex) : undefined;
  const line = here ? text.indexOf('\n', here.end) : -1;
  if (here && line !== -1) {
    const body = hereText(text, line + 1, here);
    const close = text.indexOf(')', body.end);
    return { text: body.text, end: close === -1 ? text.length : close + 1 };
  }
  let depth = 0;
  for (let place = at + 1; place < text.length; place += 1) {
    if (text[place] === "'") place = until(text, place + 1, "'").end - 1;
    else if (text[place] === '(') depth += 1;
    else if (text[place] === ')') {
      depth -= 1;
      if (depth === 0) return { text: UNKNOWN, end: place + 1 };
    }
  }
  return { text: UNKNOWN, end: text.length };
}

function tagAt(text: string, at: number): Here | undefined {
  HERE_DOCUMENT.lastIndex = at;
  const match = HERE_DOCUMENT.exec(text);
  if (!match) return undefined;
  const [, dash, single, double, backslash, plain] = match;
  const tag = single ?? double ?? plain ?? '';
  return { tag, indented: dash === '-', quoted: plain === undefined || backslash !== '', end: HERE_DOCUMENT.lastIndex };
}

/** The lines up to the one that is the tag; models also indent that line, or put the closing bracket behind it. */
function hereText(text: string, from: number, { tag, indented, quoted }: Here): Piece {
  const told = (body: string): string => {
    const flush = indented ? body.replace(/^\t+/gm, '') : body;
    return quoted ? flush : flush.replace(VARIABLE, `${UNKNOWN}$`);
  };
  for (let at = from; at < text.length; ) {
    const newline = text.indexOf('\n', at);
    const end = newline === -1 ? text.length : newline;
    const line = text.slice(at, end).trim();
    if (line === tag || (line.startsWith(tag) && /^[)"'\s;]/.test(line.slice(tag.length))))
      return {
        text: told(text.slice(from, Math.max(from, at - 1))),
        end: at + text.slice(at, end).indexOf(tag) + tag.length,
      };
    at = end + 1;
  }
  return { text: told(text.slice(from)), end: text.length };
}
