// What a conversation came to, told from its rows without a model: what it was about, what came out, what was decided, mended, committed and
// left, and what its user wants for good. The words are those of the conversation; what is told is chosen by its worth.

import { decidesNothing } from '../extraction/ideas/no-decision.ts';
import { isStandingOrder, isStandingWish } from '../extraction/standing-wish.ts';
import { topicWords } from '../extraction/topic-words.ts';
import { isSpoken } from '../extraction/topics/name.ts';
import { isPlainDecision, withoutListName } from '../inject/shown-alone.ts';
import { COMMITTED } from '../model/logged-work.ts';
import { isSaid, originOf } from '../model/provenance.ts';
import { readable, readableOutcome } from '../model/readable.ts';
import { type ExchangeFields, exchangeFields, STOPPED, topicFields } from '../model/span-fields.ts';
import type { SessionStory } from '../notes/session-note.ts';
import { withoutQuotations } from '../safety/quotations.ts';
import type { Document } from '../store/store.ts';

const MOST = { decided: 6, fixed: 4, commits: 12, left: 6, preferences: 4 };
/** What is worth less is in the store for whoever asks. */
const LEAST = { decision: 0.4, left: 0.3, preference: 0.5, order: 0.2 };
const SURE = 0.4;
/** Of what was to be done, so much stands in what was done. */
const MOST_WORDS = 0.7;
const FEWEST_WORDS = 3;

/** Nothing where nobody said anything. */
export function storyOf(documents: readonly Document[]): SessionStory | undefined {
  const topics = documents.filter(({ kind, span }) => kind === 'span' && span === undefined);
  const exchanges = documents.flatMap(({ meta }) => exchangeFields(meta) ?? []).sort((a, b) => a.number - b.number);
  const ideas = documents.filter((each) => each.kind !== 'span' && isToldOfItself(each));
  if (topics.length + exchanges.length === 0) return undefined;
  const commits = unique(exchanges.flatMap((each) => each.commits));
  const outcome = outcomeOf(exchanges);
  return {
    ...titled(topics, outcome),
    decided: chosen(
      ideas.filter((idea) => isDecided(idea) && isPlainDecision(readable(withoutQuotations(idea.text)))),
      MOST.decided,
    ),
    fixed: unique(exchanges.flatMap(({ fixed }) => fixed).map(readable))
      .filter(isFix)
      .slice(-MOST.fixed),
    commits: commits.slice(-MOST.commits),
    left: chosen(
      ideas.filter((idea) => isLeft(idea) && !commits.some((subject) => isDoneBy(idea.text, subject))),
      MOST.left,
    ),
    preferences: chosen(ideas.filter(isPreference), MOST.preferences),
  };
}

/** A title that is only somebody's sentence adds nothing to what came out. */
function titled(topics: readonly Document[], outcome: string): Pick<SessionStory, 'title' | 'summary'> {
  const title = titleOf(topics);
  const isNeeded = title !== '' && (outcome === '' || !isSpoken(title));
  return { title, summary: [...(isNeeded ? [title] : []), ...(outcome === '' ? [] : [outcome])] };
}

/** A cause with its change, or a plain report of one. */
const isFix = (text: string): boolean => text.includes(' → ') || /^(?:fix|resolve|solve)/i.test(text);

/** Most of what was to be done stands in what was done. */
export function isDoneBy(task: string, done: string): boolean {
  const wanted = new Set(topicWords(readable(task).replace(/^[^:]{3,40}: /, '')));
  if (wanted.size < FEWEST_WORDS) return false;
  const made = new Set(topicWords(done));
  return [...wanted].filter((word) => made.has(word)).length >= wanted.size * MOST_WORDS;
}

/** Said here by somebody, and not only quoted, printed or kept for search. */
const isToldOfItself = ({ meta }: Document): boolean => meta?.search_only !== true && isSaid(originOf(meta));

/** Rows that are older than the score are taken as they are. */
export const worthOf = ({ meta }: Document): number => (typeof meta?.worth === 'number' ? meta.worth : 1);

export const isDecided = (idea: Document): boolean =>
  idea.kind === 'decision' && idea.confidence >= SURE && worthOf(idea) >= LEAST.decision && !decidesNothing(idea.text);

const isLeft = (idea: Document): boolean =>
  idea.status === 'open' && idea.confidence >= SURE && worthOf(idea) >= LEAST.left;

/** What the user wants for good: a decision that says so, or plainly an order, whatever it was taken for. */
export const isPreference = (idea: Document): boolean =>
  originOf(idea.meta)?.speaker === 'user' &&
  (isDecided(idea)
    ? worthOf(idea) >= LEAST.preference && isStandingWish(idea.text)
    : WISHES.includes(idea.kind) && worthOf(idea) >= LEAST.order && isStandingOrder(idea.text));

/** Besides decisions, what an order may have been taken for. */
export const WISHES = ['todo', 'context'];

/** The weightiest, in the order in which they were said; of two with the same beginning one. */
function chosen(ideas: readonly Document[], most: number): string[] {
  const best = new Set([...ideas].sort((a, b) => worthOf(b) - worthOf(a)).slice(0, most));
  return unique(ideas.filter((idea) => best.has(idea)).map(({ text }) => plain(text)));
}

const plain = (text: string): string => withoutListName(readable(withoutQuotations(text)));

/** Once each: of two that begin alike the later, and none that stands in another, as an answer does in question and answer. */
function unique(texts: readonly string[]): string[] {
  const byBeginning = new Map(texts.filter(Boolean).map((text) => [text.toLowerCase().slice(0, 60), text]));
  const all = [...byBeginning.values()];
  return all.filter((text) => !all.some((other) => other !== text && other.includes(text.slice(0, 40))));
}

/**
 * What the user or the client called it; else its main topic, which is one that something came of rather than one in which much was said.
 * A name that is only the beginning of somebody's sentence gives way to what was committed.
 */
function titleOf(topics: readonly Document[]): string {
  const named = topics.flatMap(({ title, meta }) => {
    const fields = topicFields(meta);
    return fields ? [{ title, ...fields }] : [];
  });
  const given = named.findLast(({ sessionTitle }) => sessionTitle !== '')?.sessionTitle;
  if (given !== undefined) return given;
  const weight = ({ exchanges, commits, decided, outcome }: (typeof named)[number]): number =>
    exchanges + 2 * commits.length + decided.length + (outcome === '' ? 0 : 1);
  const [main] = [...named].sort((a, b) => weight(b) - weight(a));
  if (!main) return '';
  return (isSpoken(main.title) ? titleOfCommits(main.commits) : undefined) ?? main.title;
}

const UPKEEP = /^(?:docs|chore|style|ci|build|test)\b/;

function titleOfCommits(commits: readonly string[]): string | undefined {
  const subject = commits.findLast((each) => !UPKEEP.test(each)) ?? commits.at(-1);
  const words = subject?.replace(/^\w+(?:\([^)]*\))?!?: /, '') ?? '';
  return words === '' ? undefined : words.charAt(0).toUpperCase() + words.slice(1);
}

/** The last that says what came out; what was committed has a line of its own. */
function outcomeOf(exchanges: readonly ExchangeFields[]): string {
  const telling = exchanges.filter(({ outcome }) => outcome !== '' && outcome !== STOPPED);
  const last = telling.findLast(({ outcome }) => !outcome.startsWith(COMMITTED)) ?? telling.at(-1);
  return last ? readableOutcome(withoutQuotations(last.outcome)) : '';
}
