// What a recall found for one part of a prompt, as what it may say unasked: its words, how likely it is of use, and whether it is
// a statement that stands alone and carries a result. Pure: everything is in the result.

import { hasForeignLetters } from '../model/foreign-letters.ts';
import { lazy } from '../model/lazy.ts';
import { namesWork, TAKEN_BACK } from '../model/logged-work.ts';
import type { RecallResult, Telling } from '../recall/answer.ts';
import { isQuestionWord, isStanding } from '../recall/question-words.ts';
import { TOLD_KINDS } from '../recall/telling.ts';
import { HOLE, withoutQuotations } from '../safety/quotations.ts';
import { indexWords } from '../store/index-words.ts';
import type { PromptParts } from './prompt-parts.ts';
import { TOLD } from './told-table.ts';

export type Found = RecallResult & { readonly telling: Telling };

/** The prompt as what is compared with statements. */
export type Asked = {
  /** Its words in the form of the index, and in their order (`asSaid`). */
  readonly words: ReadonlySet<string>;
  readonly said: string;
  /** Conversations that wrote what the prompt pasted. */
  readonly written: ReadonlySet<string>;
};

/** Taken back, replaced or over: not how things are. */
const GONE: ReadonlySet<string> = new Set(['superseded', 'archived', 'retired', 'deprecated', 'wrong']);
/** What somebody wanted done once: it was done, or nobody wants it any more. */
const REQUEST =
  /^(?:[^:]{1,60}: )?(?:(?:ok(?:ay)?|yes|yeah|hmm+|so|now|also|great|good|and|but|then|well)[,.]? +)*(?=)(?:the user (?:wants|want|asked|needs)|the (?:request|goal|task|aim|idea) is|\*\*goal|we (?:also )?(?:need|want|have to)|ensure|mention|add|make|update|remove|rename|move|change|fix|use|create|write|implement|display|show|check|run|test|find|look|try|can you|could you|can we|could we|would you|please|i (?:also )?(?:want|need|would like|'d like|think we (?!should|must)|think you|think i)|let'?s|let me|you (?:can|should|need|must)|do (?:not )?|don'?t)\b/i;
const NARRATION =
  /^(?:now |ok(?:ay)?[,.]? |good[,.]? |great[,.]? )*(?:let me|let's|i'll|i will|i'm going to|i need to|now i)\b/i;
/** Somebody was at work then; nobody is any more. What comes before it is read by words: as one pattern it took 1.5 ms to be made ready. */
const AT_WORK =
  / (?:is|are) (?:still |now |currently |already )*(?:working|running(?! out)|building|investigating|researching|waiting|analy[sz]ing|progressing|underway|in progress|executing|being)\b/gi;
const WORKERS =
  /^(?:agents?|subagents?|researchers?|planners?|checkers?|executors?|workers?|tasks?|jobs?|builds?|tests|checks|pipeline|server|ci)$/i;
const HOW_MANY = /^(?:the|all|both|\d+|two|three)$/i;
/** A line of a plan that was pasted: it was carried out then, and of 29 such lines three were useful. */
const UNDER_HEADING = /^[^\s:?][^:?]{2,60}: /;
const CAUSE = /\b(?:root cause|the (?:issue|problem|bug|cause|reason|fix) (?:was|is)|caused by|turned out)\b/i;
const OPEN_END = /[:?]\s*$/;
/** That something was done, and nothing of what or why: of 25 such lines no reader called one useful. */
const isLogged = (text: string): boolean => namesWork(text) || text.startsWith(TAKEN_BACK);
/** It points at what was said before it, and without that nobody knows what it is about: at its beginning or behind a heading, and anywhere. */
const POINTS_BACK =
  /^(?:it(?:'s)?|the (?:new|next|current|previous) task is|this is (?:the|what|where|why)|that(?:'s| is) (?:the|what|why|exactly)|same as|as (?:above|before|you (?:said|identified|noted)))\b/i;
const NAMES_EARLIER =
  /\b(?:you (?:asked|mentioned) (?:about |for )?(?:earlier|before|above)|as (?:I|we) (?:said|discussed) (?:earlier|before|above))\b/i;

/** How likely it is of use to somebody who asks this part of a prompt with so many telling words, 0 … 1. */
export function likelihood({ coverage, cosine, worth, words }: Telling, promptWords: number): number {
  const { curve, coldCosine: cold, unknownWorth, short } = TOLD;
  const count = wholeWords(words);
  const near = cosine ?? cold.none + cold.word * Math.min(cold.mostWords, count) + cold.coverage * coverage;
  const sum =
    curve.bias +
    (promptWords <= short.words ? short.points : 0) +
    curve.coverage * coverage +
    curve.cosine * near +
    curve.worth * (worth ?? unknownWorth) +
    curve.words * Math.min(curve.mostWords, count);
  return 1 / (1 + Math.exp(-sum));
}

/** `delegated-hubs.dev` is one thing, and its parts are no other. */
function wholeWords(words: readonly string[]): number {
  const folded = words.map((word) => word.toLowerCase());
  return folded.filter((word, at) => !folded.some((other, where) => where !== at && other.includes(word))).length;
}

/** What names a cause is worth something, whatever the model of worth makes of it. */
export const worthIn = ({ kind, text, telling: { worth } }: Found): number =>
  CAUSE.test(text) && kind !== 'problem'
    ? Math.max(worth ?? TOLD.unknownWorth, TOLD.causeWorth)
    : (worth ?? TOLD.unknownWorth);

/** What was changed, where the prompt is plainly about that very thing. */
const isStrong = ({ kind, telling: { coverage, cosine } }: Found): boolean =>
  kind === 'solution' && coverage >= TOLD.change.coverage && (cosine ?? 0) >= TOLD.change.cosine;

/** “Every new entity must have a migration”: its subject. */
const RULE =
  /\b(?:every|each|any|all)\s+(?:new |existing |single )?([\w@()/.-]+(?:\s+[\w@()/.-]+){0,2}?)\s+(?:must|should|shall|needs? to|has to|have to)\b/i;

/**
 * A rule about all things of a kind, for a prompt that is about one of them: it says what nobody who adds one thinks of, in other words than the
 * prompt has. A plan says itself what it is about.
 */
export function isRuleAbout(found: Found, { telling, isPlan }: Pick<PromptParts, 'telling' | 'isPlan'>): boolean {
  if (isPlan || worthIn(found) < TOLD.ruleWorth) return false;
  const subject = indexWords(RULE.exec(found.text.replace(/[*`]/g, ''))?.[1] ?? '').filter(
    (word) => !isQuestionWord(word),
  );
  return subject.length > 0 && subject.every((word) => telling.includes(word));
}

/** A statement of a conversation that may be told at all. `isRule`: it need not be near in meaning. */
export function isTellable(found: Found, asked: Asked, isRule = false): boolean {
  const { kind, status, telling, provenance, text } = found;
  return (
    TOLD_KINDS.includes(kind) &&
    !telling.searchOnly &&
    (provenance === null || provenance === 'said') &&
    worthIn(found) >= (isStrong(found) ? TOLD.change.worth : TOLD.leastWorth) &&
    (isRule || (telling.cosine ?? 1) >= TOLD.leastCosine) &&
    !GONE.has(status) &&
    !(found.session !== null && asked.written.has(found.session)) &&
    isOfSpeaker(found) &&
    !isOver(found) &&
    standsAlone(text) &&
    !isEcho(text, asked)
  );
}

/** Of the user what was decided or is wished for good. Of a question with its answer, the answer is theirs. */
function isOfSpeaker({ speaker, kind, text }: Found): boolean {
  if (speaker !== 'user') return true;
  if (UNDER_HEADING.test(text)) return false;
  return (kind === 'decision' && !REQUEST.test(text)) || (kind !== 'problem' && isStanding(text));
}

/** What was wrong is told by its cause and by what was changed; by itself only while it is open, or where it says why. */
export const isOver = ({ kind, status, text }: Pick<Found, 'kind' | 'status' | 'text'>): boolean =>
  kind === 'problem' && status !== 'open' && !/\b(?:because|due to|caused by|root cause)\b/i.test(text);

function standsAlone(text: string): boolean {
  if (isLogged(text) || withoutQuotations(text).includes(HOLE)) return false;
  if (NARRATION.test(text) || tellsOfProgress(text) || OPEN_END.test(text) || pointsBack(text)) return false;
  return plainWords(text).length >= TOLD.fewestWords;
}

/** "All three review agents are still running": some words, who works, and that they do. */
export function tellsOfProgress(text: string): boolean {
  for (const { index } of text.matchAll(AT_WORK)) {
    const words = text.slice(0, index).split(' ');
    const before = words.slice(0, -1);
    const isShort =
      before.length <= WORDS_BEFORE || (before.length === WORDS_BEFORE + 1 && HOW_MANY.test(before[0] ?? ''));
    if (isShort && WORKERS.test(words.at(-1) ?? '') && !before.some((word) => word === '' || /\s/.test(word)))
      return true;
  }
  return false;
}
const WORDS_BEFORE = 3;

export function pointsBack(text: string): boolean {
  const colon = text.indexOf(': ');
  const hasHeading = colon >= HEADING.least && colon <= HEADING.most && text.indexOf(':') === colon;
  return POINTS_BACK.test(text) || (hasHeading && POINTS_BACK.test(text.slice(colon + 2))) || NAMES_EARLIER.test(text);
}
const HEADING = { least: 2, most: 20 };

/** The prompt says it itself: in most of its words where it is short, in a row of them where it is long and has all kinds of words. */
function isEcho(text: string, { words, said }: Asked): boolean {
  if (words.size > TOLD.echoWords) return isPassage(text, said);
  const own = new Set(indexWords(text));
  return shared(own, words) >= TOLD.echo * own.size;
}

/** Whether a row of words of the text stands in what was said, word for word. */
export function isPassage(text: string, said: string): boolean {
  const row = plainWords(text);
  const { passage } = TOLD;
  for (let at = 0; at + passage <= row.length; at++)
    if (said.includes(` ${row.slice(at, at + passage).join(' ')} `)) return true;
  return false;
}

/** For `isPassage`: words alone, with one space around each. */
export const asSaid = (text: string): string => ` ${plainWords(text).join(' ')} `;

// Classes of all scripts take a hook milliseconds to make ready, and most texts need none.
const ASCII_WORD = /[a-z0-9]+/g;
const anyWord = lazy(() => /[\p{L}\p{N}]+/gu);
const plainWords = (text: string): string[] =>
  text.toLowerCase().match(hasForeignLetters(text) ? anyWord() : ASCII_WORD) ?? [];

/** Whether a line says nothing that another does not say. */
export function isSaidBy(other: string, line: string): boolean {
  const own = wordsOf(line);
  return shared(own, wordsOf(other)) >= TOLD.same * own.size;
}

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(indexWords(text).filter((word) => !isQuestionWord(word)));

function shared(some: ReadonlySet<string>, all: ReadonlySet<string>): number {
  let count = 0;
  for (const word of some) if (all.has(word)) count++;
  return count;
}
