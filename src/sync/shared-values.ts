// What a person said or set that lies in no conversation and no repository: verdicts, how often a memory was of use, what was settled by
// hand, settings. A map of small values, each with the time of its last change. The newer one counts: so maps can be
// merged in any order, any number of times, and all machines come to the same.

import { isObject, parseJson } from '../model/json.ts';

/** `null`: it was taken back then. */
export type SharedValue = { readonly at: string; readonly value: unknown };
export type SharedValues = ReadonlyMap<string, SharedValue>;

/** Kind and parts of a key; a part may hold any character. */
export const sharedKey = (...parts: readonly string[]): string => JSON.stringify(parts);
export const partsOf = (key: string): readonly string[] => {
  const parts = parseJson(key);
  return Array.isArray(parts) ? parts.map(String) : [];
};

/** What was taken back is remembered so long, and so much of it. */
const MOST_TAKEN_BACK = 5_000;
const MOST = 50_000;

export function merged(one: SharedValues, other: SharedValues): Map<string, SharedValue> {
  const all = new Map(one);
  for (const [key, value] of other) {
    const known = all.get(key);
    all.set(key, known && isLater(known, value) ? known : value);
  }
  return all;
}

/** At the same moment the text decides, the same on every machine. */
function isLater(one: SharedValue, other: SharedValue): boolean {
  if (one.at !== other.at) return one.at > other.at;
  return canonical(one.value) >= canonical(other.value);
}

/** The same text for the same value, whatever the order of its fields. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) =>
    isObject(each) ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1))) : each,
  ) ?? 'null';

/**
 * What was changed on this machine since `before`: `now` is what its files say. `isOurs` tells whether this machine could hold a value at
 * all; what it cannot hold it has not taken back.
 */
export function withChanges(
  before: SharedValues,
  now: SharedValues,
  { at, isOurs }: { at: string; isOurs: (key: string) => boolean },
): Map<string, SharedValue> {
  const all = new Map(before);
  for (const [key, value] of now) {
    const known = before.get(key);
    if (!known) all.set(key, value);
    else if (canonical(known.value) !== canonical(value.value))
      all.set(key, { value: value.value, at: value.at > known.at ? value.at : later(known.at, at) });
  }
  for (const [key, { value, at: since }] of before)
    if (value !== null && !now.has(key) && isOurs(key)) all.set(key, { at: later(since, at), value: null });
  return bounded(all);
}

/** A clock that goes wrong must not make a change count for nothing. */
const later = (than: string, at: string): string =>
  at > than ? at : new Date((Date.parse(than) || 0) + 1).toISOString();

function bounded(all: Map<string, SharedValue>): Map<string, SharedValue> {
  const byAge = [...all].sort(([, a], [, b]) => (a.at < b.at ? 1 : -1));
  const back = byAge.filter(([, { value }]) => value === null).slice(0, MOST_TAKEN_BACK);
  return new Map([...byAge.filter(([, { value }]) => value !== null).slice(0, MOST), ...back]);
}

export const sharedText = (values: SharedValues): string =>
  canonical(Object.fromEntries([...values].sort(([a], [b]) => (a < b ? -1 : 1))));

/** What is no such value is left out. */
export function readShared(text: string): Map<string, SharedValue> {
  const data = parseJson(text);
  const values = new Map<string, SharedValue>();
  for (const [key, each] of Object.entries(isObject(data) ? data : {}))
    if (isObject(each) && typeof each.at === 'string' && partsOf(key).length > 0)
      values.set(key, { at: each.at, value: each.value ?? null });
  return values;
}
