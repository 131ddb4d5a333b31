// Whether something that was said can be shown by itself, at the beginning of a session: a decision that says what it is about, and a task
// that is one. Nobody asked for it there, so what is doubtful is left out.

import { askedAndAnswered } from '../model/asked-and-answered.ts';
import { HOLE } from '../safety/quotations.ts';

/** What it speaks of was said before it: "lets handle this via a quick task". */
const DANGLING =
  /^(?:[^\s?—]+ ){0,6}(?:this|that(?! (?:we|you|i|the|they|all|every|no|an?)\b)|these|those|it|them)\b(?! way\b)/i;
/** … or only whoever saw the screen knows it: "on this page", "something should appear", "not in the list above". */
const POINTING =
  /\b(?:on|in|for|to|at) this (?=)(?:page|tab|file|screen|view|section|case|one|pr|branch|step)\b|^(?:something|somewhere|someone)\b|\bthe above\b|\b(?:listed|mentioned|described|list|ones) (?:above|below)\b/i;
/** Half a sentence, the end of a quotation, or the reason of another. */
const FRAGMENT = /^["”’']\s|^(?:especially|with|because|since|which|who|but|or|though|plus|like|as a suggestion)\b/i;
/** Somebody thinks aloud, likes an idea, or tells what happened. */
const MUSING =
  /^(?:(?:hm+|well|so|and|also|honestly|actually|at this point)[,. ]+)*i(?:'m| am|'ve| have| had| was| did)?(?: (?:not|just|also|honestly|still|really|already|starting to|kind of))*(?: (?:think|feel|guess|wonder|believe|suppose|hope|like|see|get)\b| (?:am|had|was|did) )|^i(?:'ve| have| had) already\b/i;
/** … unless it comes to what shall be. */
const NORM =
  /\b(?:should|must|shall|ought to|never|always|instead of|no longer)\b|\b(?:we|you|it|they)(?: \w+)? (?:need|have) to\b/i;

/** The line of a plan under a heading; what it decides stands under one that says so. */
const UNDER_HEADING = /^[^\s:?][^:?]{2,60}: /;
const OF_DECISIONS =
  /^(?:(?:key|main|design|user|technical|architecture|architectural) )*(?:decisions?|approach|rules?)\b[^:]{0,30}: /i;

/** How to go on, and not how something shall be: the answer is an order for the work of that day. */
const MENU =
  /\bwhat (?:would you like|do you want)\b(?: me)? to do\b|\bhow (?:would|do|should|shall) (?:you|we|i)\b(?: like| want)?(?: me)?(?: to)? (?:proceed|continue|go on)\b|\bwhat(?:'s| is| comes) next\b/i;

export function isPlainDecision(said: string): boolean {
  const text = withoutLeadIn(said);
  if (text.includes(HOLE)) return false;
  const answered = askedAndAnswered(text);
  if (answered) return !MENU.test(answered.question);
  if (UNDER_HEADING.test(text) && !OF_DECISIONS.test(text)) return false;
  if (DANGLING.test(text) || POINTING.test(text) || FRAGMENT.test(text)) return false;
  return !MUSING.test(text) || NORM.test(text);
}

/** It looks open and says of itself that there is nothing to do, or that somebody only has to wait. */
const NOTHING_TO_DO =
  /\b(?:already (?:done|fixed|resolved|merged|implemented|in place|in \x60?done)|(?:is|are|was|were) (?=)(?:accurate|intentional|by design|fine as (?:it is|is)|wrong;)|was wrong|no (?:action|change|changes|fix) (?:is |are )?(?:needed|required|necessary)|nothing to (?:do|fix|change)|not (?:an issue|a bug|a problem))\b|\b(?:need|have) to wait\b|^wait\b/i;

export const isStillToDo = (text: string): boolean => !NOTHING_TO_DO.test(text);

/** A heading that only names the list that a line stood in says nothing where it stands in another. */
export const withoutListName = (text: string): string =>
  text.replace(
    /^(?:(?:(?:key|main|design|user|technical) )*decisions?\b[^:]{0,30}|(?:pending|open|remaining|noted for later)\b[^:]{0,20}): /i,
    '',
  );

/** The last question before an answer: what was explained before it takes the room of the answer. */
export function withoutExplanation(text: string): string {
  const answered = askedAndAnswered(text);
  return answered ? `${answered.question}? — ${answered.answer}` : text;
}

/** What only says that somebody begins to speak. */
export const withoutLeadIn = (text: string): string =>
  text.replace(/^(?:(?:hm+|ok(?:ay)?|a+h+|u+m+|well|so|yeah|yes)[,.! ]+)+/i, '');
