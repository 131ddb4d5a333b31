// Whether an open item was settled by hand. An item is known again by its ref while its words are about the same, and by its words alone:
// what was done covers what was said until then, what was dropped also what says the same later.

import type { Config } from '../config/load.ts';
import { CairnError } from '../errors.ts';
import { topicWords } from '../extraction/topic-words.ts';
import { readSettled, SETTLED_TEXT, type Settlement } from '../files/settled.ts';
import { shortHash } from '../model/hash.ts';
import { readable } from '../model/readable.ts';
import { cutCodePoints } from '../model/text.ts';
import { plainWords } from './plain-words.ts';
import { sameScopesIn } from './project-scopes.ts';

export type { Settlement } from '../files/settled.ts';

/** What an item is known by; a text that stands in the row of an exchange has the ref of that. */
export type Settleable = {
  readonly ref: string;
  readonly project: string;
  readonly text: string;
  /** Milliseconds. */
  readonly createdAt: number;
  readonly session?: string | null | undefined;
};

export type Settled = { of(item: Settleable): Settlement | undefined };

export const NOTHING_SETTLED: Settled = { of: () => undefined };

/** Of its words, so many are still there. */
const SAME_ITEM = 0.5;

/** Throws a CairnError where the file cannot be read. */
export function settledItems({ paths }: Pick<Config, 'paths'>): Settled {
  const all = readSettled(paths.userRoot);
  if (all.length === 0) return NOTHING_SETTLED;
  const same = sameScopesIn({ paths });
  const byRef = group(all, ({ ref }) => ref);
  const byWords = group(all, ({ text }) => wordsKey(text));
  return {
    of(item) {
      const scopes = same(item.project);
      const isHere = ({ project }: Settlement): boolean => project === item.project || scopes.includes(project);
      const named = byRef.get(item.ref)?.find((each) => isHere(each) && isSameItem(each.text, item.text));
      return named ?? byWords.get(wordsKey(item.text))?.find((each) => isHere(each) && covers(each, item));
    },
  };
}

/** For whoever goes on without: a list that shows too much is better than none. */
export function settledIfReadable(config: Pick<Config, 'paths'>): Settled {
  try {
    return settledItems(config);
  } catch (error) {
    if (!(error instanceof CairnError)) throw error;
    return NOTHING_SETTLED;
  }
}

function group(all: readonly Settlement[], keyOf: (each: Settlement) => string): Map<string, Settlement[]> {
  const groups = new Map<string, Settlement[]>();
  for (const each of all) {
    const key = keyOf(each);
    if (key !== '') groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  return groups;
}

const covers = ({ state, at, session }: Settlement, item: Settleable): boolean =>
  state === 'dropped' || item.createdAt <= Date.parse(at) || (session !== undefined && session === item.session);

/** Empty for a text that has no telling word: such a one is known by its ref alone. */
function wordsKey(text: string): string {
  const words = topicWords(plainWords(readable(cutCodePoints(text, SETTLED_TEXT)))).sort();
  return words.length === 0 ? '' : shortHash(words.join(' '));
}

function isSameItem(before: string, now: string): boolean {
  if (before === cutCodePoints(now, SETTLED_TEXT)) return true;
  const words = new Set(topicWords(before));
  const left = new Set(topicWords(now));
  const shared = [...words].filter((word) => left.has(word)).length;
  return shared > 0 && shared >= SAME_ITEM * Math.min(words.size, left.size);
}
