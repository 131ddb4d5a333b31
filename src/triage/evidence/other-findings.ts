// Besides decisions: a fix with its cause, a wish for good, debt taken on purpose, a limit that was found.

import type { ExchangeIdea } from '../../extraction/ideas/exchange-idea.ts';
import { isStandingOrder, isStandingWish } from '../../extraction/standing-wish.ts';
import { topicWords } from '../../extraction/topic-words.ts';
import type { TraceItem } from '../../model/trace.ts';
import type { Finding, Shown } from './finding.ts';
import { cut, reasonIn, standsAlone, stated, titled } from './wording.ts';

const strengthOf = ({ worth, confidence }: ExchangeIdea): number => worth * confidence;
const best = (ideas: readonly ExchangeIdea[]): ExchangeIdea | undefined =>
  [...ideas].sort((a, b) => strengthOf(b) - strengthOf(a))[0];

const CAUSE =
  /\b(?:because|caus(?:e[ds]?|ing)|due to|since|the (?:issue|problem|bug|reason|culprit) (?:is|was)|root cause|missing|never|instead of|wrong|was(?:n't| not)|didn't|does(?:n't| not)|mismatch|stale|race)\b/i;
/** Somebody only means to look. */
const GUESS = /\b(?:might|may|could|likely|probably|perhaps|possibly|seems?|looks like|suspect|let me)\b/i;

/** Something was wrong, why is known, and it was changed. A command that failed and works again is the best witness. */
export function runbookIn({ ideas, exchange, wrote }: Shown): Finding | undefined {
  const mended = exchange.items.find((item) => isEvent(item, 'success'));
  const wrong = best(ideas.filter(({ intent, worth }) => intent === 'problem' && worth >= 0.3));
  const failure = exchange.items.find((item) => isEvent(item, 'failure'));
  if (!wrote || !wrong) return undefined;
  const cause = best(
    ideas.filter(
      ({ intent, role, text, worth, confidence }) =>
        intent === 'conclusion' &&
        role === 'assistant' &&
        worth >= 0.6 &&
        confidence >= 0.6 &&
        CAUSE.test(text) &&
        !GUESS.test(text) &&
        standsAlone(text),
    ),
  );
  const changes = ideas.filter(
    ({ intent, place, worth }) => intent === 'solution' && place === 'final' && worth >= 0.25,
  );
  if (!cause || changes.length === 0 || (!mended && !isAboutSame(cause, wrong))) return undefined;
  const steps = [...changes].sort((a, b) => strengthOf(b) - strengthOf(a)).slice(0, 4);
  const checked = isEvent(mended, 'success') ? `\`${cut(mended.tried, 120)}\` works again.` : undefined;
  return {
    category: 'runbook',
    score: Math.min(0.95, strengthOf(cause) * 0.8 + (mended ? 0.12 : 0) + (failure ? 0.04 : 0)),
    title: titled(cause.text),
    line: cause.line,
    content: {
      trigger: stated(wrong.text),
      root_cause: stated(cause.text),
      steps: changes.filter((idea) => steps.includes(idea)).map(({ text }) => stated(text)),
      ...(checked ? { verification: checked } : {}),
    },
  };
}

/** Where many things are mended at once, the weightiest cause need not be that of the weightiest fault. */
function isAboutSame(one: ExchangeIdea, other: ExchangeIdea): boolean {
  const words = new Set(topicWords(one.text));
  return new Set(topicWords(other.text).filter((word) => words.has(word))).size >= FEWEST_SAME;
}

const FEWEST_SAME = 2;

/** Said by the user, for good. */
export function preferenceIn({ ideas, isPlan }: Shown): Finding | undefined {
  if (isPlan) return undefined;
  const wish = best(
    ideas.filter(
      ({ speaker, place, text, intent, worth }) =>
        speaker === 'user' &&
        place === 'prompt' &&
        standsAlone(text) &&
        (intent === 'decision' ? worth >= 0.35 && isStandingWish(text) : worth >= 0.2 && isStandingOrder(text)),
    ),
  );
  if (!wish) return undefined;
  const reason = reasonIn(wish.text);
  return {
    category: 'preference',
    score: Math.min(0.95, 0.6 + 0.35 * wish.worth),
    title: titled(wish.text),
    line: wish.line,
    content: {
      topic: titled(wish.text),
      value: stated(wish.text),
      ...(reason ? { reason } : {}),
      strength: isStandingOrder(wish.text) ? 'strong' : 'default',
    },
  };
}

/** Said to be put off, or only good for now. */
const ON_PURPOSE =
  /\b(?:for now|temporar(?:y|ily)|work-?around|stop-?gap|deferred|postponed?|known (?:issue|gap|limitation|trade-?off)|tech(?:nical)? debt|accepted (?:risk|trade-?off)|out of scope|follow-?up|later phase|future phase|not (?:worth|addressed|fixed) (?:now|yet|here))\b/i;
/** The rows of a list that is only printed again. */
const LISTED = 4;

/** Something is left as it is, and somebody says so at the end of work, or has it written down. */
export function debtIn({ ideas, wrote, prompt }: Shown): Finding | undefined {
  const left = ideas.filter(({ fate, place, role }) => fate === 'left' && place === 'final' && role === 'assistant');
  if (!wrote || left.length === 0 || left.length >= LISTED) return undefined;
  const isWritten = WRITTEN_DOWN.test(prompt);
  const debt = best(
    left.filter(
      ({ worth, confidence, text }) =>
        worth >= 0.5 && confidence >= 0.5 && standsAlone(text) && (isWritten || ON_PURPOSE.test(text)),
    ),
  );
  if (!debt) return undefined;
  const reason = reasonIn(debt.text);
  return {
    category: 'tech_debt',
    score: Math.min(0.95, strengthOf(debt) * 0.75 + (isWritten ? 0.15 : 0)),
    title: titled(debt.text),
    line: debt.line,
    content: {
      status: 'open',
      priority: 'medium',
      description: stated(debt.text),
      ...(reason ? { reason_deferred: reason } : {}),
    },
  };
}

const WRITTEN_DOWN =
  /\b(?:add|log|create|file|save|make|write|note|record)\b.{0,40}\b(?:to-?dos?|issues?|tickets?|backlog)\b/i;

const LIMIT =
  /\b(?:cannot|can't|can not|not supported|unsupported|does(?: not|n't) (?:support|allow|accept|expose|return|work (?:with|on|in))|only (?:works|supports|accepts|allows|runs)|no way to|not possible|rate limit|quota|at most|limited to|requires? (?:a|an|the|that|all|you)|must (?:be|have|not|never|always))\b/i;

/** The agent ran into it, or the user says so, as a fact and not as a guess. */
export function constraintIn({ ideas, exchange }: Shown): Finding | undefined {
  const tried = exchange.items.some((item) => isEvent(item, 'failure'));
  const limit = best(
    ideas.filter(
      ({ intent, worth, confidence, text, place }) =>
        (intent === 'conclusion' || intent === 'context') &&
        place !== 'between' &&
        worth >= 0.75 &&
        confidence >= 0.75 &&
        LIMIT.test(text) &&
        !GUESS.test(text) &&
        standsAlone(text),
    ),
  );
  if (!limit) return undefined;
  const impact = best(
    ideas.filter((idea) => idea !== limit && idea.intent === 'conclusion' && idea.line === limit.line),
  );
  return {
    category: 'constraint',
    score: Math.min(0.9, strengthOf(limit) * 0.75 + (tried ? 0.12 : 0)),
    title: titled(limit.text),
    line: limit.line,
    content: {
      kind: 'technical',
      rule: stated(limit.text),
      ...(impact ? { impact: [stated(impact.text)] } : {}),
      severity: 'medium',
      active: true,
    },
  };
}

type EventOf<Name> = Extract<TraceItem, { kind: 'event' } & { event: Name }>;
const isEvent = <Name extends string>(item: TraceItem | undefined, name: Name): item is EventOf<Name> =>
  item?.kind === 'event' && item.event === name;
