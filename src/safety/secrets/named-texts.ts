// Texts that the user named to be forgotten or masked, found without being kept: of each there is a keyed rolling hash, which is
// compared at every place of a text, and a keyed SHA-256 that settles it. Whoever writes anything down masks what is found,
// through redact(). The list belongs to the process, as the patterns of secrets do: every write path must know it, none may forget it.

import { contentHash } from '../../model/hash.ts';
import { parseJson } from '../../model/json.ts';

/** One spelling of a text. `remove`: of conversations the whole statement goes; `mask`: the text alone. */
export type NamedText = {
  readonly length: number;
  readonly roll: number;
  readonly hash: string;
  readonly as: 'remove' | 'mask';
  /** What it was hashed with, where that is another machine's key. */
  readonly key?: string;
};
export type NamedTexts = { readonly key: string; readonly texts: readonly NamedText[] };
export type TextRange = { readonly start: number; readonly end: number; readonly as: NamedText['as'] };

/** As redact() masks: its readers know the form. Nothing of the text is shown. */
export const NAMED_KIND = 'text';
const MASKED = `[redacted:${NAMED_KIND}:…]`;
/** Shorter ones would be found in every second line. */
export const SHORTEST_NAMED = 3;
export const LONGEST_NAMED = 2_000;
const SHORTEST_SLUG = 4;

type Folded = { readonly codes: Uint16Array; readonly places: Uint32Array; readonly count: number };
type Searched = {
  readonly base: number;
  readonly key: string;
  /** By length: rolling hash → the spellings that have it. */
  readonly byLength: ReadonlyMap<number, ReadonlyMap<number, readonly NamedText[]>>;
};

let searched: readonly Searched[] = [];
let asked: readonly Searched[] = [];

/** From now on these are looked for; nothing where there are none. */
export function useNamedTexts(named: NamedTexts | undefined): void {
  searched = preparedAll(named);
}

/** The same besides those, for somebody who only wants to know where they are. */
export function alsoSearch(named: NamedTexts | undefined): void {
  asked = preparedAll(named);
}

/** Most have one key: their own. */
function preparedAll(named: NamedTexts | undefined): Searched[] {
  if (!named || named.texts.length === 0) return [];
  const keyOf = (text: NamedText): string => text.key ?? named.key;
  const keys = new Set(named.texts.map(keyOf));
  return [...keys].map((key) => prepared({ key, texts: named.texts.filter((each) => keyOf(each) === key) }));
}

function prepared({ key, texts }: NamedTexts): Searched {
  const byLength = new Map<number, Map<number, NamedText[]>>();
  for (const text of texts) {
    const rolls = byLength.get(text.length) ?? new Map<number, NamedText[]>();
    rolls.set(text.roll, [...(rolls.get(text.roll) ?? []), text]);
    byLength.set(text.length, rolls);
  }
  return { base: baseOf(key), key, byLength };
}

/** The text as it is written, and as it looks in the name of a file, an id or a link. */
export function nameText(key: string, text: string, as: NamedText['as']): NamedText[] {
  const base = baseOf(key);
  return spellingsOf(text).map((spelling) => {
    const { codes, count } = folded(spelling);
    let roll = 0;
    for (let at = 0; at < count; at++) roll = next(roll, base, codes[at]!);
    return { length: count, roll, hash: textHash(key, codes, 0, count), as };
  });
}

function spellingsOf(text: string): string[] {
  const plain = text.trim();
  const words = plain.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const slugs = words.join('').length >= SHORTEST_SLUG ? [words.join('-'), words.join('_')] : [];
  const own = folded(plain);
  const isSame = (other: string): boolean => {
    const { codes, count } = folded(other);
    return count === own.count && codes.every((code, at) => at >= count || code === own.codes[at]);
  };
  return [plain, ...new Set(slugs.filter((slug) => !isSame(slug)))];
}

/** Where they stand, in their order; those that touch are one. */
export function findNamed(text: string): TextRange[] {
  if (searched.length + asked.length === 0 || text.length < SHORTEST_NAMED) return [];
  const own = folded(text);
  return joined([...searched, ...asked].flatMap((each) => findIn(own, each)));
}

function findIn({ codes, places, count }: Folded, { base, key, byLength }: Searched): TextRange[] {
  const found: TextRange[] = [];
  for (const [length, rolls] of byLength) {
    if (length > count) continue;
    const lead = power(base, length);
    let roll = 0;
    for (let at = 0; at < count; at++) {
      roll = next(roll, base, codes[at]!);
      if (at >= length) roll = (roll - Math.imul(lead, codes[at - length]!)) | 0;
      const named = at + 1 >= length ? rolls.get(roll) : undefined;
      if (named === undefined) continue;
      const from = at + 1 - length;
      const hash = textHash(key, codes, from, length);
      const same = named.find((each) => each.hash === hash);
      if (same) found.push({ start: places[from]!, end: places[at + 1]!, as: same.as });
    }
  }
  return found;
}

