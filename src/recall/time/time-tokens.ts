// A text as the pieces that may name a time: words, numbers, dates and clocks. What is part of a path, a file name, an identifier or
// code is one piece that means nothing, so that `april.ts`, `src/march/` and `sun.misc` are no dates.

/** `other`: nothing that a time is made of. */
export type TokenKind =
  | 'word'
  | 'number'
  | 'ordinal'
  | 'date'
  | 'slashDate'
  | 'isoMonth'
  | 'isoWeek'
  | 'quarter'
  | 'clock'
  | 'dash'
  | 'other';

export type Token = {
  readonly kind: TokenKind;
  /** In lower case, without what a word has behind it ("yesterday's"). */
  readonly text: string;
  /** As it was written. */
  readonly written: string;
  /** Year, month (from 1), day; quarter, year; year, week; or the number. */
  readonly values: readonly number[];
  readonly start: number;
  readonly end: number;
  /** A clause ends with it: a comma, a question mark. */
  readonly ends: boolean;
};

const CHUNK = /\S+/g;
const LEADING = /^["'“‘«¿¡([{*_]+/;
const TRAILING = /["'”’»)\]}*_.,;:!?…]+$/;
const ISO = '\\d{4}[-/]\\d{1,2}[-/]\\d{1,2}';
const ISO_RANGE = new RegExp(`^(${ISO})(\\.{2,3}|/|–|—|--|～|〜|~)(${ISO})$`);
const LETTERS = /^[A-Za-z\u00c0-\u024f]+$/;

type Shape = readonly [kind: TokenKind, pattern: RegExp, values: (match: RegExpExecArray) => number[]];
const numbers = (match: RegExpExecArray): number[] =>
  match.slice(1).flatMap((each) => (each === undefined ? [] : [Number(each)]));
const dayFirst = ([, day, month, year]: RegExpExecArray): number[] => [Number(year), Number(month), Number(day)];
const SHAPES: readonly Shape[] = [
  ['date', /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:t\d\d?:\d\d(?::\d\d(?:\.\d+)?)?(?:z|[+-]\d\d:?\d\d)?)?$/, numbers],
  ['date', /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/, dayFirst],
  ['slashDate', /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/, dayFirst],
  ['isoMonth', /^(\d{4})-(\d\d)$/, numbers],
  ['isoWeek', /^(\d{4})-?w(\d{1,2})$/, numbers],
  ['quarter', /^q(\d)$/, numbers],
  ['quarter', /^q(\d)[-/](\d{4})$/, numbers],
  ['quarter', /^(\d{4})-?q(\d)$/, ([, year, quarter]) => [Number(quarter), Number(year)]],
  ['ordinal', /^(\d{1,2})(?:st|nd|rd|th|er|º|ª|°)$/, numbers],
  ['number', /^(\d{1,4})$/, numbers],
  ['clock', /^\d{1,2}(?::\d\d){1,2}(?:am|pm|h|z)?$|^\d{1,2}(?:am|pm|h|uhr)$|^\d{1,2}h\d\d$/, () => []],
  ['dash', /^(?:[-–—/～〜~]|--|\.{2,3})$/, () => []],
];

/** What two words with a dash between them are: two times (“March–May”), or a phrase (“mid-March”, “avant-hier”). */
type Joins = (first: string, second: string) => 'range' | 'phrase' | undefined;

export function timeTokens(text: string, joins: Joins): Token[] {
  const tokens: Token[] = [];
  for (const { 0: chunk, index } of text.matchAll(CHUNK)) {
    if (LETTERS.test(chunk)) {
      // Most are plain words.
      tokens.push({
        kind: 'word',
        text: chunk.toLowerCase(),
        written: chunk,
        values: [],
        start: index,
        end: index + chunk.length,
        ends: false,
      });
      continue;
    }
    const start = index + (LEADING.exec(chunk)?.[0].length ?? 0);
    const trailing = TRAILING.exec(chunk.slice(start - index))?.[0] ?? '';
    const core = chunk.slice(start - index, chunk.length - trailing.length);
    if (core === '') {
      const isDash = /^\.\.$/.test(chunk);
      tokens.push({
        kind: isDash ? 'dash' : 'other',
        text: '',
        written: chunk,
        values: [],
        start: index,
        end: index + chunk.length,
        ends: true,
      });
      continue;
    }
    const parts = partsOf(core, joins);
    let at = start;
    for (const [place, part] of parts.entries()) {
      const from = text.indexOf(part, at);
      const isLast = place === parts.length - 1;
      at = from + part.length;
      const ends = isLast && /[,;:!?…)]|\.$/.test(trailing);
      tokens.push({ ...tokenOf(part), start: from, end: at, ends });
    }
  }
  return tokens;
}

/** “2026-01-01..2026-01-31”, “1–30”, “March–May”, “d'avril”, “mid-March” are several. */
function partsOf(core: string, joins: Joins): string[] {
  const range = ISO_RANGE.exec(core);
  if (range) return range.slice(1);
  const days = /^(\d{1,2}(?:st|nd|rd|th)?)\.?([-–—])(\d{1,2}(?:st|nd|rd|th)?)$/.exec(core);
  if (days) return days.slice(1);
  const [, first = '', dash = '', second = ''] = /^([^-–—]+)([-–—])([^-–—]+)$/.exec(core) ?? [];
  const joined = first === '' ? undefined : joins(first.toLowerCase(), second.toLowerCase());
  if (joined) return joined === 'range' ? [first, dash, second] : [first, second];
  const elided = /^([A-Za-zà-ü]+)['’](?!s$)([A-Za-z\u00c0-\u024f]+)$/i.exec(core);
  return elided ? elided.slice(1) : [core];
}

function tokenOf(part: string): Pick<Token, 'kind' | 'text' | 'written' | 'values'> {
  const text = part.toLowerCase().replace(/['’]s$/, '');
  if (LETTERS.test(text)) return { kind: 'word', text, written: part, values: [] };
  for (const [kind, pattern, values] of SHAPES) {
    const match = pattern.exec(text);
    if (match) return { kind, text, written: part, values: values(match) };
  }
  return { kind: 'other', text, written: part, values: [] };
}
