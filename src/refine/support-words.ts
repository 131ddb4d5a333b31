// The words of a text as the check of support compares them: its telling words in one rough form, its names and numbers as they
// are written, and one way to write everything, so that case, Markdown and quotation marks make no difference.

import { entitiesOf } from '../extraction/entities/entities-of.ts';
import { topicWords } from '../extraction/topic-words.ts';
import { lazy } from '../model/lazy.ts';
import { stem } from '../store/stem.ts';

const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+/gu;
/** Names and numbers: `v2.1`, `src/auth.ts`, `useAuth`, `MAX_RETRIES`, `8080`. They are there or they are made up. */
const EXACT = /[\p{L}\p{N}_][\p{L}\p{N}_./:@-]*[\p{L}\p{N}_]|\p{N}/gu;
const IS_EXACT = /\p{N}|[_/@]|\p{L}\.\p{L}|\p{Ll}\p{Lu}/u;
/** With a unit or none: `90`, `1.5`, `30s`, `100MB`. */
const NUMBER = /^\p{N}[\p{N}.,:]*\p{L}{0,2}$/u;
const MARKDOWN = /[*`~]/g;

/** Twice: the rough form of a topic's words and the stem each take something off, and `greased` has to meet `grease`. */
const rough = (word: string): string => stem(stem(word));

/** Words about the conversation rather than of it. */
const NEUTRAL = new Set(
  topicWords(
    'decide decided decision chose chosen choose agree agreed conclude concluded conclusion find found question ask asked problem solution ' +
      'solve solved todo open user assistant agent conversation topic discuss discussed suggest suggested propose proposed plan planned ' +
      'because reason also remain remains whether wants wanted request requested confirm confirmed',
  ).map(rough),
);

/** The telling words of a text; of scripts without blanks, each pair of characters. */
export function contentWords(text: string): Set<string> {
  // Of `don't` the `do` is left, which says nothing.
  const words = new Set(topicWords(text.replace(CJK, ' ').replace(/n['’]t\b/gi, '')).map(rough));
  for (const neutral of NEUTRAL) words.delete(neutral);
  for (const [run] of text.matchAll(CJK)) {
    const points = [...run];
    for (const [at, point] of points.slice(0, -1).entries()) words.add(`${point}${points[at + 1]}`);
  }
  return words;
}

export type SourceWords = {
  readonly words: ReadonlySet<string>;
  /** Normalised. */
  readonly text: string;
  /** Names of the entities in it. Made at the first question for them: a long text has to be read for it. */
  readonly entities: () => ReadonlySet<string>;
};

export function sourceWords(said: string): SourceWords {
  const text = normalised(said);
  return { words: contentWords(said), text, entities: lazy(() => new Set(entitiesOf(text).map(({ name }) => name))) };
}

/** How many of the words are among the others. */
export function shareOf(words: ReadonlySet<string>, among: ReadonlySet<string>): number {
  if (words.size === 0) return 0;
  return countIn(words, among) / words.size;
}

export function countIn(words: ReadonlySet<string>, among: ReadonlySet<string>): number {
  let count = 0;
  for (const word of words) if (among.has(word)) count += 1;
  return count;
}

export type Name = {
  readonly name: string;
  /** The kind of entity, or `number`, or `written` for any other name that is copied or made up. */
  readonly kind: string;
};

/** What must be copied: numbers, files, identifiers, and whatever has a name of its own. */
export function namesIn(text: string): Name[] {
  const names = new Map<string, Name>();
  for (const { name, kind } of entitiesOf(text)) if (kind !== 'concept') names.set(normalised(name), { name, kind });
  for (const [token] of text.replace(MARKDOWN, '').matchAll(EXACT)) {
    const key = normalised(token);
    if (IS_EXACT.test(token) && !names.has(key))
      names.set(key, { name: token, kind: NUMBER.test(token) ? 'number' : 'written' });
  }
  return [...names.values()];
}

/** Written otherwise (`pg` for PostgreSQL) it is still the same thing. */
export function hasName(source: SourceWords, { name, kind }: Name): boolean {
  if (hasWord(source.text, normalised(name))) return true;
  if (kind === 'number' || kind === 'written') return false;
  return source.words.has(rough(name.toLowerCase())) || source.entities().has(name);
}

/** Enough of its telling words, and every name and number, are in the source. */
export const isSupported = (text: string, source: SourceWords, share: number): boolean =>
  shareOf(contentWords(text), source.words) >= share && namesIn(text).every((name) => hasName(source, name));

/** `8` is not in `80`, and `redis` not in `redis.ts`. */
export function hasWord(text: string, word: string): boolean {
  if (word === '') return false;
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const [before, behind] = [text.slice(Math.max(0, at - 2), at), text.slice(at + word.length, at + word.length + 2)];
    if (!/[\p{L}\p{N}_]$|[\p{L}\p{N}_][./]$/u.test(before) && !/^[\p{L}\p{N}_]|^[./][\p{L}\p{N}_]/u.test(behind))
      return true;
  }
  return false;
}

/** One way to write it: no case, no Markdown, plain quotation marks, single blanks, `¶` for the end of a line. */
export function normalised(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[‘’‚′]/g, "'")
    .replace(/[“”„«»″]/g, '"')
    .replace(/[–—‑]/g, '-')
    .replace(/…/g, '...')
    .replace(MARKDOWN, '')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, ' ¶ ')
    .trim();
}
