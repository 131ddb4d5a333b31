// What is put right before a record is judged, in this order, each fix with a note. It never invents content:
// what is missing and means something is the validator's to refuse.

import { isObject, type JsonObject } from '../model/json.ts';
import { SCHEMA_VERSION, TAG_CAP } from '../model/record.ts';
import { show } from '../model/schema.ts';
import { cutCodePoints, stripUnsafeText } from '../model/text.ts';
import { removePrivate } from '../safety/private-tags.ts';
import { cleanTag, cleanTitle } from '../safety/sanitise.ts';
import { redactDeep } from '../safety/secrets/redact.ts';
import { compareText } from './index-line.ts';
import { slugOf } from './slug.ts';

/** Of the tags that are left out so many are named. */
const NAMED = 10;

export type Fixed = { record: JsonObject; notes: string[] };

export function autoFix(input: JsonObject, options: { now: string; creating: boolean }): Fixed {
  const { record, notes } = safeText(input);
  const fix = (field: string, value: unknown, why: string): void => {
    // Compared with what was given: making a text safe may have put it right already.
    if (input[field] === value && record[field] === value) return;
    notes.push(
      `[AUTO-FIX] ${field}: ${why}${record[field] === undefined ? '' : `, was ${show(record[field])}`}, is ${show(value)}`,
    );
    record[field] = value;
  };
  if (!record.schema_version) fix('schema_version', SCHEMA_VERSION, 'was missing');
  if (!record.updated_at) fix('updated_at', options.now, 'was missing');
  if (options.creating && !record.created_at) fix('created_at', options.now, 'was missing');
  if (typeof record.tags === 'string') fix('tags', [record.tags], 'one text becomes a list');
  if (typeof record.id === 'string') fix('id', slugOf(record.id), 'made a slug');
  const confidence = record.confidence;
  if (typeof confidence === 'number' && Number.isFinite(confidence)) {
    fix('confidence', Math.min(1, Math.max(0, confidence)), 'brought into 0 to 1');
  }
  if (typeof record.title === 'string') fix('title', cleanTitle(record.title), 'cleaned');
  if (Array.isArray(record.tags)) fixTags(record, notes);
  return { record, notes };
}

function fixTags(record: JsonObject, notes: string[]): void {
  const given = record.tags as unknown[];
  const tags = normaliseTags(given);
  notes.push(...leftOut(tags));
  const kept = tags.length === 0 ? ['untagged'] : tags.slice(0, TAG_CAP);
  if (JSON.stringify(kept) !== JSON.stringify(given)) notes.push(`[AUTO-FIX] tags: ${show(given)} is ${show(kept)}`);
  record.tags = kept;
}

/** The tags of a record and more of them, as far as there is room: those that it has stay. */
export function growTags(old: unknown, more: readonly string[]): { tags: string[]; notes: string[] } {
  const known = normaliseTags(Array.isArray(old) ? old : []);
  const fresh = normaliseTags(safeText({ more }).record.more as string[]).filter((tag) => !known.includes(tag));
  const all = [...known, ...fresh];
  return { tags: all.slice(0, TAG_CAP), notes: leftOut(all) };
}

function leftOut(tags: readonly string[]): string[] {
  if (tags.length <= TAG_CAP) return [];
  const left = tags.slice(TAG_CAP, TAG_CAP + NAMED).map((tag) => cutCodePoints(tag, 40));
  const more = tags.length > TAG_CAP + NAMED ? ` and ${tags.length - TAG_CAP - NAMED} more` : '';
  return [`WARNING: only ${TAG_CAP} tags are kept; left out: ${left.join(', ')}${more}`];
}

/** Lower case, clean, each once, sorted. What is no text is no tag. */
export function normaliseTags(tags: readonly unknown[]): string[] {
  const clean = tags.filter((tag): tag is string => typeof tag === 'string').map(cleanTag);
  return [...new Set(clean)].filter((tag) => tag !== '').sort(compareText);
}

/**
 * The record with every text made safe to keep: invisible characters gone, private passages gone, secrets masked, in this
 * order, because an invisible character inside a token would hide it. Nothing else sees the record before this.
 */
export function safeText(record: JsonObject): Fixed {
  const { value, found } = redactDeep(mapStrings(record, (text) => removePrivate(stripUnsafeText(text))));
  const notes = found.map((each) => `WARNING: a secret was masked in ${each.path || 'the record'} (${each.kind})`);
  return { record: isObject(value) ? { ...value } : {}, notes };
}

function mapStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapStrings(inner, change)]));
}
