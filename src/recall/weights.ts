// Every number that ranking uses, in one table, found on the development data sets (npm run eval). docs/RANKING.md says what
// each one gains. Nothing else in this folder holds a number that decides an order.

export const WEIGHTS = {
  /** How many documents each strategy proposes. More finds little and costs time. */
  pool: { keyword: 110, vector: 80, entity: 40, graph: 24, browse: 60, path: 6 },

  /** Where a word counts how much when candidates are chosen (the store's BM25). */
  choose: { title: 1, text: 1, tags: 1.5, context: 0.4 },

  /** The exact score of words, once candidates are known. Short texts: little saturation, little length. */
  words: { k1: 0.9, b: 0.4, averageLength: 24, title: 1, text: 1, tags: 1, context: 0.35 },

  /** What a word of every day tells, of what it would by how rare it is in the store. */
  everyday: 0.6,

  /**
   * Points of each strategy: each gives its best candidate 1 and the others their share. What has no vector yet gets those of its share
   * of the words instead (`noVector`).
   */
  points: {
    keyword: 0.55,
    vector: 0.45,
    noVector: 0.45,
    hyde: 0.2,
    entity: 0.05,
    graph: 0.05,
    browse: 1,
    path: 10,
    standing: 0,
  },

  /**
   * What is known about a file that the question names, by what it is: its summary, what was written down about it, decisions that name it, the
   * exchanges that changed it, its commits; so far apart that no words change the order. `beside`: the share of it where the question asks for more than the file.
   */
  path: { summary: 1, written: 0.87, decided: 0.74, changed: 0.61, committed: 0.5, beside: 0.02 },

  /**
   * Share of the points of the next best lines of its conversation, and for short queries of the next best statement of its turn: where much
   * is found, more is likely right. And points for how much of what is asked for the conversation has in all its lines.
   */
  conversation: { share: 0.1, lines: 2, coverage: 0.15 },

  /** Words learned from the first candidates: from how many, how many, how common at most, and what they count. */
  learn: { longestQuery: 8, from: 5, looked: 24, words: 8, common: 0.05, weight: 0.25 },

  /** Which queries are short, and lean on what stands around a statement: wholly up to so many words, not at all from so many on. */
  short: { fewWords: 6, manyWords: 12 },

  /** Points for how near the exchange around a statement is, of so many of the best; all for short queries, none for long ones. */
  exchange: { points: 0.5, look: 60 },

  /** Points for how near the tokens of a statement are to the words of the query, of so many of the best; to a long query, so many. */
  tokens: { points: 0.8, long: 0.4, look: 60 },

  /** Turns of up to so many statements lean on what was said before them; long ones speak for themselves. */
  shortTurn: 3,

  /** Who said it, where the query says who: "did I …" asks for the user's words, and "what did Ines …" for those that begin "Ines:". */
  speaker: { same: 2, named: 0.2 },
  /** What the user wants always done, when the query asks for something to be done. */
  standing: 1.25,

  /** Of the newest so many standing wishes, the nearest to the query, if it is as near as this, has at least this place. */
  wish: { look: 60, nearness: 0.35, place: 5 },

  intent: { asked: 1.3, openAnswered: 0.6 },
  /** What asks, wants or complains, names of commits, and the talk between the steps of work: where somebody asks, they want what came out. */
  noAnswer: 0.8,
  /** Inside the time that the words of the query name. */
  window: { inside: 1.5 },
  /** Age halves the weight after so many days, down to the floor; only where the query asks for what is new. */
  recency: { halfLifeDays: 30, floor: 0.6 },
  confidence: { floor: 0.98 },
  /** How much a colleague would want to be shown it: what is worth nothing has this share of what is worth all. */
  worth: { floor: 0.8 },
  status: { superseded: 0.7, archived: 0.8 },
  feedback: { least: 0.5, most: 1.5 },
  branch: { other: 0.95 },
  files: { changed: 0.85, gone: 0.7 },
  /** Spans say what a conversation was about; a statement in it says it better. */
  span: 0.75,
  /** A commit says in one line what the conversation behind it says better. */
  commit: 0.85,
  /** An exchange has the words of its question, and a question never stands above its answer. */
  exchangeItself: 0.5,

  /** How much of the subject a newer statement must share, and which share of the older one's score it must have, to go first. */
  current: { subject: 0.3, meaning: 0.6, share: 0.7, look: 20 },
  /** From this likeness on, one of two statements stands for both. */
  fold: { similarity: 0.85, look: 24 },
  /** What a conversation has said so far makes its next line count less. */
  variety: { step: 0.005, most: 0.03 },
} as const;

/** For measuring: the same table with other numbers. */
export type Weights = { readonly [Section in keyof typeof WEIGHTS]: Loose<(typeof WEIGHTS)[Section]> };
type Loose<T> = T extends number ? number : { readonly [Key in keyof T]: number };
