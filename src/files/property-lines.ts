// Reads front matter line by line, without a YAML library: hooks read notes too, and most notes hold nothing but `key: value` and
// lists. It knows when it does not know: `sure` says that every line is one that YAML reads the same way (property test). What
// it cannot read has no value. Nothing is ever evaluated, and no file can make it run or grow.

import type { PropertyValue, Scalar } from './property-text.ts';

export type Property = {
  readonly value: PropertyValue;
  /** The same as it was written: `1.10` stays `1.10`. */
  readonly text: string | readonly string[];
  /** Some items stand in brackets of their own, which are left out here: to YAML they are lists in a list. */
  readonly nested?: boolean;
};

/** The lines of a key, each with its own line ending. */
export type KeyLines = { readonly key: string; readonly raw: string; readonly property: Property | undefined };

export type LineReading = {
  readonly keys: readonly KeyLines[];
  /** There is no line besides those of the keys. */
  readonly onlyKeys: boolean;
  readonly sure: boolean;
};

export const MAX_ITEMS = 1_000;

export type Item = { readonly value: Scalar; readonly text: string; readonly nested?: boolean };

const KEY = /^([A-Za-z_][\w.-]*|"[^"\\\n]+"|'[^'\n]+')[ \t]*:(?:[ \t]+([^\n]*))?$/;
const IGNORED = /^[ \t]*(?:#[^\n]*)?$/;

export function readLines(source: string): LineReading {
  const lines = source.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const keys: KeyLines[] = [];
  const seen = new Set<string>();
  let [sure, onlyKeys] = [true, true];
  for (let at = 0; at < lines.length; ) {
    const match = KEY.exec(bare(lines[at]!));
    if (!match) {
      onlyKeys = false;
      if (!IGNORED.test(bare(lines[at]!)) || lines[at]!.startsWith('\t')) sure = false;
      at++;
      continue;
    }
    let end = at + 1;
    while (end < lines.length && continues(lines, end)) end++;
    const property = propertyOf(match[2] ?? '', lines.slice(at + 1, end).map(bare));
    const key = /^["']/.test(match[1]!) ? match[1]!.slice(1, -1) : match[1]!;
    if (property === undefined || seen.has(key)) sure = false;
    seen.add(key);
    keys.push({ key, raw: lines.slice(at, end).join(''), property });
    at = end;
  }
  return { keys, onlyKeys, sure: sure && !/\r(?!\n)/.test(source) };
}

/** Without its line ending and the blanks before it. Blanks are spaces and tabs: no others mean anything in YAML. */
function bare(line: string): string {
  let end = line.length;
  if (line[end - 1] === '\n') end--;
  if (line[end - 1] === '\r') end--;
  while (line[end - 1] === ' ' || line[end - 1] === '\t') end--; // a pattern would look at every blank again and again
  return line.slice(0, end);
}

/** Indented lines and list items belong to the key above; so does a blank line that is followed by one. */
function continues(lines: readonly string[], at: number): boolean {
  const line = lines[at]!;
  if (/^(?:[ \t]+[^ \t\r\n]|-[ \t]|-\r?\n?$)/.test(line)) return true;
  return bare(line) === '' && at + 1 < lines.length && /^[ \t]+[^ \t\r\n]/.test(lines[at + 1]!);
}

function propertyOf(first: string, more: readonly string[]): Property | undefined {
  const rest = more.filter((line) => !IGNORED.test(line));
  if (more.some((line) => line.startsWith('\t'))) return undefined;
  if (first === '' || first.startsWith('#'))
    return rest.length === 0 ? { value: null, text: '' } : listOf(blockList(rest));
  if (more.length > 0) return undefined; // a value over several lines
  if (first.startsWith('[')) return listOf(wikiLinks(first) ?? flowList(first));
  return itemIn(first);
}

export const listOf = (items: readonly Item[] | undefined): Property | undefined =>
  items && {
    value: items.map(({ value }) => value),
    text: items.map(({ text }) => text),
    ...(items.some(({ nested }) => nested) ? { nested: true } : {}),
  };

/** `[[a]], [[b|text]]`: not YAML, but what people and earlier tools write. */
export function wikiLinks(text: string): Item[] | undefined {
  if (!/^\[\[[^[\]\n]+\]\](?:[ \t]*,[ \t]*\[\[[^[\]\n]+\]\])+[ \t]*(?:,[ \t]*)?(?:(?<=[ \t])#[^\n]*)?$/.test(text))
    return undefined;
  const links = [...text.replace(/[ \t]#[^\n]*$/, '').matchAll(/\[\[([^[\]\n]+)\]\]/g)];
  return links.slice(0, MAX_ITEMS).map(({ 0: link }) => ({ value: link, text: link }));
}

const FLOW_ITEM =
  /[ \t]*(?:("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')[ \t]*|(\[{0,2})((?:[^\s,[\]{}#&*!|>'"%@`:?-]|-(?=[^\s,[\]{}]))[^,[\]{}:#"'\n\r]*(?![^,[\]{}:#"'\n\r]))(\]{0,2})[ \t]*)(?:,|(?=\]))/y;

/** `[a, "b, c", [[d]], [e]]` on one line: brackets around an item mean a link. */
function flowList(text: string): Item[] | undefined {
  const items: Item[] = [];
  FLOW_ITEM.lastIndex = 1;
  for (let at = 1; ; at = FLOW_ITEM.lastIndex) {
    if (/^[ \t]*\](?:[ \t]+#[^\n]*)?$/.test(text.slice(at))) return items;
    FLOW_ITEM.lastIndex = at;
    const match = FLOW_ITEM.exec(text);
    if (!match || items.length === MAX_ITEMS || (match[2] ?? '').length !== (match[4] ?? '').length) return undefined;
    const item = match[1] === undefined ? plainOf(bare(match[3]!)) : quotedOf(match[1]);
    if (item === undefined) return undefined;
    items.push(match[2] ? { ...item, nested: true } : item);
  }
}

/** Every item on a line of its own, all indented alike. */
function blockList(lines: readonly string[]): Item[] | undefined {
  const items: Item[] = [];
  let indent: string | undefined;
  for (const line of lines) {
    const match = /^( *)-(?:[ \t]+([^\n]*))?$/.exec(line);
    indent ??= match?.[1];
    if (!match || items.length === MAX_ITEMS || match[1] !== indent) return undefined;
    const written = match[2] ?? '';
    const link = /^\[{1,2}([^[\]{},:#&*!|>'"%@`?\s-][^[\]{},:#"'\n]*)\]{1,2}$/.exec(written);
    const inner = link && isEven(written) ? plainOf(bare(link[1]!)) : undefined;
    const item = inner ?? itemIn(written);
    if (item === undefined) return undefined;
    items.push(inner ? { ...item, nested: true } : item);
  }
  return items;
}

const isEven = (written: string): boolean => /^\[*/.exec(written)![0].length === /\]*$/.exec(written)![0].length;

function itemIn(written: string): Item | undefined {
  if (/^["']/.test(written)) return quotedOf(written);
  const comment = written.search(/[ \t]#/);
  const plain = comment === -1 ? written : bare(written.slice(0, comment));
  // Anchors, tags, maps, block text, and a colon that makes a map of it are not read here.
  if (/^(?:[,[\]{}#&*!|>%@`]|[-?:](?:[ \t]|$))/.test(plain) || /:(?:[ \t]|$)/.test(plain)) return undefined;
  return plainOf(plain);
}

/** A complete quoted text with nothing but a comment behind it. */
function quotedOf(written: string): Item | undefined {
  const double = /^"((?:[^"\\]|\\.)*)"(?:[ \t]+#[^\n]*)?$/.exec(written);
  const single = double ? null : /^'((?:[^']|'')*)'(?:[ \t]+#[^\n]*)?$/.exec(written);
  const text = double ? jsonText(double[1]!) : single?.[1]?.replaceAll("''", "'");
  return text === undefined ? undefined : { value: text, text };
}

/** YAML knows escapes that JSON does not. */
function jsonText(inner: string): string | undefined {
  try {
    return JSON.parse(`"${inner}"`) as string;
  } catch {
    return undefined;
  }
}

/** What a plain word is in YAML's core schema. */
function plainOf(text: string): Item {
  if (/^(?:~|[Nn]ull|NULL)?$/.test(text)) return { value: null, text };
  if (/^(?:[Tt]rue|TRUE|[Ff]alse|FALSE)$/.test(text)) return { value: /^t/i.test(text), text };
  if (/^(?:[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?|0o[0-7]+|0x[\da-fA-F]+)$/.test(text))
    return { value: Number(text), text };
  if (/^\.(?:nan|NaN|NAN)$/.test(text)) return { value: Number.NaN, text };
  const infinite = /^([-+]?)\.(?:inf|Inf|INF)$/.exec(text);
  return { value: infinite ? (infinite[1] === '-' ? -Infinity : Infinity) : text, text };
}
