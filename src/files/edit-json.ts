// Changes one value inside JSON text and leaves every other byte alone: order, spacing, and what a parser would lose
// (numbers beyond double precision, doubled keys). Configuration files belong to people, so they are edited, not rewritten.

import { CairnError } from '../errors.ts';

/** `existing` is a key in the file, `wanted` the one looked for. */
export type SameKey = (existing: string, wanted: string, depth: number) => boolean;
type Member = { key: string; keyStart: number; valueStart: number; valueEnd: number };

const exactly: SameKey = (existing, wanted) => existing === wanted;

/** `text` must be a JSON object that `JSON.parse` accepts. Sections that are missing, or null, are made. */
export function setInJson(text: string, path: readonly string[], value: unknown, same: SameKey = exactly): string {
  const style = styleOf(text);
  let start = skipSpace(text, 0);
  for (let depth = 0; ; depth++) {
    const key = path[depth]!;
    const rest = path.slice(depth + 1);
    const member = membersOf(text, start).findLast((candidate) => same(candidate.key, key, depth));
    const made = rest.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
    if (!member) return insert(text, start, { key, value: made, style });
    const old = text.slice(member.valueStart, member.valueEnd);
    if (rest.length === 0 || old === 'null')
      return splice(text, member.valueStart, member.valueEnd, print(made, indentAt(text, member.keyStart), style));
    if (!old.startsWith('{')) throw notASection(path.slice(0, depth + 1), old);
    start = member.valueStart;
  }
}

/** Takes a value out, with all its doubles. Text without it comes back unchanged. */
export function removeFromJson(text: string, path: readonly string[], same: SameKey = exactly): string {
  let start = skipSpace(text, 0);
  for (const [depth, key] of path.slice(0, -1).entries()) {
    const member = membersOf(text, start).findLast((candidate) => same(candidate.key, key, depth));
    if (!member || text[member.valueStart] !== '{') return text;
    start = member.valueStart;
  }
  let result = text;
  for (;;) {
    const members = membersOf(result, start);
    const at = members.findIndex((candidate) => same(candidate.key, path.at(-1)!, path.length - 1));
    if (at < 0) return result;
    result = cutMember(result, start, members, at);
  }
}

function cutMember(text: string, start: number, members: readonly Member[], at: number): string {
  const member = members[at]!;
  const next = members[at + 1];
  if (next) return splice(text, member.keyStart, next.keyStart, '');
  const previous = members[at - 1];
  if (previous) return splice(text, previous.valueEnd, member.valueEnd, '');
  return splice(text, start + 1, skipSpace(text, member.valueEnd), '');
}

type Style = { unit: string; newline: string };

/** No newline inside the object: it is written on one line, and stays so. */
function styleOf(text: string): Style | undefined {
  const body = text.trim();
  if (!body.includes('\n')) return /^\{\s*\}$/.test(body) ? { unit: '  ', newline: '\n' } : undefined;
  const unit = /\n([ \t]+)"/.exec(body)?.[1] ?? '  ';
  return { unit, newline: body.includes('\r\n') ? '\r\n' : '\n' };
}

function insert(text: string, start: number, made: { key: string; value: unknown; style: Style | undefined }): string {
  const { key, value, style } = made;
  const members = membersOf(text, start);
  const last = members.at(-1);
  const body = (indent: string) => `${JSON.stringify(key)}: ${print(value, indent, style)}`;
  if (last) {
    const onOwnLine = style && text.slice(start, last.keyStart).includes('\n');
    const indent = indentAt(text, last.keyStart);
    return splice(
      text,
      last.valueEnd,
      last.valueEnd,
      onOwnLine ? `,${style.newline}${indent}${body(indent)}` : `, ${body(indent)}`,
    );
  }
  const close = skipSpace(text, start + 1);
  if (!style) return splice(text, start + 1, close, body(''));
  const outer = indentAt(text, start);
  const inner = outer + style.unit;
  return splice(text, start + 1, close, `${style.newline}${inner}${body(inner)}${style.newline}${outer}`);
}

function print(value: unknown, indent: string, style: Style | undefined): string {
  if (!style) return JSON.stringify(value);
  return JSON.stringify(value, null, style.unit).replaceAll('\n', style.newline + indent);
}

/** The white space that the line of `position` begins with. */
function indentAt(text: string, position: number): string {
  const line = text.lastIndexOf('\n', position - 1) + 1;
  return /^[ \t]*/.exec(text.slice(line, position))![0];
}

function membersOf(text: string, start: number): Member[] {
  const members: Member[] = [];
  let at = skipSpace(text, start + 1);
  while (text[at] === '"') {
    const keyStart = at;
    const keyEnd = skipValue(text, at);
    const valueStart = skipSpace(text, skipSpace(text, keyEnd) + 1); // past the colon
    const valueEnd = skipValue(text, valueStart);
    members.push({ key: JSON.parse(text.slice(keyStart, keyEnd)) as string, keyStart, valueStart, valueEnd });
    at = skipSpace(text, valueEnd);
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return members;
}

/** Where the value that begins at `at` ends. */
function skipValue(text: string, at: number): number {
  let depth = 0;
  let position = at;
  do {
    const character = text[position]!;
    if (character === '"') position = skipString(text, position);
    else {
      if (character === '{' || character === '[') depth++;
      else if (character === '}' || character === ']') depth--;
      else if (depth === 0) return skipWord(text, position);
      position++;
    }
  } while (depth > 0 && position < text.length);
  return position;
}

function skipString(text: string, at: number): number {
  let position = at + 1;
  while (text[position] !== '"') position += text[position] === '\\' ? 2 : 1;
  return position + 1;
}

function skipWord(text: string, at: number): number {
  let position = at;
  while (position < text.length && !/[\s,\]}]/.test(text[position]!)) position++;
  return position;
}

function skipSpace(text: string, at: number): number {
  let position = at;
  while (/[ \t\r\n]/.test(text[position] ?? '')) position++;
  return position;
}

function splice(text: string, from: number, to: number, by: string): string {
  return text.slice(0, from) + by + text.slice(to);
}

function notASection(path: readonly string[], old: string): CairnError {
  return new CairnError('CONFIG_ERROR', `"${path.join('.')}" is not an object in this file but ${old.slice(0, 40)}.`, {
    details: [['key', path.join('.')]],
    fix: `Remove it first: cairn config unset ${path.join('.')}`,
  });
}
