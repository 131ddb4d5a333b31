// Applies the line patterns of a language: what a text defines, what it imports, and what it says that it is for. How
// far a line is indented says what it belongs to; bodies of functions are passed over. Everything is bounded.

import { docAbove, docString, firstProse, headerPurpose, purposeText, sentenceOf, shorten } from './first-comment.ts';
import type { LinePatterns, Row } from './line-patterns.ts';
import { codeText, LITERAL, type Source, sourceOf, statementEnd } from './source.ts';

export type Definition = {
  name: string;
  /** One line, as it stands in the source, without its body. */
  signature: string;
  /** 1-based. */
  line: number;
  /** Others may use it: exported, public, capitalised, whatever the language says. */
  exported: boolean;
  /** The first sentence of its documentation. */
  doc?: string;
  /** The class, trait or module that it is part of. */
  owner?: string;
};

export type Extract = {
  /** The first paragraph of what the file says about itself; empty if it says nothing. */
  purpose: string;
  definitions: Definition[];
  /** As the language writes them (`./config`, `.models`, `"util.h"`, `crate::store`); each once, in order. */
  imports: string[];
};

/** A file with more definitions than this is data or an attack; the rest is not worth the time. */
const MAX_DEFINITIONS = 2_000;
const MAX_IMPORTS = 200;
const MAX_DEPTH = 60;
const MAX_LISTS = 200;
const MAX_LIST = 5_000;

export function readLines(text: string, patterns: LinePatterns): Extract {
  const source = sourceOf(text, patterns.hidden);
  let definitions = definitionsIn(source, patterns, patterns.rows);
  if (definitions.length === 0 && patterns.otherwise)
    definitions = definitionsIn(source, patterns, patterns.otherwise).slice(0, 100);
  return { purpose: purposeOf(source, patterns), definitions, imports: importsIn(source, patterns) };
}

function purposeOf(source: Source, { documentation, preamble, mayBeProse }: LinePatterns): string {
  const own = documentation === 'string' ? purposeText(docString(source, 0)[0] ?? '') : '';
  return own || headerPurpose(source, preamble) || (mayBeProse ? firstProse(source.text) : '');
}

/** What the lines below belong to, as long as they are indented further. */
type Holder = {
  name: string;
  row: Row;
  indent: number;
  /** How far its own lines are indented; a line further in belongs to a body. */
  body?: number;
  exported: boolean;
  isPublic: boolean;
};

type Listed = ReadonlyMap<string, { name: string; line: number }>;
type Reading = { source: Source; patterns: LinePatterns; listed: Listed; definitions: Map<string, Definition> };
type Place = { at: number; line: number; indent: number; holder: Holder | undefined };

function definitionsIn(source: Source, patterns: LinePatterns, allRows: readonly Row[]): Definition[] {
  const { code, starts } = source;
  const reading: Reading = { source, patterns, listed: listedIn(source, patterns), definitions: new Map() };
  const rows = allRows.filter((row) => row.when?.test(source.text) ?? true);
  const holders: Holder[] = [];
  for (let line = 0; line < starts.length && reading.definitions.size < MAX_DEFINITIONS; line++) {
    const at = firstCode(code, starts[line]!);
    if (at === -1) continue;
    const indent = at - starts[line]!;
    const access = matchAt(patterns.access, code, at)?.[1];
    const isAtMargin = matchAt(patterns.margin, code, at) !== null;
    const isOver = (holder: Holder): boolean => holder.indent >= indent + (access ? 1 : 0);
    while (!isAtMargin && holders.length > 0 && isOver(holders.at(-1)!)) holders.pop();
    const holder = holders.at(-1);
    if (holder && access) holder.isPublic = access === 'public';
    if (access) continue;
    if (holder && !isAtMargin) holder.body ??= indent;
    if (!isAtMargin && indent !== (holder?.body ?? 0)) continue;
    const found = definitionAt(reading, rows, { at, line, indent, holder });
    if (found?.holder && holders.length < MAX_DEPTH) holders.push(found.holder);
    while (found && starts[line + 1]! <= found.end) line++; // what the signature went over
  }
  return withListed(reading);
}

/** A body that is over on its line. */
const ENDS_ON_LINE = /[^\n]{0,500}(?:\}|\bend)[;,]?[ \t]*$/my;
const ONLY_BRACKETS = /[{}()[\];, \t]+$/my;

