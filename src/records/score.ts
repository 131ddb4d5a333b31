// How well words match an index entry: the scoring that candidate selection and `title_tags` retrieval share.
// Its weights and its tokeniser are a published contract; the hybrid engine has its own.

const STOP_WORDS = new Set(
  (
    'a an the is was are were be been being do does did have has had will would could can should may might shall must ' +
    'i you we they he she it me my your this that these those what which who whom how when where why if then else so ' +
    'and or but not no yes to of in on at for with from by about up out into just also very too let please help need ' +
    'want know think make like use get go see'
  ).split(' '),
);

const MIN_TOKEN = 3;
const MIN_PREFIX = 4;
export const TITLE_POINTS = 2;
export const TAG_POINTS = 3;
const PREFIX_POINTS = 1;

const WORD = /[a-z0-9]+/g;

export function tokenise(text: string): Set<string> {
  return new Set(wordsOf(text.toLowerCase()).filter((word) => word.length >= MIN_TOKEN && !STOP_WORDS.has(word)));
}

export type Scored = { title: string; tags: readonly string[] };

/** 2 for a word of the title, 3 for a tag, 1 for a word of four letters or more that begins one of them. */
export function scoreEntry(words: ReadonlySet<string>, entry: Scored): number {
  return scorerFor(words)(
    wordsOf(entry.title.toLowerCase()),
    entry.tags.map((tag) => tag.toLowerCase()),
  );
}

/** All words of a text in lower case, those included that nobody looks for. */
export function wordsOf(folded: string): readonly string[] {
  return folded.match(WORD) ?? [];
}

/** Takes the words of a title and the tags, all in lower case. */
export type Scorer = (title: readonly string[], tags: readonly string[]) => number;

/**
 * For scoring many entries. It asks of each word of an entry whether it is wanted, not of each wanted word whether the
 * entry has it: prompts can be long, entries are short.
 */
export function scorerFor(words: ReadonlySet<string>): Scorer {
  const byStart = new Map<string, string[]>();
  for (const word of words) {
    if (word.length < MIN_PREFIX) continue;
    const start = word.slice(0, MIN_PREFIX);
    const others = byStart.get(start);
    if (others) others.push(word);
    else byStart.set(start, [word]);
  }
  return (title, tags) => {
    const found: string[] = [];
    let score = 0;
    for (const word of title) {
      if (!words.has(word) || found.includes(word)) continue;
      found.push(word);
      score += TITLE_POINTS;
    }
    const inTitle = found.length;
    for (const tag of tags) {
      if (!words.has(tag) || found.includes(tag, inTitle)) continue;
      found.push(tag);
      score += TAG_POINTS;
    }
    const addBeginnings = (target: string): void => {
      if (target.length <= MIN_PREFIX) return;
      for (const word of byStart.get(target.slice(0, MIN_PREFIX)) ?? []) {
        if (!target.startsWith(word) || found.includes(word)) continue;
        found.push(word);
        score += PREFIX_POINTS;
      }
    };
    for (const word of title) if (!STOP_WORDS.has(word)) addBeginnings(word);
    for (const tag of tags) addBeginnings(tag);
    return score;
  };
}
