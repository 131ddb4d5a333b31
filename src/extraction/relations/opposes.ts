// What contradicts what was said: a finding that rules out the guess before it, and “I have never …” beside a statement of just that.

import { topicWords } from '../topic-words.ts';
import { commonWords, type Found, link, onceEach, overlapOf, type Statement, wordsOf } from './statement.ts';
import { deniedIn, failedToHelp, guesses, refutes } from './wording.ts';

const deniedBy = onceEach(deniedIn);
const isRefuting = onceEach(refutes);
const isFailing = onceEach(failedToHelp);
const isGuess = onceEach(guesses);
/** Who rules one out may go on with the next; a guess before that is what may be ruled out itself. */
const guessesFirst = onceEach((text) => {
  const sentences = text.split(/(?<=[.!?])\s+/);
  const guess = sentences.findIndex(guesses);
  return guess !== -1 && !sentences.slice(0, guess).some((each) => refutes(each) || failedToHelp(each));
});
const MIN_SHARE = 0.3;

/** “That's not the issue” is about the last guess of its exchange; “clearing the cache did not help” about one in its words. */
export function refutationsIn(exchange: readonly Statement[]): Found[] {
  return exchange.flatMap((finding) => {
    const isPlain = isRefuting(finding);
    if (finding.role !== 'assistant' || guessesFirst(finding) || !(isPlain || isFailing(finding))) return [];
    const guess = exchange.findLast(
      (each) =>
        each.role === 'assistant' &&
        each.line < finding.line &&
        isGuess(each) &&
        !isRefuting(each) &&
        (isPlain || overlapOf(finding, each) >= MIN_SHARE),
    );
    return guess ? [link(finding, guess, 'contradicts', 0.7, 'refutes-guess')] : [];
  });
}

/** “I have never deployed this” beside “I deployed it to the cluster”, whichever came first. */
export function denialRule(statement: Statement, other: Statement): Found | undefined {
  if (statement.role !== 'user' || other.role !== 'user') return undefined;
  return denies(statement, other) || denies(other, statement)
    ? link(statement, other, 'contradicts', 0.7, 'never-and-yet')
    : undefined;
}

function denies(one: Statement, other: Statement): boolean {
  const denied = deniedBy(one);
  if (denied === undefined || deniedBy(other) !== undefined) return false;
  const words = topicWords(denied, 8);
  const common = commonWords(words, wordsOf(other));
  return common >= 2 && common * 2 >= words.length;
}
