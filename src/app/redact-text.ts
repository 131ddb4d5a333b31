// What is stored, with its secrets masked, by the kind of file it is: a note keeps its front matter, JSON stays JSON, a log its lines.

import { CairnError } from '../errors.ts';
import { FrontMatter, type PropertyValue } from '../files/front-matter.ts';
import { parseJson } from '../model/json.ts';
import { redactLine } from '../safety/redact-line.ts';
import type { KnownValues } from '../safety/secrets/known-values.ts';
import { redact, redactDeep } from '../safety/secrets/redact.ts';
import type { Document } from '../store/store.ts';

/** What names a row, or is a sum over it, is no secret whatever it looks like. */
export function cleanRow(document: Document, known: KnownValues): Document {
  const { title, text, context, tags, meta } = document;
  const words = {
    title,
    text,
    tags,
    ...(context === undefined ? {} : { context }),
    ...(meta === undefined ? {} : { meta }),
  };
  const { value, found } = redactDeep(words, known);
  return found.length === 0 ? document : { ...document, ...value };
}

export function cleanText(file: string, text: string, known: KnownValues): string {
  if (/\.jsonl$|\.log(?:\.\d)?$/.test(file))
    return text
      .split('\n')
      .map((line) => redactLine(line, { known }))
      .join('\n');
  if (/\.json$/.test(file)) return cleanJson(text, known);
  return /\.md$/.test(file) ? cleanNote(text, known) : redact(text, known).text;
}

function cleanJson(text: string, known: KnownValues): string {
  const value = parseJson(text);
  if (value === undefined) return redact(text, known).text;
  const { value: clean, found } = redactDeep(value, known);
  return found.length === 0 ? text : `${JSON.stringify(clean, null, 2)}\n`;
}

/**
 * A mask begins with a bracket, which in front matter means a list: properties are set, not replaced as text. What is none that can
 * be set (a map, a comment, front matter that is no YAML) is replaced as text all the same.
 */
function cleanNote(text: string, known: KnownValues): string {
  const note = FrontMatter.parse(text);
  if (!note.exists || note.problem !== undefined) return redact(text, known).text;
  let isWhole = true;
  for (const key of note.keys) {
    const value = note.get(key);
    const { value: clean, found } = redactDeep({ [key]: value }, known);
    if (value === undefined) isWhole = false;
    else if (found.length > 0) isWhole = setQuietly(note, key, clean[key] ?? value) && isWhole;
  }
  note.body = redact(note.body, known).text;
  const whole = note.toString();
  const head = whole.slice(0, whole.length - note.body.length);
  return isWhole && !head.includes('#') ? whole : redact(head, known).text + note.body;
}

function setQuietly(note: FrontMatter, key: string, value: PropertyValue): boolean {
  try {
    note.set(key, value);
    return true;
  } catch (error) {
    if (error instanceof CairnError) return false;
    throw error;
  }
}

const MASK = /\[redacted:[a-z0-9-]{1,40}:…[^\]\s]{0,8}\]/g;

/** The masks that are new. */
export function masksIn(before: unknown, after: unknown): string[] {
  const masks = (value: unknown): string[] =>
    (typeof value === 'string' ? value : JSON.stringify(value)).match(MASK) ?? [];
  const old = new Set(masks(before));
  const made = [...new Set(masks(after))].filter((mask) => !old.has(mask));
  return made.length > 0 ? made : ['[private passage]'];
}
