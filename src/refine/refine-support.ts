// Whether a text says what another text says, as far as that can be told without understanding either: its telling words, its
// names and numbers must be there, the words it is drawn from must stand there, and neither may turn the other into its opposite.

import { entitiesOf } from '../extraction/entities/entities-of.ts';
import { topicWords } from '../extraction/topic-words.ts';
import { stem } from '../store/stem.ts';

const LINE_SHARE = 0.65;
const TOPIC_SHARE = 0.9;
const MIN_QUOTE = 6;
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+/gu;
/** Names and numbers: `v2.1`, `src/auth.ts`, `useAuth`, `MAX_RETRIES`, `8080`. They are there or they are made up. */
const EXACT = /[\p{L}\p{N}_][\p{L}\p{N}_./:@-]*[\p{L}\p{N}_]|\p{N}/gu;
const MARKDOWN = /[*`~]/g;
const IS_EXACT = /\p{N}|[_/@]|\p{L}\.\p{L}|\p{Ll}\p{Lu}/u;

/** Words about the conversation rather than of it. */
const NEUTRAL = new Set(
  topicWords(
    'decide decided decision chose chosen choose agree agreed conclude concluded conclusion find found question ask asked problem solution ' +
      'solve solved todo open user assistant agent conversation topic discuss discussed suggest suggested propose proposed plan planned ' +
      'because reason also remain remains whether wants wanted request requested confirm confirmed',
  ).map(stem),
);

const NEGATION =
  /\b(?:not|no|never|none|neither|nor|nothing|cannot|without|avoid|against|nicht|kein\p{L}*|nie|ohne|pas|jamais|sans|nunca|sin|tampoco)\b|n['’]t\b|ない|ません|不|没|沒|无|無/iu;

/** The telling words of a text; of scripts without blanks, each pair of characters. */
export function contentWords(text: string): Set<string> {
  const words = new Set(topicWords(text.replace(CJK, ' ')).map(stem));
  for (const neutral of NEUTRAL) words.delete(neutral);
  for (const [run] of text.matchAll(CJK)) {
    const points = [...run];
    for (let at = 0; at + 1 < points.length; at++) words.add(points[at]! + points[at + 1]!);
  }
  return words;
}

export type SourceWords = {
  readonly words: ReadonlySet<string>;
  /** Normalised. */
  readonly text: string;
};

export const sourceWords = (text: string): SourceWords => ({ words: contentWords(text), text: normalised(text) });

/** How many of the words are among the others. */
export function shareOf(words: ReadonlySet<string>, among: ReadonlySet<string>): number {
  if (words.size === 0) return 0;
  return [...words].filter((word) => among.has(word)).length / words.size;
}

/** Enough of its telling words, and every name and number, are in the source. */
export function isSupported(text: string, source: SourceWords, share: number): boolean {
  if (shareOf(contentWords(text), source.words) < share) return false;
  const exact = [...text.replace(MARKDOWN, '').matchAll(EXACT)]
    .map(([token]) => token)
    .filter((token) => IS_EXACT.test(token));
  const names = entitiesOf(text).filter((entity) => entity.kind !== 'concept');
  return (
    exact.every((token) => hasWord(source.text, normalised(token))) &&
    names.every(
      ({ name }) =>
        source.words.has(stem(name.toLowerCase())) || hasWord(source.text, normalised(name)) || hasEntity(source, name),
    )
  );
}

/**
 * The line says it. To be understood alone, a statement may take a few words from elsewhere in its topic ("the export lock: …"),
 * but no names or numbers: with another name, it would be another statement.
 */
export function isSaidIn(text: string, line: SourceWords, topic: SourceWords): boolean {
  return isSupported(text, line, LINE_SHARE) && shareOf(contentWords(text), topic.words) >= TOPIC_SHARE;
}

/** Written otherwise (`pg` for PostgreSQL) it is still the same thing. */
function hasEntity(source: SourceWords, name: string): boolean {
  return entitiesOf(source.text).some((entity) => entity.name === name);
}

/** `8` is not in `80`, and `redis` not in `redis.ts`. */
function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const [before, behind] = [text.slice(Math.max(0, at - 2), at), text.slice(at + word.length, at + word.length + 2)];
    if (!/[\p{L}\p{N}_]$|[\p{L}\p{N}_][./]$/u.test(before) && !/^[\p{L}\p{N}_]|^[./][\p{L}\p{N}_]/u.test(behind))
      return true;
  }
  return false;
}

/** The quote stands in the line, and what stands around it there does not say something else. */
export function saysItInSense(
  text: string,
  { intent, quote, line }: { intent: string; quote: string; line: string },
): boolean {
  // Without the mark at its end: what stands behind it would look like a part of the same clause.
  const words = normalised(quote).replace(/^(?:\.{3}|["' ¶])+|["' ¶.!?;:,。！？]+$/g, '');
  if (words.length < MIN_QUOTE) return false;
  const found = [normalised(line), joined(normalised(line))].find((source) => source.includes(words));
  const source = found ?? joined(normalised(line));
  const wanted = found === undefined ? joined(words) : words; // models like to write two lines as one
  const at = source.indexOf(wanted);
  if (at === -1) return false;
  const { clause, asks } = around(source, at, at + wanted.length);
  const settles = intent === 'decision' || intent === 'conclusion' || intent === 'solution';
  if (asks && settles) return false;
  return NEGATION.test(clause) === NEGATION.test(normalised(text));
}

const CLAUSE_END =
  /[!?;:,()¶。！？；：，]|\.(?=\s|$)|\s-\s|\s(?:but|because|although|so|and|then|aber|weil|und|mais|parce|pero|porque)\s/gu;
const SENTENCE_END = /[.!?](?=[\s"')]|$)|[。！？¶]/gu;

/** The clause around a part of a text, and whether its sentence is a question. */
function around(text: string, start: number, end: number): { clause: string; asks: boolean } {
  const from = Math.max(0, start - 400);
  const before = [...text.slice(from, start).matchAll(CLAUSE_END)].at(-1);
  const behind = text.slice(end, end + 400);
  const after = behind.search(new RegExp(CLAUSE_END.source, 'u'));
  const clause = text.slice(
    before ? from + before.index + before[0].length : from,
    after === -1 ? end + behind.length : end + after,
  );
  const stops = behind.match(new RegExp(SENTENCE_END.source, 'u'));
  return { clause, asks: stops !== null && /[?？]/.test(stops[0]) };
}

/** One way to write it: no case, no Markdown, plain quotation marks, single blanks, `¶` for the end of a line. */
function normalised(text: string): string {
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

const joined = (text: string): string => text.replaceAll(' ¶ ', ' ');
