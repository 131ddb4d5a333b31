// How sure the speaker was: a guess, something that did not help, a fact that was confirmed. Read from the words, in English; asked only of
// what was found out, what is wrong and what was done.

import type { Intent, Stance } from '../../model/trace.ts';

const HYPOTHESIS =
  /\b(?:maybe|perhaps|probably|possibly|presumably|likely|i (?:think|guess|suspect|assume|believe)|might (?:be|have)|may (?:be|have)|could (?:be|have)|seems?(?: to| like)?|not sure|hypothesis|my (?:guess|theory|hunch))\b/i;
const DEAD_END =
  /\b(?:(?:didn't|did not|doesn't|does not|won't) (?:help|work|fix|change|make a difference|solve)|still (?:fails?|failing|broken|happens|occurs)|no (?:effect|difference|luck)|dead end|to no avail|in vain)\b/i;
const CONFIRMED =
  /\b(?:confirmed|verified|reproduced|proven|(?:tests?|it|that) (?:shows?|confirms?) (?:that)?|indeed|works? (?:now|as expected|correctly)|root cause (?:is|was|found))\b/i;

export function stanceOf(text: string, intent: Intent): Stance {
  if (intent !== 'conclusion' && intent !== 'problem' && intent !== 'solution') return 'stated';
  if (intent !== 'solution' && DEAD_END.test(text)) return 'dead_end';
  if (HYPOTHESIS.test(text)) return 'hypothesis';
  return intent !== 'problem' && CONFIRMED.test(text) ? 'confirmed' : 'stated';
}