/** The first character of code on the line; -1 if there is none but brackets, or the line begins inside a literal. */
function firstCode(code: string, start: number): number {
  for (let at = start; at < code.length && code[at] !== '\n'; at++) {
    const char = code[at]!;
    if (char === LITERAL) return -1;
    if (char === ' ' || char === '\t') continue;
    return matchAt(ONLY_BRACKETS, code, at) ? -1 : at;
  }
  return -1;
}

function matchAt(pattern: RegExp | undefined, code: string, at: number): RegExpExecArray | null {
  if (!pattern) return null;
  pattern.lastIndex = at;
  return pattern.exec(code);
}

/** Defines what begins here. Answers where it ends, and what it holds; nothing if nothing begins here. */
function definitionAt(
  reading: Reading,
  rows: readonly Row[],
  place: Place,
): { end: number; holder?: Holder } | undefined {
  const holds = place.holder?.row.holds ?? 'top';
  for (const row of rows) {
    const wanted = row.place ?? (row.holds ? 'any' : 'top');
    const counts = wanted === 'any' ? holds !== 'block' : wanted === (holds === 'members' ? 'member' : holds);
    const match = counts ? matchAt(row.pattern, reading.source.code, place.at) : null;
    if (match) return defineMatch(reading, row, match, place);
  }
  return undefined;
}

function defineMatch(
  { source, patterns, listed, definitions }: Reading,
  row: Row,
  match: RegExpExecArray,
  { at, line, indent, holder }: Place,
): { end: number; holder?: Holder } {
  const said = (group: string): string | undefined => {
    const range = match.indices?.groups?.[group];
    return range && codeText(source, ...range);
  };
  const behind = at + match[0].length;
  const end = row.until === undefined ? behind : statementEnd(source, behind, row.until);
  const lead = said('lead') ?? '';
  const name = (said('name') ?? (row.isSilent ? (holder?.name ?? '') : 'default')).replace(/\s+/g, ' ').trim();
  const isInside = holder?.row.holds === 'members';
  const isMember = isInside && !row.holds;
  const owner = said('owner') ?? (isMember ? holder.name : undefined);
  const isOpen = holder?.row.isOpen === true && !lead.startsWith('private');
  const isPublic =
    patterns.isWholeList && listed.size > 0 && !isInside
      ? listed.has(name)
      : (row.isExported ?? patterns.isExported(lead, name)) && (!said('owner') || patterns.isExported('', owner!));
  const counts = row.isSilent ? row.isExported !== false : isMember || isOpen || isPublic;
  const exported = counts && (holder?.exported ?? true);
  const isClosedAgain = matchAt(ENDS_ON_LINE, source.code, end) !== null;
  const opened = row.holds && !isClosedAgain && { name, row, indent, exported, isPublic: !row.isClosed };
  const answer = { end, ...(opened ? { holder: opened } : {}) };
  if (row.isSilent || (row.isValue && !exported && !listed.has(name)) || holder?.isPublic === false) return answer;
  if (isMember && !isOpen && !patterns.isShownMember(lead, name, holder.name)) return answer;
  const written = codeText(source, match.indices?.groups?.lead?.[0] ?? at, end).replace(patterns.unsaid ?? '', '');
  const below = row.until ? (docString(source, end + 1)[0] ?? '') : '';
  const doc = patterns.documentation === 'string' ? sentenceOf(below) : docAbove(source, line);
  define(definitions, patterns, {
    name: shorten(name, 200),
    signature: tidySignature(holder?.row.holds === 'block' ? `${holder.name} ${written}` : written, owner ? 120 : 160),
    line: line + 1,
    exported,
    ...(owner ? { owner } : {}),
    ...(doc ? { doc } : {}),
  });
  return answer;
}

/** The first of its name wins, and is exported if one of them is; overloads are told apart by their signatures. */
function define(definitions: Map<string, Definition>, { hasOverloads }: LinePatterns, definition: Definition): void {
  if (definition.name === '' || definition.signature === '') return;
  const key = `${definition.owner ?? ''}\n${hasOverloads ? definition.signature : definition.name}`;
  const known = definitions.get(key);
  if (known) known.exported ||= definition.exported;
  else definitions.set(key, definition);
}

