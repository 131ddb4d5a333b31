// Finds what a text quotes: block quotes, and passages between quotation marks of the usual scripts. A quoted word or name is no
// quotation (the "auth" module), an apostrophe and an inch mark quote nothing, and a mark without a partner hides nothing. One pass,
// bounded look-ahead: no text, however hostile, takes longer than its length.

import { lazy } from '../model/lazy.ts';
import type { Segment } from './injected-elements.ts';

/** What closes what; the first of these that comes, nested pairs of the same kind counted. */
const CLOSERS: { readonly [open: string]: string } = {
  '“': '”',
  '„': '“”',
  '«': '»',
  '»': '«',
  '‹': '›',
  '「': '」',
  '『': '』',
  '"': '"',
  '＂': '＂',
  '‘': '’',
  '‚': '‘’',
  "'": "'",
};
const MARKS = /["“„«»‹「『＂‘‚'`]/g;
/** The same mark opens and closes, or is an apostrophe: only its neighbours tell what it is. */
const AMBIGUOUS = new Set(['"', '＂', "'", '’', '‘', '»']);
/** Longer ones are more likely two marks that have nothing to do with each other. */
const LONGEST = 4_000;
/** So much beside a short quotation is looked at. */
const NEAR = 200;
const FEWEST_WORDS = 4;
const FEWEST_WIDE = 6;
// Classes of all scripts take a hook milliseconds to make ready, and most texts quote nothing.
const LETTER = lazy(() => /[\p{L}\p{N}]/u);
const WORDS = lazy(() => /[\p{L}\p{N}][\p{L}\p{N}'’_-]*/gu);
const WIDE = lazy(() => /[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}]/gu);
const SENTENCE_END = /[.!?…。！？]["'”’»」』*_)]*$/;
/** Somebody else is about to speak. */
const SAYS = lazy(
  () =>
    /(?:[:：]|\b(?=)(?:sa(?:y|ys|id|ying)|stat(?:es|ed|ing)|reads?|wrote|writes|tells?|told|claims?|recommends?|warns?|quot(?:e|es|ed|ing)|according to [^.\n]{1,60}|sagt|schreibt|heißt es|laut [^.\n]{1,60}|dit|écrit|selon [^.\n]{1,60}|dice|según [^.\n]{1,60}),?|と|：)\s*$/iu,
);
const BLANK_LINE = /\n[^\S\n]*\n\s{0,40}/g;
const BLOCK_QUOTE = /^[^\S\n]{0,3}(?:(?:[-*+]|\d{1,3}[.)])[^\S\n]+)?>/;
const EMPTY = /^[\s>*_]*$/;

/** In the order of the text; never overlapping. */
export function quotations(text: string, code: readonly Segment[] = []): Segment[] {
  const blocks = text.includes('>') ? blockQuotes(text) : [];
  return merged([...blocks, ...markedQuotes(text, [...code, ...blocks].sort(byStart))]);
}

const byStart = (a: Segment, b: Segment): number => a.start - b.start;

/** Runs of lines that begin with `>`. */
function blockQuotes(text: string): Segment[] {
  const found: Segment[] = [];
  let open: { start: number; end: number } | undefined;
  for (let start = 0; start <= text.length; ) {
    let end = text.indexOf('\n', start);
    if (end === -1) end = text.length;
    const line = text.slice(start, Math.min(end, start + 40));
    if (BLOCK_QUOTE.test(line) && !EMPTY.test(text.slice(start, Math.min(end, start + 400)))) {
      if (open) open.end = end;
      else open = { start, end };
    } else if (open && !(BLOCK_QUOTE.test(line) && EMPTY.test(line))) {
      found.push(open);
      open = undefined;
    }
    start = end + 1;
  }
  if (open) found.push(open);
  return found;
}

function markedQuotes(text: string, skipped: readonly Segment[]): Segment[] {
  const found: Segment[] = [];
  let skip = 0;
  /** No closing mark of this kind lies before this place: it is not looked for again and again. */
  const missing = new Map<string, number>();
  MARKS.lastIndex = 0;
  for (let match = MARKS.exec(text); match; match = MARKS.exec(text)) {
    const at = match.index;
    while (skip < skipped.length && skipped[skip]!.end <= at) skip += 1;
    if (skip < skipped.length && skipped[skip]!.start <= at) {
      MARKS.lastIndex = skipped[skip]!.end;
      continue;
    }
    const mark = match[0];
    if (mark === '`') {
      MARKS.lastIndex = behindCode(text, at);
      continue;
    }
    if (!opens(text, at, mark) || at < (missing.get(mark) ?? 0)) continue;
    const { close, looked } = closeOf(text, at, mark);
    if (close === -1) {
      const end = goesOnInNext(text, at, mark);
      if (end !== -1) {
        found.push({ start: at, end });
        MARKS.lastIndex = end;
      } else missing.set(mark, looked);
      continue;
    }
    if (isQuotation(text, at, close + 1)) {
      found.push({ start: at, end: close + 1 });
      MARKS.lastIndex = close + 1;
    } else if (mark === '"' || mark === '＂' || mark === '“' || mark === '«') MARKS.lastIndex = close + 1;
  }
  return found;
}

/** Code in a line: what stands in it is no quotation mark. */
function behindCode(text: string, at: number): number {
  let ticks = 1;
  while (text[at + ticks] === '`') ticks += 1;
  const line = text.indexOf('\n', at);
  const close = text.slice(at + ticks, Math.min(line === -1 ? text.length : line, at + 400)).indexOf('`'.repeat(ticks));
  return close === -1 ? at + ticks : at + ticks + close + ticks;
}

function opens(text: string, at: number, mark: string): boolean {
  const before = text[at - 1] ?? '';
  const behind = text[at + 1] ?? '';
  if (behind === '' || /\s/.test(behind)) return mark === '«' && /\S/.test(text[at + 2] ?? ''); // French leaves a blank
  if (!AMBIGUOUS.has(mark)) return true;
  if ((mark === "'" || mark === '‘') && /\d/.test(behind)) return false; // the '90s
  return before === '' || /[\s([{<:=—–*_>“「-]/.test(before);
}

function closes(text: string, at: number, mark: string): boolean {
  if (!AMBIGUOUS.has(mark)) return true;
  const before = text[at - 1] ?? '';
  const behind = text[at + 1] ?? '';
  if (/[\s]/.test(before)) return false;
  return behind === '' || !LETTER().test(behind);
}

/** A plain quotation mark closes in its paragraph; a typographic one, which has a direction, may close later. */
function closeOf(text: string, at: number, mark: string): { close: number; looked: number } {
  const closers = CLOSERS[mark]!;
  const isPlain = AMBIGUOUS.has(mark);
  const limit = Math.min(text.length, at + LONGEST);
  let depth = 0;
  let i = at + 1;
  for (; i < limit; i += 1) {
    const each = text[i]!;
    if (closers.includes(each) && (mark === '«' || closes(text, i, each))) {
      if (depth === 0) return { close: i, looked: i };
      depth -= 1;
    } else if (each === mark && !isPlain) depth += 1;
    else if (isPlain && each === '\n' && /^[^\S\n]*\n/.test(text.slice(i + 1, i + 20))) break;
  }
  return { close: -1, looked: i };
}

/** A quotation of several paragraphs opens each of them, and closes the last alone. Where this paragraph ends; -1 if it is none. */
function goesOnInNext(text: string, at: number, mark: string): number {
  const isFirst = at === 0 || /\n[^\S\n]*$/.test(text.slice(Math.max(0, at - 20), at));
  if (!isFirst) return -1;
  BLANK_LINE.lastIndex = at;
  const blank = BLANK_LINE.exec(text);
  if (!blank || blank.index - at > LONGEST) return -1;
  return text.startsWith(mark, blank.index + blank[0].length) ? blank.index : -1;
}

/** Words enough to be a statement, or the only thing in its paragraph, or what somebody is said to say. */
function isQuotation(text: string, start: number, end: number): boolean {
  const inner = text.slice(start + 1, end - 1).trim();
  if (countWide(inner) >= FEWEST_WIDE) return true;
  if (inner === '' || !/\s/.test(inner)) return false;
  const words = inner.slice(0, 400).match(WORDS())?.length ?? 0;
  if (words >= FEWEST_WORDS) return true;
  if (words < 2) return false;
  if (SENTENCE_END.test(inner)) return true;
  if (SAYS().test(text.slice(Math.max(0, start - 90), start))) return true;
  const before = /[^\n]*$/.exec(text.slice(Math.max(0, start - NEAR), start))![0];
  const behind = /^[^\n]*/.exec(text.slice(end, end + NEAR))![0];
  return EMPTY.test(before) && EMPTY.test(behind.replace(/[.,;:!?]/g, ''));
}

/** Letters of scripts that write no blanks: none of them is ASCII. */
const countWide = (text: string): number => (/[\u0080-\uffff]/.test(text) ? (text.match(WIDE())?.length ?? 0) : 0);

/** Sorted, and one where several overlap. */
export function merged<T extends Segment>(segments: readonly T[]): T[] {
  const all: T[] = [];
  for (const each of [...segments].sort(byStart)) {
    const last = all.at(-1);
    if (last && each.start < last.end) all[all.length - 1] = { ...last, end: Math.max(last.end, each.end) };
    else all.push(each);
  }
  return all;
}

/** A name of a button or a message is short; what has more words says something. */
const LONGEST_NAME = 5;

/** What stands for somebody else's words that were left out. */
export const HOLE = '“…”';

/**
 * A statement without what it quotes at length, for whoever did not ask: “…” is what the page says. What is left is the speaker's own,
 * and nothing that somebody else wrote is handed on word for word.
 */
export function withoutQuotations(statement: string): string {
  let rest = '';
  let from = 0;
  for (const { start, end } of quotations(statement)) {
    const inner = statement.slice(start + 1, end - 1);
    const isShort = (inner.match(/\S+/g)?.length ?? 0) <= LONGEST_NAME && inner.length <= 60;
    if (isShort) continue;
    rest += `${statement.slice(from, start)}${HOLE}`;
    from = end;
  }
  return from === 0 ? statement : rest + statement.slice(from);
}
