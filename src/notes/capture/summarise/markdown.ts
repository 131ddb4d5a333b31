// Markdown: the first paragraph, the outline, and the files that it links to. Code blocks and front matter are no text.

import { Collector, type Extract } from './extract.ts';
import { purposeText, shorten } from './prose.ts';

/** Headings of this level are shown if there is room, as members are for code. */
const MAX_LEVEL = 3;
const MAX_LINE = 1_000;

type Heading = { level: number; title: string; line: number };

export function extractMarkdown(text: string): Extract {
  const lines = textLines(text);
  const found = new Collector();
  const headings: Heading[] = [];
  const paragraph: string[] = [];
  let isOver = false;
  for (const [at, line] of lines.entries()) {
    if (found.full) break;
    for (const link of linksIn(line)) found.import(link);
    const heading = headingAt(lines, at);
    if (heading) {
      headings.push(heading);
      if (paragraph.length > 0) isOver = true;
    } else if (!isOver) {
      if (isProse(line)) paragraph.push(line.trim());
      else if (paragraph.length > 0) isOver = true;
    }
  }
  const purpose = purposeText(plain(paragraph.join(' ')));
  // One heading of the first level is the title, not a part of the document.
  const only = headings.filter((heading) => heading.level === 1).length === 1;
  let parent: string | undefined;
  for (const { level, title, line } of headings.slice(0, 1_000)) {
    if (level > MAX_LEVEL || (only && level === 1)) continue;
    if (level < MAX_LEVEL) parent = title;
    found.define({
      name: title,
      signature: title,
      line,
      exported: true,
      ...(level === MAX_LEVEL && parent ? { owner: parent } : {}),
    });
  }
  const title = headings.find((heading) => heading.level === 1)?.title ?? '';
  return found.extract(purpose || title);
}

/** Blanks front matter and fenced code. */
function textLines(text: string): string[] {
  const lines = text.split('\n').map((line) => line.slice(0, MAX_LINE));
  let fence: string | undefined;
  let start = 0;
  if (/^---\s*$/.test(lines[0] ?? '')) {
    const end = lines.findIndex((line, at) => at > 0 && at < 200 && /^(?:---|\.\.\.)\s*$/.test(line));
    start = end + 1;
  }
  return lines.map((line, at) => {
    if (at < start) return '';
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) && /^\s*[`~]+\s*$/.test(line)) fence = undefined;
      return '';
    }
    if (mark) {
      fence = mark;
      return '';
    }
    return line;
  });
}

function headingAt(lines: readonly string[], at: number): Heading | undefined {
  const line = lines[at]!;
  const atx = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/.exec(line);
  if (atx) return heading(atx[1]!.length, atx[2]!.replace(/[ \t]#+[ \t]*$/, ''), at);
  const under = /^ {0,3}(=+|-{3,})[ \t]*$/.exec(lines[at + 1] ?? '')?.[1];
  const isText = isProse(line) && (at === 0 || lines[at - 1]!.trim() === '');
  return under && isText ? heading(under.startsWith('=') ? 1 : 2, line, at) : undefined;
}

function heading(level: number, written: string, at: number): Heading | undefined {
  const title = shorten(plain(written).trim(), 100);
  return title === '' ? undefined : { level, title, line: at + 1 };
}

/** Not a list, a table, a quote, a picture, a badge or markup. */
function isProse(line: string): boolean {
  const text = line.trim();
  return text !== '' && !/^(?:[-*+>|<]|\d+[.)]\s|!\[|\[!\[|\[[^\]]*\]:|={3,}|:::)/.test(text);
}

function plain(text: string): string {
  return text
    .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replace(/\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1')
    .replace(/[*`]+|(?<!\w)_+|_+(?!\w)/g, '')
    .trim();
}

/** Links to files; addresses and places in this document are not dependencies. */
function linksIn(line: string): string[] {
  return [...line.matchAll(/\]\(\s*<?([^)\s<>]+)/g)]
    .map((match) => match[1]!.replace(/[#?].*$/, ''))
    .filter((target) => target !== '' && !/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(target));
}
