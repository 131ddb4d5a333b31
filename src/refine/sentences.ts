// A text as the check of support reads it: its sentences and their clauses, each with its words and names, whether it denies
// something and whether it asks; and whether a reply says yes, no, or which of several.

import { contentWords, type Name, namesIn, normalised } from './support-words.ts';

export type Clause = {
  readonly text: string;
  readonly words: ReadonlySet<string>;
  readonly names: readonly Name[];
  readonly negated: boolean;
  /** It has a word that may stand for a denial, as `skip` does for `not`. */
  readonly soft: boolean;
};

const SENTENCE_BORDER = /(?<=[.!?])(?=[\s"')]|$)["')]*\s*|(?<=[。！？])|\s*¶\s*/u;
const CLAUSE_BORDER =
  /[!?;:,()¶。！？；：，、]|\.(?=\s|$)|\s-+\s|\s(?:but|because|although|so|and|then|since|aber|weil|und|mais|parce|pero|porque)\s/u;
const NEGATION =
  /\b(?:not|no|never|none|neither|nor|nothing|cannot|without|avoid|against|dont|doesnt|isnt|wont|cant|didnt|arent|shouldnt|nicht|kein\p{L}*|nie|ohne|pas|jamais|sans|nunca|sin|tampoco)\b|n't\b|ない|ません|不|没|沒|无|無/iu;
const SOFT_NEGATION =
  /\b(?:skip|drop|omit|exclud|remov|delet|revert|defer|postpon|refus|reject|declin|stop|disabl|lack|miss|unnecess|unable|impossib|instead|rather|only|later|out of scope|read-only|until|why)\p{L}*|\btoo\b/iu;
const QUESTION = /[?？]["')\]\s]*$/u;
/** An order in the form of a question. */
const REQUEST = /\b(?:can|could|would|will) (?:you|we|u)\b|\bplease\b|\b(?:let's|lets)\b/iu;

/** What asks from its first word on. */
const ASKING =
  /^(?:and |or |so |ok,? )?(?:should|shall|can|could|would|will|may|do|does|did|is|are|was|were|has|have|had|what|why|how|which|who|whom|whose|where|when)\b/iu;
const BUT = /,? but (?=.*[?？])/u;

/** `this belongs into the release, but how?` says something before it asks. */
const withStatement = (sentence: string): string[] => (ASKING.test(sentence) ? [sentence] : sentence.split(BUT));

/** Normalised, without the empty ones. */
export const sentencesOf = (text: string): string[] =>
  normalised(text)
    .split(SENTENCE_BORDER)
    .flatMap(withStatement)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));

export const clausesOf = (sentence: string): Clause[] =>
  sentence
    .split(new RegExp(CLAUSE_BORDER.source, 'u'))
    .filter((text) => /[\p{L}\p{N}]/u.test(text))
    .map((text) => ({ text, names: namesIn(text) }))
    .map(({ text, names }) => ({
      text,
      words: new Set([...contentWords(text), ...names.map(({ name }) => normalised(name))]),
      names,
      negated: NEGATION.test(text),
      soft: SOFT_NEGATION.test(text),
    }));

/** Wants an answer. What a user only wraps into a question is none. */
export const isQuestion = (sentence: string, who: string): boolean =>
  QUESTION.test(sentence) && !(who === 'user' && REQUEST.test(sentence));

export const onlyAsks = (text: string, who: string): boolean => {
  const sentences = sentencesOf(text);
  return sentences.length > 0 && sentences.every((sentence) => isQuestion(sentence, who));
};

const GO_AHEAD =
  /^(?:(?:oh|ah|hm+|well|ok(?:ay)?|and|all|1|both)\b[\s,:.-]*)*(?:y|ye[sp]|yeah|yup|sure|ok(?:ay)?|go(?:es)? (?:ahead|for|with)|do (?:it|that|so|both|all)|please|sounds? good|agreed?|perfect|great|fine|correct|exactly|right|definitely|absolutely|of course|lgtm|ship it|approved?|accepted|fair|(?:that'?s an? )?(?:good|great|fair) (?:point|idea|call|catch|question)|you'?re (?:absolutely )?right|makes sense|let'?s|i think so|ja|genau|passt|oui|d'accord|s[ií]|claro|vale|はい|うん|了解|好|是|对|可以|네|да)(?![\p{Script=Latin}])/iu;
const REFUSAL =
  /^(?:(?:oh|ah|hm+|well|ok(?:ay)?|and|actually)\b[\s,:.-]*)*(?:no|nope|nah|don'?t|do not|not|never|better not|rather not|skip|leave it|stop|nein|lieber nicht|non|いいえ|不|아니|нет)(?![\p{Script=Latin}])/iu;
const CHOICE =
  /^(?:(?:ok(?:ay)?|yes|go (?:for|with)|take|option|variant|number|nr|no\.)[\s,:.#-]*)*\(?([1-9]|[a-e])\)?(?:[\s,.:;)-]|$)/iu;

/** `yes` and `no` as the first thing that is said. */
export function replyOf(text: string): 'yes' | 'no' | undefined {
  const said = normalised(text);
  if (REFUSAL.test(said)) return 'no';
  return GO_AHEAD.test(said) || CHOICE.test(said) ? 'yes' : undefined;
}

const ITEM = /^\s*(?:[-*]\s*)?(?:\*{0,2})(?:option\s+)?([1-9]|[a-e])[.):]/iu;

/** What a reply like `2` leaves of a question with several options: that one, and what is said around the list. */
export function chosenOf(question: string, reply: string): string {
  const choice = CHOICE.exec(normalised(reply))?.[1];
  if (choice === undefined) return question;
  const rows = question.split('\n');
  const items = rows.map((row) => ITEM.exec(row)?.[1]?.toLowerCase());
  if (!items.includes(choice)) return question;
  let item: string | undefined;
  return rows
    .filter((row, at) => {
      if (items[at] !== undefined) item = items[at];
      else if (row.trim() === '') item = undefined;
      return item === undefined || item === choice;
    })
    .join('\n');
}
