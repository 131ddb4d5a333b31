// What a vocabulary is: for each language and category the phrases that make a line evidence (primary) and those that
// strengthen it when they stand close by (boosters). Plain phrases, no patterns: people extend them in their config.

export type CategoryWords = { readonly primary: readonly string[]; readonly boosters: readonly string[] };

/** By category name, such as `decision`. */
export type Language = { readonly [category: string]: CategoryWords };

/** By language. What a user adds has the same form as what Cairn brings along, and may leave parts out. */
export type Vocabulary = {
  readonly [language: string]: { readonly [category: string]: Partial<CategoryWords> };
};
