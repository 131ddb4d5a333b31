// From phrases to something that can be asked. English comes first and decides alone where it matches, so that its
// scores are what they always were; the other languages add lines that English did not see. Boosters count for their
// own language only: the French « car » must not make an English sentence about a car stronger.

import { type PhraseMatcher, phraseMatcher } from '../phrase-matcher.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { ja } from './ja.ts';
import type { CategoryWords, Language, Vocabulary } from './words.ts';
import { zh } from './zh.ts';

/** One language's words for one category. */
export type WordMatcher = {
  readonly language: string;
  readonly primary: PhraseMatcher;
  readonly boosters: PhraseMatcher;
};

const BUILT_IN: { readonly [language: string]: Language } = { en, de, fr, es, ja, zh };

export const LANGUAGES: readonly string[] = Object.keys(BUILT_IN);

/** The matchers of each category, English first. `added` joins the built-in words; it takes none away. */
export function compileVocabulary(added: Vocabulary = {}): ReadonlyMap<string, readonly WordMatcher[]> {
  const matchers = new Map<string, WordMatcher[]>();
  for (const language of new Set([...LANGUAGES, ...Object.keys(added)])) {
    const own = ownOf(BUILT_IN, language) ?? {};
    const more = ownOf(added, language) ?? {};
    for (const category of new Set([...Object.keys(own), ...Object.keys(more)])) {
      const { primary, boosters } = join(ownOf(own, category), ownOf(more, category));
      const list = matchers.get(category) ?? [];
      list.push({ language, primary: phraseMatcher(primary), boosters: phraseMatcher(boosters) });
      matchers.set(category, list);
    }
  }
  return matchers;
}

function join(own: CategoryWords | undefined, more: Partial<CategoryWords> | undefined): CategoryWords {
  return {
    primary: [...(own?.primary ?? []), ...(more?.primary ?? [])],
    boosters: [...(own?.boosters ?? []), ...(more?.boosters ?? [])],
  };
}

function ownOf<T>(table: { readonly [key: string]: T }, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
