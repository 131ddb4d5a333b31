// How the statements of an exchange relate to each other and to earlier ones: they answer, replace, contradict or carry on what was said. By
// the structure of exchanges first, then by names and words; each relation says by which rule.

import { topicWords } from '../topic-words.ts';
import { answersIn } from './answers.ts';
import { implementationsIn, takesUp } from './builds-on.ts';
import { mayChange, tellsNews } from './newer-value.ts';
import { denialRule, refutationsIn } from './opposes.ts';
import { isRule, namesOf, replacementRule, revertsIn, takenBy, vetoesIn } from './replaces.ts';
import { settlesIn } from './settles.ts';
import { type Found, isChange, isLater, isSettling, RELATIONS, type Relation, type Statement } from './statement.ts';

export { mayChange } from './newer-value.ts';
export { isRule } from './replaces.ts';
export { RELATIONS, type Relation, type Statement } from './statement.ts';

/**
 * Is it worth a look into other conversations? A change that names what it takes away or takes up, and what a user says anew of their own affairs.
 */
export const mayReferBack = (statement: Statement): boolean => {
  if (statement.searchOnly) return false;
  if (tellsNews(statement) || isRule(statement)) return true;
  if (statement.intent === 'decision' || (statement.intent === 'solution' && statement.place !== 'between'))
    return takenBy(statement).length > 0 || (statement.intent === 'solution' && namesOf(statement).size > 0);
  return false;
};

/** What such a statement is looked up by: the names in it, else its telling words; nothing where these are too few to find anything. */
export function telling(statement: Statement): readonly string[] {
  const taken = takenBy(statement).flatMap(({ names }) => [...names]);
  const names = taken.length > 0 ? taken : tellsNews(statement) || isRule(statement) ? [] : [...namesOf(statement)];
  if (names.length > 0) return [...new Set(names)];
  const words = [...new Set(topicWords(statement.text))];
  return words.length < FEWEST_WORDS ? [] : words;
}

const FEWEST_WORDS = 3;

/** What may be meant by the statements of an exchange. */
export type Earlier = {
  /** Of the exchanges before it, in their order. */
  readonly before: readonly Statement[];
  /** What the user said of their own affairs, longer ago than that. */
  readonly told: readonly Statement[];
  /** Of other conversations, for one statement. */
  readonly elsewhere: (statement: Statement) => readonly Statement[];
  /** What other conversations, and earlier exchanges of this one, left open. */
  readonly open: readonly Statement[];
};

/** By the ref of the later statement. */
export function relationsIn(
  exchange: readonly Statement[],
  earlier: Earlier,
): ReadonlyMap<string, readonly Relation[]> {
  const { before, open } = earlier;
  const found = [
    ...answersIn(exchange, before),
    ...vetoesIn(exchange, before),
    ...revertsIn(exchange, before),
    ...refutationsIn(exchange),
    ...implementationsIn(exchange, before),
    ...settlesIn(exchange, open),
    ...exchange.flatMap((statement, at) =>
      mayStandInPair(statement) ? pairwise(statement, exchange.slice(0, at), earlier) : [],
    ),
  ];
  const relations = new Map<string, Relation[]>();
  for (const { ref } of exchange) relations.set(ref, []);
  for (const { from, ...relation } of found) relations.get(from)?.push(relation);
  for (const [ref, own] of relations) relations.set(ref, strongest(own));
  return relations;
}

/** Whether any rule below can hold for it, whatever the other one is: of most that is said none can, and there are many others. */
const mayStandInPair = (statement: Statement): boolean =>
  !statement.searchOnly &&
  (statement.role === 'user' || isChange(statement) || (isSettling(statement) && takenBy(statement).length > 0));

/** What is judged by two statements alone. */
function pairwise(statement: Statement, here: readonly Statement[], { before, told, elsewhere }: Earlier): Found[] {
  const near = [...before, ...here];
  const known = mayChange(statement) ? told.filter(({ ref }) => !near.some((each) => each.ref === ref)) : [];
  return [...known, ...near, ...elsewhere(statement)].flatMap((other) => {
    const isSame =
      other.ref === statement.ref || (other.session === statement.session && other.line === statement.line);
    if (isSame || other.searchOnly || isLater(other, statement)) return [];
    return replacementRule(statement, other) ?? denialRule(statement, other) ?? takesUp(statement, other) ?? [];
  });
}

/** A change carries on one thing; a veto is of all that was said of the matter. */
const mostOf = ({ relation, rule }: Relation): number => (relation === 'builds_on' ? 1 : rule === 'veto' ? 4 : 2);

/** One relation between two statements, and of each kind the surest few. */
function strongest(found: readonly Relation[]): Relation[] {
  const sorted = [...found].sort(
    (a, b) => RELATIONS.indexOf(a.relation) - RELATIONS.indexOf(b.relation) || b.confidence - a.confidence,
  );
  const kept: Relation[] = [];
  for (const each of sorted)
    if (
      !kept.some(({ to }) => to === each.to) &&
      kept.filter(({ relation }) => relation === each.relation).length < mostOf(each)
    )
      kept.push(each);
  return kept;
}
