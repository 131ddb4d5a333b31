// The blocks of a Markdown text: headings, paragraphs, lists, quotations, code, tables. What is no sign of one of them is text.

export type MarkdownBlock =
  | { readonly type: 'heading'; readonly level: number; readonly text: string }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'code'; readonly text: string }
  | { readonly type: 'quote'; readonly blocks: readonly MarkdownBlock[] }
  | { readonly type: 'list'; readonly ordered: boolean; readonly items: readonly (readonly MarkdownBlock[])[] }
  | { readonly type: 'table'; readonly rows: readonly (readonly string[])[] };

const FENCE = /^\s{0,3}(```+|~~~+)/;
const HEADING = /^(#{1,6})\s+(.+?)\s*#*$/;
const ITEM = /^(\s*)(?:[-*+•]|(\d{1,4})[.)])\s+(.*)$/;
const QUOTE = /^\s{0,3}>\s?/;
const RULE = /^\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*$/;
const MOST_DEPTH = 6;

/** Every line ends in exactly one block; what is no sign of Markdown is text. */
export function blocksOf(lines: readonly string[], depth = 0): MarkdownBlock[] {
  const blocks: MarkdownBlock[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at]!;
    const [block, next] =
      line.trim() === ''
        ? [undefined, at + 1]
        : (fenceAt(lines, at) ??
          headingAt(line, at) ??
          (depth < MOST_DEPTH ? nestedAt(lines, at, depth) : undefined) ??
          tableAt(lines, at) ??
          textAt(lines, at));
    if (block) blocks.push(block);
    at = next;
  }
  return blocks;
}

type Found = readonly [block: MarkdownBlock, next: number];

function fenceAt(lines: readonly string[], at: number): Found | undefined {
  const fence = FENCE.exec(lines[at]!)?.[1];
  if (fence === undefined) return undefined;
  const end = lines.findIndex((line, place) => place > at && line.trim().startsWith(fence));
  const last = end < 0 ? lines.length : end;
  return [{ type: 'code', text: lines.slice(at + 1, last).join('\n') }, last + 1];
}

function headingAt(line: string, at: number): Found | undefined {
  const heading = HEADING.exec(line);
  return heading ? [{ type: 'heading', level: heading[1]!.length, text: heading[2]! }, at + 1] : undefined;
}

function nestedAt(lines: readonly string[], at: number, depth: number): Found | undefined {
  if (QUOTE.test(lines[at]!)) {
    const end = until(lines, at, (line) => !QUOTE.test(line));
    const inner = lines.slice(at, end).map((line) => line.replace(QUOTE, ''));
    return [{ type: 'quote', blocks: blocksOf(inner, depth + 1) }, end];
  }
  return ITEM.test(lines[at]!) ? listAt(lines, at, depth) : undefined;
}

function listAt(lines: readonly string[], at: number, depth: number): Found {
  const first = ITEM.exec(lines[at]!)!;
  const indent = first[1]!.length;
  const items: string[][] = [];
  let place = at;
  for (; place < lines.length; place++) {
    const line = lines[place]!;
    const item = ITEM.exec(line);
    if (item && item[1]!.length <= indent + 1) {
      if (item[1]!.length < indent) break;
      items.push([item[3]!]);
    } else if (line.trim() === '' ? !isGoingOn(lines, place, indent) : /^\S/.test(line) && !item) break;
    else items.at(-1)!.push(line.slice(Math.min(indent + 2, line.length - line.trimStart().length)));
  }
  const ordered = first[2] !== undefined;
  return [{ type: 'list', ordered, items: items.map((own) => blocksOf(own, depth + 1)) }, place];
}

/** After an empty line a list goes on with an item, or with what is indented. */
function isGoingOn(lines: readonly string[], at: number, indent: number): boolean {
  const next = lines.slice(at + 1).find((line) => line.trim() !== '');
  if (next === undefined) return false;
  const item = ITEM.exec(next);
  return item ? item[1]!.length >= indent : /^\s{2,}/.test(next);
}

function tableAt(lines: readonly string[], at: number): Found | undefined {
  if (!lines[at]!.includes('|') || !RULE.test(lines[at + 1] ?? '') || !(lines[at + 1] ?? '').includes('-'))
    return undefined;
  const end = until(lines, at, (line) => !line.includes('|'));
  const rows = lines.slice(at, end).filter((_, place) => place !== 1);
  return [{ type: 'table', rows: rows.map(cellsOf) }, end];
}

const cellsOf = (line: string): string[] =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim());

function textAt(lines: readonly string[], at: number): Found {
  const end = until(
    lines,
    at + 1,
    (line) => line.trim() === '' || FENCE.test(line) || HEADING.test(line) || ITEM.test(line) || QUOTE.test(line),
  );
  return [{ type: 'text', text: lines.slice(at, end).join('\n').trim() }, end];
}

function until(lines: readonly string[], from: number, isEnd: (line: string) => boolean): number {
  const end = lines.findIndex((line, place) => place >= from && isEnd(line));
  return end < 0 ? lines.length : end;
}
