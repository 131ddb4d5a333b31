// Decisions: what the user chose in answer to a question, agreed to, wanted in the prompt, or handed over as a plan that was then carried
// out. What the agent alone thinks best is none; where the user's words point at what stands elsewhere, the agent's words for it are taken.

import type { ExchangeIdea } from '../../extraction/ideas/exchange-idea.ts';
import { decidesNothing } from '../../extraction/ideas/no-decision.ts';
import { isStandingWish } from '../../extraction/standing-wish.ts';
import { topicWords } from '../../extraction/topic-words.ts';
import { readable } from '../../model/readable.ts';
import { TITLE_MAX } from '../../model/record.ts';
import type { Finding, Shown } from './finding.ts';
import { cut, reasonIn, standsAlone, stated, titled } from './wording.ts';

const LEAST = { worth: 0.5, confidence: 0.5 };
/** A plan that was handed over is decided whatever the wording of its lines: what it settles is a matter of all of them. */
const LEAST_OF_PLAN = { worth: 0.3, confidence: 0 };
/** What the agent says of it, beside the user's words. */
const AGREED = { worth: 0.6, confidence: 0.6 };
const MOST_POINTS = 8;
/** A prompt of fewer words says nothing alone. */
const FEWEST_ASKED = 6;
/** More of the same speak for it; most of all questions that were asked one after the other and answered. */
const EACH_MORE = 0.05;
const QUESTIONED = 0.1;
/** The commits of a plan tell of it, too. */
const OF_PLAN = -0.2;
/** The heading of a plan, where it has one. */
const PLAN_TITLE = /^#{1,3}\s+(?:(?:implementation )?plan\s*[:–—-]\s*)?(.{8,140})$/im;

const strengthOf = ({ worth, confidence }: ExchangeIdea): number => worth * confidence;

export function decisionIn(shown: Shown): Finding | undefined {
  const decided = shown.ideas.filter((idea) => isDecided(idea, shown)).sort((a, b) => strengthOf(b) - strengthOf(a));
  const [strongest] = decided;
  const name = strongest && nameOf(decided, shown);
  if (!name || (shown.isPlan && !shown.wrote)) return undefined;
  const points = pointsOf(decided, name);
  const score = shown.isPlan
    ? OF_PLAN + anyOf(decided)
    : strengthOf(strongest) + spokenFor(decided, points.length) + bonusOf(strongest, shown);
  const rationale = reasonsFor(name.idea, decided, shown).filter(
    (reason) => !points.some((each) => isSame(each, reason)),
  );
  return {
    category: 'decision',
    score: Math.min(0.99, score),
    title: titleOf(name.text, shown),
    line: name.idea.line,
    content: {
      status: 'accepted',
      context: contextOf(name.idea, shown),
      decision: cut(points.join('; '), 1_600),
      ...(rationale.length > 0 ? { rationale } : {}),
    },
  };
}

function isDecided(idea: ExchangeIdea, shown: Shown): boolean {
  if (idea.intent !== 'decision' || idea.speaker !== 'user' || decidesNothing(idea.text)) return false;
  if (idea.place !== undefined && isStandingWish(idea.text)) return false; // a preference
  if (idea.isGoAhead) return shown.wrote;
  const least = shown.isPlan ? LEAST_OF_PLAN : LEAST;
  return idea.worth >= least.worth && idea.confidence >= least.confidence;
}

/** How likely it is that one of them is worth keeping. */
const anyOf = (decided: readonly ExchangeIdea[]): number =>
  1 - decided.slice(0, MOST_POINTS).reduce((none, idea) => none * (1 - strengthOf(idea)), 1);

/** What else was decided in the same exchange speaks for it. */
function spokenFor(decided: readonly ExchangeIdea[], points: number): number {
  const isQuestioned = decided.filter(({ answers }) => answers !== undefined).length > 1;
  return EACH_MORE * (points - 1) + (isQuestioned ? QUESTIONED : 0);
}

