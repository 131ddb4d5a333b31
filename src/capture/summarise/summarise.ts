// From the text of a file to the sections of its summary: reads its lines, keeps what is worth its room, and
// renders it. Everything is bounded: the text that is looked at, the entries, and the length of what is written.

import { shorten } from './first-comment.ts';
import { languageOf, shownLanguage } from './languages.ts';
import { patternsOf } from './line-patterns.ts';
import { readMarkdown } from './markdown.ts';
import { plainProse } from './prose.ts';
import { type Definition, type Extract, readLines } from './read-lines.ts';

/** Nothing behind this is read: a larger file has said what it is for, and the rest is data. */
export const MAX_TEXT = 2 * 1024 * 1024;
const MAX_LINES = 100_000;
const MAX_DEFINITIONS = 40;
const MAX_IMPORTS = 30;
const MAX_LISTED = 2_600;
const MAX_TODOS = 5;

export type FileSummary = {
  language: string;
  purpose: string;
  definitions: Definition[];
  /** Definitions that had no room. */
  more: number;
  imports: string[];
  todos: { line: number; text: string }[];
  /** Only the beginning was looked at. */
  cut: boolean;
};

export function summarise(file: string, text: string): FileSummary {
  const language = languageOf(file);
  const { text: own, cut } = bounded(text);
  const extract = language === 'markdown' ? readMarkdown(own) : readLines(own, patternsOf(language));
  const definitions = worthShowing(extract);
  return {
    language:
      /\.h$/i.test(file) && /^\s*(?:class|namespace|template)\b/m.test(own.slice(0, 200_000)) ? 'cpp' : language,
    purpose: extract.purpose || derivedPurpose(language, extract),
    definitions: definitions.slice(0, MAX_DEFINITIONS),
    more: Math.max(0, definitions.length - MAX_DEFINITIONS),
    imports: extract.imports.slice(0, MAX_IMPORTS),
    todos: todosIn(own),
    cut,
  };
}

function bounded(text: string): { text: string; cut: boolean } {
  let end = Math.min(text.length, MAX_TEXT);
  for (let at = -1, lines = 0; lines < MAX_LINES; lines++) {
    at = text.indexOf('\n', at + 1);
    if (at === -1 || at >= end) break;
    if (lines === MAX_LINES - 1) end = at;
  }
  const own = text
    .slice(0, end)
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .replaceAll('\u0001', ' ');
  return { text: own, cut: end < text.length };
}

/**
 * What others can use first, then the members of it; what is private only if nothing is public. In the order of the
 * file, so that the list reads like a table of contents.
 */
function worthShowing({ definitions }: Extract): Definition[] {
  const shown = definitions.some((each) => each.exported) ? definitions.filter((each) => each.exported) : definitions;
  const tops = shown.filter((each) => each.owner === undefined);
  const members = shown.filter((each) => each.owner !== undefined);
  const room = [...tops, ...members];
  const kept = room.slice(0, MAX_DEFINITIONS).sort((a, b) => a.line - b.line);
  return [...kept, ...room.slice(MAX_DEFINITIONS)];
}

/** A file that says nothing about itself still has a gist. */
function derivedPurpose(language: string, { definitions }: Extract): string {
  const tops = definitions.filter((each) => each.owner === undefined);
  const named = tops.filter((each) => each.exported);
  const names = [...new Set((named.length > 0 ? named : tops).map((each) => each.name))];
  if (names.length === 0) return `A ${shownLanguage(language)} file.`;
  const first = names.slice(0, 5).map((name) => `\`${shorten(name.replaceAll('`', ''), 60)}\``);
  const rest = names.length - first.length;
  const list = rest > 0 ? `${first.join(', ')} and ${rest} more` : andList(first);
  return `A ${shownLanguage(language)} file with ${list}.`;
}

const andList = (items: readonly string[]): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;

/** Only where they stand in a comment, as far as a line can tell. */
function todosIn(text: string): { line: number; text: string }[] {
  const todos: { line: number; text: string }[] = [];
  let line = 0;
  let counted = 0;
  for (const match of text.matchAll(/(?:\/\/|#|\/\*|\*|--|<!--)[ \t]*(?:TODO|FIXME|HACK|XXX)\b[:( \t][^\n]{0,200}/g)) {
    for (let at = text.indexOf('\n', counted); at !== -1 && at < match.index; at = text.indexOf('\n', at + 1)) {
      line++;
      counted = at + 1;
    }
    const said = match[0]
      .replace(/^\W+/, '')
      .replace(/\s*(?:\*\/|-->)\s*$/, '')
      .trim();
    todos.push({ line: line + 1, text: shorten(said, 100) });
    if (todos.length >= MAX_TODOS) break;
  }
  return todos;
}

/** `- \`signature\` - what it does`, members below their owner. */
export function renderDefinitions({ definitions, more, language }: FileSummary): string {
  const lines: string[] = [];
  let length = 0;
  let missing = more;
  const add = (each: Definition, lead: string, owner?: string): void => {
    const code = (owner ? `${owner}: ${each.signature}` : each.signature).replaceAll('`', "'");
    const name = language === 'markdown' ? plainProse(code) : `\`${code}\``;
    const line = `${lead}- ${name}${each.doc ? ` - ${plainProse(each.doc)}` : ''}`;
    if (length + line.length > MAX_LISTED) missing++;
    else {
      lines.push(line);
      length += line.length + 1;
    }
  };
  const below = new Map<string, Definition[]>();
  for (const each of definitions)
    if (each.owner !== undefined) below.set(each.owner, [...(below.get(each.owner) ?? []), each]);
  for (const top of definitions.filter((each) => each.owner === undefined)) {
    add(top, '');
    for (const member of below.get(top.name) ?? []) add(member, '  ');
    below.delete(top.name);
  }
  for (const member of [...below.values()].flat()) add(member, '', language === 'go' ? undefined : member.owner);
  if (missing > 0) lines.push(`- … and ${missing} more`);
  return lines.join('\n');
}
