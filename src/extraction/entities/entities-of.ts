// The named things in a text: files, technologies, identifiers and other concepts, people, projects. Found by form and by a
// table of names, brought into one spelling, counted. Pure and linear: it runs over every statement of every conversation.

import { hasForeignLetters } from '../../model/foreign-letters.ts';
import { lazy } from '../../model/lazy.ts';
import { firstNames } from './first-names.ts';
import { CAPITALISED, isCapital, properNameAt, startsSentence, type Word } from './proper-names.ts';
import { EVERYDAY, technologyAliases } from './technologies.ts';

export type EntityKind = 'project' | 'technology' | 'concept' | 'person' | 'file';
export type Entity = { readonly name: string; readonly kind: EntityKind; readonly count: number };

export type EntityOptions = {
  /** Further spellings: alias → name. A user's own come from the configuration. */
  aliases?: ReadonlyMap<string, string>;
  /** Names of projects, in lower case. */
  projects?: ReadonlySet<string>;
};

const MAX_TEXT = 20_000;
const MAX_ENTITIES = 40;
const LONGEST_TITLE = 64;
const EXTENSIONS =
  'tsx?|jsx?|mjs|cjs|mts|cts|py|go|rs|java|kt|swift|cc?|cpp|hpp?|cs|rb|php|ex|exs|scala|sh|bash|zsh|ps1|sql|html?|css|s[ac]ss|less|vue|svelte|astro|json[lc5]?|ya?ml|toml|ini|env|xml|csv|tsv|md|mdx|txt|rst|lock|proto|graphql|tf|gradle|ino|ipynb|db|sqlite|log|pdf|png|jpe?g|svg|wasm';
const FILE = new RegExp(
  `(?<![\\w@/.-])(?:~?\\.{0,2}/)?(?:[\\w@.+-]+/)*[\\w@+-][\\w@.+-]*\\.(?:${EXTENSIONS})(?![\\w/-])(?::\\d+)?`,
  'g',
);
const ENDS_LIKE_FILE = new RegExp(`\\.(?:${EXTENSIONS})$`);
const NAMED_FILE =
  /(?<![\w/-])(?:[\w.-]+\/)*(?:Dockerfile|Makefile|Gemfile|Procfile|Cargo\.toml|CLAUDE\.md|README|LICENSE)(?![\w-])/g;
const CODE = /`([^`\n]{2,60})`/g;
const IDENTIFIER =
  /(?<![\w$./-])(?:[a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)+|[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+|[a-z][a-z0-9]*(?:_[a-z0-9]+)+|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?![\w$/-])/g;
const anyWord = lazy(() => /[\p{L}\p{N}][\p{L}\p{N}.+#'-]*/gu);
// What a text must have in it to be worth a closer look: seen in one quick walk, and most texts have none of it.
const MAY_HAVE_FILE = /\.[a-z]/;
const MAY_HAVE_NAMED_FILE = /file|Cargo|CLAUDE|README|LICENSE/;
const MAY_HAVE_IDENTIFIER = /[a-z0-9][A-Z]|_/;
const ASCII_SPEAKER = /^\s{0,40}\*{0,2}([A-Z][a-z]{1,20})\*{0,2}:\s/;
const anySpeaker = lazy(() => /^\s{0,40}\*{0,2}(\p{Lu}\p{Ll}{1,20})\*{0,2}:\s/u);
/** In it a colon must stand for that pattern to be made ready, which takes half a millisecond. */
const LONGEST_SPEAKER = 90;

/** Sorted by count, then by name: equal texts give equal lists. */
export function entitiesOf(text: string, options: EntityOptions = {}): Entity[] {
  const seen = new Map<string, { name: string; kind: EntityKind; count: number }>();
  const add: Add = (name, kind) => {
    const key = `${kind} ${name}`;
    const known = seen.get(key);
    if (known) known.count++;
    else if (seen.size < MAX_ENTITIES * 4) seen.set(key, { name, kind, count: 1 });
  };
  const cut = text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) : text;
  const body = cut.includes('://') ? cut.replace(/\bhttps?:\/\/\S+/g, ' ') : cut;
  const files = MAY_HAVE_FILE.test(body) ? (body.match(FILE) ?? []) : [];
  const named = MAY_HAVE_NAMED_FILE.test(body) ? (body.match(NAMED_FILE) ?? []) : [];
  for (const written of [...files, ...named]) {
    if (isNamedLikeFile(written)) continue;
    for (const file of separateFiles(normaliseFile(written))) add(file, 'file');
  }
  const prose = files.length > 0 ? body.replace(FILE, (file) => (isNamedLikeFile(file) ? file : ' ')) : body;
  addIdentifiers(prose, add);
  const speaker = speakerOf(body);
  if (speaker && isSpeaker(speaker, body) && !isTechnology(speaker, options)) add(speaker, 'person');
  addWords(prose, options, { add, isSpoken: speaker !== undefined });
  return [...seen.values()]
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0) || (a.kind < b.kind ? -1 : 1))
    .slice(0, MAX_ENTITIES);
}

type Add = (name: string, kind: EntityKind) => void;

function addIdentifiers(prose: string, add: Add): void {
  const hasCode = prose.includes('`');
  if (hasCode)
    for (const match of prose.matchAll(CODE))
      if (isIdentifier(match[1]!)) add(match[1]!.replace(/\(\)$/, ''), 'concept');
  if (!MAY_HAVE_IDENTIFIER.test(prose)) return;
  for (const name of (hasCode ? prose.replace(CODE, ' ') : prose).match(IDENTIFIER) ?? []) {
    if (!technologyAliases().has(name.toLowerCase())) add(name, 'concept'); // GitHub is a technology, not an identifier
  }
}

