// How a new statement relates to earlier ones: it answers a question, replaces a decision, builds on or contradicts what was
// said, or is about the same. Judged by wording, by the things both name and by nearness; each relation says by which rule.

import type { Intent, Stance } from '../../model/trace.ts';
import { topicWords } from '../topic-words.ts';
import { hasValue, type Value, valuesOf } from './values.ts';
import {
  addsTo,
  bringsUpToDate,
  deniedIn,
  leavesOpen,
  movesInTime,
  opposes,
  replacedIn,
  reportsChange,
  solves,
} from './wording.ts';

export const RELATIONS = ['supersedes', 'builds_on', 'contradicts', 'answers', 'relates_to'] as const;
export type RelationType = (typeof RELATIONS)[number];

/** A statement as far as relations look at it. */
export type Statement = {
  readonly ref: string;
  readonly text: string;
  readonly intent: Intent;
  readonly stance: Stance;
  readonly role: 'user' | 'assistant';
  readonly session: string;
  readonly span: string | undefined;
  readonly line: number;
  readonly time: number | undefined;
  /** Names of the entities in it. */
  readonly entities: readonly string[];
  readonly answered?: boolean;
};

export type Relation = {
  readonly to: string;
  readonly relation: RelationType;
  readonly confidence: number;
  readonly rule: string;
};

const ANSWER_LINES = 40;
const SOON = 3;
const SOLUTION_LINES = 400;
const MIN_REPLACE = 0.28;
const MIN_AGAIN = 0.7;
const MIN_BUILD = 0.2;
const MIN_OPPOSE = 0.25;
const MIN_RELATE = 0.45;
const MOST = 6;

/**
 * Is it worth a look into other conversations? Decisions and conclusions are; solutions, and what a user says, if their words
 * speak of a change.
 */
export const mayReferBack = (statement: Statement): boolean =>
  statement.intent === 'decision' ||
  statement.intent === 'conclusion' ||
  (statement.intent === 'solution' && replacedBy(statement) !== undefined) ||
  (statement.role === 'user' && (replacedBy(statement) !== undefined || tellsNews(statement)));

