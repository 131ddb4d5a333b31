// Python: docstrings, classes with their public methods, functions, constants in capitals, imports. Indentation tells
// what belongs to what; brackets only say where a statement over several lines ends.

import { Collector, type Extract } from './extract.ts';
import { endAfter, LITERAL, quotedEnd, type Syntax } from './mask.ts';
import { headerPurpose, paragraphsOf, purposeText, sentenceOf, tidySignature } from './prose.ts';
import { type Source, sourceOf, statementFrom } from './source.ts';

const SYNTAX: Syntax = {
  lineComments: ['#'],
  blockComments: [],
  quotes: '\'"',
  literalEnd: (text, at) => {
    const triple = text.slice(at, at + 3);
    return triple === '"""' || triple === "'''" ? tripleEnd(text, at, triple) : quotedEnd(text, at);
  },
};

function tripleEnd(text: string, at: number, mark: string): number {
  for (let from = at + 3; ; ) {
    const end = endAfter(text, mark, from);
    if (text[end - 4] !== '\\' || end >= text.length) return end;
    from = end;
  }
}

const IMPORT = /^\s*(?:from\s+(?<from>\.*[\w.]*)\s+import\b(?<names>.*)|import\s+(?<modules>[\w., ]+))/;
const DEFINITION = /^(?<indent>[ \t]*)(?<kind>(?:async\s+)?def|class)\s+(?<name>[\p{ID_Start}_][\p{ID_Continue}]*)/u;
const CONSTANT = /^(?<name>[A-Z][A-Z0-9_]+)\s*(?::(?<type>[^=]*))?=(?!=)/;
const SHOWN_DUNDER = /^__(?:init|call|enter|aenter|iter)__$/;

export function extractPython(text: string): Extract {
  const source = sourceOf(text, SYNTAX);
  const found = new Collector();
  const all = publicNames(source);
  let owner: { name: string; indent: number; body?: number; exported: boolean } | undefined;
  for (let line = 0; line < source.code.length && !found.full; line++) {
    const code = source.code[line]!;
    // A line that begins inside a string has no indentation of its own.
    if (code.trim() === '' || code.startsWith(LITERAL) || source.depth[line] !== 0) continue;
    importsOn(source, line, found);
    const indent = indentOf(code);
    if (owner && indent <= owner.indent) owner = undefined;
    if (owner && owner.body === undefined) owner.body = indent;
    const match = DEFINITION.exec(code);
    if (!match?.groups) {
      if (indent === 0) constantOn(source, line, found, all);
      continue;
    }
    const name = match.groups.name!;
    const isMember = owner !== undefined && indent === owner.body;
    if (indent > 0 && !isMember) continue;
    const isPublic = isMember ? !name.startsWith('_') || SHOWN_DUNDER.test(name) : isExported(name, all);
    const statement = statementFrom(source, line, indent, (char) => char === ':');
    const doc = sentenceOf(paragraphsOf(docstringAfter(source, statement.line, statement.column))[0] ?? '');
    if (!isMember || isPublic) {
      found.define({
        name,
        signature: tidySignature(statement.text, isMember ? 120 : 160),
        line: line + 1,
        exported: isMember ? owner!.exported : isPublic,
        ...(isMember ? { owner: owner!.name } : {}),
        ...(doc ? { doc } : {}),
      });
    }
    if (match.groups.kind === 'class' && !isMember) owner = { name, indent, exported: isPublic };
  }
  return found.extract(purposeOf(source));
}

function indentOf(code: string): number {
  let at = 0;
  while (code[at] === ' ' || code[at] === '\t') at++;
  return at;
}

const isExported = (name: string, all: ReadonlySet<string> | undefined): boolean =>
  all ? all.has(name) : !name.startsWith('_');

/** What `__all__` lists. */
function publicNames(source: Source): Set<string> | undefined {
  const line = source.code.findIndex((code) => /^__all__\s*(?::[^=]*)?=/.test(code));
  if (line === -1) return undefined;
  const { text } = statementFrom(
    source,
    line,
    source.code[line]!.indexOf('=') + 1,
    (char, code) => char === '\n' && code.trim() !== '',
  );
  const names = [...text.matchAll(/['"](\w+)['"]/g)].map((match) => match[1]!);
  return names.length > 0 ? new Set(names) : undefined;
}

function importsOn(source: Source, line: number, found: Collector): void {
  const groups = IMPORT.exec(source.code[line]!)?.groups;
  if (!groups) return;
  if (groups.modules !== undefined) {
    for (const module of groups.modules.split(',')) found.import(module.trim().split(/\s+as\s+/)[0]!);
    return;
  }
  const from = groups.from!;
  if (!/^\.+$/.test(from)) {
    found.import(from);
    return;
  }
  // `from . import a, b` names modules.
  const { text } = statementFrom(source, line, source.code[line]!.indexOf('import') + 6, (char) => char === '\n');
  for (const name of text.replace(/[()]/g, ' ').split(',').slice(0, 50)) {
    const module = name.trim().split(/\s+as\s+/)[0]!;
    if (/^\w+$/.test(module)) found.import(from + module);
  }
}

function constantOn(source: Source, line: number, found: Collector, all: ReadonlySet<string> | undefined): void {
  const groups = CONSTANT.exec(source.code[line]!)?.groups;
  if (!groups || !isExported(groups.name!, all)) return;
  const signature = groups.type ? `${groups.name}: ${groups.type}` : groups.name!;
  found.define({ name: groups.name!, signature: tidySignature(signature), line: line + 1, exported: true });
}

/** The lines of the string that is the first statement behind a colon. */
function docstringAfter(source: Source, line: number, column: number): string[] {
  if ((source.code[line] ?? '').slice(column + 1).trim() !== '') return [];
  for (let at = line + 1; at < Math.min(source.code.length, line + 5); at++) {
    if (source.code[at]!.trim() !== '') return stringAt(source, at);
  }
  return [];
}

function stringAt(source: Source, line: number): string[] {
  const start = /^\s*[rRuUbBfF]{0,2}(?=\u0001)/.exec(source.code[line]!)?.[0].length;
  if (start === undefined) return [];
  const lines: string[] = [];
  for (let at = line; at < Math.min(source.code.length, line + 60); at++) {
    const code = source.code[at]!;
    if (at > line && code !== '' && !code.startsWith(LITERAL)) break;
    const end = code.lastIndexOf(LITERAL) + 1;
    lines.push(source.raw[at]!.slice(at === line ? start : 0, end).trim());
    if (at > line && end < code.length) break;
  }
  const text = lines.join('\n').replace(/^("""|'''|["'])([\s\S]*?)(?:\1[\s\S]*)?$/, '$2');
  return text.split('\n').map((each) => each.trim());
}

function purposeOf(source: Source): string {
  const first = source.code.findIndex((code) => code.trim() !== '');
  const docstring = first === -1 ? [] : stringAt(source, first);
  const purpose = docstring.length > 0 ? purposeText(paragraphsOf(docstring)[0] ?? '') : '';
  return purpose || headerPurpose(source.groups, first === -1 ? source.code.length : first);
}
