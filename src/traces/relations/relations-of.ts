// How a new statement relates to earlier ones: it answers a question, replaces a decision, builds on or contradicts what was
// said, or is about the same. Judged by wording, by the things both name and by nearness; each relation says by which rule.

import { topicWords } from '../spans/topic-words.ts';
import type { Intent, Stance } from '../trace.ts';

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

const REPLACES =
  /\b(?:instead of|no longer|not? ?any ?more|rather than|replac(?:e|ed|es|ing)|switch(?:ed|ing)? (?:from|to|over)|chang(?:e|ed|ing) (?:it |this |that |our mind )?(?:from|to)|moved? (?:away )?from|migrat(?:e|ed|ing) (?:from|to)|drop(?:ped|ping)?\b.{0,40}\bin favou?r of|supersed|revert(?:ed|ing)?|go(?:ing)? back to|scrap(?:ped)? (?:that|the)|actually,? (?:let'?s|we)|on second thought|changed? my mind|nicht mehr|statt(?:dessen)?|au lieu de|en lugar de)\b|ではなく|代わりに|改为|不再/i;
const ADDS =
  /^(?:additionally|also|furthermore|moreover|in addition|on top of (?:that|this)|besides|building on|extending|to (?:add|extend)|außerdem|zusätzlich|de plus|además)\b|\b(?:builds? on|extends? (?:the|this|that)|on top of (?:the|that|this))\b/i;
const OPPOSES =
  /\b(?:that(?:'s| is| was) (?:wrong|not (?:right|true|correct))|contradict|contrary to|on the contrary|in fact,? (?:it|the)|turns out (?:it|that|the).{0,60}\b(?:not|never|isn'?t|wasn'?t|doesn'?t|didn'?t)|was (?:mistaken|wrong)|incorrect)\b/i;

const ANSWER_LINES = 40;
const MIN_REPLACE = 0.28;
const MIN_BUILD = 0.2;
const MIN_OPPOSE = 0.25;
const MIN_RELATE = 0.45;
const MOST = 6;

/**
 * Is it worth a look into other conversations? Decisions and conclusions are; solutions, and what a user says, if their words
 * speak of a change.
 */
export const mayReferBack = ({ intent, role, text }: Statement): boolean =>
  intent === 'decision' ||
  intent === 'conclusion' ||
  ((intent === 'solution' || (role === 'user' && intent !== 'question')) &&
    (REPLACES.test(text) || OPPOSES.test(text)));

/** `earlier`: what may be meant, from this and from other conversations. */
export function relationsOf(statement: Statement, earlier: readonly Statement[]): Relation[] {
  const words = wordsOf(statement);
  const found: Relation[] = [];
  for (const other of earlier) {
    if (other.ref === statement.ref || isLater(other, statement)) continue;
    const relation = relate(statement, other, { overlap: overlapOf(statement, words, other) });
    if (relation) found.push(relation);
  }
  return strongest(found);
}

function relate(statement: Statement, other: Statement, { overlap }: { overlap: number }): Relation | undefined {
  const as = (relation: RelationType, confidence: number, rule: string): Relation => ({
    to: other.ref,
    relation,
    confidence: round(confidence),
    rule,
  });
  const sameTalk = statement.session === other.session;
  if (isAnswer(statement, other, sameTalk) && (overlap >= 0.1 || statement.line - other.line <= 3)) {
    return as(
      'answers',
      0.5 + Math.min(0.4, overlap),
      statement.line - other.line <= 3 ? 'follows-question' : 'question-words',
    );
  }
  if (statement.intent === 'solution' && other.intent === 'problem' && sameTalk && overlap >= 0.2)
    return as('answers', 0.4 + Math.min(0.5, overlap), 'solves-problem');
  if (isSettled(other) && overlap >= MIN_REPLACE && canReplace(statement)) {
    return as('supersedes', 0.4 + Math.min(0.5, overlap), 'replacing-words');
  }
  if (statement.intent === 'decision' && other.intent === 'decision' && !sameTalk && overlap >= 0.6)
    return as('supersedes', 0.5, 'decided-again');
  if (overlap >= MIN_OPPOSE && OPPOSES.test(statement.text))
    return as('contradicts', 0.35 + Math.min(0.5, overlap), 'opposing-words');
  if (statement.stance === 'dead_end' && other.stance === 'hypothesis' && sameTalk && overlap >= 0.2)
    return as('contradicts', 0.5, 'hypothesis-failed');
  if (
    overlap >= MIN_BUILD &&
    statement.span === other.span &&
    statement.span !== undefined &&
    ADDS.test(statement.text)
  )
    return as('builds_on', 0.4 + Math.min(0.4, overlap), 'adding-words');
  if (!sameTalk && overlap >= MIN_RELATE && other.intent !== 'context')
    return as('relates_to', Math.min(0.9, overlap), 'same-things');
  return undefined;
}

/** An answer comes from the other side, soon after, and is no question itself. */
function isAnswer(statement: Statement, other: Statement, sameTalk: boolean): boolean {
  return (
    sameTalk &&
    other.intent === 'question' &&
    !other.answered &&
    statement.intent !== 'question' &&
    statement.intent !== 'todo' &&
    statement.role !== other.role &&
    statement.line - other.line <= ANSWER_LINES
  );
}

/** A plan or a remark of the agent replaces nothing yet; a word of the user does. */
const canReplace = (statement: Statement): boolean =>
  statement.intent !== 'question' &&
  (isSettled(statement) || statement.role === 'user') &&
  REPLACES.test(statement.text);

const isSettled = (other: Statement): boolean =>
  other.intent === 'decision' || other.intent === 'conclusion' || other.intent === 'solution';

/** A statement is compared with many others: its words are taken out of it once. */
const knownWords = new WeakMap<Statement, ReadonlySet<string>>();
function wordsOf(statement: Statement): ReadonlySet<string> {
  const known = knownWords.get(statement);
  if (known) return known;
  const words = new Set(topicWords(statement.text));
  knownWords.set(statement, words);
  return words;
}

/** The share of telling words in common, with what both name counted double. */
function overlapOf(statement: Statement, words: ReadonlySet<string>, other: Statement): number {
  const theirs = wordsOf(other);
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
