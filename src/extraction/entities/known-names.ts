// Names that stand in a table, found among the words of a text: technologies, the user's own aliases, projects, settled terms.

import { conceptAliases } from './concepts.ts';
import type { EntityKind, EntityOptions } from './entity.ts';
import { foldName } from './fold-name.ts';
import { isCapital, startsSentence } from './proper-names.ts';
import { EVERYDAY, modelFamily, technologyAliases } from './technologies.ts';
import type { Word, Words } from './words-in.ts';

export type KnownName = { readonly name: string; readonly kind: EntityKind; readonly words: number };
type Aliases = ReadonlyMap<string, string>;

export type NameTable = {
  readonly own: Aliases;
  readonly technologies: Aliases;
  readonly projects: Aliases;
  readonly concepts: Aliases;
  /** Not made for the first few short texts. */
  readonly first: FirstWords | undefined;
};

const NONE: Aliases = new Map();
const FEW_TEXTS = 2;
const FEW_LETTERS = 300;
const MOST_WORDS = 4;
let looked = 0;

/** All names that are looked for in a text. A hook looks at one short prompt: for it, making the first words would take longer than they save. */
export function nameTable(text: string, { aliases: own = NONE, projects = NONE }: EntityOptions): NameTable {
  const isWorthFirst = text.length > FEW_LETTERS || ++looked > FEW_TEXTS;
  const first = isWorthFirst ? firstWordsFor(own, projects) : undefined;
  return { own, technologies: technologyAliases(), projects, concepts: conceptAliases(), first };
}

/** In lower case. */
export const isKnownName = (lower: string, { technologies, projects, concepts }: NameTable): boolean =>
  technologies.has(lower) || projects.has(lower) || concepts.has(lower);

/** The longest name that begins at word `at`, if one does. */
export function knownNameAt(words: Words, at: number, table: NameTable): KnownName | undefined {
  if (table.first && !mayBegin(words, at, table.first)) return undefined;
  const word = words.at(at);
  if (word === undefined) return undefined;
  let lower = word.text.toLowerCase();
  const family = modelFamily(lower);
  if (family !== undefined) return { name: family, kind: 'technology', words: 1 };
  const longest = table.first ? (table.first.words.get(lower) ?? 0) : MOST_WORDS;
  let found: KnownName | undefined;
  for (let length = 1; length <= longest; length++) {
    const name = named(lower, { word, prose: words.prose, length }, table);
    if (name && !isInside(words.prose, word.at, words.endOf(at + length - 1))) found = name;
    const next = length < longest ? words.at(at + length) : undefined;
    if (next === undefined) break;
    lower += ` ${next.text.toLowerCase()}`;
  }
  return found;
}

type Place = { readonly word: Word; readonly prose: string; readonly length: number };

function named(lower: string, { word, prose, length: words }: Place, table: NameTable): KnownName | undefined {
  const own = table.own.get(lower);
  if (own !== undefined)
    return { name: table.technologies.get(own.toLowerCase()) ?? foldName(own), kind: 'technology', words };
  const technology = table.technologies.get(lower);
  if (technology !== undefined && (!EVERYDAY.has(lower) || isWrittenAsName(prose, word)))
    return { name: technology, kind: 'technology', words };
  const project = table.projects.get(lower);
  if (project !== undefined) return { name: project, kind: 'project', words };
  const concept = table.concepts.get(lower);
  return concept === undefined ? undefined : { name: foldName(concept), kind: 'concept', words };
}

/** Of an identifier (`POSTGRES_URL`) or of the name of a hidden folder (`.claude`): that names something else. */
const isInside = (prose: string, start: number, end: number): boolean =>
  prose[end] === '_' || prose[start - 1] === '_' || (prose[start - 1] === '.' && !/\w/.test(prose[start - 2] ?? ' '));

/** Capitalised, and not only because a sentence begins. */
const isWrittenAsName = (prose: string, word: Word): boolean => isCapital(word.text) && !startsSentence(prose, word.at);

/**
 * The first words of names, each with how many words the longest of these has, and a table of their shapes, a bit for each. Nearly no word
 * begins a name: looking for names of several words at each of them would be most of the work, and by its shape a word is told from them
 * without being made small.
 */
type FirstWords = { readonly words: ReadonlyMap<string, number>; readonly shapes: Uint8Array };

const known = new WeakMap<Aliases, WeakMap<Aliases, FirstWords>>();

/** Made once for each set of aliases and projects. */
function firstWordsFor(own: Aliases, projects: Aliases): FirstWords {
  const ofOwn = known.get(own) ?? new WeakMap<Aliases, FirstWords>();
  known.set(own, ofOwn);
  const first = ofOwn.get(projects) ?? firstWords([own, projects, technologyAliases(), conceptAliases()]);
  ofOwn.set(projects, first);
  return first;
}

function firstWords(tables: readonly Aliases[]): FirstWords {
  const words = new Map<string, number>();
  const shapes = new Uint8Array(1 << 15);
  for (const name of tables.flatMap((table) => [...table.keys()])) {
    const [word = name, ...others] = name.split(' ');
    const shape = shapeOf(word, 0, word.length);
    words.set(word, Math.max(words.get(word) ?? 0, 1 + others.length));
    shapes[shape >> 3] = (shapes[shape >> 3] ?? 0) | (1 << (shape & 7));
  }
  return { words, shapes };
}

/** Its first two letters and its last one, folded so that case does not matter, and its length. */
const shapeOf = (text: string, start: number, end: number): number =>
  ((text.charCodeAt(start) & 31) << 13) |
  ((end - start > 1 ? text.charCodeAt(start + 1) & 31 : 0) << 8) |
  ((text.charCodeAt(end - 1) & 15) << 4) |
  ((end - start) & 15);

function mayBegin(words: Words, at: number, { shapes }: FirstWords): boolean {
  const { prose } = words;
  const start = words.startOf(at);
  const end = words.endOf(at);
  const shape = shapeOf(prose, start, end);
  if ((((shapes[shape >> 3] ?? 0) >> (shape & 7)) & 1) === 1) return true;
  const first = prose.charCodeAt(start);
  // Letters of other languages may change more than their case when they are made small; then the shape cannot tell.
  if (first > 0x7f || prose.charCodeAt(end - 1) > 0x7f) return true;
  // `gpt-4o` is in no table.
  if (((FAMILIES_BEGIN >> (first & 31)) & 1) === 0) return false;
  for (let place = start + 3; place < end && place < start + FAMILY_LENGTH; place++)
    if (prose.charCodeAt(place) === HYPHEN) return true;
  return false;
}

const HYPHEN = 0x2d;
const FAMILY_LENGTH = 12;
/** A bit for each letter that the families of technologies.ts begin with. */
const FAMILIES_BEGIN = [...'cdglmq'].reduce((bits, letter) => bits | (1 << (letter.charCodeAt(0) & 31)), 0);
