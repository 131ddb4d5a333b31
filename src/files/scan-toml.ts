// Where the statements of a TOML text are: tables, keys, and the lines between them. It takes text that a parser has accepted and says
// places, not values, so that an edit can leave every other byte alone.

export type TomlStatement = {
  readonly kind: 'table' | 'tables' | 'key' | 'other';
  /** Of a table its full name, of a key the name inside its table. */
  readonly path: readonly string[];
  readonly start: number;
  /** After the line ending. */
  readonly end: number;
  readonly value?: { readonly start: number; readonly end: number };
};

export function scanToml(text: string): TomlStatement[] {
  const statements: TomlStatement[] = [];
  for (let start = text.startsWith('\uFEFF') ? 1 : 0; start < text.length; start = statements.at(-1)!.end) {
    const at = blanks(text, start);
    if (text[at] === '[') statements.push(header(text, start, at));
    else if (at >= text.length || /[#\r\n]/.test(text[at]!))
      statements.push({ kind: 'other', path: [], start, end: lineEnd(text, at) });
    else statements.push(keyAndValue(text, start, at));
  }
  return statements;
}

function header(text: string, start: number, at: number): TomlStatement {
  const isArray = text[at + 1] === '[';
  const { path, end } = keyPath(text, at + (isArray ? 2 : 1));
  return { kind: isArray ? 'tables' : 'table', path, start, end: lineEnd(text, end) };
}

function keyAndValue(text: string, start: number, at: number): TomlStatement {
  const { path, end } = keyPath(text, at);
  const valueStart = blanks(text, end + 1); // past the sign of equality
  const valueEnd = endOfValue(text, valueStart);
  return { kind: 'key', path, start, end: lineEnd(text, valueEnd), value: { start: valueStart, end: valueEnd } };
}

/** ` a . "b.c" . 'd' ` → its parts, and where it ends. */
function keyPath(text: string, from: number): { path: string[]; end: number } {
  const path: string[] = [];
  for (let at = from; ; at++) {
    at = blanks(text, at);
    const quote = text[at];
    if (quote === '"' || quote === "'") {
      const end = endOfString(text, at);
      path.push(quote === '"' ? unescaped(text.slice(at, end)) : text.slice(at + 1, end - 1));
      at = end;
    } else {
      const bare = /[^\s.=\]]*/y;
      bare.lastIndex = at;
      path.push(bare.exec(text)![0]);
      at += path.at(-1)!.length;
    }
    at = blanks(text, at);
    if (text[at] !== '.') return { path, end: at };
  }
}

/** TOML has two escapes that JSON has not. */
function unescaped(quoted: string): string {
  try {
    const points = quoted.replace(/\\U([0-9a-f]{8})/gi, (_, hex: string) =>
      String.fromCodePoint(Number.parseInt(hex, 16)),
    );
    return JSON.parse(points) as string;
  } catch {
    return quoted; // the name of another table: it is only compared with ours
  }
}

/** Strings may hold anything, lists and tables may run over many lines. */
function endOfValue(text: string, from: number): number {
  let [depth, end] = [0, from];
  for (let at = from; at < text.length; ) {
    const sign = text[at]!;
    if (sign === '\n' && depth === 0) break;
    if (sign === '#') {
      if (depth === 0) break;
      at = lineEnd(text, at);
      continue;
    }
    if (sign === '"' || sign === "'") at = endOfString(text, at);
    else {
      if (sign === '[' || sign === '{') depth++;
      if (sign === ']' || sign === '}') depth--;
      at++;
    }
    if (!/[ \t\r\n]/.test(sign)) end = at;
  }
  return end;
}

function endOfString(text: string, from: number): number {
  const quote = text[from]!;
  const isLong = text.startsWith(quote.repeat(3), from);
  const closing = isLong ? quote.repeat(3) : quote;
  for (let at = from + closing.length; at < text.length; at++) {
    if (quote === '"' && text[at] === '\\') at++;
    else if (text.startsWith(closing, at)) {
      at += closing.length;
      // A long string may end with one or two quotes of its own.
      for (let more = 0; isLong && more < 2 && text[at] === quote; more++) at++;
      return at;
    }
  }
  return text.length;
}

function blanks(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\t') at++;
  return at;
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end + 1;
}
