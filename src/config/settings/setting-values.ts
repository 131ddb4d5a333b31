// From what somebody wrote (JSON in a file, text in the environment or on the command line) to the value of a setting.
// Forgiving where the meaning is certain ("30" is 30, 7.9 is 7, 100 is the 20 that the range ends with), refusing where it is not.

import {
  type FieldType,
  isFieldName,
  isFolderName,
  type Setting,
  type SettingValue,
  type VocabularySetting,
} from './settings.ts';

/** `changed`: the value was moved into the range or cut. */
export type Reading = { ok: true; value: SettingValue; changed: boolean } | { ok: false };

const REFUSED: Reading = { ok: false };
const as = (value: SettingValue, changed = false): Reading => ({ ok: true, value, changed });

/** A value as JSON gives it. */
export function readValue(setting: Setting, raw: unknown): Reading {
  switch (setting.type) {
    case 'boolean':
      return typeof raw === 'boolean' ? as(raw) : REFUSED;
    case 'integer':
    case 'number':
      return readNumber(setting, raw);
    case 'enum':
      return readEnum(setting, raw);
    case 'text':
      return typeof raw === 'string' ? cutText(raw, setting.maxLength!) : REFUSED;
    case 'path':
      return typeof raw === 'string' && isPlainLine(raw.trim(), MAX_PATH) ? as(raw.trim()) : REFUSED;
    case 'folder':
      return typeof raw === 'string' && isFolderName(raw) ? as(raw) : REFUSED;
    case 'list':
      return readList(setting, raw);
    case 'fields':
      return readFields(setting, raw);
    case 'vocabulary':
      return readVocabulary(setting, raw);
  }
}

const WORDS: { readonly [word: string]: boolean } = {
  true: true,
  yes: true,
  on: true,
  1: true,
  false: false,
  no: false,
  off: false,
  0: false,
};

/** A value as a person types it. Lists may be separated by commas; anything may be JSON. */
export function readTyped(setting: Setting, typed: string): Reading {
  const text = typed.trim();
  if (setting.type === 'boolean') {
    const word = text.toLowerCase();
    return Object.hasOwn(WORDS, word) ? as(WORDS[word]!) : REFUSED;
  }
  if (setting.type === 'list' && !text.startsWith('['))
    return readValue(
      setting,
      text
        .split(',')
        .map((item) => item.trim())
        .filter(Boolean),
    );
  if (setting.type === 'list' || setting.type === 'fields' || setting.type === 'vocabulary')
    return readValue(setting, parsed(text));
  // A quoted text is JSON; without quotes it is the text itself.
  const quoted = text.startsWith('"') ? parsed(text) : undefined;
  return readValue(setting, typeof quoted === 'string' ? quoted : text);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const WHOLE = /^[+-]?\d+$/;
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

function readNumber(setting: Setting, raw: unknown): Reading {
  let number: number;
  if (typeof raw === 'string') {
    const text = raw.trim();
    if (!(setting.type === 'integer' ? WHOLE : DECIMAL).test(text)) return REFUSED;
    number = Number(text);
    // Digits beyond what a number can hold are still a number, and it is too large.
    if (setting.type === 'integer') number = Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, number));
  } else if (typeof raw === 'number') number = raw;
  else return REFUSED;
  if (!Number.isFinite(number)) return REFUSED;
  const whole = setting.type === 'integer' ? Math.trunc(number) : number;
  const value = Math.min(setting.max!, Math.max(setting.min!, whole)) + 0; // -0 is 0
  const changed = value !== number;
  return changed && setting.exact ? REFUSED : as(value, changed);
}

function readEnum(setting: Setting, raw: unknown): Reading {
  if (typeof raw !== 'string') return REFUSED;
  const word = raw.trim().toLowerCase();
  return setting.values!.includes(word) ? as(word) : REFUSED;
}

function cutText(text: string, most: number): Reading {
  if (text.length <= most) return as(text);
  const points = Array.from(text);
  return points.length <= most ? as(text) : as(points.slice(0, most).join(''), true);
}

const MAX_PATH = 1024;

function isPlainLine(text: string, most: number): boolean {
  return text !== '' && text.length <= most && !/[\x00-\x1f\x7f]/.test(text);
}

function readList(setting: Setting, raw: unknown): Reading {
  if (!Array.isArray(raw)) return REFUSED;
  const items = new Set<string>();
  for (const item of raw as unknown[]) {
    const text = typeof item === 'string' ? item.trim() : '';
    if (!isPlainLine(text, setting.maxLength!)) return REFUSED;
    items.add(text);
  }
  return as([...items].slice(0, setting.maxItems), items.size > setting.maxItems!);
}

const MAX_WORDS = 30;
const MAX_WORD_LENGTH = 40;