/** `Node.js` looks like a file and is none. */
const isNamedLikeFile = (written: string): boolean =>
  technologyAliases().has(written.toLowerCase()) || /\bprocess\.env$/.test(written);

/** Technologies and projects by name, up to three words long; capitalised words inside a sentence as people or concepts. */
function addWords(prose: string, options: EntityOptions, { add, isSpoken }: { add: Add; isSpoken: boolean }): void {
  const aliases = technologyAliases();
  const isPlain = !hasForeignLetters(prose);
  const words = isPlain ? asciiWordsIn(prose) : wordsIn(prose);
  const titled = titleEnd(prose);
  const tables = isWorthTables(words.length) ? [aliases, options.aliases, options.projects] : [];
  const firsts = tables.flatMap((names) => (names ? [firstWords(names)] : []));
  for (let at = 0; at < words.length; at++) {
    // Nearly no word begins a name: looking for names of several words at each of them would be most of the work.
    const mayBe = firsts.length === 0 || mayBegin(words[at]!.text, firsts, isPlain);
    let taken = mayBe ? addNameAt(words, at, { prose, aliases, options, add }) : 0;
    if (taken === 0 && words[at]!.at >= titled && isCapital(words[at]!.text)) {
      const proper = properNameAt(prose, words, at);
      if (proper && !(proper.kind === 'person' && at === 0 && isSpoken)) add(proper.name, proper.kind);
      taken = proper?.words ?? 0;
    }
    if (taken > 0) at += taken - 1;
  }
}

/** A hook looks at one short prompt: making the tables would take it longer than doing without. */
const isWorthTables = (words: number): boolean => words > FEW_WORDS || ++looked > FEW_TEXTS;
const [FEW_WORDS, FEW_TEXTS] = [40, 2];
let looked = 0;

function wordsIn(prose: string): Word[] {
  const words: Word[] = [];
  const pattern = anyWord();
  pattern.lastIndex = 0;
  for (let match = pattern.exec(prose); match !== null; match = pattern.exec(prose)) {
    const [text] = match;
    words.push({ text: ENDS_IN_MARK.test(text) ? withoutMarks(text) : text, at: match.index });
  }
  return words;
}

/** `[A-Za-z0-9][A-Za-z0-9.+#'-]*`, letter by letter: every word of every statement comes through here. */
function asciiWordsIn(prose: string): Word[] {
  const words: Word[] = [];
  for (let at = 0; at < prose.length; ) {
    if (roleOf(prose.charCodeAt(at)) !== BEGINS) {
      at++;
      continue;
    }
    let end = at + 1;
    while (end < prose.length && roleOf(prose.charCodeAt(end)) !== 0) end++;
    const text = prose.slice(at, end);
    words.push({ text: mayEndInMark(prose.charCodeAt(end - 1)) ? withoutMarks(text) : text, at });
    at = end;
  }
  return words;
}

