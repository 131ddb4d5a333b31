// From the text of a query to what can be searched for: words with their weight, names, paths, times, and what is asked
// about whom. Bounded: a prompt may be a megabyte, of which its beginning and its end say what it is about.

import { entitiesOf } from '../extraction/entities/entities-of.ts';
import { lazy } from '../model/lazy.ts';
import { indexWords } from '../store/index-words.ts';
import type { Store } from '../store/store.ts';
import { type Asking, isQuestionWord, readAsking } from './question-words.ts';
import { type NamedRelease, type Release, readRelease } from './releases.ts';
import { readDates } from './time/dates.ts';

/** A word to look for, in the form of the index, and as it was written. */
export type QueryWord = {
  readonly word: string;
  readonly surface: string;
  /** How many documents have it. */
  readonly documents: number;
  readonly weight: number;
  /** Not said in the query: it counts for the order, not for what was asked. */
  readonly learned?: boolean;
};

export type Analysis = {
  readonly words: readonly QueryWord[];
  /** The telling words as they were written: what is embedded. Names that everybody mentions would pull the vector to greetings. */
  readonly filtered: string;
  /** The query as it was typed, as far as a model reads it. */
  readonly typed: string;
  readonly entities: readonly string[];
  readonly paths: readonly string[];
  readonly asking: Asking;
  readonly since: number | undefined;
  readonly until: number | undefined;
  /** The release that the query names, if it does. */
  readonly release: NamedRelease | undefined;
  /** Documents in the store. */
  readonly documents: number;
};

export type AnalyseOptions = {
  readonly store: Store;
  readonly projects?: readonly string[] | undefined;
  readonly now: number;
  readonly timeZone?: string | undefined;
  /** The tags of the repository. */
  readonly tags?: (() => Promise<readonly Release[]>) | undefined;
};

const HEAD = 2_000;
const TAIL = 1_000;
/** Models read some hundred words. */
const EMBEDDED = 1_000;
const MAX_TOKENS = 64;
/** What is searched for: more words than this say what the rarest of them say already. */
const MAX_WORDS = 24;
const MAX_TOKEN = 200;
/** Words that more documents have than this share are left out of what is embedded. */
const COMMON = 0.1;
const MAX_NAMES = 24;