/** Content is all or nothing: half a declaration would refuse, or accept, the wrong memories. */
function readFields(setting: Setting, raw: unknown): Reading {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return REFUSED;
  const entries = Object.entries(raw);
  if (entries.length === 0 || entries.length > setting.maxItems!) return REFUSED;
  const fields: { [name: string]: FieldType } = Object.create(null);
  for (const [name, type] of entries) {
    const known = fieldType(type);
    if (!isFieldName(name) || known === undefined) return REFUSED;
    fields[name] = known;
  }
  return as(fields);
}

function fieldType(raw: unknown): FieldType | undefined {
  if (raw === 'text' || raw === 'list') return raw;
  if (!Array.isArray(raw) || raw.length === 0 || raw.length > MAX_WORDS) return undefined;
  const words = raw.map((word: unknown) => (typeof word === 'string' ? word.trim() : ''));
  return words.every((word) => isPlainLine(word, MAX_WORD_LENGTH)) ? [...new Set(words)] : undefined;
}

const MAX_PHRASES = 200;
const LANGUAGE = /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})?$/;

/** Part by part: a phrase that cannot be used must not cost the others. */
function readVocabulary(setting: Setting, raw: unknown): Reading {
  if (!isRecord(raw)) return REFUSED;
  const languages: { [language: string]: VocabularySetting[string] } = Object.create(null);
  let changed = false;
  for (const [language, categories] of Object.entries(raw)) {
    if (!LANGUAGE.test(language) || !isRecord(categories) || Object.keys(languages).length >= setting.maxItems!) {
      changed = true;
      continue;
    }
    const read: { [category: string]: VocabularySetting[string][string] } = Object.create(null);
    for (const [category, words] of Object.entries(categories)) {
      if (!isFieldName(category) || !isRecord(words)) {
        changed = true;
        continue;
      }
      const primary = phrases(words.primary, setting.maxLength!);
      const boosters = phrases(words.boosters, setting.maxLength!);
      changed ||= primary.changed || boosters.changed;
      read[category] = { primary: primary.kept, boosters: boosters.kept };
    }
    languages[language] = read;
  }
  return as(languages, changed);
}

function phrases(raw: unknown, most: number): { kept: string[]; changed: boolean } {
  const given = Array.isArray(raw) ? raw : [];
  const kept = given
    .filter((phrase): phrase is string => typeof phrase === 'string' && isPlainLine(phrase.trim(), most))
    .map((phrase) => phrase.trim())
    .slice(0, MAX_PHRASES);
  return { kept, changed: kept.length < given.length || (raw !== undefined && !Array.isArray(raw)) };
}

const isRecord = (raw: unknown): raw is { [key: string]: unknown } =>
  typeof raw === 'object' && raw !== null && !Array.isArray(raw);

/** What the setting takes, for the end of "expected …". */
export function expectedBy(setting: Setting): string {
  switch (setting.type) {
    case 'boolean':
      return 'true or false';
    case 'integer':
      return `a whole number from ${setting.min} to ${setting.max}`;
    case 'number':
      return `a number from ${setting.min} to ${setting.max}`;
    case 'enum':
      return setting.values!.length === 1 ? `"${setting.values![0]}"` : `one of ${setting.values!.join(', ')}`;
    case 'text':
      return `a text of at most ${setting.maxLength} characters`;
    case 'path':
      return 'a path';
    case 'folder':
      return 'a folder name of lower-case letters, digits and "-" that is not reserved';
    case 'list':
      return `a list of at most ${setting.maxItems} texts`;
    case 'fields':
      return `an object of 1 to ${setting.maxItems} fields such as {"summary": "text", "steps": "list", "state": ["open", "done"]}`;
    case 'vocabulary':
      return 'an object of languages with phrases for each category, such as {"en": {"decision": {"primary": ["settled on"]}}}';
  }
}

const SHOWN = 80;

/** A value for a message: one line, at most 80 characters, nothing in it that moves a terminal. */
export function showValue(raw: unknown): string {
  let text: string;
  try {
    text = typeof raw === 'number' ? String(raw) : (JSON.stringify(raw) ?? String(raw));
  } catch {
    text = Array.isArray(raw) ? '[…]' : '{…}'; // nested too deep to print
  }
  return plainText(text, SHOWN);
}

/** Without control, zero-width and bidi characters, and cut where it is too long. */
export function plainText(text: string, most = Number.POSITIVE_INFINITY): string {
  const near = most < text.length ? text.slice(0, 4 * most) : text; // a megabyte is not walked for its first line
  const plain = near.replace(/[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202f\u2060-\u2069\ufeff]/g, '');
  if (plain.length <= most) return plain;
  const points = Array.from(plain);
  return points.length <= most ? plain : `${points.slice(0, most - 1).join('')}…`;
}