export const holdsNamed = (text: string): boolean => findNamed(text).length > 0;

function joined(found: TextRange[]): TextRange[] {
  const ranges: TextRange[] = [];
  for (const each of found.sort((a, b) => a.start - b.start || a.end - b.end)) {
    const last = ranges.at(-1);
    if (!last || each.start > last.end) ranges.push(each);
    else
      ranges[ranges.length - 1] = {
        start: last.start,
        end: Math.max(last.end, each.end),
        as: last.as === 'remove' || each.as === 'remove' ? 'remove' : 'mask',
      };
  }
  return ranges;
}

/** The text itself where none is in it. */
export function maskNamed(text: string): string {
  const ranges = findNamed(text);
  return ranges.length === 0 ? text : withRanges(text, ranges, MASKED);
}

/** For the name of a file: a mask would be none. */
export const renameNamed = (name: string): string => withRanges(name, findNamed(name), 'forgotten');

const withRanges = (text: string, ranges: readonly { start: number; end: number }[], instead: string): string => {
  let [from, made] = [0, ''];
  for (const { start, end } of ranges) {
    made += text.slice(from, start) + instead;
    from = end;
  }
  return made + text.slice(from);
};

/** A statement ends with its line, or with a full stop and a blank. */
const BREAK = /[.!?…。！？][)"'»”’\]]*(?=\s)|\n/gu;

/** Without the statements that hold a text to be removed; of those that are only to be masked, the text is masked. */
export function withoutNamed(text: string): string {
  const ranges = findNamed(text);
  if (ranges.length === 0) return text;
  // A path, an id or an address is no statement: a hole in it would be another one.
  if (!/\s/.test(text.trim())) return withRanges(text, ranges, MASKED);
  const ends = [...text.matchAll(BREAK)].map((match) => match.index + match[0].length);
  const cut = ranges
    .filter(({ as }) => as === 'remove')
    .map(({ start, end }) => ({
      start: ends.findLast((each) => each <= start) ?? 0,
      end: ends.find((each) => each >= end) ?? text.length,
    }));
  let [from, made] = [0, ''];
  for (const { start, end } of cut) {
    if (end <= from) continue;
    made += text.slice(from, Math.max(from, start));
    from = end;
  }
  return maskNamed(made + text.slice(from));
}

/** The same for a line of a transcript: JSON stays JSON. The line itself where nothing is in it. */
export function lineWithoutNamed(line: string): string {
  if (searched.length + asked.length === 0 || line === '') return line;
  const value = parseJson(line);
  if (value === undefined) return withoutNamed(line);
  const clean = deepNamed(value, withoutNamed);
  return clean === value ? line : JSON.stringify(clean);
}

const MAX_DEPTH = 100;

/** Every string of a JSON value, keys included; the value itself where nothing changed. */
export function deepNamed(value: unknown, change: (text: string) => string = maskNamed, depth = 0): unknown {
  if (typeof value === 'string') return change(value);
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value;
    const clean = list.map((each) => deepNamed(each, change, depth + 1));
    return clean.every((each, at) => each === list[at]) ? list : clean;
  }
  const fields = Object.entries(value);
  const clean = fields.map(([name, each]) => [maskNamed(name), deepNamed(each, change, depth + 1)] as const);
  return clean.every(([name, each], at) => name === fields[at]![0] && each === fields[at]![1])
    ? value
    : Object.fromEntries(clean);
}

/** Without regard to case and to how many blanks there are; `places` leads back into the text. */
function folded(text: string): Folded {
  const codes = new Uint16Array(text.length);
  const places = new Uint32Array(text.length + 1);
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x20 || (code >= 0x09 && code <= 0x0d) || code === 0xa0) {
      if (count > 0 && codes[count - 1] === 0x20) continue;
      codes[count] = 0x20;
    } else codes[count] = code < 0x80 ? (code >= 0x41 && code <= 0x5a ? code + 0x20 : code) : lower(code);
    places[count++] = at;
  }
  places[count] = text.length;
  return { codes, places, count };
}

/** A letter whose small form is longer stays as it is, so that places hold. */
function lower(code: number): number {
  const small = String.fromCharCode(code).toLowerCase();
  return small.length === 1 ? small.charCodeAt(0) : code;
}

const next = (roll: number, base: number, code: number): number => (Math.imul(roll, base) + code) | 0;

function power(base: number, exponent: number): number {
  let result = 1;
  for (let count = 0; count < exponent; count++) result = Math.imul(result, base);
  return result;
}

/** Odd, so that no place of a text is lost in it. */
const baseOf = (key: string): number => Number.parseInt(contentHash(`roll\0${key}`).slice(0, 8), 16) | 1;

function textHash(key: string, codes: Uint16Array, from: number, length: number): string {
  return contentHash(`text\0${key}\0${String.fromCharCode(...codes.subarray(from, from + length))}`).slice(0, 32);
}
