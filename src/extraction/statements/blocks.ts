// Cuts Markdown, or plain text that never heard of it, into blocks: paragraphs, items of lists, rows of tables, code and
// headings, each with what stands above it. One pass over the lines, judged by their first characters.

import { type CodeRange, fencedCode } from '../../safety/fenced-code.ts';
import { isBlank } from './characters.ts';
import { type Block, type Lead, LONGEST_PREFIX } from './statement.ts';

const LONGEST_HEADING = 160;

/** What a line is, by how it begins; `start` is where its text begins. */
type Line = {
  kind: 'blank' | 'heading' | 'item' | 'row' | 'rule' | 'text';
  start: number;
  end: number;
  isIndented: boolean;
  box: Block['box'];
};

export function blocksOf(text: string, from: number, to: number): Block[] {
  const code = fencedCode(text.slice(from, to));
  const builder = new BlockBuilder(text);
  const line: Line = { kind: 'blank', start: 0, end: 0, isIndented: false, box: undefined };
  let nextCode = 0;
  for (let start = from; start < to; ) {
    const range = code[nextCode];
    if (range && from + range.start <= start) {
      builder.code(from, range);
      start = from + range.end + 1;
      nextCode += 1;
      continue;
    }
    let end = text.indexOf('\n', start);
    if (end === -1 || end > to) end = to;
    readLine(text, start, end, line);
    builder.line(line);
    start = end + 1;
  }
  return builder.finish();
}

class BlockBuilder {
  readonly #text: string;
  readonly #blocks: Block[] = [];
  #group = 0;
  #heading: (Lead & { readonly isBold: boolean }) | undefined;
  #lead: Lead | undefined;
  /** The block that the next line may belong to. */
  #open: { kind: 'prose' | 'item'; start: number; end: number; box: Block['box'] } | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  line(line: Line): void {
    switch (line.kind) {
      case 'blank':
        this.#close();
        return;
      case 'rule':
        this.#border();
        return;
      case 'heading':
        this.#border();
        this.#heading = { start: line.start, end: line.end, isBold: this.#text.charCodeAt(line.start - 1) === 42 };
        this.#lead = undefined;
        this.#push('heading', line.start, line.end);
        this.#group += 1;
        return;
      case 'row':
        this.#close();
        this.#push('row', line.start, line.end);
        return;
      case 'item':
        this.#close();
        this.#open = { kind: 'item', start: line.start, end: line.end, box: line.box };
        return;
      case 'text':
        // A line that is not indented does not belong to the item above it.
        if (this.#open?.kind === 'item' && !line.isIndented) this.#close();
        if (this.#open) this.#open.end = line.end;
        else this.#open = { kind: 'prose', start: line.start, end: line.end, box: undefined };
    }
  }

  code(offset: number, { inner, innerEnd }: CodeRange): void {
    this.#border();
    this.#push('code', offset + Math.min(inner + 1, innerEnd), offset + innerEnd);
    this.#group += 1;
  }

  finish(): Block[] {
    this.#close();
    return this.#blocks;
  }

  #border(): void {
    this.#close();
    this.#group += 1;
  }

  /** Ends the open block. Prose that ends in a colon leads the list behind it, and no longer than the list lasts. */
  #close(): void {
    const open = this.#open;
    if (!open) return;
    this.#open = undefined;
    if (open.kind === 'prose') {
      this.#lead = undefined;
      // What begins in bold has a heading of its own.
      if (this.#heading?.isBold && this.#text.startsWith('**', open.start)) this.#heading = undefined;
      if (this.#endsInColon(open.end)) this.#lead = this.#lastSentence(open.start, open.end);
    }
    this.#push(open.kind, open.start, open.end, open.box);
  }

  #push(kind: Block['kind'], start: number, end: number, box?: Block['box']): void {
    if (end <= start) return;
    const lead = kind === 'item' || kind === 'row' ? (this.#lead ?? this.#heading) : this.#heading;
    this.#blocks.push({ kind, start, end, group: this.#group, lead: kind === 'heading' ? undefined : lead, box });
  }

  #endsInColon(end: number): boolean {
    const text = this.#text;
    let last = end - 1;
    while (last > 0 && text.charCodeAt(last) === 42) last -= 1;
    const code = text.charCodeAt(last);
    return code === 58 || code === 0xff1a;
  }

