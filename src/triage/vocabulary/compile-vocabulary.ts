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

const ENGLISH: { readonly [language: string]: Language } = { en };
const ALL: { readonly [language: string]: Language } = { en, de, fr, es, ja, zh };

/**
 * A letter that English does not have, or one of the commonest words of the other languages. Most conversations have
 * neither, and building twenty-five patterns to find nothing would take longer than everything else.
 */
const FOREIGN =
  /[\u00c0-\u024f\u3040-\u30ff\u4e00-\u9fff]|\b(?:und|nicht|ist|wir|ich|haben|das|der|ein|eine|les|des|une|est|nous|que|pour|avec|sur|los|las|una|para|por|con|hemos|se)\b/i;

/** The matchers of each category for this text, English first. `added` joins the built-in words; it takes none away. */
export function compileVocabulary(text: string, added: Vocabulary = {}): ReadonlyMap<string, readonly WordMatcher[]> {
  const builtIn = FOREIGN.test(text) ? ALL : ENGLISH;
  const matchers = new Map<string, WordMatcher[]>();
  for (const language of new Set([...Object.keys(builtIn), ...Object.keys(added)])) {
    const own = ownOf(builtIn, language) ?? {};
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
