// What was mended in an exchange: the cause that was found with the change that was made. Something must have been wrong (the prompt says so, a
// command failed, the user objected and the agent agreed, the commit is a fix) and something must have been done about it.

import type { TraceItem } from '../../model/trace.ts';
import { type Exchange, promptOf } from '../exchanges/exchange.ts';
import type { ExchangeIdea } from '../ideas/exchange-idea.ts';
import { topicWords } from '../topic-words.ts';

/** `cause`: where it stands in another statement than the change. */
export type Fix = { readonly cause?: ExchangeIdea; readonly change: ExchangeIdea };

const MOST = 6;
const MOST_CHANGES = 4;
/** Found on the way, and not told again as a change. */
const MOST_FOUND = 3;
const LEAST_FOUND = 0.08;
/** So many telling words in common: about the same thing. */
const NEAR = 2;

/** In a prompt, or in the subject of a commit. */
const TROUBLE =
  /\b(?:fail(?:s|ed|ing|ures?)?|errors?|bugs?|broken?|breaks|crash(?:es|ed|ing)?|wrong|(?:not|n'?t) work(?:s|ing)?|stuck|hangs?|missing|regress\w*|fix(?:e[sd])?|hotfix|leaks?|flaky|timeouts?|times? out|kaputt|fehler|erreur|panne|falla|エラー|不具合|报错|错误)\b/i;
/** What was wrong is not so any more, or is said to have been found. */
const MENDS =
  /\b(?:fix(?:ed|es)?|resolv(?:ed|es)|solved|corrected|mended|repaired|works? (?:now|again)|now works?|no longer|(?:have|has) (?:now )?stopped|(?:is|are) gone|(?:is|are) back to|root cause|behoben|gelöst|corrigé|resuelto)\b|解決|修正しました|解决|已修复/i;
/** Left as it was, or only proposed. */
const NOT_DONE =
  /\b(?:pre-?existing|not (?:yet )?fixed|not addressed|i(?:'d| would| could)|you (?:could|should|need to))\b/i;
/** What stands behind “… fix:” is told as mended, also where the words alone only say what was wrong. */
const HEADED_FIX = /^[^:.]{0,60}\bfix(?:ed|es)?\b[^:.]{0,20}:/i;
/** Seen to be over, whoever did it. */
const ENDED =
  /\b(?:works? (?:now|again)|now works?|no longer (?:fails?|happens?|crash\w*|errors?)|(?:have|has) (?:now )?stopped|(?:is|are) gone)\b/i;
const CAUSE =
  /\b(?:because|cause[ds]?|due to|root cause|race condition|the (?:real |actual |only )?(?:issue|problem|bug|culprit|reason|error|failure)\b[^.]{0,40}? (?:is|was|were|comes?|came)|(?:is|was|were) (?:just |simply |actually )?missing|that(?:'s| is) why|never (?:called|set|added|ran|sent)|weil|parce que|porque)\b|原因|因为/i;
/** A cause that may stand alone, for a change that has no words of its own. */
const SLIGHT = /\b(?:since|missing|never|instead of|wrong)\b/i;
/** The agent agrees with somebody who objected. */
const CONCEDES =
  /^\W*(?:you(?:'re| are) (?:absolutely |completely |quite )?right|good (?:point|catch|call)|fair (?:point|enough)|my mistake|that(?:'s| is) (?:a )?(?:fair|good|valid)|i was wrong|sorry|du hast recht|tu as raison|vous avez raison|tienes razón)/i;

/** In the order in which they were said. */
export function fixesIn(exchange: Exchange, ideas: readonly ExchangeIdea[]): Fix[] {
  const said = ideas.filter(isSaidByAgent);
  const conceded = concededIn(exchange);
  const wasWrong = conceded.size > 0 || isTroubled(exchange, ideas);
  const causes = said.filter(({ intent, text }) => intent !== 'solution' && (CAUSE.test(text) || SLIGHT.test(text)));
  const wrong = [...ideas.filter(({ intent, searchOnly }) => intent === 'problem' && !searchOnly), ...causes];
  const changes = changesIn(said, { wasWrong, wasActed: exchange.items.some(isAct) }, wrong);
  const paired = pair(changes, causes);
  const told = new Set(paired.flatMap(({ cause, change }) => [cause, change]));
  const found = said
    .filter((idea) => !told.has(idea) && isFound(idea, conceded) && isActedUpon(idea, exchange.items))
    .filter((idea) => !paired.some((fix) => isSame(fix, idea)));
  const alone = heaviest(found, MOST_FOUND).map((change) => ({ change }));
  return [...paired, ...alone, ...revertsIn(exchange.items, ideas)]
    .toSorted((a, b) => a.change.line - b.change.line || a.change.part - b.change.part)
    .slice(-MOST);
}

const isSaidByAgent = ({ role, place, searchOnly, provenance, isRetold }: ExchangeIdea): boolean =>
  role === 'assistant' &&
  (place === 'between' || place === 'final') &&
  !searchOnly &&
  provenance === 'said' &&
  !isRetold;

/** What the answer says was done: about what was wrong, or in words of mending; the weightiest of all where it names neither. */
function changesIn(
  said: readonly ExchangeIdea[],
  { wasWrong, wasActed }: { wasWrong: boolean; wasActed: boolean },
  wrong: readonly ExchangeIdea[],
): readonly ExchangeIdea[] {
  const final = said.filter(
    ({ place, text }) => place === 'final' && !NOT_DONE.test(text) && (wasActed || ENDED.test(text)),
  );
  const mending = final.filter(
    ({ intent, text }) =>
      (intent === 'solution' &&
        (MENDS.test(text) ||
          (wasWrong && (CAUSE.test(text) || wrong.some((each) => commonIn(each.text, text) >= NEAR))))) ||
      (intent === 'conclusion' && MENDS.test(text)) ||
      (intent === 'context' && ENDED.test(text)) ||
      (intent === 'problem' && HEADED_FIX.test(text)),
  );
  if (mending.length > 0) return heaviest(mending, MOST_CHANGES);
  return wasWrong
    ? heaviest(
        final.filter(({ intent }) => intent === 'solution'),
        1,
      )
    : [];
}

/** Something was wrong before it was mended. A plan tells much of what is wrong today: it is for a fix if its head says so. */
function isTroubled(exchange: Exchange, ideas: readonly ExchangeIdea[]): boolean {
  const prompt = promptOf(exchange)?.text ?? '';
  if (TROUBLE.test(headOf(prompt)) || exchange.items.some(isFixCommit)) return true;
  if (prompt.length > LONGEST_REPORT) return false;
  return (
    ideas.some(({ intent, searchOnly }) => intent === 'problem' && !searchOnly) ||
    exchange.items.some((item) => item.kind === 'event' && item.event === 'success')
  );
}

const isFixCommit = (item: TraceItem): boolean =>
  item.kind === 'event' && item.event === 'commit' && /^(?:hot)?fix/i.test(item.subject);
/** All of a short prompt; of a document its first line and heading. */
const headOf = (prompt: string): string =>
  prompt.length <= LONGEST_REPORT
    ? prompt
    : `${prompt.trimStart().split('\n', 1)[0]?.slice(0, HEAD)} ${/^#{1,3} .{1,160}/m.exec(prompt)?.[0] ?? ''}`;
const HEAD = 160;
const LONGEST_REPORT = 1_500;

/** What was wrong, or that it is mended, in plain words; or why somebody who objected was right. */
const isFound = ({ intent, text, worth, line }: ExchangeIdea, conceded: ReadonlySet<number>): boolean =>
  (intent === 'conclusion' && conceded.has(line)) ||
  (intent !== 'question' &&
    intent !== 'todo' &&
    intent !== 'context' &&
    worth >= LEAST_FOUND &&
    !GUESSES.test(text) &&
    (CAUSE.test(text) || THE_FIX.test(text) || ENDED.test(text)));

/** What is only taken for the cause is not yet found. */
const GUESSES = /\b(?:likely|probably|presumably|perhaps|maybe|possibly|might|may be|could be)\b/i;
const THE_FIX = /\b(?:the|my) (?:\w+ )?fix(?: is|:)/i;

const isActedUpon = ({ line }: ExchangeIdea, items: readonly TraceItem[]): boolean =>
  items.some((item) => item.line >= line && isAct(item));

/** Something was written, taken back or committed, or works again. */
const isAct = (item: TraceItem): boolean =>
  item.kind === 'event' && (item.event === 'files' ? item.wrote : ACTS.has(item.event));
const ACTS: ReadonlySet<string> = new Set(['success', 'revert', 'commit', 'pull-request']);

/** The lines on which the agent agrees with an objection and then does something. */
function concededIn({ items }: Exchange): ReadonlySet<number> {
  const first = items.find((item) => item.kind === 'turn' && item.role === 'assistant');
  const wrote = items.some((item) => item.kind === 'event' && item.event === 'files' && item.wrote);
  return new Set(wrote && first?.kind === 'turn' && CONCEDES.test(first.text) ? [first.line] : []);
}

/** “The issue was …” is said of what is over. */
const WAS_WRONG =
  /\bthe (?:\w+ )?(?:issue|problem|bug|culprit|cause|reason|error|failure)\b[^.]{0,40}? (?:was|were)\b/i;
const weightOf = ({ worth, text }: ExchangeIdea): number =>
  worth + (MENDS.test(text) ? 0.2 : 0) + (CAUSE.test(text) ? 0.2 : 0) + (WAS_WRONG.test(text) ? 0.2 : 0);

/** The weightiest few, in their order. */
function heaviest(ideas: readonly ExchangeIdea[], most: number): ExchangeIdea[] {
  const chosen = new Set(ideas.toSorted((a, b) => weightOf(b) - weightOf(a)).slice(0, most));
  return ideas.filter((idea) => chosen.has(idea));
}

/** Each change with the cause that shares most of its words; the weightiest cause of all belongs to a change that is the only one. */
function pair(changes: readonly ExchangeIdea[], causes: readonly ExchangeIdea[]): Fix[] {
  const free = causes.filter((cause) => !changes.includes(cause));
  const used = new Set<ExchangeIdea>();
  return changes.map((change) => {
    if (CAUSE.test(change.text)) return { change };
    const [best] = free
      .filter((cause) => !used.has(cause))
      .map((cause) => ({ cause, common: commonIn(cause.text, change.text) }))
      .filter(({ common }) => common >= (changes.length === 1 ? 1 : NEAR))
      .sort((a, b) => b.common - a.common || b.cause.worth - a.cause.worth);
    if (!best) return { change };
    used.add(best.cause);
    return { cause: best.cause, change };
  });
}

function commonIn(one: string, other: string): number {
  const words = new Set(topicWords(one));
  return [...new Set(topicWords(other))].filter((word) => words.has(word)).length;
}

/** The answer tells again what was said on the way. */
function isSame({ cause, change }: Fix, idea: ExchangeIdea): boolean {
  const words = new Set(topicWords(idea.text));
  const told = new Set(topicWords(`${cause?.text ?? ''} ${change.text}`));
  return [...words].filter((word) => told.has(word)).length * 2 > words.size;
}

/** What was wrong with it stands right before a change that was taken back. */
function revertsIn(items: readonly TraceItem[], ideas: readonly ExchangeIdea[]): Fix[] {
  return items.flatMap((item) => {
    if (item.kind !== 'event' || item.event !== 'revert') return [];
    const change = ideas.find(
      ({ line, place, text }) => line === item.line && place === undefined && text.includes(item.what),
    );
    const before = ideas.filter(
      ({ line, role, intent, searchOnly }) =>
        line < item.line && role === 'assistant' && !searchOnly && (intent === 'problem' || intent === 'conclusion'),
    );
    const cause =
      before.findLast(({ text }) => commonIn(text, item.what.replace(/[^\p{L}\p{N}]+/gu, ' ')) > 0) ?? before.at(-1);
    return change && cause ? [{ cause, change }] : [];
  });
}