const ASCII = /^[\0-\x7f]*$/;
const ASCII_TOKEN = /[A-Za-z0-9]+(?:[_.'/\\-]{1,2}[A-Za-z0-9]+)*|[cC](?:\+\+|#)/g;
const HUMPS = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[_.'’/\\-]+/;
const PATH =
  /^[\w@.+-]*(?:[/\\][\w@.+-]+)+$|^[\w@+-]+\.(?:[cm]?[jt]sx?|py|go|rs|java|rb|php|c|h|cc|cpp|cs|sql|md|json|ya?ml|toml|html|css|sh|vue|svelte)$/i;

/** The pattern takes a while to be made ready, and most words have nothing of a path. */
const isPath = (token: string): boolean =>
  (token.includes('.') || token.includes('/') || token.includes('\\')) && PATH.test(token);

export async function analyse(query: string, options: AnalyseOptions): Promise<Analysis> {
  const text = bounded(query);
  const dates = readDates(text, options.now, options.timeZone);
  const release = await readRelease(dates.rest, options);
  const asking = readAsking(release.rest);
  const tokens = tokensOf(asking.rest).slice(0, MAX_TOKENS);
  const spelled = spellings(tokens);
  const { documents, counts } = await options.store.counts({ words: [...spelled.keys()] });
  const all = [...spelled].map(([word, surface], at) => {
    const count = counts[at] ?? 0;
    return { word, surface, documents: count, weight: idf(documents, count) };
  });
  const words = tellingFirst(all).slice(0, MAX_WORDS);
  const paths = tokens.filter((token) => isPath(token)).map((token) => token.replaceAll('\\', '/'));
  const entities = await knownEntities(asking.rest, { tokens, paths, options });
  return {
    words,
    filtered: filteredText(tokens, all, documents) || text.slice(0, EMBEDDED),
    typed: text.slice(0, EMBEDDED),
    entities,
    paths,
    asking,
    since: dates.since ?? release.since,
    until: dates.until ?? release.until,
    release: release.named,
    documents,
  };
}

const bounded = (query: string): string =>
  query.length <= HEAD + TAIL ? query : `${query.slice(0, HEAD)}\n${query.slice(-TAIL)}`;

/** Words, identifiers and paths as they were written; runs of CJK in pairs, as the index has them. */
function tokensOf(text: string): string[] {
  const found = ASCII.test(text) ? (text.match(ASCII_TOKEN) ?? []) : unicodeTokens(text);
  return [...new Set(found.map((token) => token.slice(0, MAX_TOKEN)))];
}

// Made when they are needed: Node takes milliseconds for them, and a hook has few.
const forUnicode = lazy(() => ({
  token: /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:[_.'’/\\-]{1,2}[\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*/gu,
  cjk: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+/gu,
}));

function unicodeTokens(text: string): string[] {
  const { token, cjk } = forUnicode();
  return (text.match(token) ?? []).flatMap((run) => {
    if (!run.match(cjk)) return [run];
    const pairs = [...run.matchAll(cjk)].flatMap(([part]) => {
      const characters = Array.from(part).slice(0, MAX_TOKENS);
      return characters.length === 1 ? characters : characters.slice(1).map((each, at) => characters[at]! + each);
    });
    return [...pairs, ...(run.replace(cjk, ' ').match(token) ?? [])];
  });
}

/** Word of the index → how to write it in a search; identifiers whole and in parts. */
function spellings(tokens: readonly string[]): Map<string, string> {
  const spelled = new Map<string, string>();
  for (const token of tokens) {
    const parts = token.split(HUMPS).filter((part) => part !== '');
    for (const surface of parts.length > 1 ? [token, ...parts] : [token]) {
      const word = indexWords(surface)[0];
      if (word !== undefined && !spelled.has(word) && !isQuestionWord(word)) spelled.set(word, surface);
    }
  }
  // A query of nothing but small words still asks for something.
  if (spelled.size === 0)
    for (const token of tokens.slice(0, 8)) for (const word of indexWords(token)) spelled.set(word, token);
  return spelled;
}

/** A store of fewer documents does not know yet which words are common: it counts as one of this size. */
const FEWEST_DOCUMENTS = 2_000;
/** In so many of them a word may stand that a small store has never seen. */
const UNSEEN = 5;

function idf(documents: number, count: number): number {
  const all = Math.max(documents, count, FEWEST_DOCUMENTS);
  const young = Math.max(0, 1 - documents / FEWEST_DOCUMENTS);
  const known = count === 0 ? UNSEEN * young : count;
  return Math.log(1 + (all - known + 0.5) / (known + 0.5));
}

/** The rarest first, those that no document has last: they are counted as missing, not searched for. */
function tellingFirst(words: readonly QueryWord[]): QueryWord[] {
  const place = ({ documents }: QueryWord): number => (documents === 0 ? Number.POSITIVE_INFINITY : documents);
  return [...words].sort((a, b) => (place(a) === place(b) ? (a.word < b.word ? -1 : 1) : place(a) - place(b)));
}

function filteredText(tokens: readonly string[], words: readonly QueryWord[], documents: number): string {
  const counts = new Map(words.map((each) => [each.word, each.documents]));
  const asked = tokens.filter((token) => indexWords(token).some((word) => counts.has(word)));
  const rare = asked.filter((token) =>
    indexWords(token).some((word) => (counts.get(word) ?? documents) <= COMMON * documents),
  );
  return (rare.length > 0 ? rare : asked).join(' ');
}

type Naming = {
  readonly tokens: readonly string[];
  readonly paths: readonly string[];
  readonly options: AnalyseOptions;
};

/** Names that the store knows, in its spelling. */
async function knownEntities(text: string, { tokens, paths, options }: Naming): Promise<string[]> {
  const named = entitiesOf(text).map((entity) => entity.name);
  const files = paths.flatMap((path) => [path, path.split('/').at(-1)!]);
  const names = [...new Set([...named, ...files, ...tokens])].slice(0, MAX_NAMES);
  if (names.length === 0) return [];
  const { projects } = options;
  const known = await options.store.entities({ names, limit: MAX_NAMES, ...(projects ? { projects } : {}) });
  return [...new Set(known.map((entity) => entity.name))];
}
