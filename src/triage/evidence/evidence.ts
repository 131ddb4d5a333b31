// What a finished exchange shows by structure: a decision of the user that was carried out, a fix with its cause, a limit that was found, a
// wish for good, debt taken on purpose. Who said it, where in the exchange, and what happened count; wording comes after that. Pure.

import { type Exchange, promptOf } from '../../extraction/exchanges/exchange.ts';
import type { ExchangeIdea } from '../../extraction/ideas/exchange-idea.ts';
import { topicWords } from '../../extraction/topic-words.ts';
import { isSaid } from '../../model/provenance.ts';
import type { TraceItem } from '../../model/trace.ts';
import { ownWords } from '../../safety/foreign-text.ts';
import { removePrivate } from '../../safety/private-tags.ts';
import { decisionIn } from './decision.ts';
import type { Finding, Shown } from './finding.ts';
import { constraintIn, debtIn, preferenceIn, runbookIn } from './other-findings.ts';

/** The best first; at most one of each category. */
export function evidenceOf(exchange: Exchange, ideas: readonly ExchangeIdea[]): Finding[] {
  const shown = shownIn(exchange, ideas);
  const found = [decisionIn, runbookIn, preferenceIn, debtIn, constraintIn].flatMap((find) => find(shown) ?? []);
  return found.sort((a, b) => b.score - a.score);
}

/** Whether an exchange may show anything: asked first, because to judge what was said takes much longer. */
export function mayShow({ items, asked }: Exchange): boolean {
  const words = items.flatMap((item) =>
    item.kind === 'turn' && item.role === 'user' ? topicWords(item.text, FEW) : [],
  );
  return (
    words.length >= FEW || asked.includes('?') || items.some((item) => item.kind === 'event' && TELLING.has(item.event))
  );
}

const FEW = 4;
const TELLING: ReadonlySet<string> = new Set(['answer', 'failure', 'success', 'plan']);

function shownIn(exchange: Exchange, ideas: readonly ExchangeIdea[]): Shown {
  const prompt = ownWords(withoutPrivate(promptOf(exchange)?.text ?? ''), 'user');
  return {
    exchange,
    prompt,
    asked: ownWords(withoutPrivate(exchange.asked), 'assistant'),
    ideas: ideas.filter((idea) => !idea.searchOnly && !idea.isRetold && isSaid(idea) && idea.speaker !== 'subagent'),
    wrote: exchange.items.some(isWork),
    isPlan: PLAN.test(prompt.slice(0, 200)),
  };
}

const withoutPrivate = (text: string): string => (text.includes('<private') ? removePrivate(text) : text);

const PLAN = /^\s*(?:please )?(?:implement|execute|carry out) (?:the following|this) plan\b/i;

const isWork = (item: TraceItem): boolean =>
  item.kind === 'event' && ((item.event === 'files' && item.wrote) || item.event === 'commit');
