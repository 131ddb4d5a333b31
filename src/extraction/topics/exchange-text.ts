// What people ask about an exchange later: what was asked, what came out, what was decided, what was mended, which files and commits, what was
// left. Made from its ideas and events; nothing here is worded anew.

import type { FileEdit, MadeCommit } from '../../model/exchange-work.ts';
import { COMMITTED } from '../../model/logged-work.ts';
import { STOPPED } from '../../model/span-fields.ts';
import { BETWEEN_SAID } from '../../model/topic-outcome.ts';
import type { TraceItem } from '../../model/trace.ts';
import { ownWords } from '../../safety/foreign-text.ts';
import { withoutQuotations } from '../../safety/quotations.ts';
import { type Exchange, promptOf } from '../exchanges/exchange.ts';
import type { ExchangeIdea } from '../ideas/exchange-idea.ts';
import { isSettledTask } from '../ideas/ideas-of-event.ts';
import { editsIn, madeIn } from './exchange-work.ts';
import { fixesIn } from './fixes.ts';
import { shorten } from './name.ts';

export type ExchangeText = {
  readonly asked: string;
  readonly outcome: string | undefined;
  readonly decided: readonly string[];
  readonly fixed: readonly string[];
  readonly files: readonly string[];
  readonly commits: readonly string[];
  readonly pullRequests: readonly string[];
  readonly left: readonly string[];
  /** What ties commits of the repository to it. */
  readonly made: readonly MadeCommit[];
  readonly edits: readonly FileEdit[];
};

const ASKED_LENGTH = 400;
const SAID_LENGTH = 240;
const MOST_SAID = 4;
const MOST_FILES = 24;
const MOST_COMMITS = 6;
/** What is worth less is not what came out. */
const LEAST_WORTH = 0.12;
const LEFT_WORTH = 0.2;
/** "Yeah, let's try it" decides something, and tells nobody what. */
const DECIDED_WORTH = 0.25;

export function exchangeText(exchange: Exchange, ideas: readonly ExchangeIdea[]): ExchangeText {
  const { items } = exchange;
  const prompt = promptOf(exchange);
  const said = ideas.filter((idea) => !idea.searchOnly);
  return {
    asked: shorten(oneLine(prompt ? ownWords(prompt.text, 'user') : ''), ASKED_LENGTH),
    outcome: outcomeOf(said, items),
    decided: best(said.filter(({ intent, worth }) => intent === 'decision' && worth >= DECIDED_WORTH)),
    fixed: fixedIn(exchange, ideas),
    files: [...new Set(items.flatMap((item) => (isWriting(item) ? item.files : [])))].slice(-MOST_FILES),
    commits: [...new Set(items.flatMap((item) => (isEvent(item, 'commit') ? [item.subject] : [])))].slice(
      -MOST_COMMITS,
    ),
    pullRequests: [...new Set(items.flatMap((item) => (isEvent(item, 'pull-request') ? [item.title] : [])))].slice(
      -MOST_COMMITS,
    ),
    left: best(said.filter((idea) => idea.fate === 'left' && idea.worth >= LEFT_WORTH && !wasDone(idea, items))),
    made: madeIn(items),
    edits: editsIn(items),
  };
}

/** A task of the list that the same exchange ticked off. */
const wasDone = ({ text }: ExchangeIdea, items: readonly TraceItem[]): boolean =>
  items.some((item) => isEvent(item, 'todo') && item.text === text && isSettledTask(item.state));

type EventOf<Name> = Extract<TraceItem, { kind: 'event' } & { event: Name }>;
const isEvent = <Name extends string>(item: TraceItem, name: Name): item is EventOf<Name> =>
  item.kind === 'event' && item.event === name;
const isWriting = (item: TraceItem): item is EventOf<'files'> => isEvent(item, 'files') && item.wrote;

/** What only leads up to a list has not come out. */
const LEADS = /[:：]\s*$/;

/** The weightiest of what the answer says was done or found; else what was committed. */
function outcomeOf(said: readonly ExchangeIdea[], items: readonly TraceItem[]): string | undefined {
  const final = said.filter(({ place, worth, text }) => place === 'final' && worth >= LEAST_WORTH && !LEADS.test(text));
  const results = final.filter(({ intent }) => intent === 'solution' || intent === 'conclusion');
  const chosen = best(
    results.length > 0 ? results : final.filter(({ intent }) => intent === 'problem' || intent === 'context'),
    2,
  );
  if (chosen.length > 0) return chosen.join(BETWEEN_SAID);
  const commit = items.findLast((item) => isEvent(item, 'commit'));
  if (commit && isEvent(commit, 'commit')) return COMMITTED + commit.subject;
  return items.at(-1)?.kind === 'event' && isEvent(items.at(-1) as TraceItem, 'interrupted') ? STOPPED : undefined;
}

/** Where something was wrong: the cause that was found with the change that was made. */
const fixedIn = (exchange: Exchange, ideas: readonly ExchangeIdea[]): string[] => [
  ...new Set(
    fixesIn(exchange, ideas).map(({ cause, change }) => (cause ? `${told(cause)} → ${told(change)}` : told(change))),
  ),
];

/** The weightiest few, in the order in which they were said. */
function best(ideas: readonly ExchangeIdea[], most = MOST_SAID): string[] {
  const chosen = [...ideas].sort((a, b) => b.worth - a.worth).slice(0, most);
  const texts = ideas.filter((idea) => chosen.includes(idea)).map(told);
  return [...new Set(texts)];
}

const told = ({ text }: ExchangeIdea): string => shorten(oneLine(withoutQuotations(text)), SAID_LENGTH);

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
