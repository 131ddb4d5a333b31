// From the verdicts of the model to what is kept of a turn: the label of each statement, or that it is kept for search only. Place and shape
// have spoken in the model; here stand the rules that hold whatever it says.

import type { Intent, Stance } from '../../model/trace.ts';
import { isStandingOrder } from '../standing-wish.ts';
import type { Statement } from '../statements/statement.ts';
import { topicWords } from '../topic-words.ts';
import { asks, Features, ownIn, type Place, type Speech } from './features.ts';
import { LABELS, type Label, type Verdict, verdictOn } from './model.ts';
import { stanceOf } from './stance.ts';

export type Judged = {
  readonly statement: Statement;
  readonly intent: Intent;
  readonly stance: Stance;
  readonly confidence: number;
  readonly worth: number;
  /** Found when somebody searches for it, and never labelled or told. */
  readonly searchOnly: boolean;
  /** Too little to be found again: told only with what stands beside it. */
  readonly slight: boolean;
};

/**
 * A label is worth its doubts only on what is of use: by so much more likely than no label it has to be for each share of doubt beyond what is
 * borne. Steps, and findings in the middle of a hunt, are many, and few of them are missed; a rare label is.
 */
const COST_OF_JUNK: { readonly [label in Label]: number } = {
  decision: 0.6,
  conclusion: 1.6,
  question: 0.4,
  problem: 0.4,
  solution: 1,
  todo: 2.3,
  context: 0.4,
  none: 0,
};
const BORNE_JUNK = 0.15;
/** By where it is said: between two calls of a tool much is thought that is worth nothing by the end of the turn. */
const COST_AT: { readonly [place in Place]: number } = { prompt: 1, between: 1.8, final: 0.7 };
/** A label that is less likely right is not put on a statement: it is background. */
const LEAST_SURE = 0.31;
/** More is shown of what was decided than of anything else, so that it has to be likelier than all else together; what is not is what it is next. */
const LEAST_DECIDED = 0.55;
/** As before there were labels: what is kept for search alone is told apart by it too. */
export const SEARCH_ONLY = 0.3;
const FEWEST_TELLING = { prompt: 1, between: 4, final: 3 } as const;

export function judgeSpeech(speech: Speech): Judged[] {
  const features = new Features(speech);
  return speech.statements.map((statement, at) => {
    const text = speech.text.slice(statement.start, statement.end);
    const fewest = FEWEST_TELLING[speech.place];
    if (statement.provenance !== 'said' || statement.kind === 'code')
      return forSearch(statement, { text, worth: 0, fewest });
    const verdict = plainly(verdictOn(features, at), text, speech);
    return isTelling(verdict, speech.place) && !quotesMost(text)
      ? labelled(statement, text, verdict)
      : forSearch(statement, { text, worth: verdict.worth, fewest });
  });
}

/**
 * Who asks, or thinks aloud, has decided nothing. Who says that something was decided, who orders something for good, and an agent who agrees and
 * says to what, or tells what the user wants, say so in so many words, and so does an answer that something is mended: the labelled conversations
 * have too few of each.
 */
export function plainly(verdict: Verdict, text: string, { place, isPlan }: Pick<Speech, 'place' | 'isPlan'>): Verdict {
  if (asks(text)) return verdict.label === 'decision' ? { ...verdict, label: 'question' } : verdict;
  const decided = plainDecision(text, place);
  if (decided !== undefined) return surely(verdict, 'decision', decided);
  if (verdict.label === 'decision' && (MUSES.test(text) || isThanks(text))) return nextTo(verdict);
  if (place === 'prompt' && !isPlan && isWish(text)) return atLeast(verdict, 'decision');
  if (verdict.label === 'decision' && verdict.confidence < LEAST_DECIDED) return nextTo(verdict);
  return place === 'final' && FIXED.test(text) && saysEnough(text, FEWEST_OF_FIX)
    ? surely(verdict, 'solution', FIXED_WORTH)
    : verdict;
}

/** What it is most likely, if it is no decision. */
function nextTo(verdict: Verdict): Verdict {
  const confidence = Math.max(...LABELS.map((label, at) => (label === 'decision' ? 0 : (verdict.shares[at] ?? 0))));
  return { ...verdict, confidence, label: LABELS[verdict.shares.indexOf(confidence)] ?? 'none' };
}

const surely = (verdict: Verdict, label: Label, worth: number): Verdict => ({
  ...verdict,
  label,
  junk: 0,
  none: 0,
  confidence: verdict.label === label ? Math.max(verdict.confidence, PLAINLY_SAID) : PLAINLY_SAID,
  worth: Math.max(verdict.worth, worth),
});

const atLeast = (verdict: Verdict, label: Label): Verdict => ({
  ...verdict,
  label,
  confidence: verdict.label === label ? Math.max(verdict.confidence, PLAINLY_SAID) : PLAINLY_SAID,
});

/** A user who types how it shall be decides it; in a plan the same words may say what a step is for. */
const isWish = (text: string): boolean =>
  SHALL_BE.test(text) && !/[?？]/.test(text) && !MUSES.test(text) && saysEnough(text);
