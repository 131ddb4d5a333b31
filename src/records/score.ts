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
const TITLE_POINTS = 2;
const TAG_POINTS = 3;
const PREFIX_POINTS = 1;

export function tokenise(text: string): Set<string> {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return new Set(words.filter((word) => word.length >= MIN_TOKEN && !STOP_WORDS.has(word)));
}

export type Scored = { title: string; tags: readonly string[] };

/** 2 for a word of the title, 3 for a tag, 1 for a word of four letters or more that begins one of them. */
export function scoreEntry(words: ReadonlySet<string>, entry: Scored): number {
  const title = tokenise(entry.title);
  const tags = new Set(entry.tags.map((tag) => tag.toLowerCase()));
  let score = 0;
  for (const word of words) {
    const [inTitle, inTags] = [title.has(word), tags.has(word)];
    if (inTitle) score += TITLE_POINTS;
    if (inTags) score += TAG_POINTS;
    if (!inTitle && !inTags && word.length >= MIN_PREFIX && beginsOne(word, title, tags)) score += PREFIX_POINTS;
  }
  return score;
}

function beginsOne(word: string, ...groups: ReadonlySet<string>[]): boolean {
  return groups.some((group) => [...group].some((target) => target.startsWith(word)));
}
