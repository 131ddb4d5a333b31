// The topics of a conversation, as a fold over its exchanges: a topic is one or more exchanges about the same thing. It ends where the words say
// so, where the vocabulary changes, after a long pause, after a commit, or where the conversation was compacted.

import { STOPPED } from '../../model/span-fields.ts';
import type { TraceItem } from '../../model/trace.ts';
import { ownWords } from '../../safety/foreign-text.ts';
import { type Exchange, promptOf } from '../exchanges/exchange.ts';
import { asWritten, countWords, familiarity, NO_WORDS, type TopicWords, topicWords, topWords } from '../topic-words.ts';
import type { ExchangeText } from './exchange-text.ts';
import { betterName, madeOf, type Name, nameOf } from './name.ts';

export type Topic = {
  readonly start: number;
  readonly end: number;
  readonly startTime: number | undefined;
  readonly endTime: number | undefined;
  readonly exchanges: number;
  readonly words: TopicWords;
  readonly name: Name;
  /** What was decided, came out, was mended and was left in its exchanges: the newest few of each. */
  readonly decided: readonly string[];
  readonly outcomes: readonly string[];
  readonly fixed: readonly string[];
  readonly left: readonly string[];
  readonly files: readonly string[];
  readonly commits: readonly string[];
};

export type TopicState = {
  readonly topic: Topic | undefined;
  /** Since the last prompt: something that ends a topic if the next prompt is about something else. */
  readonly ended: 'commit' | 'compaction' | undefined;
};

export const NO_TOPIC: TopicState = { topic: undefined, ended: undefined };

const LONG_PAUSE_MS = 3 * 3_600_000;
const STRANGE = 0.12;
const STRANGE_AFTER_COMMIT = 0.4;
const SETTLED_EXCHANGES = 2;
const KEPT_SAID = 4;
const KEPT_FILES = 24;
const PROMPT_WORDS = 2_000;
const ANSWER_WORDS = 60;