/** What `export { a, b as c }`, `module.exports = { a }` or `__all__ = ["a"]` names: its own name, and what others say. */
function listedIn(source: Source, patterns: LinePatterns): Listed {
  const listed = new Map<string, { name: string; line: number }>();
  let lists = 0;
  for (const pattern of patterns.lists ?? []) {
    for (const match of source.code.matchAll(pattern)) {
      if (++lists > MAX_LISTS) break;
      const line = source.starts.findLastIndex((start) => start <= match.index) + 1;
      const items = match.groups?.name ? [match.groups.name] : itemsFrom(source, match.index + match[0].length);
      for (const item of items) {
        const [own = '', name = own] = item.replace(/^type\s+/, '').split(/\s+as\s+/);
        if (listed.size < MAX_DEFINITIONS) listed.set(own, { name: name === 'default' ? own : name, line });
      }
    }
  }
  return listed;
}

/** What was listed is exported, also if it is defined elsewhere; members are exported with what they belong to. */
function withListed({ patterns, listed, definitions }: Reading): Definition[] {
  for (const [own, { name, line }] of listed) {
    const known = definitions.get(`\n${own}`);
    if (known) known.exported = true;
    else if (!patterns.isWholeList) define(definitions, patterns, { name, signature: name, line, exported: true });
  }
  const all = [...definitions.values()];
  const tops = new Map(all.filter((each) => each.owner === undefined).map((each) => [each.name, each]));
  for (const each of all) {
    const owner = each.owner === undefined ? undefined : tops.get(each.owner);
    if (owner) each.exported = owner.exported && (each.exported || listed.has(owner.name));
  }
  return all;
}

/** The names at the beginning of what stands between the commas of a list, in brackets or on one line. */
function itemsFrom(source: Source, open: number): string[] {
  const items: string[] = [];
  const isBare = !'([{'.includes(source.code[open] ?? '');
  let depth = isBare ? 1 : 0;
  let from = isBare ? open : open + 1;
  for (let at = open; at < Math.min(source.code.length, open + MAX_LIST); at++) {
    const char = source.code[at]!;
    if ('([{'.includes(char)) depth++;
    else if (')]}'.includes(char) || (isBare && char === '\n')) depth--;
    if (depth !== 0 && (depth !== 1 || char !== ',')) continue;
    const item = codeText(source, from, at).trim().slice(0, 200);
    const name =
      /^(?:async\s+)?[*'"]?((?:type\s+)?[\p{L}_$][\p{L}\p{N}_$]*(?:\s+as\s+[\p{L}_$][\p{L}\p{N}_$]*)?)/u.exec(
        item,
      )?.[1];
    if (name) items.push(name);
    if (depth === 0) break;
    from = at + 1;
  }
  return items;
}

function importsIn(source: Source, { imports }: LinePatterns): string[] {
  const found: { at: number; spec: string }[] = [];
  for (const { pattern, prefix = '', hasQuotes = false } of imports) {
    let count = 0;
    for (const match of source.code.matchAll(pattern)) {
      const [from, end] = match.indices!.groups!.spec!;
      for (const spec of specsIn(source, from, end, match.groups!.base ?? '')) {
        const own = hasQuotes ? spec : spec.replace(/^(['"`])([\s\S]*)\1$/, '$2');
        found.push({ at: match.index, spec: own.startsWith('.') ? own : prefix + own });
      }
      if (++count >= MAX_IMPORTS) break;
    }
  }
  const specs = found.sort((a, b) => a.at - b.at).map(({ spec }) => spec);
  return [...new Set(specs)].filter((spec) => /^[^\s{}]{1,300}$|^mod \w+$/.test(spec)).slice(0, MAX_IMPORTS);
}

/** One import, several literals, or names between commas; what is taken from `a::{b, c}` in a list is left out. */
function specsIn(source: Source, from: number, end: number, base: string): string[] {
  const code = source.code.slice(from, end);
  const literals = [...code.matchAll(/\u0001+/g)].map((match) =>
    source.text.slice(from + match.index, from + match.index + match[0].length),
  );
  if (literals.length > 0) return literals;
  return code
    .replace(/\{[^{}]*\}/g, '')
    .split(',')
    .map((name) => name.trim().split(/\s+as\s+/)[0]!)
    .filter((name) => name !== '')
    .map((name) => (name === 'self' ? base : base + name).replace(/::(?:\*|\{.*)?$/, ''));
}

/** A signature on one line: brackets closed up, no trailing comma, no body. */
function tidySignature(text: string, max: number): string {
  const line = text
    .replace(/\s+/g, ' ')
    .replace(/([([]) /g, '$1')
    .replace(/,? ([)\]])/g, '$1')
    .trim();
  let end = line.length;
  while (end > 0 && ' {;=,'.includes(line[end - 1]!)) end--;
  return shorten(line.slice(0, end), max);
}