const [BEGINS, CONTINUES] = [1, 2];
const ROLES = new Uint8Array(128);
for (let code = 0; code < ROLES.length; code++) {
  const letter = String.fromCharCode(code);
  ROLES[code] = /[A-Za-z0-9]/.test(letter) ? BEGINS! : /[.+#'-]/.test(letter) ? CONTINUES! : 0;
}
const roleOf = (code: number): number => (code < ROLES.length ? ROLES[code]! : 0);
/** `.`, `'`, `-`, and the `s` of `'s`. */
const mayEndInMark = (last: number): boolean => last === 0x2e || last === 0x27 || last === 0x2d || last === 0x73;

const ENDS_IN_MARK = /(?:[.'-]|'s)$/;
const withoutMarks = (word: string): string => word.replace(/[.'-]+$/, '').replace(/'s$/, '');

type Naming = {
  prose: string;
  aliases: ReadonlyMap<string, string>;
  options: EntityOptions;
  add: Add;
};

/** The longest name of up to three words that begins here; returns how many words it takes. */
function addNameAt(words: readonly Word[], at: number, { prose, aliases, options, add }: Naming): number {
  for (let length = Math.min(3, words.length - at); length > 0; length--) {
    const group = words.slice(at, at + length);
    const lower = group.map((word) => word.text.toLowerCase()).join(' ');
    const name = options.aliases?.get(lower) ?? aliases.get(lower);
    if (name && !(EVERYDAY.has(lower) && !isWrittenAsName(prose, group[0]!))) {
      add(name, 'technology');
      return length;
    }
    if (options.projects?.has(lower)) {
      add(lower, 'project');
      return length;
    }
  }
  return 0;
}

/** The first words of names, and a table of their shapes: nearly all words are told from them by it, without being made small. */
type FirstWords = { readonly words: ReadonlySet<string>; readonly shapes: Uint8Array };

const knownFirstWords = new WeakMap<object, FirstWords>();
function firstWords(names: ReadonlyMap<string, string> | ReadonlySet<string>): FirstWords {
  const known = knownFirstWords.get(names);
  if (known) return known;
  const first = {
    words: new Set([...names.keys()].map((name) => name.split(' ')[0]!)),
    shapes: new Uint8Array(1 << 15),
  };
  for (const word of first.words) first.shapes[shapeOf(word)] = 1;
  knownFirstWords.set(names, first);
  return first;
}

/** Its first two letters, folded so that case does not matter, and its length. */
const shapeOf = (word: string): number =>
  ((word.charCodeAt(0) & 31) << 10) | ((word.charCodeAt(1) & 31) << 5) | (word.length & 31);

/** Letters of other languages may change more than their case when they are made small; then the table cannot tell. */
function mayBegin(word: string, firsts: readonly FirstWords[], isPlain: boolean): boolean {
  const shape = shapeOf(word);
  for (const { words, shapes } of firsts)
    if ((!isPlain || shapes[shape] === 1) && words.has(word.toLowerCase())) return true;
  return false;
}

/** Capitalised, and not only because a sentence begins. */
function isWrittenAsName(prose: string, word: Word): boolean {
  return isCapital(word.text) && !startsSentence(prose, word.at);
}

/** Where what stands above the statement ends, if it is written as a title: its capitals name nothing. */
function titleEnd(prose: string): number {
  const end = prose.indexOf(': ');
  if (end < 1 || end > LONGEST_TITLE) return 0;
  const title = prose.slice(0, end);
  const words = title.match(hasForeignLetters(title) ? /\p{L}{4,}/gu : /[A-Za-z]{4,}/g) ?? [];
  const capitals = words.filter(isCapital).length;
  return words.length > 1 && capitals * 2 > words.length ? end : 0;
}

function speakerOf(text: string): string | undefined {
  const end = text.indexOf(':');
  if (end === -1 || end > LONGEST_SPEAKER) return undefined;
  return (hasForeignLetters(text.slice(0, end)) ? anySpeaker() : ASCII_SPEAKER).exec(text)?.[1];
}

/** “Jon: I would say so”: a name, or somebody who speaks of themselves. A heading does neither. */
const isSpeaker = (name: string, text: string): boolean =>
  firstNames().has(name.toLowerCase()) ||
  (!/(?:s|ing|tion|ed|ment|em|iew)$/.test(name) && /\b(?:I|I'm|I've|I'd)\b/.test(text));

/** `AGENTS.md/CLAUDE.md`: two files, not a folder with one. */
function separateFiles(file: string): string[] {
  const parts = file.split('/');
  const areFiles =
    parts.length > 1 && parts.length <= 4 && parts.every((part) => /\w\.(?:md|mdx|ts|tsx|js|py|json)$/.test(part));
  return areFiles ? parts : [file];
}

function isTechnology(word: string, options: EntityOptions): boolean {
  const lower = word.toLowerCase();
  return technologyAliases().has(lower) || Boolean(options.aliases?.has(lower)) || CAPITALISED.has(lower);
}

/** `./src/a.ts:12`, `src//a.ts` and `src/a.ts` are one file. */
export function normaliseFile(file: string): string {
  return file
    .replace(/:\d+(?::\d+)?$/, '')
    .replaceAll('\\', '/')
    .replace(/^@(?=[\w.-]+(?:\/[\w.-]+)*\.\w)/, '')
    .replace(/^(?:\.\/)+/, '')
    .replace(/\/{2,}/g, '/');
}

function isIdentifier(code: string): boolean {
  return (
    /^[\w$@][\w$@.:/-]*(?:\(\))?$/.test(code) &&
    /[A-Za-z]/.test(code) &&
    !ENDS_LIKE_FILE.test(code) &&
    !technologyAliases().has(code.toLowerCase())
  );
}
