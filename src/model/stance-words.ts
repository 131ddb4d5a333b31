// How sure the speaker was, in words for people and models: what was only guessed, or did not help, must not read like a fact.

const WORDS: { readonly [stance: string]: string } = {
  hypothesis: 'a guess',
  dead_end: 'did not help',
  confirmed: 'confirmed',
};

/** Nothing for what was simply said. */
export const stanceWords = (stance: unknown): string | undefined =>
  typeof stance === 'string' ? WORDS[stance] : undefined;
