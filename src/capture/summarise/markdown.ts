// Markdown: the first paragraph, the outline, and the files that it links to. Code blocks and front matter are no text.

import { purposeText, shorten } from './first-comment.ts';
import type { Definition, Extract } from './read-lines.ts';
import { LITERAL, sourceOf } from './source.ts';

const CODE = [
  { open: '^---[ \\t]*(?=\\n)', close: '\n---', isLong: true, isRaw: true },
  { open: '(?<=^|\\n) {0,3}(`{3,}|~{3,})', close: '\n$1', isLong: true, isRaw: true },
];
/** Headings of this level are shown if there is room, as members are for code. */
const MEMBER_LEVEL = 3;
const MAX_LINE = 1_000;
const MAX_HEADINGS = 1_000;
const MAX_LINKS = 200;
/** A list, a table, a quote, a picture, a badge, markup or code. */
const NO_PROSE = new RegExp(`^(?:[-*+>|<${LITERAL}]|\\d+[.)]\\s|!\\[|\\[!\\[|\\[[^\\]]*\\]:|={3,}|:::|$)`);

type Heading = { level: number; title: string; line: number };

export function readMarkdown(text: string): Extract {
  const { code } = sourceOf(text, CODE);
  const lines = code.split('\n').map((line) => line.slice(0, MAX_LINE));
  const headings = lines.flatMap((_, at) => headingAt(lines, at)).slice(0, MAX_HEADINGS);
  const title = headings.find((heading) => heading.level === 1)?.title ?? '';
  return {
    purpose: purposeText(plain(firstParagraph(lines, headings))) || title,
    definitions: outline(headings),
    imports: [...new Set(lines.flatMap(linksIn))].slice(0, MAX_LINKS),
  };
}

const isProse = (line: string): boolean => !NO_PROSE.test(line.trim());

/** With a number of signs in front, or a line of them below. */
function headingAt(lines: readonly string[], at: number): Heading[] {
  const line = lines[at]!;
  const signs = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/.exec(line);
  const under = /^ {0,3}(=+|-{3,})[ \t]*$/.exec(lines[at + 1] ?? '')?.[1];
  const isUnder = under !== undefined && isProse(line) && (lines[at - 1] ?? '').trim() === '';
  if (!signs && !isUnder) return [];
  const level = signs ? signs[1]!.length : under!.startsWith('=') ? 1 : 2;
  const title = shorten(plain(signs ? signs[2]!.replace(/[ \t]#+[ \t]*$/, '') : line), 100);
  return title === '' ? [] : [{ level, title, line: at + 1 }];
}

function firstParagraph(lines: readonly string[], headings: readonly Heading[]): string {
  const titles = new Set(headings.map((heading) => heading.line - 1));
  const isText = (line: string, at: number): boolean => isProse(line) && !titles.has(at);
  const first = lines.findIndex(isText);
  if (first === -1) return '';
  const end = lines.findIndex((line, at) => at > first && !isText(line, at));
  return lines
    .slice(first, end === -1 ? undefined : end)
    .map((line) => line.trim())
    .join(' ')
    .slice(0, 10_000);
}

/** One heading of the first level is the title, not a part of the document. */
function outline(headings: readonly Heading[]): Definition[] {
  const hasTitle = headings.filter((heading) => heading.level === 1).length === 1;
  const definitions = new Map<string, Definition>();
  let parent: string | undefined;
  for (const { level, title, line } of headings) {
    if (level > MEMBER_LEVEL || (hasTitle && level === 1)) continue;
    if (level < MEMBER_LEVEL) parent = title;
    const owner = level === MEMBER_LEVEL ? parent : undefined;
    const key = `${owner ?? ''}\n${title}`;
    if (!definitions.has(key))
      definitions.set(key, { name: title, signature: title, line, exported: true, ...(owner ? { owner } : {}) });
  }
  return [...definitions.values()];
}

function plain(text: string): string {
  return text
    .replace(/!\[[^\]]{0,500}\]\([^)]{0,500}\)/g, '')
    .replace(/\[([^\]]{0,500})\](?:\([^)]{0,500}\)|\[[^\]]{0,500}\])/g, '$1')
    .replace(/[*`]+|(?<!\w)_+|_+(?!\w)/g, '')
    .trim();
}

/** Links to files; addresses and places in this document are not dependencies. */
function linksIn(line: string): string[] {
  return [...line.matchAll(/\]\(\s*<?([^)\s<>]+)/g)]
    .map((match) => match[1]!.replace(/[#?].*$/, ''))
    .filter((target) => target !== '' && target.length <= 300 && !/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(target));
}
