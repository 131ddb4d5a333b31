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

/** `earlier`: what may be meant, from this and from other conversations; newer statements count before older ones. */
export function relationsOf(statement: Statement, earlier: readonly Statement[]): Relation[] {
  const words = new Set(topicWords(statement.text));
  const found: Relation[] = [];
  for (const other of newestFirst(earlier)) {
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
  if (isSettled(other) && REPLACES.test(statement.text) && statement.intent !== 'question' && overlap >= MIN_REPLACE) {
    return as('supersedes', 0.4 + Math.min(0.5, overlap), 'replacing-words');
  }
  if (statement.intent === 'decision' && other.intent === 'decision' && !sameTalk && overlap >= 0.6)
    return as('supersedes', 0.5, 'decided-again');
  if (OPPOSES.test(statement.text) && overlap >= MIN_OPPOSE)
    return as('contradicts', 0.35 + Math.min(0.5, overlap), 'opposing-words');
  if (statement.stance === 'dead_end' && other.stance === 'hypothesis' && sameTalk && overlap >= 0.2)
    return as('contradicts', 0.5, 'hypothesis-failed');
  if (
    ADDS.test(statement.text) &&
    statement.span === other.span &&
    statement.span !== undefined &&
    overlap >= MIN_BUILD
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

const isSettled = (other: Statement): boolean =>
  other.intent === 'decision' || other.intent === 'conclusion' || other.intent === 'solution';

/** The share of telling words in common, with what both name counted double. */
function overlapOf(statement: Statement, words: ReadonlySet<string>, other: Statement): number {
  const theirs = new Set(topicWords(other.text));
  const common = [...words].filter((word) => theirs.has(word)).length;
  const named = statement.entities.filter((name) => other.entities.includes(name)).length;
  const smaller = Math.min(words.size, theirs.size) + Math.min(statement.entities.length, other.entities.length);
  return smaller < 3 ? 0 : (common + named) / smaller;
}

function isLater(other: Statement, statement: Statement): boolean {
  if (other.session === statement.session) return other.line > statement.line;
  return other.time !== undefined && statement.time !== undefined && other.time > statement.time;
}

const newestFirst = (earlier: readonly Statement[]): Statement[] =>
  [...earlier].sort((a, b) => (b.time ?? 0) - (a.time ?? 0) || b.line - a.line || (a.ref < b.ref ? -1 : 1));

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
