// From the text of a query to what can be searched for: words with their weight, names, paths, times, and what is asked
// about whom. Bounded: a prompt may be a megabyte, of which its beginning and its end say what it is about.

import { entitiesOf } from '../extraction/entities/entities-of.ts';
import { foldFile, foldName } from '../extraction/entities/fold-name.ts';
import { lazy } from '../model/lazy.ts';
import { indexWords } from '../store/index-words.ts';
import type { Store } from '../store/store.ts';
import { isEveryday } from './everyday-words.ts';
import { type OverviewKind, readOverview } from './overview-words.ts';
import { type Asking, isQuestionWord, readAsking } from './question-words.ts';
import { type NamedRelease, type Release, readRelease } from './releases.ts';
import { readDates } from './time/dates.ts';
import { readTypos } from './typos.ts';
import type { Weights } from './weights.ts';
import { otherForms } from './word-families.ts';

/** A word to look for, in the form of the index, and as it was written. */
export type QueryWord = {
  readonly word: string;
  readonly surface: string;
  /** How many documents have it. */
  readonly documents: number;
  readonly weight: number;
  /** Other forms of it, in the form of the index: each counts as the word itself. */
  readonly also?: readonly string[];
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
  /** The query asks for an overview, and for nothing in particular. */
  readonly overview: OverviewKind | undefined;
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
  readonly weights: Pick<Weights, 'everyday'>;
  /** False for prompts: kinds that they name and overviews are not looked for, which takes a moment. */
  readonly isQuestion?: boolean;
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
const MAX_NAMES = 48;

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
  const isQuestion = options.isQuestion !== false;
  const asking = readAsking(release.rest, isQuestion);
  const found = tokensOf(asking.rest).slice(0, MAX_TOKENS);
  const [written, named] = await Promise.all([
    weighed(found, options),
    knownEntities(asking.rest, { tokens: found, options }),
  ]);
  const typos = isQuestion ? await readTypos(options.store, unknownOf(written)) : new Map<string, string>();
  const tokens = written.tokens.map((token) => typos.get(token) ?? token);
  const [{ all, documents }, entities] =
    typos.size === 0
      ? [written, named]
      : await Promise.all([weighed(tokens, options), knownEntities(asking.rest, { tokens, options })]);
  const typed = corrected(text, typos);
  const words = tellingFirst(all).slice(0, MAX_WORDS);
  const paths = pathsIn(tokens);
  return {
    words,
    filtered: filteredText(tokens, all, documents) || typed.slice(0, EMBEDDED),
    typed: typed.slice(0, EMBEDDED),
    entities,
    paths,
    asking,
    overview: isQuestion ? readOverview(dates.rest, dates.phrase !== undefined) : undefined,
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
      if (word !== undefined && !spelled.has(word) && !isQuestionWord(word, surface)) spelled.set(word, surface);
    }
  }
  // A query of nothing but small words still asks for something.
  if (spelled.size === 0)
    for (const token of tokens.slice(0, 8)) for (const word of indexWords(token)) spelled.set(word, token);
  return spelled;
}

/** The words with what they tell: by how common they and their other forms are in the store, and whether everybody uses them. */
async function weighed(tokens: readonly string[], { store, weights }: AnalyseOptions): Promise<Weighed> {
  const spelled = spellings(tokens);
  const formsOf = (word: string): string[] => otherForms(word).filter((other) => !spelled.has(other));
  const asked = [...new Set([...spelled.keys()].flatMap((word) => [word, ...formsOf(word)]))];
  const { documents, counts } = await store.counts({ words: asked });
  const countOf = new Map(asked.map((word, at) => [word, counts[at] ?? 0]));
  const all = [...spelled].map(([word, surface]) => {
    const also = formsOf(word).filter((other) => (countOf.get(other) ?? 0) > 0);
    const count = [word, ...also].reduce((sum, each) => sum + (countOf.get(each) ?? 0), 0);
    const weight = idf(documents, count) * (isEveryday(word) ? weights.everyday : 1);
    return { word, surface, documents: count, weight, ...(also.length > 0 ? { also } : {}) };
  });
  return { tokens, all, documents };
}

type Weighed = { readonly tokens: readonly string[]; readonly all: readonly QueryWord[]; readonly documents: number };

/** Words that stand nowhere, as they were written. */
const unknownOf = ({ tokens, all }: Weighed): string[] => {
  const unknown = new Set(all.filter(({ documents }) => documents === 0).map(({ surface }) => surface));
  return tokens.filter((token) => unknown.has(token));
};

const corrected = (text: string, typos: ReadonlyMap<string, string>): string =>
  [...typos].reduce((rest, [wrong, right]) => rest.replaceAll(wrong, right), text);

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

const pathsIn = (tokens: readonly string[]): string[] =>
  tokens.filter((token) => isPath(token)).map((token) => token.replaceAll('\\', '/'));

type Naming = { readonly tokens: readonly string[]; readonly options: AnalyseOptions };

/** Names that the store knows, in its spelling: what is named in the query is folded as what was said is. */
async function knownEntities(text: string, { tokens, options }: Naming): Promise<string[]> {
  const named = entitiesOf(text).map((entity) => entity.name);
  const files = pathsIn(tokens)
    .map(foldFile)
    .flatMap((path) => [path, path.slice(path.lastIndexOf('/') + 1)]);
  const names = [...new Set([...named, ...files, ...tokens.map(foldName), ...joined(tokens)])].slice(0, MAX_NAMES);
  if (names.length === 0) return [];
  const { projects } = options;
  const known = await options.store.entities({ names, limit: MAX_NAMES, ...(projects ? { projects } : {}) });
  return [...new Set(known.map((entity) => entity.name))];
}

const PLAIN = /^[a-z\d]+$/i;

/** Two or three words may be one name, written apart: "tide table", "feed private key". */
function joined(tokens: readonly string[]): string[] {
  return tokens.flatMap((_, at) => {
    const [pair, triple] = [tokens.slice(at, at + 2), tokens.slice(at, at + 3)];
    return [pair, triple]
      .filter((words, more) => words.length === more + 2 && words.every((word) => PLAIN.test(word)))
      .map((words) => foldName(words.join(' ')));
  });
}
