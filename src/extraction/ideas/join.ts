// Puts statements together that say more together: the sentences of a short paragraph that are about one thing, fragments
// with their neighbour, background with background. Only what stands side by side is joined, so that every idea stays one
// piece of its turn.

import { isWide } from './characters.ts';
import { LONGEST } from './sentences.ts';
import { type Judgement, type Statement, WORTHS } from './statement.ts';

/** Shorter statements join their neighbour. A character of Chinese or Japanese says about as much as three letters. */
const SHORTEST = 20;
const WIDE_SHARE = 2;
/** A paragraph of this length is read at a glance: what explains a statement in it stays with it. */
const GLANCE = 300;
/** Background is kept in pieces of about this length. */
const CHUNK = 350;

/** What is kept in any case, and what only where there is nothing else. */
export type Joined = { readonly kept: Statement[]; readonly weak: Statement[] };

/** All of it: paragraphs, fragments, background. */
export function join(text: string, statements: readonly Statement[]): Joined {
  const paragraphs = joinParagraphs(statements.filter(({ judgement }) => judgement.worth !== 'nothing'));
  const { long, short } = joinFragments(
    text,
    paragraphs.filter(({ judgement }) => judgement.worth === 'kept'),
  );
  const weak = paragraphs.filter(({ judgement }) => judgement.worth === 'weak');
  return { kept: joinBackground(long), weak: [...short, ...weak] };
}

/**
 * Within a block, background belongs to the statement beside it, and narration goes along: “Let me fix them” tells that
 * they were to be fixed. What speaks for two things stays two.
 */
function joinParagraphs(statements: readonly Statement[]): Statement[] {
  return joinWhere(statements, (before, next) => {
    if (before.block !== next.block || next.end - before.start > GLANCE) return false;
    const [first, second] = [before.judgement.intent, next.judgement.intent];
    return first === second || first === 'context' || second === 'context';
  });
}

function joinBackground(statements: readonly Statement[]): Statement[] {
  return joinWhere(
    statements,
    (before, next) => isBackground(before) && isBackground(next) && canJoin(before, next, CHUNK),
  );
}

function joinWhere(
  statements: readonly Statement[],
  fits: (before: Statement, next: Statement) => boolean,
): Statement[] {
  const joined: Statement[] = [];
  for (const statement of statements) {
    const before = joined.at(-1);
    if (before && before.provenance === statement.provenance && fits(before, statement))
      joined[joined.length - 1] = joinTwo(before, statement);
    else joined.push(statement);
  }
  return joined;
}

/** Fragments go to the statement before them in their block, else to the one behind, else to the one before. */
function joinFragments(text: string, statements: readonly Statement[]): { long: Statement[]; short: Statement[] } {
  const long: Statement[] = [];
  const short: Statement[] = [];
  let waiting: Statement | undefined; // for the statement behind it
  for (const next of statements) {
    let statement = next;
    if (waiting) {
      if (canJoin(waiting, statement)) statement = joinTwo(waiting, statement);
      else leave(waiting, long, short);
      waiting = undefined;
    }
    const before = long.at(-1);
    if (isLong(text, statement)) long.push(statement);
    else if (before && before.block === statement.block && canJoin(before, statement)) {
      long[long.length - 1] = joinTwo(before, statement);
    } else waiting = statement;
  }
  if (waiting) leave(waiting, long, short);
  return { long, short };
}

/** A fragment that is clearly something stands for itself: “use tabs”. */
function leave(fragment: Statement, long: Statement[], short: Statement[]): void {
  const before = long.at(-1);
  if (before && canJoin(before, fragment)) long[long.length - 1] = joinTwo(before, fragment);
  else (fragment.judgement.intent === 'context' ? short : long).push(fragment);
}

function isBackground({ judgement }: Statement): boolean {
  return judgement.intent === 'context';
}

function isLong(text: string, { start, end }: Statement): boolean {
  let length = end - start;
  for (let i = start; i < end && length < SHORTEST; i += 1) if (isWide(text.charCodeAt(i))) length += WIDE_SHARE;
  return length >= SHORTEST;
}

function canJoin(first: Statement, second: Statement, limit = LONGEST): boolean {
  if (first.provenance !== second.provenance) return false; // what one says and what one quotes stay two things
  return first.group === second.group && first.last + 1 === second.order && second.end - first.start <= limit;
}

function joinTwo(first: Statement, second: Statement): Statement {
  const { start, provenance, prefix, group, block, order } = first;
  const judgement = sharper(first.judgement, second.judgement);
  return { start, end: second.end, judgement, provenance, prefix, group, block, order, last: second.last };
}

function sharper(first: Judgement, second: Judgement): Judgement {
  if (first.worth !== second.worth) return WORTHS.indexOf(first.worth) > WORTHS.indexOf(second.worth) ? first : second;
  if (first.intent === 'context') return second.intent === 'context' ? first : second;
  return second.intent !== 'context' && second.weight > first.weight ? second : first;
}
