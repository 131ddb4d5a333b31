// Does an answer build on a memory that was put before it? Told from words alone, the same every time: the answer names the
// memory's ref, or it has much of what only the memory, and not the prompt, could have told it, and more of that than a text of
// its length would have by chance.

export type Told = {
  readonly ref: string;
  /** Words in the form in which the store counts them. */
  readonly memory: readonly string[];
  readonly prompt: ReadonlySet<string>;
  readonly answer: ReadonlySet<string>;
  /** The answer as it was written. */
  readonly answerText: string;
  /** In how many of all documents a word stands. */
  readonly documentsWith: (word: string) => number;
  readonly documents: number;
};

/** A word that more than this share of all documents have tells nothing. */
const COMMON_SHARE = 0.05;
const COMMON_LEAST = 3;
const FEWEST_WORDS = 3;
const SHARE = 0.35;
/** How many times what chance would give. */
const BEYOND_CHANCE = 2;
/** Few documents say nothing about how common a word is: a store counts as if it had at least so many. */
const FEWEST_DOCUMENTS = 200;
/** Shorter words are small words in nearly every language. */
const SHORTEST = 4;
/** Words of an ordinary document: what the counts are counts of. */
const DOCUMENT_WORDS = 20;

export function isUsedInAnswer(told: Told): boolean {
  if (told.answerText.includes(told.ref)) return true;
  const { documentsWith, answer } = told;
  const documents = Math.max(told.documents, FEWEST_DOCUMENTS);
  const most = Math.max(COMMON_LEAST, COMMON_SHARE * documents);
  let [all, found, byChance, count] = [0, 0, 0, 0];
  for (const word of new Set(told.memory)) {
    const having = documentsWith(word);
    if (told.prompt.has(word) || having > most || isSmall(word)) continue;
    const weight = Math.log(1 + (documents + 1) / (1 + having));
    all += weight;
    byChance += weight * (1 - (1 - Math.min(1, having / documents)) ** (answer.size / DOCUMENT_WORDS));
    if (!answer.has(word)) continue;
    found += weight;
    count++;
  }
  return count >= FEWEST_WORDS && found >= SHARE * all && found >= BEYOND_CHANCE * byChance;
}

const isSmall = (word: string): boolean => word.length < SHORTEST && !/[^a-z]/.test(word);
