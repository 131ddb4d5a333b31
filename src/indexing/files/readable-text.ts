// The words of a memory without the marks of its format: what people read in an answer, and what is searched and embedded.

import { isObject, type JsonObject } from '../../model/json.ts';
import { NOT_STATED } from '../../model/not-stated.ts';

const WIKI = /\[\[([^[\]\n|]{1,300})(?:\|([^[\]\n]{1,300}))?\]\]/g;

/** The fields of a record's content one under the other, the telling ones first. */
export function readable(content: JsonObject, first: readonly string[]): string {
  const own = first.filter((field) => Object.hasOwn(content, field));
  const rest = Object.keys(content).filter((field) => !first.includes(field));
  return [...own, ...rest].flatMap((field) => fieldLines(labelOf(field), content[field])).join('\n');
}

function fieldLines(label: string, value: unknown): string[] {
  if (Array.isArray(value)) {
    const items = value.map(inOneLine).filter((item) => item !== '');
    return items.length === 0 ? [] : [`${label}:`, ...items.map((item) => `- ${item}`)];
  }
  if (isObject(value)) {
    return Object.entries(value).flatMap(([name, each]) =>
      fieldLines(`${label}, ${labelOf(name).toLowerCase()}`, each),
    );
  }
  const text = plain(value);
  return text === '' ? [] : [`${label}: ${text}`];
}

/** `{ option, rejected_reason }` in a list reads as "option: reason". */
function inOneLine(value: unknown): string {
  if (Array.isArray(value)) return value.map(inOneLine).filter(Boolean).join(', ');
  if (isObject(value)) return Object.values(value).map(inOneLine).filter(Boolean).join(': ');
  return plain(value);
}

function plain(value: unknown): string {
  if (typeof value === 'string') return value === NOT_STATED ? '' : wikiText(value).trim();
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'number' ? String(value) : '';
}

function labelOf(field: string): string {
  const words = field.replaceAll('_', ' ').trim();
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** The body of a note: no title (the document has it), no comments, no sections without words. */
export function readableNote(body: string): string {
  const lines = wikiText(withoutComments(body)).split('\n');
  const title = lines.findIndex((line) => line.trim() !== '');
  if (/^#[ \t]/.test(lines[title] ?? '')) lines.splice(0, title + 1);
  const kept = lines.filter((line, at) => !(isHeading(line) && isEmptyBelow(lines, at)));
  return kept
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

const isHeading = (line: string): boolean => /^#{1,6}[ \t]/.test(line);

function isEmptyBelow(lines: readonly string[], heading: number): boolean {
  for (let at = heading + 1; at < lines.length; at++) {
    if (lines[at]!.trim() === '') continue;
    const [own, next] = [lines[heading]!, lines[at]!].map((line) => /^#*/.exec(line)![0].length);
    return isHeading(lines[at]!) && next! <= own!;
  }
  return true;
}

/** By hand: a pattern would look for the end of each of a million comments that have none. */
function withoutComments(text: string): string {
  let kept = '';
  let from = 0;
  for (let at = text.indexOf('<!--'); at !== -1; at = text.indexOf('<!--', from)) {
    const end = text.indexOf('-->', at);
    if (end === -1) break;
    kept += text.slice(from, at);
    from = end + 3;
  }
  return kept + text.slice(from);
}

/** `[[target|shown]]` as a reader sees it. */
export function wikiText(text: string): string {
  return text.includes('[[')
    ? text.replace(WIKI, (_, target: string, shown?: string) => (shown ?? target).trim())
    : text;
}
