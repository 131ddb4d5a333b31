// Every number that decides what is told unasked, each with its reason. Found on prompts of real conversations whose lines a reader
// judged, and checked on another project (docs/INJECTION.md); `npm run replay` measures them again.

export const TOLD = {
  /** A prompt with fewer words that tell anything asks for nothing that conversations have: 94 % of the lines to such prompts were noise. */
  fewestTelling: 3,

  /** So many lines where conversations have their say; curated ones count among them. The fourth and fifth were useful once in 79. */
  lines: 3,
  /** Whoever raises `max_inject` gets this share of it. */
  share: 0.6,
  /** Of one conversation: the third line mostly tells the same story. */
  linesOfOne: 2,

  /** How likely a statement is of use: a logistic curve over what separated useful lines from noise. */
  curve: { bias: -8.9, coverage: 3, cosine: 9, worth: 2, words: 0.45, mostWords: 6 },
  /** A prompt of up to so many telling words has few to share: this is added. */
  short: { words: 5, points: 0.6 },
  /** Where nobody judged it: a store that was indexed by an older version. */
  unknownWorth: 0.6,
  /**
   * Without vectors, how near a statement is on average that has so many of the words (up to four) and so much of the part: one word in
   * common says nothing, four nearly all.
   */
  coldCosine: { none: 0.26, word: 0.07, mostWords: 4, coverage: 0.12 },
  /** From here on a statement is told; src/learning/told-shift.ts moves it by a quarter at most. */
  likely: 0.5,
  /** Where nothing is likely, the best one alone, if the agent said it: half of these were useful, of the user's none. */
  likeliest: 0.35,
  /** For every line after the first one: second lines between `likely` and this were useful once in six, third ones once in eight. */
  likelyToo: 0.6,

  /** Worth less, a statement is true and of no use weeks later. */
  leastWorth: 0.4,
  /**
   * What was changed ("Added X to Y") is worth little by itself, and what the next prompt about X wants to know: told where it has so much of
   * the part and is so near.
   */
  change: { worth: 0.3, coverage: 0.45, cosine: 0.58 },
  /** What is said of every such thing is a rule of the project from here on; below it is the requirement of a day. */
  ruleWorth: 0.7,
  /** What names a cause in so many words ("the issue was …") has this worth at least: the model of worth misses some. */
  causeWorth: 0.5,
  /** Further away in meaning, the words that it shares with the prompt are an accident. */
  leastCosine: 0.38,
  /** Fewer words do not stand alone. */
  fewestWords: 6,
  /** Of what a statement says, the prompt says so much itself: it is an echo. */
  echo: 0.7,
  /** In a prompt of more different words than these, most words of anything can be found: there, a row of them counts. */
  echoWords: 80,
  /** So many words in a row are no accident: the one was taken from the other. */
  passage: 8,
  /** A line whose words, small ones apart, stand to this share in another says the same. */
  same: 0.62,

  /** A record or a note is told by the points of the seeds (a tag 3, a word of the title 2, the beginning of one 1), from here on. */
  curatedPoints: 3,
  /** One word of the title is enough where no other title has any, and the prompt is about little else: this share, by weight. */
  titleWordPoints: 2,
  titleWordCoverage: 0.2,
  /** Of what the best record or note has in points, the others must have so much: one right memory beats three that are near. */
  curatedShare: 0.6,
  /** Notes that were written by themselves (sessions, tasks, findings of subagents) need as much of the prompt as this, by weight. */
  capturedCoverage: 0.8,
} as const;

/**
 * When a prompt names something that is left to do: so many of its words that tell anything, this share of them, and this share of those of a prompt
 * that says little else.
 */
export const NAMED_TODO = { fewestWords: 2, mostPrompt: 16, ofTodo: 0.6, ofPrompt: 0.34 } as const;