/** An answer to a question of the agent's is a decision by what happened, whatever its words are. A reason is a good sign, too. */
function bonusOf(main: ExchangeIdea, { wrote }: Shown): number {
  if (main.isGoAhead) return 0.1;
  if (main.answers !== undefined) return 0.12;
  return (wrote ? 0.05 : 0) + (reasonIn(main.text) === undefined ? 0 : 0.06);
}

type Name = { readonly idea: ExchangeIdea; readonly text: string };

/**
 * What it is called by: the strongest whose beginning says what it is about, or for which the agent has words that do, because what points at
 * something else (“lets get this in early”) names nothing, however strong it is; else the strongest that can be understood as a whole.
 */
function nameOf(decided: readonly ExchangeIdea[], shown: Shown): Name | undefined {
  for (const idea of decided) {
    const text = isNaming(idea) ? idea.text : agreedBehind(idea, shown);
    if (text !== undefined) return { idea, text };
  }
  const whole = decided.find(({ text }) => standsAlone(text));
  return whole && { idea: whole, text: whole.text };
}

/** A short answer stands with its question. */
const isNaming = ({ answers, isGoAhead, text }: ExchangeIdea): boolean =>
  answers !== undefined || isGoAhead === true || standsAlone(titled(text));

/** The agent's words for what the user agreed to. */
function agreedBehind({ line }: ExchangeIdea, { ideas }: Shown): string | undefined {
  const [agreed] = ideas
    .filter(
      (idea) =>
        idea.intent === 'decision' &&
        idea.role === 'assistant' &&
        idea.line > line &&
        idea.worth >= AGREED.worth &&
        idea.confidence >= AGREED.confidence &&
        standsAlone(idea.text),
    )
    .sort((a, b) => strengthOf(b) - strengthOf(a));
  return agreed?.text;
}

/** The heading of a plan says what was decided; its lines say how. */
function titleOf(named: string, { prompt, isPlan }: Shown): string {
  const heading = isPlan ? PLAN_TITLE.exec(prompt)?.[1] : undefined;
  return heading === undefined ? titled(named) : cut(readable(heading), TITLE_MAX);
}

/** The strongest in the order in which they were said, each once. */
function pointsOf(decided: readonly ExchangeIdea[], name: Name): string[] {
  const best = decided.slice(0, MOST_POINTS).sort((a, b) => a.line - b.line || a.part - b.part);
  const said = best.map((idea) => (idea === name.idea ? name.text : idea.text));
  const points = said.map((text) => stated(text).replace(/[.;]+$/, ''));
  return points.filter((point, at) => points.findIndex((each) => isSame(each, point)) === at);
}

/** An answer stands in its question with answer, too. */
const isSame = (one: string, other: string): boolean => one === other || one.includes(other) || other.includes(one);

function contextOf(main: ExchangeIdea, { ideas, prompt, isPlan, asked }: Shown): string {
  const [problem] = ideas
    .filter(({ intent, place, worth }) => intent === 'problem' && place === 'prompt' && worth >= 0.3)
    .sort((a, b) => b.worth - a.worth);
  if (problem) return stated(problem.text);
  if (isPlan) return titled(PLAN_TITLE.exec(prompt)?.[1] ?? prompt.slice(0, 300));
  // “5” and “yes” answer what stands at the end of the agent's words.
  const isBare = main.answers === undefined && topicWords(prompt).length < FEWEST_ASKED;
  const paragraphs = asked.split(/\n\s*\n/).filter((each) => topicWords(each).length >= FEWEST_ASKED);
  return cut(stated((isBare ? paragraphs.at(-1) : undefined) ?? prompt), 300);
}

function reasonsFor(main: ExchangeIdea, decided: readonly ExchangeIdea[], { ideas }: Shown): string[] {
  const own = [main, ...decided].flatMap(({ text }) => reasonIn(text) ?? []);
  const because = ideas
    .filter(
      ({ intent, worth, confidence, line }) =>
        intent === 'conclusion' && worth >= 0.6 && confidence >= 0.6 && line >= main.line - 60,
    )
    .sort((a, b) => strengthOf(b) - strengthOf(a))
    .map(({ text }) => stated(text));
  return [...new Set([...own, ...because])].slice(0, 3);
}
