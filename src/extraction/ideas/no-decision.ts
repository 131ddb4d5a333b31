// What was labelled a decision, or answered like one, and decides nothing that anybody asks about later.

import { topicWords } from '../topic-words.ts';

/** How to go on with the work, asked and answered: nobody wants to know it later. */
const PROCEDURE =
  /^(?:are you ready|ready to)\b|\bhow (?:would|do) you (?:like|want) (?:me )?to (?:proceed|continue|go on)\b[^?]*\? — |\bwhat would you like\b[^?]*\? — |\b(?:want me to|(?:shall|should|can|may) i|would you like me to)\b[^?]*\? — /i;
/** What to talk about next, however much of it is chosen. */
const AGENDA = /^(?:more questions|which areas)\b/i;
/** A reply that leaves it open, a question, what would be if, and an order for the work at hand decide nothing that is asked about later. */
const NO_DECISION =
  /^if (?:we|i|you|it)\b.*\b(?:could|might|would)\b|\b(?:brings up the question|should it not|shouldn'?t (?:it|we|this|that))\b|^(?:(?:can|could|would) you|the request is|(?:\w+ )?tasks?:)\b|^(?:context|background|goal|objective|problem|summary): |— (?:you decide|up to you|not sure|i don'?t know|honestly|maybe|no preference)\b|\?\s*$|\b(?=)(?:can|could) (?:we|you) (?:maybe|please|also)\b|\bwhy not\b|^(?:(?:ok(?:ay)?|yes|yeah|sure|please)[,. ]+)+(?:add|commit|push|create|fix|open|merge|run|do)\b/i;

/** Who answers at length says something of their own, whatever was asked. */
const OWN_WORDS = 4;
const answersShortly = (text: string): boolean => {
  const answer = text.split(' — ').slice(1).join(' ');
  return new Set(topicWords(answer)).size < OWN_WORDS;
};

export const decidesNothing = (text: string): boolean =>
  AGENDA.test(text) || (PROCEDURE.test(text) && answersShortly(text)) || NO_DECISION.test(text);
