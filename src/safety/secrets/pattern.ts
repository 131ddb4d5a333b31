// The shape of one way to recognise a secret, and the builders the tables use. A pattern is only ever tried where one
// of its anchors (short literals, found for all patterns in one pass) occurs, and looks at a bounded stretch from
// there. That makes redaction linear in the text, whatever the text is.
import { isPlaceholderToken, isWordList } from './secret-value.ts';

/** Where a secret stands. `tail` overrides the last characters shown in the mask. */
export type Span = { start: number; end: number; tail?: string };

/** Makes `length` characters of a character class such as `A-Za-z0-9_`; examples are built from it at run time. */
export type Fill = (charClass: string, length: number) => string;

export type Example = readonly [before: string, secret: string, after: string];

export type SecretPattern = {
  kind: string;
  description: string;
  /** Literals of at least three characters; lower case when `ignoreCase` is set. */
  anchors: readonly string[];
  ignoreCase?: boolean;
  /** Called with the position of an anchor. */
  find: (text: string, at: number, anchor: string) => Span | undefined;
  /** Text around a secret of this kind. Never a literal in the source, so that no scanner takes it for a leak. */
  example: (fill: Fill) => Example;
};

export const ALNUM = 'A-Za-z0-9';
export const WORD = 'A-Za-z0-9_';
export const DASHED = 'A-Za-z0-9_-';
export const BASE64 = 'A-Za-z0-9+/';
export const HEX = 'a-f0-9';

/**
 * A left edge: none of these characters before, unless they end an escape (`\n`, `%3D`, a terminal colour), for secrets
 * sit in JSON strings, URLs and logs too.
 */
export function edge(charClass: string): string {
  return String.raw`(?:(?<![${charClass}])|(?<=\\[nrt]|%[0-9A-Fa-f]{2}|\[[0-9;]{0,9}m))`;
}

export const EDGE = edge(ALNUM);

type MatchOptions = {
  ignoreCase?: boolean;
  accept?: (secret: string, match: RegExpExecArray, anchor: string) => boolean;
};

/**
 * A finder from a regular expression that starts at the anchor. The group `secret`, else the whole match, is masked;
 * a group `head` in a lookbehind says where a secret starts whose anchor is not its beginning.
 */
export function matching(source: string | (() => string), options: MatchOptions = {}): SecretPattern['find'] {
  let regex: RegExp | undefined;
  return (text, at, anchor) => {
    regex ??= new RegExp(typeof source === 'string' ? source : source(), options.ignoreCase ? 'diy' : 'dy');
    regex.lastIndex = at;
    const match = regex.exec(text);
    if (match === null) return undefined;
    const groups = match.indices!.groups;
    const [from, end] = groups?.secret ?? match.indices![0]!;
    const start = groups?.head?.[0] ?? from;
    return (options.accept?.(text.slice(start, end), match, anchor) ?? true) ? { start, end } : undefined;
  };
}

type TokenBody = {
  of: string;
  min: number;
  max?: number;
  /** The prefix is short enough to occur inside words or data: ask for an edge on both sides. */
  edges?: boolean;
  /** The prefix occurs in ordinary names: refuse bodies that are words joined by separators. */
  notWords?: boolean;
  /** The prefix looks like the start of a call (`hvs.name`): ask for a digit. */
  digits?: boolean;
};

/** A token that names its issuer by a prefix: the bulk of the table. */
export function prefixed(
  kind: string,
  description: string,
  prefixes: readonly string[],
  body: TokenBody,
): SecretPattern {
  const { of, min, max = 255 } = body;
  const source = (): string => {
    const start = prefixes.map((prefix) => prefix.replace(/[.$|]/g, '\\$&')).join('|');
    const token = `(?:${start})[${of}]{${min},${max}}`;
    return body.edges ? `${EDGE}${token}(?![${of}])` : token;
  };
  return {
    kind,
    description,
    anchors: prefixes,
    find: matching(source, {
      accept: (secret, _match, anchor) => {
        const rest = secret.slice(anchor.length);
        return (
          !isPlaceholderToken(rest) && !(body.notWords && isWordList(rest)) && !(body.digits && !/[0-9]/.test(rest))
        );
      },
    }),
    example: (fill) => ['', prefixes[0]! + fill(of, min), ''],
  };
}
