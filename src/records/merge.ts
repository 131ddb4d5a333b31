// What an update may not undo: identity, status, history, tags and related files only grow. Pure: old and new in,
// the merged record and warnings out, or the first broken rule thrown.

import { CairnError, type ErrorDetail } from '../errors.ts';
import type { Category } from '../model/categories.ts';
import { isObject, type JsonObject } from '../model/json.ts';
import { type ChangeEntry, SUMMARY_MAX, TAG_CAP } from '../model/record.ts';
import { show } from '../model/schema.ts';
import { cutCodePoints } from '../model/text.ts';
import { normaliseTags } from './auto-fix.ts';

export type MergeContext = {
  category: Category;
  now: string;
  /** Does this related file still exist? Only a dangling one may be dropped. */
  fileExists: (relatedFile: string) => boolean;
};

export type Merged = { record: JsonObject; warnings: string[] };

/** `before` is the stored record, `after` the validated input that already carries the preserved fields. */
export function mergeUpdate(before: JsonObject, after: JsonObject, context: MergeContext): Merged {
  checkImmutable(before, after);
  const evicted = checkTags(before, after, context);
  checkRelatedFiles(before, after, context);
  const oldChanges = listOf(before.changes);
  const newChanges = listOf(after.changes);
  checkHistory(oldChanges, newChanges);
  const changes = [...newChanges, ...evicted, ...scalarChanges(before, after, context)];
  if (changes.length <= oldChanges.length) {
    throw broken('changes', 'at least one new change entry per update', [
      ['old', `${oldChanges.length} entries`],
      ['new', `${changes.length} entries`],
      ['fix', 'Append {"date": …, "summary": …} to changes that says what this update changes and why.'],
    ]);
  }
  return { record: { ...after, changes }, warnings: shrunkLists(before, after) };
}

function checkImmutable(before: JsonObject, after: JsonObject): void {
  for (const field of ['created_at', 'schema_version', 'category'] as const) {
    if (before[field] === after[field]) continue;
    const absent = before[field] === undefined;
    throw broken(field, 'immutable', [
      ['old', absent ? '<missing>' : show(before[field])],
      ['new', show(after[field])],
      [
        'fix',
        absent
          ? `Write ${field} into the stored file with an editor first; an update cannot invent it.`
          : `Leave ${field} as it is.`,
      ],
    ]);
  }
}

/** Throws if tags are lost. At the cap a new tag takes the place of an old one, and the history says so. */
function checkTags(before: JsonObject, after: JsonObject, { now }: MergeContext): ChangeEntry[] {
  const old = new Set(normaliseTags(listOf(before.tags)));
  const current = new Set(normaliseTags(listOf(after.tags)));
  const removed = [...old].filter((tag) => !current.has(tag));
  const added = [...current].filter((tag) => !old.has(tag));
  if (removed.length === 0) return [];
  const full = old.size >= TAG_CAP;
  if (full && added.length >= removed.length) {
    const quoted = (tags: readonly string[]): string => `[${tags.map((tag) => `'${tag}'`).join(', ')}]`;
    const summary = cutCodePoints(
      `Tags evicted at cap: removed ${quoted(removed)}, added ${quoted(added)}`,
      SUMMARY_MAX,
    );
    return [{ date: now, summary, field: 'tags', old_value: removed, new_value: added }];
  }
  const rule = full
    ? `at the cap of ${TAG_CAP} a tag may only be exchanged for a new one`
    : `grow-only below the cap of ${TAG_CAP}`;
  throw broken('tags', rule, [
    ['removed', removed.join(', ')],
    ['fix', `Keep these tags${full ? ', or bring as many new ones' : ''}.`],
  ]);
}

function checkRelatedFiles(before: JsonObject, after: JsonObject, context: MergeContext): void {
  const kept = new Set(listOf(after.related_files));
  const removed = listOf(before.related_files).filter((file) => !kept.has(file));
  const living = removed.filter((file) => typeof file === 'string' && context.fileExists(file));
  if (living.length === 0) return;
  throw broken('related_files', 'grow-only, except for files that no longer exist', [
    ['removed', living.join(', ')],
    ['fix', 'Keep these files: they still exist.'],
  ]);
}

function checkHistory(old: readonly unknown[], now: readonly unknown[]): void {
  const rewritten = old.findIndex((entry, at) => canonical(entry) !== canonical(now[at]));
  if (now.length >= old.length && rewritten === -1) return;
  throw broken('changes', 'append-only', [
    ['old', `${old.length} entries`],
    ['new', now.length < old.length ? `${now.length} entries` : `entry ${rewritten} differs`],
    ['fix', 'Read the file again, keep its change entries as they are, and append yours.'],
  ]);
}

/** An entry for each scalar content field that changed, in the order of the schema. */
function scalarChanges(before: JsonObject, after: JsonObject, { category, now }: MergeContext): ChangeEntry[] {
  const [old, current] = [contentOf(before), contentOf(after)];
  const known = Object.keys(category.content.fields ?? {});
  return known.flatMap((key) => {
    const [was, is] = [old[key] ?? null, current[key] ?? null];
    if (was === is || !isScalar(was) || !isScalar(is)) return [];
    const field = `content.${key}`;
    return [
      { date: now, summary: cutCodePoints(`${field} changed`, SUMMARY_MAX), field, old_value: was, new_value: is },
    ];
  });
}

function shrunkLists(before: JsonObject, after: JsonObject): string[] {
  const [old, current] = [contentOf(before), contentOf(after)];
  return Object.entries(old).flatMap(([key, was]) => {
    const [had, has] = [listOf(was).length, listOf(current[key]).length];
    return Array.isArray(was) && has < had ? [`WARNING: content.${key} shrank from ${had} to ${has} items`] : [];
  });
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const contentOf = (record: JsonObject): JsonObject => (isObject(record.content) ? record.content : {});
const isScalar = (value: unknown): boolean => value === null || typeof value !== 'object';

/** JSON with sorted keys: two entries that say the same are the same. */
function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_, inner) =>
      isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
    ) ?? ''
  );
}

function broken(field: string, rule: string, details: readonly ErrorDetail[]): CairnError {
  return new CairnError('MERGE_ERROR', `The update breaks a rule of ${field}: ${rule}.`, {
    details: [['field', field], ['rule', rule], ...details],
  });
}