  /** The last sentence of the paragraph, which says what the items are; nothing if it is too long to stand before each. */
  #lastSentence(start: number, end: number): Lead | undefined {
    let from = end - 1;
    while (from > start && end - from < LONGEST_PREFIX) {
      const code = this.#text.charCodeAt(from - 1);
      if (code === 10 || code === 0x3002) break;
      if ((code === 46 || code === 33 || code === 63) && isBlank(this.#text.charCodeAt(from))) break;
      from -= 1;
    }
    if (end - from >= LONGEST_PREFIX) return undefined;
    while (from < end && isBlank(this.#text.charCodeAt(from))) from += 1;
    return { start: from, end };
  }
}

function readLine(text: string, start: number, end: number, line: Line): void {
  let i = start;
  let last = end;
  while (last > i && isBlank(text.charCodeAt(last - 1))) last -= 1;
  for (;;) {
    while (i < last && isBlank(text.charCodeAt(i))) i += 1;
    if (i >= last || text.charCodeAt(i) !== 62) break;
    i += 1; // a quote
  }
  line.isIndented = i > start;
  line.start = i;
  line.end = last;
  line.box = undefined;
  line.kind = i >= last ? 'blank' : kindOf(text, line);
}

/** Moves `line.start` behind the mark that it finds. */
function kindOf(text: string, line: Line): Line['kind'] {
  const { start, end } = line;
  const code = text.charCodeAt(start);
  switch (code) {
    case 35: {
      let i = start;
      while (i < end && text.charCodeAt(i) === 35) i += 1;
      if (i - start > 6 || i >= end || !isBlank(text.charCodeAt(i)) || end - i > LONGEST_HEADING) return 'text';
      line.start = skipBlanks(text, i, end);
      while (line.end > line.start && text.charCodeAt(line.end - 1) === 35) line.end -= 1;
      return 'heading';
    }
    case 124:
      return isRule(text, start, end) ? 'rule' : 'row';
    case 42: // star
      if (text.charCodeAt(start + 1) === 42 && isBoldLine(text, line)) return 'heading';
      return itemOrText(text, line, start + 1);
    case 45:
    case 43:
    case 95:
    case 61:
      if (isRule(text, start, end)) return 'rule';
      return code === 45 || code === 43 ? itemOrText(text, line, start + 1) : 'text';
    case 0x2022:
    case 0x25e6:
    case 0x2013:
    case 0x2014:
    case 0x30fb:
      return itemOrText(text, line, start + 1);
    default:
      if (code < 48 || code > 57) return 'text';
      return numbered(text, line);
  }
}

function itemOrText(text: string, line: Line, behind: number): Line['kind'] {
  if (behind < line.end && !isBlank(text.charCodeAt(behind))) return 'text';
  line.start = skipBlanks(text, behind, line.end);
  if (text.charCodeAt(line.start) === 91 && text.charCodeAt(line.start + 2) === 93) {
    const tick = text.charCodeAt(line.start + 1);
    if (tick === 32) line.box = 'open';
    else if (tick === 120 || tick === 88) line.box = 'ticked';
    if (line.box) line.start = skipBlanks(text, line.start + 3, line.end);
  }
  return line.start < line.end ? 'item' : 'blank';
}

function numbered(text: string, line: Line): Line['kind'] {
  let i = line.start;
  while (i < line.end && i - line.start < 4 && text.charCodeAt(i) >= 48 && text.charCodeAt(i) <= 57) i += 1;
  const mark = text.charCodeAt(i);
  if ((mark !== 46 && mark !== 41) || i + 1 >= line.end || !isBlank(text.charCodeAt(i + 1))) return 'text';
  return itemOrText(text, line, i + 1);
}

/** A line that is bold as a whole stands above what follows, with or without a colon. */
function isBoldLine(text: string, line: Line): boolean {
  let end = line.end;
  if (text.charCodeAt(end - 1) === 58) end -= 1;
  if (end - line.start < 6 || end - line.start > LONGEST_HEADING || !text.endsWith('**', end)) return false;
  const inner = text.indexOf('**', line.start + 2);
  if (inner !== end - 2) return false;
  line.start += 2;
  line.end = end - 2;
  if (text.charCodeAt(line.end - 1) === 58) line.end -= 1;
  return true;
}

/** `---`, `***`, `| --- | --- |`: nothing but marks. */
function isRule(text: string, start: number, end: number): boolean {
  if (end - start < 3) return false;
  for (let i = start; i < end; i += 1) if (!'-=_*|:+ \t'.includes(text[i]!)) return false;
  return true;
}

function skipBlanks(text: string, from: number, end: number): number {
  let i = from;
  while (i < end && isBlank(text.charCodeAt(i))) i += 1;
  return i;
}
