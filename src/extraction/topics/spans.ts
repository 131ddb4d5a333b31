// The topics of a conversation, as a fold: each item goes in with the state so far, and out come the spans that it changed.
// A topic begins with a prompt. It ends where the words say so, where the vocabulary changes, after a long pause, after a
// commit, or where the conversation was compacted. Long topics get sub-spans by the same signs, less strict.

import type { Idea, TraceItem } from '../../model/trace.ts';
import { ownWords } from '../../safety/foreign-text.ts';
import { withoutQuotations } from '../../safety/quotations.ts';
import { countWords, familiarity, NO_WORDS, type TopicWords, topicWords } from '../topic-words.ts';

export type OpenSpan = {
  readonly start: number;
  readonly end: number;
  readonly startTime: number | undefined;
  readonly endTime: number | undefined;
  readonly turns: number;
  readonly words: TopicWords;
  /** The prompt that began it, cut. */
  readonly prompt: string;
  /** What was said in it, by intent, the newest few of each. */
  readonly said: { readonly [intent: string]: readonly string[] };
  readonly files: readonly string[];
};

export type SpanState = {
  readonly topic: OpenSpan | undefined;
  readonly part: OpenSpan | undefined;
  /** Since the last prompt: something that ends a topic if the next prompt is about something else. */
  readonly ended: 'commit' | 'compaction' | undefined;
};

/** A span that has changed; `parent` is the start line of the topic that a part belongs to. */
export type SpanChange = { readonly span: OpenSpan; readonly depth: 0 | 1; readonly parent: number | undefined };

export const FIRST_STATE: SpanState = { topic: undefined, part: undefined, ended: undefined };

const LONG_PAUSE_MS = 3 * 3_600_000;
const STRANGE = 0.12;
const STRANGE_AFTER_COMMIT = 0.4;
const STRANGE_IN_PART = 0.25;
const SETTLED_TURNS = 4;
const LONG_TOPIC_TURNS = 12;
const LONG_PART_TURNS = 8;
const KEPT_SAID = 4;
const KEPT_FILES = 24;
const PROMPT_LENGTH = 400;
const SAID_LENGTH = 240;
const PROMPT_WORDS = 2_000;
const ANSWER_WORDS = 60;

