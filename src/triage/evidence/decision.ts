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
/** What the agent says of it, beside the user's words. */
const AGREED = { worth: 0.6, confidence: 0.6 };
const MOST_POINTS = 8;
/** A prompt of fewer words says nothing alone. */
const FEWEST_ASKED = 6;
/** More of the same speak for it; most of all questions that were asked one after the other and answered. */
const EACH_MORE = 0.05;
const QUESTIONED = 0.1;
/** A plan has many lines, and its commits tell of it, too. */
const OF_PLAN = -0.15;
/** The heading of a plan, where it has one. */
const PLAN_TITLE = /^#{1,3}\s+(?:(?:implementation )?plan\s*[:–—-]\s*)?(.{8,140})$/im;

const strengthOf = ({ worth, confidence }: ExchangeIdea): number => worth * confidence;

export function decisionIn(shown: Shown): Finding | undefined {
  const decided = shown.ideas.filter((idea) => isDecided(idea, shown));
  if (decided.length === 0 || (shown.isPlan && !shown.wrote)) return undefined;
  const [main] = [...decided].sort((a, b) => strengthOf(b) - strengthOf(a));
  const named = main && naming(main, shown);
  if (!main || !named) return undefined;
  const points = pointsOf(decided, named, main);
  const score = Math.min(0.99, strengthOf(main) + spokenFor(decided, points.length, shown) + bonusOf(main, shown));
  const rationale = reasonsFor(main, decided, shown).filter((reason) => !points.some((point) => isSame(point, reason)));
  return {
    category: 'decision',
    score,
    title: titleOf(named, shown),
    line: main.line,
    content: {
      status: 'accepted',
      context: contextOf(main, shown),
      decision: cut(points.join('; '), 1_600),
      ...(rationale.length > 0 ? { rationale } : {}),
    },
  };
}

function isDecided(idea: ExchangeIdea, shown: Shown): boolean {
  if (idea.intent !== 'decision' || idea.speaker !== 'user' || decidesNothing(idea.text)) return false;
  if (idea.place !== undefined && isStandingWish(idea.text)) return false; // a preference
  if (idea.isGoAhead) return shown.wrote;
  return idea.worth >= LEAST.worth && idea.confidence >= LEAST.confidence;
}

/** What else was decided in the same exchange speaks for it. */
function spokenFor(decided: readonly ExchangeIdea[], points: number, { isPlan }: Shown): number {
  if (isPlan) return OF_PLAN;
  const isQuestioned = decided.filter(({ answers }) => answers !== undefined).length > 1;
  return EACH_MORE * (points - 1) + (isQuestioned ? QUESTIONED : 0);
}

/** An answer to a question of the agent's is a decision by what happened, whatever its words are. A reason is a good sign, too. */
function bonusOf(main: ExchangeIdea, { wrote, isPlan }: Shown): number {
  if (main.isGoAhead) return 0.1;
  if (main.answers !== undefined) return 0.12;
  return (wrote && !isPlan ? 0.05 : 0) + (reasonIn(main.text) === undefined ? 0 : 0.06);
}

/** The statement that names it: the user's, else the agent's words for what the user agreed to. */
function naming(main: ExchangeIdea, { ideas }: Shown): string | undefined {
  if (main.answers !== undefined || main.isGoAhead || standsAlone(titled(main.text))) return main.text;
  const [agreed] = ideas
    .filter(
      (idea) =>
        idea.intent === 'decision' &&
        idea.role === 'assistant' &&
        idea.line > main.line &&
        idea.worth >= AGREED.worth &&
        idea.confidence >= AGREED.confidence &&
        standsAlone(idea.text),
    )
    .sort((a, b) => strengthOf(b) - strengthOf(a));
  return agreed?.text ?? (standsAlone(main.text) ? main.text : undefined);
}

/** The heading of a plan says what was decided; its lines say how. */
function titleOf(named: string, { prompt, isPlan }: Shown): string {
  const heading = isPlan ? PLAN_TITLE.exec(prompt)?.[1] : undefined;
  return heading === undefined ? titled(named) : cut(readable(heading), TITLE_MAX);
}

/** The statements in the order in which they were said, each once. */
function pointsOf(decided: readonly ExchangeIdea[], named: string, main: ExchangeIdea): string[] {
  const best = new Set([...decided].sort((a, b) => strengthOf(b) - strengthOf(a)).slice(0, MOST_POINTS));
  const said = decided.filter((idea) => best.has(idea)).map((idea) => (idea === main ? named : idea.text));
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
