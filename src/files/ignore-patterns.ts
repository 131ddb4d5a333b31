// Patterns as `.gitignore` writes them: `*`, `?`, `[a-z]`, `**`, `/anchored`, `folder/`, `!kept`. Matched by hand and not
// by regular expressions made from them: a pattern comes from anybody, and none may take more than its length times the
// length of the path.

type Token =
  | { kind: 'char'; char: string }
  | { kind: 'any' }
  | { kind: 'star' }
  | { kind: 'class'; test: (char: string) => boolean };
type Segment = 'anything' | readonly Token[];
type Pattern = { segments: readonly Segment[]; anchored: boolean; folderOnly: boolean; kept: boolean };

const MAX_PATTERNS = 2_000;
const MAX_LENGTH = 500;

export class IgnorePatterns {
  readonly #patterns: readonly Pattern[];

  constructor(lines: readonly string[]) {
    this.#patterns = lines
      .slice(0, MAX_PATTERNS)
      .flatMap((line) => parse(line) ?? [])
      .reverse(); // the last one that matches decides
  }

  static parse(text: string): IgnorePatterns {
    return new IgnorePatterns(text.split(/\r?\n/, MAX_PATTERNS));
  }

  /** What they say of a path below their folder; `undefined` if nothing. */
  verdict(segments: readonly string[], isFolder: boolean): 'ignored' | 'kept' | undefined {
    for (const pattern of this.#patterns) {
      if (pattern.folderOnly && !isFolder) continue;
      const subject = pattern.anchored ? segments : segments.slice(-1);
      if (matchPath(pattern.segments, subject)) return pattern.kept ? 'kept' : 'ignored';
    }
    return undefined;
  }

  /** True if the path or a folder above it is ignored. */
  ignores(path: string): boolean {
    const segments = path.split('/');
    return segments.some((_, at) => this.verdict(segments.slice(0, at + 1), at < segments.length - 1) === 'ignored');
  }
}

function parse(line: string): Pattern | undefined {
  let text = line.replace(/(?<!\\)[ \t]+$/, '').slice(0, MAX_LENGTH);
  if (text === '' || text.startsWith('#')) return undefined;
  const kept = text.startsWith('!');
  if (kept) text = text.slice(1);
  const folderOnly = text.endsWith('/');
  if (folderOnly) text = text.slice(0, -1);
  const anchored = text.includes('/');
  if (text.startsWith('/')) text = text.slice(1);
  if (text === '') return undefined;
  const segments = text.split('/').map((part): Segment => (part === '**' && anchored ? 'anything' : tokens(part)));
  return { segments, anchored, folderOnly, kept };
}

function tokens(part: string): Token[] {
  const found: Token[] = [];
  for (let at = 0; at < part.length; at++) {
    const char = part[at]!;
    if (char === '*') {
      if (found.at(-1)?.kind !== 'star') found.push({ kind: 'star' });
    } else if (char === '?') found.push({ kind: 'any' });
    else if (char === '\\' && at + 1 < part.length) found.push({ kind: 'char', char: part[++at]! });
    else if (char === '[') {
      const end = part.indexOf(']', part[at + 1] === '!' || part[at + 1] === '^' ? at + 3 : at + 2);
      if (end === -1) found.push({ kind: 'char', char });
      else {
        found.push({ kind: 'class', test: classTest(part.slice(at + 1, end)) });
        at = end;
      }
    } else found.push({ kind: 'char', char });
  }
  return found;
}

function classTest(text: string): (char: string) => boolean {
  const negated = /^[!^]/.test(text);
  const body = negated ? text.slice(1) : text;
  const ranges: [string, string][] = [];
  for (let at = 0; at < body.length; at++) {
    if (body[at + 1] === '-' && at + 2 < body.length) {
      ranges.push([body[at]!, body[at + 2]!]);
      at += 2;
    } else ranges.push([body[at]!, body[at]!]);
  }
  return (char) => ranges.some(([from, to]) => char >= from && char <= to) !== negated;
}

/** `**` stands for any number of folders; at the end for at least one thing. */
function matchPath(pattern: readonly Segment[], path: readonly string[]): boolean {
  let at = 0;
  let next = 0;
  let star = -1;
  let retry = 0;
  while (at < path.length) {
    const segment = pattern[next];
    if (segment === 'anything') {
      if (next === pattern.length - 1) return true;
      star = next++;
      retry = at;
    } else if (segment !== undefined && matchSegment(segment, path[at]!)) {
      at++;
      next++;
    } else if (star !== -1) {
      next = star + 1;
      at = ++retry;
    } else return false;
  }
  return next === pattern.length;
}

function matchSegment(pattern: readonly Token[], name: string): boolean {
  let at = 0;
  let next = 0;
  let star = -1;
  let retry = 0;
  while (at < name.length) {
    const token = pattern[next];
    if (token?.kind === 'star') {
      star = next++;
      retry = at;
    } else if (token !== undefined && matchToken(token, name[at]!)) {
      at++;
      next++;
    } else if (star !== -1) {
      next = star + 1;
      at = ++retry;
    } else return false;
  }
  while (pattern[next]?.kind === 'star') next++;
  return next === pattern.length;
}

function matchToken(token: Token, char: string): boolean {
  if (token.kind === 'char') return token.char === char;
  return token.kind === 'class' ? token.test(char) : true;
}
