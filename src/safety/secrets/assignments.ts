// Finds secrets that are only known by the name they are given: `DB_PASSWORD=…`, `"apiKey": "…"`, `token: …`, `--password …`,
// `<secret>…</secret>`, “the password is …”. The name is read by its words (secret-names.ts), then what joins it to a value, in any syntax,
// then the value, which must look like one (secret-value.ts). Written by hand rather than as one regular expression, so that each step can be
// judged by itself.
import { lazy } from '../../model/lazy.ts';
import type { Fill, SecretPattern, Span } from './pattern.ts';
import { kindOfName, NAME_ANCHORS, type NameKind } from './secret-names.ts';
import { isMarkedPassword, isNamedSecret, isUuid, type ValueForm } from './secret-value.ts';

const LONGEST_NAME = 64;
const LONGEST_VALUE = 512;
const LONGEST_LINE = 160;
/** The word before a name. */
const LONGEST_BEFORE = 32;
/** What some anchors have besides the letters of the name. */
const BEHIND_ANCHORS = ' :=："是';

/** Signs that no way to join a name to a value begins with: most names in a sentence or a path end here, and nothing is made ready for them. */
export const JOINS_NOTHING = './<@#}&%~$^[';

/** How a name is joined to its value; the first that fits counts. */
type Joint = { readonly from: number; readonly form: ValueForm; readonly open?: string; readonly weak?: true };

export function findAssignment(text: string, at: number, anchor: string): Span | undefined {
  let letters = anchor.length;
  while (BEHIND_ANCHORS.includes(anchor[letters - 1]!)) letters -= 1;
  const end = endOfName(text, at + letters);
  if (end >= text.length || JOINS_NOTHING.includes(text[end]!)) return undefined;
  const start = startOfName(text, at);
  if (end - start > LONGEST_NAME) return undefined;
  const name = text.slice(start, end);
  const own = kindOfName(name);
  const kind = own === undefined || /^(?:key|passe)$/i.test(name) ? kindInWords(text, start, name) : own;
  // The user of a URL (`https://x-access-token:…@host`): its password has its own pattern, and ends before the host.
  if (kind === undefined || text.startsWith('://', start - 3)) return undefined;
  const place = { start, name, kind };
  return valueBehind(text, jointBehind(text, start, end), place) ?? valueBehind(text, looseBehind(text, end), place);
}

function valueBehind(
  text: string,
  joint: Joint | undefined,
  { start, name, kind }: { start: number; name: string; kind: NameKind },
): Span | undefined {
  if (joint === undefined) return undefined;
  const value = joint.open === undefined ? readBare(text, joint) : readQuoted(text, joint.from, joint.open);
  if (value === undefined) return undefined;
  const form = joint.open === undefined ? formOfBare(text, { start, value, form: joint.form }) : joint.form;
  const written = text.slice(value.start, value.end);
  // The mark that ended the sentence may be the password's own: then it is what tells `Rosa30Blatt!` from a name in a program.
  if (joint.open === undefined && form !== 'bare' && text[value.end] === '!' && isMarkedPassword(`${written}!`, kind))
    return { start: value.start, end: isNamedSecret(written, kind, form) ? value.end : value.end + 1 };
  // `-pass pass:…` has its own pattern; a lone `token` is mostly the id of something.
  if (/^(?:pass|env|file|fd):/.test(written) || (/^token$/i.test(name) && isUuid(written))) return undefined;
  return isNamedSecret(written, kind, form) ? value : undefined;
}

/** The same test for a value that is known to belong to a name, as in a parsed object. */
export function isSecretField(name: string, value: string): boolean {
  const kind = kindOfName(name);
  return kind !== undefined && isNamedSecret(value, kind, 'quoted');
}

/** Whether a name is one of a secret; most are not. */
export const isSecretName = (name: string): boolean => kindOfName(name) !== undefined;

