// Changes one value inside JSON text, with or without comments, and leaves every other byte alone: order, spacing, and what a parser
// would lose (numbers beyond double precision, doubled keys). Configuration files belong to people, so they are edited, not rewritten.
// `jsonc-parser` says where everything stands. Its own `modify` is not used: it lays out the neighbours on the line anew.

import { createScanner, getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { CairnError } from '../errors.ts';
import { isObject, type JsonObject } from '../model/json.ts';

/** `existing` is a key in the file, `wanted` the one looked for. */
export type SameKey = (existing: string, wanted: string, depth: number) => boolean;
type Member = { readonly key: string; readonly start: number; readonly end: number; readonly value: Node };

const exactly: SameKey = (existing, wanted) => existing === wanted;

/** The object that a text holds, in which comments and commas before a closing brace are allowed. */
export function parseCommentedObject(text: string, file: string): JsonObject {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  const value: unknown = tree && getNodeValue(tree);
  const [error] = errors;
  if (!error && isObject(value)) return value;
  const why = error ? `${printParseErrorCode(error.error)} at character ${error.offset + 1}` : 'it holds no object';
  throw new CairnError('READ_ERROR', `${file} is not valid JSON: ${why}.`, { details: [['target', file]] });
}

/** `text` must hold a JSON object. Sections that are missing, or null, are made. */
export function setInJson(text: string, path: readonly string[], value: unknown, same: SameKey = exactly): string {
  const style = styleOf(text);
  let object = rootOf(text);
  for (let depth = 0; ; depth++) {
    const key = path[depth]!;
    const rest = path.slice(depth + 1);
    const member = membersOf(object).findLast((candidate) => same(candidate.key, key, depth));
    const made = rest.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
    if (!member) return insert(text, object, { key, value: made, style });
    const old = text.slice(member.value.offset, member.end);
    if (rest.length === 0 || old === 'null')
      return splice(text, member.value.offset, member.end, print(made, indentAt(text, member.start), style));
    if (member.value.type !== 'object') throw notASection(path.slice(0, depth + 1), old);
    object = member.value;
  }
}

/** Takes a value out, with all its doubles. Text without it comes back unchanged; comments stay. */
export function removeFromJson(text: string, path: readonly string[], same: SameKey = exactly): string {
  let result = text;
  for (;;) {
    const object = sectionAt(rootOf(result), path.slice(0, -1), same);
    const members = object ? membersOf(object) : [];
    const at = members.findIndex((candidate) => same(candidate.key, path.at(-1)!, path.length - 1));
    if (!object || at < 0) return result;
    result = cutMember(result, object, members, at);
  }
}

function rootOf(text: string): Node {
  const tree = parseTree(text, [], { allowTrailingComma: true });
  if (tree?.type !== 'object') throw new Error('no JSON object');
  return tree;
}

function membersOf(object: Node): Member[] {
  return (object.children ?? []).flatMap(({ offset, length, children }): Member[] => {
    const [key, value] = children ?? [];
    return key && value ? [{ key: key.value as string, start: offset, end: offset + length, value }] : [];
  });
}

function sectionAt(root: Node, path: readonly string[], same: SameKey): Node | undefined {
  let object: Node | undefined = root;
  for (const [depth, key] of path.entries()) {
    const members: Member[] = object ? membersOf(object) : [];
    object = members.findLast((candidate) => same(candidate.key, key, depth))?.value;
  }
  return object?.type === 'object' ? object : undefined;
}

function cutMember(text: string, object: Node, members: readonly Member[], at: number): string {
  const { start, end } = members[at]!;
  const previous = members[at - 1];
  const comma = commaBehind(text, end);
  if (members[at + 1] && comma !== undefined) return splice(text, start, skipSpace(text, comma + 1), '');
  const before = previous ? text.slice(previous.end, start) : '';
  if (before.includes('/')) {
    // The comments above it stay, and so does the line break that may end them.
    const cut = splice(text, start, comma === undefined ? end : comma + 1, '');
    const between = comma === undefined ? commaBehind(text, previous!.end) : undefined;
    return between === undefined ? cut : splice(cut, between, between + 1, '');
  }
  if (previous) return splice(text, previous.end, end, '');
  const last = comma === undefined ? end : comma + 1;
  const isAlone = skipSpace(text, object.offset + 1) === start;
  return splice(text, isAlone ? object.offset + 1 : start, isAlone ? skipSpace(text, last) : last, '');
}

/** Where the comma behind a value stands, if there is one. */
function commaBehind(text: string, end: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(end);
  scanner.scan();
  const at = scanner.getTokenOffset();
  return text[at] === ',' ? at : undefined;
}

type Style = { unit: string; newline: string };

/** No newline inside the object: it is written on one line, and stays so. */
function styleOf(text: string): Style | undefined {
  const body = text.trim();
  if (!body.includes('\n')) return /^\{\s*\}$/.test(body) ? { unit: '  ', newline: '\n' } : undefined;
  const unit = /\n([ \t]+)"/.exec(body)?.[1] ?? '  ';
  return { unit, newline: body.includes('\r\n') ? '\r\n' : '\n' };
}

/** A comment that ends the line of the value before, with the comma that may stand between. */
const COMMENT_BEHIND = /^([ \t]*,?[ \t]*)(?:\/\/[^\r\n]*|\/\*[^\r\n]*\*\/[ \t]*(?=[\r\n]))/;

function insert(text: string, object: Node, made: { key: string; value: unknown; style: Style | undefined }): string {
  const { key, value, style } = made;
  const last = membersOf(object).at(-1);
  const body = (indent: string) => `${JSON.stringify(key)}: ${print(value, indent, style)}`;
  if (last) {
    const indent = indentAt(text, last.start);
    const isOnOwnLine = style && text.slice(object.offset, last.start).includes('\n');
    if (!isOnOwnLine) return splice(text, last.end, last.end, `, ${body(indent)}`);
    const line = `${style.newline}${indent}${body(indent)}`;
    const [comment, gap] = COMMENT_BEHIND.exec(text.slice(last.end)) ?? [];
    if (comment === undefined || gap === undefined) return splice(text, last.end, last.end, `,${line}`);
    const behind = last.end + comment.length;
    const isTrailed = gap.includes(',');
    const added = splice(text, behind, behind, isTrailed ? `${line},` : line);
    return isTrailed ? added : splice(added, last.end, last.end, ',');
  }
  const close = object.offset + object.length - 1;
  const inside = text.slice(object.offset + 1, close).trimEnd();
  const from = object.offset + 1 + inside.length;
  if (!style) return splice(text, from, close, body(''));
  const outer = indentAt(text, object.offset);
  const inner = outer + style.unit;
  return splice(text, from, close, `${style.newline}${inner}${body(inner)}${style.newline}${outer}`);
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