/** What a user says about their own affairs that may change: it is remembered longer than other statements. */
export const mayChange = (statement: Statement): boolean => statement.role === 'user' && isOwnAffair(statement);
/** First person, and no piece of a plan or of code. */
const OWN = /^(?!.{0,70}[`*|→]).*?\b(?:i|i'm|i've|i'd|my|we|we're|we've|our|ich|mein\w*|unser\w*|mon|nuestr\w+|mi)\b/is;
const MAX_TOLD = 700;

const tellsNews = (statement: Statement): boolean =>
  mayChange(statement) && bringsUpToDate(statement.text) && knownValuesOf(statement).some(({ isNews }) => isNews);

/** `earlier`: what may be meant, from this and from other conversations. */
export function relationsOf(statement: Statement, earlier: readonly Statement[]): Relation[] {
  const found: Relation[] = [];
  for (const other of earlier) {
    if (other.ref === statement.ref || isLater(other, statement)) continue;
    const relation = relate(statement, other, commonShare(statement, other));
    if (relation) found.push(relation);
  }
  return strongest(found);
}

/** Which share of the words is common is asked last: for most pairs no rule gets that far, and counting is most of the work. */
type Overlap = () => number;

function commonShare(statement: Statement, other: Statement): Overlap {
  let known: number | undefined;
  return () => {
    known ??= overlapOf(statement, other);
    return known;
  };
}

function relate(statement: Statement, other: Statement, overlap: Overlap): Relation | undefined {
  const as = (relation: RelationType, confidence: number, rule: string): Relation => ({
    to: other.ref,
    relation,
    confidence: round(confidence),
    rule,
  });
  const sameTalk = statement.session === other.session;
  // What is said in one breath neither answers nor replaces itself.
  if (!sameTalk || statement.line !== other.line) {
    const answers = sameTalk ? answerRule(statement, other, overlap) : undefined;
    if (answers) return as('answers', 0.45 + Math.min(0.5, overlap()), answers);
    const replaces = replacementRule(statement, other, overlap);
    if (replaces) return as('supersedes', 0.45 + Math.min(0.5, overlap()), replaces);
    const opposed = oppositionRule(statement, other, overlap);
    if (opposed) return as('contradicts', 0.4 + Math.min(0.5, overlap()), opposed);
  }
  const sameSpan = statement.span !== undefined && statement.span === other.span;
  if (sameSpan && isAddition(statement) && overlap() >= MIN_BUILD)
    return as('builds_on', 0.4 + Math.min(0.4, overlap()), 'adding-words');
  if (!sameTalk && other.intent !== 'context' && overlap() >= MIN_RELATE)
    return as('relates_to', Math.min(0.9, overlap()), 'same-things');
  return undefined;
}

/** An answer comes from the other side, soon after, and is no question itself; a solution answers a problem of either side. */
function answerRule(statement: Statement, other: Statement, overlap: Overlap): string | undefined {
  const lines = statement.line - other.line;
  if (other.intent === 'question' && !other.answered && lines <= ANSWER_LINES && canAnswer(statement, other)) {
    // A user's “yes, do that” repeats no word of the question; an agent's first words are often about what it will do.
    const follows = lines <= SOON && (statement.role === 'user' || statement.intent !== 'context');
    if (follows) return 'follows-question';
    return overlap() >= 0.12 && !ANNOUNCES.test(statement.text) ? 'question-words' : undefined;
  }
  if (statement.intent !== 'solution' || other.intent !== 'problem' || lines > SOLUTION_LINES) return undefined;
  // An agent that gives advice names many troubles and many remedies; only what says that it mends is taken for a remedy.
  const isMend = overlap() >= 0.2 && isRemedy(statement);
  return isMend || (other.role === 'user' && overlap() >= 0.3) ? 'solves-problem' : undefined;
}

const ANNOUNCES = /^(?:(?:ok(?:ay)?|now|sure|good)[,.! ]+)?(?:let me|i'll (?:start|first|begin|look|read|check))\b/i;
const canAnswer = (statement: Statement, question: Statement): boolean =>
  statement.role !== question.role &&
  statement.intent !== 'question' &&
  statement.intent !== 'todo' &&
  !leavesOpen(statement.text) &&
  !(statement.role === 'user' && statement.intent === 'problem');

function replacementRule(statement: Statement, other: Statement, overlap: Overlap): string | undefined {
  const byUser = statement.role === 'user' && other.role === 'user';
  if (replacedBy(statement) !== undefined && overlap() >= MIN_REPLACE && replacesIt(statement, other))
    return 'replacing-words';
  if (byUser && isNewerValue(statement, other, overlap)) return 'newer-value';
  const again = byUser && statement.intent === 'decision' && other.intent === 'decision';
  return again && statement.session !== other.session && overlap() >= MIN_AGAIN && statement.text !== other.text
    ? 'decided-again'
    : undefined;
}

/** The earlier statement must be about the very thing that is said to be replaced. */
function replacesIt(statement: Statement, other: Statement): boolean {
  if (statement.intent === 'question' || (statement.role === 'assistant' && !isSettled(statement))) return false;
  const named = replacedBy(statement);
  if (named === undefined) return false;
  const byUser = statement.role === 'user' && other.role === 'user' && statement.session === other.session;
  if (other.intent !== 'decision' && !(isSettled(other) && statement.session === other.session) && !byUser)
    return false;
  // What was found out stays true when something is done about it.
  if (other.intent === 'conclusion' && statement.intent !== 'conclusion') return false;
  if (statement.role === 'assistant' && statement.intent !== 'decision' && !reportsChange(statement.text)) return false;
  const replaced = topicWords(named, 6);
  const theirs = wordsOf(other);
  const common = replaced.filter((word) => theirs.has(word)).length;
  // Where it named the replaced thing as replaced itself, it already says the same.
  return common >= Math.min(2, replaced.length) && common > 0 && replacedBy(other) === undefined;
}

/** The same thing with another amount or date: said to be new, or counted in the same words. */
function isNewerValue(statement: Statement, other: Statement, overlap: Overlap): boolean {
  if (!mayChange(statement) || !mayChange(other)) return false;
  const isMoved = movesInTime(statement.text);
  const saysFrom = /\bfrom\b/i.test(statement.text);
  const [news, olds] = [knownValuesOf(statement), knownValuesOf(other)];
  return news.some((next) =>
    olds.some((old) => {
      if (next.kind !== old.kind || next.text === old.text) return false;
      if (olds.some(({ text }) => text === next.text)) return false;
      if (!saysFrom && news.some(({ text }) => text === old.text)) return false;
      let common = 0;
      for (const word of next.words) if (old.words.has(word)) common++;
      const counted = next.unit !== undefined && next.unit === old.unit;
      if (next.kind === 'date' || next.kind === 'time')
        return next.isNews && isMoved && common >= 2 && haveCommon(next, old, isAppointed);
      if (next.kind !== 'number') return next.isNews && common >= 2;
      const named = counted || (old.unit !== undefined && next.words.has(old.unit));
      return named && (next.isNews ? common >= 2 : next.isOwn && common >= 3 && overlap() >= 0.3);
    }),
  );
}

/** A day is new only for what has one day: many things happen, each on its own. */
const isAppointed = (word: string): boolean =>
  /^(?:deadline|meet|meeting|call|appointment|session|interview|schedule|due|exam|submission|submit|launch|release|review|delivery|demo|presentation|workshop|trip|flight|party|wedding|start|move|visit)$/.test(
    word,
  );

function haveCommon(one: Value, other: Value, fits: (word: string) => boolean): boolean {
  for (const word of one.words) if (other.words.has(word) && fits(word)) return true;
  return false;
}

function oppositionRule(statement: Statement, other: Statement, overlap: Overlap): string | undefined {
  const mayOppose = statement.role === 'user' || statement.intent === 'conclusion';
  if (mayOppose && isOpposed(statement) && overlap() >= MIN_OPPOSE) return 'opposing-words';
  const failed = statement.stance === 'dead_end' && other.stance === 'hypothesis';
  if (failed && statement.session === other.session && overlap() >= 0.2) return 'hypothesis-failed';
  if (statement.role !== 'user' || other.role !== 'user') return undefined;
  return denies(statement, other) || denies(other, statement) ? 'never-and-yet' : undefined;
}

/** “I have never deployed this” beside “I deployed it to the cluster”. */
function denies(one: Statement, other: Statement): boolean {
  const denied = deniedBy(one);
  if (denied === undefined || deniedBy(other) !== undefined) return false;
  const words = topicWords(denied, 8);
  const theirs = wordsOf(other);
  const common = words.filter((word) => theirs.has(word)).length;
  return common >= 2 && common * 2 >= words.length;
}

const isSettled = (other: Statement): boolean =>
  other.intent === 'decision' || other.intent === 'conclusion' || other.intent === 'solution';

/** A statement is compared with many others: what its text says is taken out of it once. */
function onceEach<Result>(ask: (text: string) => Result): (statement: Statement) => Result {
  const known = new WeakMap<Statement, { readonly result: Result }>();
  return (statement) => {
    let answer = known.get(statement);
    if (!answer) {
      answer = { result: ask(statement.text) };
      known.set(statement, answer);
    }
    return answer.result;
  };
}

const wordsOf = onceEach((text): ReadonlySet<string> => new Set(topicWords(text)));
const knownValuesOf = onceEach(valuesOf);
const replacedBy = onceEach(replacedIn);
const deniedBy = onceEach(deniedIn);
const isAddition = onceEach(addsTo);
const isOpposed = onceEach(opposes);
const isRemedy = onceEach(solves);
const isOwnAffair = onceEach(
  (text) => text.length <= MAX_TOLD && (hasValue(text) || /\bnever\b/i.test(text)) && OWN.test(text),
);

/** The share of telling words in common, with what both name counted double. */
function overlapOf(statement: Statement, other: Statement): number {
  const [words, theirs] = [wordsOf(statement), wordsOf(other)];
  let common = 0;
  for (const word of words) if (theirs.has(word)) common++;
  const named = statement.entities.filter((name) => other.entities.includes(name)).length;
  const smaller = Math.min(words.size, theirs.size) + Math.min(statement.entities.length, other.entities.length);
  return smaller < 3 ? 0 : (common + named) / smaller;
}

function isLater(other: Statement, statement: Statement): boolean {
  if (other.session === statement.session) return other.line > statement.line;
  return other.time !== undefined && statement.time !== undefined && other.time > statement.time;
}

/** A question has one answer, a decision one successor; of the rest the surest few are kept. */
function strongest(found: readonly Relation[]): Relation[] {
  if (found.length === 0) return [];
  const kept: Relation[] = [];
  for (const relation of RELATIONS) {
    const most = relation === 'relates_to' ? 3 : relation === 'builds_on' ? 1 : 2;
    const own = found
      .filter((each) => each.relation === relation)
      .sort((a, b) => b.confidence - a.confidence || (a.to < b.to ? -1 : 1));
    kept.push(...own.slice(0, most));
  }
  return kept.slice(0, MOST);
}

const round = (value: number): number => Math.round(value * 100) / 100;