/** A name of several words, as in a sentence: `api key`, `mot de passe`. */
function kindInWords(text: string, start: number, name: string): NameKind | undefined {
  if (text[start - 1] !== ' ') return undefined;
  const first = Math.max(0, start - LONGEST_BEFORE - 8);
  let end = start - 1;
  if (end - 4 >= first && text.startsWith(' de', end - 3) && isWordLetter(text.charCodeAt(end - 4))) end -= 3;
  let from = end;
  while (from > first && end - from < LONGEST_BEFORE && isWordLetter(text.charCodeAt(from - 1))) from -= 1;
  return from === end ? undefined : kindOfName(`${text.slice(from, start - 1)} ${name}`);
}

const isWordLetter = (code: number): boolean => code === 46 || (isNameLetter(code) && code < 128) || code >= 192;

/** Names reach back over letters, figures, `_`, `-`. */
function startOfName(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start <= LONGEST_NAME && isNameLetter(text.charCodeAt(start - 1))) start -= 1;
  // In a JSON string the line before may end in a written-out `\n`: its letter is no part of the name.
  if (text[start - 1] === '\\' && /[nrt]/.test(text[start]!) && start < at) start += 1;
  while (text[start] === '-') start += 1;
  return start;
}

/** Letters of any language, figures, `_`, `-`. */
function isNameLetter(code: number): boolean {
  if (code > 127)
    return code > 191 && !(code >= 0x2000 && code <= 0x206f) && !(code >= 0x3000 && code <= 0x303f) && code < 0xff00;
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 45
  );
}

function endOfName(text: string, at: number): number {
  let end = at;
  while (end < text.length && end - at <= LONGEST_NAME && isNameLetter(text.charCodeAt(end))) end += 1;
  while (text[end - 1] === '-' && end > at) end -= 1;
  return end;
}

const CLOSE = String.raw`(?<close>\\{0,3}["'\x60])?\]?\)?(?:\*\*)?`;
const OPEN = String.raw`(?:[rbuRBUfF@]{0,2}(?=\\{0,3}["']))?(?<open>\\{0,3}["'\x60]|&quot;|&#34;)?`;

