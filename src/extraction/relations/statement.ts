// A statement as far as relations look at it, what a relation is, and how much two statements have in common.

import type { Intent, Stance } from '../../model/trace.ts';
import type { Place } from '../labels/features.ts';
import { topicWords } from '../topic-words.ts';

export const RELATIONS = ['supersedes', 'builds_on', 'contradicts', 'answers', 'relates_to'] as const;
type RelationType = (typeof RELATIONS)[number];

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
  /** The number of its exchange in its conversation. */
  readonly exchange: number;
  /** The line on which its topic begins: exchanges of one topic share it. */
  readonly topic: number | undefined;
  /** Where in its exchange it was said; missing for what an event says. */
  readonly place?: Place | undefined;
  /** A short answer with the question before it: a decision in words that stand alone. */
  readonly isGoAhead?: true;
  /** The agent worked in its exchange, so that what is said to be done may have been done: advice is not. */
  readonly isWork?: true;
  /** How much a colleague would want to be shown it weeks later, 0 … 1. */
  readonly worth: number;
  /** Kept to be found: it answers and is answered, and takes part in nothing else. */
  readonly searchOnly?: true;
  /** Wanted or wrong, and left so by its exchange. */
  readonly isOpen?: true;
};

export type Relation = {
  readonly to: string;
  readonly relation: RelationType;
  readonly confidence: number;
  readonly rule: string;
};

export type Found = Relation & { readonly from: string };

export const link = (
  from: Statement,
  to: Statement,
  relation: Relation['relation'],
  confidence: number,
  rule: string,
): Found => ({
  from: from.ref,
  to: to.ref,
  relation,
  confidence: Math.round(confidence * 100) / 100,
  rule,
});

/** A statement is compared with many others: what its text says is taken out of it once. */
export function onceEach<Result>(ask: (text: string) => Result): (statement: Statement) => Result {
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

const URLS = /\b(?:https?|file):\/\/\S+/g;
/** Names of products (MySQL, PostgreSQL) are one word. */
const CAMEL = /([a-z\d]{3})([A-Z][a-z])/g;

/** What stands further behind is beside the point: long bodies of commits name many things. */
const LOOKED_AT = 400;

/** The telling words of a text: names that are written as one word count by their parts, and those of a URL not at all. */
export const tellingWords = (text: string): ReadonlySet<string> =>
  new Set(topicWords(text.slice(0, LOOKED_AT).replace(URLS, ' ').replace(CAMEL, '$1 $2')));

export const wordsOf = onceEach(tellingWords);

export function commonWords(words: Iterable<string>, theirs: ReadonlySet<string>): number {
  let common = 0;
  for (const word of words) if (theirs.has(word)) common++;
  return common;
}

/** The share of telling words in common, with what both name counted double. */
export function overlapOf(statement: Statement, other: Statement): number {
  const [words, theirs] = [wordsOf(statement), wordsOf(other)];
  const named = statement.entities.filter((name) => other.entities.includes(name)).length;
  const smaller = Math.min(words.size, theirs.size) + Math.min(statement.entities.length, other.entities.length);
  return smaller < 3 ? 0 : (commonWords(words, theirs) + named) / smaller;
}

export const isLater = (one: Statement, other: Statement): boolean => {
  if (one.session === other.session) return one.line > other.line;
  return one.time !== undefined && other.time !== undefined && one.time > other.time;
};

export const isSettling = ({ intent }: Statement): boolean => intent === 'decision' || intent === 'solution';

const COMMITTED = /^(?:Committed|Pull request): /;

/** Of a commit or a pull request the subject; else all of it. */
export const headOf = (text: string): string => (COMMITTED.test(text) ? (text.split('\n', 1)[0] ?? '') : text);

export const isCommit = ({ place, text }: Statement): boolean => place === undefined && COMMITTED.test(text);

const MENDED =
  /^\W*(?:fixed|solved|resolved) (?:by|it|the|this|that|with)\b|\b(?:(?:is|was|are|were|been|now|i|we|that) (?:fixed|solved|resolved)|now works|works (?:now|again))\b|behoben|gelöst|corrigé|resuelto|解決|解决/i;
const isMended = onceEach((text) => MENDED.test(text));

/** Notes about the work, and no work. */
const NOTES = /\b(?:(?:add|capture|create|log|file|note)\b.{0,30}\bto-?dos?|start(?:ed|ing)? work|wip)\b/i;
const isNote = onceEach((text) => NOTES.test(headOf(text)));

/** Said to be done at the end of an exchange in which there was work, or in plain words; or committed, unless only a note about it is. */
export const isChange = (statement: Statement): boolean =>
  statement.intent === 'solution' &&
  statement.role === 'assistant' &&
  !statement.searchOnly &&
  ((isCommit(statement) && !isNote(statement)) ||
    (statement.place === 'final' && (statement.isWork === true || isMended(statement))));