const TRANSITION =
  /^(?:(?:ok(?:ay)?|alright|great|perfect|good|thanks?(?: you)?|cool|nice)[,.! ]+)*(?:(?:now|so)[, ]+)?(?:let'?s (?:move on|switch|start|work on|turn to|go back|get back)|moving on|next (?:task|topic|up|step is)|(?:a )?(?:new|different|another|separate|unrelated) (?:task|topic|question|issue|feature|thing|request)|back to\b|switching (?:to|gears)|on (?:a|an)(?:other| different) (?:note|topic)|by the way|implement the following plan|forget (?:that|about)|als nächstes|zurück zu|passons à|volvamos a|ahora)/i;

/** Said about the work that is under way, however long after: it begins nothing. */
const CONTINUES =
  /^(?:\[request interrupted|(?:(?:ok(?:ay)?|yes|now|and|then|please|great|perfect|good|thanks?)[,.! ]+){0,3}(?:(?:you )?can (?:you )?)?(?:commit|push|continue|go (?:on|ahead)|proceed|resume|carry on|clear|retry|try again|rebase|squash|stage|merge it|ship it|update (?:the )?changelog|run (?:the )?(?:tests?|lint)|weiter|mach weiter|continue[rz]?|sigue|続けて|继续)\b)/i;
const LONGEST_CONTINUING = 60;
const isContinuing = (text: string): boolean => text.length <= LONGEST_CONTINUING && CONTINUES.test(text);

export function advance(
  state: SpanState,
  item: TraceItem,
  ideas: readonly Idea[],
): { state: SpanState; changed: SpanChange[] } {
  if (item.kind === 'event') return afterEvent(state, item, ideas);
  // What the user says tells the topic; an answer of many words must not drown it.
  const words = topicWords(item.text, item.role === 'user' ? PROMPT_WORDS : ANSWER_WORDS);
  const begins = item.role === 'user' ? borderAt(state, item, words) : undefined;
  const topic = extended(begins === 'topic' ? undefined : state.topic, item, { words, ideas });
  const inPart = begins === undefined ? state.part : undefined;
  const wantsPart = begins === 'part' || inPart !== undefined;
  const part = wantsPart ? extended(inPart, item, { words, ideas }) : undefined;
  const changed: SpanChange[] = [{ span: topic, depth: 0, parent: undefined }];
  if (part) changed.push({ span: part, depth: 1, parent: topic.start });
  // What ended stays ended while the user only says “commit” or “push”.
  const goesOn = item.role !== 'user' || (begins === undefined && isContinuing(item.text.trim()));
  return { state: { topic, part, ended: goesOn ? state.ended : undefined }, changed };
}

function afterEvent(
  state: SpanState,
  item: Extract<TraceItem, { kind: 'event' }>,
  ideas: readonly Idea[],
): { state: SpanState; changed: SpanChange[] } {
  const isBorder = item.event === 'commit' || item.event === 'compaction';
  const ended = isBorder ? item.event : state.ended;
  // What an answer decided and what was committed belongs to the topic; a list of tasks would push all else out of it.
  const said = item.event === 'answer' || item.event === 'commit' ? ideas.filter(isOutcome) : [];
  const files = item.event === 'files' ? item.files : [];
  if (!state.topic || (said.length === 0 && files.length === 0)) return { state: { ...state, ended }, changed: [] };
  const withEvent = (span: OpenSpan): OpenSpan => ({
    ...span,
    said: withSaid(span.said, said),
    files: [...new Set([...files, ...span.files])].slice(0, KEPT_FILES),
  });
  const topic = withEvent(state.topic);
  const part = state.part && withEvent(state.part);
  const changed: SpanChange[] = [{ span: topic, depth: 0, parent: undefined }];
  if (part) changed.push({ span: part, depth: 1, parent: topic.start });
  return { state: { topic, part, ended }, changed };
}

/** The question of an answered pair is in its decision too, and is not open any more. */
const isOutcome = ({ intent }: Idea): boolean => intent !== 'question';

/** Does this prompt begin a topic, a part of the topic, or neither? */
function borderAt(
  { topic, part, ended }: SpanState,
  turn: Extract<TraceItem, { kind: 'turn' }>,
  words: readonly string[],
): 'topic' | 'part' | undefined {
  if (!topic) return 'topic';
  const said = turn.text.trim();
  if (isContinuing(said)) return undefined;
  if (ended === 'compaction') return 'topic';
  if (turn.time !== undefined && topic.endTime !== undefined && turn.time - topic.endTime > LONG_PAUSE_MS)
    return 'topic';
  const known = familiarity(topic.words, words);
  if ((known === undefined || known < 0.6) && TRANSITION.test(said)) return 'topic';
  if (known !== undefined && ended === 'commit' && known < STRANGE_AFTER_COMMIT) return 'topic';
  if (known !== undefined && topic.turns >= SETTLED_TURNS && known < STRANGE) return 'topic';
  if (topic.turns < LONG_TOPIC_TURNS) return undefined;
  const inPart = familiarity((part ?? topic).words, words);
  const partTurns = part?.turns ?? topic.turns;
  return inPart !== undefined && partTurns >= LONG_PART_TURNS && inPart < STRANGE_IN_PART + (part ? 0 : 0.1)
    ? 'part'
    : undefined;
}

function extended(
  span: OpenSpan | undefined,
  turn: Extract<TraceItem, { kind: 'turn' }>,
  { words, ideas }: { words: readonly string[]; ideas: readonly Idea[] },
): OpenSpan {
  const before: OpenSpan = span ?? {
    start: turn.line,
    end: turn.line,
    startTime: turn.time,
    endTime: turn.time,
    turns: 0,
    words: NO_WORDS,
    // A topic is named by what was asked, not by what was quoted or pasted with it.
    prompt: cut(ownWords(turn.text, turn.role).trim(), PROMPT_LENGTH),
    said: {},
    files: [],
  };
  return {
    ...before,
    end: Math.max(before.end, turn.line),
    endTime: turn.time ?? before.endTime,
    turns: before.turns + 1,
    words: countWords(before.words, words),
    said: withSaid(before.said, ideas),
  };
}

function withSaid(said: OpenSpan['said'], ideas: readonly Idea[]): OpenSpan['said'] {
  const all: { [intent: string]: readonly string[] } = { ...said };
  for (const idea of ideas) {
    if (idea.intent === 'context') continue;
    all[idea.intent] = [...(all[idea.intent] ?? []), cut(withoutQuotations(idea.text), SAID_LENGTH)].slice(-KEPT_SAID);
  }
  return all;
}

const cut = (text: string, most: number): string => (text.length > most ? [...text].slice(0, most).join('') : text);