/** `name = …`, `"name": …`, `name := …`, `name => …`, `name: Type = …` */
const ASSIGNED = lazy(
  () =>
    new RegExp(
      String.raw`${CLOSE}[ \t]{0,20}(?<operator>[?!]?:[ \t]{0,4}[&*]?[A-Za-z][\w.<>|]{1,24}[ \t]{0,4}=(?![=>])|\?\?=|\|\|=|[:?+]=|=>|->|={1,3}(?!>)|[:：](?!:)(?:\*\*)?)[ \t]{0,20}${OPEN}`,
      'y',
    ),
);
/** `"name", "value"`, `name("value")`, `set("name", "value")` */
const ARGUMENT = /(?:(?:\\{0,3}["'`])[ \t]{0,4},[ \t]{0,4}|\([ \t]{0,4})(?<open>\\{0,3}["'`])/y;
/** `name="password" value="…"`, `"name": "DB_PASSWORD", "value": "…"`, the same over two lines of YAML, `variable "db_password" { default = "…"` */
const PAIR = lazy(
  () =>
    new RegExp(
      String.raw`["'\x60]?[ \t]{0,8}[,;{]?\s{0,80}(?:[{]\s{0,40})?\\{0,3}["']?(?:value|default|content|Value)\\{0,3}["']?[ \t]{0,8}[:=][ \t]{0,8}${OPEN}`,
      'y',
    ),
);
/** `<name>…<`, `key="name">…<` */
const TAG = /["']?[ \t]{0,4}>(?:<!\[CDATA\[)?(?=[^\s<>])/y;
const CLOSED = /^[^<>\n]{1,400}(?:<\/|\]\]>)/;
const TABLE = /[*_`]{0,3}[ \t]{1,40}\|[ \t]{1,40}(?<open>`)?(?=[^\s|`])/y;
/** “is”, “was changed to” and what other languages say; between name and verb a few words may tell whose it is. */
const SAID = lazy(
  () =>
    /["'`]?[ \t]{1,3}(?:[A-Za-z0-9\u00c0-\uffff_.@/-]{1,24}[ \t]{1,3}){0,5}?(?:(?:was|is|has been|got|were|wurde) (?:now )?(?:changed|set|reset|updated|rotated|switched|geändert|gesetzt) (?:to|auf)|is now|is still|to be|is|was|are|be|(?:ist|lautet|heißt)(?: jetzt| nun)?|wäre|est(?: maintenant)?|es|é|è|to|auf|jest|är|er|je|là|adalah|este|είναι|это|هي|היא|(?<=salasana )on|as)(?:[ \t]{0,3}:)?[ \t]{1,3}(?<open>["'`“„«])?(?=\S)/y,
);
/** `password "…"`, SQL's `PASSWORD '…'` */
const SPACED_QUOTE = /[ \t]{1,4}(?<open>["'`])/y;
const SPACED = /[ \t]{1,20}(?=[^\s=:|,;.(){}<>])/y;

/** `password …` in the middle of a sentence, `password's …`, `password (…)`, `password -> …`, `password (prod): …`, `password for the new box: …` */
const LOOSE = lazy(
  () =>
    /(?:['’]s[ \t]{1,3}|[ \t]{1,3}(?:(?:->|=>|→)[ \t]{1,3}|\()?|(?:[ \t]{0,3}\([^()\n]{1,24}\)|(?:[ \t]{1,3}[A-Za-z0-9\u00c0-\uffff_.-]{1,24}){1,5}?)[ \t]?:[ \t]{1,3})(?=[A-Za-z0-9]\S{6})/y,
);

export function jointBehind(text: string, start: number, end: number): Joint | undefined {
  // What comes next says which ways to look for: a pattern of some size takes a hook a millisecond to be made ready.
  let blank = end;
  while (blank - end < 24 && (text[blank] === ' ' || text[blank] === '\t')) blank += 1;
  const next = text[blank] ?? '';
  const isWord = isNameLetter(next.charCodeAt(0));
  const marked = isWord ? undefined : jointByMark(text, { start, end, next });
  if (marked) return marked;
  return jointByWords(text, { start, end, next, isWord });
}

const DASH = /["'`]?[ \t]{1,3}[-–—][ \t]{1,3}(?<open>["'`])?(?=[A-Za-z0-9]\S{5})/y;

/** Nothing but its own looks speaks for such a value. */
export function looseBehind(text: string, end: number): Joint | undefined {
  const dash = matchAt(DASH, text, end);
  if (dash) return withOpen(dash, 'dash');
  const loose = matchAt(LOOSE(), text, end);
  return loose && { from: loose.from, form: 'loose' };
}

function jointByWords(
  text: string,
  place: { start: number; end: number; next: string; isWord: boolean },
): Joint | undefined {
  const { start, end, next, isWord } = place;
  if (next === 'v' || next === 'd' || next === 'c' || next === '\n') {
    const pair = matchAt(PAIR(), text, end);
    if (pair) return withOpen(pair, 'line');
  }
  if (isFlag(text, start)) {
    const spaced = matchAt(SPACED, text, end);
    return spaced && withOpen(quoteAt(text, spaced.from), 'said');
  }
  const isVerb = /^(?:pass|bearer)$/i.test(text.slice(start, end)); // “pass `x` to it”, “Bearer …”
  const quote = isVerb || isWord ? undefined : matchAt(SPACED_QUOTE, text, end);
  if (quote) return { from: quote.from, form: 'said', open: quote.groups.open! };
  const said = isVerb ? undefined : saidBehind(text, end);
  if (said) return said;
  const spaced = isConfigLine(text, start, isVerb) ? matchAt(SPACED, text, end) : undefined;
  return spaced && withOpen(quoteAt(text, spaced.from), 'line');
}

/** An operator, a bracket, a comma, a tag, a cell: anything but a blank and a word. */
function jointByMark(text: string, place: { start: number; end: number; next: string }): Joint | undefined {
  const { start, end, next } = place;
  const assigned = /[=:?!+|\-"'`\\\])：*]/.test(next) ? matchAt(ASSIGNED(), text, end) : undefined;
  if (assigned) return joinedBy(text, { start, end, ...assigned });
  const argument = /["'`\\(]/.test(next) ? matchAt(ARGUMENT, text, end) : undefined;
  if (argument) return { from: argument.from, form: 'quoted', open: argument.groups.open! };
  const pair = /["'`,;{]/.test(next) ? matchAt(PAIR(), text, end) : undefined;
  if (pair) return withOpen(pair, 'line');
  const tag = /[>"']/.test(next) ? matchAt(TAG, text, end) : undefined;
  if (tag && isInTag(text, start) && CLOSED.test(text.slice(tag.from, tag.from + LONGEST_VALUE)))
    return { from: tag.from, form: 'argument' };
  const table = /[|*_`]/.test(next) && lineBefore(text, start).includes('|') ? matchAt(TABLE, text, end) : undefined;
  return table && withOpen(table, 'line');
}

type Match = { from: number; groups: { [name: string]: string | undefined } };

function matchAt(pattern: RegExp, text: string, at: number): Match | undefined {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  return match === null ? undefined : { from: pattern.lastIndex, groups: match.groups ?? {} };
}

function withOpen({ from, groups }: Match, form: ValueForm): Joint {
  return groups.open === undefined
    ? { from, form }
    : { from, form: form === 'line' ? 'quoted' : form, open: groups.open };
}

function quoteAt(text: string, at: number): Match {
  const open = /["'`]/.test(text[at] ?? '') ? text[at]! : undefined;
  return { from: open === undefined ? at : at + 1, groups: { open } };
}

function saidBehind(text: string, end: number): Joint | undefined {
  const said = matchAt(SAID(), text, end);
  if (said === undefined) return undefined;
  const open = said.groups.open;
  return open === undefined
    ? { from: said.from, form: 'said' }
    : { from: said.from, form: 'said', open: CLOSING[open] ?? open };
}

const CLOSING: { readonly [open: string]: string } = { '“': '”', '„': '“', '«': '»' };

function joinedBy(text: string, place: Match & { start: number; end: number }): Joint | undefined {
  const { start, end, from, groups } = place;
  const { close, operator = '', open } = groups;
  if (open !== undefined) return { from, form: 'quoted', open };
  if (operator === '=>' || operator === '->') return close === undefined ? undefined : { from, form: 'bare' };
  if (operator.startsWith('=') && operator.length > 1) return { from, form: 'bare' };
  const isTight = from === end + 1;
  if (
    operator === '=' &&
    isTight &&
    (isShouted(text.slice(start, end)) || isFlag(text, start) || /[?&;]/.test(text[start - 1] ?? ''))
  )
    return { from, form: 'argument' };
  if (operator === ':' && isTight && text[start - 1] === '/') return { from, form: 'argument' }; // `/password:…` on Windows
  return { from, form: 'line' };
}

/** What stands before in the same line; never much, or a text of one line would take for ever. */
function lineBefore(text: string, start: number): string {
  const before = text.slice(Math.max(0, start - LONGEST_LINE), start);
  return before.slice(before.lastIndexOf('\n') + 1);
}

const isShouted = (name: string): boolean => /^[A-Z0-9_]+$/.test(name);

/** `--password`, `-Dpassword`, `-storepass` */
const isFlag = (text: string, start: number): boolean =>
  text[start - 1] === '-' && /[\s"'`[(,]-{1,2}$|^-{1,2}$/.test(text.slice(Math.max(0, start - 3), start));

function isInTag(text: string, start: number): boolean {
  if (text[start - 1] === '<' || text[start - 1] === ':') return true;
  const before = lineBefore(text, start);
  return before.lastIndexOf('<') > before.lastIndexOf('>');
}

/** The name begins its line, or stands behind a user: then a blank may be all that is between it and its value. */
function isConfigLine(text: string, start: number, isVerb: boolean): boolean {
  const line = lineBefore(text, start);
  if (/\b(?:user(?:name)?|login|machine)\b[ :=]\S{1,64}[\s,;]{1,8}$/i.test(line)) return true;
  return !isVerb && /^(?:[ \t+>#-]*|ENV |ARG |.*\bwith |.*\d, )$/i.test(line);
}

/** A bare word in a program is mostly a name; at the end of its own line, or in a setting, it is a value. */
function formOfBare(text: string, { start, value, form }: { start: number; value: Span; form: ValueForm }): ValueForm {
  if (form !== 'line') return form;
  const line = lineBefore(text, start);
  const end = text[value.end] === '!' ? value.end + 1 : value.end; // the end of a sentence, or of the password
  const behind = text.slice(end, end + 3);
  if (/\b(?:host|user|dbname|server|uid|port)=\S{1,64} $/i.test(line)) return 'line';
  if (/^[);]/.test(behind) && !/;/.test(line)) return 'bare';
  if (/^,?\s*$|^\s*[#;]|^\\n/.test(behind) || /;[^;]*$/.test(line)) return /[({]\s*$/.test(line) ? 'bare' : 'line';
  return /^[ \t]*(?:[-+*>#] ?)?[\w.-]*$/.test(line)
    ? 'line'
    : /^[\s,]/.test(behind) && !/[({=]/.test(line)
      ? 'line'
      : 'bare';
}

function readQuoted(text: string, from: number, open: string): Span | undefined {
  const most = text.slice(from, from + LONGEST_VALUE + open.length);
  for (let close = most.indexOf(open); close !== -1; close = most.indexOf(open, close + open.length)) {
    const value = most.slice(0, close);
    if (value.includes('\n')) return undefined;
    if (open.length === 1 && value.endsWith('\\')) continue;
    if (open === '"' && most.startsWith('""', close) && close > 0) {
      close += 1;
      continue;
    }
    return { start: from, end: from + close };
  }
  return readBare(text, { from, form: 'line' });
}

const BARE = /[^\s"'`,;<>(){}[\]|&\\]{4,256}/y;
/** A quote in the middle of a value that nobody quoted. */
const QUOTE_INSIDE = /["'`][\w!@#$%^&*]{1,32}(?=\s|$)/y;

function restBehindQuote(text: string, end: number): number {
  QUOTE_INSIDE.lastIndex = end;
  return QUOTE_INSIDE.exec(text)?.[0].length ?? 0;
}

function readBare(text: string, { from, form }: Joint): Span | undefined {
  BARE.lastIndex = from;
  if (!BARE.test(text)) return undefined;
  let end = BARE.lastIndex;
  // A call, an index or a generic type is code; a full stop or colon ends the sentence, not the value.
  if (/[([{]/.test(text[end] ?? '') || (text[end] === '<' && text[end + 1] !== '/')) return undefined;
  if (form === 'line' || form === 'said') end += restBehindQuote(text, end);
  while (/[.:?!]/.test(text[end - 1]!) && end > from + 4) end -= 1;
  end += restBehindAnd(text, end);
  return { start: from, end };
}

// In a query an `&` ends the value, and in a shell it ends the command; anywhere else it is one of its marks.
const REST = /&[^\s"'`,;<>(){}[\]|&\\=]{1,32}(?![^\s=]{0,32}=)/y;

function restBehindAnd(text: string, end: number): number {
  REST.lastIndex = end;
  return REST.exec(text)?.[0].length ?? 0;
}

export const assignmentPattern = (): SecretPattern => ({
  kind: 'assigned-secret',
  description:
    'Values given to a name such as `password`, `secret`, `token`, `api_key`, `private_key`, `credential`, in any syntax and several languages, if they look like a secret',
  anchors: NAME_ANCHORS,
  ignoreCase: true,
  find: findAssignment,
  example: (fill: Fill) => ['DB_PASSWORD=', fill('A-Za-z0-9', 20), '\n'],
});