const SHALL_BE =
  /\bi (?:think|feel)(?: that)? (?:we|it|this|that|they|the)\b(?!(?: \w+)?(?:'s|'re| is| are| was| were| looks?| works?| seems?| has| have| had| did| does| just| already)\b)|\b(?:we|it|this|that|they|there|users?|you) (?:should|must)\b(?! (?:work|be (?:fixed|done|working|fine|ok|okay|good|there|ready|able to)|fix|have|already|now)\b)|\b(?:needs?|ha(?:s|ve)) to be\b|\bmakes? (?:more |most |perfect )?sense to\b|\b(?:should|must) (?:not|never|only|always)\b|\bbetter (?:to|not|if)\b|\bi(?:'d| would)? prefer\b/i;

/** What it is worth at least, if the wording alone makes it a decision. */
function plainDecision(text: string, place: Place): number | undefined {
  if (DECIDED.test(text)) return DECIDED_WORTH;
  if (place === 'prompt') return isStandingOrder(text) && saysEnough(text) ? DECIDED_WORTH : undefined;
  if (USER_WANTS.test(text) && saysEnough(text)) return RETOLD_WORTH;
  const agreed = AGREED.exec(text)?.[1];
  return agreed !== undefined && saysEnough(agreed) && !GOES_ON.test(agreed) ? RETOLD_WORTH : undefined;
}

/** “I was thinking of …”, “I had an idea”, “this could be a way”, “if we …, it would …”. */
const MUSES =
  /\b(?:(?:was|were|been|am|'m|just) (?=)(?:thinking|wondering|playing with)|(?:had|have) an? idea|(?:original|initial|first) (?:thinking|thought|idea)|starting to feel|feel like|(?:could|might|may|would) be an? (?:\w+ )?(?:way|option|idea|approach|alternative|possibility))\b|^\W*(?:(?:so|ok|and|but|basically) )?if (?:we|i|you|it)\b.*\b(?:could|might|would)\b/i;
/** “Thank you, that will do for today.” */
const isThanks = (text: string): boolean => /^\W*(?:thanks?|thank you|thx|cheers)\b/i.test(text) && !saysEnough(text);
const DECIDED =
  /^[^"“]{0,60}\b(?:we|i)(?:'ve| have)? (?:finally |just |also |now )?(?=)(?:decided|chose|agreed|settled on|opted for)\b(?! (?:criteria|whether))/i;
/** Somebody else tells what the user wants: as the agent took it up. */
const USER_WANTS = /^\W*the user (?:wants|prefers|chose|decided|would rather|does(?: not|n't) want)\b/i;
/** “Got it — truncated keys only for now.” */
const AGREED =
  /^\W*(?:agreed|(?:that )?makes sense|got it|understood|good call|sounds good|fair enough)\b\**\s*(?:[—–:]|--|-\s|,)\s*(.+)/is;
/** What comes is work, or an excuse. */
const GOES_ON =
  /^(?:now |so |then )?(?=)(?:let me|let's|i'?ll|i will|i'?m|i am|i have|i've|sorry|thanks|thank you|you(?:'re| are)|skipping|moving on|next)\b/i;
const FEWEST_SAID = 3;
const FEWEST_OF_FIX = 2;
const saysEnough = (text: string, fewest = FEWEST_SAID): boolean => new Set(topicWords(text)).size >= fewest;
/** What an answer begins with where something is mended. */
const FIXED = /^[\W_]*(?:fixed|solved|resolved)\b/i;
const PLAINLY_SAID = 0.7;
const DECIDED_WORTH = 0.5;
const RETOLD_WORTH = 0.4;
const FIXED_WORTH = 0.25;

/** A remark about what somebody else says: whatever that is, it is not said here. */
function quotesMost(text: string): boolean {
  const own = ownIn(text);
  return own !== text && 2 * topicWords(own).length < topicWords(text).length;
}

const isTelling = ({ label, confidence, none, junk }: Verdict, place: Place): boolean =>
  label !== 'none' && confidence - none >= COST_OF_JUNK[label] * COST_AT[place] * (junk - BORNE_JUNK);

function labelled(statement: Statement, text: string, { label, confidence, worth }: Verdict): Judged {
  const intent: Intent = label === 'none' || confidence < LEAST_SURE ? 'context' : label;
  return {
    statement,
    intent,
    stance: stanceOf(text, intent),
    confidence: rounded(Math.max(confidence, LEAST_SURE)),
    worth: rounded(worth),
    searchOnly: false,
    slight: false,
  };
}

function forSearch(
  statement: Statement,
  { text, worth, fewest }: { text: string; worth: number; fewest: number },
): Judged {
  const isMark = statement.leads || statement.kind === 'code';
  return {
    statement,
    intent: 'context',
    stance: 'stated',
    confidence: SEARCH_ONLY,
    worth: rounded(worth),
    searchOnly: true,
    slight: isMark || new Set(topicWords(text)).size < fewest,
  };
}

export const rounded = (value: number): number => Math.round(100 * value) / 100;