const TRANSITION =
  /^(?:(?:ok(?:ay)?|alright|great|perfect|good|thanks?(?: you)?|cool|nice)[,.! ]+)*(?:(?:now|so)[, ]+)?(?=)(?:let'?s (?:move on|switch|start|work on|turn to|go back|get back)|moving on|next (?:task|topic|up|step is)|(?:a )?(?:new|different|another|separate|unrelated) (?:task|topic|question|issue|feature|thing|request)|back to\b|switching (?:to|gears)|on (?:a|an)(?:other| different) (?:note|topic)|by the way|implement the following plan|forget (?:that|about)|als nächstes|zurück zu|passons à|volvamos a|ahora)/i;

/** Said about the work that is under way, however long after: it begins nothing. */
const CONTINUES =
  /^(?:\[request interrupted|(?:(?:ok(?:ay)?|yes|now|and|then|please|great|perfect|good|thanks?)[,.! ]+){0,3}(?:(?:you )?can (?:you )?)?(?=)(?:commit|push|continue|go (?:on|ahead)|proceed|resume|carry on|clear|retry|try again|rebase|squash|stage|merge it|ship it|update (?:the )?changelog|run (?:the )?(?:tests?|lint)|weiter|mach weiter|continue[rz]?|sigue|続けて|继续)\b)/i;
const LONGEST_CONTINUING = 60;
const isContinuing = (text: string): boolean => text.length <= LONGEST_CONTINUING && CONTINUES.test(text);

/** The topic that this exchange belongs to, with it in it; `begins` where it is a new one. */
export function withExchange(
  { topic: before, ended }: TopicState,
  exchange: Exchange,
  text: ExchangeText,
): { state: TopicState; topic: Topic; name: Name; begins: boolean } {
  const prompt = promptOf(exchange);
  const asked = prompt?.text.trim() ?? '';
  const words = wordsOf(exchange);
  const begins =
    before === undefined ||
    (!exchange.continues && beginsTopic({ topic: before, ended }, { asked, time: prompt?.time, words }));
  const name = nameOf({
    prompt: prompt ? ownWords(prompt.text, 'user') : '',
    commits: text.commits,
    pullRequests: text.pullRequests,
    outcome: text.outcome,
    words: begins ? '' : aboutOf(before),
  });
  const topic = extended(begins ? undefined : before, exchange, { text, words, name });
  const goesOn = !begins && isContinuing(asked);
  return { state: { topic, ended: endedIn(exchange.items) ?? (goesOn ? ended : undefined) }, topic, name, begins };
}

/** What the user says tells the topic; an answer of many words must not drown it. */
function wordsOf({ items }: Exchange): string[] {
  return items.flatMap((item) =>
    item.kind === 'turn' ? topicWords(item.text, item.role === 'user' ? PROMPT_WORDS : ANSWER_WORDS) : [],
  );
}

function endedIn(items: readonly TraceItem[]): TopicState['ended'] {
  const last = items.findLast(
    (item) => item.kind === 'event' && (item.event === 'commit' || item.event === 'compaction'),
  );
  if (last?.kind !== 'event') return undefined;
  return last.event === 'compaction' ? 'compaction' : 'commit';
}

function beginsTopic(
  { topic, ended }: TopicState & { topic: Topic },
  { asked, time, words }: { asked: string; time: number | undefined; words: readonly string[] },
): boolean {
  if (isContinuing(asked)) return false;
  if (ended === 'compaction') return true;
  if (time !== undefined && topic.endTime !== undefined && time - topic.endTime > LONG_PAUSE_MS) return true;
  const known = familiarity(topic.words, topicWords(asked, PROMPT_WORDS));
  if ((known === undefined || known < 0.6) && TRANSITION.test(asked)) return true;
  if (known === undefined) return false;
  if (ended === 'commit' && known < STRANGE_AFTER_COMMIT) return true;
  return topic.exchanges >= SETTLED_EXCHANGES && known < STRANGE && words.length > 0;
}

function extended(
  before: Topic | undefined,
  { start, items }: Exchange,
  { text, words, name }: { text: ExchangeText; words: readonly string[]; name: Name },
): Topic {
  const times = items.flatMap(({ time }) => (time === undefined ? [] : [time]));
  const last = items.reduce((line, item) => Math.max(line, item.line), start);
  return {
    start: before?.start ?? start,
    end: Math.max(before?.end ?? 0, last),
    startTime: before?.startTime ?? times[0],
    endTime: times.at(-1) ?? before?.endTime,
    exchanges: (before?.exchanges ?? 0) + 1,
    words: countWords(before?.words ?? NO_WORDS, words),
    name: betterName(before?.name, name, madeOf(text)),
    decided: newest(before?.decided, text.decided),
    outcomes: newest(before?.outcomes, text.outcome === undefined || text.outcome === STOPPED ? [] : [text.outcome]),
    fixed: newest(before?.fixed, text.fixed),
    // What was left in an earlier exchange was taken up or passed over in the next.
    left: text.left.slice(-KEPT_SAID),
    files: [...new Set([...text.files, ...(before?.files ?? [])])].slice(0, KEPT_FILES),
    commits: newest(before?.commits, text.commits),
  };
}

const newest = (before: readonly string[] | undefined, more: readonly string[]): readonly string[] =>
  [...new Set([...(before ?? []), ...more])].slice(-KEPT_SAID);

/** In every topic of work on code. */
const ROUTINE = new Set([
  'test',
  'lint',
  'check',
  'commit',
  'src',
  'const',
  'step',
  'typecheck',
  'pass',
  'committ',
  'fixe',
]);

/** The words of the topic, as they were written where that is still known. */
export function aboutOf({ words, name, decided, outcomes, left }: Topic, most = 4): string {
  const top = topWords(words, most + ROUTINE.size)
    .filter((word) => !ROUTINE.has(word))
    .slice(0, most);
  const written = asWritten([name.text, ...decided, ...outcomes, ...left].join(' '), top);
  return top.map((word) => written.get(word) ?? word).join(', ');
}
