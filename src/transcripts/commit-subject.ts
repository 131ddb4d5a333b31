// The subjects of the commits that a shell command makes, as people and models write them: `-m "…"`, `-am '…'`, a
// here-document in `$(cat <<'EOF' …)` or behind `-F -`, several commands in a row. Reads the words of the command like a shell
// does, in one go; whatever it does not understand yields nothing.

const MOST_TEXT = 32_768;
const SUBJECT_LENGTH = 300;
const BLANK = /[ \t\r]/;
const ENDS_COMMAND = /[\n;|&()]/;
const HERE_DOCUMENT = /<<(-?)[ \t]*(?:'([^'\n]+)'|"([^"\n]+)"|\\?([\w.-]+))/y;
const CAT_HERE = /\$\(\s*cat\s*(?=<<[^<])/y;
/** These words before `git` only talk about it. */
const TALKS = new Set([
  'echo',
  'printf',
  'grep',
  'rg',
  'man',
  'which',
  'type',
  'alias',
  'history',
  'cat',
  'sed',
  'awk',
]);
const WITH_VALUE = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--config-env']);
/** Flags of `git commit` that may stand before `m` in one word. */
const MESSAGE_FLAG = /^-[asvqnepoi]*m([\s\S]*)$/;
const FILE_FLAG = /^(?:-[asvqnepoi]*F|--file=?)([\s\S]*)$/;
const MOST_BEFORE_GIT = 4;

type Command = { words: string[]; input: string | undefined };

export function commitSubjects(command: string): string[] {
  if (!command.includes('commit')) return [];
  return commandsOf(command.slice(0, MOST_TEXT)).flatMap((each) => subjectOfWords(each.words, each.input) ?? []);
}

/** The same for a command whose words are known already. */
export function subjectOfWords(words: readonly string[], input?: string): string | undefined {
  const git = words.slice(0, MOST_BEFORE_GIT).findIndex((word) => /(?:^|[\\/])git(?:\.exe)?$/.test(word));
  if (git === -1 || words.slice(0, git).some((word) => TALKS.has(word))) return undefined;
  let at = git + 1;
  while (words[at]?.startsWith('-')) at += WITH_VALUE.has(words[at]!) ? 2 : 1;
  return words[at] === 'commit' ? subjectOf(messageOf(words.slice(at + 1), input)) : undefined;
}

function messageOf(options: readonly string[], input: string | undefined): string | undefined {
  for (const [index, option] of options.entries()) {
    if (option === '--') return undefined;
    if (option === '--message') return options[index + 1];
    if (option.startsWith('--message=')) return option.slice('--message='.length);
    const message = MESSAGE_FLAG.exec(option);
    if (message) return message[1] || options[index + 1];
    const file = FILE_FLAG.exec(option);
    if (file) return (file[1] || options[index + 1]) === '-' ? input : undefined;
  }
  return undefined;
}

/** The first line that says something, unless it is a variable. */
function subjectOf(message: string | undefined): string | undefined {
  const line = message
    ?.replace(/^@\n/, '')
    .split('\n')
    .find((each) => each.trim() !== '')
    ?.trim();
  return line === undefined || /^\$\{?\w+\}?$/.test(line) ? undefined : line.slice(0, SUBJECT_LENGTH);
}

function commandsOf(text: string): Command[] {
  const commands: Command[] = [];
  let current: Command = { words: [], input: undefined };
  let word: string | undefined;
  /** Here-documents whose text begins behind the end of this line. */
  let waiting: { command: Command; tag: string; indented: boolean }[] = [];
  const endWord = (): void => {
    if (word !== undefined) current.words.push(word);
    word = undefined;
  };
  for (let at = 0; at < text.length; ) {
    const letter = text[at]!;
    if (ENDS_COMMAND.test(letter)) {
      endWord();
      if (current.words.length > 0) commands.push(current);
      current = { words: [], input: undefined };
      at += 1;
      if (letter !== '\n') continue;
      for (const { command, tag, indented } of waiting) {
        const body = hereText(text, at, tag, indented);
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
      if (here) waiting.push({ command: current, tag: here.tag, indented: here.indented });
      at = here?.end ?? at + 2;
    } else if (letter === '<' || letter === '>') {
      endWord();
      at += 1;
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
  return commands;
}

type Piece = { text: string; end: number };

/** One letter, one quoted part, or one substitution. */
function pieceAt(text: string, at: number): Piece {
  const letter = text[at]!;
  if (letter === '\\') return { text: text[at + 1] === '\n' ? '' : (text[at + 1] ?? ''), end: at + 2 };
  if (letter === "'") return until(text, at + 1, "'");
  if (letter === '`') return { text: '', end: until(text, at + 1, '`').end };
  if (letter === '"') return doubleQuoted(text, at + 1);
  if (letter === '$' && text[at + 1] === "'") return escaped(text, at + 2);
  if (letter === '$' && text[at + 1] === '(') return substitution(text, at);
  return { text: letter, end: at + 1 };
}

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
      kept += text[at];
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
    const body = hereText(text, line + 1, here.tag, here.indented);
    const close = text.indexOf(')', body.end);
    return { text: body.text, end: close === -1 ? text.length : close + 1 };
  }
  let depth = 0;
  for (let place = at + 1; place < text.length; place += 1) {
    if (text[place] === "'") place = until(text, place + 1, "'").end - 1;
    else if (text[place] === '(') depth += 1;
    else if (text[place] === ')') {
      depth -= 1;
      if (depth === 0) return { text: '', end: place + 1 };
    }
  }
  return { text: '', end: text.length };
}

function tagAt(text: string, at: number): { tag: string; indented: boolean; end: number } | undefined {
  HERE_DOCUMENT.lastIndex = at;
  const match = HERE_DOCUMENT.exec(text);
  const tag = match?.[2] ?? match?.[3] ?? match?.[4];
  return tag === undefined ? undefined : { tag, indented: match![1] === '-', end: HERE_DOCUMENT.lastIndex };
}

/** The lines up to the one that is the tag; models also indent that line, or put the closing bracket behind it. */
function hereText(text: string, from: number, tag: string, indented: boolean): Piece {
  for (let at = from; at < text.length; ) {
    const newline = text.indexOf('\n', at);
    const end = newline === -1 ? text.length : newline;
    const line = text.slice(at, end).trim();
    if (line === tag || (line.startsWith(tag) && /^[)"'\s;]/.test(line.slice(tag.length)))) {
      const body = text.slice(from, Math.max(from, at - 1));
      return {
        text: indented ? body.replace(/^\t+/gm, '') : body,
        end: at + text.slice(at, end).indexOf(tag) + tag.length,
      };
    }
    at = end + 1;
  }
  return { text: text.slice(from), end: text.length };
}
